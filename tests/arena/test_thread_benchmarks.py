"""The benchmarks of threads run in their smallest size."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

BENCHMARKS = Path(__file__).parents[2] / "benchmarks"


@pytest.mark.slow
@pytest.mark.parametrize(
    ("name", "row"), [("parallel.py", "| connect_four | 2 |"), ("shares.py", "| learn pig:goal=20 |")]
)
def test_the_benchmark_runs(name, row):
    line = [sys.executable, str(BENCHMARKS / name), "--smallest"]
    assert row in subprocess.run(line, check=True, capture_output=True, text=True).stdout
