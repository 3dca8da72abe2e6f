"""Scores without luck: what the dice gave is taken off (`astragal.arena.luck`), so that decisions are left.

With exact values, two hundred games of Pig decide as much as twenty thousand do otherwise. With learned evaluations,
a hundred games decide as much as two hundred in Ra and as five hundred in Can't Stop and EinStein würfelt
nicht!
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from hashlib import sha256

from astragal.arena.contest import Contest, GameRecord
from astragal.arena.luck import LEARNED, luck_adjusted, luck_of_kind
from astragal.lab.exact import exact_for
from astragal.lab.findings import Entry, Paper
from astragal.lab.laboratory import Laboratory
from astragal.lab.scores import Boards, game_entry
from astragal.lab.sequential import USUAL
from astragal.learn.model import shipped_models

DIGITS = 9  # of luck, which is a part of a game
FEWEST = 3  # pairs, with which the part of luck in a score can be estimated


@cache
def evaluator_name(game: str, learned: bool) -> str:
    """By what luck is measured: exact values, or a learned evaluation, which the next release may have trained anew."""
    if not learned:
        return "exact"
    model = shipped_models()[game.partition(":")[0]]
    return f"learned:depth={LEARNED.depth}, {sha256(model.read_bytes()).hexdigest()[:12]}"


Number = tuple[int, int]  # of a game in its contest


def luck_of(lab: Laboratory, contest: Contest, records: Sequence[GameRecord], learned: bool) -> dict[Number, float]:
    """What rolls gave the first player in each game, on the scale of scores. It takes long, so it is kept."""
    key = f"luck of {lab.key_of(contest)} by {evaluator_name(contest.game, learned)}"
    found = lab.lucks.get(key)
    if found is None:
        numbers, lucks = lab.recall(key) or ((), ())
        found = lab.lucks[key] = {(pair, game): luck for (pair, game), luck in zip(numbers, lucks, strict=True)}
    new = [record for record in records if record.number not in found]
    for record in new:
        luck = luck_of_kind(contest, record, LEARNED if learned else exact_for(contest.game))
        found[record.number] = round(luck, DIGITS)
    if new:
        lab.keep(key, [list(found), list(found.values())])
    return found


def luckless_entry(
    lab: Laboratory,
    pairs: Boards,
    contest: Contest,
    records: list[GameRecord],
    paper: Paper | None,
    confidence: float = USUAL,
    learned: bool = False,
) -> Entry | None:
    """The luck-adjusted mean score over pairs; unchanged if there is no luck to estimate, as where one wins always."""
    if len(pairs) < FEWEST:
        return None
    luck = luck_of(lab, contest, [record for record in records if record.pair in pairs], learned)
    lucks = [[luck[pair, game] for game in range(len(scores))] for pair, scores in pairs.items()]
    found = luck_adjusted(list(pairs.values()), lucks, confidence)
    if found.variance_saved <= 0.0:
        return game_entry(pairs, paper, confidence)
    return Entry(found.mean, found.low, found.high, sum(map(len, lucks)), paper)
