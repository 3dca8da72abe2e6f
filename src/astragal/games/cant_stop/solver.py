"""Exact values in Can't Stop: the solitaire in the fewest turns.

The least expected number of turns to win the columns (Glenn, Fang and Kruskal 2006). The value u of a set of markers is
minus the turns still needed. Within a turn, runners only go up, so its states are solved from the highest to the
lowest:

    roll(s) = sum over rolls of p * (the best of best(s') over its choices s', or what a bust is worth)
    best(s) = max(stop(s), roll(s))

Markers only go up too, except that a bust leads back to the same markers, so u = -1 + T(u), where T(u) is the best
value of a turn in which a bust is worth u. The best plan for a guess of u busts with some probability b and has T = a +
b*u, which gives the next guess (a - 1) / (1 - b), the exact value of that plan. Guesses rise until the plan stays the
same, after a few steps (Newton's method, which here is policy iteration).
"""

# mypy: allow-untyped-defs, allow-untyped-calls
from __future__ import annotations

import shlex
import time
from collections.abc import Iterator
from dataclasses import dataclass
from math import prod
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from astragal.base.errors import AstragalError
from astragal.base.interruptible import run_interruptible
from astragal.compiler.interpreted import interpreted
from astragal.compiler.intrinsics.native import local_copy, scratch
from astragal.compiler.kernel import kernel
from astragal.games import game_name, game_spec
from astragal.games.cant_stop.rules import RUNNERS, STOP, TO_DECIDE, TO_ROLL, nth_choice
from astragal.games.cant_stop.tables import SPACES, packed_spaces, spaces
from astragal.rules.decorator import CHANCE
from astragal.rules.position import Position
from astragal.solvers.exact import Exact, Report, say_nothing
from astragal.solvers.graph import number_of
from astragal.solvers.sharing import Team, threads_taken
from astragal.solvers.solution import file_for, load_arrays, save_arrays

MAX_STATES = 2_000_000
REPORTED = 500  # sets of markers solved between two reports
CHUNK = 50  # sets of markers that a thread solves at a time
WORK = np.dtype([("known", "i8"), ("stop", "i8")])
EXACT = 1e-13  # guesses that differ by less, relative to their size, are the same
HIGHEST = RUNNERS * SPACES  # spaces climbed in a turn
Floats = npt.NDArray[np.float64]


def refuse_other(game: Any) -> None:
    if game_name(game) != "cant_stop":
        raise AstragalError(f"the solitaire of Can't Stop can be solved, not {game_spec(game)}")
    if game.players != 1:
        raise AstragalError(f"the solitaire has one player; {game_spec(game)} has {game.players}")


# Kernels. A ``turn`` is a tuple of arrays: the states that the turn can lead to, each as it is after climbing, their
# hashes, the index that finds a state by its hash, an order in which to solve them, and a work record.


@kernel
def list_turn(game, root, turn):
    """Number all states that a turn can lead to from a root, each as it is after climbing."""
    states, hashes, index, _, works = turn
    work = works[0]
    index[:] = 0
    work.known = 0
    number_of(root, (states, hashes, index), work)
    expanded = 0
    while expanded < work.known:
        state = local_copy(states[expanded])
        state.roll = TO_ROLL
        for roll in range(game.max_outcomes):
            if game.representative(state, roll) == roll:
                after = local_copy(state)
                game.deal(after, roll)
                if game.turn(after) != CHANCE:
                    found, count = game.choices(after)
                    for k in range(count):
                        climbed = local_copy(after)
                        game.play(climbed, nth_choice(found, k))
                        number_of(climbed, (states, hashes, index), work)
        expanded += 1
    sort_turn(game, turn)


@kernel
def sort_turn(game, turn):
    """Order the states by the spaces that their runners have climbed, most first."""
    states, _, _, order, works = turn
    known = works[0].known
    first = np.zeros(HIGHEST + 1, np.int64)
    for i in range(known):
        first[all_climbed(game, states[i])] += 1
    total = 0
    for height in range(len(first) - 1, -1, -1):
        first[height], total = total, total + first[height]
    for i in range(known):
        height = all_climbed(game, states[i])
        order[first[height]] = i
        first[height] += 1


