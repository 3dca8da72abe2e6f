"""Versions of searches: another version is another contest, and what was kept before is never mixed with it."""

from __future__ import annotations

import json
import warnings
from dataclasses import replace

import pytest

from astragal import Limits
from astragal.arena.contest import Contest, Finish
from astragal.arena.referee import replayed
from astragal.arena.store.overview import contest_row
from astragal.arena.store.results_store import ResultsStore
from astragal.lab.laboratory import Laboratory
from astragal.lab.notebook import Notebook
from astragal.lab.study import Measurement, Study
from astragal.players import load_player, player_classes
from support.arenas import kept, play, timeless
from support.helpers import run_here

FAMILIES = ("depth_first", "star", "alphabeta", "multiplayer", "tree", "monte_carlo", "prove")
PLAYERS = {
    "star2:depth=1": {"star"},
    "star2:table=values": {"star", "depth_first"},
    "star": {"star", "depth_first"},
    "mm": {"alphabeta"},
    "paranoid": {"multiplayer"},
    "greedy": {"multiplayer"},
    "uct": {"tree"},
    "mcs": {"monte_carlo"},
    "hybrid": {"alphabeta", "depth_first", "tree"},
    "random": set(),
    "optimal": {"prove"},
}


def raise_version(monkeypatch: pytest.MonkeyPatch, family: str, version: int = 2) -> None:
    module = "table" if family == "depth_first" else "search"
    monkeypatch.setattr(f"astragal.algorithms.{family}.{module}.VERSION", version)


@pytest.fixture(autouse=True)
def first_versions(monkeypatch):
    """Every family is of its first version, whatever it is."""
    for family in FAMILIES:
        raise_version(monkeypatch, family, 1)


@pytest.mark.parametrize("player", PLAYERS)
@pytest.mark.parametrize("family", FAMILIES)
def test_a_version_is_part_of_the_key_where_a_player_plays_by_it(player, family, monkeypatch):
    as_player = Contest.of("tic_tac_toe", [player, "random"])
    as_finisher = Contest.of("tic_tac_toe", ["random", "random"], finish=Finish(("random", player), 3))
    study = Study.of("tic_tac_toe", player)
    raise_version(monkeypatch, family, 9)
    expected = family in PLAYERS[player]
    assert (Contest.of("tic_tac_toe", [player, "random"]).key != as_player.key) == expected
    again = Contest.of("tic_tac_toe", ["random", "random"], finish=Finish(("random", player), 3))
    assert (again.key != as_finisher.key) == expected
    assert again.is_other_version_of(as_finisher) == expected
    assert (Study.of("tic_tac_toe", player).key != study.key) == expected


def test_every_player_that_searches_has_versions():
    for name, cls in player_classes().items():
        assert bool(load_player(name).versions()) == (cls.compiles or name in ("greedy", "optimal", "softmax")), name


def test_contests_of_version_1_keep_the_keys_that_they_had_before_there_were_versions():
    """Keys of the last program without versions."""
    assert Contest.of("pig:goal=15", ["greedy", "uct"], Limits(nodes=40), 2).key == "bdffca49c5be97ec"
    assert Study.of("pig:goal=15", "star2:depth=1").key == "e17fd4867ab804a6"


def test_versions_come_back_as_they_were(monkeypatch):
    raise_version(monkeypatch, "tree", 3)
    contest = Contest.of("tic_tac_toe", ["hybrid", "greedy"])
    assert contest.versions == (("tree", 3),)
    assert json.loads(contest.to_json())["versions"] == {"tree": 3}
    assert Contest.from_json(contest.to_json()) == contest
    study = Study.of("tic_tac_toe", "uct")
    assert Study.from_json(study.to_json()) == study


def searches(seed: int = 2) -> Contest:
    return Contest.of("tic_tac_toe", ["uct", "greedy"], Limits(nodes=5), seed)


def test_a_raised_version_begins_anew_and_says_why(tmp_path, monkeypatch, capsys):
    file = tmp_path / "results.db"
    before = play(searches(), 2, file)
    raise_version(monkeypatch, "tree")
    with pytest.warns(UserWarning, match="has 2 games of this contest by tree version 1, as contest 1; tree version 2"):
        play(searches(), 4, file)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        play(searches(), 6, file)  # what was begun goes on without a word
        play(searches(seed=3), 2, file)
    with ResultsStore(file, must_exist=True) as store:
        assert [stored.games for stored in store.contests()] == [2, 6, 2]
        assert timeless(kept(store, 1)) == timeless(before)
        limits = [contest_row(store, stored)["limits"] for stored in store.contests()]
        assert limits == ["nodes=5", "nodes=5; tree version 2", "nodes=5; tree version 2"]
        for record in kept(store, 1):
            replayed(store.contests()[0].contest, record)
    listed = run_here(capsys, "results", "--db", file).out
    assert listed.count("tree version 2") == 2


def test_the_latest_other_version_is_named(tmp_path, monkeypatch):
    file = tmp_path / "results.db"
    for version in (1, 3, 2):
        raise_version(monkeypatch, "tree", version)
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            play(searches(), 2, file)
    raise_version(monkeypatch, "tree", 4)
    with pytest.warns(UserWarning, match="by tree version 3, as contest 2; tree version 4"):
        play(searches(), 2, file)


def test_a_laboratory_reports_what_an_earlier_version_played(tmp_path, monkeypatch):
    """A report is of what was found when it was run; only new games need the current version."""
    file = tmp_path / "notebook.db"
    contest, study = searches(), Study.of("tic_tac_toe", "uct")
    played = play(contest, 2, file)
    measured = Measurement("a position", 0, 0.5, 3, 5, 1, 0.0)
    with Notebook(file) as notebook:
        notebook.add_measurements(notebook.enter_study(study), [measured])
    raise_version(monkeypatch, "tree")
    now = searches()
    with Notebook(file, must_exist=True) as notebook:
        lab = Laboratory(notebook)
        assert lab.games(now, 2) == played
        assert lab.measure(Study.of("tic_tac_toe", "uct"), ["a position"], 1) == {"a position": [measured]}
        assert lab.missing == 0
        assert notebook.kept_contest(now) == (1, contest)
        assert notebook.kept_study(Study.of("tic_tac_toe", "uct")) == (1, study)
        assert notebook.kept_contest(replace(now, seed=9)) is None
        assert notebook.kept_study(replace(study, seed=9)) is None
