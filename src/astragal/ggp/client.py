"""Sending a message to a player over HTTP, and getting its answer or the reason why there is none, in time."""

from __future__ import annotations

import http.client
import socket
import threading
from contextlib import suppress
from dataclasses import dataclass
from urllib.parse import urlsplit

from astragal.errors import LONGEST_SENTENCE, SpecError
from astragal.ggp.server import CONTENT_TYPE

DEFAULT_PORT = 9147
MAX_BYTES = 100_000  # of an answer

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
    """The player's answer; NoAnswer if there is none by then, or it is not one."""
    connection = http.client.HTTPConnection(address.host, address.port, timeout=seconds)
    late = threading.Event()

    def hang_up() -> None:
        """However slowly an answer trickles in, it ends here."""
        late.set()
        with suppress(OSError, AttributeError):
            connection.sock.shutdown(socket.SHUT_RDWR)

    alarm = threading.Timer(seconds, hang_up)
    alarm.daemon = True
    alarm.start()
    try:
        connection.request("POST", address.path, message.encode(), {"Content-Type": CONTENT_TYPE})
        response = connection.getresponse()
        data = response.read(MAX_BYTES + 1)
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
    if len(data) > MAX_BYTES:
        raise NoAnswer(REFUSAL, f"an answer of more than {MAX_BYTES} bytes")
    if response.length:
        raise NoAnswer(CONNECTION, f"the answer ended early, with {response.length} bytes to come")
    if response.status != 200:
        raise NoAnswer(REFUSAL, f"answered {response.status}: {text[:LONGEST_SENTENCE]}")
    return text


def _reason(error: Exception) -> str:
    said = getattr(error, "strerror", None) or str(error) or type(error).__name__
    return said[:LONGEST_SENTENCE]
