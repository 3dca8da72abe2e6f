"""Entry kernels: what Python calls to search the actions of a root, and to follow the line of best play.

They serve every search that deepens, of whichever `astragal.algorithms.depth_first.variant`.
"""

# mypy: allow-untyped-defs, allow-untyped-calls
from __future__ import annotations

import numpy as np

from astragal.algorithms.depth_first.table import EXACT, LOWER, NO_MOVE, UPPER, known_move, make_room
from astragal.algorithms.depth_first.work import counted, exhausted
from astragal.algorithms.limits import MOST_LINES
from astragal.algorithms.plain_tree import HORIZON
from astragal.compiler.intrinsics.native import local_copy, scratch
from astragal.compiler.kernel import kernel
from astragal.rules.decorator import CHANCE, TERMINAL
from astragal.rules.random import keyed, state_hash

NEXT = 2**33  # from the key of one search to that of the next; no sample has this number


@kernel(entry="search")
def root_values(game, variant, root, depth, actions, values, bounds, works):
    """Search the actions of the root in the order given; return how many were finished.

    At a chance root there is one value, that of the node. Values are the viewer's; one no better than the best before
    it, or than as many as `work.lines` says, is only a bound.

    To depth 0 nothing is searched: the actions are the line of best play, known as far as bounds are long, and what the
    table has on it is written behind that. (An entry of its own would take as long to compile again as games do.)
    """
    state, work = root[0], works[0]
    make_room(work)
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
    best, ranked = scratch(np.float64, MOST_LINES), 0
    for i in range(len(actions)):
        if variant.prune and low >= high:  # after a certain win nothing can be better, and the window is empty
            values[i], bounds[i] = (high, LOWER) if minimises else (low, UPPER)
            continue
        child = local_copy(state)
        if turn != CHANCE:
            game.play(child, np.int64(actions[i]))
            variant.step(work, path, state, np.int64(actions[i]))
            variant.recorder.step(work, actions[i], 0)
        values[i] = root_value(game, variant, child, depth, low, high, minimises, i > 0, work)  # line a2
        work.path = path
        if work.stop != 0:
            return i
        bounds[i] = EXACT  # line a3
        if variant.prune and minimises:
            bounds[i] = EXACT if values[i] < high or ranked < work.lines else LOWER
            ranked = insert(best, ranked, work.lines, -values[i])
            if ranked == work.lines:
                high = min(high, -best[ranked - 1])
        elif variant.prune and turn != CHANCE:
            bounds[i] = EXACT if values[i] > low or ranked < work.lines else UPPER
            ranked = insert(best, ranked, work.lines, values[i])
            if ranked == work.lines:
                low = max(low, best[ranked - 1])
    return len(actions)


@kernel
def insert(best, count, most, value):
    """Put a value into its place among the best, which fall and are `most` at most; how many there are."""
    place = count
    if count == most:
        if value <= best[most - 1]:
            return count
        place = most - 1
    while place > 0 and best[place - 1] < value:
        best[place] = best[place - 1]
        place -= 1
    best[place] = value
    return min(count + 1, most)


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


@kernel
def follow_line(game, root, line, begun, work):
    """Write the likeliest outcomes and the table's best actions behind the first steps of a line; return how many.

    There are as many steps as the table has, up to the length of the array. The last ones may be outcomes.
    """
    state = local_copy(root)
    count, left = 0, np.int64(work.root_depth)
    while count < len(line):
        turn = np.int64(game.turn(state))
        if turn == TERMINAL:
            break
        if turn == CHANCE:
            line[count] = likeliest(game, state)
            game.deal(state, np.int64(line[count]))
        else:
            if count >= begun and not knows_action(game, state, line, count, left, work):
                break
            game.play(state, np.int64(line[count]))
            left -= 1
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
def knows_action(game, state, line, place, depth, work):
    """Whether the table has a legal action for a state, which is put into its place in the line."""
    move = known_move(work, state_hash(state), depth)
    if move == NO_MOVE:
        return False
    actions = scratch(np.uint32, game.max_actions)
    for i in range(game.actions(state, actions)):
        if actions[i] == move:
            line[place] = move
            return True
    return False
