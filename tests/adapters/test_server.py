"""The server of messages answers who speaks HTTP, refuses who does not, and survives all of them."""

from __future__ import annotations

import http.client
import socket
import threading
import time
from collections.abc import Iterator

import pytest

from astragal.adapters.ggp import transport as module
from astragal.adapters.ggp.transport import MAX_BYTES, MessageServer
from astragal.base.errors import AstragalError

READ_SECONDS = 0.4


may_answer = threading.Event()


def respond(text: str, came: float) -> str:
    if text == "wait":
        may_answer.wait(60)
    if text == "bad":
        raise AstragalError("that was bad")
    if text == "bug":
        raise ZeroDivisionError("a bug")
    if text == "slow":
        time.sleep(0.3)
    return text.upper()


@pytest.fixture
def server() -> Iterator[MessageServer]:
    with MessageServer("127.0.0.1", 0, respond, lambda line: None, READ_SECONDS) as made:
        thread = threading.Thread(target=made.serve_forever, kwargs={"poll_interval": 0.01})
        thread.start()
        yield made
        made.shutdown()
        thread.join()


def post(server: MessageServer, body: bytes, headers: dict[str, str] | None = None) -> tuple[int, str, str]:
    connection = http.client.HTTPConnection("127.0.0.1", server.port, timeout=10)
    connection.request("POST", "/", body, headers or {})
    answer = connection.getresponse()
    result = answer.status, answer.read().decode(), answer.getheader("Content-Type") or ""
    connection.close()
    return result


def send(server: MessageServer, data: bytes, half_close: bool = False) -> bytes:
    """What comes back until the server hangs up."""
    with socket.create_connection(("127.0.0.1", server.port), timeout=10) as connection:
        connection.sendall(data)
        if half_close:
            connection.shutdown(socket.SHUT_WR)
        received = b""
        try:
            while chunk := connection.recv(65536):
                received += chunk
        except ConnectionResetError:
            pass
        return received


def is_well(server: MessageServer) -> bool:
    return post(server, b"hello") == (200, "HELLO", "text/acl")


def test_an_answer(server: MessageServer) -> None:
    assert is_well(server)
    assert post(server, b"slow")[:2] == (200, "SLOW")
    assert post(server, "ä".encode())[1] == "Ä"
    assert post(server, b"")[:2] == (200, "")


@pytest.mark.parametrize(
    ("body", "headers", "code", "sentence"),
    [
        (b"bad", {}, 400, "that was bad"),
        (b"bug", {}, 500, "ZeroDivisionError: a bug"),
        (b"\xff", {}, 400, "the body is not UTF-8 text"),
        (b"x", {"Origin": "http://example.org"}, 403, "this is no service for web pages"),
    ],
)
def test_a_request_that_is_refused(
    server: MessageServer, body: bytes, headers: dict[str, str], code: int, sentence: str
) -> None:
    assert post(server, body, headers) == (code, sentence, "text/plain; charset=utf-8")
    assert is_well(server)


HEAD = b"POST / HTTP/1.0\r\n"


@pytest.mark.parametrize(
    ("data", "code", "words"),
    [
        (HEAD + b"\r\n", b"411", b"one Content-Length"),
        (HEAD + b"Content-Length: many\r\n\r\n", b"411", b"one Content-Length"),
        (HEAD + b"Content-Length: -1\r\n\r\n", b"411", b"one Content-Length"),
        (HEAD + b"Content-Length: 1\r\nContent-Length: 2\r\n\r\nxx", b"411", b"one Content-Length"),
        (HEAD + b"Content-Length: %d\r\n\r\nxx" % (MAX_BYTES + 1), b"413", b"a body may have"),
        (HEAD + b"Content-Length: 99999999999999999999999\r\n\r\nxx", b"413", b"a body may have"),
        (HEAD + b"Transfer-Encoding: chunked\r\n\r\n1\r\nx\r\n0\r\n\r\n", b"411", b"no Transfer-Encoding"),
        (HEAD + b"Content-Length: 10\r\n\r\nshort", b"400", b"the body ended after 5 of 10 bytes"),
        (b"GET / HTTP/1.0\r\n\r\n", b"501", b"Unsupported method"),
        (b"\x16\x03\x01\x02\x00 \x01 \xfc\r\n\r\n", b"400", b"Bad request"),
        (b"POST / SMTP/9\r\n\r\n", b"400", b"Bad request version"),
        (b"x" * 70_000 + b"\r\n\r\n", b"414", b""),
        (HEAD + b"A: b\r\n" * 200 + b"\r\n", b"431", b""),
    ],
)
def test_what_is_no_request(server: MessageServer, data: bytes, code: bytes, words: bytes) -> None:
    for half_close in (True, False):
        received = send(server, data, half_close)
        head, _, body = received.partition(b"\r\n\r\n")
        assert head.split()[1] == code
        assert words in body
        assert b"Traceback" not in body
        assert len(body) < 1000
    assert is_well(server)