@kernel
def all_climbed(game, state):
    total = 0
    for column in range(game.columns):
        total += spaces(state.climbed, column)
    return total


@kernel
def solve_states(game, turn, stop, bust, values):
    """Go through a turn backwards, given what stopping and a bust are worth.

    Columns of values: of rolling, of the best action, and the probability that the best plan ends in a bust.
    """
    states, _, _, order, works = turn
    for k in range(works[0].known):
        i = order[k]
        state = local_copy(states[i])
        value, busts = rolled_value(game, turn, state, bust, values)
        values[i, 0], values[i, 1], values[i, 2] = value, value, busts
        if state.placed != 0 and stop[i] >= value:
            values[i, 1], values[i, 2] = stop[i], 0.0


@kernel
def rolled_value(game, turn, state, bust, values):
    """What rolling is worth, and how likely a bust is before the turn ends."""
    states, hashes, index, _, works = turn
    chances = scratch(np.float64, game.max_outcomes)
    state.roll = TO_ROLL
    for roll in range(game.max_outcomes):
        chances[roll] = 0.0
    for roll in range(game.max_outcomes):
        chances[game.representative(state, roll)] += game.probability(state, roll)
    value, busts = 0.0, 0.0
    for roll in range(game.max_outcomes):
        if chances[roll] > 0.0:
            after = local_copy(state)
            game.deal(after, roll)
            best, risk = bust, 1.0
            if game.turn(after) != CHANCE:
                best = -np.inf
                found, count = game.choices(after)
                for k in range(count):
                    climbed = local_copy(after)
                    game.play(climbed, nth_choice(found, k))
                    child = number_of(climbed, (states, hashes, index), works[0])
                    if values[child, 1] > best:
                        best, risk = values[child, 1], values[child, 2]
            value += chances[roll] * best
            busts += chances[roll] * risk
    return value, busts


@kernel(entry="Can't Stop, one turn of the solitaire")
def solve_turn_for_markers(game, roots, turn, stride, number, solved, stop, values):
    """Solve a turn from a root with these markers; stopping is worth what the markers are then."""
    list_turn(game, roots[0], turn)
    value_after_stopping(game, turn, stride, number, solved, stop)
    solve_states(game, turn, stop, solved[number], values)


@kernel(entry="Can't Stop, solitaire")
def solve_markers(game, roots, turn, stride, numbers, solved, stop, values):
    """Solve the sets of markers with these numbers, given all higher ones."""
    for number in numbers:
        if turn[4][0].stop != 0:
            return
        root = local_copy(roots[0])
        root.markers[0] = 0
        root.closed = 0
        for column in range(game.columns):
            here = number // stride[column] % (game.top[column] + 1)
            root.markers[0] += packed_spaces(here, column)
            root.closed |= np.int64(here == game.top[column]) << column
        if game.won(root, 0) >= game.goal:
            solved[number] = 0.0
        else:
            list_turn(game, root, turn)
            value_after_stopping(game, turn, stride, number, solved, stop)
            solved[number] = solve_busts(game, turn, stop, values)


@kernel
def value_after_stopping(game, turn, stride, number, solved, stop):
    states, _, _, _, works = turn
    for i in range(works[0].known):
        after = number
        for column in range(game.columns):
            after += stride[column] * spaces(states[i].climbed, column)
        stop[i] = solved[after]


@kernel
def solve_busts(game, turn, stop, values):
    """The value of markers to which a bust leads back."""
    guess, before = -10.0, -np.inf
    while abs(guess - before) > EXACT * abs(guess):
        before = guess
        solve_states(game, turn, stop, guess, values)
        total, busts = values[0, 1], values[0, 2]
        guess = (total - busts * guess - 1.0) / (1.0 - busts)
    return guess


# One turn


@dataclass(frozen=True)
class TurnSolution:
    """What every action of a turn is worth to the player whose turn it is, from a position on.

    Values are minus the turns still needed.
    """

    position: Position
    hashes: npt.NDArray[np.uint64]  # of the states after climbing, sorted
    stop: Floats  # what stopping is worth there
    roll: Floats

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

    def _find(self, position: Position) -> int:
        return int(np.searchsorted(self.hashes, climbed_hash(position)))


