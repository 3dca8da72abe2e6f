"""`astragal cache` says what is kept, and removes it."""

from __future__ import annotations

import json
import os
import time

import pytest

from support.helpers import run_here


@pytest.fixture
def folder(tmp_path, monkeypatch):
    """A cache of three kernels, one of them old, and a solved game."""
    monkeypatch.setenv("ASTRAGAL_CACHE", str(tmp_path))
    for path, size in [("kernels/a", 100), ("kernels/b", 200), ("kernels/old", 300), ("solutions/x.npz", 5_000_000)]:
        (tmp_path / path).parent.mkdir(exist_ok=True)
        (tmp_path / path).write_bytes(bytes(size))
    then = time.time() - 100 * 86400
    os.utime(tmp_path / "kernels" / "old", (then, then))
    return tmp_path


def left(folder):
    return sorted(path.name for path in folder.glob("*/*"))


def test_what_is_kept_is_shown(folder, capsys):
    ran = run_here(capsys, "cache")
    assert (ran.code, ran.err) == (0, "")
    rows = dict(line.split(maxsplit=1) for line in ran.out.splitlines())
    assert rows == {
        "Folder": str(folder),
        "Kernels": "3 files, 0.0 MB",
        "Solutions": "1 files, 5.0 MB",
        "Limits": "1000 MB of kernels, 90 days without use",
    }
    assert left(folder) == ["a", "b", "old", "x.npz"]


@pytest.mark.parametrize(
    ("options", "kernels", "solutions"),
    [(["trim"], 2, 1), (["clear"], 0, 1), (["clear", "--solutions"], 0, 0)],
)
def test_what_is_removed(options, kernels, solutions, folder, capsys):
    found = json.loads(run_here(capsys, "cache", *options, "--json").out)
    assert (found["kernels"]["files"], found["solutions"]["files"]) == (kernels, solutions)
    assert found["removed"] == 4 - kernels - solutions
    assert len(left(folder)) == kernels + solutions
    assert run_here(capsys, "cache", *options).out.splitlines()[-1] == "Removed    0 files, 0.0 MB"


def test_a_cache_that_is_not_there_is_empty(tmp_path, monkeypatch, capsys):
    monkeypatch.setenv("ASTRAGAL_CACHE", str(tmp_path / "none"))
    for option in ([], ["trim"], ["clear", "--solutions"]):
        assert json.loads(run_here(capsys, "cache", *option, "--json").out)["kernels"] == {"files": 0, "bytes": 0}


@pytest.mark.parametrize("options", [["trim", "--clear"], ["show", "--solutions"], ["trim", "--solutions"]])
def test_options_that_do_not_go_together_are_refused(options, folder, capsys):
    ran = run_here(capsys, "cache", *options)
    assert ran.code == 2
    assert ran.err.count("\n") == 1
    assert len(left(folder)) == 4
