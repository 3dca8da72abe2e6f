"""What each test costs: ``pytest --costs FILE`` writes a line of JSON a test; this script sums the lines up.

    python tests/support/costs.py FILE            the files that cost most
    python tests/support/costs.py FILE tests      the tests that cost most
    python tests/support/costs.py FILE kernels    the kernels that were compiled, and by which file

Seconds are of the processor, with those of processes that a test started and waited for: they mean the same on a busy
machine. Kernels are those that the test's own process compiled or loaded; memory is resident after the test.
"""

from __future__ import annotations

import collections
import json
import os
import resource
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

PAGE = resource.getpagesize()


class Costs:
    """The plugin: it measures around each test, and is called for every kernel that is compiled."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self.kernels: list[tuple[str, float]] = []
        self.loaded: list[str] = []
        self.since = 0.0

    def pytest_sessionstart(self) -> None:
        from astragal.compiler.kernel import KernelCache, describe_entry

        load, save = KernelCache.load_overload, KernelCache.save_overload

        def load_overload(cache: Any, signature: Any, context: Any) -> Any:
            found = load(cache, signature, context)
            self.since = time.thread_time()
            if found is not None:
                self.loaded.append(describe_entry(cache._entry, signature))
            return found

        def save_overload(cache: Any, signature: Any, result: Any) -> None:
            save(cache, signature, result)
            self.kernels.append((describe_entry(cache._entry, signature), time.thread_time() - self.since))

        KernelCache.load_overload, KernelCache.save_overload = load_overload, save_overload

    @pytest.hookimpl(wrapper=True, tryfirst=True)
    def pytest_runtest_protocol(self, item: pytest.Item) -> Iterator[None]:
        self.kernels.clear()
        self.loaded.clear()
        before, wall = seconds(), time.perf_counter()
        result = yield
        own, children = (after - first for after, first in zip(seconds(), before, strict=True))
        line = {
            "test": item.nodeid, "seconds": round(own + children, 3), "children": round(children, 3),
            "wall": round(time.perf_counter() - wall, 3), "megabytes": resident() >> 20, "process": os.getpid(),
            "kernels": [(what, round(spent, 3)) for what, spent in self.kernels],
            "loaded": self.loaded,
        }  # fmt: skip
        with self.path.open("a") as file:
            file.write(json.dumps(line) + "\n")
        return result


def seconds() -> tuple[float, float]:
    children = resource.getrusage(resource.RUSAGE_CHILDREN)
    return time.process_time(), children.ru_utime + children.ru_stime


def resident() -> int:
    return int(Path("/proc/self/statm").read_text().split()[1]) * PAGE


def summary(lines: list[dict[str, Any]], by: str) -> list[str]:
    if by == "kernels":
        kernels: dict[str, list[Any]] = collections.defaultdict(lambda: [0.0, []])
        for line in lines:
            for what, spent in line["kernels"] + [(what, 0.0) for what in line["loaded"]]:
                kernels[what][0] += spent
                kernels[what][1].append(line["test"].split("::")[0])
        rows = sorted(kernels.items(), key=lambda row: (-row[1][0], -len(row[1][1])))
        return [
            f"{spent:7.1f} s  {len(files):3}  {what}  ({', '.join(sorted(set(files)))})"
            for what, (spent, files) in rows
        ]
    parts: dict[str, list[float]] = collections.defaultdict(lambda: [0.0] * 6)
    for line in lines:
        name = line["test"] if by == "tests" else line["test"].split("::")[0]
        compiling = sum(spent for _, spent in line["kernels"])
        numbers = line["seconds"], compiling, len(line["kernels"]), len(line["loaded"]), line["children"]
        for sums in (parts[name], parts["all"]):
            sums[:-1] = [one + another for one, another in zip(sums, numbers, strict=False)]
            sums[-1] = max(sums[-1], line["megabytes"])
    rows = sorted(parts.items(), key=lambda row: -row[1][0])
    head = " seconds  compiling  kernels  loaded  children  megabytes"
    return [head] + [
        f"{a:8.1f} {b:10.1f} {c:8.0f} {d:7.0f} {e:9.1f} {f:10.0f}  {name}" for name, (a, b, c, d, e, f) in rows
    ]


if __name__ == "__main__":
    measured = [json.loads(line) for line in Path(sys.argv[1]).read_text().splitlines()]
    print("\n".join(summary(measured, sys.argv[2] if sys.argv[2:] else "files")))
