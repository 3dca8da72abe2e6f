"""What a depth costs: nodes and processor time of the exact searches, and how nodes grow with depth.

    python benchmarks/depth.py [--repeats N] [--most D] [GAME ...]
    python benchmarks/depth.py --growth [--seconds S] [--plot FILE] [--most D] [GAME ...]

All searches of a game go from the same position to the same depth by iterative deepening and find the same value, or
this fails. The first form prints shares of the first search's nodes and time: kernels are compiled before they are
timed, the searches take turns, and the best of the repeats counts. The second form prints nodes by depth, up to the
first depth that takes a search longer than S seconds; N is expectimax with the same table as `star`. `--most` is the
greatest depth.
"""

from __future__ import annotations

import argparse
import math
import sys
import time
from typing import NamedTuple

from astragal import Limits, Position, load_game, load_player
from astragal.algorithms.limits import MAX_DEPTH
from astragal.base.locks import measuring
from astragal.players.player import Player
from intervals import race

STARS = ("exp", "star1", "star2", "star2:table=values", "star:leaf=decision")
TOLERANCE = 1e-9
N, STAR = "exp:table=values,chances=on,merge=on,leaf=decision", "star:leaf=decision"
GROWING = ("exp", "star2", N, STAR)
GOAL = 1.05  # nodes of `star`, as a share of N


class Task(NamedTuple):
    """A position, given by the game's notation or the start with a seed, and who searches it how deep."""

    game: str
    depth: int
    players: tuple[str, ...] = STARS
    position: str = ""


