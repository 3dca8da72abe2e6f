"""The outcome set of a chance node (``genOutcomeSet`` in Algorithms 1 and 2): all outcomes, or a sparse sample of them.

Sampling is **keyed**: what is drawn is a function of the iteration's key and the state (or the path to it), so a node
draws the same outcomes whenever it is met in one search, probing or not. That is what makes star1SS = star2SS = expSS
exactly. Equal samples are merged with their multiplicity.

The paper draws with replacement; other ways are left to future work by its Section 5. In all of them the weighted mean
over what is drawn is an unbiased estimate of the mean over all outcomes.

With `work.common` the chance nodes after the actions of one decision draw from the same random words (common random
numbers), so that actions are compared with the same luck. Their key is that of the decision and, where chance follows
chance, of the outcomes since. A decision's value is still a function of its state, if keyed by state, so the table may
keep it. A chance node's is another after another decision, but chance nodes are not in the table. Keyed by path, the
path is one of outcomes alone: the same dice fall whatever is played.

With `variant.controlled` what was drawn is corrected by **control variates**. The evaluation h of the states after the
outcomes is cheap and known for all of them. With V the values and w the weights of what was drawn, and p the
probabilities, the node is worth

    sum(w V) + sum(p h) - sum(w h)

which has the same expectation as sum(w V), and varies only as V - h does. Ends count with their utility. Veness,
Lanctot and Bowling 2011 do so in tree search, with quantities of each game; here the control is the evaluation and the
coefficient is 1. At the horizon V is h, so there all outcomes are evaluated and nothing is drawn. The correction is
known before any child is searched, so Star1 and Star2 add it to both their bounds. A corrected value outside the range
of values is moved to its end. That keeps the order of values and so the bounds, but near the ends of the range the
estimate is not quite unbiased.
"""

# mypy: allow-untyped-defs, allow-untyped-calls
from __future__ import annotations

import numpy as np

from astragal.algorithms.depth_first.table import MIN_DEPTH, fetch, turned
from astragal.compiler.intrinsics.native import fold, local_copy, record_maker, scratch, scratch_table
from astragal.compiler.kernel import kernel
from astragal.rules.decorator import TERMINAL
from astragal.rules.random import KEY, MIX, keyed, state_hash, upper

INDEPENDENT, STRATIFIED, ANTITHETIC, DISTINCT = range(4)  # the numbers of SAMPLINGS
FEW = 6  # samples up to which it is quicker to look at all of them than to look one up by its number


def fields(size, *more):
    """What is known of each outcome of a chance node: its number, o_p of the paper, and whatever else."""
    room = (max(size, 1),)
    return np.dtype(
        [("number", "u4", room), ("chance", "f8", room), *((name, "f8", room) for name in more)], align=True
    )


new_outcomes = record_maker(fields)
new_bounded = record_maker(lambda size: fields(size, "lower", "upper"))  # with o_l and o_u


@kernel(inline=True)
def outcome_set(game, variant, state, depth, work, o):
    """Fill in outcomes and their probabilities; return how many. depth is the children's remaining depth."""
    if variant.sampled and (depth > 0 or not variant.controlled):  # at the horizon the control is the value itself
        count = sampled_outcomes(game, variant, state, depth, work, o.number, o.chance)
    else:
        merge = work.merge != 0 and depth > 0  # at the horizon it costs more than it saves
        count = listed_outcomes(game, state, merge, o.number, o.chance)
    if work.thread != 0 and depth >= MIN_DEPTH:
        turned(o.number, 0, count, work)
        turned(o.chance, 0, count, work)
    return count


@kernel(inline=True)
def fetch_outcomes(game, state, depth, o, count, work):
    """Prefetch the table's entry of each outcome: it comes while the first ones are searched."""
    if depth >= MIN_DEPTH and work.table != 0:
        for i in range(count):
            child = local_copy(state)
            game.deal(child, np.int64(o.number[i]))
            fetch(work, state_hash(child), depth)


@kernel(inline=True)
def note_outcome(variant, outcome, marks, path, work):
    """An outcome is about to be followed, from a path: what samples below are keyed by, and what is recorded."""
    if variant.arranged:
        step_path(work, path, outcome)
    variant.recorder.step(work, outcome, marks)


