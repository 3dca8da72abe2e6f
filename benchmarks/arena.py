"""What the arena costs: games a second against a bare loop over the same searches, and what a second job gains.

    python benchmarks/arena.py [--games N] [--rounds R]

The bare loop plays the same games with the same searches and does nothing else: it keeps nothing, checks nothing and
takes no time. For comparison, the searches alone are measured too, at positions that are there already. What two jobs
gain is compared with what two copies of a loop that only computes gain in the same run, since the machine may not have
two whole cores to give. All take turns; the best of several rounds counts. Two workers of a Dask scheduler on this
machine are measured after that, where its package is installed.

Before that, what a move costs of itself: processor time of `Player.search` with 100 nodes, at positions that others
have asked before and at new ones, whose legal actions have to be listed.
"""

from __future__ import annotations

import argparse
import statistics
import tempfile
import time
from collections.abc import Callable
from concurrent.futures import Executor, wait
from pathlib import Path

from astragal.algorithms.limits import Limits
from astragal.arena.contest import Contest, GameRecord
from astragal.arena.referee import replayed
from astragal.arena.run import Plan, run_contest
from astragal.arena.store.results_store import ResultsStore
from astragal.arena.workers import BorrowedExecutor, InProcessExecutor, local_workers
from astragal.base.locks import measuring
from astragal.games import load_game
from astragal.players import load_player
from astragal.rules.position import Position
from local_dask import INSTALLED, two_dask_workers

GAME, PLAYER, NODES = "ewn", "star1", 1000
ONE_JOB_GOAL, TWO_JOBS_GOAL = 0.9, 0.95
MOVERS, MOVE_NODES, MOVE_GOAL, MOVES = ("star2", "uct"), 100, 0.15, 2000  # the goal is in milliseconds
LABELS = {
    "searches": "searches alone",
    "bare": "bare loop",
    "one": "arena, one job",
    "two": "arena, two jobs",
    "dask": "arena, two Dask workers",
}
Decision = tuple[Position, int]  # where a player thought, and with which seed


def played(contest: Contest, games: int, workers: Executor, jobs: int) -> tuple[float, list[GameRecord]]:
    """The seconds that a contest took, and its games."""
    with tempfile.TemporaryDirectory() as folder, ResultsStore(Path(folder) / "results.db") as store:
        started = time.perf_counter()
        run_contest(contest, Plan(games, jobs), store, lambda: workers)
        return time.perf_counter() - started, list(store.games(1))


def decisions_of(contest: Contest, records: list[GameRecord]) -> list[Decision]:
    """New positions, without anything kept from an earlier search."""
    return [
        (position.copy(), contest.search_seed(record.pair, record.game, ply))
        for record in records
        for ply, position in enumerate(replayed(contest, record)[:-1])
        if not position.is_chance
    ]


def bare_loop(contest: Contest, records: list[GameRecord]) -> float:
    """The seconds that a loop takes which plays the games of a contest and no more."""
    player = load_player(PLAYER, contest.rules)
    started = time.perf_counter()
    for record in records:
        dice, position, ply = contest.dice(record.pair), Position.start(contest.rules, record.seed), 0
        while not position.is_terminal:
            if position.is_chance:
                position = position.follow(position.draw(dice))
            else:
                seed = contest.search_seed(record.pair, record.game, ply)
                position = position.follow(player.search(position, seed=seed, limits=contest.limits).action_number)
            ply += 1
        assert ply == len(record.steps)
    return time.perf_counter() - started


def searches(contest: Contest, decisions: list[Decision]) -> float:
    """The seconds that the searches of a contest's games take alone."""
    player = load_player(PLAYER, contest.rules)
    started = time.perf_counter()
    for position, seed in decisions:
        player.search(position, seed=seed, limits=contest.limits)
    return time.perf_counter() - started


