"""Exact values of Kalah by alpha-beta with a table, for any position, on demand.

What a player still wins from here on depends on the pits alone: stones in the stores do not come back. So the table
(`kalah_table` beside this) is keyed by the two rows as the mover sees them and stores a lower and an upper bound of the
mover's margin from them, which no search depth limits: the game has no cycles. The margin is found by tests with a null
window that close in on it (MTD(f), Plaat et al. 1996).

A node first looks at all its moves, without searching any: some end the game, some cannot matter with the stones that
are left, and for some the table has enough (enhanced transposition cut-offs, Plaat et al. 1996). The others are tried
in the order of the stones they win at once, a further move counting as `FURTHER_MOVE` stones.
"""

# mypy: allow-untyped-defs, allow-untyped-calls
from __future__ import annotations

import time
from functools import lru_cache
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt
from numba import types

from astragal.base.interruptible import run_interruptible
from astragal.compiler.intrinsics.native import local_copy, recursion, scratch
from astragal.compiler.kernel import kernel
from astragal.games.kalah.rules import MAX_STONES, stones_of
from astragal.games.kalah.solver_table import (
    BUCKET,
    ENTRY,
    NO_PIT,
    NOT_THERE,
    WORK,
    bucket_of,
    fill_table,
    kept_entries,
    look_up,
    note,
    place_in,
)
from astragal.rules.decorator import TERMINAL
from astragal.rules.position import Position
from astragal.solvers.exact import Exact, Report, say_nothing
from astragal.solvers.solution import file_for, load_arrays, save_arrays

MAX_STATES = 1  # not counted: the table forgets what does not fit
LARGEST_TABLE = 23  # bits of the number of its buckets: 512 megabytes
MOST_KEPT = 1_000_000  # entries in a file: 24 megabytes
FURTHER_MOVE = 3  # stones that a further move is worth to the order of moves
TABLE_MOVE = 2 * MAX_STONES
own_address, recurse = recursion(lambda: bound, types.int64)


@kernel(entry="Kalah, exact margins")
def margin_bound(game, root, alpha, works):
    """A bound of the mover's margin from a position's pits: a lower one if it is above alpha, else an upper one."""
    state = local_copy(root[0])
    state.my_store = state.their_store = 0
    return bound(game, state, np.int64(alpha), works[0])


@kernel
def bound(game, state, alpha, work):
    """The same for a state with empty stores in which the game is not over."""
    work.nodes += 1
    before = work.nodes
    low, high, first = known(work, state)
    if low > alpha:
        return low
    if high <= alpha:
        return high
    pits = scratch(np.int64, game.max_actions)
    value, best, count = promising_pits(game, state, alpha, first, pits, work)
    for i in range(count):
        child = local_copy(state)
        gained = gain(game, child, pits[i])
        if child.turn == state.turn:
            got = gained + recurse(own_address(), game, child, alpha - gained, work)
        else:
            got = gained - recurse(own_address(), game, child, gained - alpha - 1, work)
        if got > value:
            value, best = got, pits[i]
        if value > alpha or work.stop != 0:
            break
    if work.stop == 0:
        note(work, state, alpha, value, best, work.nodes - before + 1)
    return value


@kernel
def promising_pits(game, state, alpha, first, pits, work):
    """What is known of the moves without a search: a value, the pit it is of, and how many are left to search.

    Those are written down in the order to try them, none where one is known to win more than alpha.
    """
    listed = scratch(np.uint32, game.max_actions)
    scores = scratch(np.int64, game.max_actions)
    value, count = np.int64(-MAX_STONES), 0
    for i in range(game.actions(state, listed)):
        pit = np.int64(listed[i])
        child = local_copy(state)
        gained = gain(game, child, pit)
        again = child.turn == state.turn
        low, high = known_after(game, child, gained, again, work)
        if low > alpha:
            return low, pit, 0
        if high <= alpha:
            value = max(value, high)
            continue
        score = TABLE_MOVE if pit == first else gained + FURTHER_MOVE * again
        at = count
        while at > 0 and scores[at - 1] < score:
            pits[at], scores[at] = pits[at - 1], scores[at - 1]
            at -= 1
        pits[at], scores[at] = pit, score
        count += 1
    return value, np.int64(NO_PIT), count


@kernel
def gain(game, state, pit):
    """Make a move, and take what it wins for its mover out of the stores."""
    mover = np.int64(state.turn)
    game.play(state, pit)
    gained = np.int64(game.lead(state, mover))
    state.my_store = state.their_store = 0
    return gained


