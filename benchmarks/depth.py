"""What a depth costs: nodes and processor time of the exact searches, as shares of the first one's in the same run.

    python benchmarks/depth.py [--repeats N] [GAME ...]

All search the same position to the same depth by iterative deepening, and find the same value, or this fails. Kernels
are compiled before they are timed; the searches take turns, and the best of the repeats counts.
"""

from __future__ import annotations

import argparse
import math
import time
from typing import NamedTuple

from astragal import Limits, Position, load_game, load_player
from astragal.players.player import Player

STARS = ("exp", "star1", "star2", "star2:table=values", "star")
TOLERANCE = 1e-9


class Task(NamedTuple):
    """A position, given by the game's notation or the start with a seed, and who searches it how deep."""

    game: str
    depth: int
    players: tuple[str, ...] = STARS
    position: str = ""


BEFORE_THE_ROLL = "evaluation=learned,leaf=afterstate"  # as `star` does in Backgammon
TASKS = {
    "pig": Task("pig", 6, STARS, "0 0 8 1 decide"),
    "ewn": Task("ewn", 6, STARS, "123../45.../6...f/...ed/..cba 1 3"),
    "cant_stop": Task("cant_stop", 5),
    "ra": Task("ra", 5),
    "backgammon": Task(
        "backgammon",
        3,
        tuple(f"{name}{BEFORE_THE_ROLL}" for name in ("exp:", "star1:prune_above=1,", "star2:prune_above=1,", "star:")),
        "4HPwATDgc/ABMA 1 31",
    ),
    "kalah": Task("kalah", 12, ("mm", "alphabeta:order=listed,history=on", "alphabeta:order=listed", "alphabeta")),
}


def searched_once(player: Player, here: Position, depth: int) -> tuple[float, int, float]:
    """Processor seconds, nodes and the value."""
    started = time.process_time()
    result = player.search(here, limits=Limits(depth=depth))
    assert result.value is not None
    return time.process_time() - started, result.nodes, result.value


def rows(task: Task, repeats: int) -> list[str]:
    game = load_game(task.game)
    here = Position.parse(game, task.position) if task.position else Position.start(game, 1).settled(1)
    players = [load_player(name, game) for name in task.players]
    for player in players:
        player.search(here, limits=Limits(depth=1))
    best, nodes, values = [math.inf] * len(players), [0] * len(players), [0.0] * len(players)
    for _ in range(repeats):
        for number, player in enumerate(players):
            seconds, nodes[number], values[number] = searched_once(player, here, task.depth)
            best[number] = min(best[number], seconds)
    if max(values) - min(values) > TOLERANCE:
        raise SystemExit(f"{task.game}: the searches found different values: {values}")
    return [
        f"| {task.game}, depth {task.depth} | `{name}` | {count:,} | {count / nodes[0]:.3f} | {seconds / best[0]:.3f} "
        f"| {seconds:.3f} |"
        for name, count, seconds in zip(task.players, nodes, best, strict=True)
    ]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("games", nargs="*", metavar="GAME", help=f"{', '.join(TASKS)} (all)")
    parser.add_argument("--repeats", type=int, default=5)
    chosen = parser.parse_args()
    unknown = [name for name in chosen.games if name not in TASKS]
    if unknown or chosen.repeats < 1:
        parser.error(f"there is no task {unknown[0]}" if unknown else "at least one repeat is needed")
    print("| | search | nodes | share of nodes | share of time | seconds |\n|---|---|---:|---:|---:|---:|")
    for name in chosen.games or TASKS:
        print("\n".join(rows(TASKS[name], chosen.repeats)), flush=True)


if __name__ == "__main__":
    main()
