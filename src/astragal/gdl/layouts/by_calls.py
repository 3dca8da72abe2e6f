"""A sheet whose rules are called: machine code made of its network, or the plain reasoner, behind an address."""

# mypy: allow-untyped-defs, allow-untyped-calls
from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from astragal.compiler.interpreted import twin_of
from astragal.compiler.intrinsics.native import call_address
from astragal.compiler.intrinsics.primitives import scratch
from astragal.gdl.layouts.layout import LAYOUTS

if TYPE_CHECKING:

    class Rest:
        """What the other parts of the game's class have."""

        made: Any
        seats: Any
else:
    Rest = object


class ByCalls(Rest):
    """How a rule sheet's game finds the next state, and goals, where its layout `is_called`."""

    def advance(self, state, tables, dealt):
        moves = scratch(np.int64, self.seats)
        for seat in range(self.seats):
            moves[seat] = self.made(state, tables, seat, dealt)
        call_address(tables.advance, state, moves)

    def find_goals(self, state, tables):
        call_address(tables.find_goals, state, scratch(np.int64, 1))


def advance(self, state, tables, dealt):
    """Twin of `ByCalls.advance`."""
    moves = [int(self.made(state, tables, seat, dealt)) for seat in range(self.seats)]
    layout: Any = LAYOUTS[self.address]
    layout.code.advance(state.bits.array, np.array(moves, np.int64))


def find_goals(self, state, tables):
    """Twin of `ByCalls.find_goals`."""
    layout: Any = LAYOUTS[self.address]
    layout.code.goals(state.bits.array)


twin_of(ByCalls.advance, advance)
twin_of(ByCalls.find_goals, find_goals)