BEFORE_THE_ROLL = "evaluation=learned,leaf=afterstate"  # as `star` does in Backgammon
TASKS = {
    "pig": Task("pig", 6, STARS, "0 0 8 1 decide"),
    "ewn": Task("ewn", 6, (*STARS[:-1], "star"), "123../45.../6...f/...ed/..cba 1 3"),
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
GROWTH = {
    "Race": Task("Race", MAX_DEPTH, GROWING),
    "pig:dice=1": Task("pig:dice=1", MAX_DEPTH, GROWING, "0 0 8 1 decide"),
    **{
        name: Task(name, MAX_DEPTH, GROWING, TASKS[name].position)
        for name in ("pig", "ewn", "cant_stop", "ra", "backgammon", "kalah")
    },
}


def begin(task: Task) -> tuple[Position, list[Player]]:
    """The task's position, and its players with their kernels compiled."""
    game = race() if task.game == "Race" else load_game(task.game)
    here = Position.parse(game, task.position) if task.position else Position.start(game, 1).settled(1)
    players = [load_player(name, game) for name in task.players]
    for player in players:
        player.search(here, limits=Limits(depth=1))
    return here, players


def searched_once(player: Player, here: Position, depth: int) -> tuple[float, int, float]:
    """Processor seconds, nodes and the value."""
    started = time.process_time()
    result = player.search(here, limits=Limits(depth=depth))
    assert result.value is not None
    return time.process_time() - started, result.nodes, result.value


def refuse_different(task: Task, values: list[float]) -> None:
    if max(values) - min(values) > TOLERANCE:
        raise SystemExit(f"{task.game}: the searches found different values: {values}")


def shares(task: Task, repeats: int) -> list[str]:
    """The lines of a game in the table of shares."""
    here, players = begin(task)
    best, nodes, values = [math.inf] * len(players), [0] * len(players), [0.0] * len(players)
    for _ in range(repeats):
        for number, player in enumerate(players):
            seconds, nodes[number], values[number] = searched_once(player, here, task.depth)
            best[number] = min(best[number], seconds)
    refuse_different(task, values)
    return [
        f"| {task.game}, depth {task.depth} | `{name}` | {count:,} | {count / nodes[0]:.3f} | {seconds / best[0]:.3f} "
        f"| {seconds:.3f} |"
        for name, count, seconds in zip(task.players, nodes, best, strict=True)
    ]


def growth(task: Task, seconds: float) -> dict[str, dict[int, int]]:
    """Nodes by depth of each player, until a depth takes longer or the game is searched to its end."""
    here, players = begin(task)
    found: dict[str, dict[int, int]] = {name: {} for name in task.players}
    values: dict[int, list[float]] = {}
    for name, player in zip(task.players, players, strict=True):
        for depth in range(1, task.depth + 1):
            spent, nodes, value = searched_once(player, here, depth)
            found[name][depth] = nodes
            values.setdefault(depth, []).append(value)
            if spent > seconds:
                break
    for each in values.values():
        refuse_different(task, each)
    return found


def growth_line(game: str, found: dict[str, dict[int, int]]) -> str:
    """The greatest depth of each player with its nodes, their growth there, and the largest share of N."""
    cells = []
    for nodes in found.values():
        depth = max(nodes)
        last = f", x{nodes[depth] / nodes[depth - 1]:.1f}" if depth > 1 else ""
        cells.append(f"{depth}: {nodes[depth]:,}{last}")
    return f"| {game} | {' | '.join(cells)} | {most_of_n(found):.3f} |"


def most_of_n(found: dict[str, dict[int, int]]) -> float:
    """The largest share of expectimax's nodes that `star` needs at any depth, with the same table."""
    return max(nodes / found[N][depth] for depth, nodes in found[STAR].items() if depth in found[N])


def draw(found: dict[str, dict[str, dict[int, int]]], file: str) -> None:
    """Nodes by depth, a panel a game."""
    from matplotlib import pyplot

    columns = 4
    rows = math.ceil(len(found) / columns)
    figure, axes = pyplot.subplots(rows, columns, figsize=(3 * columns, 2.6 * rows), squeeze=False)
    for panel in axes.flat[len(found) :]:
        panel.axis("off")
    for panel, (game, by_player) in zip(axes.flat, found.items(), strict=False):
        for name, marker in zip(GROWING, "ox^s", strict=True):
            nodes = by_player[name]
            label = "exp, same table" if name == N else name.partition(":")[0]
            panel.semilogy(list(nodes), list(nodes.values()), marker=marker, markersize=3, linewidth=1, label=label)
        panel.set_title(game, fontsize=9)
    axes[-1][0].set_xlabel("depth")
    axes[0][0].set_ylabel("nodes")
    axes[0][0].legend(fontsize=7, frameon=False)
    figure.tight_layout()
    figure.savefig(file, metadata={"Date": None})


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument(
        "games", nargs="*", metavar="GAME", help=f"{', '.join(TASKS)}; with --growth {', '.join(GROWTH)}"
    )
    parser.add_argument("--repeats", type=int, default=5)
    parser.add_argument("--growth", action="store_true", help="nodes by depth")
    parser.add_argument("--seconds", type=float, default=1.0, help="with --growth: processor seconds of a last depth")
    parser.add_argument("--plot", metavar="FILE", help="with --growth: draw it")
    parser.add_argument("--most", type=int, default=MAX_DEPTH, metavar="D", help="the greatest depth")
    chosen = parser.parse_intermixed_args()
    tasks = GROWTH if chosen.growth else TASKS
    unknown = [name for name in chosen.games if name not in tasks]
    if unknown or chosen.repeats < 1 or chosen.most < 1:
        parser.error(f"there is no task {unknown[0]}" if unknown else "at least one repeat and depth are needed")
    wanted = [tasks[name]._replace(depth=min(tasks[name].depth, chosen.most)) for name in chosen.games or tasks]
    if not chosen.growth:
        print("| | search | nodes | share of nodes | share of time | seconds |\n|---|---|---:|---:|---:|---:|")
        with measuring(wait=True):
            for task in wanted:
                print("\n".join(shares(task, chosen.repeats)), flush=True)
        return
    print(
        "| game | "
        + " | ".join(f"`{name}`" for name in GROWING)
        + " | `star` of N, at most |\n|---|---:|---:|---:|---:|---:|"
    )
    found = {}
    for task in wanted:
        found[task.game] = growth(task, chosen.seconds)
        print(growth_line(task.game, found[task.game]), flush=True)
    if chosen.plot:
        draw(found, chosen.plot)
    missed = [game for game, each in found.items() if most_of_n(each) > GOAL]
    print(f"goal, `star` at most {GOAL} N: " + (f"missed in {', '.join(missed)}" if missed else "met"), file=sys.stderr)


if __name__ == "__main__":
    main()
