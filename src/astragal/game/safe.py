"""``astragal --safe`` or ``ASTRAGAL_SAFE=1``: games' methods are compiled with every index checked, and run slower."""

from __future__ import annotations

import os

VARIABLE = "ASTRAGAL_SAFE"


def is_safe() -> bool:
    """Whether indices are checked; worker processes hear of it through the environment."""
    return os.environ.get(VARIABLE, "") not in ("", "0")


def be_safe() -> None:
    os.environ[VARIABLE] = "1"
