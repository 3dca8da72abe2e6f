"""Room for numbers while a function runs, for games' own code; Numba is told of it only when a kernel is."""

from __future__ import annotations

from typing import Any


def scratch(kind: Any, size: int) -> list[int]:
    """Room for so many numbers of a NumPy type, which in compiled code lies on the C stack and is not cleared.

    The size must be a constant of the game.
    """
    return [0] * size
