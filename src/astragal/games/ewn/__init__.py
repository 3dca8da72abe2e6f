"""EinStein würfelt nicht! ("one stone does not dice"), by Ingo Althöfer, on 5x5.

Each player has six numbered cubes in a corner. The mover rolls a die and moves the cube of that number or, where it is
gone, the nearest lower or the nearest higher one that is left: one step towards the opposite corner, straight or
diagonally. Whatever stands on the target square is removed, one's own cubes too. Who reaches the opposite corner, or
removes the last enemy cube, wins. Player 1 starts at the top left, player 2 at the bottom right.
"""

# mypy: allow-untyped-defs, allow-untyped-calls
from __future__ import annotations

from astragal.games.ewn.evaluation import EWNEvaluation
from astragal.games.ewn.notation import EWNNotation
from astragal.games.ewn.rules import EWNRules
from astragal.rules.decorator import game


@game
class EWN(EWNRules, EWNEvaluation, EWNNotation):
    """EinStein würfelt nicht!: six numbered cubes a side, the die says which one moves."""
