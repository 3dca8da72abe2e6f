"""Scores without luck, in games whose exact values are known: what the dice gave is taken off (`astragal.arena.luck`).

What is left are the decisions: two hundred games of Pig tell what takes twenty thousand otherwise.
"""

from __future__ import annotations

from functools import cache

from astragal.arena.contest import Contest
from astragal.arena.dice_luck import luck_of_kind
from astragal.arena.luck import luck_adjusted
from astragal.arena.record import GameRecord
from astragal.lab.exact import exact_for
from astragal.lab.findings import Entry, Paper
from astragal.lab.scores import Boards
from astragal.lab.sequential import USUAL

FEWEST = 3  # pairs, with which one can tell what part of a score luck is


@cache
def luck_in(contest: Contest, record: GameRecord) -> float:
    """What rolls gave the first player in a game, on the scale of scores."""
    return luck_of_kind(contest, record, exact_for(contest.game))


def luckless_entry(
    pairs: Boards, contest: Contest, records: list[GameRecord], paper: Paper | None, confidence: float = USUAL
) -> Entry | None:
    """The mean score over pairs, less luck."""
    if len(pairs) < FEWEST:
        return None
    luck = {record.number: luck_in(contest, record) for record in records if record.pair in pairs}
    lucks = [[luck[pair, game] for game in range(len(scores))] for pair, scores in pairs.items()]
    found = luck_adjusted(list(pairs.values()), lucks, confidence)
    return Entry(found.mean, found.low, found.high, sum(map(len, lucks)), paper)
