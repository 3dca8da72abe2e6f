"""A solved game: the exact value of every state that can be reached from a position, kept on disk.

Of a game for one, values are expected scores. Where two players choose at once they are those of mixed strategies.
"""

from __future__ import annotations

import math
import time
import warnings
from dataclasses import dataclass
from functools import lru_cache
from itertools import chain
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from astragal.algorithms.depth_first.deepening import refuse_game
from astragal.base.errors import AstragalError
from astragal.base.folders import cache_folder, new_file
from astragal.base.parameters import describe
from astragal.compiler.interpreted import interpreted
from astragal.games import game_name, game_spec
from astragal.rules.decorator import keeps_secrets
from astragal.rules.position import Position
from astragal.solvers.adoption import adopt_former
from astragal.solvers.exact import Exact, Report, Stage, own_solver, say_nothing
from astragal.solvers.matrix_game import mixed
from astragal.solvers.sharing import threads_taken

TOLERANCE = 1e-9
SHARE = 1e-12  # of a range of utilities so wide that rounding leaves no better than that
MAX_STATES = 20_000_000
FURTHER = 3  # actions and outcomes from a position without a value to those that have one


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
    whole: bool | None = None  # whether no state is left out, even where wins are passed up; None in older files

    def value(self, position: Position) -> float:
        """The value of a position for player 0."""
        known = self._known_value(position)
        if known is None:
            but = "" if self.whole else ", or only by passing up a certain win"
            raise AstragalError(
                f"'{position.text}' cannot be reached from where the game was solved{but}, so its value is not known"
            )
        return known

    def action_values(self, position: Position) -> dict[int, float]:
        stage = self.stage(position)
        if stage is not None:
            return stage.worth
        self.value(position)  # an error in one sentence if it has no value
        sign = -1.0 if position.turn == 1 else 1.0
        found = {action: self._known_value(position.follow(action)) for action in position.actions()}
        return {action: sign * value for action, value in found.items() if value is not None}

    def _known_value(self, position: Position, further: int = FURTHER) -> float | None:
        """A kept value; or, where a certain win was passed up, what follows from it and from the values kept."""
        if position.is_terminal:
            return position.utilities()[0]
        kept = self._kept_value(position)
        if kept is not None or further == 0 or self.whole or keeps_secrets(self.game):
            return kept
        if position.is_chance:
            outcomes = position.outcomes()
            worth = self._known_values([position.follow(outcome.number) for outcome in outcomes], further - 1)
            return sum(o.probability * value for o, value in zip(outcomes, worth, strict=True)) if worth else None
        after = [position.follow(action) for action in position.actions()]
        best = float(self.game.utility_range[1 - position.turn])
        if any(end.utilities()[0] == best for end in after if end.is_terminal):
            return best
        return (min if position.turn == 1 else max)(self._known_values(after, further - 1), default=None)

    def _known_values(self, positions: list[Position], further: int) -> list[float]:
        """The values of positions, or none if one is missing."""
        values = []
        for position in positions:
            value = self._known_value(position, further)
            if value is None:
                return []
            values.append(value)
        return values

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
        return self._known_value(position) is not None

    def values_every_action(self, position: Position) -> bool:
        """Whether a position is covered, with all its actions."""
        return self.covers(position) and (
            position.is_chance or len(self.action_values(position)) == len(position.actions())
        )

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
    """Solve a position, and keep its solution in a file."""
    solution = solved(position, max_states, report)
    save(solution, position)
    return solution


def solved(position: Position, max_states: int = MAX_STATES, report: Report = say_nothing) -> Solution:
    """Solve a position of a game for one, or a zero-sum game of two, by value iteration over all that can follow."""
    from astragal.base.interruptible import run_interruptible
    from astragal.solvers.graph import HALFWAY, Graph
    from astragal.solvers.value_iteration import iterate_values

    game = position.game
    refuse_game(game, "solve", others="")
    started, threads = time.perf_counter(), threads_taken.get()
    graph = Graph(game, position.known().memory, max_states)

    def work() -> Solution:
        def count(states: int) -> None:
            report("states", states)

        graph.explore(count)
        whole = graph.pass_up_wins(count)
        low, high = game.utility_range
        tolerance = max(TOLERANCE, SHARE * (high - low))

        def near(_: int, gap: float) -> None:
            report("error", gap)

        values, sweeps, errors = iterate_values(graph, low, high, tolerance, near, threads)
        has_value = graph.turn[: len(graph)] != HALFWAY
        error = float(errors[: graph.settled][has_value[: graph.settled]].max())
        if error > tolerance:
            raise AstragalError(
                f"value iteration of {game_spec(game)} stopped at an error of {error:.3g}; "
                "players may be able to play for ever"
            )
        found = ~has_value | (errors <= tolerance)
        hashes, values = graph.hashes[: len(graph)][found], values[found]
        order = np.argsort(hashes)
        hashes = hashes[order]
        if (hashes[1:] == hashes[:-1]).any():
            raise AstragalError("two states have the same hash; the game cannot be kept")
        win = worth_of_a_win(graph.ends()) if game.players == 2 else None
        whole = whole and bool(found.all())
        error, seconds = float(errors[found & has_value].max()), time.perf_counter() - started
        return Solution(game, hashes, values[order], error, sweeps, seconds, win, whole)

    def stop() -> None:
        graph.work["stop"] = 1

    return run_interruptible(work, stop)


