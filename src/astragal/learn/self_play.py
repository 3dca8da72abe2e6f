"""Self-play in a kernel: games by the evaluation that is learned, and TD(lambda) on the states they went through.

Every player makes the move after which the evaluation is best for them, now and then any move. What is learned from is
each state of a game in which the inputs are others than before it: after a move and, if inputs depend on dice, after
the roll. At the end of a game its states' targets are their lambda-returns (the forward view of Sutton 1988), each a
mean of the evaluations after it and of the result; with lambda = 1 that is regression on results. What follows a random
move is no part of the targets before it.

The games of a batch are all played with the weights that it begins with, each from random words of its own, and then
learned from in their order. So threads can play them, and what is learned does not depend on how many there are.

With a depth above 1 moves are made by a shallow search (`look_ahead`), and with `leaf` what is learned from is not
the states of a game but the leaves that its searches' values came from: TD-leaf (Baxter, Tridgell & Weaver 1998).
"""

# mypy: allow-untyped-defs, allow-untyped-calls
from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from astragal.compiler.guard import in_turn
from astragal.compiler.intrinsics.native import assign, local_copy, scratch
from astragal.compiler.kernel import kernel
from astragal.learn.derived import BY_EACH, BY_MOVER
from astragal.learn.look_ahead import chosen_action, value_ahead
from astragal.rules.decorator import CHANCE, TERMINAL
from astragal.rules.random import next_word, upper

WORK = np.dtype(
    [
        ("generator", "u8"),
        ("games", "i8"),  # to play
        ("longest", "i8"),  # plies of a game that is not over, after which its evaluation is its result
        ("opening", "i8"),  # random moves at the beginning of a game, at most
        ("rate", "f8"),
        ("decay", "f8"),  # lambda
        ("random", "f8"),  # share of random moves
        ("taught", "i8"),  # whether the teacher's evaluation makes the moves
        ("depth", "i8"),  # decisions that are looked ahead to make a move
        ("leaf", "i8"),  # whether leaves of searches are learned, and not states of the game
        ("played", "i8"),  # what was done
        ("steps", "i8"),
        ("plies", "i8"),
        ("errors", "f8"),
        ("cut", "i8"),  # games that were too long
        ("stop", "i8"),  # set from outside
    ]
)


NOTHING = -1


@kernel
def by_chance(word, share):
    """Whether a random word is among so large a share."""
    return np.float64(word >> np.uint64(11)) < share * 9007199254740992.0


class Notes(NamedTuple):
    """Room for what is written down of a game, and for the leaves of searches: a row a step, or a step and view."""

    listed: Any  # inputs
    counts: Any  # how many of them; NOTHING of a state that is not learned
    seats: Any  # whose view it is
    values: Any  # [step, player, chance], from -1 to 1
    offsets: Any  # [step] -> by how much the value of what is learned is above that of the step
    breaks: Any  # [step] -> whether it does not follow from play
    returns: Any  # [player, chance] -> the lambda-return of the step that is learned
    leaves: Any  # [decisions left] -> the leaf below


@kernel
def views_at(game, state, views):
    """Write whose views of a state are learned; return how many."""
    if game.views == BY_EACH:
        for player in range(game.players):
            views[player] = player
        return game.players
    views[0] = game.mover(state) if game.views == BY_MOVER else 0
    return 1


@kernel
def note_state(game, state, steps, notes):
    """Write the inputs of a state down, and its values; return how many steps there are, no more than before if its
    inputs are those of the step before."""
    listed, counts, seats = notes.listed, notes.counts, notes.seats
    views = scratch(np.int64, game.players)
    sums, chances = scratch(np.float32, game.row_size), scratch(np.float64, game.chances)
    count = views_at(game, state, views)
    same = steps > 0
    for k in range(count):
        at = steps * count + k
        on = game.inputs_on(state, views[k], listed[at])
        same = same and counts[at - count] == on and seats[at - count] == views[k]
        for i in range(on):
            same = same and listed[at - count, i] == listed[at, i]
        counts[at], seats[at] = on, views[k]
        game.add_up(listed[at], on, sums)
        game.write_chances(sums, chances)
        for chance in range(game.chances):
            value = chances[chance]
            notes.values[steps, views[k], chance] = value
            if game.views != BY_EACH:  # the other's end is above a step where this one's is not above its mirror image
                notes.values[steps, 1 - views[k], game.chances - 1 - chance] = -value
    notes.offsets[steps] = 0.0
    return steps if same else steps + 1


@kernel
def note_leaf(game, state, turn, depth, word, steps, notes):
    """Search, and write down the leaf with the search's value; return the best action. For games of two, and models
    with one chance."""
    value, action = value_ahead(game, state, turn, depth, -np.inf, np.inf, word, notes.leaves)
    worth = min(1.0, max(-1.0, (value - game.middle) / game.reach))
    leaf = local_copy(notes.leaves[depth])
    ended = game.turn(leaf) == TERMINAL
    note_state(game, leaf if not ended else state, steps, notes)
    seat = notes.seats[steps]
    if ended:
        notes.counts[steps] = NOTHING
    notes.offsets[steps] = notes.values[steps, seat, 0] - (worth if seat == turn else -worth)
    notes.values[steps, turn, 0], notes.values[steps, 1 - turn, 0] = worth, -worth
    return action


