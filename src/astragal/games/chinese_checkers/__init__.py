"""Chinese Checkers on a star: bring all your men into the opposite corner first. For 2, 3, 4 or 6 players.

The full star has 121 cells and 10 men a player, the small one 73 cells and 6 men. In a turn a player moves one man:

- a step to a neighbouring empty cell, in any of the six directions, or
- a chain of hops, each over one neighbouring man of any colour to the empty cell right behind it, turning at will.

No man is ever removed. A chain may pass the cell where it began but not end there; which way it took does not matter,
so an action is a cell and another. A player who has no move passes. Who first fills the corner opposite his own wins.

Where rule books disagree:

- ``resting``: men may end their move anywhere (``free``), or not in another player's corner (``transit``);
- ``stay``: men that have reached the goal may leave it, or (``stay=on``) must end every move in it;
- ``win``: all cells of the goal hold one's own men (``all_own``; who stays at home can block that), or the goal is full
  and one man in it is one's own (``filled_one_own``; after a move it is looked at for the mover first, then in turn);
- ``cap``: the rules have no draw; after this many plies the game is drawn.

Corners are taken clockwise from the top: by 2 players the 1st and 4th, by 3 the 1st, 3rd and 5th, by 4 two opposite
pairs. A cell is called row.place, both from 0, rows from the top; a move 2.0-3.3.

**Actions are listed by how far they bring the man** towards the tip of the goal.
"""

# mypy: allow-untyped-defs, allow-untyped-calls
from __future__ import annotations

from astragal.games.chinese_checkers.evaluation import ChineseCheckersEvaluation
from astragal.games.chinese_checkers.notation import ChineseCheckersNotation
from astragal.games.chinese_checkers.rules import ChineseCheckersRules
from astragal.games.chinese_checkers.sampling import ChineseCheckersSampling
from astragal.rules.decorator import game


@game
class ChineseCheckers(  # the evaluation before the rules: rollouts prefer by it, not as `Ordered` would
    ChineseCheckersEvaluation, ChineseCheckersSampling, ChineseCheckersRules, ChineseCheckersNotation
):
    """Chinese Checkers: hop across the star into the opposite corner."""