def cost_of_a_move(name: str, new: bool) -> tuple[float, float]:
    """The least and the median processor time, in milliseconds, of a search of few nodes."""
    rules = load_game(GAME)
    player, limits = load_player(name, rules), Limits(nodes=MOVE_NODES)
    position = Position.start(rules, 1).settled(1)
    times = []
    for seed in range(MOVES):
        asked = position.copy() if new else position
        started = time.process_time_ns()
        player.search(asked, seed=seed, limits=limits)
        times.append((time.process_time_ns() - started) / 1e6)
    return min(times), statistics.median(times)


def show_moves() -> None:
    for name in MOVERS:
        for new in (False, True):
            least, median = cost_of_a_move(name, new)
            label = f"{name}, {MOVE_NODES} nodes, {'a new' if new else 'the same'} position"
            print(f"{label:<40}{least:8.3f} ms at least, {median:.3f} in the median (goal {MOVE_GOAL})")


def by_two(contest: Contest, games: int, workers: Executor) -> Callable[[], float]:
    """The seconds that a contest takes two workers, which have loaded what they need."""
    borrowed = BorrowedExecutor(workers)
    played(contest, games, borrowed, 2)
    return lambda: played(contest, games, borrowed, 2)[0]


def compute(steps: int) -> float:
    """The seconds that a loop takes which needs nothing but a processor."""
    started = time.perf_counter()
    value = 1
    for _ in range(steps):
        value = (value * 1103515245 + 12345) & 0x7FFFFFFF
    return time.perf_counter() - started


def copies(workers: Executor, count: int, steps: int) -> float:
    started = time.perf_counter()
    wait([workers.submit(compute, steps) for _ in range(count)])
    return time.perf_counter() - started


def best(rounds: int, measures: dict[str, Callable[[], float]]) -> dict[str, float]:
    """The fewest seconds of each measure; all take turns."""
    found = {name: float("inf") for name in measures}
    for _ in range(rounds):
        for name, measure in measures.items():
            found[name] = min(found[name], measure())
    return found


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--games", type=int, default=60, help="games in each round")
    parser.add_argument("--rounds", type=int, default=8)
    asked = parser.parse_args()
    show_moves()
    contest = Contest.of(GAME, [PLAYER, PLAYER], Limits(nodes=NODES))
    _, records = played(contest, asked.games, InProcessExecutor(), 1)
    steps = int(1e6 / compute(10**5) * 10**5 / 1e6)  # about a second of computing
    with local_workers(2) as pool:
        found = best(
            asked.rounds,
            {
                "searches": lambda: searches(contest, decisions_of(contest, records)),
                "bare": lambda: bare_loop(contest, records),
                "one": lambda: played(contest, asked.games, InProcessExecutor(), 1)[0],
                "two": by_two(contest, asked.games, pool),
                "compute": lambda: copies(pool, 1, steps),
                "compute twice": lambda: copies(pool, 2, steps),
            },
        )
    if INSTALLED:  # afterwards: its scheduler is a thread of this process, which would be in the way of the others
        with two_dask_workers() as pool:
            found |= best(asked.rounds, {"dask": by_two(contest, asked.games, pool)})
    for name, label in (item for item in LABELS.items() if item[0] in found):
        print(f"{label:<40}{asked.games / found[name]:8.1f} games/s")
    possible = 2 * found["compute"] / found["compute twice"]
    gained = {name: found["one"] / found[name] for name in ("two", "dask") if name in found}
    print(f"{'two copies of a computing loop gain':<40}{possible:8.2f}")
    for name, gain in gained.items():
        print(f"{LABELS[name].removeprefix('arena, ') + ' gain':<40}{gain:8.2f}")
    print(f"one job to bare loop: {found['bare'] / found['one']:.2f} (goal {ONE_JOB_GOAL})", end="")
    print(f", to the searches alone: {found['searches'] / found['one']:.2f}")
    print(f"two jobs to what is possible: {gained['two'] / possible:.2f} (goal {TWO_JOBS_GOAL})")


if __name__ == "__main__":
    with measuring(wait=True):
        main()
