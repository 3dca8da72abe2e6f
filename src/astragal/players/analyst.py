"""What values mean to people, and which player computes values while others play."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

from astragal.algorithms.result import ESTIMATE, EXACT, PROVEN, ActionValue, SearchResult
from astragal.algorithms.tree.settings import TreeSettings
from astragal.base.errors import AstragalError
from astragal.players import load_player
from astragal.players.ladders import fits, own_ladder
from astragal.players.player import Player
from astragal.rules.ending import measure

ANALYSTS = ("star2", "alphabeta", "uct", "maxn", "mcts")  # the first that fits
BY_GAMES = "uct"  # whose values are shares of games that were won


def are_chances(player: Player, found: SearchResult) -> bool:
    """Whether values are means of games played to their end, or exact, and not evaluations on a scale of their own."""
    played = isinstance(player, TreeSettings) and player.rollout is None
    return played or found.bound in (EXACT, PROVEN)


def analyst(game: Any) -> str | None:
    """The player that computes hints and values: where values are chances to win, one that counts games won.

    Evaluations of games that are won or lost are on scales of their own; a mean of played games is a chance. In a
    user's game that has a ladder, it is the strongest player there.
    """
    made = own_ladder(game)
    if made is not None and fits(made.top.player, game):
        return load_player(made.top.player, game).text_for(game)
    wanted = (BY_GAMES, *ANALYSTS) if measure(game) == "win" else ANALYSTS
    for name in wanted:
        try:
            return load_player(name, game).text_for(game)
        except AstragalError:
            continue
    return None


def most_error(row: ActionValue, utility_range: Sequence[float]) -> float | None:
    """The largest standard error that the mean of this many visits can have.

    Values between low and high with mean m vary no more than those that are all low or high: (high - m)(m - low), as
    for wins and losses (Bhatia & Davis 2000). Visits are taken as independent, which in a tree is only nearly
    true.
    """
    if row.bound != ESTIMATE or row.value is None or not row.visits:
        return None
    low, high = utility_range
    spread = max(0.0, (high - row.value) * (row.value - low))
    return math.sqrt(spread / row.visits)
