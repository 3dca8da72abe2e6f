"""Connections whose requests do not come: they are closed after a few seconds, and so are those that say too much.

Uvicorn waits for ever for the end of a request's head. What comes after it, the body, is `safety`'s to wait for.
"""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING, Any

from uvicorn.protocols.http.auto import AutoHTTPProtocol

HEAD_SECONDS = 5.0  # in which the head of a request must have come
HEAD_BYTES = 65536  # of a head

if TYPE_CHECKING:
    from uvicorn.protocols.http.h11_impl import H11Protocol as Connection
else:
    Connection = AutoHTTPProtocol


class ImpatientConnection(Connection):
    """A connection of Uvicorn's that is closed when it stays without a request."""

    def __init__(self, *arguments: Any, **named: Any) -> None:
        super().__init__(*arguments, **named)
        self.alarm: asyncio.TimerHandle | None = None
        self.head_bytes = 0  # that came while no request was under way

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        super().connection_made(transport)
        self.wait_for_head()

    def data_received(self, data: bytes) -> None:
        if self.is_answering:
            super().data_received(data)
            return
        self.head_bytes += len(data)
        super().data_received(data)
        if self.is_answering:
            self.stop_waiting()
        elif self.head_bytes > HEAD_BYTES:
            self.transport.abort()
        elif self.alarm is None:  # the first bytes of another request
            self.wait_for_head()

    def connection_lost(self, exc: Exception | None) -> None:
        self.stop_waiting()
        super().connection_lost(exc)

    @property
    def is_answering(self) -> bool:
        """Whether a request has come whose answer is not all sent."""
        return self.cycle is not None and not self.cycle.response_complete

    def wait_for_head(self) -> None:
        self.alarm = asyncio.get_running_loop().call_later(HEAD_SECONDS, self.transport.abort)

    def stop_waiting(self) -> None:
        self.head_bytes = 0
        if self.alarm is not None:
            self.alarm.cancel()
            self.alarm = None