@kernel
def known_after(game, child, gained, again, work):
    """The least and the most that a move can win for its mover."""
    if game.turn(child) == TERMINAL:
        return gained, gained
    low, high, _ = known(work, child)
    return (gained + low, gained + high) if again else (gained - high, gained - low)


@kernel
def known(work, state):
    """The least and the most that the mover can win, by the table or by the stones there are; and the table's move."""
    stones = stones_of(state.mine) + stones_of(state.theirs)
    bucket = bucket_of(work, state.mine, state.theirs)
    i = place_in(bucket, state.mine, state.theirs)
    if i == NOT_THERE:
        return -stones, stones, np.int64(NO_PIT)
    return max(-stones, np.int64(bucket.low[i])), min(stones, np.int64(bucket.high[i])), np.int64(bucket.best[i])


class Margins(Exact):
    """Exact margins of one Kalah's positions, searched on demand; the table keeps what was found."""

    def __init__(self, game: Any, entries: npt.NDArray[np.void] | None = None, facts: Any = (0, 0.0)) -> None:
        self.game = game
        self.table = np.zeros(1 << min(game.total // 2 + 2, LARGEST_TABLE), BUCKET)
        self.work = np.zeros(1, WORK)
        self.work["table"], self.work["mask"] = self.table.ctypes.data, len(self.table) - 1
        self.work["nodes"], self.seconds = int(facts[0]), float(facts[1])
        if entries is not None:
            fill_table(entries.view(ENTRY), self.work)

    def margin(self, position: Position, report: Report = say_nothing) -> int:
        """The final margin of the player to move from these pits alone, with best play."""
        total = int(stones_of(position.state.mine) + stones_of(position.state.theirs))
        low, high = -total, total
        guess = 0
        while low < high:
            alpha = guess - 1 if guess > low else guess
            guess = self.bounded(position, alpha)
            if guess > alpha:
                low = guess
            else:
                high = guess
            report("margin", guess)
        return low

    def bounded(self, position: Position, alpha: int) -> int:
        """One test: whether the margin is above alpha, as a bound of it."""
        self.work["stop"] = 0
        started = time.perf_counter()

        def stop() -> None:
            self.work["stop"] = 1

        found = run_interruptible(lambda: margin_bound(self.game, position.memory, np.int64(alpha), self.work), stop)
        self.seconds += time.perf_counter() - started
        return int(found)

    def lead(self, position: Position, report: Report = say_nothing) -> int:
        """The final margin of player 0, stones in the stores included."""
        ahead = int(position._rules.lead(position._state, 0))
        if position.is_terminal:
            return ahead
        return ahead + (1 if position.turn == 0 else -1) * self.margin(position, report)

    def value(self, position: Position) -> float:
        lead = self.lead(position)
        if self.game.score == "margin":
            return float(self.game.point * lead)
        return float(100 * ((lead > 0) - (lead < 0)))

    def knows(self, position: Position) -> bool:
        """Whether the table has the margin of a position."""
        state = np.zeros(1, ENTRY)
        state["mine"], state["theirs"] = position.state.mine, position.state.theirs
        look_up(state, self.work)
        return bool(state["effort"][0] and state["low"][0] == state["high"][0])

    def facts(self, position: Position) -> dict[str, Any]:
        return {"margin": self.lead(position), "nodes": int(self.work["nodes"][0]), "seconds": self.seconds}


def solves(position: Position) -> bool:
    return True


def kept_file(position: Position) -> Path:
    """One file for all positions of a game."""
    return file_for(position.game, "margins")


def on_demand(position: Position) -> Margins:
    """Margins that begin with what was kept of this game."""
    path = kept_file(position)
    return read_margins(position.game, path, path.stat().st_mtime_ns if path.exists() else 0)


@lru_cache(maxsize=2)
def read_margins(game: Any, path: Path, written: int) -> Margins:
    arrays = load_arrays(path, "entries", "facts") if written else None
    if arrays is None or arrays[0].dtype != ENTRY:
        return Margins(game)
    return Margins(game, *arrays)


def find_kept(position: Position) -> Margins | None:
    """The kept table, if it has the margin of a position."""
    margins = on_demand(position)
    return margins if position.is_terminal or margins.knows(position) else None


def solve_position(position: Position, max_states: int = 0, report: Report = say_nothing) -> Margins:
    """Find the margin of a position, and keep what took longest to find."""
    margins = on_demand(position)
    margins.lead(position, report)
    facts = np.array([margins.work["nodes"][0], margins.seconds])
    save_arrays(kept_file(position), entries=kept_entries(margins.table, MOST_KEPT), facts=facts)
    return margins
