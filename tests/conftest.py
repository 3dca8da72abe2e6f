"""What all tests share: what runs compiled, what is measured, and that nothing is announced on the terminal.

Compiling takes longer than all else that tests do, so kernels are run by Python unless a test is marked ``compiled``:
because it is about machine code, threads or time, or too long for Python and about kernels that many tests share. Of a
test marked ``few(n)`` the default run takes n cases. The slow run, ``pytest -m slow``, is of the tests marked ``slow``
and of the cases left out; what they run is compiled, unless they are marked ``interpreted``, as a test in a file of
compiled ones may be too.
``pytest --compiled`` is the default run with everything compiled that is not marked ``interpreted``.
"""

from __future__ import annotations

import gc
import os
import signal
from collections import defaultdict
from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import settings

os.environ["OMP_NUM_THREADS"] = "1"  # nodes and lines do not depend on how many cores the machine has
settings.register_profile("astragal", deadline=None, derandomize=True, database=None)
settings.load_profile("astragal")
os.environ["ASTRAGAL_QUICK_CHECK"] = "off"  # games of the tests are broken on purpose


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--compiled", action="store_true", help="compile all kernels, as the slow tests do")
    parser.addoption("--store-trees", action="store_true", help="write the stored search trees anew")
    parser.addoption("--store-golden", action="store_true", help="write the golden games of the searches anew")
    parser.addoption("--store-playthroughs", action="store_true", help="write the golden play-throughs anew")
    parser.addoption("--costs", type=Path, help="add what each test costs to this file (see tests/support/costs.py)")


def pytest_configure(config: pytest.Config) -> None:
    if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:  # as a shell does for what it runs in the background
        signal.signal(signal.SIGINT, signal.default_int_handler)
    costs = config.getoption("--costs")
    distributes = config.getoption("numprocesses", None) and not hasattr(config, "workerinput")
    if costs and not distributes:
        from support.costs import Costs

        config.pluginmanager.register(Costs(costs.absolute()))


def is_compiled(item: pytest.Item) -> bool:
    """Whether a test's own mark, or else its file's, says so; without one, if it is slow or with --compiled."""
    nearest = (mark.name for mark in item.iter_markers() if mark.name in ("compiled", "interpreted"))
    usual = item.config.getoption("--compiled") or item.get_closest_marker("slow")
    return next(nearest, "compiled" if usual else "interpreted") == "compiled"


@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Of a test marked ``few(n)``, n cases spread over all of them are for the default run; the others are slow."""
    cases: dict[str, list[pytest.Item]] = defaultdict(list)
    for item in items:
        if item.get_closest_marker("few") and not item.get_closest_marker("slow"):
            cases[item.nodeid.partition("[")[0]].append(item)
    for of_one_test in cases.values():
        mark = of_one_test[0].get_closest_marker("few")
        assert mark is not None
        chosen = {i * len(of_one_test) // mark.args[0] for i in range(mark.args[0])}
        for number, item in enumerate(of_one_test):
            if number not in chosen:
                item.add_marker("slow")


@pytest.hookimpl(wrapper=True)
def pytest_collection() -> Iterator[None]:
    gc.disable()  # of what is imported nothing is garbage: it need not be looked through now, nor again and again later
    try:
        return (yield)
    finally:
        gc.freeze()
        gc.enable()


@pytest.hookimpl(wrapper=True)
def pytest_runtest_protocol(item: pytest.Item) -> Iterator[None]:
    if is_compiled(item):
        return (yield)
    from astragal.compiler.dispatchers import EntryDispatcher
    from astragal.compiler.interpreted import run_interpreted
    from astragal.rules import checks as conformance
    from astragal.solvers import graph

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(EntryDispatcher, "__call__", run_interpreted)
        patch.setattr(conformance, "BOUND_GAMES", 1)  # as where NUMBA_DISABLE_JIT is set
        patch.setattr(graph, "MORE", 500)  # states after passed-up wins, which in Pig have no end
        patch.setattr(graph, "CHUNK", 500)  # after which their number is looked at
        return (yield)


@pytest.fixture(autouse=True, scope="session")
def _quiet_compiling() -> Iterator[None]:
    from astragal.compiler import kernel

    kernel.announcers.append(lambda what: None)
    yield
    kernel.announcers.pop()
