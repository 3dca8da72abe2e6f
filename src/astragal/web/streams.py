"""Server-sent events: events of a source in another thread, until it ends or the page closes."""

from __future__ import annotations

import asyncio
import json
import threading
from collections.abc import Callable
from typing import Any, Protocol

from starlette.responses import Response
from starlette.types import Receive, Scope, Send

from astragal.algorithms.result import finite
from astragal.web.requests import TooMany
from astragal.web.thinking import Event, Listener

HEARTBEAT_SECONDS = 2.0  # a page that closed silently is noticed within this time, or soon after
HEADERS = [
    (b"content-type", b"text/event-stream; charset=utf-8"),
    (b"cache-control", b"no-store"),
    (b"x-accel-buffering", b"no"),
]


class Source(Protocol):
    """A source of events in a thread of its own."""

    def start(self, listener: Listener) -> None:
        """Begin; the listener receives every event, and None after the last."""

    def abandon(self) -> None:
        """End soon: no listener is left."""


class Streams:
    """The streams that are open."""

    def __init__(self, most: int) -> None:
        self.most = most
        self.lock = threading.Lock()
        self.open: list[EventStream] = []

    def of(self, source: Source) -> EventStream:
        """The answer that sends the events of a source."""
        with self.lock:
            if len(self.open) >= self.most:
                source.abandon()
                raise TooMany("too many pages are listening; close one")
            stream = EventStream(source, self.forget)
            self.open.append(stream)
        return stream

    def forget(self, stream: EventStream) -> None:
        with self.lock:
            self.open.remove(stream)

    def close(self) -> None:
        """End all of them, whether their sources end soon or not."""
        with self.lock:
            streams = list(self.open)
        for stream in streams:
            stream.source.abandon()
            stream.hear(None)


class EventStream(Response):
    """An answer that goes on until its source ends; when the page goes away, the source is abandoned."""

    def __init__(self, source: Source, forget: Callable[[EventStream], None]) -> None:
        super().__init__(media_type="text/event-stream")
        self.source, self.forget = source, forget
        self.loop: asyncio.AbstractEventLoop | None = None
        self.events: asyncio.Queue[Event | None] = asyncio.Queue()

    def hear(self, event: Event | None) -> None:
        """Take an event from any thread."""
        if self.loop is not None and not self.loop.is_closed():
            self.loop.call_soon_threadsafe(self.events.put_nowait, event)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        self.loop = asyncio.get_running_loop()
        gone = asyncio.create_task(wait_until_gone(receive))
        try:
            await send({"type": "http.response.start", "status": 200, "headers": list(HEADERS)})
            self.source.start(self.hear)
            async for chunk in chunks(self.events, gone):
                await send({"type": "http.response.body", "body": chunk, "more_body": True})
            if not gone.done():
                await send({"type": "http.response.body", "body": b"", "more_body": False})
        except OSError:  # the page closed while an event was sent
            pass
        finally:
            gone.cancel()
            self.source.abandon()
            self.forget(self)


async def wait_until_gone(receive: Receive) -> None:
    while (await receive())["type"] != "http.disconnect":
        pass


async def chunks(events: asyncio.Queue[Event | None], gone: asyncio.Task[None]) -> Any:
    """Events as text, and a sign of life where there are none for a while."""
    waiting: asyncio.Task[Event | None] | None = None
    try:
        while not gone.done():
            waiting = waiting or asyncio.create_task(events.get())
            await asyncio.wait({waiting, gone}, timeout=HEARTBEAT_SECONDS, return_when=asyncio.FIRST_COMPLETED)
            if not waiting.done():
                yield b": still here\n\n"
                continue
            event, waiting = waiting.result(), None
            if event is None:
                return
            yield encoded(event)
    finally:
        if waiting is not None:
            waiting.cancel()


def encoded(event: Event) -> bytes:
    name, facts = event
    text = json.dumps(finite(facts), ensure_ascii=False, allow_nan=False, separators=(",", ":"))
    return f"event: {name}\ndata: {text}\n\n".encode()
