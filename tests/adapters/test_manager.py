"""The game manager plays a match to its end whatever its players do, and the record says what they did."""

from __future__ import annotations

import json
import os
import re
import signal
import socket
import subprocess
import sys
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from astragal.adapters.ggp import manager, transport
from astragal.adapters.ggp.gamer import Gamer
from astragal.adapters.ggp.manager import Manager, MatchRecord, seated
from astragal.adapters.ggp.messages import Abort, Play, Request, Start, Stop, read_move, read_request
from astragal.adapters.ggp.transport import Address, MessageServer, NoAnswer, ask
from astragal.base.errors import SpecError
from astragal.cli import run
from astragal.gdl.reading.reader import read_sheet
from astragal.gdl.reading.rules import kif
from astragal.gdl.reasoning.interpreter import Interpreter
from support.gdl_sheets import COINS, NIM

SHEET = read_sheet(NIM, "nim.kif")


@contextmanager
def serving(answer: Callable[[str, float], str]) -> Iterator[str]:
    """Where a server listens that answers so."""
    with MessageServer("127.0.0.1", 0, answer, lambda line: None) as server:
        thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01})
        thread.start()
        try:
            yield f"http://127.0.0.1:{server.port}"
        finally:
            server.shutdown()
            thread.join()


def hear_out(connection: socket.socket) -> None:
    """Read a request to its end: who hangs up before that resets the connection."""
    heard = b""
    while b"\r\n\r\n" not in heard:
        heard += connection.recv(65536)
    head, _, body = heard.partition(b"\r\n\r\n")
    length = int(re.search(rb"Content-Length: (\d+)", head)[1])  # type: ignore[index]
    while len(body) < length:
        body += connection.recv(65536)


