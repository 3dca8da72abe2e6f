"""Checks before every request: who may send it, from where, and how much; and what browsers must refuse.

A page of another site that is open in the same browser can send requests to this machine too. It is kept out thrice:
the name it asks for must be ours (a name of its own that leads here is DNS rebinding), its origin must be ours, and
requests that change something carry JSON, which a browser sends to another site only after asking. On other than
loopback addresses a token is required as well.
"""

from __future__ import annotations

import asyncio
import json
import secrets
from collections.abc import Iterable
from http.cookies import CookieError, SimpleCookie
from typing import TYPE_CHECKING, Any
from urllib.parse import parse_qs, urlsplit

from starlette.datastructures import Headers, MutableHeaders
from starlette.types import ASGIApp, Message, Receive, Scope, Send
from uvicorn.protocols.http.auto import AutoHTTPProtocol

COOKIE = "astragal"
BODY_SECONDS = 10.0  # for the body of a request to come
PAGE_POLICY = (
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self'; "
    "font-src 'self'; frame-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'self'"
)
REPORT_POLICY = (  # the report has its style within it, and no script
    "default-src 'none'; style-src 'self' 'unsafe-inline'; img-src 'self' data:; base-uri 'none'; form-action 'none'; "
    "frame-ancestors 'self'"
)
HEADERS = {
    "x-content-type-options": "nosniff",
    "x-frame-options": "SAMEORIGIN",
    "referrer-policy": "same-origin",
    "cross-origin-resource-policy": "same-origin",
    "cross-origin-opener-policy": "same-origin",
}


class Refused(Exception):
    """A request that goes no further."""

    def __init__(self, status: int, sentence: str) -> None:
        super().__init__(sentence)
        self.status = status


class Guard:
    """Lets through only requests that are allowed, and adds to every answer what browsers are to refuse."""

    def __init__(
        self, app: ASGIApp, hosts: Iterable[str] | None = None, token: str | None = None, body_bytes: int = 65536
    ) -> None:
        self.app = app
        self.hosts = None if hosts is None else {host.lower() for host in hosts}  # None: any, behind a token
        self.token, self.body_bytes = token, body_bytes

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] == "lifespan":
            await self.app(scope, receive, send)
        elif scope["type"] == "http":
            await self.answer(scope, receive, send)  # nothing here speaks any other protocol

    async def answer(self, scope: Scope, receive: Receive, send: Send) -> None:
        begun = False

        async def send_guarded(message: Message) -> None:
            nonlocal begun
            if message["type"] == "http.response.start":
                begun = True
                add_headers(scope["path"], MutableHeaders(raw=message["headers"]))
            await send(message)

        try:
            headers = Headers(scope=scope)
            self.check_host(headers)
            self.check_origin(scope, headers)
            if self.token is not None and (self.is_in_address(scope) or not self.shows_token(headers)):
                await self.ask_for_token(scope, send_guarded)
                return
            if scope["method"] not in ("GET", "HEAD"):
                self.check_body(scope, headers)
                receive = read_before(await self.read_body(receive), receive)
            await self.app(scope, receive, send_guarded)
        except Refused as error:
            if not begun:
                await say(send_guarded, error.status, str(error))

    def check_host(self, headers: Headers) -> None:
        if len(headers.getlist("host")) != 1:
            raise Refused(400, "a request names one host")
        if self.hosts is not None and headers["host"].lower() not in self.hosts:
            raise Refused(403, "this server does not answer to that name")

    def check_origin(self, scope: Scope, headers: Headers) -> None:
        """Other sites may lead people here by a link, and nothing else."""
        origin = headers.get("origin")
        if origin is not None and site_of(origin) != headers["host"].lower():
            raise Refused(403, "requests from other sites are refused")
        if headers.get("sec-fetch-site", "none") not in ("same-origin", "none"):
            by_link = scope["method"] == "GET" and headers.get("sec-fetch-mode") == "navigate"
            if not by_link or scope["path"].startswith("/api"):
                raise Refused(403, "requests from other sites are refused")

    def shows_token(self, headers: Headers) -> bool:
        assert self.token is not None
        kind, _, shown = headers.get("authorization", "").partition(" ")
        if kind.lower() != "bearer":
            try:
                morsel = SimpleCookie(headers.get("cookie", "")).get(COOKIE)
            except CookieError:
                morsel = None
            shown = morsel.value if morsel is not None else ""
        return same(shown, self.token)

    def is_in_address(self, scope: Scope) -> bool:
        """Whether a request is for the address that was printed."""
        assert self.token is not None
        if scope["method"] != "GET" or scope["path"] != "/":
            return False
        shown = parse_qs(scope["query_string"].decode("latin-1")).get("token", [""])[0]
        return same(shown, self.token)

    async def ask_for_token(self, scope: Scope, send: Send) -> None:
        """The address that was printed has the token; a cookie takes it over, so that it stands in no history."""
        if self.is_in_address(scope):
            cookie = f"{COOKIE}={self.token}; HttpOnly; SameSite=Lax; Path=/"
            headers = [(b"location", b"/"), (b"set-cookie", cookie.encode())]
            await send({"type": "http.response.start", "status": 303, "headers": headers})
            await send({"type": "http.response.body", "body": b""})
            return
        await say(send, 401, "this server asks for the token that it printed when it was started")

    def check_body(self, scope: Scope, headers: Headers) -> None:
        kind = headers.get("content-type", "").partition(";")[0].strip().lower()
        if kind != "application/json" and scope["method"] != "DELETE":
            raise Refused(415, "send JSON, and say so in Content-Type")
        length = headers.get("content-length", "0")
        if not (length.isascii() and length.isdecimal()) or int(length) > self.body_bytes:
            raise self.too_long

    async def read_body(self, receive: Receive) -> bytes:
        """All of a request's body, if it is not longer than it may be and does not take for ever to come."""
        body, more = b"", True
        try:
            async with asyncio.timeout(BODY_SECONDS):
                while more:
                    message = await receive()
                    body += message.get("body", b"")
                    more = message.get("more_body", False)
                    if len(body) > self.body_bytes:
                        raise self.too_long
        except TimeoutError:
            raise Refused(408, "the request did not come to its end") from None
        return body

    @property
    def too_long(self) -> Refused:
        return Refused(413, f"a request has at most {self.body_bytes} bytes")


