"""The scripts that try every Python and set of packages: what they cover, and that they can fail."""

from __future__ import annotations

import re
import sys
from importlib.machinery import SourceFileLoader
from importlib.util import module_from_spec, spec_from_loader
from pathlib import Path

import pytest

from astragal.players import load_player
from support.golden import LINES

ROOT = Path(__file__).parents[1]
WORKFLOW = (ROOT / ".github" / "workflows" / "tests.yml").read_text(encoding="utf-8")


def load(name, monkeypatch):
    loader = SourceFileLoader(name.partition(".")[0], str(ROOT / ".ci" / name))
    module = module_from_spec(spec_from_loader(loader.name, loader))
    monkeypatch.setitem(sys.modules, loader.name, module)
    loader.exec_module(module)
    return module


@pytest.fixture
def versions(monkeypatch, tmp_path):
    """The script, with nothing that it would run."""
    found = load("versions", monkeypatch)
    monkeypatch.setattr(found, "WHEELS", tmp_path)
    monkeypatch.setattr(found, "FOLDER", tmp_path)
    monkeypatch.setattr(found, "python", lambda version: found.Python(version, "/bin/false"))
    monkeypatch.setattr(found, "wheel", lambda: tmp_path)
    monkeypatch.setattr(found, "environment", lambda row, interpreter, log: "python")
    monkeypatch.setattr(found.Log, "run", lambda log, command: "numba 1" if "-c" in command else "one\n3 passed\n")
    return found


def test_every_python_is_tried_by_hand_and_in_the_workflow(versions):
    assert versions.PYTHONS == ["3.11", "3.12", "3.13", "3.14", "3.15"]
    listed = ", ".join(f'"{each}"' for each in versions.PYTHONS)
    assert WORKFLOW.count(f"python: [{listed}]") == WORKFLOW.count("matrix:\n") == 2
    job = WORKFLOW.partition("\n  versions:\n")[2].partition("- run: .ci/versions")[0]
    assert sorted(re.findall(r"^ +(3\.\d+)$", job, re.MULTILINE)) == versions.PYTHONS
    assert {row.name for row in versions.ROWS} == {"oldest", "newest", "plain", *versions.PYTHONS}


def test_the_oldest_packages_are_the_lower_bounds(versions):
    assert versions.lowest("typer>=0.16,<0.29") == "typer==0.16"
    assert versions.lowest('numpy>=2.0; python_version < "4"') == "numpy==2.0"
    oldest = versions.requirements(tests=True, oldest=True)
    assert not [each for each in oldest if ">" in each]
    assert len(oldest) == len(versions.requirements(tests=True, oldest=False)) > 8


def test_all_rows_are_in_the_table(versions, capsys):
    assert versions.main([]) == 0
    lines = capsys.readouterr().out.splitlines()
    for row in versions.ROWS:
        result = "passed: 3 passed" if row.tests else "passed"
        [line] = [each for each in lines if each.startswith(f"| {row.name} |")]
        assert line.endswith(f"| {row.runs} | 0.0 | {result} |")


def test_a_python_that_cannot_be_had_is_named_and_no_failure(versions, capsys, monkeypatch):
    monkeypatch.setattr(versions, "python", lambda version: "no python3.14 here")
    assert versions.main(["3.14"]) == 0
    assert "| 3.14 | - | smoke test | 0.0 | skipped: no python3.14 here |" in capsys.readouterr().out


@pytest.mark.parametrize("broken", ["environment", "wheel"])
def test_whatever_goes_wrong_in_a_row_is_a_failure(versions, capsys, monkeypatch, broken):
    def fail(*_):
        raise OSError("no room")

    monkeypatch.setattr(versions, broken, fail)
    assert versions.main(["3.11", "3.12"]) == 1
    assert capsys.readouterr().out.count("| failed: OSError('no room') |") == 2


def test_a_command_that_fails_is_named_with_its_last_line(monkeypatch, tmp_path):
    versions = load("versions", monkeypatch)
    monkeypatch.setattr(versions, "FOLDER", tmp_path)
    log = versions.Log(versions.ROWS[0], {})
    with pytest.raises(versions.Failed, match=r"^sh -c echo no luck >&2; exit 3: no luck$"):
        log.run(["/bin/sh", "-c", "echo no luck >&2; exit 3"])
    assert "no luck" in log.path.read_text(encoding="utf-8")


def test_rows_that_find_different_results_have_failed(versions, capsys, monkeypatch):
    found = iter(["numba 1", "a\nb", "numba 1", "a\nc"])
    monkeypatch.setattr(versions.Log, "run", lambda log, command: next(found))
    monkeypatch.setattr(versions.os, "cpu_count", lambda: 1)
    assert versions.main(["3.11", "3.12"]) == 1
    assert "| failed: found otherwise than 3.12: c |" in capsys.readouterr().out


def test_a_row_that_there_is_not_is_refused(versions, capsys):
    assert versions.main(["3.9"]) == 2
    assert "no row is named 3.9; rows: oldest newest plain" in capsys.readouterr().err


def test_the_smoke_test_has_a_search_of_every_family_and_the_first_command_of_the_readme(monkeypatch):
    smoke = load("smoke.py", monkeypatch)
    assert set(smoke.FAMILIES) == set(LINES)
    for family, (player, _) in smoke.FAMILIES.items():
        assert family in load_player(player).versions()
    assert smoke.first_command()[:2] == ["search", "ewn"]