@kernel(inline=True)
def listed_outcomes(game, state, merge, outcomes, chances):
    """All outcomes with their probabilities."""
    count = game.outcomes(state, outcomes)
    for i in range(count):
        chances[i] = game.probability(state, np.int64(outcomes[i]))
    return merged_outcomes(game, state, outcomes, chances, count) if merge else count


@kernel
def merged_outcomes(game, state, outcomes, chances, count):
    """Let one outcome stand for all that are worth the same, as the game says; how many are left."""
    left, seen_before = 0, False
    for i in range(count):
        itself, chance = np.int64(outcomes[i]), chances[i]
        outcome = np.int64(game.representative(state, itself))
        if outcome == itself and not seen_before:  # most stand for themselves and come first: nothing to look for
            at = left
            outcomes[at] = outcome
        else:
            at = place_of(outcomes, left, outcome)
            seen_before |= at == left and outcome != itself
        chances[at] = chance if at == left else chances[at] + chance
        left += at == left
    return left


@kernel(inline=True)
def place_of(outcomes, count, outcome):
    """Where an outcome stands among `count`, or after them, where it is written."""
    at = 0
    while at < count and outcomes[at] != outcome:
        at += 1
    if at == count:
        outcomes[at] = outcome
    return at


@kernel(inline=True)
def sampled_outcomes(game, variant, state, depth, work, outcomes, chances):
    """Section 3.1: c outcomes drawn with replacement, each with probability 1/c; or drawn without replacement."""
    key = sample_key(variant, state, work)
    width = np.int64(work.widths[depth])
    if variant.arranged and work.sampling == DISTINCT:
        return distinct_outcomes(game, state, width, key, work, outcomes, chances)
    if width > FEW:
        count = merged_by_number(game, variant, state, key, width, work, outcomes, chances)
    else:
        count = 0
        for sample in range(width):
            at = place_of(outcomes, count, drawn_outcome(game, variant, state, key, sample, width, work))
            chances[at] = 1.0 if at == count else chances[at] + 1.0
            count += at == count
    for i in range(count):
        chances[i] /= width
    return count


@kernel
def merged_by_number(game, variant, state, key, width, work, outcomes, chances):
    """Draw many outcomes and count how often each was drawn; return how many there are.

    Where one was written is looked up by its lowest bits, and if another is there, in the places after that. Indices
    are unsigned, which spares the look whether they count from the end.
    """
    places = scratch_table(np.uint32, game.max_outcomes)  # one more than where it was written, 0 for nowhere
    for i in range(len(places)):
        places[i] = 0
    mask, one = np.uint64(len(places) - 1), np.uint64(1)
    count = np.uint64(0)
    for sample in range(width):
        outcome = drawn_outcome(game, variant, state, key, sample, width, work)
        place = np.uint64(outcome) & mask
        at, others = np.uint64(places[place]), 0
        while at != 0 and outcomes[at - one] != outcome and others < len(places):
            place = place + one & mask
            at, others = np.uint64(places[place]), others + 1
        if at == 0:
            count += one
            at = count
            places[place], outcomes[at - one], chances[at - one] = at, outcome, 0.0
        chances[at - one] += 1.0
    return np.int64(count)


@kernel(inline=True)
def only_outcome(game, variant, state, work):
    """The outcome that a chance node with a width of 1 draws."""
    return drawn_outcome(game, variant, state, sample_key(variant, state, work), 0, 1, work)


@kernel(inline=True)
def drawn_outcome(game, variant, state, key, sample, width, work):
    """One sample of several."""
    word = upper(keyed(key, sample))
    if variant.arranged and work.sampling != INDEPENDENT:
        word = arranged_word(word, key, sample, width, work)
    outcome = np.int64(game.draw(state, word))
    return np.int64(game.representative(state, outcome)) if work.merge else outcome


@kernel(inline=True)
def sample_key(variant, state, work):
    """The key of a chance node's samples."""
    if variant.arranged and work.key_by_path:
        return work.path
    return state_key(work, state)


