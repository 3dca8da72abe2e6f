"""Exploration measured by what is seen: C follows the spread of the rewards that simulations gave.

The declared range of utilities does not say how far apart results lie: in a game that counts points most of them are
close together, and a range may be declared far too wide. So C is a number of **spreads**. A spread is the root of the
mean squared distance of a player's rewards from the middle between the least and the greatest of them:

    spread^2 = variance + (mean - (least + greatest) / 2)^2

In a game of win or loss this is half the range once both have been seen: 1.4 spreads are C = 140 on the scale from -100
to 100. The standard deviation alone would let exploration fade where one side mostly wins. Where rewards are margins,
the spread is little more than their standard deviation. Multiplying all utilities by a number, or adding one to them,
changes no selection. The sums belong to one search and one thread; a search that reuses a tree begins them anew.
"""

# mypy: allow-untyped-defs, allow-untyped-calls
from __future__ import annotations

import numpy as np

from astragal.algorithms.tree.steps.select import inverse
from astragal.compiler.kernel import kernel

SPREADS = 1.4  # that are C where no number is given


@kernel(inline=True)
def follow_spread(game, work):
    """Add a simulation's rewards to what was seen, and set every player's C. (Mean and variance: Welford 1962.)"""
    work.counted += 1
    share = inverse(work.counted)
    opposed = game.zero_sum and game.players == 2
    for player in range(1 if opposed else game.players):
        reward = work.rewards[player]
        if work.counted == 1:
            work.least[player] = work.greatest[player] = reward
        work.least[player] = min(work.least[player], reward)
        work.greatest[player] = max(work.greatest[player], reward)
        off = reward - work.means[player]
        work.means[player] += off * share
        work.squares[player] += off * (reward - work.means[player])
        aside = work.means[player] - (work.least[player] + work.greatest[player]) / 2.0
        work.c[player] = work.spreads * np.sqrt(work.squares[player] * share + aside * aside)
    if opposed:
        work.c[1] = work.c[0]
