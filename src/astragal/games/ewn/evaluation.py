"""EinStein würfelt nicht!: how good a position is for a player, and what is known of it without making moves."""

# mypy: allow-untyped-defs, allow-untyped-calls
from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from astragal.compiler.intrinsics.primitives import bit_count, lowest_bit
from astragal.games.ewn.board import (
    ACROSS,
    CELL,
    CHOICE,
    MOVES,
    NO_SQUARE,
    REACHED,
    RINGS,
    WORTH,
    cube_in,
    cubes_left,
    mine_of,
    nearest,
    sets_after,
    square_of,
    target_in,
    theirs_of,
)

if TYPE_CHECKING:

    class Rest:
        """What the other parts of the game's class have."""

        cells: Any
        evaluation: Any
        who: Any
else:
    Rest = object


class EWNEvaluation(Rest):
    """The evaluation, its values ahead of moves and rolls, and the inputs of a learned one."""

    ignores_outcomes = True  # no evaluation looks at the die

    @property
    def by_nearest(self):
        return self.evaluation == "nearest"

    @property
    def counts_cubes(self):
        return self.evaluation == "cubes"

    def heuristic(self, state, player):
        """By how many steps one's nearest cube is nearer to its goal, four steps being worth the game.

        Or the difference in cubes left, six being worth the game, or in all steps made by them, 24 being worth it.
        """
        if not self.by_nearest:
            return self.worth(state, player) - self.worth(state, 1 - player)
        return nearest(self.cells(state, 1 - player)) - nearest(self.cells(state, player))

    def worth(self, state, player):
        """A player's cubes, each by itself or by the steps it has made."""
        cells = self.cells(state, player)
        total = 0.0
        for away in range(5):
            each = 100.0 / 6.0 if self.counts_cubes else (4 - away) * 100.0 / 24.0
            total += bit_count(cells & RINGS[away]) * each
        return total

    def heuristic_after(self, state, action, player):
        """The sets after a move, as `play` makes them, say who has won and how near the nearest cubes are."""
        if not self.by_nearest:
            return np.nan
        me = self.who(state)
        here, to = square_of(state.mine, cube_in(action) - 6 * me), target_in(action)
        mine, theirs = sets_after(state.cells, me, here, to)
        if (mine & 1) | (theirs == 0):
            return np.nan
        return nearest(theirs) - nearest(mine) if me == player else nearest(mine) - nearest(theirs)

    def best_after(self, state, player):
        """The nearest square that moves can reach decides, apart for those that take the enemy's nearest cube.

        After moves of a cube, the squares are those of the others and one it can reach: the nearest of all is that
        after the best move. A cube that there is not adds the squares before the move, of which none is nearer.
        """
        if not self.by_nearest:
            return np.nan, 0
        me, left, die = self.who(state), cubes_left(state.mine), state.die & 7
        mine, theirs = mine_of(state.cells), theirs_of(state.cells)
        threatened = lowest_bit(theirs)
        target = ACROSS[me, threatened]
        reached, taking, count = 0, 0, 0
        for j in range(2):
            here = square_of(state.mine, np.int64(CHOICE[left, die, j]))
            others = mine ^ CELL[me, here]
            reached |= others | REACHED[me, here] & ~target
            taking |= others | target if REACHED[me, here] & target else 0
            count += MOVES[me, here]
        spared = theirs & theirs - 1
        if (reached | taking) & 1 or (taking != 0 and spared == 0):
            return np.nan, 0
        best = WORTH[threatened] - nearest(reached)
        if taking:
            best = max(best, nearest(spared) - nearest(taking))
        return best if me == player else -best, count

    def heuristic_dealt(self, state, outcome, player):
        return self.heuristic(state, player)

    def ceiling(self, state, player, decisions):
        """No win before one's nearest cube can be in the corner or the enemy's cubes can all be gone."""
        if not self.by_nearest:
            return 100.0
        mine = decisions + (state.turn == player) >> 1
        left = nearest(self.cells(state, player)) - 25.0 * mine
        theirs = self.cells(state, 1 - player)
        away = 0
        gone = bit_count(theirs & RINGS[0])
        while gone <= decisions and away < 5:  # as far as their nearest cube is if all before it are taken
            away += 1
            gone += bit_count(theirs & RINGS[away]) if away < 5 else 0
        if left <= 0 or away == 5:
            return 100.0
        return 25.0 * away - left

    # For learned evaluations: where each cube stands, as a player sees the board, and which ones are left

    def mover(self, state):
        return np.int64(state.turn)

    def own_inputs(self):
        return 2 * (6 * 25 + 64), 14

    def features(self, state, player, out):
        count = 0
        for side in range(2):
            owner = player if side == 0 else 1 - player
            base = side * (6 * 25 + 64)
            cubes = state.mine if state.turn == owner else state.theirs
            for number in range(6):
                square = square_of(cubes, number)
                if square != NO_SQUARE:
                    out[count] = base + 25 * number + (24 - square if player else square)
                    count += 1
            out[count] = base + 6 * 25 + cubes_left(cubes)
            count += 1
        return count
