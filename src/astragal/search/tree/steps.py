"""A tree search as a composition of steps, compiled into the kernel: a step that is not chosen leaves nothing in it."""

from __future__ import annotations

from dataclasses import dataclass

from astragal.game.decorator import compiled
from astragal.parameters import Constant
from astragal.search.tree.backup import Average
from astragal.search.tree.contracts import BackupStep, EvaluateStep, ProveStep, RoundsStep, SelectStep, WidenStep
from astragal.search.tree.evaluate import Rollouts
from astragal.search.tree.prove import NoProof
from astragal.search.tree.rounds import Answered
from astragal.search.tree.select import UCT
from astragal.search.tree.widen import AllChildren


@compiled
@dataclass(frozen=True)
class Steps:
    """Which select, widen, evaluate, back up, prove and rounds a search is made of. The default is plain UCT."""

    select: Constant[SelectStep] = UCT()  # noqa: RUF009
    widen: Constant[WidenStep] = AllChildren()  # noqa: RUF009
    evaluate: Constant[EvaluateStep] = Rollouts()  # noqa: RUF009
    backup: Constant[BackupStep] = Average()  # noqa: RUF009
    prove: Constant[ProveStep] = NoProof()  # noqa: RUF009
    rounds: Constant[RoundsStep] = Answered()  # noqa: RUF009
    shared: Constant[bool] = False  # whether threads grow the tree together
    merge: Constant[bool] = False  # whether one outcome stands for all that are worth the same

    @property
    def needs_extra(self) -> bool:
        """Whether nodes need their bounds and probabilities."""
        return self.backup.needs_chances or self.prove.needs_chances or (self.merge and self.widen.needs_chances)
