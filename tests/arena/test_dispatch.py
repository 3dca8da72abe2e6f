"""Handing out tasks: every one is done once, however many workers there are, and bundles grow with their number."""

from __future__ import annotations

from collections import deque
from concurrent.futures import Executor, Future
from dataclasses import dataclass
from functools import partial
from typing import Any

import pytest

from astragal.arena.dispatch import AHEAD, LAST_PART, MAX_BUNDLES, Dispatcher, Interrupt, bundle_seconds


@dataclass(frozen=True)
class Done:
    """What comes of a task."""

    number: int
    seconds: float


def perform(bundle: tuple[int, ...], seconds: float) -> list[Done]:
    return [Done(number, seconds) for number in bundle]


class Backlog(Executor):
    """Workers that are all busy: the task that came first is done when as many wait as may, and all at the end."""

    def __init__(self, most: int, tasks: int) -> None:
        self.most, self.left = most, tasks
        self.waiting: deque[tuple[Future[Any], Any, tuple[int, ...]]] = deque()
        self.sizes: list[int] = []

    def submit(self, task: Any, /, *arguments: Any, **named: Any) -> Future[Any]:
        future: Future[Any] = Future()
        self.waiting.append((future, task, *arguments))
        self.sizes.append(len(arguments[0]))
        self.left -= len(arguments[0])
        while self.waiting and (len(self.waiting) >= self.most or self.left == 0):
            first, work, bundle = self.waiting.popleft()
            if first.set_running_or_notify_cancel():
                first.set_result(work(bundle))
        return future


def dispatched(workers: int, tasks: int, seconds: float, enough: int | None = None) -> tuple[list[int], list[int]]:
    """The tasks whose results were kept, in that order, and the sizes of the bundles."""
    kept: list[int] = []

    def keep(results: list[Done]) -> bool:
        kept.extend(result.number for result in results)
        return enough is not None and len(kept) >= enough

    backlog = Backlog(AHEAD * workers, tasks)
    dispatcher = Dispatcher(partial(perform, seconds=seconds), workers, lambda: backlog, keep, Interrupt())
    assert dispatcher.run(iter(range(tasks)))
    assert not dispatcher.handed_out
    return kept, backlog.sizes


@pytest.mark.parametrize(("workers", "seconds"), [(1, 0.01), (3, 10.0), (400, 10.0), (1000, 0.5)])
def test_every_task_is_done_once(workers, seconds):
    kept, _ = dispatched(workers, 5000, seconds)
    assert sorted(kept) == list(range(5000))


def test_what_is_not_needed_any_more_is_called_back():
    """Tasks that wait are cancelled, and nothing waits for them."""
    kept, sizes = dispatched(10, 1000, 10.0, enough=5)
    assert kept == [0, 1, 2, 3, 4]
    assert sum(sizes) < 40


def test_bundles_grow_with_the_number_of_workers():
    assert bundle_seconds(1) == bundle_seconds(30) == 0.3
    for workers in (100, 1000, 5000):
        assert workers / bundle_seconds(workers) == pytest.approx(MAX_BUNDLES)
    assert max(dispatched(2, 1000, 0.01)[1]) == 30
    assert max(dispatched(100, 40_000, 0.01)[1]) == 100


def test_bundles_are_smaller_towards_the_end():
    """So that no worker is left with many while the others have none; but not as small as to cost more than that."""
    kept, sizes = dispatched(2, 1000, 1 / 128)
    assert sorted(kept) == list(range(1000))
    usual = max(sizes)
    assert usual == int(128 * bundle_seconds(2))
    assert sizes[4:20] == [usual] * 16
    assert sizes[20:] == sorted(sizes[20:], reverse=True)
    assert sizes[-2] == usual // LAST_PART >= sizes[-1]


def test_long_tasks_are_handed_out_one_by_one():
    assert dispatched(2, 40, 10.0)[1] == [1] * 40
