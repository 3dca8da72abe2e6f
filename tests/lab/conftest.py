"""A laboratory of its own for each test that asks for one."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from astragal.arena.workers import local_workers
from astragal.lab.exact import exact_for
from astragal.lab.laboratory import BusyLaboratory
from astragal.lab.notebook import Notebook
from support.helpers import solutions_in


@pytest.fixture
def lab(tmp_path: Path) -> Iterator[BusyLaboratory]:
    exact_for.cache_clear()
    with solutions_in(tmp_path), Notebook(tmp_path / "n.db") as notebook:
        yield BusyLaboratory(notebook, workers=lambda: local_workers(1))
    exact_for.cache_clear()
