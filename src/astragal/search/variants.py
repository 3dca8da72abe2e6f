"""The six searches: expectimax, Star1 and Star2, each exact or by sparse sampling.

A variant is compiled into the kernels: its constants make branches vanish, and its methods are the steps in which the
searches differ. Forward variants prune what they did not search. Checked variants compare every node with the
definition, for tests.
"""

# mypy: ignore-errors
from __future__ import annotations

from dataclasses import dataclass

from astragal.game.decorator import compiled
from astragal.game.kernel import twin_kernel
from astragal.parameters import Constant
from astragal.search.definition import check_value
from astragal.search.forward import chance_probcut, forward_cut
from astragal.search.recording import SILENT, Silent
from astragal.search.star import expectation, star, value_of

unpruned_value_of = twin_kernel(value_of, "value_of", "unpruned_value_of")


@compiled
@dataclass(frozen=True)
class Expectimax:
    """No bounds: every outcome, or every sample, of every action."""

    sampled: Constant[bool] = False
    controlled: Constant[bool] = False  # with control variates
    recorder: Constant[Silent] = SILENT
    prune = False
    probe = False
    scouts = False

    def viewer(self, work):
        """The player whose values are searched."""
        return 0

    def minimises(self, turn, work):
        """Whether the player to move wants those values to be small."""
        return turn == 1

    def value(self, game, state, turn, depth, alpha, beta, work):
        """The node routine, as the entry kernels call it."""
        return value_of(game, self, state, turn, depth, alpha, beta, work)

    def chance_value(self, game, state, depth, alpha, beta, work, me):
        return expectation(game, self, state, depth, alpha, beta, work, me)

    def shallow_value(self, game, state, turn, depth, alpha, beta, work):
        """The value of a node at a depth at which bounds are not worth their cost; without bounds there is none."""
        return 0.0

    def cuts_early(self, game, state, turn, depth, actions, count, high, work, me):
        """Whether to believe, before its actions are searched, that a decision is worth the window's end or more."""
        return False

    def check(self, game, state, depth, alpha, beta, value, work):
        """What the checking mode does with a searched node: nothing, but in a checked variant."""


@compiled
@dataclass(frozen=True)
class Star1(Expectimax):
    """Bounds on chance nodes, and alpha-beta."""

    prune = True

    @property
    def unpruned(self):
        return Expectimax(self.sampled, self.controlled, self.recorder)

    def chance_value(self, game, state, depth, alpha, beta, work, me):
        return star(game, self, state, depth, alpha, beta, work, me)

    def shallow_value(self, game, state, turn, depth, alpha, beta, work):
        return unpruned_value_of(game, self.unpruned, state, turn, depth, alpha, beta, work)


@compiled
@dataclass(frozen=True)
class Star2(Star1):
    """Star1, after probing one action of each outcome's decision."""

    probe = True


@compiled
@dataclass(frozen=True)
class ForwardStar1(Star1):
    """Star1 with forward pruning, of whichever kind the work record says."""

    def chance_value(self, game, state, depth, alpha, beta, work, me):
        return chance_probcut(game, self, state, depth, alpha, beta, work, me)

    def cuts_early(self, game, state, turn, depth, actions, count, high, work, me):
        return forward_cut(game, self, state, turn, depth, actions, count, high, work, me)


@compiled
@dataclass(frozen=True)
class ForwardStar2(ForwardStar1):
    """Star2 with forward pruning."""

    probe = True


@compiled
@dataclass(frozen=True)
class CheckedExpectimax(Expectimax):
    """Expectimax in the checking mode."""

    def check(self, game, state, depth, alpha, beta, value, work):
        check_value(game, self, state, depth, alpha, beta, value, work)


@compiled
@dataclass(frozen=True)
class CheckedStar1(Star1):
    """Star1 in the checking mode."""

    def check(self, game, state, depth, alpha, beta, value, work):
        check_value(game, self, state, depth, alpha, beta, value, work)


@compiled
@dataclass(frozen=True)
class CheckedStar2(Star2):
    """Star2 in the checking mode."""

    def check(self, game, state, depth, alpha, beta, value, work):
        check_value(game, self, state, depth, alpha, beta, value, work)


def by_name(exp: type, star1: type, star2: type) -> dict[str, Expectimax]:
    """Each search's variant by its player's name; those that end in ss sample."""
    exact = {"exp": exp(), "star1": star1(), "star2": star2()}
    return exact | {"expss": exp(sampled=True), "star1ss": star1(sampled=True), "star2ss": star2(sampled=True)}


VARIANTS = by_name(Expectimax, Star1, Star2)
FORWARD_VARIANTS = by_name(Expectimax, ForwardStar1, ForwardStar2)
CHECKED_VARIANTS = by_name(CheckedExpectimax, CheckedStar1, CheckedStar2)
