"""A solved game: the exact value of every state that can be reached from a position, kept on disk.

Of a game for one, values are expected scores. Where two players choose at once they are those of mixed strategies.
"""

from __future__ import annotations

import math
import time
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from astragal.errors import AstragalError
from astragal.game.interpreted import interpreted
from astragal.game.position import Position
from astragal.games import game_spec
from astragal.search.depth_first.deepening import refuse_game
from astragal.solve.exact import Exact, Report, Stage, own_solver, say_nothing
from astragal.solve.matrix_game import mixed
from astragal.solve.solution_files import file_for, load_arrays, save_arrays

TOLERANCE = 1e-9
SHARE = 1e-12  # of a range of utilities so wide that rounding leaves no better than that
MAX_STATES = 20_000_000


@dataclass(frozen=True)
class Solution(Exact):
    """Values of player 0, looked up by the hash of a state."""

    game: Any
    hashes: npt.NDArray[np.uint64]  # sorted
    values: npt.NDArray[np.float64]
    error: float  # proven bound on the error of every value
    sweeps: int
    seconds: float
    win: float | None = None  # what a win is worth, where every end that was met is a win, a loss or a draw at 0

    def value(self, position: Position) -> float:
        """The value of a position for player 0."""
        known = self._known_value(position, 2)
        if known is None:
            raise AstragalError(
                f"'{position.text}' cannot be reached from where the game was solved, so its value is not known"
            )
        return known

    def _known_value(self, position: Position, further: int) -> float | None:
        """A kept value; or, where a certain win was passed up, what follows from it and from the values kept."""
        if position.is_terminal:
            return position.utilities()[0]
        kept = self._kept_value(position)
        if kept is not None or further == 0:
            return kept
        if position.is_chance:
            parts = [
                (o.probability, self._known_value(position.deal(o.number), further - 1)) for o in position.outcomes()
            ]
            return None if any(v is None for _, v in parts) else sum(p * v for p, v in parts if v is not None)
        best = float(self.game.utility_range[1 - position.turn])
        wins = [after for after in map(position.play, position.actions()) if after.is_terminal]
        return best if any(after.utilities()[0] == best for after in wins) else None

    def _kept_value(self, position: Position) -> float | None:
        key = np.uint64(hash_of(position.known()))
        at = int(np.searchsorted(self.hashes, key))
        return float(self.values[at]) if at < len(self.hashes) and self.hashes[at] == key else None

    def win_chance(self, position: Position) -> float | None:
        return None if self.win is None else (1.0 + self.value(position) / self.win) / 2.0

    def stage(self, position: Position) -> Stage | None:
        if not position.at_once:
            return None
        here = position.known()
        after = [here.play(action) for action in here.actions()]
        sign = -1.0 if here.turn == 1 else 1.0
        payoffs = [[sign * self.value(between.play(action)) for action in between.actions()] for between in after]
        solved = mixed(payoffs)
        mixes = dict(zip(here.actions(), solved.first.tolist(), strict=True))
        others = dict(zip(after[0].actions(), solved.second.tolist(), strict=True))
        worth = dict(zip(here.actions(), (np.array(payoffs) @ solved.second).tolist(), strict=True))
        return Stage(mixes, others, worth)

    def covers(self, position: Position) -> bool:
        return self._known_value(position, 2) is not None

    def facts(self, position: Position) -> dict[str, Any]:
        return {
            "states": len(self.values),
            "sweeps": self.sweeps,
            "seconds": self.seconds,
            "error": self.error,
        }

    @property
    def start_value(self) -> float:
        return self.value(Position.start(self.game))


def solve(game: Any, max_states: int = MAX_STATES, report: Report = say_nothing) -> Solution:
    """Solve a game from its start."""
    return solve_position(Position.start(game), max_states, report)