def worth_of_a_win(ends: npt.NDArray[np.float64]) -> float | None:
    """What a win is worth if these utilities are wins, losses and draws at 0, and nothing else."""
    decided = np.unique(np.abs(ends[ends != 0.0]))
    return float(decided[0]) if len(decided) == 1 else None


def solution_path(game: Any, position: Position | None = None) -> Path:
    """Where the solution of a game is kept, or that of a position other than its start."""
    whole = position is None or position == Position.start(game)
    return file_for(game, "" if whole else f"at-{hash_of(position):016x}")


def hash_of(position: Position | None) -> int:
    from astragal.rules.random import state_hash

    assert position is not None
    with np.errstate(over="ignore"):
        return int(interpreted(state_hash)(position.state))


def kept_file(position: Position) -> Path:
    return solution_path(position.game, position)


def save(solution: Solution, position: Position | None = None) -> None:
    win = np.nan if solution.win is None else solution.win
    whole = np.nan if solution.whole is None else solution.whole
    facts = np.array([solution.error, solution.sweeps, solution.seconds, win, whole])
    path = solution_path(solution.game, position)
    save_arrays(path, hashes=solution.hashes, values=solution.values, facts=facts)


def find_kept(position: Position) -> Solution | None:
    """The kept solution of a position, if there is one that can be read."""
    path = kept_file(position)
    adopt_former(position, path, lambda former: load_kept(position.game, former))
    return load_kept(position.game, path)


def find_solution(game: Any) -> Solution | None:
    """The solution of a game from its start, if there is one that can be read."""
    return find_kept(Position.start(game))


def find_covering(position: Position) -> Solution | None:
    """A kept solution that covers a position: that of the whole game, or of a position that leads to it."""
    game = position.game
    others = file_for(game, "at-*")
    kept = (load_kept(game, path) for path in sorted(others.parent.glob(others.name)))
    for solution in chain([find_solution(game)], kept):
        if solution is not None and solution.covers(position):
            return solution
    return None


def renewed(found: Solution, position: Position) -> Solution:
    """A solution for a position: one of an earlier version is replaced if it does not cover all of it.

    Such an older solution has nothing of what follows where a certain win is passed up.
    """
    if found.whole is not None or found is not find_solution(found.game) or found.values_every_action(position):
        return found
    spec = game_spec(found.game)
    warnings.warn(f"{spec} is solved anew: its solution of an earlier version has no passed-up wins", stacklevel=2)
    return solve_position(Position.start(found.game))


def kept_values(position: Position) -> Exact | None:
    """Values that were found before, and are only looked up now."""
    if position.game.players > 2 or own_solver(position) is not None:  # those solvers search on demand
        return None
    return find_covering(position)


def load_kept(game: Any, path: Path) -> Solution | None:
    return read_solution(game, path, path.stat().st_mtime_ns) if path.exists() else None


@lru_cache(maxsize=4)
def read_solution(game: Any, path: Path, written: int) -> Solution | None:
    """A solution from a file; read once as long as the file is the same."""
    arrays = load_arrays(path, "hashes", "values", "facts")
    if arrays is None or arrays[2].shape not in ((3,), (4,), (5,)):
        return None
    error, sweeps, seconds, win, whole = [*arrays[2].tolist(), math.nan, math.nan][:5]  # older files lack the last two
    facts = error, int(sweeps), seconds, None if math.isnan(win) else win, None if math.isnan(whole) else bool(whole)
    return Solution(game, arrays[0], arrays[1], *facts)


def file_for(game: Any, purpose: str = "") -> Path:
    """The file that something solved is kept in; its name changes with the game's source and parameters."""
    settings = describe(game).replace("=", "").replace(",", "-")
    name = "-".join(part for part in (game_name(game), settings, purpose, game.own_identity()) if part)
    return cache_folder() / "solutions" / f"{name}.npz"


def save_arrays(path: Path, **arrays: npt.NDArray[Any]) -> None:
    """Write arrays to a file; where that fails, warn and go on."""
    try:
        with new_file(path) as file:
            np.savez(file, **arrays)  # type: ignore[arg-type]
    except OSError as error:
        warnings.warn(f"the solution cannot be kept in {path.parent} ({error})", stacklevel=3)


def load_arrays(path: Path, *names: str) -> list[npt.NDArray[Any]] | None:
    """Arrays of a file; None if there is no such file, or a broken one."""
    try:
        with np.load(path) as data:
            return [data[name] for name in names]
    except Exception:  # a broken file fails in many ways: each means solving anew
        return None
