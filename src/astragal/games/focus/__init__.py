"""Focus, also called Domination (Sid Sackson 1963): stacks of men move as far as they are high; for 2 to 4 players.

The board is 8x8 without the three squares of each corner. A stack belongs to the player whose man is on top. In a turn
a player takes the top k men of one of his stacks and moves them exactly k squares along a row or a column, onto an
empty square or any stack; what they pass does not matter. If more than five men then lie there, those at the bottom
leave the stack until five are left: the mover's own men go to his reserve, all others are captured. Instead of such a
move, a player may put one man of his reserve on top of any square.

Winning, by the parameter ``rules``:

- ``long``, as published: the last player who can move wins;
- ``short``, the default, for searches. UNVERIFIED: this is Nijssen and Winands's rule as remembered, not as read. With
  two players who has captured 6 men wins; with three, 3 men of each opponent or 10 in all; with four, 2 of each or 10
  in all. Own men in the reserve do not count. The last player who can move wins here too.

Neither has draws, and games can go round in circles, so after ``cap`` plies the game is drawn.

Where sources are silent or disagree:

- a player who cannot move passes, and is back when a stack becomes his again (``no_move=pass``), or is out for good
  when his turn comes, his men staying where they are (``no_move=out``);
- with three players the colours of the set-up are a guess: pairs, or diagonals (``colours``). The 13th man of each
  player is placed on an empty square in the first turn, or is an ordinary reserve, or there is none (``extra``).

Squares are a to h from the left and 1 to 8 from the bottom. A move is called d4-d6, a man from the reserve @d6.
**Actions are listed by a static score**: ten for a man captured, three for one that goes to the reserve, one for each
man of the new stack, as many again as an enemy stack had that is covered, less the men left behind that become an
enemy's.
"""

# mypy: allow-untyped-defs, allow-untyped-calls
from __future__ import annotations

from astragal.games.focus.evaluation import FocusEvaluation
from astragal.games.focus.notation import FocusNotation
from astragal.games.focus.rules import FocusRules
from astragal.rules.decorator import game


@game
class Focus(FocusRules, FocusEvaluation, FocusNotation):
    """Focus: move stacks as far as they are high, capture from the bottom (short rules unverified)."""