@contextmanager
def sending(data: bytes, wait: float = 0.0, pieces: int = 1, head: bytes = b"") -> Iterator[str]:
    """The address of a listener that sends callers a head, then data in pieces with a wait after each, and closes."""
    listener = socket.create_server(("127.0.0.1", 0))
    over = threading.Event()

    def talk(connection: socket.socket) -> None:
        with connection:
            try:
                hear_out(connection)
                connection.sendall(head)
                size = -(-len(data) // pieces)
                for i in range(pieces):
                    connection.sendall(data[i * size : (i + 1) * size])
                    over.wait(wait)
            except OSError:
                pass

    def listen() -> None:
        while not over.is_set():
            try:
                connection, _ = listener.accept()
            except OSError:
                return
            threading.Thread(target=talk, args=(connection,), daemon=True).start()

    thread = threading.Thread(target=listen, daemon=True)
    thread.start()
    try:
        yield f"127.0.0.1:{listener.getsockname()[1]}"
    finally:
        over.set()
        listener.shutdown(socket.SHUT_RDWR)
        listener.close()


def gamer() -> Callable[[str, float], str]:
    return Gamer("random", 0.2, lambda line: None, seed=1).answer


def played(players: list[str], text: str = NIM, play_clock: float = 5.0, seed: int = 3) -> MatchRecord:
    sheet = read_sheet(text, "nim.kif")
    return Manager(sheet, seated(sheet, players), 10.0, play_clock, seed).run()


def check_record(record: MatchRecord, text: str = NIM) -> None:
    """The record's moves and states are a game of the sheet, and its goals are those of the end."""
    sheet = read_sheet(text, "nim.kif")
    interpreter = Interpreter(sheet)
    state = interpreter.initial()
    for number, moves in enumerate(record.moves):
        assert record.states[number] == sorted(map(kif, state))
        terms = {role: read_move(move) for role, move in moves.items()}
        assert list(terms) == list(sheet.roles)
        assert all(move in interpreter.legal(state, role) for role, move in terms.items())
        state = interpreter.next(state, terms)
    assert record.states[-1] == sorted(map(kif, state))
    assert interpreter.is_terminal(state)
    assert record.ending == "played to its end"
    assert record.goals == {role: interpreter.goals(state, role)[0] for role in sheet.roles}


@pytest.mark.few(1)
@pytest.mark.parametrize("text", [NIM, COINS], ids=["nim", "coins"])
def test_a_match_between_two_players(text: str) -> None:
    with serving(gamer()) as one, serving(gamer()) as other:
        record = played([one, other], text)
    check_record(record, text)
    assert record.faults == []
    assert all(set(seconds) == set(SHEET.roles if text is NIM else ("left", "right")) for seconds in record.seconds)


def test_what_players_are_told() -> None:
    heard: list[Request] = []

    def answer(text: str, came: float) -> str:
        request = read_request(text)
        heard.append(request)
        return "READY" if isinstance(request, Start) else "WAIT" if isinstance(request, Play) else "DONE"

    with serving(answer) as address:
        record = played(["random", address])
    start, first, *plays, stop = heard
    assert isinstance(start, Start)
    assert (start.match, start.role, start.start_clock, start.play_clock) == (record.match, "b", 10.0, 5.0)
    assert [rule.head for rule in read_sheet(start.rules, "x").rules] == [rule.head for rule in SHEET.rules]
    assert first == Play(record.match, None)
    told = [tuple(read_move(move) for move in moves.values()) for moves in record.moves]
    assert plays == [Play(record.match, moves) for moves in told[:-1]]
    assert stop == Stop(record.match, told[-1])
    assert {fault.kind for fault in record.faults} == {"illegal"}  # WAIT is legal in every other round
    check_record(record)


def test_the_same_seed_gives_the_same_random_moves() -> None:
    assert played(["random", "random"]).moves == played(["random", "random"]).moves
    games = {json.dumps(played(["random", "random"], seed=seed).moves) for seed in range(20)}
    assert len(games) > 1


OK = b"HTTP/1.0 200 OK\r\n\r\n"


@pytest.mark.few(4)
@pytest.mark.parametrize(
    ("data", "wait", "pieces", "kind", "words"),
    [
        (b"", 60.0, 1, "timeout", "no answer within"),
        (OK + b"(take 1)", 0.2, 27, "timeout", "no answer within"),
        (b"", 0.0, 1, "connection", ""),
        (b"HTTP/1.0 200 OK\r\nContent-Length: 50\r\n\r\n(take", 0.0, 1, "connection", "ended early"),
        (b"220 smtp.example.org ready\r\n", 0.0, 1, "connection", ""),
        (OK + b"x" * (transport.MAX_ANSWER + 10), 0.0, 1, "refusal", "an answer of more than"),
        (b"HTTP/1.0 500 Oops\r\n\r\nmy fault", 0.0, 1, "refusal", "answered 500: my fault"),
        (OK + b"((((", 0.0, 1, "answer", "never closed"),
        (OK + b"(" * 5000, 0.0, 1, "answer", "parentheses are open here"),
        (OK + b"\xff\xfe\x00", 0.0, 1, "answer", "cannot be part of a text"),
        (OK + b"", 0.0, 1, "answer", "a move is one term, and this answer has 0"),
        (OK + b"take 1", 0.0, 1, "answer", "a move is one term, and this answer has 2"),
        (OK + b"(take ?x)", 0.0, 1, "answer", "?x is a variable"),
        (OK + b"(take 3)", 0.0, 1, "illegal", "(take 3) is not a legal move"),
        (OK + b"busy", 0.0, 1, "illegal", "busy is not a legal move"),
    ],
)
def test_a_player_that_fails_gets_random_moves(
    monkeypatch: pytest.MonkeyPatch, data: bytes, wait: float, pieces: int, kind: str, words: str
) -> None:
    monkeypatch.setattr(manager, "LATENCY", 0.0)
    monkeypatch.setattr(manager, "FAREWELL", 0.1)
    with serving(gamer()) as good, sending(data, wait, pieces) as bad:
        sheet = read_sheet(NIM, "nim.kif")
        clock = 0.15 if wait else 0.4  # that is waited for in each round
        record = Manager(sheet, seated(sheet, [good, bad]), clock, clock, seed=1).run()
    check_record(record)
    faults = [fault for fault in record.faults if fault.role == "b" and fault.round]
    assert [fault.round for fault in faults] == list(range(1, len(record.moves) + 1))
    assert {fault.kind for fault in faults} == {kind}
    assert all(words in fault.sentence and len(fault.sentence) < 500 for fault in faults)
    assert record.count("b")[kind] >= len(record.moves)


def test_no_player_listens(monkeypatch: pytest.MonkeyPatch) -> None:
    with socket.create_server(("127.0.0.1", 0)) as listener:
        port = listener.getsockname()[1]
    record = played([f"127.0.0.1:{port}", "random"])
    check_record(record)
    assert record.count("a") == {"connection": len(record.moves) + 1}
    assert record.faults[0].sentence == "Connection refused"


def test_one_player_cannot_play_two_roles_at_once() -> None:
    with serving(gamer()) as address:
        record = played([address, address])
    check_record(record)
    busy = [fault for fault in record.faults if fault.round == 0]
    assert [fault.sentence for fault in busy] == ["answered 'busy' to START"]


def test_a_broken_off_match_is_told_to_the_players() -> None:
    heard: list[Request] = []
    real = gamer()

    def answer(text: str, came: float) -> str:
        heard.append(read_request(text))
        return real(text, came)

    def interrupt(record: MatchRecord) -> None:
        raise KeyboardInterrupt

    with serving(answer) as address:
        game = Manager(SHEET, seated(SHEET, [address, "random"]), 10.0, 5.0, seed=1, listen=interrupt)
        with pytest.raises(KeyboardInterrupt):
            game.run()
    assert heard[-1] == Abort(game.record.match)
    assert game.record.ending == "aborted"
    assert len(game.record.moves) == 1


def test_matches_that_do_not_end_are_stopped() -> None:
    endless = NIM.replace("(<= terminal (true (heap 0)))", "(<= terminal (true (heap 6)))")
    sheet = read_sheet(endless, "nim.kif")
    record = Manager(sheet, {}, 1.0, 1.0, seed=1).run()
    assert record.ending == "stopped unfinished"
    assert re.fullmatch(r"[ab] had no legal move in round \d", record.why)
    record = Manager(SHEET, {}, 1.0, 1.0, seed=1, rounds=1).run()
    assert (record.ending, record.why) == ("stopped unfinished", "1 rounds were played")
    assert len(record.states) == 2


def test_players_are_given_in_the_order_of_roles() -> None:
    coins = read_sheet(COINS, "coins.kif")
    assert seated(coins, ["http://localhost:9148/", "random"]) == {"left": Address("localhost", 9148)}
    assert {role: str(address) for role, address in seated(coins, ["[::1]", "here:1/x"]).items()} == {
        "left": "http://[::1]:9147",
        "right": "http://here:1/x",
    }
    with pytest.raises(SpecError, match=r"coins.kif has 2 roles to play \(left, right\), and 3 players are given"):
        seated(coins, ["a", "b", "c"])
    for text in ("https://x:1", "http://", "x:port", "http://x:99999", "ftp://x"):
        with pytest.raises(SpecError, match="a player is given as http://host:port"):
            Address.parse(text)


@pytest.mark.parametrize(
    "head", [OK, b"HTTP/1.0 200 OK\r\nContent-Length: 500\r\n\r\n"], ids=["without a length", "with one"]
)
def test_an_answer_that_trickles_is_waited_for_only_so_long(head: bytes) -> None:
    kinds: list[str] = []

    def call() -> None:
        with pytest.raises(NoAnswer) as caught:
            ask(Address.parse(address), "(INFO)", 0.3)
        kinds.append(caught.value.kind)

    with sending(b"x" * 500, 0.1, 500, head) as address:  # 50 s in all
        thread = threading.Thread(target=call, daemon=True)
        thread.start()
        thread.join(20)
        assert kinds == ["timeout"]


# The commands


@pytest.fixture
def sheet_file(tmp_path: Path) -> Path:
    path = tmp_path / "nim.kif"
    path.write_text(NIM)
    return path


def test_the_manager_as_a_command(sheet_file: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    out = tmp_path / "match.json"
    assert run(["ggp", "match", str(sheet_file), "random", "random", "--out", str(out), "--seed", "5"]) == 0
    printed = capsys.readouterr().out
    record = json.loads(out.read_text())
    assert f"nim.kif: played to its end, {len(record['moves'])} rounds" in printed
    assert re.search(r"role +player +goal +faults\n +a +random +\d+ +none\n +b +random +\d+ +none\n", printed)
    assert record["rules"] == NIM
    assert record["roles"] == ["a", "b"]
    assert len(record["states"]) == len(record["moves"]) + 1
    assert run(["ggp", "match", str(sheet_file), "random", "random", "--json", "--out", str(out)]) == 0
    assert json.loads(capsys.readouterr().out) == json.loads(out.read_text())


def test_a_player_that_was_never_reached_is_an_error(
    sheet_file: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    with socket.create_server(("127.0.0.1", 0)) as listener:
        port = listener.getsockname()[1]
    out = tmp_path / "match.json"
    assert run(["ggp", "match", str(sheet_file), f"localhost:{port}", "random", "--out", str(out)]) == 2
    printed = capsys.readouterr()
    assert "played to its end" in printed.out
    assert printed.err == (f"astragal: never reached: a (http://localhost:{port}); all their moves were random\n")
    assert json.loads(out.read_text())["goals"]


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        (["random", "random", "--play-clock", "nan"], "'--play-clock'"),
        (["random", "random", "--start-clock", "inf"], "'--start-clock'"),
        (["random"], "nim.kif has 2 roles to play (a, b), and 1 players are given"),
        (["random", "ftp://x"], "a player is given as http://host:port, not 'ftp://x'"),
        (["random", "random", "--out", "/no/such/folder/x"], "cannot write to /no/such/folder/x"),
    ],
)
def test_what_the_manager_refuses(
    sheet_file: Path, arguments: list[str], sentence: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run(["ggp", "match", str(sheet_file), *arguments]) == 2
    assert sentence in capsys.readouterr().err


def test_what_the_player_refuses(capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["ggp", "play", "--player", "missing_player"]) == 2
    assert "there is no player 'missing_player'" in capsys.readouterr().err
    with socket.create_server(("127.0.0.1", 0)) as listener:
        port = listener.getsockname()[1]
        assert run(["ggp", "play", "--player", "random", "--port", str(port)]) == 2
    assert f"cannot listen on 127.0.0.1 port {port}: Address already in use" in capsys.readouterr().err


@pytest.mark.slow
def test_the_player_as_a_command() -> None:
    command = [sys.executable, "-m", "astragal", "ggp", "play", "--player", "random", "--port", "0"]
    with subprocess.Popen(
        command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, env=os.environ.copy()
    ) as process:
        try:
            assert process.stdout is not None
            line = process.stdout.readline()
            address = Address.parse(re.search(r"http://\S+(?=;)", line)[0])  # type: ignore[index]
            assert address.host == "127.0.0.1"
            assert ask(address, "(INFO)", 30) == "((name astragal) (status available))"
            with pytest.raises(NoAnswer, match="answered 400: a message begins with"):
                ask(address, "(HELLO)", 30)
            record = played([str(address), "random"])
            assert record.faults == []
            check_record(record)
            process.send_signal(signal.SIGINT)
            output, errors = process.communicate(timeout=30)
            assert process.returncode == 0
            assert output.splitlines()[-1].endswith("stopped")
            assert errors == ""
        finally:
            process.kill()
