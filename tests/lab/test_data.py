"""The laboratory's data for programs, its checksums, what counts as an earlier version, and jobs that go on from it."""

from __future__ import annotations

import json
import lzma
from dataclasses import replace
from pathlib import Path

import pytest

from astragal import AstragalError, Limits
from astragal.arena.workers import local_workers
from astragal.base.errors import SpecError
from astragal.base.locks import measuring
from astragal.lab import experiment as registry
from astragal.lab import jobs, load
from astragal.lab.claims import Above
from astragal.lab.data import data_folder, rows_of, write_checksums
from astragal.lab.experiment import Experiment, Publication, experiments
from astragal.lab.exports import FIRST, SUFFIX, read_export, take, write_export
from astragal.lab.laboratory import BusyLaboratory, Laboratory
from astragal.lab.notebook import Notebook
from astragal.lab.parts.duels import Duel, Duels
from astragal.lab.report.front import price_of
from astragal.lab.report.remarks import read_remarks
from astragal.lab.report.report import best_runs
from astragal.lab.rows import Row
from astragal.lab.size import Size, Sizes
from support.helpers import run_here

SIZE = Size(games=4)
DUEL = Duel("row", "column", "tic_tac_toe", "mm:depth=1", "random")


@pytest.fixture
def planted(monkeypatch: pytest.MonkeyPatch) -> Experiment:
    """One experiment of one pairing, which is a long run too."""
    part = Duels("Games", lambda size: [DUEL], claims=(Above("wins", "row"),))
    made = Experiment("planted-one", "One", "About it.", Sizes(SIZE, SIZE, replace(SIZE, games=100)), (part,))
    known = {made.name: (Publication("planted", "A work"), made)}
    monkeypatch.setattr(registry, "experiments", lambda: known)
    monkeypatch.setattr("astragal.lab.report.report.experiments", registry.experiments)
    monkeypatch.setattr(jobs, "RUNS", ("planted-one",))
    return made


def exported(made: Experiment, folder: Path) -> Path:
    path = folder / f"{made.name}{SUFFIX}"
    with Notebook(folder / "n.db") as notebook:
        number = notebook.begin_experiment(made.name, "equivalent", SIZE, 0, 1, "typed", made.plan)
        made.carry_out(BusyLaboratory(notebook, workers=lambda: local_workers(1)), SIZE)
        notebook.end_experiment(number, 1.0)
        ((_, _, run),) = best_runs(notebook)
        write_export(notebook, made, run, path)
    return path


def rows(path: Path) -> list[dict[str, object]]:
    return [row for line in read_export(path) for row in rows_of(line, "games")]


def test_games_are_rows_with_their_nodes_and_their_checksum_is_looked_at(tmp_path, planted):
    path = exported(planted, tmp_path)
    write_checksums(tmp_path)
    assert len(load("planted-one", folder=tmp_path)) == 4
    for row in rows(path):
        assert row["players"] == "mm:depth=1 - random"
        assert row["nodes_1"] > 0 == row["nodes_2"]
        assert row["processor_1"] > 0.0
        assert row["decisions"] == len(row["steps"])
    path.write_bytes(path.read_bytes() + b" ")
    with pytest.raises(AstragalError, match="is not the file whose checksum"):
        load("planted-one", folder=tmp_path)
    for wrong, sentence in ((("planted-on",), "did you mean 'planted-one'"), (("x", "game"), "did you mean 'games'")):
        with pytest.raises(SpecError, match=sentence):
            load(*wrong, folder=tmp_path)


def test_the_committed_data_is_what_its_checksums_say():
    """And every reason that is said to be tested names an experiment that there is."""
    folder = data_folder()
    before = (folder / "SHA256SUMS").read_text()
    files = {line.split()[1] for line in before.splitlines()}
    assert files == {path.name for path in folder.glob(f"*{SUFFIX}")}
    assert len(load("ggp-levels")) > 0
    notes = folder.parent / "notes"
    works = {work.name for work, _ in experiments().values()}
    for file in notes.glob("*.md"):
        assert file.stem in experiments() or file.stem in works or file.stem == "report"
        remarks = read_remarks(notes, file.stem)
        assert remarks.words <= 120
        assert {reason.tested_by for reason in remarks.reasons} <= {"", *experiments()}


