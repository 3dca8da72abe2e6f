"""Playing a contest: which games are missing, handing them to workers, and keeping each as soon as it is over.

Only this process writes. A game depends on the contest and its number alone, so it does not matter who plays it, in
which order, or whether an earlier run was killed: the same contest again plays what is missing.
"""

from __future__ import annotations

import math
import signal
import threading
from collections.abc import Callable, Iterator
from concurrent.futures import FIRST_COMPLETED, Executor, Future, wait
from concurrent.futures.process import BrokenProcessPool
from contextlib import contextmanager
from dataclasses import dataclass
from itertools import islice
from typing import Any

from astragal.arena.contest import Contest
from astragal.arena.record import GameRecord
from astragal.arena.referee import GRACE_SECONDS, play_game
from astragal.arena.store import Store
from astragal.errors import AstragalError
from astragal.game.position import Position
from astragal.players import load_player
from astragal.search.limits import Limits

AHEAD = 2  # tasks handed out for each worker: one to play, one to go on with
MOST_LOSSES = 3  # workers that may die over one task

Task = tuple[int, tuple[int, ...]]  # a match and those of its games that are to be played


@dataclass(frozen=True)
class Plan:
    """How a contest is played, which changes nothing about its games."""

    games: int
    jobs: int = 1
    strict: bool = False
    grace: float = GRACE_SECONDS


def matches_for(contest: Contest, games: int) -> int:
    """Whole matches that have at least so many games."""
    return math.ceil(games / len(contest.seatings))


def missing_tasks(contest: Contest, matches: int, played: set[tuple[int, int]]) -> Iterator[Task]:
    for match in range(matches):
        games = tuple(game for game in range(len(contest.seatings)) if (match, game) not in played)
        if games:
            yield match, games


def play_task(contest: Contest, task: Task, strict: bool, grace: float) -> list[GameRecord]:
    """What a worker does."""
    match, games = task
    return [play_game(contest, match, game, strict, grace) for game in games]


def compile_players(contest: Contest) -> None:
    """Let every player think once: kernels are compiled, workers find them on disk, and what does not fit is said."""
    position = Position.start(contest.rules, contest.match_seed(0)).settled(contest.match_seed(0))
    asked = [(name, contest.limits) for name in contest.kinds]
    asked += [(name, Limits()) for name in (contest.finish.players if contest.finish else ())]
    for name, limits in dict.fromkeys(asked):
        player = load_player(name, contest.rules)
        if not position.is_terminal:
            player.search(position, limits=limits, session=player.new_session())


class Interrupt:
    """Ctrl-C as a wish: games under way are finished first. A second one ends everything at once."""

    def __init__(self) -> None:
        self.wished = False

    @contextmanager
    def heard(self) -> Iterator[Interrupt]:
        if threading.current_thread() is not threading.main_thread():
            yield self
            return
        before = signal.signal(signal.SIGINT, self.hear)
        try:
            yield self
        finally:
            signal.signal(signal.SIGINT, before)

    def hear(self, number: int, frame: Any) -> None:
        if self.wished:
            raise KeyboardInterrupt
        self.wished = True


def run_contest(
    contest: Contest,
    plan: Plan,
    store: Store,
    make_workers: Callable[[], Executor],
    command: str = "",
    report: Callable[[list[GameRecord]], bool] = lambda records: False,
) -> bool:
    """Play the games of a contest that the store lacks. The report hears of games as they are kept, the old ones first,
    and says whether that is enough. Whether everything asked for is there, rather than stopped by Ctrl-C."""
    with store.alone():
        number = store.enter(contest)
        played = store.played(number)
        old = list(store.games(number))
        enough = report(old) if old else False
        tasks = missing_tasks(contest, matches_for(contest, plan.games), played)
        first = next(tasks, None)
        if first is None or enough:
            return True
        compile_players(contest)
        session = store.begin_session(number, command)

        def keep(records: list[GameRecord]) -> bool:
            store.add(number, session, records)
            return report(records)

        with Interrupt().heard() as interrupt:
            work = Work(contest, plan, make_workers, keep, interrupt)
            return work.run(chain_first(first, tasks))


def chain_first(first: Task, rest: Iterator[Task]) -> Iterator[Task]:
    yield first
    yield from rest


class Work:
    """Tasks handed out to workers and not back yet."""

    def __init__(
        self,
        contest: Contest,
        plan: Plan,
        make_workers: Callable[[], Executor],
        keep: Callable[[list[GameRecord]], bool],
        interrupt: Interrupt,
    ) -> None:
        self.contest, self.plan, self.make_workers, self.keep, self.interrupt = (
            contest,
            plan,
            make_workers,
            keep,
            interrupt,
        )
        self.handed_out: dict[Future[list[GameRecord]], Task] = {}
        self.losses: dict[Task, int] = {}

    def run(self, tasks: Iterator[Task]) -> bool:
        """Play all tasks; whether none is left, or there is enough."""
        workers = self.make_workers()
        again: list[Task] = []
        try:
            while True:
                if not self.interrupt.wished:
                    room = AHEAD * self.plan.jobs - len(self.handed_out)
                    fresh = again[:room] + list(islice(tasks, max(0, room - len(again))))
                    again = again[room:]
                    for task in fresh:
                        self.hand_out(workers, task)
                if not self.handed_out:
                    return not self.interrupt.wished and not again
                try:
                    if self.collect():
                        self.finish()
                        return True
                except BrokenProcessPool:
                    again += self.lost_tasks()
                    workers.shutdown(wait=False, cancel_futures=True)
                    workers = self.make_workers()
        finally:
            workers.shutdown(wait=True, cancel_futures=True)

    def hand_out(self, workers: Executor, task: Task) -> None:
        future = workers.submit(play_task, self.contest, task, self.plan.strict, self.plan.grace)
        self.handed_out[future] = task

    def collect(self) -> bool:
        """Keep what is done, waiting for at least one task; whether there is enough."""
        done, _ = wait(self.handed_out, timeout=0.5, return_when=FIRST_COMPLETED)
        enough = False
        for future in done:
            records = future.result()
            del self.handed_out[future]
            enough = self.keep(records) or enough
        return enough

    def finish(self) -> None:
        """Wait for games under way, which are kept too: they were played."""
        for future in list(self.handed_out):
            if not future.cancel():
                self.keep(future.result())
            del self.handed_out[future]

    def lost_tasks(self) -> list[Task]:
        """The tasks of workers that died, to be handed out again; a sentence if one of them keeps killing workers."""
        lost = list(self.handed_out.values())
        self.handed_out.clear()
        for task in lost:
            self.losses[task] = self.losses.get(task, 0) + 1
            if self.losses[task] > MOST_LOSSES:
                raise AstragalError(
                    f"a worker died again and again over match {task[0] + 1} (out of memory?); other games are kept"
                )
        return lost
