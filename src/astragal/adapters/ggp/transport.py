"""Messages over HTTP: sending one to a player and getting its answer in time, and a small server that answers them.

The server does not trust its callers. A request has a largest size and a time in which it must have arrived, the number
of requests at once is limited, and a wrong one is answered in a sentence. Browsers are refused: a page could otherwise
send messages to a player on this machine.
"""

from __future__ import annotations

import http.client
import socket
import sys
import threading
import time
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any
from urllib.parse import urlsplit

from astragal.base.errors import LONGEST_SENTENCE, AstragalError, SpecError

DEFAULT_PORT = 9147
MAX_ANSWER = 100_000  # of an answer

TIMEOUT, CONNECTION, REFUSAL = "timeout", "connection", "refusal"  # kinds of failure


class NoAnswer(Exception):
    """Why a player did not answer, with the kind of failure."""

    def __init__(self, kind: str, sentence: str) -> None:
        super().__init__(sentence)
        self.kind = kind


@dataclass(frozen=True)
class Address:
    """Where a player listens."""

    host: str
    port: int
    path: str = "/"

    @classmethod
    def parse(cls, text: str) -> Address:
        """From ``http://host:port/path``, ``host:port`` or ``host``."""
        try:
            parts = urlsplit(text if "://" in text else f"http://{text}")
            port = parts.port
            (parts.hostname or "").encode("idna")
        except ValueError:
            parts, port = urlsplit(""), None
        if parts.scheme != "http" or not parts.hostname:
            raise SpecError(f"a player is given as http://host:port, not '{text}'")
        return cls(parts.hostname, DEFAULT_PORT if port is None else port, parts.path or "/")

    def __str__(self) -> str:
        host = f"[{self.host}]" if ":" in self.host else self.host
        return f"http://{host}:{self.port}{self.path.rstrip('/')}"


def ask(address: Address, message: str, seconds: float) -> str:
    """The player's answer; NoAnswer if none comes in time, or it is not one."""
    connection = http.client.HTTPConnection(address.host, address.port, timeout=seconds)
    late = threading.Event()
    opened: list[socket.socket] = []  # kept here: the connection drops its own before an answer without a length ends

    def hang_up() -> None:
        """A slow answer ends here."""
        late.set()
        for each in opened:
            with suppress(OSError):
                each.shutdown(socket.SHUT_RDWR)

    alarm = threading.Timer(seconds, hang_up)
    alarm.daemon = True
    alarm.start()
    try:
        connection.connect()
        opened.append(connection.sock)
        if late.is_set():
            raise TimeoutError
        connection.request("POST", address.path, message.encode(), {"Content-Type": CONTENT_TYPE})
        response = connection.getresponse()
        data = response.read(MAX_ANSWER + 1)
    except (OSError, http.client.HTTPException) as error:
        if late.is_set() or isinstance(error, TimeoutError):
            raise NoAnswer(TIMEOUT, f"no answer within {seconds:g} s") from None
        raise NoAnswer(CONNECTION, _reason(error)) from None
    finally:
        alarm.cancel()
        connection.close()
    if late.is_set():
        raise NoAnswer(TIMEOUT, f"no answer within {seconds:g} s")
    text = data.decode("utf-8", "replace").strip()
    if len(data) > MAX_ANSWER:
        raise NoAnswer(REFUSAL, f"an answer of more than {MAX_ANSWER} bytes")
    if response.length:
        raise NoAnswer(CONNECTION, f"the answer ended early, with {response.length} bytes to come")
    if response.status != 200:
        raise NoAnswer(REFUSAL, f"answered {response.status}: {text[:LONGEST_SENTENCE]}")
    return text


def _reason(error: Exception) -> str:
    said = getattr(error, "strerror", None) or str(error) or type(error).__name__
    return said[:LONGEST_SENTENCE]


CONTENT_TYPE = "text/acl"
MAX_BYTES = 4_000_000  # of a body, such as rules
MAX_CALLERS = 32  # at once
DRAIN_SECONDS = 1.0
ROOM_SECONDS = 1.0  # for a caller that was cut off to leave
READ_SECONDS = 5.0  # in which a request must have arrived

Answer = Callable[[str, float], str]  # of a message's text and when its request came, by `time.monotonic`


