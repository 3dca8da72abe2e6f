"""The games as a newcomer sees them: a picture from the middle of a game, how many play, and how long a game is."""

from __future__ import annotations

from functools import lru_cache
from typing import Any

from astragal.game.dice import Dice
from astragal.game.position import Position
from astragal.web.catalogue import Entry, loaded
from astragal.web.views import picture_view, warn_once

PLIES = 10  # before the picture is taken
MOVES = {  # decisions of all players in a game between players of two levels, on average (docs/web.md)
    "backgammon": 50,
    "cant_stop": 90,
    "chinese_checkers": 75,
    "connect_four": 20,
    "ewn": 18,
    "focus": 37,
    "kalah": 35,
    "pig": 55,
    "ra": 95,
    "tic_tac_toe": 6,
}


@lru_cache(maxsize=256)
def card(entry: Entry) -> dict[str, Any]:
    """A game's card; one whose game fails has no picture."""
    facts = entry.facts()
    game = loaded(entry, "")
    return {
        "id": entry.id,
        "own": entry.own,
        "about": facts["about"],
        "players": seats(facts["parameters"], game.players),
        "moves": MOVES.get(entry.id),
        "chance": game.max_outcomes > 0,
        "picture": picture_of_play(game),
    }


def picture_of_play(game: Any) -> dict[str, Any] | None:
    """A picture from the middle of a game; none of a game that fails, which is said where it is played."""
    try:
        return picture_view(in_the_middle(game))
    except Exception as error:
        warn_once(f"{type(game).__name__} has no card: {error}")
        return None


def seats(parameters: list[dict[str, Any]], usual: int) -> list[int]:
    """The least and the most players."""
    row = next((row for row in parameters if row["name"] == "players"), None)
    if row is None or row["low"] is None or row["high"] is None:
        return [usual, usual]
    return [int(row["low"]), int(row["high"])]


def in_the_middle(game: Any) -> Position:
    """A position after some moves at random, always the same; the last decision before the end of a short game."""
    position = best = Position.start(game, 3)
    dice = Dice(5)
    for _ in range(PLIES):
        actions = position.actions()
        position = position.follow(position.draw(dice) if position.is_chance else actions[dice.below(len(actions))])
        if position.is_terminal:
            return best
        best = best if position.is_chance else position
    return best
