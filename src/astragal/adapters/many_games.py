"""The kernel of vectorised environments: a step in each of many games, with all that chance does after it."""

# mypy: allow-untyped-defs, allow-untyped-calls
from __future__ import annotations

import numpy as np

from astragal.compiler.intrinsics.native import assign, scratch
from astragal.compiler.kernel import kernel
from astragal.learn.derived import BY_FIRST, BY_MOVER
from astragal.rules.decorator import CHANCE, TERMINAL
from astragal.rules.random import next_word, upper

RUNNING, OVER, ILLEGAL, OUT_OF_RANGE = range(4)  # what a game is


@kernel(entry="steps of many games")
def step_games(game, steps, starts, states, made, status, generators, actions, masks, seen, players, rewards):
    """Make a step in each game; a game that is over begins anew instead. The first game whose numbers are out of range,
    or -1."""
    for i in range(len(states)):
        state = states[i]
        for player in range(game.players):
            rewards[i, player] = 0.0
        if status[i] != RUNNING:
            generators[i], word = next_word(generators[i])
            assign(state, starts[upper(word) * len(starts) >> 32])
            made[i], status[i] = 0, RUNNING
        else:
            step = actions[i]
            if not 0 <= step < steps.size or masks[i, step] == 0:
                rewards[i, players[i]] = game.utility_range[0]
                status[i] = ILLEGAL
            else:
                made[i] = steps.take(game, state, made[i], step)
        for number in range(steps.size):
            masks[i, number] = 0
        if status[i] == RUNNING:
            settle(game, steps, i, states, made, status, generators, masks, players)
        if status[i] == OUT_OF_RANGE:
            return i
        for number in range(game.inputs):
            seen[i, number] = 0
        if status[i] == RUNNING:
            look(game, state, np.int64(players[i]), seen[i])
            continue
        masks[i, 0] = 1  # the next step begins a new game, whatever its number
        if status[i] == OVER:
            for player in range(game.players):
                rewards[i, player] = game.utility(state, player)
    return -1


@kernel
def settle(game, steps, i, states, made, status, generators, masks, players):
    """Draw what chance decides, and make forced passes, up to the next decision or the end."""
    state = states[i]
    while True:
        turn = np.int64(game.turn(state))
        if turn == TERMINAL:
            status[i] = OVER
            return
        if turn == CHANCE:
            generators[i], word = next_word(generators[i])
            game.deal(state, game.draw(state, upper(word)))
            continue
        count = steps.write_legal(game, state, np.int64(made[i]), masks[i])
        if count > 0:
            players[i] = turn
            return
        if count < 0:
            status[i] = OUT_OF_RANGE
            return
        steps.end_turn(game, state)
        made[i] = 0


@kernel
def look(game, state, turn, seen):
    """Count the inputs of a state that are on, as its evaluation sees it."""
    player = turn
    if game.views == BY_MOVER:
        player = np.int64(game.mover(state))
    elif game.views == BY_FIRST:
        player = 0
    listed = scratch(np.uint32, game.most_inputs)
    for k in range(game.inputs_on(state, player, listed)):
        seen[listed[k]] += np.uint8(1)
