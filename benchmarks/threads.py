"""What threads save: time to the same depth by one thread and by several, in turn, and the share of cores they had.

    python benchmarks/threads.py [--threads N] [--repeats N] [--smallest] [SEARCH ...]

Several threads keep values in their table whatever the settings, so a ratio is to one thread with such a table; the
time of one thread as the player is without threads stands beside it. All find the same value, or this fails. Kernels
are compiled before they are timed; the best of the repeats counts. **By work** is what the ratio would be if every
thread had a core: one thread's processor time by a thread's share of that of all. Threads never wait for each other,
so on an idle machine both ratios are nearly the same; elsewhere, **cores** says how many cores the threads had.
"""

from __future__ import annotations

import argparse
import time
from typing import NamedTuple

from astragal import Limits, Position, load_game, load_player
from astragal.base.locks import measuring
from astragal.players.player import Player

TOLERANCE = 1e-9
EWN = "123../45.../6...f/...ed/..cba 1 3"
BEFORE_THE_ROLL = "evaluation=learned,leaf=afterstate"


class Task(NamedTuple):
    """Who searches a position, given by the game's notation or the start, how deep; and the ratio that is the goal."""

    game: str
    position: str
    player: str
    depth: int
    goal: float


TASKS = {
    "exp": Task("ewn", EWN, "exp", 7, 1.9),
    "star1": Task("ewn", EWN, "star1", 8, 1.8),
    "star2": Task("ewn", EWN, "star2", 8, 1.8),
    "star": Task("ewn", EWN, "star", 8, 1.7),
    "alphabeta": Task("kalah", "", "alphabeta", 24, 1.6),
    "backgammon": Task("backgammon", "4HPwATDgc/ABMA 1 31", f"star:{BEFORE_THE_ROLL}", 3, 1.8),
}


class Measured(NamedTuple):
    seconds: float
    processor: float
    value: float


def searched(player: Player, here: Position, depth: int) -> Measured:
    wall, processor = time.perf_counter(), time.process_time()
    result = player.search(here, limits=Limits(depth=depth))
    assert result.value is not None
    return Measured(time.perf_counter() - wall, time.process_time() - processor, result.value)


def row(name: str, task: Task, depth: int, threads: int, repeats: int) -> str:
    game = load_game(task.game)
    here = Position.parse(game, task.position) if task.position else Position.start(game, 1).settled(1)
    text = task.player + ("," if ":" in task.player else ":")
    texts = (task.player, f"{text}table=values", f"{text}threads={threads}")
    players = [load_player(each, game) for each in texts]
    for player in players:
        player.search(here, limits=Limits(depth=1))
    found: list[list[Measured]] = [[] for _ in players]
    for _ in range(repeats):
        for runs, player in zip(found, players, strict=True):
            runs.append(searched(player, here, depth))
    values = [run.value for runs in found for run in runs]
    if max(values) - min(values) > TOLERANCE:
        raise SystemExit(f"{name}: the searches found different values: {sorted(set(values))}")
    usual, one, several = (min(runs) for runs in found)
    alone, together = (min(run.processor for run in runs) for runs in found[1:])
    return (
        f"| `{task.player}`, {task.game}, depth {depth} | {usual.seconds:.3f} | {one.seconds:.3f} | "
        f"{several.seconds:.3f} | {several.processor / several.seconds:.2f} | {one.seconds / several.seconds:.2f} | "
        f"{threads * alone / together:.2f} | {task.goal} |"
    )


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("searches", nargs="*", metavar="SEARCH", help=f"{', '.join(TASKS)} (all)")
    parser.add_argument("--threads", type=int, default=2)
    parser.add_argument("--repeats", type=int, default=5)
    parser.add_argument("--smallest", action="store_true", help="once, and less deep: whether it runs")
    chosen = parser.parse_args()
    unknown = [name for name in chosen.searches if name not in TASKS]
    if unknown or chosen.repeats < 1 or chosen.threads < 2:
        parser.error(
            f"there is no search {unknown[0]}" if unknown else "at least one repeat and two threads are needed"
        )
    print("| search | seconds | with a table of values | threads | cores | ratio | by work | goal for 2 |")
    print("|---|---:|---:|---:|---:|---:|---:|---:|")
    for name in chosen.searches or TASKS:
        task = TASKS[name]
        depth, repeats = (max(2, task.depth // 2), 1) if chosen.smallest else (task.depth, chosen.repeats)
        print(row(name, task, depth, chosen.threads, repeats), flush=True)


if __name__ == "__main__":
    with measuring(wait=True):
        main()