def climbed_state(position: Position) -> Any:
    """The state with its runners as they are before any roll, as an array of one record."""
    memory = position.memory
    memory["roll"] = TO_DECIDE
    return memory


def climbed_hash(position: Position) -> np.uint64:
    from astragal.compiler.records import State
    from astragal.rules.random import state_hash

    with np.errstate(over="ignore"):
        return np.uint64(interpreted(state_hash)(State(climbed_state(position))))


class TurnArrays:
    """Room for the states of any turn of a game, and for their values."""

    def __init__(self, game: Any) -> None:
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

    def solution(self, position: Position) -> TurnSolution:
        known = int(self.work["known"][0])
        order = np.argsort(self.hashes[:known])
        return TurnSolution(position, self.hashes[order], self.stop[order], self.values[order, 0].copy())


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
        if position.game != self.game:
            raise AstragalError(f"{game_spec(self.game)} was solved, not {game_spec(position.game)}")
        arrays, root, number = TurnArrays(self.game), climbed_state(position), marker_number(position)
        step, values = strides(self.game), -self.turns
        solve_turn_for_markers(self.game, root, arrays.turn, step, number, values, arrays.stop, arrays.values)
        arrays.stop -= 1.0  # the turn that is under way
        arrays.values -= 1.0
        return arrays.solution(position)


def strides(game: Any) -> npt.NDArray[np.int64]:
    """[column] -> what a space there adds to the number of a set of markers."""
    tops = game.top.tolist()
    return np.array([prod(top + 1 for top in tops[:column]) for column in range(len(tops))], np.int64)


def marker_number(position: Position) -> int:
    markers = position.state.markers[0]
    return sum(int(stride) * spaces(markers, c) for c, stride in enumerate(strides(position.game)))


def layers_of(game: Any) -> Iterator[tuple[npt.NDArray[np.int64], tuple[Any, Any]]]:
    """The numbers of sets of markers in layers, the most spaces first: none depends on another of its layer.

    Boards that look the same from both sides are solved once; beside each layer stand those left out and their twins.
    """
    numbers = np.arange(prod(top + 1 for top in game.top.tolist()))
    spaces_of, mirrored = np.zeros((2, len(numbers)), np.int64)
    step = strides(game)
    for column, top in enumerate(game.top.tolist()):
        here = numbers // step[column] % (top + 1)
        spaces_of += here
        mirrored += here * step[game.columns - 1 - column]
    order = np.argsort(-spaces_of, kind="stable")
    for layer in np.split(order, np.flatnonzero(np.diff(spaces_of[order])) + 1):
        twin = mirrored[layer]
        yield layer[twin <= layer], (layer[twin > layer], twin[twin > layer])


def solve_solitaire(game: Any, max_states: int = MAX_STATES, report: Report = say_nothing) -> Solitaire:
    """Solve the solitaire for every set of markers, from the highest to the lowest, and keep the result."""
    refuse_other(game)
    size = prod(top + 1 for top in game.top.tolist())
    if size > max_states:
        raise AstragalError(
            f"{game_spec(game)} has {size:,} sets of markers, more than {max_states:,}; "
            "solve it with fewer sides or shorter columns, or raise --max-states"
        )
    started, threads = time.perf_counter(), threads_taken.get()
    arrays, values = [TurnArrays(game) for _ in range(threads)], np.zeros(size)
    root, step = Position.start(game).memory, strides(game)
    root["roll"] = TO_DECIDE

    def work() -> None:
        known = shown = 0
        with Team(threads) as team:
            for numbers, mirrored in layers_of(game):
                team.share(solve, [numbers[first : first + CHUNK] for first in range(0, len(numbers), CHUNK)])
                values[mirrored[0]] = values[mirrored[1]]
                known += len(numbers) + len(mirrored[0])
                if known - shown >= REPORTED or known == size:
                    shown = known
                    report("states", known)

    def solve(thread: int, numbers: npt.NDArray[np.int64]) -> None:
        own = arrays[thread]
        solve_markers(game, root, own.turn, step, numbers, values, own.stop, own.values)

    def stop() -> None:
        for each in arrays:
            each.work["stop"] = 1

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


# As `astragal.solvers.exact` asks for it


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
