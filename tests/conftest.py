"""What all tests share: none of them announces on the terminal what it compiles."""

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


@pytest.fixture(autouse=True, scope="session")
def _quiet_compiling() -> Iterator[None]:
    from astragal.game import kernel

    kernel.announcers.append(lambda what: None)
    yield
    kernel.announcers.pop()
