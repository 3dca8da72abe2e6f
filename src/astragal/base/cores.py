"""How many cores this process may use, and how many threads a search takes of them."""

from __future__ import annotations

import math
import os
from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from pathlib import Path

MOST_THREADS = 256
THREAD_LIMITS = ("OMP_NUM_THREADS", "SLURM_CPUS_PER_TASK")  # what batch systems and users set
CGROUPS = Path("/sys/fs/cgroup")
OWN_CGROUPS = Path("/proc/self/cgroup")


class Threads(int):
    """A number of threads, or ``auto``, which is 0 here: all cores but one, where results are not to be repeated."""

    def __new__(cls, text: str | int) -> Threads:
        if text == "auto":
            text = 0
        elif isinstance(text, str) and not (text.isdecimal() and 1 <= int(text) <= MOST_THREADS):
            raise ValueError(f"a whole number from 1 to {MOST_THREADS}, or auto")
        return super().__new__(cls, text)

    def __str__(self) -> str:
        return repr(int(self)) if self else "auto"


AUTO = Threads("auto")
for_a_person: ContextVar[bool] = ContextVar("for_a_person", default=False)


@contextmanager
def taking_spare_cores() -> Iterator[None]:
    """Searches within this block, a person waiting for them, take ``threads=auto`` unless settings say otherwise."""
    before = for_a_person.set(True)
    try:
        yield
    finally:
        for_a_person.reset(before)


def threads_taken(threads: int | None, counted: bool) -> int:
    """How many threads a search takes; counted: a limit is on nodes or simulations, so that it can be repeated."""
    if threads is None:
        threads = AUTO if for_a_person.get() else 1
    return threads or (1 if counted else spare_cores())


def cores() -> int:
    """The cores that this process may use: of the machine, as far as `taskset` and a container's quota allow."""
    own = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
    return max(1, min([own, *(math.ceil(quota) for quota in quotas())]))


def spare_cores() -> int:
    """The threads that ``threads=auto`` takes: all cores but one, and no more than OMP_NUM_THREADS allows."""
    limits = [os.environ.get(name, "").partition(",")[0].strip() for name in THREAD_LIMITS]
    most = [int(limit) for limit in limits if limit.isdecimal() and int(limit) > 0]
    return max(1, min([cores() - 1, MOST_THREADS, *most]))


def quotas() -> Iterator[float]:
    """The processors that control groups of Linux (versions 1 and 2) allow this process, as many as say anything."""
    for line in lines_of(OWN_CGROUPS):
        _, controllers, path = [*line.split(":", 2), "", ""][:3]
        if not controllers:
            yield from quotas_of(CGROUPS, path, "cpu.max")
        elif "cpu" in controllers.split(","):
            yield from quotas_of(CGROUPS / "cpu", path, "cpu.cfs_quota_us", "cpu.cfs_period_us")


def quotas_of(root: Path, path: str, *files: str) -> Iterator[float]:
    """What a group and those that it is in allow; inside a container the root is its own group."""
    for group in [path, *(str(parent) for parent in Path(path).parents)]:
        words = " ".join(line for file in files for line in lines_of(root / group.lstrip("/") / file)).split()
        if len(words) == 2 and all(word.isdecimal() for word in words) and int(words[1]) > 0:
            yield int(words[0]) / int(words[1])


def lines_of(file: Path) -> list[str]:
    try:
        return file.read_text().splitlines()
    except (OSError, UnicodeDecodeError):
        return []
