"""What stays in the memory of the arena's workers over thousands of games: megabytes after each part of them.

    python benchmarks/memory.py [--games N]

Two workers play contests of several games and players, one after the other, in one pool, as a tournament or the
laboratory does. If memory grows with games, and not with the kinds of games and players, the last rows show it: they
are the first contest once more, so nothing is new to the workers.
"""

from __future__ import annotations

import argparse
import os
import tempfile
from pathlib import Path

from astragal.algorithms.limits import Limits
from astragal.arena.contest import Contest
from astragal.arena.run import Plan, run_contest
from astragal.arena.store.results_store import ResultsStore
from astragal.arena.workers import BorrowedExecutor, local_workers
from astragal.base.locks import measuring
from astragal.games import load_game

NODES = 300
CONTESTS = (
    ("ewn", "star", "uct"),
    ("pig", "star2ss", "mcts"),
    ("kalah", "alphabeta", "uct_h"),
    ("cant_stop", "star1", "dpw"),
    ("connect_four", "alphabeta", "uct"),
    ("ewn", "star", "uct"),
    ("ewn", "star", "uct"),
)


def children(pid: int) -> list[int]:
    return [int(each) for each in Path(f"/proc/{pid}/task/{pid}/children").read_text().split()]


def megabytes(pid: int, what: str = "VmRSS") -> float:
    """What a process has in memory, or had at most."""
    lines = dict(line.split(":", 1) for line in Path(f"/proc/{pid}/status").read_text().splitlines())
    return int(lines[what].split()[0]) / 1024


def workers_of(pid: int) -> list[int]:
    """Its children with more than an interpreter in memory."""
    return [child for child in children(pid) if megabytes(child) > 40]


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--games", type=int, default=10_000, help="games in all (default 10,000)")
    games = parser.parse_args().games
    if games < 1:
        parser.error("there is at least one game")
    part, played = -(-games // len(CONTESTS)), 0
    print(f"{'games':>7}  {'contest':<34} {'this process':>12}  workers, MB")
    with local_workers(2) as pool, tempfile.TemporaryDirectory() as folder:
        for number, (game, one, other) in enumerate(CONTESTS):
            contest = Contest.of(load_game(game), [one, other], Limits(nodes=NODES), number)
            with ResultsStore(Path(folder) / f"{number}.db") as store:
                run_contest(contest, Plan(part, 2), store, lambda: BorrowedExecutor(pool))
            played += part
            workers = "  ".join(f"{megabytes(pid):.0f}" for pid in workers_of(os.getpid()))
            print(
                f"{played:>7,}  {f'{game}: {one} - {other}':<34} {megabytes(os.getpid()):>12.0f}  {workers}", flush=True
            )
        most = max(megabytes(pid, "VmHWM") for pid in workers_of(os.getpid()))
        print(f"the most a worker had at any time: {most:.0f} MB")


if __name__ == "__main__":
    with measuring(wait=True):
        main()
