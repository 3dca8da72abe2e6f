"""Entry kernels: what Python calls to search the actions of a root.

They serve every search that deepens, of whichever `astragal.search.depth_first.variant`.
"""

# mypy: ignore-errors
from __future__ import annotations

import numpy as np

from astragal.game.decorator import CHANCE, TERMINAL
from astragal.game.kernel import kernel
from astragal.game.native import local_copy, scratch
from astragal.game.random import keyed
from astragal.search.depth_first.best_line import follow_line
from astragal.search.depth_first.table import EXACT, LOWER, UPPER
from astragal.search.depth_first.work import counted, exhausted
from astragal.search.plain_tree import HORIZON

NEXT = 2**33  # from the key of one search to that of the next; no sample has this number


@kernel(entry="search")
def root_values(game, variant, root, depth, actions, values, bounds, works):
    """Search the actions of the root in the order given; return how many were finished.

    At a chance root there is one value, that of the node. Values are the viewer's; one no better than the best before
    it is only a bound.

    To depth 0 nothing is searched: the actions are the line of best play, known as far as bounds are long, and what the
    table knows of it is written behind that. (An entry of its own would take as long to compile again as games do.)
    """
    state, work = root[0], works[0]
    if depth == 0:
        return follow_line(game, state, actions, len(bounds), work)
    turn = np.int64(game.turn(state))
    work.root_depth = depth
    if variant.sampled and work.repeats:
        return repeated_values(game, variant, state, turn, depth, actions, values, work)
    minimises = variant.minimises(turn, work)
    if exhausted(work):
        return 0
    if turn != CHANCE:
        work.decisions += 1
        variant.recorder.enter(work)
    path, low, high = work.path, work.low, work.high
    for i in range(len(actions)):
        if variant.prune and low >= high:  # after a certain win nothing can be better, and the window is empty
            values[i], bounds[i] = (high, LOWER) if minimises else (low, UPPER)
            continue
        child = local_copy(state)
        if turn != CHANCE:
            game.play(child, np.int64(actions[i]))
            variant.step(work, path, state, np.int64(actions[i]))
            variant.recorder.step(work, actions[i], 0)
        values[i] = root_value(game, variant, child, depth, low, high, minimises, i > 0, work)
        work.path = path
        if work.stop != 0:
            return i
        bounds[i] = EXACT
        if variant.prune and minimises:
            bounds[i] = EXACT if values[i] < high or i == 0 else LOWER
            high = min(high, values[i])
        elif variant.prune and turn != CHANCE:
            bounds[i] = EXACT if values[i] > low or i == 0 else UPPER
            low = max(low, values[i])
    return len(actions)


@kernel
def repeated_values(game, variant, state, turn, depth, actions, sums, work):
    """Search the root again and again, each time with other samples; return how often.

    The values of each search are added to the sums. Every action is searched with an open window: sums of bounds would
    be worth nothing.
    """
    found = scratch(np.float64, game.max_actions)
    repeats = 0
    while not exhausted(work) and (repeats == 0 or counted(work) < work.pause_at):
        work.key = work.path = keyed(work.key, NEXT)
        path = work.path
        work.decisions += turn != CHANCE
        for i in range(len(actions)):
            child = local_copy(state)
            if turn != CHANCE:
                game.play(child, np.int64(actions[i]))
                variant.step(work, path, state, np.int64(actions[i]))
            found[i] = root_value(game, variant, child, depth, work.low, work.high, False, False, work)
            work.path = path
        if work.stop != 0:
            break
        repeats += 1
        for i in range(len(actions)):
            sums[i] += found[i]
    return repeats


@kernel
def root_value(game, variant, state, depth, low, high, minimises, later, work):
    """The value of the state after a root action, with depth units left before the action.

    The chance node after the action is searched as what it is to the node routine: a forced decision of the same depth.
    """
    if exhausted(work):
        return 0.0
    turn = np.int64(game.turn(state))
    if turn == TERMINAL:
        work.terminals += 1
        return variant.recorder.leaf(work, game.utility(state, variant.viewer(work)), 0)
    left = depth if turn == CHANCE else depth - 1
    if left == 0:
        work.leaves += 1
        return variant.recorder.leaf(work, game.heuristic(state, variant.viewer(work)), HORIZON)
    if variant.scouts and later:
        a, b = (np.nextafter(high, -np.inf), high) if minimises else (low, np.nextafter(low, np.inf))
        value = variant.value(game, state, turn, left, a, b, work)
        if value <= low or value >= high:  # no better, or as good as can be
            return value
        work.researches += 1
    return variant.value(game, state, turn, left, low, high, work)


@kernel(entry="window search")
def window_value(game, variant, root, depth, alpha, beta, works):
    """The value of a state that is not terminal, searched with a window: what is measured and tested of a search."""
    state, work = root[0], works[0]
    work.root_depth = depth
    return variant.value(game, state, np.int64(game.turn(state)), depth, alpha, beta, work)
