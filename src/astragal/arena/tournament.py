"""Tournaments: who meets whom, and what it says about all players.

- Round robin: everyone meets everyone once.
- Gauntlet: the first player meets all others.
- Elimination: the winner of each meeting goes on. The players' order is their seeding: the bracket keeps the first two
  apart until the final, and where the number of players is not a power of two the first ones skip the first round. On
  equal points the player that is seeded higher goes on.

Here is only who plays; how a meeting is played is a function that takes two players.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from itertools import combinations
from typing import Any

import numpy as np

from astragal.arena.meeting import AnyMeeting, Meeting
from astragal.arena.statistics.estimates import holm
from astragal.arena.statistics.ratings import Ratings, bradley_terry
from astragal.arena.statistics.solo import MeanEstimate, SoloMeeting
from astragal.arena.store.results_store import Tally
from astragal.arena.tables import tournament_text
from astragal.base.errors import SpecError, suggest
from astragal.base.frames import Rows, Tabular
from astragal.games import load_game
from astragal.players import load_player
from astragal.players.player import Player

Meet = Callable[[str, str], AnyMeeting]


@dataclass(frozen=True)
class Tournament(Tabular):
    """A tournament that was played; `str` is what `astragal tournament` prints."""

    format: str
    players: tuple[str, ...]
    rounds: tuple[tuple[AnyMeeting, ...], ...]  # one but for an elimination
    game: Any = field(default=None, compare=False, repr=False)  # for short names of players
    complete: bool = True  # whether all have met, rather than stopped by Ctrl-C
    tally: Tally = field(default_factory=Tally, compare=False)  # how many games are new

    @property
    def meetings(self) -> list[AnyMeeting]:
        return [meeting for played in self.rounds for meeting in played]

    @property
    def champion(self) -> str | None:
        """Who won the final of an elimination."""
        final = self.rounds[-1][-1]
        return final.players[final.winner] if self.format == "elimination" and self.complete else None

    @property
    def duels(self) -> list[Meeting]:
        """The meetings in which players played against each other."""
        return [meeting for meeting in self.meetings if isinstance(meeting, Meeting)]

    @property
    def is_solo(self) -> bool:
        """Whether players were compared by their scores in a game for one."""
        return isinstance(self.meetings[0], SoloMeeting)

    @property
    def mean_scores(self) -> dict[str, MeanEstimate]:
        """Of every player of a game for one, the best first."""
        found = {
            player: meeting.mean_score(number)
            for meeting in self.meetings
            if isinstance(meeting, SoloMeeting)
            for number, player in enumerate(meeting.players)
        }
        return dict(sorted(found.items(), key=lambda item: -item[1].mean))

    @property
    def ratings(self) -> Ratings:
        number = {player: i for i, player in enumerate(self.players)}
        points = np.zeros((len(number), len(number)))
        for meeting in self.meetings:
            assert isinstance(meeting, Meeting)  # games for one have mean scores instead
            first, second = (number[player] for player in meeting.players)
            points[first, second], points[second, first] = meeting.points
        return bradley_terry(points, self.players)

    @property
    def p_values(self) -> tuple[float, ...]:
        """Of each meeting, corrected by Holm for their number."""
        return holm([meeting.p_value for meeting in self.meetings])

    def as_dict(self) -> dict[str, Any]:
        """For a program to read."""
        corrected = iter(self.p_values)
        return {
            "format": self.format,
            "rounds": [
                [meeting.as_dict() | {"p": meeting.p_value, "p_holm": next(corrected)} for meeting in played]
                for played in self.rounds
            ],
            "ratings": [] if self.is_solo else [vars(rating) for rating in self.ratings.players],
            "scores": [{"player": player} | vars(mean) for player, mean in self.mean_scores.items()],
            "champion": self.champion,
        }

    def label(self, player: str) -> str:
        """What a player is called: without the settings that it has in this game anyway."""
        return player if self.game is None else load_player(player).text_for(self.game)

    def rows(self) -> Rows:
        """Two rows for each meeting: how each of the players did against the other."""
        corrected = iter(self.p_values)
        return [
            {"round": number} | row | {"p_holm": p_holm}
            for number, played in enumerate(self.rounds, 1)
            for meeting, p_holm in zip(played, corrected, strict=False)
            for row in meeting.rows(self.label)
        ]

    def table(self) -> str:
        """What `astragal tournament` prints."""
        return tournament_text(self)

    __str__ = table


def round_robin(players: Sequence[str], meet: Meet) -> tuple[tuple[AnyMeeting, ...], ...]:
    return (tuple(meet(first, second) for first, second in combinations(players, 2)),)


def gauntlet(players: Sequence[str], meet: Meet) -> tuple[tuple[AnyMeeting, ...], ...]:
    return (tuple(meet(players[0], other) for other in players[1:]),)


def elimination(players: Sequence[str], meet: Meet) -> tuple[tuple[AnyMeeting, ...], ...]:
    rounds = []
    left = [players[seed] if seed < len(players) else None for seed in bracket(len(players))]
    while len(left) > 1:
        played, winners = [], []
        for first, second in zip(left[::2], left[1::2], strict=True):
            if first is None or second is None:
                winners.append(first or second)
                continue
            meeting = meet(*sorted((first, second), key=players.index))
            played.append(meeting)
            winners.append(meeting.players[meeting.winner])
        rounds.append(tuple(played))
        left = winners
    return tuple(rounds)


def bracket(players: int) -> list[int]:
    """Seeds, from 0, in the order in which neighbours meet: 0 7 3 4 1 6 2 5. Those beyond the players are empty."""
    places = [0]
    while len(places) < players:
        last = 2 * len(places) - 1
        places = [seed for place in places for seed in (place, last - place)]
    return places


FORMATS: dict[str, Callable[[Sequence[str], Meet], tuple[tuple[AnyMeeting, ...], ...]]] = {
    "round-robin": round_robin,
    "gauntlet": gauntlet,
    "elimination": elimination,
}


def play_tournament(format: str, players: Sequence[str], meet: Meet) -> Tournament:
    """Play all meetings of a tournament."""
    return Tournament(format, tuple(players), check_format(format)(players, meet))


def check_format(format: str) -> Callable[[Sequence[str], Meet], tuple[tuple[AnyMeeting, ...], ...]]:
    if format not in FORMATS:
        raise SpecError(f"there is no format '{format}' (formats: {', '.join(FORMATS)}){suggest(format, FORMATS)}")
    return FORMATS[format]


def entrants(game: str | Any, players: Sequence[str | Player]) -> list[str]:
    """The players in full words, each only once."""
    rules = load_game(game)
    named = [str(load_player(player, rules)) for player in players]
    for player in named:
        if named.count(player) > 1:
            raise SpecError(f"{player} is named twice")
    if len(named) < 2:
        raise SpecError("a tournament needs at least two players")
    return named
