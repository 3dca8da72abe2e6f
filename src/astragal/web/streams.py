"""Server-sent events: what a source in another thread tells, until it ends or the page goes away."""

from __future__ import annotations

import asyncio
import json
import threading
from collections.abc import Callable
from typing import Any, Protocol

from starlette.responses import Response
from starlette.types import Receive, Scope, Send

from astragal.search.result import finite
from astragal.web.errors import TooMany
from astragal.web.thinking import Event, Listener

HEARTBEAT_SECONDS = 2.0  # a page that has gone without a word is noticed by then, or soon after
HEADERS = [
    (b"content-type", b"text/event-stream; charset=utf-8"),
    (b"cache-control", b"no-store"),
    (b"x-accel-buffering", b"no"),
]


class Source(Protocol):
    """What tells events in a thread of its own."""

    def start(self, listener: Listener) -> None:
        """Begin; the listener hears every event, and None after the last."""

    def abandon(self) -> None:
        """End soon: nobody listens any more."""


class Streams:
    """The streams that are open."""

    def __init__(self, most: int) -> None:
        self.most = most
        self.lock = threading.Lock()
        self.open: list[Source] = []

    def of(self, source: Source) -> EventStream:
        """The answer that tells what a source tells."""
        with self.lock:
            if len(self.open) >= self.most:
                source.abandon()
                raise TooMany("too many pages are listening; close one")
            self.open.append(source)
        return EventStream(source, lambda: self.forget(source))

    def forget(self, source: Source) -> None:
        with self.lock:
            if source in self.open:
                self.open.remove(source)

    def close(self) -> None:
        with self.lock:
            sources = list(self.open)
        for source in sources:
            source.abandon()


class EventStream(Response):
    """An answer that goes on until its source ends; when the page goes away, the source is abandoned."""

    def __init__(self, source: Source, forget: Callable[[], None]) -> None:
        super().__init__(media_type="text/event-stream")
        self.source, self.forget = source, forget

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        loop, events = asyncio.get_running_loop(), asyncio.Queue[Event | None]()

        def hear(event: Event | None) -> None:
            if not loop.is_closed():
                loop.call_soon_threadsafe(events.put_nowait, event)

        gone = asyncio.create_task(wait_until_gone(receive))
        try:
            await send({"type": "http.response.start", "status": 200, "headers": HEADERS})
            self.source.start(hear)
            async for chunk in chunks(events, gone):
                await send({"type": "http.response.body", "body": chunk, "more_body": True})
            if not gone.done():
                await send({"type": "http.response.body", "body": b"", "more_body": False})
        except OSError:  # the page went away while it was told something
            pass
        finally:
            gone.cancel()
            self.source.abandon()
            self.forget()


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