def solve_position(position: Position, max_states: int = MAX_STATES, report: Report = say_nothing) -> Solution:
    """Solve a position of a game for one, or a zero-sum game of two, by value iteration over all that can follow.

    The result is kept."""
    from astragal.game.interruptible import run_interruptible
    from astragal.solve.graph import Graph
    from astragal.solve.value_iteration import iterate_values

    game = position.game
    refuse_game(game, "solve", others="")
    started = time.perf_counter()
    graph = Graph(game, position.known().memory, max_states)

    def work() -> Solution:
        graph.explore(lambda states: report("states", states))
        low, high = game.utility_range
        tolerance = max(TOLERANCE, SHARE * (high - low))
        values, sweeps, error = iterate_values(graph, low, high, tolerance, lambda n, gap: report("error", gap))
        if error > tolerance:
            raise AstragalError(
                f"value iteration of {game_spec(game)} stopped at an error of {error:.3g}; "
                "players may be able to play for ever"
            )
        order = np.argsort(graph.hashes[: len(graph)])
        hashes = graph.hashes[: len(graph)][order]
        if (hashes[1:] == hashes[:-1]).any():
            raise AstragalError("two states have the same hash; the game cannot be kept")
        win = worth_of_a_win(graph.ends()) if game.players == 2 else None
        return Solution(game, hashes, values[order], error, sweeps, time.perf_counter() - started, win)

    def stop() -> None:
        graph.work["stop"] = 1

    solution = run_interruptible(work, stop)
    save(solution, position)
    return solution


def worth_of_a_win(ends: npt.NDArray[np.float64]) -> float | None:
    """What a win is worth if these utilities are wins, losses and draws at 0, and nothing else."""
    decided = np.unique(np.abs(ends[ends != 0.0]))
    return float(decided[0]) if len(decided) == 1 else None


def solution_path(game: Any, position: Position | None = None) -> Path:
    """Where the solution of a game is kept, or that of a position other than its start."""
    whole = position is None or position == Position.start(game)
    return file_for(game, "" if whole else f"at-{hash_of(position):016x}")


def hash_of(position: Position | None) -> int:
    from astragal.game.random import state_hash

    assert position is not None
    with np.errstate(over="ignore"):
        return int(interpreted(state_hash)(position.state))


def kept_file(position: Position) -> Path:
    return solution_path(position.game, position)


def save(solution: Solution, position: Position | None = None) -> None:
    win = np.nan if solution.win is None else solution.win
    facts = np.array([solution.error, solution.sweeps, solution.seconds, win])
    path = solution_path(solution.game, position)
    save_arrays(path, hashes=solution.hashes, values=solution.values, facts=facts)


def find_kept(position: Position) -> Solution | None:
    """The kept solution of a position, if there is one that can be read."""
    return load_kept(position.game, kept_file(position))


def find_solution(game: Any) -> Solution | None:
    """The solution of a game from its start, if there is one that can be read."""
    return load_kept(game, solution_path(game))


def find_covering(position: Position) -> Exact | None:
    """A kept solution that knows a position: that of the whole game, or of a position that leads to it."""
    game = position.game
    whole = solution_path(game)
    for path in (whole, *sorted(whole.parent.glob(file_for(game, "at-*").name))):
        solution = load_kept(game, path)
        if solution is not None and solution.covers(position):
            return solution
    return None


def kept_values(position: Position) -> Exact | None:
    """Values that were found before, and are only looked up now."""
    if position.game.players > 2 or own_solver(position) is not None:  # those solvers search when they are asked
        return None
    return find_covering(position)


def load_kept(game: Any, path: Path) -> Solution | None:
    return read_solution(game, path, path.stat().st_mtime_ns) if path.exists() else None


@lru_cache(maxsize=4)
def read_solution(game: Any, path: Path, written: int) -> Solution | None:
    """A solution from a file; read once as long as the file is the same."""
    arrays = load_arrays(path, "hashes", "values", "facts")
    if arrays is None or arrays[2].shape not in ((3,), (4,)):
        return None
    error, sweeps, seconds, win = [*arrays[2].tolist(), math.nan][:4]  # files of before do not know of a win
    return Solution(game, arrays[0], arrays[1], error, int(sweeps), seconds, None if math.isnan(win) else win)
