"""Exact values in Can't Stop: the best way through one turn, and the solitaire in the fewest turns.

**One turn.** From any position, when to stop and what to climb so that the expected gain is largest; a bust gains
nothing. What stopping gains is measured in ``points`` of the Rule of 28 (each space counts the weight of its column,
the first one of a turn twice) or by the game's own ``evaluation``: by how much it is better to have stopped than to
have climbed nothing. What other players do later is left out, so this is no perfect play of the whole game.

Runners only go up, so the states of a turn can be gone through from the highest to the lowest:

    roll(s) = sum over rolls of p * (the best of best(s') over its choices s', or what a bust is worth)
    best(s) = max(stop(s), roll(s))

**Solitaire.** The least expected number of turns to win the columns (Glenn, Fang and Kruskal 2006). The value u of a
set of markers is minus the turns still needed. Markers only go up too, except that a bust leads back to the same
markers, so u = -1 + T(u), where T(u) is the best value of a turn in which a bust is worth u. The best plan for a guess
of u busts with some probability b and has T = a + b*u, which gives the next guess (a - 1) / (1 - b), the exact value of
that plan. Guesses rise until the plan stays the same, after a few steps (Newton's method, which here is policy
iteration).
"""

# mypy: disable-error-code="no-untyped-call"
from __future__ import annotations

import hashlib
import shlex
import time
from dataclasses import dataclass
from math import prod
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from astragal.errors import AstragalError
from astragal.game.interpreted import interpreted
from astragal.game.position import Position
from astragal.games import game_name, game_spec
from astragal.games.cant_stop.rules import RUNNERS, STOP, TO_DECIDE
from astragal.games.cant_stop.tables import spaces
from astragal.solve.exact import Exact, Report, say_nothing
from astragal.solve.solution_files import file_for, load_arrays, save_arrays

MEASURES = ("points", "evaluation")
MAX_STATES = 2_000_000
CHUNK = 500  # sets of markers solved between two reports
Floats = npt.NDArray[np.float64]


def refuse_other(game: Any, alone: bool = False) -> None:
    if game_name(game) != "cant_stop":
        raise AstragalError(f"turns of Can't Stop can be solved, not of {game_spec(game)}")
    if alone and game.players != 1:
        raise AstragalError(f"the solitaire has one player; {game_spec(game)} has {game.players}")


# One turn


def refuse_turn(position: Position, measure: str) -> None:
    """Say in a sentence why a turn cannot be solved."""
    refuse_other(position.game)
    if measure not in MEASURES:
        raise AstragalError(f"what a turn gains is measured in {' or '.join(MEASURES)}, not in {measure}")
    if position.is_terminal:
        raise AstragalError(f"the game is over at '{position.text}', and no turn is left")


@dataclass(frozen=True)
class TurnSolution:
    """What every action of a turn is worth to the player whose turn it is, from a position on.

    Values are gains over a bust, or minus the turns still needed (``measure`` is ``turns``).
    """

    position: Position
    measure: str
    hashes: npt.NDArray[np.uint64]  # of the states after climbing, sorted
    stop: Floats  # what stopping is worth there
    roll: Floats
    seconds: float = 0.0

    def __len__(self) -> int:
        return len(self.hashes)

    @property
    def start_value(self) -> float:
        return self.value(self.position)

    def value(self, position: Position) -> float:
        """What a position of this turn is worth if the turn is played best."""
        if position.is_chance:
            return float(self.roll[self._find(position)])
        return max(self.action_values(position).values())

    def action_values(self, position: Position) -> dict[int, float]:
        """What each legal action is worth: rolling and stopping, or every choice."""
        if position.state.roll == TO_DECIDE:
            at = self._find(position)
            return {a: float((self.stop if a == STOP else self.roll)[at]) for a in position.actions()}
        return {action: self.value(position.follow(action)) for action in position.actions()}

    def best_action(self, position: Position) -> int:
        values = self.action_values(position)
        return max(values, key=lambda action: values[action])

    def __contains__(self, position: Position) -> bool:
        """Whether a position's runners can stand so in this turn."""
        return not position.is_terminal and self._place(position) is not None

    def _find(self, position: Position) -> int:
        at = self._place(position)
        if at is None:
            raise AstragalError(f"'{position.text}' is not in the turn solved from '{self.position.text}'")
        return at

    def _place(self, position: Position) -> int | None:
        key = climbed_hash(position)
        at = int(np.searchsorted(self.hashes, key))
        return at if at < len(self.hashes) and self.hashes[at] == key else None


