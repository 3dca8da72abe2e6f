"""A solved game: the exact value of every state that can be reached from a position, kept on disk."""

from __future__ import annotations

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
from astragal.solve.exact import Exact, Report, say_nothing
from astragal.solve.solution_files import file_for, load_arrays, save_arrays

TOLERANCE = 1e-9
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
    """Solve a position of a two-player zero-sum game by value iteration over all that can follow; keep the result."""
    from astragal.game.interruptible import run_interruptible
    from astragal.solve.graph import Graph
    from astragal.solve.value_iteration import iterate_values

    game = position.game
    refuse_game(game, "solve")
    started = time.perf_counter()
    graph = Graph(game, position.known().memory, max_states)

    def work() -> Solution:
        graph.explore(lambda states: report("states", states))
        low, high = game.utility_range
        values, sweeps, error = iterate_values(graph, low, high, TOLERANCE, lambda n, gap: report("error", gap))
        if error > TOLERANCE:
            raise AstragalError(
                f"value iteration of {game_spec(game)} stopped at an error of {error:.3g}; "
                "players may be able to play for ever"
            )
        order = np.argsort(graph.hashes[: len(graph)])
        hashes = graph.hashes[: len(graph)][order]
        if (hashes[1:] == hashes[:-1]).any():
            raise AstragalError("two states have the same hash; the game cannot be kept")
        return Solution(game, hashes, values[order], error, sweeps, time.perf_counter() - started)

    def stop() -> None:
        graph.work["stop"] = 1

    solution = run_interruptible(work, stop)
    save(solution, position)
    return solution


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
    facts = np.array([solution.error, solution.sweeps, solution.seconds])
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


def load_kept(game: Any, path: Path) -> Solution | None:
    return read_solution(game, path, path.stat().st_mtime_ns) if path.exists() else None


@lru_cache(maxsize=4)
def read_solution(game: Any, path: Path, written: int) -> Solution | None:
    """A solution from a file; read once as long as the file is the same."""
    arrays = load_arrays(path, "hashes", "values", "facts")
    if arrays is None or arrays[2].shape != (3,):
        return None
    error, sweeps, seconds = arrays[2].tolist()
    return Solution(game, arrays[0], arrays[1], error, int(sweeps), seconds)
