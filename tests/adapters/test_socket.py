"""A player behind its server, driven over sockets by managers that are slow, broken or malicious."""

from __future__ import annotations

import socket
import threading
import time
from collections.abc import Iterator

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from astragal.adapters.ggp.gamer import Gamer
from astragal.adapters.ggp.messages import Start
from astragal.adapters.ggp.transport import Address, MessageServer, NoAnswer, ask
from astragal.gdl.reading.forms import read_forms
from support.gdl_sheets import NIM

RULES = "\n".join(map(str, read_forms(NIM, "nim")))
AVAILABLE, IS_BUSY = "((name astragal) (status available))", "((name astragal) (status busy))"
START = str(Start("m", "a", RULES, 30, 5))


@pytest.fixture(scope="module")
def address() -> Iterator[Address]:
    gamer = Gamer("random", 0.2, lambda line: None, seed=1)
    with MessageServer("127.0.0.1", 0, gamer.answer, lambda line: None, read_seconds=0.5) as server:
        thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01})
        thread.start()
        yield Address("127.0.0.1", server.port)
        server.shutdown()
        thread.join()


@pytest.fixture(autouse=True)
def _no_match(address: Address) -> Iterator[None]:
    yield
    ask(address, "(ABORT m)", 10)
    assert ask(address, "(INFO)", 10) == AVAILABLE


def say(address: Address, message: str) -> str:
    return ask(address, message, 30)


def raw(address: Address, data: bytes) -> bytes:
    with socket.create_connection((address.host, address.port), timeout=10) as connection:
        connection.sendall(data)
        received = b""
        while chunk := connection.recv(65536):
            received += chunk
        return received


def request(message: str, length: int | None = None) -> bytes:
    body = message.encode()
    return b"POST / HTTP/1.1\r\nHost: x\r\nContent-Length: %d\r\n\r\n" % (length or len(body)) + body


def test_a_match(address: Address) -> None:
    assert say(address, START) == "ready"
    assert say(address, "(INFO)") == IS_BUSY
    assert say(address, "(PLAY m nil)") in ("(take 1)", "(take 2)")
    assert say(address, "(STOP m ((take 1) wait))") == "done"


def test_a_message_shorter_or_longer_than_it_says(address: Address) -> None:
    assert say(address, START) == "ready"
    assert b"400 Bad Request" in raw(address, request("(PLAY m nil)", 5))
    assert b"400 Bad Request" in raw(address, request("(PLAY m nil)", 500))
    assert say(address, "(PLAY m nil)") in ("(take 1)", "(take 2)")


@pytest.mark.slow
@pytest.mark.interpreted
def test_a_start_that_breaks_off_starts_nothing(address: Address) -> None:
    with socket.create_connection((address.host, address.port), timeout=10) as connection:
        connection.sendall(request(START)[:-20])
        assert say(address, "(INFO)") == AVAILABLE  # while it waits for the rest
        assert b"400 Bad Request" in connection.recv(65536)
    assert say(address, START) == "ready"


def test_two_managers_at_once(address: Address) -> None:
    answers: list[str] = []

    def start(number: int) -> None:
        answers.append(say(address, START.replace("START m", f"START m{number}")))

    managers = [threading.Thread(target=start, args=(number,)) for number in range(6)]
    for manager in managers:
        manager.start()
    for manager in managers:
        manager.join()
    assert sorted(answers) == ["busy"] * 5 + ["ready"]
    ended = [say(address, f"(ABORT m{number})") for number in range(6)]
    assert sorted(ended) == ["busy"] * 5 + ["done"]


def test_a_manager_that_hangs_up_while_the_player_thinks(address: Address) -> None:
    assert say(address, START) == "ready"
    with socket.create_connection((address.host, address.port), timeout=10) as connection:
        connection.sendall(request("(PLAY m nil)"))
    time.sleep(0.1)
    assert say(address, "(PLAY m ((take 1) wait))") == "wait"


PIECES = [
    "(",
    ")",
    "play",
    "stop",
    "abort",
    "start",
    "info",
    "preview",
    "m",
    "a",
    "nil",
    "wait",
    "(take 1)",
    "5",
    "?x",
    "role",
]
texts = st.lists(st.sampled_from(PIECES), max_size=8).map(" ".join) | st.text(max_size=20)
moves = st.lists(st.sampled_from(["wait", "(take 1)", "(take 2)", "x", "(f (g x))"]), max_size=3).map(" ".join)
messages = texts | st.tuples(st.sampled_from(["PLAY", "STOP"]), moves).map(lambda pair: f"({pair[0]} m ({pair[1]}))")


@settings(max_examples=12, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(st.lists(messages, max_size=6))
def test_no_conversation_breaks_the_player(address: Address, said: list[str]) -> None:
    """Every message gets an answer or a sentence why not, and the player goes on."""
    assert say(address, START) in ("ready", "busy")
    for message in said:
        try:
            assert say(address, message)
        except NoAnswer as problem:
            refusal = str(problem)
        else:
            continue
        assert refusal.startswith("answered 400: ")
    say(address, "(ABORT m)")
    assert say(address, "(INFO)") == AVAILABLE
