"""Kernels that go through one turn of Can't Stop backwards (see `astragal.solve.cant_stop`).

A ``turn`` is a tuple of arrays: the states that the turn can lead to, each as it is after climbing, their hashes, the
index that finds a state by its hash, an order in which to solve them, and a work record.
"""

# mypy: allow-untyped-defs, allow-untyped-calls
from __future__ import annotations

import numpy as np

from astragal.game.decorator import CHANCE, TERMINAL
from astragal.game.kernel import kernel
from astragal.game.native import local_copy, scratch
from astragal.games.cant_stop.rule28 import RULE_OF_28
from astragal.games.cant_stop.rules import RUNNERS, TO_ROLL, nth_choice
from astragal.games.cant_stop.tables import SPACES, packed_spaces, spaces
from astragal.solve.graph import number_of

WORK = np.dtype([("known", "i8"), ("stop", "i8")])
EXACT = 1e-13  # guesses that differ by less, relative to their size, are the same
HIGHEST = RUNNERS * SPACES  # spaces climbed in a turn


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


@kernel(entry="Can't Stop, one turn")
def solve_turn_for_gain(game, roots, turn, by_points, stop, values):
    """Solve a turn from a root; stopping is worth what it gains, and a bust nothing."""
    list_turn(game, roots[0], turn)
    states, _, _, _, works = turn
    for i in range(works[0].known):
        state = local_copy(states[i])
        stop[i] = RULE_OF_28.points(game, state) if by_points else evaluation_gain(game, state)
    solve_states(game, turn, stop, 0.0, values)


@kernel
def evaluation_gain(game, state):
    mover = game.mover(state)
    lost = local_copy(state)
    game.end_turn(lost)
    lost.roll = TO_ROLL
    game.stop(state)
    after = game.utility(state, mover) if game.turn(state) == TERMINAL else game.heuristic(state, mover)
    return after - game.heuristic(lost, mover)


@kernel(entry="Can't Stop, one turn of the solitaire")
def solve_turn_for_markers(game, roots, turn, stride, number, solved, stop, values):
    """Solve a turn from a root with these markers; stopping is worth what the markers are then."""
    list_turn(game, roots[0], turn)
    value_after_stopping(game, turn, stride, number, solved, stop)
    solve_states(game, turn, stop, solved[number], values)


@kernel(entry="Can't Stop, solitaire")
def solve_markers(game, roots, turn, stride, begin, end, solved, stop, values):
    """Solve the sets of markers with numbers from end - 1 down to begin, given all higher ones."""
    for number in range(end - 1, begin - 1, -1):
        if turn[4][0].stop != 0:
            return
        root, mirrored = local_copy(roots[0]), 0
        root.markers[0] = 0
        root.closed = 0
        for column in range(game.columns):
            here = number // stride[column] % (game.top[column] + 1)
            mirrored += here * stride[game.columns - 1 - column]
            root.markers[0] += packed_spaces(here, column)
            root.closed |= np.int64(here == game.top[column]) << column
        if game.won(root, 0) >= game.goal:
            solved[number] = 0.0
        elif mirrored > number:  # the board looks the same from both sides
            solved[number] = solved[mirrored]
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
