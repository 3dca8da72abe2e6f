"""What a learned evaluation is worth to a search as deep as with the game's own, and what it costs.

    python benchmarks/learned.py GAME [PLAYER ...] [--evaluation FILE] [--against FILE] [--depths 1,2,3] [--games N]

    python benchmarks/learned.py ewn star star:evaluation=learned

Worth: games on the same dice, both sides looking a number of decisions ahead (`learn.look_ahead`); `--games 0` leaves
that out. Cost: nodes a second of each PLAYER in positions of random games, and how deep as many nodes take it as it
has in `--time` seconds. Milliseconds mean something on an idle machine only.
"""

from __future__ import annotations

import argparse
import time
from typing import Any

import numpy as np

from astragal import Limits
from astragal.games import load_game
from astragal.learn.matches import match_of
from astragal.learn.model import evaluated_game
from astragal.players import load_player
from astragal.players.player import Player
from astragal.rules.checks.promise import random_game
from astragal.rules.dice import Dice
from astragal.rules.position import Position

NODES = 200_000  # of a search that is timed
STARTS, SEED, LONGEST = 256, 77, 2000


def worth(game: Any, evaluation: str, against: str, depth: int, games: int) -> str:
    """What an evaluation scores against another, both as deep."""
    dice = Dice(SEED)
    starts = np.concatenate([Position.start(game, dice.below(2**31)).memory for _ in range(STARTS)])
    one, other = evaluated_game(game, evaluation), evaluated_game(game, against)
    opening = 6 if game.max_outcomes == 0 else 0
    score = match_of(one, other, starts, games, opening, LONGEST, depth, SEED)
    return f"{evaluation} against {against}, {depth} deep: {score} of {score.games} games"


def positions_of(game: Any, count: int) -> list[Position]:
    """Decisions with a choice, one out of the middle of each of `count` random games."""
    found: list[Position] = []
    for seed in range(1, 10 * count):
        choices = [each for each in random_game(game, seed) if not each.is_chance and len(each.actions()) > 1]
        if choices:
            found.append(choices[len(choices) * (seed % 4 + 1) // 6])
        if len(found) == count:
            break
    return found


def speed(player: Player, positions: list[Position]) -> float:
    """Nodes in a second of the processor."""
    searched = 0
    player.search(positions[0], limits=Limits(nodes=NODES))  # compiled, and its table's memory is there
    begun = time.process_time()
    for position in positions:
        searched += player.search(position, limits=Limits(nodes=NODES)).nodes
    return searched / (time.process_time() - begun)


def cost(game: Any, text: str, positions: list[Position], seconds: float) -> str:
    """How fast a player is, and how deep it searches in `seconds`."""
    player = load_player(text, game)
    per_second = speed(player, positions)
    nodes = round(seconds * per_second)
    depth = sum(player.search(each, limits=Limits(nodes=nodes)).depth for each in positions) / len(positions)
    return f"{text:48} {per_second / 1e6:7.2f} million nodes a second, {nodes:,} a move: depth {depth:.2f}"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("game")
    parser.add_argument("players", nargs="*", metavar="PLAYER", help="whose speed is measured")
    parser.add_argument("--evaluation", default="learned")
    parser.add_argument("--against", default="own")
    parser.add_argument("--depths", default="1,2,3")
    parser.add_argument("--games", type=int, default=2000)
    parser.add_argument("--time", type=float, default=0.05)
    parser.add_argument("--positions", type=int, default=24)
    asked = parser.parse_intermixed_args()
    game = load_game(asked.game)
    for depth in asked.depths.split(",") if asked.games else []:
        print(worth(game, asked.evaluation, asked.against, int(depth), asked.games), flush=True)
    positions = positions_of(game, asked.positions) if asked.players else []
    for text in asked.players:
        print(cost(game, text, positions, asked.time), flush=True)


if __name__ == "__main__":
    main()
