"""The two distributions that the statistics need beyond the normal: beta and Student's t.

Both come from the regularised incomplete beta function I_x(a, b), computed by its continued fraction with Lentz's
method (Press et al., Numerical Recipes, section 6.4). Small tails keep their relative precision.
"""

from __future__ import annotations

import math
from functools import lru_cache

TINY = 1e-300
PRECISION = 1e-15
MAX_STEPS = 100_000  # the fraction converges in about the square root of a or b


def regularized_beta(x: float, a: float, b: float) -> float:
    """I_x(a, b): the probability that a Beta(a, b) variable is at most x."""
    if x <= 0.0:
        return 0.0
    if x >= 1.0:
        return 1.0
    if x > (a + 1.0) / (a + b + 2.0):  # where the fraction converges slowly, the other tail's is fast
        return 1.0 - regularized_beta(1.0 - x, b, a)
    log_front = math.lgamma(a + b) - math.lgamma(a) - math.lgamma(b) + a * math.log(x) + b * math.log1p(-x)
    return math.exp(log_front) / (a * beta_fraction(x, a, b))


def beta_fraction(x: float, a: float, b: float) -> float:
    """The continued fraction 1 + d1/(1 + d2/(1 + ...)) of I_x(a, b), from the front until it stands still."""
    value = c = 1.0
    d = 0.0
    for step in range(1, MAX_STEPS):
        m = step // 2
        if step % 2:
            numerator = -(a + m) * (a + b + m) * x / ((a + 2 * m) * (a + 2 * m + 1))
        else:
            numerator = m * (b - m) * x / ((a + 2 * m - 1) * (a + 2 * m))
        d = 1.0 / (1.0 + numerator * d or TINY)
        c = 1.0 + numerator / c or TINY
        value *= c * d
        if abs(c * d - 1.0) < PRECISION:
            return value
    raise ArithmeticError(f"I_x(a, b) did not converge at x = {x:g}, a = {a:g}, b = {b:g}")


def t_tails(t: float, freedom: int) -> float:
    """The probability that a Student variable lies at least as far from 0, on either side, as t does."""
    if math.isinf(t):
        return 0.0
    return regularized_beta(freedom / (freedom + t * t), freedom / 2.0, 0.5)


@lru_cache(maxsize=1024)
def t_reach(confidence: float, freedom: int) -> float:
    """How far from 0 a Student variable lies at most with this probability: 1.96 for 95% and a large sample."""
    high = 1.0
    while t_tails(high, freedom) > 1.0 - confidence:
        high *= 2.0
    low = 0.0
    while high - low > 1e-12 * high:
        middle = (low + high) / 2.0
        low, high = (middle, high) if t_tails(middle, freedom) > 1.0 - confidence else (low, middle)
    return high