def test_data_of_before_there_were_versions_is_told_apart_and_never_gone_on_from(tmp_path, planted):
    path = exported(planted, tmp_path)
    lines = lzma.decompress(path.read_bytes()).decode().splitlines()
    head = json.loads(lines[0])
    old = tmp_path / "old" / path.name
    old.parent.mkdir()
    text = "\n".join([json.dumps(head | {"format": FIRST}), *lines[1:]])
    old.write_bytes(lzma.compress(text.encode()))
    with Notebook(tmp_path / "m.db") as notebook:
        take(notebook, old)
        lab = Laboratory(notebook)
        (section,) = planted.carry_out(lab, SIZE)
        (table,) = section.tables
        assert table.earlier == {("row", "column"): "alphabeta version 0"}
        planted.carry_out(BusyLaboratory(notebook, workers=lambda: local_workers(1)), SIZE)
        assert sorted(stored.games for stored in notebook.contests()) == [4, 4]
        (now,) = planted.carry_out(Laboratory(notebook), SIZE)
        assert now.tables[0].earlier == {}


def test_a_job_goes_on_where_the_last_one_stopped(tmp_path, planted, capsys, monkeypatch):
    monkeypatch.setattr("os.nice", lambda by: 0)
    monkeypatch.setenv("ASTRAGAL_LOCK", str(tmp_path / "lock"))
    data, played = tmp_path / "data", Laboratory.games
    data.mkdir()
    exported(replace(planted, parts=(replace(planted.parts[0], margin=0.5),)), data)  # of another plan, at its end

    def stopped(lab, contest, games):
        raise KeyboardInterrupt

    with monkeypatch.context() as patched:
        patched.setattr(Laboratory, "games", stopped)  # after its games were played
        patched.setattr("astragal.lab.exports.Noting.games", lambda lab, contest, games: noted(lab, contest, games))

        def noted(lab, contest, games):
            lab.contests[contest.key] = contest
            return played(lab, contest, games)

        first = run_here(capsys, "lab", "job", "--data", data)
    assert (first.code, "goes on with the next job" in first.out) == (0, True)
    assert len(rows(data / f"planted-one{SUFFIX}")) == 4
    second = run_here(capsys, "lab", "job", "--data", data)
    assert "at its end" in second.out
    (head, *_) = read_export(data / f"planted-one{SUFFIX}")
    assert head["run"]["plan"] == planted.plan
    assert "have come to their end" in run_here(capsys, "lab", "job", "--data", data).out
    monkeypatch.setattr(jobs, "is_done", lambda folder, each: False)
    with measuring():
        refused = run_here(capsys, "lab", "job", "--data", data)
    assert (refused.code, "a benchmark or a job of the laboratory is running" in refused.err) == (2, True)


def test_the_rest_of_a_row_costs_what_it_took_so_far_or_its_seconds():
    played = Row("r", (), "astragal match pig a b --nodes 5", seconds=10.0, done=20, planned=60)
    by_time = Row("r", (), "astragal match pig a b --time 0.1 --games 2", planned=10)
    unknown = Row("r", (), "astragal match pig a b --nodes 5", planned=10)
    assert price_of([played], []) == pytest.approx(20.0)
    assert price_of([by_time], []) == pytest.approx(33.0)
    assert price_of([unknown], []) == 0.0
    assert price_of([unknown, played], []) == pytest.approx(25.0)
    assert price_of([unknown], [played]) == pytest.approx(5.0)


@pytest.mark.parametrize("limits", [Limits(), Limits(time=0.002)], ids=["own limits", "seconds"])
def test_games_of_an_export_come_out_the_same_also_where_a_clock_limited_them(limits, tmp_path, planted, capsys):
    duel = Duel("row", "column", "pig:goal=20", "star1:depth=2", "expss:depth=2", limits)
    part = replace(planted.parts[0], duels=lambda size: [duel])
    path = exported(replace(planted, parts=(part,)), tmp_path)
    ran = run_here(capsys, "lab", "replay", path, "--games", 9)
    assert (ran.code, "4 of 4 games are the same" in ran.out) == (0, True)
    lines = lzma.decompress(path.read_bytes()).decode().splitlines()
    changed = [json.loads(line) for line in lines]
    for line in changed:
        for steps in line.get("steps", []):
            steps[0] = (steps[0] + 1) % 9
    path.write_bytes(lzma.compress("\n".join(map(json.dumps, changed)).encode()))
    ran = run_here(capsys, "lab", "replay", path)
    assert (ran.code, "0 of 2 games are the same" in ran.out) == (1, True)
