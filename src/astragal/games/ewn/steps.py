"""Fixed action numbers of EinStein würfelt nicht!: three times the cube plus sideways, ahead or across."""

# mypy: allow-untyped-defs, allow-untyped-calls
from __future__ import annotations

from dataclasses import dataclass

from astragal.base.parameters import Constant
from astragal.games.ewn.board import cube_in, square_of, target_in
from astragal.rules.decorator import compiled
from astragal.rules.steps import OwnNumbers


@compiled
@dataclass(frozen=True)
class Steps(OwnNumbers):
    """The same for both players, each seen from the own corner."""

    size: Constant[int] = 18

    def number(self, game, state, action):
        cube = cube_in(action) % 6
        by = abs(target_in(action) - square_of(state.mine, cube))
        return 3 * cube + (0 if by == 1 else 1 if by == 5 else 2)


STEPS = Steps()
