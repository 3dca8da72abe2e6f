"""Backgammon: two players race fifteen men each round the board by two dice, and hit what stands alone.

Men enter from the bar, run from a player's point 24 to point 1, and are borne off there. A turn is as many moves as the
dice allow: one for each die, four for a double. A man may go where fewer than two men of the other side stand; one
that stands alone is hit and goes to the bar. Men on the bar must enter first. Who has all men on the points 6 to 1 may
bear them off: from the point that the die says, or from the rearmost point where that is nearer. A player must play
both dice if that is possible, else the higher one if possible, and as many moves of a double as possible.

Who has borne off all men wins a point; two (a gammon) if the other has none off, three (a backgammon) if besides one of
the other's men is still on the bar or on the winner's points 1 to 6. With ``score=win`` all wins are worth the same.
The opening roll is one die each, the higher one begins and plays both; equal dice are rolled again. There is no
doubling cube and no match score.

**An action is a whole turn**, and no two actions lead to the same position: the points that the dice move from, the
higher die first, or those of a double's four moves from the rear to the front. It is called as players write it, with
commas: 8/5,6/5; 24/18*/13 is one man that hits on its way, bar/22 one that enters, 6/off one that is borne off, 13/7(2)
two men of a double. Positions are written as GNU Backgammon's position id, the player to move and the dice:
``4HPwATDgc/ABMA 1 31``.
"""

# mypy: allow-untyped-defs, allow-untyped-calls
from __future__ import annotations

from astragal.games.backgammon.evaluation import BackgammonEvaluation
from astragal.games.backgammon.notation import BackgammonNotation
from astragal.games.backgammon.rules import BackgammonRules
from astragal.rules.decorator import game


@game
class Backgammon(BackgammonRules, BackgammonEvaluation, BackgammonNotation):
    """Backgammon: race by two dice, hit single men, bear off first."""
