"""Parts of a contest in files of their own: together they are the contest, and nothing else is taken for a part."""

from __future__ import annotations

import json
import shlex
import sqlite3
import subprocess
import sys
from contextlib import closing
from pathlib import Path

import pytest

from astragal import AstragalError, match, tournament
from astragal.arena.store.merging import merge
from astragal.arena.store.results_store import ResultsStore
from astragal.arena.store.shard import Shard
from astragal.arena.store.verification import play_again
from astragal.base.errors import SpecError
from support.arenas import timeless
from support.helpers import TESTS, run_here

GAME, PLAYERS = "pig:goal=10", ["random", "hold:n=5"]
LINE = ["match", GAME, *PLAYERS, "--games", 22, "--jobs", 1, "--seed", 3]
DOCS = TESTS.parent / "docs"
SBATCH = """
count=$(sed -n 's/^#SBATCH .*--array=1-\\([0-9]*\\).*/\\1/p' "$1")
for task in $(seq "$count"); do
  SLURM_ARRAY_TASK_ID=$task SLURM_ARRAY_TASK_COUNT=$count bash "$1" || exit 1
done
"""


def change(file: Path, statement: str) -> None:
    with closing(sqlite3.connect(file)) as opened:
        opened.execute(statement)
        opened.commit()


@pytest.fixture
def parts(tmp_path, capsys, monkeypatch) -> list[Path]:
    monkeypatch.chdir(tmp_path)
    for number in (1, 2, 3):
        assert run_here(capsys, *LINE, "--shard", f"{number}/3", "--db", f"part{number}.db").code == 0
    return [Path(f"part{number}.db") for number in (1, 2, 3)]


def games_of(file: Path) -> list:
    with ResultsStore(file, must_exist=True) as store:
        return [record for stored in store.contests() for record in store.games(stored.id)]


def test_every_pair_is_in_one_part():
    for count in (1, 2, 7):
        shards = [Shard.parse(f"{number}/{count}") for number in range(1, count + 1)]
        assert all(sum(shard.has(pair) for shard in shards) == 1 for pair in range(20))
        assert [shard.pairs(20) for shard in shards] == [sum(map(shard.has, range(20))) for shard in shards]
        assert str(shards[-1]) == f"{count}/{count}"


@pytest.mark.parametrize("text", ["0/3", "4/3", "1", "1/0", "a/b", "-1/3", "1/3/5", "1/9999999", ""])
def test_what_is_no_part_is_refused(text):
    with pytest.raises(SpecError, match="such as 3/100, not"):
        match(GAME, PLAYERS, games=4, shard=text)


def test_parts_together_are_the_contest(parts, capsys):
    assert [len(games_of(part)) for part in parts] == [8, 8, 6]
    merged = merge(parts, Path("all.db"))
    assert (merged.new, merged.twice, merged.missing) == (22, 0, {})
    assert str(merged).endswith("no games are missing")
    whole = run_here(capsys, *LINE, "--db", "whole.db").out
    assert timeless(games_of(Path("all.db"))) == timeless(games_of(Path("whole.db")))
    again = run_here(capsys, *LINE, "--db", "all.db").out
    assert again.splitlines()[:-1] == [line for line in whole.splitlines()[:-1] if "games are kept" not in line]
    assert again.splitlines()[-1].startswith("0 new games, 22 from all.db")
    assert run_here(capsys, "results", "verify", "--sample", 1, "--db", "all.db").out.endswith(
        "22 games were played again\n"
    )


def test_games_played_twice_count_once_and_what_is_missing_is_said(parts, capsys):
    assert run_here(capsys, "results", "merge", parts[0], parts[2], parts[0], "--db", "all.db").out == (
        "14 new games are in all.db; 8 were there or in two parts, and count once\n"
        "contest 1 lacks games of 4 pairs: 2, 5, 8, 11\n"
        "these are of part 2/3\n"
    )
    change(parts[1], "UPDATE games SET steps = '[1]' WHERE match = 1 AND game = 0")
    first = merge([parts[1]], Path("all.db"))
    assert (first.new, first.twice, first.different, first.missing) == (8, 0, 0, {})
    change(parts[1], "UPDATE games SET steps = '[2]' WHERE match = 1 AND game = 0")
    second = merge([parts[1]], Path("all.db"))
    assert (second.new, second.twice, second.different) == (0, 8, 1)
    with ResultsStore("all.db") as store:
        assert len(store.sessions(1)) == 3


