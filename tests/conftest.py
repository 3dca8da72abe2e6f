"""What all tests share: what runs compiled, what is measured, and that nothing is announced on the terminal."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import settings

settings.register_profile("astragal", deadline=None, derandomize=True, database=None)
settings.load_profile("astragal")


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--store-trees", action="store_true", help="write the stored search trees anew")
    parser.addoption("--store-playthroughs", action="store_true", help="write the golden play-throughs anew")
    parser.addoption("--costs", type=Path, help="add what each test costs to this file (see tests/support/costs.py)")


def pytest_configure(config: pytest.Config) -> None:
    costs = config.getoption("--costs")
    distributes = config.getoption("numprocesses", None) and not hasattr(config, "workerinput")
    if costs and not distributes:
        from support.costs import Costs

        config.pluginmanager.register(Costs(costs.absolute()))


def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    """A test marked ``interpreted`` is run twice: by Python in the default run, compiled in the slow one."""
    if metafunc.definition.get_closest_marker("interpreted"):
        ways = ["interpreted", pytest.param("compiled", marks=pytest.mark.slow)]
        metafunc.parametrize("_kernels_run", ways, indirect=True)


@pytest.fixture(autouse=True)
def _kernels_run(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    if getattr(request, "param", "compiled") == "interpreted":
        from astragal.game.inner import EntryDispatcher
        from astragal.game.interpreted import run_interpreted

        monkeypatch.setattr(EntryDispatcher, "__call__", run_interpreted)


@pytest.fixture(autouse=True, scope="session")
def _quiet_compiling() -> Iterator[None]:
    from astragal.game import kernel

    kernel.announcers.append(lambda what: None)
    yield
    kernel.announcers.pop()
