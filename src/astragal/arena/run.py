"""Playing a contest: which games are missing, handing them to workers, and keeping them as soon as they are over.

Only this process writes. A game depends on the contest and its number alone, so it does not matter who plays it, in
which order, or whether an earlier run was killed: the same contest again plays what is missing.

Workers get games one by one, or, where games are short, as many at a time as take a tenth of a second. Whatever kills
this process loses no more than that of each worker.
"""

from __future__ import annotations

import math
import signal
import threading
from collections import Counter
from collections.abc import Callable, Iterator
from concurrent.futures import FIRST_COMPLETED, BrokenExecutor, Executor, Future, wait
from concurrent.futures.process import BrokenProcessPool
from contextlib import contextmanager
from dataclasses import dataclass, replace
from functools import lru_cache
from itertools import chain, islice
from typing import Any

from astragal.arena.contest import Contest
from astragal.arena.record import GameRecord
from astragal.arena.referee import GRACE_SECONDS, play_game, player_of
from astragal.arena.store import Store
from astragal.arena.workers import end_at_once
from astragal.errors import AstragalError
from astragal.game.position import Position
from astragal.search.limits import Limits

AHEAD = 2  # tasks handed out for each worker: one to play, one to go on with
TASK_SECONDS = 0.1  # short games are handed out together, as many as take so long
MOST_TOGETHER = 1000
MOST_LOSSES = 3  # workers that may die with a game handed out before it is played with no other beside it
MOST_GIVEN_UP = 10  # games that kill their workers before no more are tried
WARM_UP_NODES = 1000

Number = tuple[int, int]  # a match, and which of its games
Task = tuple[Number, ...]


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


def missing_games(contest: Contest, matches: int, played: set[Number]) -> Iterator[Number]:
    numbers = ((match, game) for match in range(matches) for game in range(len(contest.seatings)))
    return (number for number in numbers if number not in played)


def play_task(contest: Contest, task: Task, strict: bool, grace: float) -> list[GameRecord]:
    """What a worker does."""
    warm_up(contest)
    return [play_game(contest, match, game, strict, grace) for match, game in task]


@lru_cache(maxsize=64)
def warm_up(contest: Contest) -> None:
    """Let every player think briefly, so that no game waits for machine code; what does not fit is said in a sentence.

    The coordinating process does so first and compiles what is new. Workers then find it on disk.
    """
    position = Position.start(contest.rules, contest.match_seed(0)).settled(contest.match_seed(0))
    if position.is_terminal:
        return
    for finishing in (False, True) if contest.finish else (False,):
        for kind in range(len(contest.kinds)):
            player = player_of(contest, kind, finishing)
            limits = player.limits if finishing or contest.limits == Limits() else contest.limits
            few = min(limits.nodes or WARM_UP_NODES, WARM_UP_NODES)
            try:
                player.search(position, limits=replace(limits, nodes=few), session=player.new_session())
            except AstragalError:
                raise
            except Exception as error:
                if type(error).__module__.startswith("numba"):  # the game cannot be compiled
                    raise
                # Any other failure is the player's, which loses its games by forfeit.


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
    """Play the games of a contest that the store lacks. The report hears first of the games that are there already,
    then of others as they are kept, and says each time whether that is enough.

    Whether everything asked for is there, rather than stopped by Ctrl-C."""
    with store.alone():
        number = store.enter(contest)
        enough = report(list(store.games(number)))
        games = missing_games(contest, matches_for(contest, plan.games), store.played(number))
        first = next(games, None)
        if first is None or enough:
            return True
        warm_up(contest)
        session = store.begin_session(number, command)

        def keep(records: list[GameRecord]) -> bool:
            store.add(number, session, records)
            return report(records)

        with Interrupt().heard() as interrupt:
            return Work(contest, plan, make_workers, keep, interrupt).run(chain([first], games))


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
        self.contest, self.plan, self.make_workers, self.keep = contest, plan, make_workers, keep
        self.interrupt = interrupt
        self.workers = make_workers()
        self.handed_out: dict[Future[list[GameRecord]], Task] = {}
        self.together = 1  # games in a task
        self.again: list[Number] = []  # games whose workers died
        self.losses: Counter[Number] = Counter()
        self.alone = False  # whether the one game handed out is under suspicion
        self.given_up: list[Number] = []

    def run(self, games: Iterator[Number]) -> bool:
        """Play all games; whether none is left, or there is enough."""
        try:
            while not self.interrupt.wished:
                self.fill(games)
                if not self.handed_out:
                    self.say_what_was_given_up()
                    return True
                if self.collect():
                    self.finish()
                    return True
            self.finish()
            return False
        except BaseException:
            end_at_once(self.workers)
            raise
        finally:
            self.workers.shutdown(wait=True, cancel_futures=True)

    def fill(self, games: Iterator[Number]) -> None:
        """Hand out tasks until each worker has one and another waits. A game under suspicion is handed out alone."""
        while len(self.handed_out) < AHEAD * self.plan.jobs and not self.interrupt.wished:
            suspect = bool(self.again) and self.losses[self.again[0]] >= MOST_LOSSES
            if self.handed_out and (suspect or self.alone):
                return
            task = (self.again.pop(0),) if self.again else tuple(islice(games, self.together))
            if not task:
                return
            self.alone = suspect
            if self.hand_out(task).done():  # it was played in this process, and is kept before the next one
                return

    def hand_out(self, task: Task) -> Future[list[GameRecord]]:
        try:
            future = self.workers.submit(play_task, self.contest, task, self.plan.strict, self.plan.grace)
        except BrokenExecutor as error:  # a worker died since the last look
            future = Future()
            future.set_exception(error)
        self.handed_out[future] = task
        return future

    def collect(self) -> bool:
        """Keep what is done, waiting a little for it; whether there is enough. Games whose workers died come again."""
        done, _ = wait(self.handed_out, timeout=0.5, return_when=FIRST_COMPLETED)
        enough, broken = False, False
        problems: list[BaseException] = []
        for future in done:
            task = self.handed_out.pop(future)
            problem = future.exception()
            if problem is None:
                enough = self.take(future.result()) or enough
            elif isinstance(problem, BrokenExecutor):
                self.lose(task)
                broken = broken or isinstance(problem, BrokenProcessPool)
            else:
                problems.append(problem)
        if broken:
            self.renew_workers()
        if problems:
            self.finish()
            raise problems[0]
        return enough

    def take(self, records: list[GameRecord]) -> bool:
        seconds = sum(record.seconds for record in records) / len(records)
        self.together = max(1, min(MOST_TOGETHER, int(TASK_SECONDS / max(seconds, 1e-6))))
        return self.keep(records)

    def finish(self) -> None:
        """Wait for games under way, which are kept too: they were played."""
        for future in list(self.handed_out):
            if future.cancel():
                del self.handed_out[future]
        while self.handed_out:
            self.collect()

    def lose(self, task: Task) -> None:
        self.losses.update(task)
        (self.given_up if self.alone else self.again).extend(task)
        if len(self.given_up) >= MOST_GIVEN_UP:
            self.say_what_was_given_up()

    def renew_workers(self) -> None:
        """All processes end when one of them dies."""
        for task in self.handed_out.values():
            self.lose(task)
        self.handed_out.clear()
        self.workers.shutdown(wait=True)
        self.workers = self.make_workers()

    def say_what_was_given_up(self) -> None:
        if self.given_up:
            games = ", ".join(f"{match + 1}.{game + 1}" for match, game in sorted(self.given_up))
            raise AstragalError(
                f"the worker died each time that one of these games was played (out of memory?): {games}; "
                "all others that were played are kept"
            )
