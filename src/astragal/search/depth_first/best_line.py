"""The line of best play that a search goes by, as far as its table knows."""

# mypy: ignore-errors
from __future__ import annotations

import numpy as np

from astragal.game.decorator import CHANCE, TERMINAL
from astragal.game.kernel import kernel
from astragal.game.native import local_copy, scratch
from astragal.game.random import state_hash
from astragal.search.depth_first.table import is_about, slot_of


@kernel
def follow_line(game, root, line, begun, work):
    """Write the likeliest outcomes and the table's best actions behind the first steps of a line; return how many.

    There are as many steps as the table knows, up to the length of the array. The last ones may be outcomes.
    """
    state = local_copy(root)
    count = 0
    while count < len(line):
        turn = np.int64(game.turn(state))
        if turn == TERMINAL:
            break
        if turn == CHANCE:
            line[count] = likeliest(game, state)
            game.deal(state, np.int64(line[count]))
        else:
            if count >= begun and not knows_action(game, state, line, count, work):
                break
            game.play(state, np.int64(line[count]))
        count += 1
    return count


@kernel
def likeliest(game, state):
    """The outcome with the highest probability, the first of them in the game's order."""
    outcomes = scratch(np.uint32, game.max_outcomes)
    best, highest = np.int64(0), -1.0
    for i in range(game.outcomes(state, outcomes)):
        chance = game.probability(state, np.int64(outcomes[i]))
        if chance > highest:
            best, highest = np.int64(outcomes[i]), chance
    return best


@kernel
def knows_action(game, state, line, place, work):
    """Whether the table has a legal action for a state, which is put into its place in the line."""
    key = state_hash(state)
    entry = slot_of(work, key)
    if not is_about(work, entry, key):
        return False
    actions = scratch(np.uint32, game.max_actions)
    for i in range(game.actions(state, actions)):
        if actions[i] == entry.move:
            line[place] = entry.move
            return True
    return False
