"""Searches of many positions: each as if it were searched alone, by as many processes as there are cores, in order."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable
from dataclasses import dataclass, replace
from functools import partial
from typing import Any

from astragal.algorithms.limits import NO_LIMITS, Limits
from astragal.algorithms.result import SearchResult
from astragal.arena.dispatch import Dispatcher, Interrupt
from astragal.arena.playing import Playing
from astragal.arena.run import WARM_UP_NODES
from astragal.base.errors import AstragalError, SpecError, shortened
from astragal.base.terminal import bar, fitted, overwrite, width
from astragal.games import game_spec
from astragal.players import load_player
from astragal.players.api import whole
from astragal.players.player import Player
from astragal.rules.position import Position

Progress = Callable[[int, int], Any]  # is called with the numbers of positions searched and of all
Writer = Callable[["Task", SearchResult], Any]  # what is made of a result where it was found


def search_many(
    positions: Iterable[Position],
    player: str | Player,
    seed: int = 0,
    limits: Limits | None = None,
    *,
    jobs: int | None = 1,
    progress: bool | Progress | None = None,
) -> list[SearchResult]:
    """Search many positions of one game; the results, in the order of the positions.

    >>> import astragal
    >>> starts = [astragal.start("pig", seed).settled(seed) for seed in range(3)]
    >>> results = astragal.search_many(starts, "star2:depth=2")
    >>> results[0].action
    'roll'

    Each result is what `astragal.search` returns for the position with the same player, seed and limits. ``jobs``
    positions are searched at a time, each in a process of its own; None means one a core. (A script must then do its
    work under ``if __name__ == "__main__":``.) ``progress`` is True for a progress bar, or a function that is called
    with the number of positions searched and the number of all.
    """
    tasks = [Task(number, f"position {number + 1}", each) for number, each in enumerate(positions)]
    for task in tasks:
        if not isinstance(task.position, Position):
            raise SpecError(f"search_many takes positions, not {shortened(repr(task.position))}")
        if task.position.game != tasks[0].position.game:
            here, first = (game_spec(each.position.game) for each in (task, tasks[0]))
            raise SpecError(f"{task.name} is of {here}, the first of {first}; positions must be of one game")
        refuse_ended(task)
    found: list[SearchResult] = []
    searches = Searches(player, whole(seed), limits or NO_LIMITS, jobs, ProgressBar() if progress is True else progress)
    if not searches.run(tasks, found.append):
        raise KeyboardInterrupt
    return found


@dataclass(frozen=True, eq=False)
class Task:
    """A position to be searched."""

    number: int  # from 0, in the order of the results
    name: str  # in sentences: position 7, line 7
    position: Position


@dataclass(frozen=True)
class Found:
    """What was found at a position."""

    number: int
    result: Any
    seconds: float


def refuse_ended(task: Task) -> None:
    if task.position.is_terminal:
        raise AstragalError(f"{task.name}: the game is over at '{task.position.text}': there is nothing to search")


def only_result(task: Task, result: SearchResult) -> SearchResult:
    return result


def perform(player: Player, seed: int, limits: Limits, write: Writer, tasks: tuple[Task, ...]) -> list[Found]:
    """What a worker does."""
    found = []
    for task in tasks:
        started = time.perf_counter()
        try:
            result = write(task, player.search(task.position, seed, limits))
        except AstragalError as error:
            raise AstragalError(f"{task.name}: {error}") from None
        found.append(Found(task.number, result, time.perf_counter() - started))
    return found


@dataclass(frozen=True)
class Searches:
    """How positions are searched."""

    player: str | Player
    seed: int
    limits: Limits
    jobs: int | None
    progress: Progress | bool | None = None
    write: Writer = only_result

    def run(self, tasks: list[Task], keep: Callable[[Any], Any], before: int = 0) -> bool:
        """Search all positions, and keep what was found in their order; False where Ctrl-C ended it.

        ``before`` is how many others an earlier run has searched; they count as progress.
        """
        make_workers, jobs = Playing(jobs=self.jobs).workers(self.limits)
        if not tasks:
            return True
        player = load_player(self.player, tasks[0].position.game)
        self.make_ready(player, tasks[0])
        in_order = InOrder(tasks[0].number, keep)

        def take(found: list[Found]) -> bool:
            in_order.take(found)
            if callable(self.progress):
                self.progress(before + in_order.kept, before + len(tasks))
            return False

        work = partial(perform, player, self.seed, self.limits, self.write)
        with Interrupt("positions").heard() as interrupt:
            dispatcher = Dispatcher(work, jobs, make_workers, take, interrupt, lambda task: task.name)
            return dispatcher.run(iter(tasks))

    def make_ready(self, player: Player, task: Task) -> None:
        """Compile what is missing before others need it."""
        if player.runs_programs:
            return
        asked = player.limits if self.limits == NO_LIMITS else self.limits
        few = min(asked.nodes or WARM_UP_NODES, WARM_UP_NODES)
        perform(player, self.seed, replace(asked, nodes=few), self.write, (task,))


class InOrder:
    """Hands on what comes in any order by its numbers."""

    def __init__(self, first: int, keep: Callable[[Any], Any]) -> None:
        self.next, self.keep = first, keep
        self.waiting: dict[int, Any] = {}
        self.kept = 0

    def take(self, found: list[Found]) -> None:
        self.waiting.update((each.number, each.result) for each in found)
        while self.next in self.waiting:
            self.keep(self.waiting.pop(self.next))
            self.next, self.kept = self.next + 1, self.kept + 1


class ProgressBar:
    """A line that says how many positions were searched, and how long the rest takes."""

    def __init__(self) -> None:
        self.started = time.perf_counter()
        self.first: int | None = None  # positions searched at the first call

    def __call__(self, done: int, of: int) -> None:
        if done == of:
            overwrite("")
            return
        seconds = time.perf_counter() - self.started
        self.first = done if self.first is None else self.first
        rate = (done - self.first) / seconds if seconds > 0 else 0.0
        parts = [f"{bar(done, of)} {done:,}/{of:,} positions"]
        if rate > 0:
            left = (of - done) / rate
            parts += [f"{rate:,.0f} a second", f"{left / 60:.0f} min left" if left > 90 else f"{left:.0f} s left"]
        overwrite(fitted(parts, width()))
