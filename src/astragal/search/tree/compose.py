"""From settings to steps and a work record: which pieces a search is made of, for a game."""

from __future__ import annotations

from functools import lru_cache

from astragal.errors import AstragalError
from astragal.game.decorator import keeps_secrets
from astragal.game.protocol import Game
from astragal.game.state import copy_of
from astragal.games import game_spec
from astragal.search.ranges import refuse_open_range
from astragal.search.tree.backup import MIDDLE, NOTHING, OWN, Average, MaxN, Minimax, Minimum
from astragal.search.tree.contracts import BackupStep, ProveStep, RolloutPolicy
from astragal.search.tree.evaluate import (
    LONGEST_ROLLOUT,
    AtOnce,
    BestEvaluated,
    Preferred,
    Rollouts,
    Uniform,
)
from astragal.search.tree.prove import FIRST_WINNER, PARANOID, STANDARD, Bounds, NoProof, Winners
from astragal.search.tree.rounds import Answered, Decoupled
from astragal.search.tree.select import UCT, ProgressiveHistory
from astragal.search.tree.settings import TreeSettings
from astragal.search.tree.steps import Steps
from astragal.search.tree.widen import AllChildren, DoubleWidening
from astragal.search.tree.work import MAX_PLAYERS, Work, new_work

POLICIES: dict[str, RolloutPolicy] = {"uniform": Uniform(), "order": Preferred(), "evaluation": BestEvaluated()}
UNVISITED = {"nothing": NOTHING, "own": OWN, "draw": MIDDLE}
RULES = {"off": STANDARD, "standard": STANDARD, "paranoid": PARANOID, "first_winner": FIRST_WINNER}
MAX_CHILDREN = 65535
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
    return composed(settings, shared, floor, is_zero_sum_pair(game), keeps_secrets(game), game.max_outcomes > 0)


@lru_cache(maxsize=256)
def composed(settings: TreeSettings, shared: bool, floor: float, pair: bool, secrets: bool, chance: bool) -> Steps:
    """The steps for a game between two opponents or not, with choices made at once and chance or without."""
    at_once = settings.rollout == 0 and settings.rollouts == 1
    steps = Steps(
        select=UCT() if settings.history is None else ProgressiveHistory(settings.history_first),
        widen=DoubleWidening() if settings.widening else AllChildren(),
        evaluate=AtOnce() if at_once else Rollouts(POLICIES[settings.policy]),
        backup=backup_for(pair, settings, floor),
        prove=proof_for(pair, settings),
        rounds=Decoupled() if settings.simultaneous == "decoupled" and secrets else Answered(),
        shared=shared,
        merge=settings.merge and chance,
    )
    return MADE.setdefault(steps, steps)  # Numba takes a while to get to know a new one


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


def work_for(game: Game, settings: TreeSettings, root_player: int, seed_bits: int) -> Work:
    """A work record with what the settings say, before limits are set."""
    low, high = game.utility_range
    work = copy_of(work_of_settings(settings))
    work["low"], work["high"], work["point"] = low, high, game.point
    work["c"] = settings.c * unit_in_utilities(game, settings.unit)
    work["generator"] = seed_bits
    work["root_player"] = max(root_player, 0)
    return work


@lru_cache(maxsize=256)
def work_of_settings(settings: TreeSettings) -> Work:
    """What a work record has from the settings alone, whatever the game. To be copied."""
    work = new_work(0.0, 0.0)
    work["rule"] = RULES[settings.solver]
    work["ends_by_sign"] = settings.ends == "sign"
    work["afterstates"] = settings.leaf == "afterstate"
    work["rollouts"] = settings.rollouts
    work["rollout_limit"] = LONGEST_ROLLOUT if settings.rollout is None else settings.rollout
    work["epsilon"] = settings.epsilon
    work["widen_factor"], work["widen_power"] = settings.c2, settings.alpha
    work["history_weight"] = settings.history or 0.0
    work["history_by_visits"] = settings.history_divisor == "visits"
    work["leave_when_full"] = settings.full == "recycle"
    return work


def unit_in_utilities(game: Game, unit: str) -> float:
    """How much utility a unit of C is."""
    low, high = game.utility_range
    width = float(high - low)
    if unit == "hundred":
        return width / 200.0
    return {"score": width, "points": float(game.point), "utility": 1.0}[unit]
