"""Paranoid search: all others want the utility of the player at the root to be small (Sturtevant & Korf 2000).

So any number of players become two sides, and what is searched is Star1 (`astragal.search.star`) with the values of the
player at the root: alpha-beta at decisions, bounds at chance nodes. Utilities need not add up to anything.
"""

# mypy: ignore-errors
from __future__ import annotations

from dataclasses import dataclass

from astragal.game.decorator import compiled
from astragal.search.definition import check_value
from astragal.search.variants import Expectimax, Star1


class OneAgainstAll:
    """Who is Max and who is Min, for a variant."""

    def viewer(self, work):
        return work.viewer

    def minimises(self, turn, work):
        return turn >= 0 and turn != work.viewer


@compiled
@dataclass(frozen=True)
class UnprunedParanoid(OneAgainstAll, Expectimax):
    """Paranoid search near the horizon, where bounds are not worth their cost."""


@compiled
@dataclass(frozen=True)
class Paranoid(OneAgainstAll, Star1):
    """Paranoid search."""

    @property
    def unpruned(self):
        return UnprunedParanoid(self.sampled, self.controlled, self.recorder)


@compiled
@dataclass(frozen=True)
class CheckedParanoid(Paranoid):
    """Paranoid search in the checking mode."""

    def check(self, game, state, depth, alpha, beta, value, work):
        check_value(game, self, state, depth, alpha, beta, value, work)
