"""The arithmetic of Star1 and Star2's bounds at a chance node, kept incrementally (Section 2.1; Hauk et al. 2004).

With o_p the probability of an outcome and o_l, o_u the bounds on its value, pess is the sum of o_p * o_l and opti that
of o_p * o_u over all outcomes: what the chance node's value is at least and at most.
"""

# mypy: ignore-errors
from __future__ import annotations

from astragal.game.kernel import kernel


@kernel
def child_alpha(alpha, opti, chance, upper):
    """A child worth no more than this brings the node's upper bound down to alpha. Not clamped to v_min.

    The paper's formula without its clamp: a loss at v_min is no reason to cut. (Its worked example divides by the
    probability twice; this is the formula above it.)
    """
    return (alpha - opti + chance * upper) / chance


@kernel
def child_beta(beta, pess, chance, lower):
    """A child worth at least this brings the node's lower bound up to beta. Not clamped to v_max."""
    return (beta - pess + chance * lower) / chance


@kernel
def clamped(bound, low, high):
    """A window's end as a child is searched with it: nothing lies outside the range of values."""
    return min(max(bound, low), high)


@kernel(inline=True)
def within_range(variant, value, work):
    """A chance node's value or bound, moved into the range of values if a correction may have led out of it."""
    return clamped(value, work.low, work.high) if variant.controlled else value


@kernel(inline=True)
def cut_high(variant, pess, beta, work):
    """What a chance node returns that is worth beta or more; a bound must not lie inside the window by rounding."""
    work.chance_cuts_high += 1
    return within_range(variant, max(pess, beta), work)


@kernel(inline=True)
def cut_low(variant, opti, alpha, work):
    """What a chance node returns that is worth alpha or less."""
    work.chance_cuts_low += 1
    return within_range(variant, min(opti, alpha), work)
