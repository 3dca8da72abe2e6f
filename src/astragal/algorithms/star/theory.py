"""Theorem 1 of Lanctot et al. 2013: how near sparse sampling comes to the depth-d minimax value, and how surely.

With c samples at each chance node, |A| actions at most, and values between -v_max and v_max,

    P(|V^_d(s) - V_d(s)| <= lambda * d) >= 1 - (2 c |A|)^d exp(-lambda^2 c / (2 v_max^2)).

The error allowed grows with the depth: lambda is that of one level. The bound falls with c at first, is least at
c = 2 d v_max^2 / lambda^2, and says nothing (0) until c is well to the right of that. It is proved for
independent draws; the paper says that its proof does not hold without replacement.
"""

from __future__ import annotations

import math

from astragal.base.errors import AstragalError


def theorem1_bound(width: int, depth: int, actions: int, error: float, v_max: float) -> float:
    """The least probability with which the sampled value lies within error * depth of V_d; 0 where nothing is said."""
    check_width(width)
    check_game(depth, actions, error, v_max)
    return max(0.0, -math.expm1(min(0.0, log_failure(width, depth, actions, error, v_max))))


def theorem1_error(width: int, depth: int, actions: int, confidence: float, v_max: float) -> float:
    """The error of the value that the theorem allows with this confidence: the smallest lambda * d it holds for.

    Above 2 v_max, the width of the whole range, it says nothing: that is the most there can be.
    """
    check_width(width)
    check_game(depth, actions, v_max, v_max)
    check_confidence(confidence)
    log_failures = depth * math.log(2.0 * width * actions) - math.log(1.0 - confidence)
    return min(2.0 * v_max, depth * v_max * math.sqrt(2.0 * log_failures / width))


def smallest_width(depth: int, actions: int, error: float, confidence: float, v_max: float) -> int:
    """The smallest width, right of where the bound is least, whose bound reaches the confidence."""
    check_game(depth, actions, error, v_max)
    check_confidence(confidence)

    def suffices(width: int) -> bool:
        return theorem1_bound(width, depth, actions, error, v_max) >= confidence

    low = max(1, math.ceil(2.0 * depth * (v_max / error) ** 2))
    if suffices(low):
        return low
    high = 2 * low
    while not suffices(high):
        low, high = high, 2 * high
    while high - low > 1:  # low does not suffice, high does
        middle = (low + high) // 2
        low, high = (low, middle) if suffices(middle) else (middle, high)
    return high


def log_failure(width: int, depth: int, actions: int, error: float, v_max: float) -> float:
    """The logarithm of (2 c |A|)^d exp(-lambda^2 c / (2 v_max^2)), which itself may be too large for a float."""
    return depth * math.log(2.0 * width * actions) - width * (error / v_max) ** 2 / 2.0


def check_width(width: int) -> None:
    if width < 1:
        raise AstragalError(f"the width must be at least 1, not {width}")


def check_confidence(confidence: float) -> None:
    if not 0.0 < confidence < 1.0:
        raise AstragalError(f"the confidence must lie between 0 and 1, not be {confidence:g}")


def check_game(depth: int, actions: int, error: float, v_max: float) -> None:
    if depth < 1:
        raise AstragalError(f"the depth must be at least 1, not {depth}")
    if actions < 1:
        raise AstragalError(f"there must be at least 1 action, not {actions}")
    if not (v_max > 0.0 and math.isfinite(v_max)):
        raise AstragalError(f"the largest value must be a number above 0, not {v_max:g}")
    if not 0.0 < error <= 2.0 * v_max:
        raise AstragalError(f"the error of a level must lie between 0 and {2.0 * v_max:g}, not be {error:g}")
