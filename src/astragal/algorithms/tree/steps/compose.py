"""A tree search as a composition of steps, and which steps settings mean for a game.

Steps are compiled into the kernel: a step that is not chosen leaves nothing in it.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache

from astragal.algorithms.search import refuse_open_range
from astragal.algorithms.tree.settings import TreeSettings
from astragal.algorithms.tree.steps.backup import MIDDLE, NOTHING, OWN, Average, MaxN, Minimax, Minimum
from astragal.algorithms.tree.steps.contracts import (
    BackupStep,
    EvaluateStep,
    ProveStep,
    RolloutPolicy,
    RoundsStep,
    SelectStep,
    WidenStep,
)
from astragal.algorithms.tree.steps.evaluate import AtOnce, BestEvaluated, Preferred, Rollouts, Uniform
from astragal.algorithms.tree.steps.prove import Bounds, NoProof, Winners
from astragal.algorithms.tree.steps.rounds import Answered, Decoupled
from astragal.algorithms.tree.steps.select import UCT, ProgressiveHistory
from astragal.algorithms.tree.steps.widen import AllChildren, DoubleWidening
from astragal.algorithms.tree.work import MAX_PLAYERS
from astragal.base.errors import AstragalError
from astragal.base.parameters import Constant
from astragal.games import game_spec
from astragal.rules.decorator import compiled, keeps_secrets
from astragal.rules.protocol import Game

POLICIES: dict[str, RolloutPolicy] = {"uniform": Uniform(), "order": Preferred(), "evaluation": BestEvaluated()}
UNVISITED = {"nothing": NOTHING, "own": OWN, "draw": MIDDLE}
MAX_CHILDREN = 65535


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


MADE: dict[Steps, Steps] = {}


def refuse_game(game: Game, player: str) -> None:
    """Say in a sentence what kind of game a tree search cannot search."""
    if game.players > MAX_PLAYERS:
        raise AstragalError(f"{player} plays with up to {MAX_PLAYERS} players; {game_spec(game)} has {game.players}")
    refuse_open_range(game, player)
    if max(game.max_actions, game.max_outcomes) > MAX_CHILDREN:
        raise AstragalError(f"{player} needs a game with at most {MAX_CHILDREN} actions or outcomes at a time")


def is_zero_sum_pair(game: Game) -> bool:
    return bool(game.players == 2 and game.zero_sum)


def steps_for(game: Game, settings: TreeSettings, shared: bool = False) -> Steps:
    """The steps that settings ask for."""
    floor = float(game.utility_range[0]) if shared else 0.0
    decoupled = settings.simultaneous == "decoupled" and keeps_secrets(game)
    return composed(settings, shared, floor, is_zero_sum_pair(game), decoupled, game.max_outcomes > 0)


@lru_cache(maxsize=256)
def composed(settings: TreeSettings, shared: bool, floor: float, pair: bool, decoupled: bool, chance: bool) -> Steps:
    """The steps for a game between two opponents or not, with choices made at once and chance or without."""
    at_once = settings.rollout == 0 and settings.rollouts == 1
    steps = Steps(
        select=UCT() if settings.history is None else ProgressiveHistory(settings.history_first),
        widen=DoubleWidening() if settings.widening else AllChildren(),
        evaluate=AtOnce() if at_once else Rollouts(POLICIES[settings.policy]),
        backup=backup_for(pair, settings, floor),
        prove=proof_for(pair, settings),
        rounds=Decoupled() if decoupled else Answered(),
        shared=shared,
        merge=settings.merge and chance,
    )
    return MADE.setdefault(steps, steps)  # Numba takes long to type a new instance


def backup_for(pair: bool, settings: TreeSettings, floor: float) -> BackupStep:
    if settings.backup == "minimax":
        if not pair and settings.unvisited != "nothing":
            raise AstragalError(f"unvisited={settings.unvisited} needs two players whose utilities add up to nothing")
        return Minimax(UNVISITED[settings.unvisited]) if pair else MaxN()
    return Minimum(floor) if settings.backup == "minimum" else Average(floor)


def proof_for(pair: bool, settings: TreeSettings) -> ProveStep:
    if settings.solver == "off":
        return NoProof()
    return Bounds() if pair else Winners()
