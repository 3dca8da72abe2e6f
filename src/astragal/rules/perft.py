"""Counting sequences of plies, compiled."""

from __future__ import annotations

from typing import Any

import numpy as np

from astragal.base.interruptible import run_interruptible
from astragal.compiler.intrinsics.native import local_copy, scratch
from astragal.compiler.kernel import kernel
from astragal.rules.decorator import CHANCE, TERMINAL
from astragal.rules.position import Position

STOP = np.dtype([("stop", "i8")])


def count_sequences(position: Position, plies: int) -> int:
    """The number of sequences of exactly `plies` decisions and chance outcomes."""
    flag = np.zeros(1, STOP)

    def stop() -> None:
        flag["stop"] = 1

    return int(run_interruptible(lambda: sequences(position.game, position.memory, plies, flag), stop))


@kernel
def count_below(game: Any, state: Any, plies: Any, flag: Any) -> Any:
    turn = game.turn(state)
    if turn == TERMINAL or flag.stop != 0:
        return 0
    actions = scratch(np.uint32, game.max_actions)
    outcomes = scratch(np.uint32, game.max_outcomes)
    count = game.outcomes(state, outcomes) if turn == CHANCE else game.actions(state, actions)
    if plies == 1:
        return np.int64(count)
    total = 0
    for i in range(count):
        child = local_copy(state)
        if turn == CHANCE:
            game.deal(child, np.int64(outcomes[i]))
        else:
            game.play(child, np.int64(actions[i]))
        total += count_below(game, child, plies - 1, flag)
    return total


@kernel(entry="perft")
def sequences(game: Any, root: Any, plies: Any, flag: Any) -> Any:
    return count_below(game, root[0], plies, flag[0])
