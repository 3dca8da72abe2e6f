"""What selection needs of a number of visits, from tables: divisions, logarithms and roots would take half its time."""

# mypy: ignore-errors
from __future__ import annotations

import numpy as np

from astragal.game.kernel import kernel

TABULATED = 1 << 12
VISITS = np.maximum(np.arange(TABULATED, dtype=np.float64), 1.0)
INVERSES = 1.0 / VISITS
INVERSE_ROOTS = np.sqrt(INVERSES)
ROOTS_OF_LOGS = np.sqrt(np.log(VISITS))


@kernel(inline=True)
def inverse(visits):
    """1 / n."""
    return INVERSES[visits] if visits < TABULATED else 1.0 / np.float64(visits)


@kernel(inline=True)
def inverse_root(visits):
    """1 / sqrt(n)."""
    return INVERSE_ROOTS[visits] if visits < TABULATED else 1.0 / np.sqrt(np.float64(visits))


@kernel(inline=True)
def root_of_log(visits):
    """sqrt(ln n)."""
    return ROOTS_OF_LOGS[visits] if visits < TABULATED else np.sqrt(np.log(np.float64(visits)))
