"""How a player's score depends on one of its settings, over contests that differ in it.

A point is all contests that differ in their seeds alone. A series is all points with the same game, opponent and other
settings. A limit of the whole contest counts as a setting of the player.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from astragal.algorithms.limits import Limits
from astragal.arena.contest import Contest
from astragal.arena.space import as_number
from astragal.arena.statistics.estimates import Bounded, duplicate_score, estimated
from astragal.arena.summary import Standing
from astragal.base.errors import AstragalError, SpecError, suggest
from astragal.base.parameters import parameter_fields
from astragal.players import load_player

SCORES = ("mean", "duplicate")
Key = tuple[str, str, str, str]  # game, player without the setting, opponent, and how it is played

Point = tuple[float, float, float, float]  # the setting, the score, and its interval


@dataclass(frozen=True)
class Curves:
    """Scores against a setting."""

    setting: str
    series: dict[str, list[Point]]


@dataclass(frozen=True)
class Side:
    """A contest as one of its two players sees it."""

    standing: Standing
    kind: int

    @property
    def contest(self) -> Contest:
        return self.standing.contest

    @property
    def player(self) -> str:
        return self.contest.kinds[self.kind]

    @property
    def opponent(self) -> str:
        return self.contest.kinds[1 - self.kind]

    @property
    def numbers(self) -> dict[str, float]:
        """The player's settings that are numbers, with the contest's limits in the place of its own."""
        made = load_player(self.player)
        settings = {field.name: getattr(made, field.name) for field in parameter_fields(type(made))}
        if self.contest.limits != Limits():
            settings |= vars(self.contest.limits)
        known = {name: as_number(value) for name, value in settings.items()}
        return {name: number for name, number in known.items() if number is not None}

    @property
    def pairs(self) -> list[list[float]]:
        return [[game[self.kind] for game in pair] for pair in self.standing.whole_pairs()]

    def key(self, over: str) -> Key:
        """What all points of a series have in common."""
        contest = self.contest
        limits = [f"{n}={v:g}" for n, v in vars(contest.limits).items() if v is not None and n != over]
        limits += [] if contest.matched is None else [f"player {contest.matched + 1} node-matched"]
        limits += [] if contest.finish is None else [f"finished by {' and '.join(contest.finish.players)}"]
        player = without(contest.label(self.player), over)
        return contest.game, player, contest.label(self.opponent), ", ".join(limits)


def without(player: str, setting: str) -> str:
    """A player's text without one of its settings."""
    name, _, text = player.partition(":")
    left = ",".join(item for item in text.split(",") if item.partition("=")[0] != setting)
    return f"{name}:{left}" if left else name


def curves(
    standings: Sequence[Standing],
    over: str | None = None,
    player: str | None = None,
    opponent: str | None = None,
    score: str = "mean",
) -> Curves:
    """The scores of the first players, or of one named, against the setting in which they differ, or one named."""
    if score not in SCORES:
        raise SpecError(f"a curve shows {' or '.join(SCORES)} scores, not '{score}'{suggest(score, SCORES)}")
    sides = sides_of(standings, player, opponent)
    setting = check_setting(sides, over) if over is not None else varied(sides)
    found: dict[Key, dict[float, list[list[float]]]] = defaultdict(lambda: defaultdict(list))
    for side in sides:
        if setting in side.numbers:
            found[side.key(setting)][side.numbers[setting]] += side.pairs
    series = {key: points_of(points, score) for key, points in found.items()}
    series = {key: points for key, points in series.items() if points}
    if not series:
        raise AstragalError("no pair of games is finished, so there is no score to draw")
    return Curves(setting, dict(zip(names_of(list(series)), series.values(), strict=True)))


def sides_of(standings: Sequence[Standing], player: str | None, opponent: str | None) -> list[Side]:
    """The first player's side of every contest of two players, or that of the player named."""

    def fits(text: str, wanted: str | None) -> bool:
        return wanted is None or text == wanted or text.startswith(f"{wanted}:")

    found = []
    for standing in standings:
        if standing.contest.is_duel:
            both = [Side(standing, kind) for kind in (0, 1)]
            sides = [side for side in both if fits(side.player, player) and fits(side.opponent, opponent)]
            found += sides[:1]
    if not found:
        raise AstragalError("there are no contests of two players to draw a curve of")
    return found


def varied(sides: Sequence[Side]) -> str:
    """The one setting in which players of a name differ against the same opponent, or a sentence."""
    groups: dict[Any, list[dict[str, float]]] = defaultdict(list)
    for side in sides:
        groups[side.contest.game, side.player.partition(":")[0], side.opponent].append(side.numbers)
    names = dict.fromkeys(name for side in sides for name in side.numbers)
    differ = [
        name
        for name in names
        if any(len({numbers[name] for numbers in group if name in numbers}) > 1 for group in groups.values())
    ]
    if not differ:
        raise AstragalError(
            "nothing varies: a curve needs contests against the same opponent in which a setting of the player differs"
        )
    if len(differ) > 1:
        raise SpecError(f"{' and '.join(differ)} vary; name one of them as the setting (--over)")
    return differ[0]


def check_setting(sides: Sequence[Side], over: str) -> str:
    known = dict.fromkeys(name for side in sides for name in side.numbers)
    if over not in known:
        raise SpecError(
            f"no player here has a number for '{over}' (there are: {', '.join(known)}){suggest(over, known)}"
        )
    return over


def points_of(points: dict[float, list[list[float]]], score: str) -> list[Point]:
    """The points of a series in the order of the setting; without those of which there is nothing to say yet."""
    found = []
    for x, pairs in sorted(points.items()):
        value: Bounded | None = None
        if pairs:
            value = duplicate_score(pairs).rate if score == "duplicate" else estimated(pairs)
        if value is not None:
            found.append((x, value.mean, value.low, value.high))
    return found


def names_of(keys: Sequence[Key]) -> list[str]:
    """The names of series in a legend: player and opponent, and what else distinguishes them."""
    games, limits = len({key[0] for key in keys}) > 1, len({key[3] for key in keys}) > 1
    return [
        (f"{game}: " if games else "") + f"{player} - {opponent}" + (f" ({how})" if limits and how else "")
        for game, player, opponent, how in keys
    ]
