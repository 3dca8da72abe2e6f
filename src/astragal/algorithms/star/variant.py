"""The *-Minimax family as one variant: which search its settings ask for, compiled into the kernels.

| | prune | probe | sampled |
|---|---|---|---|
| expectimax | | | |
| Star1 | yes | | |
| Star2 | yes | yes | |
| expSS, star1SS, star2SS | as above | as above | yes |

Paranoid search (Sturtevant & Korf 2000) is Star1 with one player against all others: any number of players become two
sides, and values are those of the player at the root. Utilities need not add up to anything.
"""

# mypy: allow-untyped-defs, allow-untyped-calls
from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cache, lru_cache

from astragal.algorithms.depth_first.recording import RECORDER
from astragal.algorithms.depth_first.work import SILENT, Silent
from astragal.algorithms.star.forward import chance_probcut, forward_cut
from astragal.algorithms.star.outcomes import step_action
from astragal.algorithms.star.settings import ForwardSettings, SampledStarSettings, StarSettings
from astragal.algorithms.star.star import unpruned_value_of, value_of
from astragal.base.parameters import Constant
from astragal.rules.decorator import compiled


@compiled
@dataclass(frozen=True)
class StarVariant:
    """What is compiled in; without any of it, expectimax. See `astragal.algorithms.depth_first.variant`."""

    prune: Constant[bool] = False  # bounds at chance nodes, and alpha-beta at decisions
    probe: Constant[bool] = False  # Star2's first pass
    sampled: Constant[bool] = False  # by sparse sampling
    arranged: Constant[bool] = False  # samples are not independent draws by state but what the work record says
    controlled: Constant[bool] = False  # with control variates
    forward: Constant[bool] = False  # with forward pruning, of whichever kind the work record says
    checked: Constant[bool] = False  # every node is compared with the definition
    one_against_all: Constant[bool] = False
    informed: Constant[bool] = False  # by the table's and the game's bounds of chance nodes
    recorder: Constant[Silent] = SILENT
    scouts = False
    shares = True

    @property
    def unpruned(self):
        """The search of nodes so near to the horizon that bounds are not worth their cost."""
        if not self.prune:
            return None
        return replace(self, prune=False, probe=False, forward=False, checked=False)

    @property
    def _label_(self):
        """What it is called while it is compiled: ``star2ss``."""
        name = "paranoid" if self.one_against_all else "star2" if self.probe else "star1" if self.prune else "exp"
        extras = [
            extra for extra in ("arranged", "controlled", "forward", "informed", "checked") if getattr(self, extra)
        ]
        extras += ["recorded"] if self.recorder is not SILENT else []
        return " ".join([name + "ss" * self.sampled, *extras])

    @property
    def lasting(self):
        """Whether values hold in later iterations."""
        return not (self.sampled or self.forward)

    @property
    def plain(self):
        """Whether a decision's value follows from its actions alone, and nothing is recorded."""
        return not (self.sampled or self.forward or self.checked) and self.silent

    @property
    def silent(self):
        """Whether nothing is recorded."""
        return self.recorder is SILENT

    def viewer(self, work):
        if self.one_against_all:
            return work.viewer
        return 0

    def minimises(self, turn, work):
        if self.one_against_all:
            return turn >= 0 and turn != work.viewer
        return turn == 1

    def value(self, game, state, turn, depth, alpha, beta, work):
        return value_of(game, self, state, turn, depth, alpha, beta, work)

    def unpruned_value(self, game, state, turn, depth, alpha, beta, work):
        return unpruned_value_of(game, self.unpruned, state, turn, depth, alpha, beta, work)

    def step(self, work, path, state, action):
        if self.arranged:
            step_action(work, path, state, action)

    def note_action(self, state, action, path, work):
        """An action is about to be followed, from a path: what samples below are keyed by, and what is recorded."""
        self.step(work, path, state, action)
        self.recorder.step(work, action, 0)

    def cuts_early(self, game, state, turn, depth, actions, here, work, me):
        """Whether to assume, before its actions are searched, that a decision is worth the window's end or more."""
        return forward_cut(game, self, state, turn, depth, actions, here, work, me)

    def predicted_chance_value(self, game, state, depth, alpha, beta, work, me):
        """A chance node that is perhaps cut on the word of a shallower search."""
        return chance_probcut(game, self, state, depth, alpha, beta, work, me)


@lru_cache(maxsize=256)
def variant_for(settings: StarSettings) -> StarVariant:
    """The variant that settings ask for."""
    return known(
        StarVariant(
            prune=settings.prunes,
            probe=settings.probes,
            sampled=isinstance(settings, SampledStarSettings),
            arranged=isinstance(settings, SampledStarSettings) and settings.arranges,
            controlled=isinstance(settings, SampledStarSettings) and settings.control,
            forward=isinstance(settings, ForwardSettings) and settings.prunes_forward,
            checked=settings.check,
            one_against_all=settings.one_against_all,
            informed=settings.chances or settings.ceilings,
            recorder=RECORDER if settings.keep else SILENT,
        )
    )


@cache
def known(variant: StarVariant) -> StarVariant:
    """An equal variant made before: a new one costs Numba some time."""
    return variant
