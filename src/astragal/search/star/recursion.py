"""How parts of the node routine, which are files of their own, call it again: by the address that it hands down."""

from __future__ import annotations

from typing import Any

from numba import types

from astragal.game.native import recursion


def node_routine() -> Any:
    from astragal.search.star.star import value_of  # made of those parts

    return value_of


own_address, recurse = recursion(node_routine, types.float64)
