"""Exports: the same report from a small file, runs that go on from it, and notebooks merged game by game."""

from __future__ import annotations

import lzma
from dataclasses import replace
from pathlib import Path

import pytest

from astragal import AstragalError, Limits
from astragal.arena.referee import replayed
from astragal.arena.workers import local_workers
from astragal.base.errors import SpecError
from astragal.lab import experiment as registry
from astragal.lab.claims import Above
from astragal.lab.experiment import Experiment, Publication
from astragal.lab.exports import SUFFIX, take, take_export, take_notebook, without_places, write_export
from astragal.lab.laboratory import BusyLaboratory, Laboratory
from astragal.lab.notebook import Notebook
from astragal.lab.parts.duels import Duel, Duels
from astragal.lab.parts.ratios import Ratios
from astragal.lab.report.report import best_runs, write_report
from astragal.lab.size import Size, Sizes
from support.helpers import run_here

SIZE = Size(games=8, states=3, runs=3)
FIXED = "star1ss:depth=1,deepening=off"


@pytest.fixture
def planted(monkeypatch: pytest.MonkeyPatch) -> Experiment:
    """Games with and without a clock, and searches."""
    duels = [
        Duel("by depth", "1", "tic_tac_toe", "mm:depth=2", "random"),
        Duel("by time", "1", "tic_tac_toe", "greedy", "random", Limits(time=5.0)),
    ]
    made = Experiment(
        "planted-one",
        "One",
        "About it.",
        Sizes(SIZE, SIZE, replace(SIZE, games=100)),
        (
            Duels("Games", lambda size: duels, "planted", claims=(Above("wins", "by depth"),), shape="bars"),
            Ratios("Searches", "variance", {"row": {"ewn": (f"{FIXED},width=1", f"{FIXED},width=2")}}),
        ),
    )
    known = {made.name: (Publication("planted", "A work", "An author 2020"), made)}
    monkeypatch.setattr(registry, "experiments", lambda: known)
    monkeypatch.setattr("astragal.lab.report.report.experiments", registry.experiments)
    return made


def run(made: Experiment, file: Path, size: Size = SIZE) -> None:
    with Notebook(file) as notebook:
        number = notebook.begin_experiment(made.name, "quick", size, 0, 1, "a test")
        made.carry_out(BusyLaboratory(notebook, workers=lambda: local_workers(1)), size)
        notebook.end_experiment(number, 1.0)


def exported(file: Path) -> Path:
    path = file.with_suffix(SUFFIX)
    with Notebook(file, must_exist=True) as notebook:
        ((_, experiment, found),) = best_runs(notebook)
        write_export(notebook, experiment, found, path)
    return path


def test_an_export_is_small_and_gives_the_same_report(tmp_path, planted):
    pytest.importorskip("matplotlib")
    run(planted, tmp_path / "a.db")
    path = exported(tmp_path / "a.db")
    assert path.stat().st_size < 3000
    with Notebook(tmp_path / "a.db", must_exist=True) as before, Notebook(tmp_path / "b.db") as after:
        take_export(after, path)
        write_report(before, tmp_path / "first")
        write_report(after, tmp_path / "second")
        assert after.runs()[0] == before.runs()[0]
        for stored in after.contests():
            for record in after.games(stored.id):
                assert replayed(stored.contest, record)  # seeds, seats, dice and the result are those of the contest
    assert (tmp_path / "first/report.md").read_text() == (tmp_path / "second/report.md").read_text()


def test_an_export_does_not_tell_where_files_were():
    typed = "astragal lab run mcms-time --db /home/me/a.db --from=/data --size games=4 --cluster tcp://here:1 --jobs 1"
    assert without_places(typed) == "astragal lab run mcms-time --size games=4 --jobs 1"


def test_a_run_goes_on_from_an_export(tmp_path, planted):
    run(planted, tmp_path / "a.db")
    path = exported(tmp_path / "a.db")
    with Notebook(tmp_path / "b.db") as notebook:
        take(notebook, path)
        lab = Laboratory(notebook)
        planted.carry_out(lab, SIZE)
        assert lab.missing == 0
        more = Laboratory(notebook)
        planted.carry_out(more, replace(SIZE, games=10, runs=4))
        assert more.missing == 2 * 2 + 2 * 3