@pytest.mark.few(1)
@pytest.mark.parametrize("data", [b"", b"POST", HEAD, HEAD + b"Content-Le", HEAD + b"Content-Length: 5\r\n\r\n"])
def test_half_a_request_and_then_silence_is_hung_up_on(server: MessageServer, data: bytes) -> None:
    began = time.monotonic()
    received = send(server, data)
    assert time.monotonic() - began < READ_SECONDS + 5  # it ends at all; the test's socket would wait longer
    assert b"200 OK" not in received
    assert is_well(server)


@pytest.mark.slow
@pytest.mark.interpreted
def test_a_request_that_trickles_in_is_hung_up_on(server: MessageServer) -> None:
    with socket.create_connection(("127.0.0.1", server.port), timeout=10) as connection:
        sent = 0
        try:
            for byte in HEAD + b"X: y\r\n" * 1000:
                connection.sendall(bytes([byte]))
                sent += 1
                time.sleep(0.05)
                if sent > 200:
                    break
        except OSError:
            pass
        assert sent <= 200
    assert is_well(server)


def test_callers_that_hang_up_do_no_harm(server: MessageServer) -> None:
    for _ in range(5):
        with socket.create_connection(("127.0.0.1", server.port), timeout=10) as connection:
            connection.sendall(HEAD + b"Content-Length: 4\r\n\r\nslow")
    assert is_well(server)


def call(server: MessageServer, data: bytes) -> socket.socket:
    connection = socket.create_connection(("127.0.0.1", server.port), timeout=10)
    connection.sendall(data)
    return connection


def until_all_have_sent(server: MessageServer) -> None:
    end = time.monotonic() + 10
    while server.sending and time.monotonic() < end:
        time.sleep(0.01)


def test_slow_senders_keep_nobody_out(server: MessageServer) -> None:
    """The caller that has been sending longest is cut off. One whose message has come is answered all the same."""
    server.read_seconds = 60.0  # no caller is cut off for being late
    may_answer.clear()
    waiting = call(server, HEAD + b"Content-Length: 4\r\n\r\nwait")
    until_all_have_sent(server)
    halves = (b"", b"POST", HEAD, HEAD + b"Content-Length: 5\r\n\r\nhal")
    slow = [call(server, halves[i % len(halves)]) for i in range(2 * module.MAX_CALLERS)]
    assert all(is_well(server) for _ in range(5))
    may_answer.set()
    assert waiting.recv(65536).split()[1] == b"200"
    for connection in (waiting, *slow):
        connection.close()
    assert is_well(server)


def test_there_are_only_so_many_callers_at_once(server: MessageServer, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "ROOM_SECONDS", 0.1)
    may_answer.clear()
    waiting = [call(server, HEAD + b"Content-Length: 4\r\n\r\nwait") for _ in range(module.MAX_CALLERS)]
    try:
        until_all_have_sent(server)
        assert send(server, HEAD + b"Content-Length: 1\r\n\r\nx") == b""
    finally:
        may_answer.set()
        for connection in waiting:
            connection.close()
    end = time.monotonic() + 10
    while time.monotonic() < end:
        try:
            assert is_well(server)
            return
        except (OSError, http.client.HTTPException):
            time.sleep(0.05)
    pytest.fail("the server did not recover")


def test_a_port_in_use_and_a_host_that_is_not_ours_get_a_sentence(server: MessageServer) -> None:
    with pytest.raises(AstragalError, match=r"cannot listen on 127\.0\.0\.1 port \d+: Address already in use"):
        MessageServer("127.0.0.1", server.port, respond, lambda line: None)
    with pytest.raises(AstragalError, match="cannot listen on"):
        MessageServer("no.such.host.invalid", 0, respond, lambda line: None)
