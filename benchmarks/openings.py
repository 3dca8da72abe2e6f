"""A match in a game without chance, from random openings: else players by nodes play the same two games for ever.

    python benchmarks/openings.py GAME ONE OTHER [--games N] [--opening PLIES] [--seed N]

Openings are a number of random moves, or one less; each is played twice with seats swapped. The interval is of the mean
over pairs. Players have their limits in their texts, such as alphabeta:nodes=50000.
"""

from __future__ import annotations

import argparse
from typing import Any

from astragal.arena.statistics.estimates import paired
from astragal.games import load_game
from astragal.players import load_player
from astragal.players.player import Player
from astragal.rules.dice import Dice
from astragal.rules.position import Position


def opening(game: Any, plies: int, dice: Dice) -> Position:
    """A position after random moves, in which there is still something to decide."""
    while True:
        position = Position.start(game, dice.below(2**31))
        for _ in range(plies - dice.below(2)):  # either player may be the first to decide
            if actions := position.actions():
                position = position.play(actions[dice.below(len(actions))])
        if position.actions():
            return position


def play(position: Position, seats: tuple[Player, Player], seed: int) -> tuple[float, ...]:
    """A game to its end; what it is worth to each seat."""
    while not position.is_terminal:
        action = seats[position.turn].search(position, seed=seed).action
        assert action is not None  # a decision
        position = position.play(action)
    return tuple(position.utilities())


def score(mine: float, theirs: float) -> float:
    return 0.5 if mine == theirs else float(mine > theirs)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("game")
    parser.add_argument("one")
    parser.add_argument("other")
    parser.add_argument("--games", type=int, default=100)
    parser.add_argument("--opening", type=int, default=6)
    parser.add_argument("--seed", type=int, default=0)
    asked = parser.parse_args()
    game = load_game(asked.game)
    one, other = load_player(asked.one, game), load_player(asked.other, game)
    dice, pairs = Dice(asked.seed), []
    for _ in range(max(2, (asked.games + 1) // 2)):
        position, seed = opening(game, asked.opening, dice), dice.below(2**31)
        first, second = play(position, (one, other), seed), play(position, (other, one), seed)
        pairs.append([score(first[0], first[1]), score(second[1], second[0])])
        if len(pairs) > 1:
            found = paired(pairs)
            print(
                f"\r{asked.one}: {found.mean:.1%} [{found.low:.1%}, {found.high:.1%}] of {found.games} games",
                end="",
                flush=True,
            )
    print()


if __name__ == "__main__":
    main()