def test_notebooks_merge_game_by_game(tmp_path, planted):
    """Two machines have each a part of the games; together they have what one would have."""
    run(planted, tmp_path / "whole.db")
    with Notebook(tmp_path / "whole.db", must_exist=True) as whole:
        parts = [Notebook(tmp_path / f"part{number}.db") for number in range(2)]
        for stored in whole.contests():
            for place, record in enumerate(whole.games(stored.id)):
                part = parts[place % 2]
                number = part.enter(stored.contest)
                part.add(number, part.begin_session(number, "planted"), [record])
        for number, study in whole.studies():
            for place, measured in enumerate(whole.measurements(number)):
                part = parts[place % 2]
                part.add_measurements(part.enter_study(study), [measured])
        with Notebook(tmp_path / "merged.db") as merged:
            for part in (*parts, parts[0]):  # the same again changes nothing
                take_notebook(merged, part)
            sections = [planted.carry_out(Laboratory(notebook), SIZE) for notebook in (whole, merged)]
            assert sum(stored.games for stored in merged.contests()) == 16
        for part in parts:
            part.connection.close()
    assert [section.tables for section in sections[0]] == [section.tables for section in sections[1]]
    assert [section.missing for section in sections[1]] == [0, 0]


def test_the_command_exports_goes_on_and_reports_from_files(tmp_path, planted, capsys):
    pytest.importorskip("matplotlib")
    first, second, data = tmp_path / "a.db", tmp_path / "b.db", tmp_path / "data"
    assert run_here(capsys, "lab", "run", "planted-one", "--db", first, "--jobs", 1, "--size", "games=4").code == 0
    written = run_here(capsys, "lab", "export", "--db", first, "--out", data)
    assert (written.code, f"planted-one{SUFFIX}" in written.out) == (0, True)
    ran = run_here(capsys, "lab", "run", "planted-one", "--db", second, "--jobs", 1, "--from", data)
    assert (ran.code, "games a pairing: 8 instead of 100" in ran.out) == (0, True)
    with Notebook(second, must_exist=True) as notebook:
        assert [found.size.games for found in notebook.runs()] == [4, 8]
    reported = run_here(capsys, "lab", "report", "--db", data, "--db", second, "--out", tmp_path / "out")
    assert reported.code == 0
    assert " (8) |" in (tmp_path / "out/report.md").read_text()
    assert run_here(capsys, "lab", "report", "--db", data, "--out", tmp_path / "out").code == 0
    assert " (4) |" in (tmp_path / "out/report.md").read_text()


@pytest.mark.parametrize(
    "content", [b"no archive", lzma.compress(b"no JSON"), lzma.compress(b'{"format": "other"}'), b""]
)
def test_what_is_no_export_is_said(tmp_path, content):
    (tmp_path / f"x{SUFFIX}").write_bytes(content)
    with Notebook(tmp_path / "n.db") as notebook, pytest.raises(AstragalError, match="is not an export"):
        take(notebook, tmp_path / f"x{SUFFIX}")


def test_a_folder_without_exports_and_sizes_that_there_are_not(tmp_path):
    with Notebook(tmp_path / "n.db") as notebook, pytest.raises(AstragalError, match="has no exports"):
        take(notebook, tmp_path)
    assert SIZE.changed("") == SIZE
    other = replace(SIZE, games=300, reach=0.025)
    assert (SIZE.changed(other.change_from(SIZE)), other.change_from(other)) == (other, "")
    assert SIZE.changed("games=2,reach=0.1") == replace(SIZE, games=2, reach=0.1)
    for text, sentence in (
        ("game=2", "there is no size 'game' .*did you mean 'games'"),
        ("games=x", "games is a number, not 'x'"),
        ("games=-1", "games is a number from 0 on"),
        ("games", "is not a setting"),
    ):
        with pytest.raises(SpecError, match=sentence):
            SIZE.changed(text)
