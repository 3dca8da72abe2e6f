"""A random game written down ply by ply by a kernel, so that the compiled and the interpreted run can be compared."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from astragal.compiler.interpreted import run_interpreted
from astragal.compiler.intrinsics.native import fold, local_copy, scratch
from astragal.compiler.kernel import kernel
from astragal.rules.decorator import CHANCE, TERMINAL
from astragal.rules.random import KEY, MIX, next_word, state_hash, upper

PLY = np.dtype(
    [
        ("turn", "i8"),
        ("state", "u8"),  # hash of the state's memory
        ("count", "i8"),  # how many actions or outcomes are listed
        ("listed", "u8"),  # hash of the list, in order
        ("chance", "f8"),  # sum of the outcomes' probabilities
        ("value", "f8"),  # heuristic, or utility at the end, of player 0
        ("preferred", "i8"),  # the preferred action, or the sum of the outcomes that stand for those listed
        ("skipped", "u8"),  # hash of the state after a null move
        ("hidden", "i8"),
        ("concealed", "u8"),  # hash of the state as the player to move sees it
        ("chosen", "i8"),
    ]
)
Plies = npt.NDArray[np.void]


@kernel(entry="random games, ply by ply")
def trace(game: Any, root: Any, seed: Any, plies: Any) -> Any:
    """Fill plies with a random game; return how many there were."""
    state = local_copy(root[0])
    generator = np.uint64(seed)
    for i in range(len(plies)):
        ply = plies[i]
        turn = game.turn(state)
        ply.turn = turn
        ply.state = state_hash(state)
        if turn == TERMINAL:
            ply.value = game.utility(state, 0)
            return i + 1
        generator, word = next_word(generator)
        if turn == CHANCE:
            list_outcomes(game, state, ply)
            ply.chosen = game.draw(state, upper(word))
            game.deal(state, np.int64(ply.chosen))
        else:
            list_actions(game, state, ply)
            ply.value = game.heuristic(state, 0)
            ply.preferred = game.prefer(state, upper(word))
            passed = local_copy(state)
            game.skip(passed)
            ply.skipped = state_hash(passed)
            ply.hidden = game.hidden(state)
            known = local_copy(state)
            game.conceal(known)
            ply.concealed = state_hash(known)
            ply.chosen = game.pick(state, upper(word))
            game.play(state, np.int64(ply.chosen))
    return len(plies)


@kernel
def list_outcomes(game: Any, state: Any, ply: Any) -> None:
    outcomes = scratch(np.uint32, game.max_outcomes)
    ply.count = game.outcomes(state, outcomes)
    ply.listed = MIX
    ply.chance = 0.0
    for i in range(ply.count):
        ply.chance += game.probability(state, np.int64(outcomes[i]))
        ply.listed = fold(ply.listed ^ np.uint64(outcomes[i]), KEY)
        ply.preferred += game.representative(state, np.int64(outcomes[i]))


@kernel
def list_actions(game: Any, state: Any, ply: Any) -> None:
    actions = scratch(np.uint32, game.max_actions)
    ply.count = game.actions(state, actions)
    ply.listed = MIX
    for i in range(ply.count):
        ply.listed = fold(ply.listed ^ np.uint64(actions[i]), KEY)


def compiled_trace(game: Any, memory: Any, seed: int, length: int) -> Plies:
    plies = np.zeros(length, PLY)
    return plies[: trace(game, memory, seed, plies)]


def interpreted_trace(game: Any, memory: Any, seed: int, length: int) -> Plies:
    plies = np.zeros(length, PLY)
    return plies[: run_interpreted(trace, game, memory, np.uint64(seed), plies)]
