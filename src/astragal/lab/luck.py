"""Scores without luck: where exact values are known, so is what chance gave, and it is taken off.

The exact value of a position before a roll is the mean of those after it, whoever plays. So what rolls add to it over a
game is nothing on average, and a score less that has the same mean as the score itself. What is left are the decisions:
a game between good players tells as much as hundreds do otherwise (the advantage sum of Zinkevich, Bowling, Bard, Kan
and Billings 2006).
"""

from __future__ import annotations

from functools import cache
from itertools import pairwise

from astragal.arena.contest import Contest
from astragal.arena.record import GameRecord
from astragal.arena.referee import replayed
from astragal.game.position import Position
from astragal.lab.exact import exact_for
from astragal.lab.scores import Boards
from astragal.solve.exact import Exact


@cache
def luck_of(contest: Contest, record: GameRecord) -> float:
    """What rolls added to the first player's chance to win."""
    exact = exact_for(contest.game)
    rolls = [(before, after) for before, after in pairwise(replayed(contest, record)) if before.is_chance]
    of_seat = sum(chance_to_win(exact, after) - chance_to_win(exact, before) for before, after in rolls)
    return of_seat if record.seats[0] == 0 else -of_seat


def chance_to_win(exact: Exact, position: Position) -> float:
    """That of the first seat."""
    chance = exact.win_chance(position)
    assert chance is not None, "a game for two has a winner"
    return chance


def without_luck(pairs: Boards, contest: Contest, records: list[GameRecord]) -> Boards:
    """The same scores of the first player, each less what chance gave in its game."""
    luck = {record.number: luck_of(contest, record) for record in records if record.pair in pairs}
    return {pair: [score - luck[pair, game] for game, score in enumerate(games)] for pair, games in pairs.items()}
