"""The example that trains a policy: it runs to its end, and its file is an evaluation. PyTorch need not be there."""

from __future__ import annotations

import subprocess
import sys

import pytest

from support.helpers import EXAMPLE

pytest.importorskip("torch")


@pytest.mark.slow
def test_it_trains_saves_and_plays(tmp_path):
    line = [sys.executable, EXAMPLE.with_name("train_policy.py"), "--minutes", "0.02", "--games", "4"]
    ran = subprocess.run([*line, "--out", tmp_path / "mine.npz"], capture_output=True, text=True, check=False)
    assert ran.returncode == 0, ran.stderr
    assert "the policy against greedy: " in ran.stdout
    assert "ewn: 4 games, 2 pairs" in ran.stdout
