"""What threads save in `learn` and `solve`: the same work by one thread and by several, in turn.

    python benchmarks/shares.py [--threads N] [--repeats N] [--smallest]

All find the same weights or values to the last bit, or this fails. The best of the repeats counts, kernels compiled
before. **Processor** is how much more processor time several threads take than one. The ratio of wall-clock time needs
an idle machine; the goal on two cores is 1.7.
"""

from __future__ import annotations

import argparse
import hashlib
import time
from collections.abc import Callable

from astragal import Position, load_game
from astragal.base.locks import measuring
from astragal.learn.beginning import LearnSettings
from astragal.learn.training import Training
from astragal.solvers.sharing import taking_threads
from astragal.solvers.solution import solved

GOAL = 1.7
Work = Callable[[int], bytes]


def learning(name: str, games: int) -> Work:
    def work(threads: int) -> bytes:
        training = Training(load_game(name), LearnSettings(games=games, batch=32, matches=100, threads=threads))
        training.play_round()
        return training.model.weights.tobytes()

    return work


def solving(name: str) -> Work:
    def work(threads: int) -> bytes:
        with taking_threads(threads):
            return solved(Position.start(load_game(name))).values.tobytes()

    return work


def row(name: str, work: Work, threads: int, repeats: int) -> str:
    best: dict[int, tuple[float, float]] = {}
    found = set()
    for _ in range(repeats + 1):  # the first compiles
        for number in (1, threads):
            wall, processor = time.perf_counter(), time.process_time()
            found.add(hashlib.sha256(work(number)).hexdigest())
            times = time.perf_counter() - wall, time.process_time() - processor
            best[number] = min(best.get(number, times), times)
    if len(found) > 1:
        raise SystemExit(f"{name}: different results")
    (one, alone), (several, together) = best[1], best[threads]
    return f"| {name} | {one:.2f} | {several:.2f} | {together / alone:.2f} | {one / several:.2f} | {GOAL} |"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--threads", type=int, default=2)
    parser.add_argument("--repeats", type=int, default=3)
    parser.add_argument("--smallest", action="store_true", help="once, little work: whether it runs")
    chosen = parser.parse_args()
    repeats = 1 if chosen.smallest else chosen.repeats
    rows: dict[str, Work] = {
        "solve pig:goal=8": solving("pig:goal=8"),
        "learn pig:goal=20": learning("pig:goal=20", 64),
    }
    if not chosen.smallest:
        rows = {f"solve {name}": solving(name) for name in ("pig:goal=50", "pig")}
        rows |= {f"learn {name}": learning(name, games) for name, games in (("ewn", 50_000), ("backgammon", 5_000))}
    print("| work | one thread, s | several, s | processor | ratio | goal for 2 |\n|---|---:|---:|---:|---:|---:|")
    for name, work in rows.items():
        print(row(name, work, chosen.threads, repeats), flush=True)


if __name__ == "__main__":
    with measuring(wait=True):
        main()
