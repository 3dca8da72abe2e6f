"""Every search on a game: it answers with a legal action, or refuses in a sentence.

As a script, with a game's spec, it prints a line for each; under NUMBA_DISABLE_JIT=1 nothing is compiled.
"""

from __future__ import annotations

import sys
from dataclasses import fields
from typing import Any

from astragal import AstragalError, Limits, Position, load_game
from astragal.players import load_player, player_classes
from astragal.players.player import Player
from astragal.rules.dice import Dice

SPECS = [
    "pig",
    "ewn",
    "kalah",
    "backgammon",
    "connect_four",
    "tic_tac_toe",
    "cant_stop",
    "cant_stop:players=1,sides=3,shortest=2",
    "cant_stop:players=4",
    "ra",
    "focus",
    "focus:players=3",
    "focus:players=4",
    "chinese_checkers",
    "chinese_checkers:players=3",
    "chinese_checkers:players=6,star=full",
]
ONE_OF_A_KIND = ["pig", "kalah", "cant_stop:players=1,sides=3,shortest=2", "ra", "focus:players=3"]


def small_limits(player: Player) -> Limits:
    """Little work of whatever kind a player can be limited in."""
    names = {field.name for field in fields(player)}
    return Limits(sims=3) if "sims" in names else Limits(depth=1) if "table" in names else Limits(nodes=50)


def answer_of(name: str, game: Any) -> str:
    """The action a player chooses somewhere in a game, or what it says in refusal."""
    position = Position.start(game, 1).settled(Dice(1))
    try:
        player = load_player(name, game)
        result = player.search(position, seed=1, limits=small_limits(player))
    except AstragalError as refusal:
        return f"refused: {refusal}"
    assert result.action_number in position.actions(), f"{name} plays {result.action}"
    return f"plays {result.action}"


def searches() -> list[str]:
    """The players that search, in any game."""
    return [name for name, cls in player_classes().items() if cls.compiles]


if __name__ == "__main__":
    rules = load_game(sys.argv[1])
    for name in searches():
        print(f"{name}: {answer_of(name, rules)}")
