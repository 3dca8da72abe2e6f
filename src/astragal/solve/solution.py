"""A solved game: the exact value of every state that can be reached from its start, kept on disk."""

from __future__ import annotations

import os
import shlex
import tempfile
import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from astragal.errors import AstragalError
from astragal.folders import cache_folder
from astragal.game.interpreted import interpreted
from astragal.game.position import Position
from astragal.games import game_name, game_spec
from astragal.parameters import describe
from astragal.search.deepening import refuse_game

TOLERANCE = 1e-9
MAX_STATES = 20_000_000
Report = Callable[[str, float], None]


@dataclass(frozen=True)
class Solution:
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
                f"'{position.text}' cannot be reached from the start, so the solved game does not cover it"
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
        from astragal.game.random import state_hash

        with np.errstate(over="ignore"):
            key = np.uint64(interpreted(state_hash)(position.state))
        at = int(np.searchsorted(self.hashes, key))
        return float(self.values[at]) if at < len(self.hashes) and self.hashes[at] == key else None

    def action_values(self, position: Position) -> dict[int, float]:
        """The value of every legal action for the player to move."""
        sign = -1.0 if position.turn == 1 else 1.0
        return {action: sign * self.value(position.play(action)) for action in position.actions()}

    def best_action(self, position: Position) -> int:
        values = self.action_values(position)
        return max(values, key=lambda action: values[action])

    def regret(self, position: Position, action: int | None) -> float:
        """What the player to move loses by an action against the best one."""
        if action is None:
            raise AstragalError("there is no regret where nobody decides: chance moves next")
        values = self.action_values(position)
        return max(values.values()) - values[action]

    @property
    def start_value(self) -> float:
        return self.value(Position.start(self.game))

    @property
    def first_player_wins(self) -> float:
        """The first player's share of the utility's range; with wins and losses only, the chance of winning."""
        low, high = self.game.utility_range
        return float((self.start_value - low) / (high - low))


def solve(game: Any, max_states: int = MAX_STATES, report: Report = lambda what, number: None) -> Solution:
    """Solve a two-player zero-sum game by value iteration over all reachable states, and keep the result."""
    from astragal.game.interruptible import run_interruptible
    from astragal.solve.graph import Graph
    from astragal.solve.value_iteration import iterate_values

    refuse_game(game, "solve")
    started = time.perf_counter()
    graph = Graph(game, Position.start(game).memory, max_states)

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
        graph.job["stop"] = 1

    solution = run_interruptible(work, stop)
    save(solution)
    return solution


def solution_path(game: Any) -> Path:
    """Where a game's solution is kept; the name changes with the game's source and parameters."""
    settings = describe(game).replace("=", "").replace(",", "-")
    name = "-".join(part for part in (game_name(game), settings) if part)
    return cache_folder() / "solutions" / f"{name}-{type(game).__identity__.rpartition('#')[2]}.npz"


def save(solution: Solution) -> None:
    facts = np.array([solution.error, solution.sweeps, solution.seconds])
    write_arrays(solution_path(solution.game), hashes=solution.hashes, values=solution.values, facts=facts)


def write_arrays(path: Path, **arrays: npt.NDArray[Any]) -> None:
    """Write a file of arrays so that it is there whole or not at all."""
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        with tempfile.NamedTemporaryFile(dir=path.parent, suffix=".tmp", delete=False) as file:
            np.savez(file, **arrays)  # type: ignore[arg-type]
        os.replace(file.name, path)
    except OSError as error:
        import warnings

        warnings.warn(f"the solution cannot be kept in {path.parent} ({error})", stacklevel=3)


def read_arrays(path: Path, *names: str) -> list[npt.NDArray[Any]] | None:
    """The arrays of a file, or None where there is no file or a broken one, which fails in many ways."""
    try:
        with np.load(path) as data:
            return [data[name] for name in names]
    except Exception:
        return None


def find_solution(game: Any) -> Solution | None:
    """The solution of a game if it was solved before and can be read."""
    kept = read_arrays(solution_path(game), "hashes", "values", "facts")
    if kept is None or kept[2].shape != (3,):
        return None
    error, sweeps, seconds = kept[2].tolist()
    return Solution(game, kept[0], kept[1], error, int(sweeps), seconds)


def load_solution(game: Any) -> Solution:
    solution = find_solution(game)
    if solution is None:
        spec = game_spec(game)
        raise AstragalError(f"{spec} is not solved yet: run astragal solve {shlex.quote(spec)}")
    return solution