class MessageServer(ThreadingHTTPServer):
    """Listens from when it is made; `serve_forever` answers until `shutdown`. An AstragalError is a bad request."""

    daemon_threads = True
    request_queue_size = 64

    def __init__(
        self, host: str, port: int, answer: Answer, log: Callable[[str], None], read_seconds: float = READ_SECONDS
    ) -> None:
        self.answer = answer
        self.log = log
        self.read_seconds = read_seconds
        self._free = threading.BoundedSemaphore(MAX_CALLERS)
        self.sending: dict[socket.socket, None] = {}  # callers whose requests have not all come, longest first
        self.address_family = socket.AF_INET6 if ":" in host else socket.AF_INET
        try:
            super().__init__((host, port), MessageHandler)
        except OSError as error:
            raise AstragalError(f"cannot listen on {host} port {port}: {error.strerror or error}") from None
        except (UnicodeError, TypeError):
            raise AstragalError(f"'{host[:LONGEST_SENTENCE]}' is not the name of a host") from None
        except OverflowError:
            raise AstragalError(f"there is no port {port}; ports go up to 65535") from None

    @property
    def port(self) -> int:
        return int(self.server_address[1])

    def server_bind(self) -> None:
        """As its base does, but without asking who the host is: that can take long."""
        if self.allow_reuse_address:
            self.socket.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        self.socket.bind(self.server_address)
        self.server_address = self.socket.getsockname()
        self.server_name, self.server_port = str(self.server_address[0]), int(self.server_address[1])

    def process_request(self, request: Any, client_address: Any) -> None:
        """Read a caller's request. If there is no room, the caller that has been sending longest is cut off, so that
        slow senders block no others; callers whose requests have come are not disturbed."""
        if not self._free.acquire(blocking=False):
            self.cut_off_slowest()
            if not self._free.acquire(timeout=ROOM_SECONDS):
                self.log(f"{client_address[0]} was cut off: {MAX_CALLERS} others are sending")
                self.shutdown_request(request)
                return
        self.sending[request] = None
        super().process_request(request, client_address)

    def process_request_thread(self, request: Any, client_address: Any) -> None:
        try:
            super().process_request_thread(request, client_address)
        finally:
            self.has_sent(request)
            self._free.release()

    def has_sent(self, request: socket.socket) -> None:
        """A caller's request has come, or never will."""
        self.sending.pop(request, None)

    def cut_off_slowest(self) -> None:
        slowest = next(iter(list(self.sending)), None)
        if slowest is not None:
            self.has_sent(slowest)
            with suppress(OSError):  # it may have gone
                slowest.shutdown(socket.SHUT_RDWR)

    def handle_error(self, request: Any, client_address: Any) -> None:
        """A caller that has hung up, or another error of the connection: log a line, and go on."""
        error = sys.exc_info()[1]
        self.log(f"talking to {client_address[0]} failed: {type(error).__name__}: {error}")


class BadRequest(Exception):
    """What is wrong with a request, with the code that HTTP has for it."""

    def __init__(self, code: int, sentence: str) -> None:
        super().__init__(sentence)
        self.code = code


class MessageHandler(BaseHTTPRequestHandler):
    server: MessageServer
    server_version = "astragal"
    sys_version = ""

    def setup(self) -> None:
        self.came = time.monotonic()
        super().setup()
        self.connection.settimeout(self.server.read_seconds + 1)  # the alarm comes first
        self.alarm = threading.Timer(self.server.read_seconds, self._hang_up)
        self.alarm.daemon = True
        self.alarm.start()

    def _hang_up(self) -> None:
        """Stop reading a request that takes too long, however it trickles in."""
        with suppress(OSError):  # it may have gone
            self.connection.shutdown(socket.SHUT_RD)

    def finish(self) -> None:
        self.alarm.cancel()
        super().finish()

    def do_POST(self) -> None:
        try:
            text = self._body()
            self.alarm.cancel()
            self.server.has_sent(self.connection)
            code, answer = 200, self.server.answer(text, self.came)
        except BadRequest as problem:
            code, answer = problem.code, str(problem)
        except AstragalError as problem:
            code, answer = 400, str(problem)
        except OSError:
            raise
        except Exception as problem:  # a fault of this program: the caller gets an answer, and the server goes on
            code, answer = 500, f"{type(problem).__name__}: {problem}"
        if code != 200:
            self.server.log(f"{self.client_address[0]} was answered {code}: {answer}")
        self._reply(code, answer)

    def _body(self) -> str:
        if self.headers.get("Origin") is not None:
            raise BadRequest(403, "this is no service for web pages")
        if self.headers.get("Transfer-Encoding") is not None:
            raise BadRequest(411, "a body needs a Content-Length and no Transfer-Encoding")
        lengths = set(self.headers.get_all("Content-Length", []))
        length = lengths.pop().strip() if len(lengths) == 1 else ""
        if not (length.isascii() and length.isdigit()):
            raise BadRequest(411, "a body needs one Content-Length, a whole number")
        if len(length) > 12 or int(length) > MAX_BYTES:
            raise BadRequest(413, f"a body may have {MAX_BYTES} bytes")
        data = self.rfile.read(int(length))
        if len(data) < int(length):
            raise BadRequest(400, f"the body ended after {len(data)} of {length} bytes")
        try:
            return data.decode("utf-8")
        except UnicodeDecodeError:
            raise BadRequest(400, "the body is not UTF-8 text") from None

    def send_error(self, code: int, message: str | None = None, explain: str | None = None) -> None:
        """What the base says of requests it does not understand, as plain text."""
        sentence = (message or self.responses.get(code, ("this cannot be answered",))[0])[:LONGEST_SENTENCE]
        self.server.log(f"{self.client_address[0]} was answered {code}: {sentence}")
        self._reply(code, sentence)

    def _reply(self, code: int, text: str) -> None:
        self.close_connection = True
        self.request_version = self.protocol_version  # or there is no head for one that was not understood
        data = text.encode()
        self.send_response(code)
        self.send_header("Content-Type", CONTENT_TYPE if code == 200 else "text/plain; charset=utf-8")
        self.send_header("Content-Length", str(len(data)))
        self.end_headers()
        self.wfile.write(data)
        if code != 200:
            self._drain()

    def _drain(self) -> None:
        """Read the rest of an unfinished request: closing at once would make the caller lose the answer."""
        end = time.monotonic() + DRAIN_SECONDS
        with suppress(OSError):
            self.connection.shutdown(socket.SHUT_WR)
            self.connection.settimeout(DRAIN_SECONDS)
            while time.monotonic() < end and self.connection.recv(65536):
                pass

    def log_message(self, format: str, *args: Any) -> None:
        """Nothing: what needs a line is logged where it happens."""
