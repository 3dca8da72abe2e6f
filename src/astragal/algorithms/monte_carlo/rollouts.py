"""Random games, played out by kernels."""

# mypy: allow-untyped-defs, allow-untyped-calls
from __future__ import annotations

import numpy as np

from astragal.compiler.guard import in_turn
from astragal.compiler.intrinsics.native import assign, local_copy
from astragal.compiler.kernel import kernel
from astragal.rules.decorator import CHANCE, TERMINAL
from astragal.rules.random import next_word, upper


@kernel
def random_step(game, state, turn, word):
    """One ply at random: an outcome by its probability, or a uniformly random action."""
    if turn == CHANCE:
        game.deal(state, game.draw(state, upper(word)))
    else:
        game.play(state, game.pick(state, upper(word)))


@kernel
def play_out(game, state, generator, cap):
    """Play a state to its end at random, or for cap decisions; the generator's new state and the decisions made."""
    if game.has_rollout:
        return game.rollout(state, generator, cap)
    decisions, turn = 0, np.int64(CHANCE)
    while decisions < cap:
        turn = np.int64(game.turn(state))
        if turn < CHANCE or turn >= game.players:
            break
        generator, word = next_word(generator)
        random_step(game, state, turn, word)
        decisions += turn != CHANCE
    if turn != TERMINAL:
        in_turn(game, state, turn)
    return generator, decisions


@kernel(entry="random games")
def random_games(game, root, count, seed, cap):
    """Play random games from a root; the decisions made, player 0's summed utility, the games cut off at the cap."""
    decisions, total, unfinished = 0, 0.0, 0
    generator = np.uint64(seed)
    state = local_copy(root[0])
    for _ in range(count):
        assign(state, root[0])
        generator, made = play_out(game, state, generator, cap)
        decisions += made
        if game.turn(state) == TERMINAL:
            total += game.utility(state, 0)
        else:
            unfinished += 1
    return decisions, total, unfinished
