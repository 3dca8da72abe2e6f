"""Several threads in one search that goes depth first.

**They share a table of values** (lazy SMP: every thread searches the whole root to the same depth). Each goes through
outcomes and actions from another place in the lists (`astragal.algorithms.depth_first.table.turned`), and takes from
the table what others have found. So work divides by itself at every level down to `MIN_DEPTH`, and no thread waits. The
first thread that is done has the iteration's answer, and the others are stopped. A torn entry is recognised
(`astragal.algorithms.depth_first.entries`). Each thread has a work record of its own; between iterations its counts
go over to the first one's.

An exact value is the same in every thread, but for the order in which a chance node adds up its outcomes. A sampled
node draws the same outcomes in every thread: samples are keyed.

**Max^n shares out the actions of the root**: its vectors are in no table.

Of a limit on nodes, each thread has an equal share of what is left when an iteration begins.
"""

from __future__ import annotations

import itertools
from collections.abc import Callable
from functools import partial
from typing import Any

from astragal.algorithms.depth_first.work import COUNTERS, Work, guesses, nodes
from astragal.base.interruptible import helping_thread, start_deep
from astragal.rules.dice import Dice

FEW = 10_000  # nodes of an iteration after which the next one is worth starting threads for
SUMMED = (*COUNTERS, "trusted", "table_stored")
KernelCall = Callable[[Work, Any, Any, Any], int]  # work, actions, values, bounds -> how many actions were finished


class Crew:
    """The threads of a search: the work record of the first, whose counts are those of all, and those of the others."""

    def __init__(self, work: Work, helpers: list[Work]) -> None:
        self.work, self.helpers = work, helpers
        self.works = [work, *helpers]
        self.stopped = False
        self.limit = int(work["node_limit"][0])
        for number, each in enumerate(self.works):
            each["thread"], each["threads"] = number, len(self.works)

    @property
    def nodes(self) -> int:
        return sum([nodes(work) for work in self.works])

    def stop(self) -> None:
        self.stopped = True
        for work in self.works:
            work["stop"] = 1

    def search(self, call: KernelCall, lists: tuple[Any, Any, Any], lasting: bool) -> tuple[int, int]:
        """Search the root by all threads, each with lists of its own; those of the first to be done are handed back.

        How many actions it finished, and how often something short of the end was trusted.
        """
        own = [lists, *(tuple(part.copy() for part in lists) for _ in self.helpers)]
        finished = [0] * len(self.works)
        first: list[int] = []

        def search_root(number: int) -> None:
            finished[number] = call(self.works[number], *own[number])
            if finished[number] == len(own[number][0]):
                first.append(number)
                self.end_others(number)

        made = self.run(search_root)
        best = first[0] if first else max(range(len(finished)), key=lambda number: (finished[number], -number))
        for mine, its in zip(lists, own[best], strict=True):
            mine[:] = its
        return finished[best], made[best] if lasting else sum(made)

    def share_actions(self, call: KernelCall, lists: tuple[Any, Any, Any]) -> tuple[int, int]:
        """Search each action of the root by one thread; how many were finished, the first ones, and as above."""
        waiting, done = itertools.count(), [0] * len(lists[0])

        def search_actions(number: int) -> None:
            for place in waiting:
                if place >= len(done) or self.works[number]["stop"][0]:
                    return
                done[place] = call(self.works[number], *(part[place : place + 1] for part in lists))
                self.works[number]["decisions"] -= place > 0  # the root is one node

        made = self.run(search_actions)
        return len(list(itertools.takewhile(bool, done))), sum(made)

    def repeat(self, call: KernelCall, lists: tuple[Any, Any, Any]) -> int:
        """Search the root again and again by all threads, with samples of their own; how often in all.

        What each has found is added up.
        """
        own = [lists, *(tuple(part.copy() for part in lists) for _ in self.helpers)]
        for _, sums, _ in own[1:]:
            sums[:] = 0.0
        times = [0] * len(self.works)
        for number, work in enumerate(self.helpers, start=1):
            work["key"] = work["path"] = Dice(int(self.work["key"][0]) + number).bits()
            work["pause_at"] = int(self.work["pause_at"][0]) - nodes(self.work)

        def search_again(number: int) -> None:
            times[number] = call(self.works[number], *own[number])

        self.run(search_again, same_samples=False)
        lists[1][:] = sum(sums for _, sums, _ in own)
        return sum(times)

    def run(self, task: Callable[[int], None], same_samples: bool = True) -> list[int]:
        """Run a task for each thread until all have ended; how often each trusted something short of the end."""
        self.prepare(same_samples)
        errors: list[Exception] = []

        def attempt(number: int) -> None:
            try:
                task(number)
            except Exception as error:  # of a method of the game; all are to end
                errors.append(error)
                self.stop()

        before = [guesses(work) for work in self.works]
        threads = [helping_thread(partial(attempt, number)) for number in range(1, len(self.works))]
        for thread in threads:
            start_deep(thread)
        attempt(0)
        for thread in threads:
            thread.join()
        made = [guesses(work) - guessed for work, guessed in zip(self.works, before, strict=True)]
        self.gather()
        if errors:
            raise errors[0]
        return made

    def prepare(self, same_samples: bool) -> None:
        """Let the helpers begin where the first thread is, with its share of the nodes that are left."""
        given = ("thread", "stop", "node_limit", "ordering", "vector", *SUMMED)
        kept = ("key", "path", "pause_at") if not same_samples else ()
        shared = [name for name in self.work.dtype.names or () if name not in (*given, *kept)]
        so_far = nodes(self.work)
        share = max(0, self.limit - so_far) // len(self.works)
        self.work["node_limit"] = so_far + share
        self.lines = int(self.work["table_lines"][0])
        self.work["table_lines"] = self.work["table_mask"] + 1  # no thread may make room while others search
        for work in self.helpers:
            for name in shared:
                work[name] = self.work[name]
            work["node_limit"] = share
        for work in self.works:
            work["stop"] = 0
            if self.stopped:
                work["stop"] = 1

    def gather(self) -> None:
        """Let the first thread have the counts of all."""
        for work in self.helpers:
            self.work["hidden"] |= work["hidden"]
            for name in SUMMED:
                self.work[name] += work[name]
                work[name] = 0
            self.work["hidden"] |= work["hidden"]
        self.work["node_limit"], self.work["table_lines"] = self.limit, self.lines
        self.work["stop"] = self.stopped or self.limit - nodes(self.work) < len(self.works)

    def end_others(self, number: int) -> None:
        for other, work in enumerate(self.works):
            if other != number:
                work["stop"] = 1
