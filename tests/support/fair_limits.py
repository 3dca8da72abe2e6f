"""What every search that goes depth first does with a budget of nodes, on a game.

As a script, with a game's spec, it prints a line of JSON for each; under NUMBA_DISABLE_JIT=1 nothing is compiled.
"""

from __future__ import annotations

import json
import os
import sys
from collections.abc import Iterator
from typing import Any

from astragal import Limits, Position, SearchResult, load_game
from astragal.base.errors import AstragalError
from astragal.players import load_player
from astragal.rules.dice import Dice

PLAYERS = ("exp", "star1", "star2", "star", "expss", "star1ss", "star2ss", "starss")
PLAYERS += ("alphabeta", "mm:depth=30", "maxn", "paranoid", "fsss", "ams")
SMALL_BUDGETS = (1, 10, 100, 300, 1_000)  # for Python
BUDGETS = (*SMALL_BUDGETS, 2_000, 10_000, 200_000)


def answers(spec: str, budgets: tuple[int, ...]) -> Iterator[tuple[str, int, SearchResult]]:
    """Each player that fits a game with each budget, a few moves after the start."""
    game = load_game(spec)
    dice = Dice(3)
    position = Position.start(game, 3).settled(dice)
    for _ in range(2):
        position = position.play(position.actions()[0]).settled(dice)
    for name in PLAYERS:
        try:
            player = load_player(name, game)
        except AstragalError:  # it does not fit the game
            continue
        for nodes in budgets:
            yield name, nodes, player.search(position, seed=1, limits=Limits(nodes=nodes))


def unfair(game: Any, nodes: int, result: SearchResult) -> str | None:
    """What is wrong with an answer under this limit of nodes."""
    if result.nodes > nodes + max(game.max_actions, game.max_outcomes):
        return f"searched {result.nodes} of {nodes} nodes"
    if result.nodes < 0.95 * nodes and not result.complete:
        return f"left {nodes - result.nodes} of {nodes} nodes unused"
    if (result.depth == 0) != (result.value is None) or (result.depth == 0) != (result.bound == "not searched"):
        return f"depth {result.depth}, value {result.value}, {result.bound}"
    return None


if __name__ == "__main__":
    rules = load_game(sys.argv[1])
    for name, budget, answer in answers(sys.argv[1], SMALL_BUDGETS if "NUMBA_DISABLE_JIT" in os.environ else BUDGETS):
        print(json.dumps([name, budget, answer.nodes, answer.depth, unfair(rules, budget, answer)]))
