"""A promise that a game keeps or breaks, and the random games in which promises are tried."""

from __future__ import annotations

from collections.abc import Iterator

from astragal.rules.decorator import defines
from astragal.rules.dice import Dice
from astragal.rules.position import Position
from astragal.rules.protocol import Game

LONGEST = 2_000  # plies played where a game declares no bound on its length
ENOUGH_POSITIONS = 1_000  # of long games; Python is slow


class Broken(Exception):
    """A promise that the game does not keep, with the sentence that says so."""


def require(condition: bool, sentence: str) -> None:
    if not condition:
        raise Broken(sentence)


def random_game(game: Game, seed: int) -> Iterator[Position]:
    """The positions of a random game, interpreted, until it ends or is cut off."""
    dice = Dice(seed)
    position = Position.start(game, seed)
    limit = game.max_plies or LONGEST
    for _ in range(limit + 1):
        yield position
        if position.is_terminal:
            return
        if position.is_chance:
            outcome = position.draw(dice)
            if defines(type(game), "draw"):
                listed = outcome in [o.number for o in position.outcomes()]
                require(listed, f"draw gave {outcome}, which is not listed, at '{position.text}'")
            position = position.follow(outcome)
        else:
            actions = position.actions()
            require(len(actions) > 0, f"player {position.turn + 1} has no action at '{position.text}'")
            position = position.follow(actions[dice.below(len(actions))])
    if game.max_plies is not None:
        raise Broken(f"a random game lasted more than max_plies = {limit} plies")
