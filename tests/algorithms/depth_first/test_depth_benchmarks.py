"""The benchmarks of depth, positions and intervals run in their smallest size."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

BENCHMARKS = Path(__file__).parents[3] / "benchmarks"


def lines(*arguments: str) -> list[str]:
    """The rows of the table that a benchmark prints."""
    name, *rest = arguments
    ran = subprocess.run([sys.executable, str(BENCHMARKS / name), *rest], capture_output=True, text=True, check=True)
    return [line for line in ran.stdout.splitlines() if line.startswith("| ")][1:]


@pytest.mark.slow
@pytest.mark.compiled
def test_depth_runs_for_every_game_and_all_searches_find_the_same_values(tmp_path):
    assert len(lines("depth.py", "--most", "2", "--repeats", "1")) >= 20
    picture = tmp_path / "growth.svg"
    assert len(lines("depth.py", "--growth", "--most", "2", "--plot", str(picture))) == 8
    assert "<svg" in picture.read_text(encoding="utf-8")


@pytest.mark.slow
@pytest.mark.compiled
def test_positions_are_entered_once_and_memory_is_halved_six_times(tmp_path):
    picture = tmp_path / "positions.svg"
    assert len(lines("positions.py", "entered", "kalah", "pig:dice=1", "--most", "4", "--plot", str(picture))) == 2
    rows = lines("positions.py", "memory", "--most", "3", "--plot", str(picture))
    assert len(rows) == 7
    assert not any("not done" in row for row in rows)
    assert "<svg" in picture.read_text(encoding="utf-8")


@pytest.mark.slow
@pytest.mark.compiled
def test_intervals_are_found_in_two_ways():
    (row,) = lines("intervals.py", "0.5", "tic_tac_toe")
    first, _, second, _ = (cell.strip() for cell in row.split("|")[3:7])
    assert int(first.replace(",", "")) > 1000  # both are narrow in time
    assert int(second.replace(",", "")) > 1000