@kernel
def play_game(game, teacher, state, work, notes):
    """Play a game to its end, or as long as there is room; return how many steps were noted."""
    generator, word = next_word(work.generator)
    opening = np.int64(upper(word) * (work.opening + 1) >> 32)
    room = len(notes.values) - 1
    depth, by_leaves = np.int64(work.depth), work.leaf != 0
    steps, plies = 0, 0
    turn = np.int64(game.turn(state))
    while turn != TERMINAL and steps < room and plies < work.longest:
        in_turn(game, state, turn)
        generator, word = next_word(generator)
        before = steps
        if turn == CHANCE:
            game.deal(state, game.draw(state, upper(word)))
        elif opening > 0 or by_chance(word, work.random):
            generator, word = next_word(generator)
            game.play(state, game.pick(state, upper(word)))
            steps = 0 if opening > 0 else steps
            opening -= 1
            notes.breaks[steps] = True  # the step that comes next does not follow from play
            before = steps
        else:
            action = np.int64(-1)
            if by_leaves:
                action = note_leaf(game, state, turn, depth, word, steps, notes)
                steps += 1
            if work.taught != 0:
                action = chosen_action(teacher, state, turn, depth, notes.leaves)
            elif not by_leaves:
                action = chosen_action(game, state, turn, depth, notes.leaves)
            game.play(state, action)
        plies += 1
        turn = np.int64(game.turn(state))
        if turn != TERMINAL and not by_leaves:
            steps = note_state(game, state, steps, notes)
        if steps > before:
            notes.breaks[steps] = False
    work.generator = generator
    work.plies += plies
    work.cut += turn != TERMINAL
    return steps


@kernel
def note_end(game, state, steps, notes):
    """What the last step of a game is followed by: its result or, where it was not played on, what it was worth."""
    ended = game.turn(state) == TERMINAL
    for player in range(game.players):
        result = (game.utility(state, player) - game.middle) / game.reach if ended else 0.0
        for chance in range(game.chances):
            notes.values[steps, player, chance] = (
                game.part(result, chance) if ended else notes.values[steps - 1, player, chance]
            )


@kernel
def learn_game(game, steps, work, notes):
    """Learn the steps of a game from its last to its first."""
    values, returns = notes.values, notes.returns
    sums = scratch(np.float32, game.row_size)
    views = 1 if game.views != BY_EACH else game.players
    for step in range(steps - 1, -1, -1):
        broken_off = notes.breaks[step + 1]  # what comes next does not follow from play
        for player in range(game.players):
            for chance in range(game.chances):
                after = values[step + 1, player, chance]
                if broken_off:
                    returns[player, chance] = values[step, player, chance]
                elif step == steps - 1:
                    returns[player, chance] = after
                else:
                    returns[player, chance] = (1.0 - work.decay) * after + work.decay * returns[player, chance]
        if broken_off:
            continue
        for k in range(views):
            at = step * views + k
            count = np.int64(notes.counts[at])
            if count != NOTHING:
                targets = returns[np.int64(notes.seats[at])]
                offset = notes.offsets[step]
                work.errors += game.learn_step(notes.listed[at], count, sums, targets, offset, work.rate)
        work.steps += 1


@kernel
def note_game(game, teacher, starts, state, work, notes):
    """Play a game from one of the set-ups, and write down what can be learned of it; return how many steps."""
    generator, word = next_word(work.generator)
    work.generator = generator
    assign(state, starts[np.int64(upper(word) * len(starts) >> 32)])
    notes.breaks[0] = False
    steps = play_game(game, teacher, state, work, notes)
    if steps > 0:
        note_end(game, state, steps, notes)
    work.played += 1
    return steps


@kernel(entry="self-play")
def learn_by_play(game, teacher, starts, works, notes):
    """Play games against itself, by its own evaluation or while it is taught by another, and learn from each."""
    work = works[0]
    state = local_copy(starts[0])
    while work.played < work.games and work.stop == 0:
        learn_game(game, note_game(game, teacher, starts, state, work, notes), work, notes)


@kernel
def notes_of(notes, number):
    """The room of one game of a batch."""
    return Notes(
        notes.listed[number],
        notes.counts[number],
        notes.seats[number],
        notes.values[number],
        notes.offsets[number],
        notes.breaks[number],
        notes.returns[number],
        notes.leaves[number],
    )


@kernel(entry="self-play, games of a batch")
def play_batch(game, teacher, starts, works, first, step, steps, notes):
    """Play the games of a batch from a first one in steps, and write down what can be learned of each."""
    state = local_copy(starts[0])
    for number in range(first, len(works), step):
        if works[number].stop == 0:
            steps[number] = note_game(game, teacher, starts, state, works[number], notes_of(notes, number))


@kernel(entry="self-play, learning of a batch")
def learn_batch(game, works, steps, notes):
    """Learn from the games of a batch, in their order."""
    for number in range(len(works)):
        learn_game(game, steps[number], works[number], notes_of(notes, number))