@pytest.mark.parametrize(
    ("change", "sentence"),
    [
        (["--seed", 4], "they differ in seed"),
        (["--nodes", 4], "they differ in limits"),
    ],
)
def test_parts_of_another_contest_are_refused(parts, change, sentence, capsys):
    run_here(capsys, *LINE, *change, "--shard", "1/3", "--db", "other.db")
    ran = run_here(capsys, "results", "merge", *parts, "other.db", "--db", "all.db")
    assert ran.code == 2
    assert "other.db is a part of another contest than part1.db: it has pig" in ran.err
    assert ran.err.endswith(f"{sentence}\n")
    assert not Path("all.db").exists()


def test_parts_of_another_program_are_refused(parts, capsys):
    change(parts[1], "UPDATE sessions SET version = '0.0.9', commit_hash = NULL")
    with pytest.raises(AstragalError, match=r"part1.db was played by astragal .*, part2.db by astragal 0\.0\.9; parts"):
        merge(parts, Path("all.db"))
    with pytest.raises(SpecError, match="is named both as a part"):
        merge(parts, parts[0])


def test_the_part_whose_games_do_not_come_out_is_named(parts, capsys):
    change(parts[1], "UPDATE games SET utilities = '[1.0, -1.0]'")
    merge(parts, Path("all.db"))
    with ResultsStore("all.db", must_exist=True) as store:
        found = play_again(store, store.contests(), 1.0)
    assert found.games == 22
    assert [who[:8] for who in found.wrong] == ["part 2/3"]
    ran = run_here(capsys, "results", "verify", "--sample", 0.01, "--db", parts[0])
    assert ran.out.endswith("1 games were played again\n")


def test_what_is_not_repeatable_is_left_out(tmp_path, capsys):
    match("tic_tac_toe", ["uct:time=0.001", "random"], games=2, db=tmp_path / "r.db")
    ran = run_here(capsys, "results", "verify", "--sample", 1, "--db", tmp_path / "r.db")
    assert "0 games were played again\n1 contest was left out: a limit is on time" in ran.out


def test_parts_of_a_tournament(tmp_path, capsys, monkeypatch):
    monkeypatch.chdir(tmp_path)
    line = ["tournament", GAME, *PLAYERS, "hold:n=7", "--games", 4, "--jobs", 1]
    for number in (1, 2, 3):  # the third has no games
        ran = run_here(capsys, *line, "--shard", f"{number}/3", "--db", f"part{number}.db")
        assert ran.code == 0, ran.err
        assert f"these games are part {number}/3" in ran.out
    merged = merge([Path(f"part{number}.db") for number in (1, 2, 3)], Path("all.db"))
    assert (merged.new, merged.missing) == (12, {})
    again, whole = (json.loads(run_here(capsys, *line, "--json", "--db", db).out) for db in ("all.db", "whole.db"))
    assert (again.pop("new_games"), again.pop("found_games")) == (0, 12)
    names = ("rounds", "ratings", "champion")
    assert {name: again[name] for name in names} == {name: whole[name] for name in names}


def test_what_needs_all_games_has_no_parts():
    with pytest.raises(SpecError, match="a sequential test looks at all games"):
        match(GAME, PLAYERS, sprt=(0, 20), shard="1/3")
    with pytest.raises(SpecError, match="who meets in an elimination"):
        tournament(GAME, PLAYERS, format="elimination", games=4, shard="1/3")


@pytest.mark.slow
@pytest.mark.interpreted
def test_the_batch_script_of_the_documents_runs(tmp_path, monkeypatch):
    """By a stand-in for sbatch, which runs the tasks of the array one after the other."""
    script = (DOCS / "shards.md").read_text().split("```bash\n")[1].split("```")[0]
    assert "--array=1-100 " in script
    (tmp_path / "match.sh").write_text(script.replace("1-100 ", "1-2 ").replace("20000", "8").replace("10000", "20"))
    for name, text in {"astragal": f'exec {shlex.quote(sys.executable)} -m astragal "$@"', "sbatch": SBATCH}.items():
        (tmp_path / name).write_text(f"#!/bin/sh\n{text}\n")
        (tmp_path / name).chmod(0o755)
    monkeypatch.setenv("PATH", str(tmp_path), prepend=":")
    subprocess.run(["sbatch", "match.sh"], cwd=tmp_path, check=True, capture_output=True)
    files = sorted(tmp_path.glob("part*.db"))
    assert [len(games_of(file)) for file in files] == [4, 4]
    merged = merge(files, tmp_path / "all.db")
    assert (merged.new, merged.missing) == (8, {})
