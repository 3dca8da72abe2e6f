"""What a search tree costs as it grows: bytes for a node, speed with millions of nodes, speed of two threads.

    python benchmarks/tree.py [--rounds R] [--nodes N]

UCT on EWN from the start with random games to the end; each simulation adds a node. The large tree is measured over one
whole search, from the first node to the last. The two sizes take turns; the best of several repeats counts. One thread,
two in the same tree and two in trees of their own, which is what a second thread could bring at most, take turns, too;
of these the median counts, since two threads differ by half from one search to the next on a virtual machine. Bytes
are the growth of the process while a tree grows, and count room for children not visited yet.
"""

from __future__ import annotations

import argparse
import resource
import subprocess
import sys
from statistics import median
from typing import Any

from rich.console import Console

from astragal import Position, load_game, load_player
from astragal.algorithms.limits import Limits
from astragal.base.locks import measuring
from measure import readable, uct_task

GAME = "ewn:setup=fixed"
SMALL, LARGE = 20_000, 20_000_000  # simulations, which are nodes
THREADED = 1_000_000  # simulations of each search with one thread and with two
MEMORY = 4096  # megabytes, more than the large tree needs
ONE_TREE, OWN_TREES = ",threads=2,parallel=tree", ",threads=2,parallel=root"
SEARCHES = 4  # of each kind in a round


def rate(simulations: int, settings: str = "") -> float:
    """Simulations a second over one whole search."""
    found = uct_task(load_game(GAME), simulations, settings=f"memory={MEMORY}{settings}")()
    assert found.seconds is not None
    return found.amount / found.seconds


def bytes_per_node(nodes: int) -> float:
    """Memory that a process of its own takes for a tree, by the number of nodes added."""
    line = [sys.executable, __file__, "--grow", str(nodes)]
    return float(subprocess.run(line, check=True, capture_output=True, text=True).stdout)


def grow(nodes: int) -> float:
    """Grow a small tree, then one of `nodes`; the bytes that each further node has taken."""
    game: Any = load_game(GAME)
    player, position = load_player(f"uct:memory={MEMORY}", game), Position.start(game)
    player.search(position, 1, Limits(sims=SMALL))
    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    found = player.search(position, 1, Limits(sims=nodes))
    after = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    return 1024 * (after - before) / (found.nodes - SMALL)


def report(console: Console, rounds: int, large: int) -> dict[str, float]:
    """Measure, print, and return it for a program to read."""
    measured = {"bytes a node": bytes_per_node(large // 10)}
    console.print(f"{measured['bytes a node']:.1f} bytes for each node added, room for its siblings included")
    threads: dict[str, list[float]] = {"": [], ONE_TREE: [], OWN_TREES: []}
    for settings in threads:
        rate(1, settings)  # compiles or loads the kernels
    few, many = 0.0, 0.0
    for _ in range(rounds):
        few = max(few, *(rate(SMALL) for _ in range(20)))
        many = max(many, rate(large))
    for _ in range(SEARCHES * rounds):
        for settings, rates in threads.items():
            rates.append(rate(THREADED, settings))
    one, two, own = (median(rates) for rates in threads.values())
    measured |= {f"{SMALL} nodes": few, f"{large} nodes": many, "one thread": one, "two threads": two, "own trees": own}
    console.print(
        f"{SMALL:,} nodes: {readable(few)} simulations a second; {large:,}: {readable(many)}, {many / few:.2f}"
    )
    console.print(f"one thread: {readable(one)} simulations a second; two: {readable(two)}, {two / one:.2f} times")
    console.print(f"two threads in trees of their own: {readable(own)}, {own / one:.2f} times")
    return measured


def main() -> int:
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--rounds", type=int, default=3, help="turns that each side takes (default 3)")
    parser.add_argument("--nodes", type=int, default=LARGE, help=f"of the large tree (default {LARGE:,})")
    parser.add_argument("--grow", type=int, metavar="NODES", help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.grow:
        print(grow(options.grow))
    else:
        report(Console(), options.rounds, options.nodes)
    return 0


if __name__ == "__main__":
    with measuring(wait=True):
        sys.exit(main())
