"""What the one process that hands out games and keeps them can do: how many workers it keeps busy.

    python benchmarks/scale.py [--workers N ...] [--no-cluster]

Workers play bundles of games; this process hands bundles out, takes in what they bring and writes it to a file. Each of
these is measured alone, in processor time of this process, with workers that take no time. What a number of bundles a
second means for workers depends on how long a bundle takes (`bundle_seconds` in `astragal.arena.dispatch`).

- messages: pickling a bundle's games, and unpickling the records that come back, and their sizes;
- dispatch: handing out and taking in, by how many workers there are;
- results file: a transaction for each bundle;
- Dask: bundles through a scheduler to two local workers and back, in real time, where its package is installed.
"""

from __future__ import annotations

import argparse
import pickle
import tempfile
import time
from collections import deque
from concurrent.futures import Executor, Future
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Any

from astragal.algorithms.limits import Limits
from astragal.arena.contest import Contest, GameRecord
from astragal.arena.dispatch import AHEAD, Dispatcher, Interrupt, bundle_seconds
from astragal.arena.run import play_games
from astragal.arena.store.results_store import ResultsStore
from astragal.base.locks import measuring
from local_dask import INSTALLED, two_dask_workers

GAME, PLAYERS, NODES = "ewn", ["star1", "star2"], 100
TOGETHER = (1, 10, 100)  # games in a bundle
BUNDLES = 3000


class Idle(Executor):
    """Workers that do nothing: when as many tasks wait as there may be, the oldest is done."""

    def __init__(self, result: list[GameRecord], most: int, tasks: int) -> None:
        self.result, self.most, self.left = result, most, tasks
        self.waiting: deque[Future[Any]] = deque()

    def submit(self, task: Any, /, *arguments: Any, **named: Any) -> Future[Any]:
        future: Future[Any] = Future()
        future.set_running_or_notify_cancel()
        self.waiting.append(future)
        self.left -= 1
        while self.waiting and (len(self.waiting) >= self.most or self.left == 0):
            self.waiting.popleft().set_result(self.result)
        return future


def dispatching(records: list[GameRecord], workers: int) -> float:
    """Seconds for a bundle, from handing it out to having it back, while all workers but one are busy."""
    slow = [replace(records[0], seconds=1e6)]  # so that bundles are of one game
    idle = Idle(slow, AHEAD * workers, BUNDLES)
    dispatcher: Any = Dispatcher(int, workers, lambda: idle, lambda records: False, Interrupt())
    started = time.thread_time()
    dispatcher.run(iter(range(BUNDLES)))
    return (time.thread_time() - started) / BUNDLES


def writing(contest: Contest, records: list[GameRecord], together: int) -> tuple[float, int]:
    """Seconds for a bundle's transaction, and the bytes of the file for each game."""
    count = 200
    with tempfile.TemporaryDirectory(dir=".") as folder:
        file = Path(folder) / "results.db"
        with ResultsStore(file) as store:
            seconds = write_bundles(store, contest, records, together, count)
        return seconds, file.stat().st_size // (count * together)


def write_bundles(store: ResultsStore, contest: Contest, records: list[GameRecord], together: int, count: int) -> float:
    number = store.enter(contest)
    session = store.begin_session(number, "")
    bundles = [
        [replace(records[i % len(records)], pair=i, game=0) for i in range(n, n + together)]
        for n in range(0, count * together, together)
    ]
    started = time.perf_counter()
    for bundle in bundles:
        store.add(number, session, bundle)
    return (time.perf_counter() - started) / count


def messages(contest: Contest, records: list[GameRecord], together: int) -> tuple[float, int, int]:
    """Seconds to write a bundle and to read what comes of it, and the bytes of both."""
    perform = partial(play_games, contest, strict=False, grace=1.0)
    bundle = tuple((pair, 0) for pair in range(together))
    answer = pickle.dumps([records[i % len(records)] for i in range(together)])
    started = time.perf_counter()
    for _ in range(100):
        asked = pickle.dumps((perform, bundle))
        pickle.loads(answer)
    return (time.perf_counter() - started) / 100, len(asked), len(answer)


def echo(result: list[GameRecord], bundle: Any) -> list[GameRecord]:
    return result


def through_dask(records: list[GameRecord], count: int = 300) -> float:
    """Seconds for a bundle through a scheduler of its own to one of two workers and back."""
    with two_dask_workers() as workers:
        work = partial(echo, records)
        for bundles in (20, count):  # the first ones make the workers import what they need
            started = time.perf_counter()
            for future in [workers.submit(work, number) for number in range(bundles)]:
                future.result()
            taken = time.perf_counter() - started
    return taken / count


def line(what: str, seconds: float, more: str = "") -> None:
    print(f"{what:<52}{1e6 * seconds:9.0f} us a bundle, {1 / seconds:8.0f} a second{more}", flush=True)


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--workers", type=int, nargs="+", default=[2, 100, 1000])
    parser.add_argument("--no-cluster", action="store_true", help="leave Dask out")
    options = parser.parse_args()
    contest = Contest.of(GAME, PLAYERS, Limits(nodes=NODES))
    records = play_games(contest, tuple((pair, 0) for pair in range(100)), strict=True, grace=1.0)
    mean = sum(record.seconds for record in records) / len(records)
    print(f"a game of {GAME} takes {1e3 * mean:.1f} ms with {NODES} nodes a move")
    for together in TOGETHER:
        seconds, asked, answered = messages(contest, records, together)
        line(f"messages, {together} games", seconds, f"; {asked:,} bytes out, {answered:,} back")
    for workers in options.workers:
        line(f"dispatch, {workers} workers", min(dispatching(records, workers) for _ in range(3)))
    for together in TOGETHER:
        seconds, size = min(writing(contest, records, together) for _ in range(3))
        line(f"results file, {together} games", seconds, f"; {size:,} bytes a game")
    if not options.no_cluster and INSTALLED:
        line("Dask, one game", min(through_dask(records[:1]) for _ in range(2)))
        line("Dask, 100 games", through_dask(records))
    for workers in options.workers:
        print(f"{workers} workers bring {workers / bundle_seconds(workers):.0f} bundles a second at most")


if __name__ == "__main__":
    with measuring(wait=True):
        main()
