"""The most actions, outcomes and plies that many random games have, measured by a kernel."""

from __future__ import annotations

from typing import Any

import numpy as np

from astragal.compiler.intrinsics.native import assign, local_copy
from astragal.compiler.kernel import kernel
from astragal.rules.decorator import CHANCE, TERMINAL
from astragal.rules.dice import Dice
from astragal.rules.position import start_states
from astragal.rules.random import next_word, upper

# the maximum of each; games that were cut off; plies and games in all
MOST = np.dtype([(name, "i8") for name in ("actions", "outcomes", "plies", "cut", "total", "games")])
ENOUGH = 150_000  # plies in all, after which no other game is begun
STARTS = 64  # set-ups that the games begin with in turn


def measured(game: Any, games: int, seed: int, cap: int, preferred: bool = False) -> dict[str, int]:
    """The maximum of each in random games, or in games in which half the moves are those that the game prefers."""
    starts = start_states(game, range(seed, seed + min(games, STARTS)))
    most = np.zeros(1, MOST)
    lists = [np.zeros(2 * size + 64, np.uint32) for size in (game.max_actions, game.max_outcomes)]  # if they are longer
    play_games(game, starts, games, np.uint64(Dice(seed).bits()), cap, preferred, *lists, most)
    return {name: int(most[name][0]) for name in most.dtype.names or ()}


@kernel(entry="random games, measured")
def play_games(
    game: Any, starts: Any, games: Any, seed: Any, cap: Any, preferred: Any, actions: Any, outcomes: Any, results: Any
) -> Any:
    """Play games for at most cap plies each, and record the maxima."""
    most = results[0]
    generator = seed
    state = local_copy(starts[0])
    for number in range(games):
        if most.total >= ENOUGH:
            break
        assign(state, starts[number % len(starts)])
        plies = 0
        turn = game.turn(state)
        while turn != TERMINAL and plies < cap:
            generator, word = next_word(generator)
            if turn == CHANCE:
                most.outcomes = max(most.outcomes, np.int64(game.outcomes(state, outcomes)))
                game.deal(state, game.draw(state, upper(word)))
            else:
                most.actions = max(most.actions, np.int64(game.actions(state, actions)))
                if preferred and word & np.uint64(1) == np.uint64(0):
                    game.play(state, game.prefer(state, upper(word)))
                else:
                    game.play(state, game.pick(state, upper(word)))
            plies += 1
            turn = game.turn(state)
        most.plies = max(most.plies, plies)
        most.total += plies
        most.games += 1
        most.cut += turn != TERMINAL
