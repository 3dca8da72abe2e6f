"""Every experiment runs end to end, and what is kept of it gives the same report again."""

from __future__ import annotations

from pathlib import Path

import pytest

from astragal.lab.experiment import experiments
from astragal.lab.notebook import Notebook
from astragal.lab.report.report import write_report
from support.helpers import slow_but
from support.laboratories import read_tiny, run_tiny

# These need few kernels that no other test needs; compiling those of the others takes minutes.
FAST = ("mcms-theorem1", "tradeoffs-figures2-3")


@pytest.mark.few(1)
@pytest.mark.compiled
@pytest.mark.parametrize("name", slow_but(FAST, experiments()))
def test_an_experiment_from_its_games_to_its_report(name, tmp_path):
    pytest.importorskip("matplotlib")
    if name == "beyond-openspiel":
        pytest.importorskip("pyspiel")
    file = tmp_path / "lab.db"
    sections = run_tiny(name, file)
    assert all(section.missing == 0 for section in sections)
    assert any(table.entries for section in sections for table in section.tables) or name == "tradeoffs-figures2-3"
    read = read_tiny(name, file)
    assert [section.tables for section in read] == [section.tables for section in sections]
    assert [section.notes for section in read] == [section.notes for section in sections]
    with Notebook(file, must_exist=True) as notebook:
        written = write_report(notebook, tmp_path / "out")
    assert written.figures >= sum(len(section.figures) for section in sections)  # and those in front
    drawn = {path.name for path in (tmp_path / "out/figures").iterdir()}
    assert {figure.name for section in sections for figure in section.figures} <= {Path(name).stem for name in drawn}
    text = (tmp_path / "out/report.md").read_text()
    for section in sections:
        for table in section.tables:
            assert all(table.words(entry) in text for entry in table.entries.values())