def read_before(body: bytes, receive: Receive) -> Receive:
    """A way to receive what was read already, and then what else comes."""
    given = False

    async def receive_again() -> Message:
        nonlocal given
        if given:
            return await receive()
        given = True
        return {"type": "http.request", "body": body, "more_body": False}

    return receive_again


def site_of(origin: str) -> str | None:
    """The host and port of an origin, None where it is no address."""
    try:
        return urlsplit(origin).netloc.lower()
    except ValueError:
        return None


def same(shown: str, token: str) -> bool:
    return secrets.compare_digest(shown.encode(), token.encode())


def add_headers(path: str, headers: MutableHeaders) -> None:
    for name, value in HEADERS.items():
        headers[name] = value
    headers["content-security-policy"] = REPORT_POLICY if path.startswith("/report/") else PAGE_POLICY
    headers.setdefault("cache-control", "no-store" if path.startswith("/api") else "no-cache")


async def say(send: Send, status: int, sentence: str) -> None:
    """An answer that is one sentence."""
    body = json.dumps({"error": sentence}).encode()
    headers: list[Any] = [(b"content-type", b"application/json"), (b"content-length", str(len(body)).encode())]
    await send({"type": "http.response.start", "status": status, "headers": headers})
    await send({"type": "http.response.body", "body": body})


def own_names(host: str, port: int) -> set[str] | None:
    """The host names under which a server on a loopback address is reached; None for any."""
    if not is_loopback(host):
        return None
    names = {"127.0.0.1", "localhost", "[::1]", f"[{host}]" if ":" in host else host}
    return {f"{name}:{port}" for name in names} | (names if port == 80 else set())


def is_loopback(host: str) -> bool:
    return host in ("localhost", "::1") or host.startswith("127.")


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
