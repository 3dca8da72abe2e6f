"""What a tuning run tried: every setting of a player that has met another one, in the order met.

A results file keeps contests, not tuning runs. Contests between two settings of a player are taken for one; the comment
in their commands says why they met, and so which is the choice. A candidate's score is over all its meetings, however
strong its opponents were. The last meeting of the choice with the default is kept apart, since it alone is unbiased.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from astragal.arena.statistics import Bounded, estimated
from astragal.arena.summary import Standing
from astragal.errors import AstragalError, SpecError
from astragal.parameters import parameter_fields
from astragal.players import load_player

AGAINST_DEFAULT = ("trial", "again")  # occasions on which the second player is the default setting


@dataclass(frozen=True)
class Candidate:
    """A setting that was tried."""

    player: str
    order: int  # from 1, as met
    settings: dict[str, Any]
    estimate: Bounded


@dataclass(frozen=True)
class Trace:
    """A tuning run."""

    game: str
    player: str  # its name
    candidates: tuple[Candidate, ...]
    settings: tuple[str, ...]  # in which candidates differ
    choice: str
    label: str  # what a picture calls the choice
    confirmation: Bounded | None  # the choice against the default


def tuning_trace(contests: Sequence[tuple[Standing, str]]) -> Trace:
    """The tuning run in some contests, each with its occasion, in the order in which they began."""
    chosen = [(standing, occasion) for standing, occasion in contests if is_between_settings(standing)]
    runs = {(standing.contest.game, name_of(standing.contest.kinds[0])): None for standing, _ in chosen}
    if not runs:
        raise AstragalError("there are no contests between settings of one player, as tuning plays them")
    if len(runs) > 1:
        listed = " and ".join(f"{player} in {game}" for game, player in runs)
        raise SpecError(f"there are contests between settings of {listed}; choose by --game and --player")
    ((game, player),) = runs
    scores: dict[str, list[list[float]]] = {}
    confirmation, choice = None, ""
    for standing, occasion in chosen:
        first, second = standing.contest.kinds
        sides = [[[game[kind] for game in pair] for pair in standing.whole_pairs()] for kind in (0, 1)]
        if occasion == "confirmation":
            choice, confirmation = first, estimated(sides[0])
            scores.setdefault(first, [])
            continue
        scores.setdefault(first, []).extend(sides[0])
        if occasion not in AGAINST_DEFAULT:
            scores.setdefault(second, []).extend(sides[1])
        if confirmation is None:
            choice = first if total(sides[0]) >= total(sides[1]) else second
    scores = {candidate: pairs for candidate, pairs in scores.items() if pairs}
    return traced(game, player, scores, choice, chosen[0][0].contest.label(choice), confirmation)


def traced(
    game: str,
    player: str,
    scores: dict[str, list[list[float]]],
    choice: str,
    label: str,
    confirmation: Bounded | None,
) -> Trace:
    settings = {candidate: settings_of(candidate) for candidate in scores}
    names = list(dict.fromkeys(name for each in settings.values() for name in each))
    differ = tuple(name for name in names if len({each[name] for each in settings.values()}) > 1)
    candidates = tuple(
        Candidate(candidate, order, settings[candidate], estimated(pairs))
        for order, (candidate, pairs) in enumerate(scores.items(), 1)
    )
    return Trace(game, player, candidates, differ, choice, label, confirmation)


def is_between_settings(standing: Standing) -> bool:
    """Whether two different settings of one player met, and a pair is over."""
    kinds = standing.contest.kinds
    same = len(kinds) == 2 and kinds[0] != kinds[1] and name_of(kinds[0]) == name_of(kinds[1])
    return same and bool(standing.whole_pairs())


def name_of(player: str) -> str:
    return player.partition(":")[0]


def settings_of(player: str) -> dict[str, Any]:
    made = load_player(player)
    return {field.name: getattr(made, field.name) for field in parameter_fields(type(made))}


def total(pairs: Sequence[Sequence[float]]) -> float:
    return sum(map(sum, pairs))