def climbed_state(position: Position) -> Any:
    """The state with its runners as they are before any roll, as an array of one record."""
    memory = position.memory
    memory["roll"] = TO_DECIDE
    return memory


def climbed_hash(position: Position) -> np.uint64:
    from astragal.game.random import state_hash
    from astragal.game.state import State

    with np.errstate(over="ignore"):
        return np.uint64(interpreted(state_hash)(State(climbed_state(position))))


class TurnArrays:
    """Room for the states of any turn of a game, and for their values."""

    def __init__(self, game: Any) -> None:
        from astragal.solve.cant_stop_turn import WORK

        heights = [1, *[0] * RUNNERS]  # [runners] -> in how many ways they can stand in the columns seen so far
        for top in game.top.tolist():
            for runners in range(RUNNERS, 0, -1):
                heights[runners] += top * heights[runners - 1]
        most = sum(heights)
        self.work = np.zeros(1, WORK)
        self.states = np.zeros(most, game.state)
        self.hashes = np.zeros(most, np.uint64)
        index = np.zeros(1 << (4 * most).bit_length(), np.uint32)
        self.turn = self.states, self.hashes, index, np.zeros(most, np.int64), self.work
        self.stop = np.zeros(most)
        self.values = np.zeros((most, 3))

    def solution(self, position: Position, measure: str, seconds: float) -> TurnSolution:
        known = int(self.work["known"][0])
        order = np.argsort(self.hashes[:known])
        return TurnSolution(
            position, measure, self.hashes[order], self.stop[order], self.values[order, 0].copy(), seconds
        )


def solve_turn(position: Position, measure: str = "points", keeping: bool = True) -> TurnSolution:
    """The best way through the rest of a turn, and kept on disk unless told otherwise."""
    from astragal.solve.cant_stop_turn import solve_turn_for_gain

    refuse_turn(position, measure)
    game, started = position.game, time.perf_counter()
    arrays = TurnArrays(game)
    solve_turn_for_gain(game, climbed_state(position), arrays.turn, measure == "points", arrays.stop, arrays.values)
    solution = arrays.solution(position, measure, time.perf_counter() - started)
    if keeping:
        arrays_kept = {"hashes": solution.hashes, "stop": solution.stop, "roll": solution.roll}
        save_arrays(turn_path(position, measure), **arrays_kept, seconds=np.array(solution.seconds))
    return solution


def turn_path(position: Position, measure: str) -> Path:
    text = hashlib.sha256(position.text.encode()).hexdigest()[:16]
    return file_for(position.game, f"turn-{measure}-{text}")


def find_turn(position: Position, measure: str = "points") -> TurnSolution | None:
    """The solution of a turn if it was solved before and can be read."""
    arrays = load_arrays(turn_path(position, measure), "hashes", "stop", "roll", "seconds")
    if arrays is None:
        return None
    hashes, stop, roll, seconds = arrays
    return TurnSolution(position, measure, hashes, stop, roll, float(seconds))


# Solitaire


