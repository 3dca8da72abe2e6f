"""Files that an earlier version of the program wrote: each opens and gives what it gave then (tests/data/kept)."""

from __future__ import annotations

import csv
import json
import re
import shutil
from pathlib import Path

import numpy as np
import pytest

from astragal import Position, load_game, load_player, start
from astragal.adapters.engine import EngineServer
from astragal.arena.contest import Contest
from astragal.arena.referee import replayed
from astragal.arena.store.game_file import parse_game, read_game
from astragal.arena.store.results_store import ResultsStore
from astragal.games import name_game
from astragal.lab.exports import SUFFIX, games_of, read_export
from astragal.learn.beginning import LearnSettings
from astragal.learn.training import Training
from astragal.solvers import solution
from astragal.solvers.exact import exact_values
from support.helpers import DATA, TESTS, run_here, solutions_in

OWN = "race.py:Race"
SOLVED = {
    OWN: ("Race-1df31756c11631ee.npz", 0.175925926),
    "pig:goal=10,dice=1": ("pig-goal10-dice1-22f8108c558f232c.npz", 41.88486452),
}
PLAYED = {1: (4, 0.25), 2: (4, 0.5), 3: (6, 0.0)}  # contest -> games, and the first player's share of the wins


@pytest.fixture(autouse=True)
def kept(tmp_path, monkeypatch) -> Path:
    """A copy of the files to work in: a user's games are named by their place from here."""
    folder = tmp_path / "kept"
    shutil.copytree(DATA / "kept", folder)
    monkeypatch.chdir(folder)
    return folder


# Results


def test_a_results_file_is_listed(capsys):
    listed = json.loads(run_here(capsys, "results", "--json").out)
    assert {each["number"]: (each["games"], each["players"][0]["rate"]) for each in listed} == PLAYED
    assert run_here(capsys, "results").out.count(" games ") == len(PLAYED)


@pytest.mark.parametrize("number", PLAYED)
def test_its_games_are_replayed(number, capsys):
    games = PLAYED[number][0]
    done = run_here(capsys, "results", "verify", number, "--game", OWN)
    assert (done.code, done.out) == (0, f"{games} games follow the rules and the dice\n")
    assert "result: " in run_here(capsys, "replay", number, "1", "1", "--game", OWN).out


@pytest.mark.parametrize("number", PLAYED)
def test_its_games_are_exported(number, capsys, kept):
    done = run_here(capsys, "results", number, "--export", "games.csv")
    assert done.code == 0, done.err
    with (kept / "games.csv").open() as file:
        rows = list(csv.DictReader(file))
    seats = 3 if number == 3 else 2
    assert len(rows) == PLAYED[number][0] * seats


def test_contests_of_it_go_on():
    """The same contest in current words has the same key, unless one of its searches has another version."""
    with ResultsStore("results.db") as store:
        for stored in store.contests():
            then = stored.contest
            now = Contest.of(then.game, then.kinds, then.limits, then.seed)
            assert now.key == then.key or now.is_other_version_of(then)
            for record in store.games(stored.id):
                replayed(now, record)


# The laboratory's exports


@pytest.mark.parametrize("path", sorted((TESTS.parent / "docs" / "results" / "data").glob(f"*{SUFFIX}"))[:1])
def test_contests_of_the_laboratory_keep_their_keys(path):
    lines = [line for line in read_export(path) if "contest" in line]
    for line in lines[:3]:
        contest, records = games_of(line)
        again = Contest.of(
            contest.game, contest.kinds, contest.limits, contest.seed, contest.matched, contest.finish, contest.expanded
        )
        assert again.key == contest.key or again.is_other_version_of(contest)
        replayed(again, records[0])
    assert lines


# Saved games


@pytest.mark.parametrize(("name", "plies"), [("game.json", 4), ("own_game.json", 9)])
def test_a_saved_game_is_read(name, plies, kept):
    name_game(OWN)
    saved = read_game(Path(name))
    positions = saved.positions()
    told = json.loads((kept / name).read_text())
    assert len(positions) == plies + 1
    assert list(positions[-1].utilities()) == told["result"]
    assert list(saved.thoughts) == [row.get("thought") for row in told["steps"]]
    assert [position.step_name(step) for position, step in zip(positions, saved.steps, strict=False)] == [
        row["name"] for row in told["steps"]
    ]
    assert parse_game(saved.text()) == saved


def test_a_saved_game_of_ones_own_is_reviewed(capsys):
    with solutions_in(Path("solutions")):
        done = run_here(capsys, "review", "own_game.json", "--player", "exp:depth=1", "--json", "--game", OWN)
    assert done.code == 0, done.err
    assert json.loads(done.out)


# Solutions, models, checkpoints


@pytest.mark.parametrize("game", SOLVED)
def test_a_solution_is_found(game, kept):
    """Under its own name, or taken over from another fingerprint of the same rules."""
    name, value = SOLVED[game]
    (kept / "solutions").mkdir()
    shutil.copy(kept / name, kept / "solutions" / name)
    position = start(game)
    with solutions_in(kept):
        found = solution.find_kept(position)
        assert found is not None
        assert found.value(position) == pytest.approx(value, abs=1e-8)
        assert exact_values(position).value(position) == found.value(position)
        played = load_player("optimal", position.game).search(position.settled(0))
        assert played.bound == "exact"


def test_a_model_is_played_by():
    game = load_game(OWN)
    found = load_player("star2:depth=2,evaluation=model.npz", game).search(Position.start(game))
    assert found.value == pytest.approx(0.10300507721333813, abs=1e-6)


def test_a_checkpoint_is_gone_on_from():
    settings = LearnSettings(hidden=8, games=50, rounds=2, matches=20, seed=1)
    training = Training(load_game(OWN), settings)
    training.resume(Path("model.checkpoint.npz"))
    assert (training.round, training.games, training.is_over) == (2, 100, True)
    assert [each.games for each in training.history] == [50, 100]
    with np.load("model.npz") as model:
        assert np.array_equal(training.found.weights.astype(np.float16), model["weights"])


# The engine


def comparable(text: str) -> str:
    """A transcript without times; and without what searches found, if they are of another version by now."""
    text = re.sub(r"(time) [\d.]+", r"\1 T", text)
    same = load_player("star2").versions() == {"star": 1}
    return text if same else re.sub(r"^(info|best) .*\n", "", text, flags=re.MULTILINE)


def test_an_engine_answers_as_it_did(kept):
    written = (kept / "engine.txt").read_text()
    said: list[str] = []
    server = EngineServer("star2", "0.1.0", said.append)
    for line in (line[2:] for line in written.splitlines() if line.startswith("> ")):
        said.append(f"> {line}")
        server.answer(line)
        server.wait()
    assert comparable("\n".join(said) + "\n") == comparable(written)
