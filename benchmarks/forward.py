"""What forward pruning saves and what it costs: nodes at a fixed depth, and how often the same action is found.

    python benchmarks/forward.py [--game G] [--player P] [--depth D] [--positions N] [SETTING ...]

Positions are decisions of random games, one of each game. The share of nodes is that of all positions together.
"""

from __future__ import annotations

import argparse
from typing import Any

from astragal import Limits, Position, load_game, load_player
from astragal.algorithms.result import SearchResult
from astragal.base.locks import measuring
from astragal.rules.checks.promise import random_game
from astragal.rules.dice import Dice

SETTINGS = ("null=2", "multicut=2", "probcut=2", "probcut=1", "probcut=0.5", "probcut=0.25")


def decision(game: Any, seed: int) -> Position:
    """A decision of a random game, any of them as likely as another."""
    met = [position for position in random_game(game, seed) if position.turn >= 0]
    return met[Dice(seed + 1).below(len(met))]


def searched(game: Any, player: str, positions: list[Position], depth: int) -> list[SearchResult]:
    found = load_player(player, game)
    return [found.search(position, limits=Limits(depth=depth)) for position in positions]


def row(setting: str, full: list[SearchResult], pruned: list[SearchResult]) -> str:
    share = sum(result.nodes for result in pruned) / sum(result.nodes for result in full)
    pairs = list(zip(full, pruned, strict=True))
    same = sum(one.action == other.action for one, other in pairs)
    error = sum(abs(float(one.value or 0) - float(other.value or 0)) for one, other in pairs) / len(pairs)
    return f"| `{setting}` | {share:.3f} | {same} of {len(pairs)} | {error:.2f} |"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--game", default="ewn")
    parser.add_argument("--player", default="star1")
    parser.add_argument("--depth", type=int, default=6)
    parser.add_argument("--positions", type=int, default=30)
    parser.add_argument("settings", nargs="*", default=SETTINGS)
    options = parser.parse_args()
    game = load_game(options.game)
    positions = [decision(game, Dice(number).bits()) for number in range(options.positions)]
    full = searched(game, options.player, positions, options.depth)
    print(f"{options.game}, {options.player} to depth {options.depth}: {sum(r.nodes for r in full):,} nodes in full")
    print("| setting | nodes | same action | mean error of the value |\n|---|---:|---:|---:|")
    for setting in options.settings:
        player = f"{options.player}{',' if ':' in options.player else ':'}{setting}"
        print(row(setting, full, searched(game, player, positions, options.depth)), flush=True)


if __name__ == "__main__":
    with measuring(wait=True):
        main()