@dataclass(frozen=True)
class Solitaire(Exact):
    """The fewest turns that a player alone needs, by where the markers are."""

    game: Any
    turns: Floats  # by the number of the markers, the first for a whole game
    seconds: float

    def turns_left(self, position: Position) -> float:
        """The expected number of turns from a position on, the one that is under way included."""
        return -self.turn(position).start_value if not position.is_terminal else 0.0

    def value(self, position: Position) -> float:
        """The game's utility, 100 less the turns, if the fewest are taken.

        The game counts no more than 200 turns, which no good player comes near; that is left out here.
        """
        return 100.0 - float(position.state.turn) - self.turns_left(position)

    def action_values(self, position: Position) -> dict[int, float]:
        values = self.turn(position).action_values(position)  # one turn solved, not one for each action
        return {action: 100.0 - position.state.turn + value for action, value in values.items()}

    def facts(self, position: Position) -> dict[str, Any]:
        return {"turns": self.turns_left(position), "states": len(self.turns), "seconds": self.seconds}

    def turn(self, position: Position) -> TurnSolution:
        """The best way through the rest of a turn."""
        from astragal.solve.cant_stop_turn import solve_turn_for_markers

        if position.game != self.game:
            raise AstragalError(f"{game_spec(self.game)} was solved, not {game_spec(position.game)}")
        arrays, root, number = TurnArrays(self.game), climbed_state(position), marker_number(position)
        step, values = strides(self.game), -self.turns
        solve_turn_for_markers(self.game, root, arrays.turn, step, number, values, arrays.stop, arrays.values)
        arrays.stop -= 1.0  # the turn that is under way
        arrays.values -= 1.0
        return arrays.solution(position, "turns", 0.0)


def strides(game: Any) -> npt.NDArray[np.int64]:
    """[column] -> what a space there adds to the number of a set of markers."""
    tops = game.top.tolist()
    return np.array([prod(top + 1 for top in tops[:column]) for column in range(len(tops))], np.int64)


def marker_number(position: Position) -> int:
    markers = position.state.markers[0]
    return sum(int(stride) * spaces(markers, c) for c, stride in enumerate(strides(position.game)))


def solve_solitaire(game: Any, max_states: int = MAX_STATES, report: Report = say_nothing) -> Solitaire:
    """Solve the solitaire for every set of markers, from the highest to the lowest, and keep the result."""
    from astragal.game.interruptible import run_interruptible
    from astragal.solve.cant_stop_turn import solve_markers

    refuse_other(game, alone=True)
    size = prod(top + 1 for top in game.top.tolist())
    if size > max_states:
        raise AstragalError(
            f"{game_spec(game)} has {size:,} sets of markers, more than {max_states:,}; "
            "solve it with fewer sides or shorter columns, or raise --max-states"
        )
    started = time.perf_counter()
    arrays, values = TurnArrays(game), np.zeros(size)
    root = Position.start(game).memory
    root["roll"] = TO_DECIDE

    def work() -> None:
        for end in range(size, 0, -CHUNK):
            if arrays.work["stop"][0]:
                return
            begin = max(0, end - CHUNK)
            solve_markers(game, root, arrays.turn, strides(game), begin, end, values, arrays.stop, arrays.values)
            report("states", size - begin)

    def stop() -> None:
        arrays.work["stop"] = 1

    run_interruptible(work, stop)
    solution = Solitaire(game, 0.0 - values, time.perf_counter() - started)
    save_arrays(solitaire_path(game), turns=solution.turns, seconds=np.array(solution.seconds))
    return solution


def solitaire_path(game: Any) -> Path:
    return file_for(game, "solitaire")


def find_solitaire(game: Any) -> Solitaire | None:
    """The solitaire if it was solved before and can be read."""
    arrays = load_arrays(solitaire_path(game), "turns", "seconds")
    return None if arrays is None else Solitaire(game, arrays[0], float(arrays[1]))


# As `astragal.solve.exact` asks for it


def solves(position: Position) -> bool:
    return bool(position.game.players == 1)


def kept_file(position: Position) -> Path:
    return solitaire_path(position.game)


def find_kept(position: Position) -> Solitaire | None:
    return find_solitaire(position.game)


def solve_position(position: Position, max_states: int = MAX_STATES, report: Report = say_nothing) -> Solitaire:
    return solve_solitaire(position.game, max_states, report)


def on_demand(position: Position) -> Solitaire:
    """The solitaire as it was kept: to solve it takes too long to do unasked."""
    solution = find_solitaire(position.game)
    if solution is None:
        spec = game_spec(position.game)
        raise AstragalError(f"{spec} is not solved yet: run astragal solve {shlex.quote(spec)}")
    return solution