@kernel
def arranged_word(word, key, sample, width, work):
    """What a sample is drawn with instead of its own random word, where samples are not independent."""
    if work.sampling == STRATIFIED:  # one draw from each of c equal parts of the distribution
        return ((sample << 32) + word) // width
    word = upper(keyed(key, sample >> 1))  # pairs, as far above the bottom of the distribution as below its top
    return 0xFFFFFFFF - word if sample & 1 else word


@kernel
def distinct_outcomes(game, state, width, key, work, outcomes, chances):
    """Draw c different outcomes, weighted so that the estimate is unbiased (Horvitz & Thompson 1952).

    An outcome of probability p is drawn with probability min(1, cp); where that is 1 it is taken, and the others share
    what is left of c and of the probability in the same way. Its weight is p over that: p if taken, and for each of the
    others drawn an equal part of what is left. So the weights sum to 1, and where c is at least the number of outcomes
    this is the listing.

    The draw is systematic (Madow 1949): along the listing, one random start and equal steps from there.
    """
    count = listed_outcomes(game, state, work.merge != 0, outcomes, chances)
    if width >= count:
        return count
    left, rest = take_certain(chances, count, width)
    start = upper(keyed(key, 0)) / 2.0**32
    drawn, passed, kept = 0, 0.0, 0
    for i in range(count):
        chance = -chances[i]
        if chance <= 0.0:  # not taken
            passed -= chance
            if passed * left <= (start + drawn) * rest:
                continue
            drawn += 1
            chance = rest / left
        outcomes[kept], chances[kept] = outcomes[i], chance
        kept += 1
    return kept


@kernel
def take_certain(chances, count, width):
    """Mark with a minus the outcomes too likely to be left out; how many are still to draw, and their probability."""
    left, rest, before = width, 1.0, 0
    while left != before:
        before = left
        rest = 0.0
        for i in range(count):
            rest += max(0.0, chances[i])
        for i in range(count):
            if chances[i] > 0.0 and chances[i] * before >= rest:
                chances[i] = -chances[i]
                left -= 1
    return left, rest


@kernel
def state_key(work, state):
    """The key of a state's samples in this iteration."""
    return fold(work.key ^ state_hash(state), KEY)


@kernel
def step_action(work, path, state, action):
    """Set the key of the path on from a decision by an action."""
    if not work.common:
        step_path(work, path, action)
    else:
        work.path = state_key(work, state) if work.path_of_state else path


@kernel
def step_path(work, path, step):
    """Set the key of the path that leads on from another by an action or outcome."""
    work.path = fold(path ^ (np.uint64(step) + np.uint64(1)) * KEY, MIX)


@kernel(inline=True)
def correction(game, variant, state, depth, work, o, count):
    """What to add to the weighted sum of the values of the outcomes drawn. depth is the children's remaining depth."""
    if variant.controlled and depth > 0:
        return control_difference(game, variant, state, work, o.number, o.chance, count)
    return 0.0


@kernel(inline=True)
def within_range(variant, value, work):
    """A chance node's value or bound, moved into the range of values if a correction may have led out of it."""
    return min(max(value, work.low), work.high) if variant.controlled else value


@kernel
def control_difference(game, variant, state, work, drawn, weights, count):
    """The expectation of the evaluation over all outcomes, less what the outcomes drawn say it is."""
    outcomes = scratch(np.uint32, game.max_outcomes)
    chances = scratch(np.float64, game.max_outcomes)
    difference, first = 0.0, np.nan  # evaluations count from the first one, so that equal ones leave no rounding error
    for i in range(listed_outcomes(game, state, work.merge != 0, outcomes, chances)):
        chance = chances[i]
        for j in range(count):
            if drawn[j] == outcomes[i]:
                chance -= weights[j]
        if chance != 0.0:
            evaluation = evaluation_after(game, variant, state, np.int64(outcomes[i]), work)
            first = evaluation if np.isnan(first) else first
            difference += chance * (evaluation - first)
    return difference


@kernel
def evaluation_after(game, variant, state, outcome, work):
    """The evaluation of the state after an outcome, or its utility if that ends the game."""
    work.leaves += 1
    work.controls += 1
    child = local_copy(state)
    game.deal(child, outcome)
    if game.turn(child) == TERMINAL:
        return game.utility(child, variant.viewer(work))
    return game.heuristic(child, variant.viewer(work))
