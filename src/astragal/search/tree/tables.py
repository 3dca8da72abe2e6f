"""What selection needs of a number of visits, from tables: divisions, logarithms and roots would take half its time."""

# mypy: ignore-errors
from __future__ import annotations

import numpy as np

from astragal.game.kernel import kernel

TABULATED = 1 << 12
VISITS = np.maximum(np.arange(TABULATED, dtype=np.float64), 1.0)
SHARES = 1.0 / VISITS
ROOTS = np.sqrt(SHARES)
LOG_ROOTS = np.sqrt(np.log(VISITS))


@kernel(inline=True)
def share_of(visits):
    """1 / n."""
    return SHARES[visits] if visits < TABULATED else 1.0 / np.float64(visits)


@kernel(inline=True)
def root_share_of(visits):
    """1 / sqrt(n)."""
    return ROOTS[visits] if visits < TABULATED else 1.0 / np.sqrt(np.float64(visits))


@kernel(inline=True)
def log_root_of(visits):
    """sqrt(ln n)."""
    return LOG_ROOTS[visits] if visits < TABULATED else np.sqrt(np.log(np.float64(visits)))
