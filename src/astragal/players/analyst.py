"""What values mean to people: the chance to win, or points; and who is asked for values while others play."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

from astragal.errors import AstragalError
from astragal.players import load_player
from astragal.players.player import Player
from astragal.search.result import ESTIMATE, EXACT, PROVEN, ActionValue, SearchResult
from astragal.search.tree.settings import TreeSettings

RANGES = {
    (-1.0, 1.0),
    (-100.0, 100.0),
    (0.0, 1.0),
    (0.0, 100.0),
}  # of games that are won or lost, as far as one can see
ANALYSTS = ("star2", "alphabeta", "uct", "maxn", "mcts")  # the first that fits
BY_GAMES = "uct"  # whose values are shares of games that were won


def measure(game: Any) -> str:
    """`win` where a value can be read as a chance to win, `score` where it is points."""
    low, high = (float(end) for end in game.utility_range)
    won_or_lost = game.players > 1 and (low, high) in RANGES and getattr(game, "score", "win") != "margin"
    return "win" if won_or_lost else "score"


def tells_chances(player: Player, found: SearchResult) -> bool:
    """Whether values are means of games played to their end, or known, and not evaluations on a scale of their own."""
    played = isinstance(player, TreeSettings) and player.rollout is None
    return played or found.bound in (EXACT, PROVEN)


def analyst(game: Any) -> str | None:
    """The player that is asked for hints and values: where they are chances to win, one that counts games won.

    Evaluations of games that are won or lost are on scales of their own; a mean of played games is a chance.
    """
    wanted = (BY_GAMES, *ANALYSTS) if measure(game) == "win" else ANALYSTS
    for name in wanted:
        try:
            return load_player(name, game).text_for(game)
        except AstragalError:
            continue
    return None


def most_error(row: ActionValue, utility_range: Sequence[float]) -> float | None:
    """The standard error that the mean of so many visits has at most.

    Values between low and high with mean m vary no more than those that are all low or high: (high - m)(m - low), which
    is what wins and losses have (Bhatia & Davis 2000). It takes visits for independent, which in a tree they are not
    quite.
    """
    if row.bound != ESTIMATE or row.value is None or not row.visits:
        return None
    low, high = utility_range
    spread = max(0.0, (high - row.value) * (row.value - low))
    return math.sqrt(spread / row.visits)
