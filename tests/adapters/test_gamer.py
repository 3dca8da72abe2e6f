"""A player of the protocol answers every message, whatever its manager and its own search do."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass

import pytest

from astragal.adapters.ggp import gamer as gamer_module
from astragal.adapters.ggp.gamer import Gamer
from astragal.adapters.ggp.match import Searcher
from astragal.adapters.ggp.messages import read_move
from astragal.base.errors import AstragalError, SheetError, SpecError, Stopped
from astragal.base.interruptible import run_interruptible
from astragal.gdl.reading.reader import read_sheet
from astragal.gdl.reading.rules import Term, kif
from astragal.gdl.reasoning import chains
from astragal.gdl.reasoning.interpreter import Interpreter
from astragal.gdl.reasoning.joins import Budget
from support.gdl_sheets import COINS, COUNTDOWN, NIM

AVAILABLE, IS_BUSY = "((name astragal) (status available))", "((name astragal) (status busy))"


class Talk:
    """A gamer that is talked to, and its log."""

    def __init__(self, player: str = "random", margin: float = 0.2) -> None:
        self.log: list[str] = []
        self.gamer = Gamer(player, margin, self.log.append, seed=1)

    def say(self, message: str) -> str:
        return self.gamer.answer(message, time.monotonic())

    def start(self, text: str = NIM, role: str = "a", match: str = "m", clocks: str = "60 10") -> str:
        return self.say(f"(START {match} {role} ({text}) {clocks})")

    def has_said(self, words: str) -> bool:
        return any(words in line for line in self.log)


@pytest.fixture
def talk() -> Iterator[Talk]:
    made = Talk()
    yield made
    if made.gamer.match is not None:
        made.gamer.match.end()


def test_a_whole_match(talk: Talk) -> None:
    assert talk.say("(INFO)") == AVAILABLE
    assert talk.start() == "ready"
    assert talk.say("(INFO)") == IS_BUSY
    assert talk.say("(PLAY m nil)") in ("(take 1)", "(take 2)")
    assert talk.say("(PLAY m ((take 2) wait))") == "wait"
    assert talk.say("(PLAY m (wait (take 2)))") == "(take 1)"
    assert talk.say("(STOP m ((take 1) wait))") == "done"
    assert talk.has_said("m: over after 3 rounds, worth 100")
    assert talk.say("(INFO)") == AVAILABLE
    assert talk.start(match="n", role="b") == "ready"
    assert talk.say("(PLAY n nil)") == "wait"
    assert talk.say("(ABORT n)") == "done"
    assert talk.say("(INFO)") == AVAILABLE


@pytest.mark.parametrize("text", [NIM, COINS, COUNTDOWN], ids=["nim", "coins", "countdown"])
def test_every_answer_is_a_legal_move(text: str) -> None:
    sheet = read_sheet(text, "test.kif")
    for role in sheet.roles:
        talk, interpreter = Talk(), Interpreter(sheet)
        assert talk.start(text, role) == "ready"
        state, done = interpreter.initial(), "nil"
        while not interpreter.is_terminal(state):
            moves: dict[str, Term] = {other: interpreter.legal(state, other)[0] for other in sheet.roles}
            moves[role] = read_move(talk.say(f"(PLAY m {done})"))
            assert moves[role] in interpreter.legal(state, role)
            state = interpreter.next(state, moves)
            done = f"({' '.join(map(kif, moves.values()))})"
        assert talk.say(f"(STOP m {done})") == "done"
        assert talk.gamer.match is None


def test_messages_for_matches_that_are_not_played(talk: Talk) -> None:
    for message in ("(PLAY m nil)", "(STOP m nil)", "(ABORT m)"):
        assert talk.say(message) == "busy"
    assert talk.start() == "ready"
    for message in ("(PLAY other nil)", "(STOP other (wait wait))", "(ABORT other)"):
        assert talk.say(message) == "busy"
    assert talk.start(match="other") == "busy"
    assert talk.start() == "busy"
    assert talk.say(f"(PREVIEW ({NIM}) 5)") == "busy"
    assert talk.say("(PLAY m nil)") in ("(take 1)", "(take 2)")


def test_a_start_that_cannot_be_played_is_refused(talk: Talk) -> None:
    with pytest.raises(AstragalError, match=r"^there is no role c; the roles are a, b$"):
        talk.start(role="c")
    with pytest.raises(SheetError, match=r"^m line 1, column 1: a fact may not hold a variable"):
        talk.start("(p ?x)")
    with pytest.raises(SheetError, match=r"^m: there are no rules in it$"):
        talk.start("")
    assert talk.say("(INFO)") == AVAILABLE
    assert talk.start() == "ready"


def test_a_preview_is_read(talk: Talk) -> None:
    assert talk.say(f"(PREVIEW ({NIM}) 30)") == "ready"
    assert talk.has_said("preview: ready")
    with pytest.raises(SheetError):
        talk.say("(PREVIEW ((role)) 5)")
    assert talk.start() == "ready"


def test_moves_that_do_not_fit_the_match_are_refused(talk: Talk) -> None:
    talk.start()
    with pytest.raises(AstragalError, match="there are 2 roles, and moves for 1"):
        talk.say("(PLAY m (wait))")
    assert talk.say("(PLAY m nil)") in ("(take 1)", "(take 2)")
    assert talk.say("(PLAY m ((take 1) wait))") == "wait"
    with pytest.raises(AstragalError, match="round 2 of m came without moves"):
        talk.say("(PLAY m nil)")
    assert talk.say("(PLAY m (wait (take 1)))") in ("(take 1)", "(take 2)")


def test_illegal_moves_of_the_manager_are_reported_and_played_on_from(talk: Talk) -> None:
    talk.start()
    talk.say("(PLAY m nil)")
    assert talk.say("(PLAY m ((take 1) (take 1)))") == "wait"  # the rules say what follows: 4 are left
    assert talk.has_said("(take 1) is not a legal move of b here")
    assert talk.has_said("the manager's moves of round 1 are not legal: (take 1) was not a legal move of b")
    assert talk.say("(PLAY m (wait (take 2)))") in ("(take 1)", "(take 2)")
    assert talk.say("(PLAY m ((take 7) wait))") in ("nil", "wait")
    assert talk.say("(STOP m (nonsense nonsense))") == "done"


def test_a_player_that_does_not_exist_is_refused_before_any_match() -> None:
    with pytest.raises(SpecError, match="there is no player 'missing_player'"):
        Talk("missing_player")


def replace_search(monkeypatch: pytest.MonkeyPatch, made: Callable[..., Searcher]) -> None:
    monkeypatch.setattr(Searcher, "made", made)


def test_without_a_search_moves_are_random(monkeypatch: pytest.MonkeyPatch, talk: Talk) -> None:
    def fail(*arguments: object) -> Searcher:
        raise AstragalError("the sheet is too large")

    replace_search(monkeypatch, fail)
    assert talk.start() == "ready"
    assert talk.say("(PLAY m nil)") in ("(take 1)", "(take 2)")
    assert talk.say("(PLAY m ((take 2) wait))") == "wait"
    assert [line for line in talk.log if "too large" in line] == [
        "m: there is no search, so moves are random: the sheet is too large"
    ]
    assert talk.say("(STOP m (wait (take 2)))") == "done"


def test_rules_that_cannot_be_followed_at_all_get_no_move(monkeypatch: pytest.MonkeyPatch, talk: Talk) -> None:
    def fail(*arguments: object) -> Searcher:
        raise AstragalError("the sheet is too large")

    replace_search(monkeypatch, fail)
    monkeypatch.setattr(chains, "MAX_ROWS", 3)
    pairs = "(d 1) (d 2) (<= (pair ?x ?y) (d ?x) (d ?y)) (<= (legal a jump) (pair 1 2))"
    assert talk.start(NIM + pairs) == "ready"
    assert talk.say("(PLAY m nil)") == "nil"
    assert talk.has_said("the rules cannot be followed: a rule with 'd' in its body has more than 3 instances")
    assert talk.say("(STOP m ((take 1) wait))") == "done"
    assert talk.say("(INFO)") == AVAILABLE


def test_a_player_that_refuses_the_game_moves_at_random() -> None:
    talk = Talk("optimal")
    assert talk.start() == "ready"
    assert talk.has_said("there is no search, so moves are random")
    assert talk.say("(PLAY m nil)") in ("(take 1)", "(take 2)")


@pytest.mark.slow
@pytest.mark.interpreted
def test_a_search_that_is_ready_late_takes_over(monkeypatch: pytest.MonkeyPatch, talk: Talk) -> None:
    may_go_on = threading.Event()
    really = Searcher.made

    def late(*arguments: object) -> Searcher:
        may_go_on.wait(30)
        return really(*arguments)  # type: ignore[arg-type]

    replace_search(monkeypatch, late)
    assert talk.start(clocks="0.2 1.5") == "ready"
    assert talk.has_said("the search is not ready yet")
    assert talk.say("(PLAY m nil)") in ("(take 1)", "(take 2)")
    may_go_on.set()
    match = talk.gamer.match
    assert match is not None
    match._searcher.result(30)
    assert talk.say("(PLAY m ((take 1) wait))") == "wait"
    assert talk.say("(PLAY m (wait (take 1)))") in ("(take 1)", "(take 2)")
    assert talk.has_said("m: round 3: (take")


@dataclass(frozen=True)
class Stubborn:
    """Stands for a searcher whose player does not keep its time, until it is let go."""

    game: object
    player: object

    def limits(self, seconds: float) -> None:
        return None


class SlowPlayer:
    def __init__(self) -> None:
        self.asked = threading.Event()
        self.free = threading.Event()
        self.told = threading.Event()  # to end, which it does not

    def new_session(self) -> None:
        return None

    def search(self, *arguments: object, **more: object) -> None:
        self.asked.set()
        run_interruptible(lambda: self.free.wait(30), self.told.set)
        raise RuntimeError("let go")


@pytest.fixture
def slow(monkeypatch: pytest.MonkeyPatch) -> Iterator[SlowPlayer]:
    player = SlowPlayer()
    really = Searcher.made
    replace_search(monkeypatch, lambda sheet, spec, seconds: Stubborn(really(sheet, spec, seconds).game, player))  # type: ignore[arg-type, return-value]
    yield player
    player.free.set()


def test_a_search_that_takes_too_long_is_not_waited_for(slow: SlowPlayer) -> None:
    talk = Talk(margin=0.3)
    assert talk.start(clocks="60 0.5") == "ready"
    assert talk.say("(PLAY m nil)") in ("(take 1)", "(take 2)")
    assert talk.has_said("no move was found in time; a random move")
    assert talk.say("(PLAY m ((take 1) wait))") == "wait"
    assert talk.say("(PLAY m (wait (take 1)))") in ("(take 1)", "(take 2)")
    assert talk.has_said("the last search has not ended; a random move")
    assert talk.say("(ABORT m)") == "done"


def test_a_search_that_fails_gives_a_random_move(slow: SlowPlayer) -> None:
    talk = Talk()
    slow.free.set()
    assert talk.start() == "ready"
    assert talk.say("(PLAY m nil)") in ("(take 1)", "(take 2)")
    assert talk.has_said("the search failed, so a random move: RuntimeError: let go")


def test_the_end_of_a_match_does_not_wait_for_a_search(slow: SlowPlayer) -> None:
    talk = Talk()
    assert talk.start(clocks="60 600") == "ready"
    answers: list[str] = []
    asking = threading.Thread(target=lambda: answers.append(talk.say("(PLAY m nil)")))
    asking.start()
    assert slow.asked.wait(30)
    assert talk.say("(PLAY m nil)") == "busy"  # the same question again
    assert talk.say("(ABORT m)") == "done"
    asking.join(30)
    assert answers[0] in ("(take 1)", "(take 2)")
    assert slow.told.is_set()
    assert talk.start(match="n") == "ready"


def test_a_match_whose_manager_is_silent_is_given_up(monkeypatch: pytest.MonkeyPatch, talk: Talk) -> None:
    monkeypatch.setattr(gamer_module, "SILENCE", -1000.0)
    assert talk.start(clocks="1 1") == "ready"
    assert talk.say("(INFO)") == AVAILABLE
    assert talk.start(match="n") == "ready"
    assert talk.has_said("m: no message came for long; it is given up")
    assert talk.say("(PLAY m nil)") == "busy"


@pytest.mark.slow
def test_a_search_finds_the_move_that_wins() -> None:
    talk = Talk("uct")
    assert talk.start(clocks="300 4") == "ready"
    assert talk.say("(PLAY m nil)") == "(take 2)"
    assert talk.say("(PLAY m ((take 2) wait))") == "wait"
    assert talk.say("(PLAY m (wait (take 2)))") == "(take 1)"


def test_a_match_that_is_broken_off_is_prepared_no_longer(monkeypatch: pytest.MonkeyPatch, talk: Talk) -> None:
    """A grounding that would go on for minutes is stopped."""

    def endless(sheet: object, spec: str, seconds: float) -> Searcher:
        budget = Budget(seconds=600)
        while True:
            budget.look()
            time.sleep(0.01)

    replace_search(monkeypatch, endless)
    assert talk.start(clocks="0.3 10") == "ready"
    match = talk.gamer.match
    assert match is not None
    assert not match._searcher.done()
    assert talk.say("(ABORT m)") == "done"
    assert isinstance(match._searcher.exception(30), Stopped)
