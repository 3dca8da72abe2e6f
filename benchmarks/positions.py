"""Positions, not paths: how often a position is entered, and nodes against the memory of the table.

    python benchmarks/positions.py entered [--most D] [--plot FILE] [GAME ...]
    python benchmarks/positions.py memory [--seconds S] [--most D] [--plot FILE] [GAME ...]

`entered` records a search to a depth at once and counts how often each position is searched at each remaining depth,
decisions and chance nodes alike, whether for a probe or in full. A value taken from the table is no entry, and
decisions next to the horizon, which no table has, do not count.
`memory` searches with the least power of two of megabytes that holds what `star` stores, and with 1/2, 1/4, ... 1/64 of
it, each for at most S seconds. Both print a table.
"""

from __future__ import annotations

import argparse
import math
import sys
from collections import Counter
from typing import Any

from astragal import Limits, Position, load_player
from astragal.algorithms.depth_first.table import MIN_DEPTH
from depth import GROWTH, STAR, begin

ENTERED = {"Race": 9, "pig:dice=1": 5, "pig": 4, "ewn": 4, "cant_stop": 4, "ra": 4, "backgammon": 2, "kalah": 10}
FILLED = {"Race": 40, "pig:dice=1": 12, "pig": 7, "ewn": 5, "cant_stop": 5, "ra": 6, "kalah": 12}
HALVINGS = 7
LEAST = 0.001  # megabytes that a table can have


def entries(here: Position, depth: int) -> Counter[tuple[bytes, int]]:
    """How often `star` searches each state at each remaining depth."""
    tree = load_player(f"{STAR},keep=on,deepening=off", here.game).search(here, limits=Limits(depth=depth)).tree
    assert tree is not None
    places = {0: (here, depth)}
    counted: Counter[tuple[bytes, int]] = Counter()
    for number in sorted(set(tree.parent.tolist()) - {-1, 0}):
        above, left = places[tree.parent[number]]
        here = above.follow(int(tree.step[number]))
        left -= not above.is_chance or here.is_chance  # a chance node after chance is a forced decision
        places[number] = here, left
        if left >= MIN_DEPTH or here.is_chance:
            counted[here.memory.tobytes(), left] += 1
    return counted


def entered_line(game: str, depth: int, counted: Counter[tuple[bytes, int]]) -> str:
    times = counted.values()
    once = sum(each == 1 for each in times) / len(counted)
    return f"| {game} | {depth} | {len(counted):,} | {sum(times) / len(counted):.3f} | {once:.1%} | {max(times):,} |"


def memory_lines(game: str, depth: int, seconds: float) -> dict[float, tuple[int, int]]:
    """Nodes and the depth reached, by megabytes."""
    here, _ = begin(GROWTH[game]._replace(players=()))
    limits = Limits(depth=depth)
    full = load_player(f"{STAR},memory=256", here.game).search(here, limits=limits)
    assert full.table_filled is not None
    most = 2.0 ** math.ceil(math.log2(max(LEAST, 256 * full.table_filled)))
    found: dict[float, tuple[int, int]] = {}
    for halving in range(HALVINGS):
        megabytes = max(LEAST, most / 2**halving)
        limits = Limits(depth=depth, time=seconds)
        result = load_player(f"{STAR},memory={megabytes:g}", here.game).search(here, limits=limits)
        found[megabytes] = result.nodes, result.depth
        if result.depth < depth:
            break
    return found


def memory_line(game: str, depth: int, found: dict[float, tuple[int, int]]) -> str:
    nodes = [count for count, reached in found.values() if reached == depth]
    cells = [f"{nodes[0]:,}"] + [f"{count / nodes[0]:.2f}" for count in nodes[1:]]
    cells += ["not done"] * (len(found) - len(nodes)) + [""] * (HALVINGS - len(found))
    return f"| {game} | {depth} | {max(found):g} | {' | '.join(cells)} |"


def draw_entered(found: dict[str, Counter[tuple[bytes, int]]], file: str) -> None:
    """How many positions were entered once, twice, ..., a panel a game."""
    panels, save = new_panels(found, "positions", "times entered")
    for panel, counted in zip(panels, found.values(), strict=True):
        times = Counter(counted.values())
        panel.bar(list(times), list(times.values()))
        panel.set_yscale("log")
    save(file)


def draw_memory(found: dict[str, dict[float, tuple[int, int]]], file: str) -> None:
    """Nodes against memory, as shares of those with all that is stored."""
    panels, save = new_panels({"": None}, "nodes, times those with room for all", "memory, share of what is filled")
    for game, by_size in found.items():
        depth = max(reached for _, reached in by_size.values())
        most, full = max(by_size), by_size[max(by_size)][0]
        done = {size / most: count / full for size, (count, reached) in by_size.items() if reached == depth}
        panels[0].loglog(list(done), list(done.values()), marker="o", markersize=3, label=game, base=2)
    panels[0].legend(fontsize=7, frameon=False)
    save(file)


def new_panels(found: dict[str, Any], y: str, x: str) -> tuple[list[Any], Any]:
    from matplotlib import pyplot

    columns = min(4, len(found))
    rows = math.ceil(len(found) / columns)
    figure, axes = pyplot.subplots(rows, columns, figsize=(max(5, 3 * columns), max(3.4, 2.6 * rows)), squeeze=False)
    for panel in axes.flat[len(found) :]:
        panel.axis("off")
    for panel, title in zip(axes.flat, found, strict=False):
        panel.set_title(title, fontsize=9)
    axes[0][0].set_ylabel(y)
    axes[-1][0].set_xlabel(x)

    def save(file: str) -> None:
        figure.tight_layout()
        figure.savefig(file, metadata={"Date": None})

    return list(axes.flat[: len(found)]), save


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("what", choices=("entered", "memory"))
    parser.add_argument("games", nargs="*", metavar="GAME", help=f"{', '.join(ENTERED)} (all)")
    parser.add_argument("--most", type=int, default=99, metavar="D", help="the greatest depth")
    parser.add_argument("--seconds", type=float, default=20.0, help="for a size of the table")
    parser.add_argument("--plot", metavar="FILE")
    chosen = parser.parse_intermixed_args()
    depths = ENTERED if chosen.what == "entered" else FILLED
    games = chosen.games or list(depths)
    if unknown := [game for game in games if game not in depths]:
        parser.error(f"there is no task {unknown[0]}: {', '.join(depths)}")
    if chosen.what == "entered":
        print("| game | depth | positions | entries each | once | most |\n|---|---:|---:|---:|---:|---:|")
    else:
        heads = [f"1/{2**halving}" for halving in range(1, HALVINGS)]
        print(f"| game | depth | MB | nodes | {' | '.join(heads)} |\n|---|---:|---:|---:|{'---:|' * (HALVINGS - 1)}")
    found: dict[str, Any] = {}
    for game in games:
        depth = min(depths[game], chosen.most)
        if chosen.what == "entered":
            here, _ = begin(GROWTH[game]._replace(players=()))
            found[game] = entries(here, depth)
            print(entered_line(game, depth, found[game]), flush=True)
        else:
            found[game] = memory_lines(game, depth, chosen.seconds)
            print(memory_line(game, depth, found[game]), flush=True)
    if chosen.plot:
        (draw_entered if chosen.what == "entered" else draw_memory)(found, chosen.plot)


if __name__ == "__main__":
    sys.exit(main())
