"""Scores without luck: what the dice gave is taken off (`astragal.arena.luck`), so that decisions are left.

By exact values two hundred games of Pig tell what takes twenty thousand otherwise. By learned evaluations, in games
that nobody has solved, a hundred tell what takes two hundred in Ra and five hundred in Can't Stop and EinStein würfelt
nicht!
"""

from __future__ import annotations

from functools import cache

from astragal.arena.contest import Contest
from astragal.arena.dice_luck import LEARNED, luck_of_kind
from astragal.arena.luck import luck_adjusted
from astragal.arena.record import GameRecord
from astragal.lab.exact import exact_for
from astragal.lab.findings import Entry, Paper
from astragal.lab.scores import Boards, game_entry
from astragal.lab.sequential import USUAL

FEWEST = 3  # pairs, with which one can tell what part of a score luck is


@cache
def luck_in(contest: Contest, record: GameRecord, learned: bool = False) -> float:
    """What rolls gave the first player in a game, on the scale of scores, by exact values or by learned ones."""
    return luck_of_kind(contest, record, LEARNED if learned else exact_for(contest.game))


def luckless_entry(
    pairs: Boards,
    contest: Contest,
    records: list[GameRecord],
    paper: Paper | None,
    confidence: float = USUAL,
    learned: bool = False,
) -> Entry | None:
    """The mean score over pairs, less luck; as it is where luck tells nothing of it, as where one wins always."""
    if len(pairs) < FEWEST:
        return None
    luck = {record.number: luck_in(contest, record, learned) for record in records if record.pair in pairs}
    lucks = [[luck[pair, game] for game in range(len(scores))] for pair, scores in pairs.items()]
    found = luck_adjusted(list(pairs.values()), lucks, confidence)
    if found.variance_saved <= 0.0:
        return game_entry(pairs, paper, confidence)
    return Entry(found.mean, found.low, found.high, sum(map(len, lucks)), paper)
