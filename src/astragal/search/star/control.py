"""Control variates at sampled chance nodes: what was drawn, corrected by how lucky the draw looks at a glance.

The evaluation h of the states after the outcomes is cheap and can be had for all of them. With V the values and w the
weights of what was drawn, and p the probabilities, the node is worth

    sum(w V) + sum(p h) - sum(w h)

which has the same expectation as sum(w V), and varies only as V - h does. Ends count with their utility. Veness,
Lanctot and Bowling 2011 do so in tree search, with quantities of each game; here the control is its evaluation and the
coefficient is 1. At the horizon V is h, so there all outcomes are evaluated and nothing is drawn.

The correction is known before any child is searched. So Star1 and Star2 add it to both their bounds, and prune as ever.
A corrected value that leaves the range of values is moved to its end. That keeps the order of values and so the bounds,
but near the ends of the range the estimate is not quite unbiased.
"""

# mypy: ignore-errors
from __future__ import annotations

import numpy as np

from astragal.game.decorator import TERMINAL
from astragal.game.kernel import kernel
from astragal.game.native import local_copy, scratch
from astragal.search.star.outcomes import listed_outcomes


@kernel(inline=True)
def correction(game, variant, state, depth, work, drawn, weights, count):
    """What to add to the weighted sum of the values of the outcomes drawn. depth is the children's remaining depth."""
    if variant.controlled and depth > 0:
        return control_difference(game, variant, state, work, drawn, weights, count)
    return 0.0


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
