"""What the tests of the arena share: players that play given moves, a game of one throw, and contests to play."""

from __future__ import annotations

import os
import re
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from astragal.algorithms.limits import Limits
from astragal.algorithms.result import SearchResult
from astragal.arena.contest import Contest, GameRecord
from astragal.arena.run import Plan, run_contest
from astragal.arena.store.results_store import ResultsStore
from astragal.arena.summary import Standing
from astragal.arena.workers import local_workers
from astragal.players import load_player
from astragal.rules.position import Position


def records(contest: Contest, pairs: list[tuple[float, float]]) -> list[GameRecord]:
    """Games in which the first kind of player scores what is planted."""
    made = []
    for pair, scores in enumerate(pairs):
        for game, (seats, score) in enumerate(zip(contest.seatings, scores, strict=True)):
            utilities = tuple((2 * score - 1) * (1 if kind == 0 else -1) for kind in seats)
            made.append(GameRecord(pair, game, seats, contest.pair_seed(pair), (), (), utilities))
    return made


def contest(first: str, second: str, game: str = "tic_tac_toe", seed: int = 0, **limits: float) -> Contest:
    return Contest.of(game, [first, second], Limits(**limits), seed)


def standing(planted: Contest, pairs: list[tuple[float, float]]) -> Standing:
    made = Standing(planted)
    made.add(records(planted, pairs))
    return made


COIN = """
import numpy as np
from astragal import CHANCE, TERMINAL, game

@game
class Coin:
    \"\"\"Each names a side, then one throw decides. Who said heads wins with a known chance, in both seats.\"\"\"

    chance: int = 50

    state = np.dtype([("named", "u1", 2), ("thrown", "u1"), ("plies", "u1")])
    max_actions = 2
    max_outcomes = 100
    utility_range = (-1.0, 1.0)

    def turn(self, state):
        if state.plies == 3:
            return TERMINAL
        return CHANCE if state.plies == 2 else state.plies

    def actions(self, state, out):
        {misdeed}
        out[0], out[1] = 0, 1
        return 2

    def play(self, state, action):
        state.named[state.plies] = action
        state.plies += 1

    def outcomes(self, state, out):
        for i in range(100):
            out[i] = i
        return 100

    def probability(self, state, outcome):
        return 0.01

    def deal(self, state, outcome):
        state.thrown = outcome
        state.plies += 1

    def utility(self, state, player):
        caller = 0 if state.named[0] == 1 else 1
        thrown = state.thrown if caller == 0 else (state.thrown * 37 + 11) % 100
        winner = caller if thrown < self.chance else 1 - caller
        return 1.0 if player == winner else -1.0

    def action_name(self, state, action):
        return ("tails", "heads")[action]
"""


def coin_file(folder: Path, misdeed: str = "pass") -> Path:
    """A game that one throw decides. Who calls heads wins it with a chance in a hundred that is a parameter.

    The misdeed is done where actions are listed, which random players ask for at each move, and by Python.
    """
    file = folder / "coin.py"
    file.write_text(COIN.format(misdeed=misdeed))
    return file


RANDOM = load_player("random")


class Scripted:
    """A player that answers with what a function says of a position; by default a random action."""

    def __init__(self, answer: Callable[[Position, SearchResult], Any] | None = None, limits: Limits | None = None):
        self.change, self.limits = answer, limits or Limits()
        self.asked: list[tuple[Position, int, Limits | None]] = []

    def make_ready(self, game: Any, session: Any) -> None:
        """Nothing."""

    def new_session(self) -> None:
        return None

    def search(self, position: Position, seed: int = 0, limits: Limits | None = None, **_: Any) -> Any:
        self.asked.append((position, seed, limits))
        result = RANDOM.search(position, seed=seed)
        return self.change(position, result) if self.change else result


class Caller(Scripted):
    """A player that calls one side of the coin."""

    def __init__(self, side: int) -> None:
        super().__init__()
        self.called = SearchResult("coin", "caller", "", 0, side, "")

    def search(self, position: Position, seed: int = 0, limits: Limits | None = None, **_: Any) -> Any:
        return self.called


def seat_players(monkeypatch: pytest.MonkeyPatch, *players: Any) -> None:
    """Let these play for the kinds of any contest."""
    monkeypatch.setattr("astragal.arena.referee.player_of", lambda contest, kind, finishing: players[kind])


def play(contest: Contest, games: int, file: Path, jobs: int = 1, **plan: Any) -> list[GameRecord]:
    """Play a contest into a file; all its games."""
    with ResultsStore(file) as store:
        assert run_contest(contest, Plan(games, jobs, **plan), store, lambda: local_workers(jobs))
        return kept(store)


def kept(store: ResultsStore, contest: int = 1) -> list[GameRecord]:
    return list(store.games(contest))


def games_in(file: Path) -> int:
    """How many games a results file has, which another process may be writing."""
    if not file.exists():
        return 0
    try:
        with ResultsStore(file, must_exist=True) as store:
            return sum(stored.games for stored in store.contests())
    except Exception:  # its tables are not there yet
        return 0


def timeless(records: list[GameRecord]) -> list[GameRecord]:
    """The same games without what no two runs have in common."""
    return [
        replace(
            record,
            seconds=0.0,
            searches=tuple(stats._replace(seconds=0.0, over=0.0, processor=0.0) for stats in record.searches),
        )
        for record in records
    ]


started: list[subprocess.Popen[str]] = []


def start_match(*arguments: object, **environment: str) -> subprocess.Popen[str]:
    """`astragal match` in a process group of its own, as a terminal would start it."""
    running = subprocess.Popen(
        [sys.executable, "-m", "astragal", "match", *map(str, arguments)],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        env=os.environ | environment,
        start_new_session=True,
    )
    started.append(running)
    return running


def end_matches() -> None:
    """End what a test that failed has left running, with its workers."""
    while started:
        running = started.pop()
        if running.poll() is None:
            os.killpg(running.pid, signal.SIGKILL)
            running.communicate()


def wait_until(condition: Callable[[], bool], seconds: float = 60.0) -> None:
    deadline = time.monotonic() + seconds
    while not condition():
        assert time.monotonic() < deadline, "it did not happen in time"
        time.sleep(0.01)


def without_tally(text: str) -> list[str]:
    """The lines that a command printed, without those that say where games are kept and how many are new."""
    return [line for line in text.splitlines() if not re.match(r"games are |[\d,]+ new games?, ", line)]
