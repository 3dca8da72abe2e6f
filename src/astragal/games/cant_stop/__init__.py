"""Can't Stop, by Sid Sackson: climb columns with runners, and stop before the dice take back what was climbed.

The board has a column for each sum of two dice, 2 to 12, with 3, 5, 7, 9, 11, 13, 11, 9, 7, 5 and 3 spaces. A turn
begins with a compulsory roll of four dice, which the player splits into two pairs. The sum of each pair is a column to
climb: there are three neutral runners, and a column that has none gets a free one, on the space above the player's own
marker; a runner already there goes up a space. After that the player rolls again or stops. Stopping puts the player's
markers where the runners stand. A marker on the top space wins the column, which is closed to all from then on, and
other markers there are removed. **Three columns win the game.** A roll with which no column can be climbed is a bust:
the runners are removed, nothing is gained, and the next player rolls.

A column can be climbed unless it is closed, its runner is on the top space, or it has no runner and none is free. Of
the pairing chosen, both sums are climbed if they can be (a sum that comes twice, twice if there is room), else the one
that can be. Where each can be climbed but not both, two new columns and one free runner, the player chooses which. A
pairing that climbs one column may be chosen even if another climbs two.

Where sources differ: markers of several players share a space (none is jumped over), one may stop with runners
unplaced, and three columns in hand are won by stopping only.

Smaller boards have dice with fewer ``sides``, and other lengths: the outer columns are ``shortest``, and each is two
spaces longer than the next one outwards. With one player the game is a solitaire in which turns are counted: its end is
worth 100 less the number of turns, and never less than -100.

**Actions** are what is climbed, whatever the dice were: 16 times one column plus the other (the lower one first), or 16
times the column if it is one alone; or `STOP` and `ROLL`. So two rolls that offer the same choices are worth the same,
and one stands for both (`representative`).
"""

# mypy: allow-untyped-defs, allow-untyped-calls
from __future__ import annotations

from astragal.games.cant_stop.evaluation import CantStopEvaluation
from astragal.games.cant_stop.notation import CantStopNotation
from astragal.games.cant_stop.rules import CantStopRules
from astragal.rules.decorator import game


@game
class CantStop(CantStopRules, CantStopEvaluation, CantStopNotation):
    """Can't Stop: pair four dice, climb columns, and stop in time."""
