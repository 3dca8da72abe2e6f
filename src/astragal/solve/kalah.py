"""Exact values of Kalah by alpha-beta with a table, for any position, on demand.

What a player still wins from here on depends on the pits alone: stones in the stores do not come back. So the table is
keyed by the two rows as the mover sees them and knows a lower and an upper bound of the mover's margin from them, which
no search depth limits: the game has no cycles. The margin is found by tests with a null window that close in on it
(MTD(f), Plaat et al. 1996). Rows are kept whole, so an entry is never mistaken for another's.
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

from astragal.game.decorator import TERMINAL
from astragal.game.interruptible import run_interruptible
from astragal.game.kernel import kernel
from astragal.game.native import fold, local_copy, record_reader, recursion, scratch
from astragal.game.position import Position
from astragal.game.random import KEY, MIX
from astragal.games.kalah import MAX_STONES, stones_of
from astragal.solve.exact import Exact, Report, say_nothing
from astragal.solve.solution_files import file_for, load_arrays, save_arrays

ENTRY = np.dtype(
    [
        ("mine", "i8"),
        ("theirs", "i8"),
        ("low", "i1"),  # the mover wins at least so many stones more than the opponent from these pits,
        ("high", "i1"),  # and at most so many
        ("best", "u1"),  # the pit that raised the lower bound last
        ("effort", "u1"),  # bits of the number of nodes searched for it; 0: the entry is empty
    ],
    align=True,
)
WORK = np.dtype([("table", "u8"), ("mask", "u8"), ("nodes", "i8"), ("stop", "i8")])
NO_PIT = 255
MAX_STATES = 1  # not counted: the table forgets what does not fit
LARGEST_TABLE = 24  # bits of the number of its entries: 400 megabytes
entry_at = record_reader(ENTRY)
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
    on_board = stones_of(state.mine) + stones_of(state.theirs)
    if on_board <= alpha:
        return on_board
    if -on_board > alpha:
        return -on_board
    entry = find_entry(work, state)
    known = entry.effort != 0 and entry.mine == state.mine and entry.theirs == state.theirs
    first = np.int64(NO_PIT)
    if known:
        if entry.low > alpha:
            return np.int64(entry.low)
        if entry.high <= alpha:
            return np.int64(entry.high)
        first = np.int64(entry.best)
    value, best = search_pits(game, state, alpha, first, work, own_address())
    if work.stop == 0:
        note(work, state, alpha, value, best, work.nodes - before + 1)
    return value


@kernel
def search_pits(game, state, alpha, first, work, me):
    """The bound that the moves give, one of them first if it is known to be good, and the move that gave it."""
    pits = scratch(np.uint32, game.max_actions)
    count = game.actions(state, pits)
    value, best = np.int64(-MAX_STONES), first
    for i in range(-1, count):
        pit = first if i < 0 else np.int64(pits[i])
        if pit == NO_PIT or (i >= 0 and pit == first):
            continue
        got = margin_after(game, state, pit, alpha, work, me)
        if got > value:
            value, best = got, pit
        if value > alpha or work.stop != 0:
            break
    return value, best


@kernel
def margin_after(game, state, pit, alpha, work, me):
    """What a move wins at once and, by a bound, later."""
    child = local_copy(state)
    game.play(child, pit)
    gained = np.int64(game.lead(child, np.int64(state.turn)))
    if game.turn(child) == TERMINAL:
        return gained
    child.my_store = child.their_store = 0
    if child.turn == state.turn:
        return gained + recurse(me, game, child, alpha - gained, work)
    return gained - recurse(me, game, child, gained - alpha - 1, work)


@kernel
def find_entry(work, state):
    """The entry of a state, or where it may be written: of two places, the one that cost less to search."""
    place = np.int64(fold(fold(np.uint64(state.mine) ^ MIX, KEY) ^ np.uint64(state.theirs), MIX) & work.mask)
    one, other = entry_at(work.table, place), entry_at(work.table, place ^ 1)
    if one.mine == state.mine and one.theirs == state.theirs:
        return one
    if (other.mine == state.mine and other.theirs == state.theirs) or other.effort < one.effort:
        return other
    return one


@kernel
def note(work, state, alpha, value, best, cost):
    """Keep what was found; a new state takes the cheaper of the two places it may have."""
    entry = find_entry(work, state)
    if entry.mine != state.mine or entry.theirs != state.theirs or entry.effort == 0:
        entry.mine, entry.theirs = state.mine, state.theirs
        entry.low, entry.high = -MAX_STONES, MAX_STONES
        entry.best = NO_PIT
    if value > alpha:
        entry.low = max(np.int64(entry.low), value)
        entry.best = best
    else:
        entry.high = min(np.int64(entry.high), value)
    effort = np.int64(1)
    while cost > 1:
        cost >>= 1
        effort += 1
    entry.effort = max(np.int64(entry.effort), effort)


class Margins(Exact):
    """Exact margins of one Kalah's positions, searched as they are asked for; the table remembers what was found."""

    def __init__(self, game: Any, entries: npt.NDArray[np.void] | None = None, facts: Any = (0, 0.0)) -> None:
        self.game = game
        self.table = np.zeros(1 << min(game.total // 2 + 6, LARGEST_TABLE), ENTRY)
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


@kernel(entry="Kalah, looking into the table")
def look_up(wanted, works):
    """Complete an entry that has its rows, if the table knows them."""
    entry = find_entry(works[0], wanted[0])
    if entry.mine == wanted[0].mine and entry.theirs == wanted[0].theirs:
        wanted[0].low, wanted[0].high, wanted[0].effort = entry.low, entry.high, entry.effort


@kernel(entry="Kalah, filling the table")
def fill_table(entries, works):
    """Put entries that were kept back into a table."""
    for i in range(len(entries)):
        kept_entry = entries[i]
        entry = find_entry(works[0], kept_entry)
        entry.mine, entry.theirs = kept_entry.mine, kept_entry.theirs
        entry.low, entry.high = kept_entry.low, kept_entry.high
        entry.best, entry.effort = kept_entry.best, kept_entry.effort


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
    """What was kept, if it knows the margin of a position."""
    margins = on_demand(position)
    return margins if position.is_terminal or margins.knows(position) else None


def solve_position(position: Position, max_states: int = 0, report: Report = say_nothing) -> Margins:
    """Find the margin of a position, and keep the table."""
    margins = on_demand(position)
    margins.lead(position, report)
    entries = margins.table[margins.table["effort"] > 1]  # a single node is searched again as fast as it is read
    save_arrays(kept_file(position), entries=entries, facts=np.array([margins.work["nodes"][0], margins.seconds]))
    return margins
