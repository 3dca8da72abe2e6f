"""Matches, tournaments and tuning as Python functions: games as objects, tidy rows, Ctrl-C, and files to go on with."""

from __future__ import annotations

import ast
import copy
import dataclasses
import inspect
import json
import os
import pickle
import re
import signal
import sys
from dataclasses import replace
from types import SimpleNamespace
from typing import Any

import pytest

import astragal
from astragal import AstragalError, Limits, Playing, load_game, load_player, match, tournament, tune
from astragal.arena.contest import Contest, game_source
from astragal.arena.match_result import movers_of, seat_rows
from astragal.arena.playing import Words
from astragal.arena.store.results_store import ResultsStore
from astragal.arena.summary import Standing
from astragal.arena.tables import standing_text
from astragal.base.errors import SpecError, Stopped
from support.arenas import COIN, coin_file, timeless, without_tally
from support.helpers import PACKAGE, run_here

GAME, GOOD, WEAK = "pig:goal=20", "hold:n=10", "hold:n=2"
COLUMNS = ["pair", "game", "seat", "player", "utility", "score", "plies", "decisions", "nodes", "seconds", "depth"]


def game_of_a_notebook(chance: int = 60) -> Any:
    namespace: dict[str, Any] = {"__name__": "__main__"}
    exec(COIN.format(misdeed="pass"), namespace)
    return namespace["Coin"](chance=chance)


def interrupt(standing: Standing) -> None:
    """Ctrl-C, as soon as there is a game."""
    if standing.games:
        os.kill(os.getpid(), signal.SIGINT)


# Matches


def test_a_match_has_rates_with_intervals_and_prints_as_the_command_does(tmp_path, capsys):
    result = match(GAME, [GOOD, WEAK], games=40, seed=3)
    first, second = result.players
    assert (first.name, second.name, result.games, result.complete) == (GOOD, WEAK, 40, True)
    assert 0.0 <= first.low < first.rate < first.high <= 1.0
    assert first.rate + second.rate == pytest.approx(1.0)
    assert result.elo.low < result.elo.elo < result.elo.high
    command = ["match", GAME, GOOD, WEAK, "--games", 40, "--seed", 3, "--jobs", 1, "--db", tmp_path / "r.db"]
    assert without_tally(run_here(capsys, *command).out) == str(result).splitlines()
    assert str(result) == result.table() == standing_text(result.standing)


def test_new_games_are_counted_and_those_of_the_file(tmp_path):
    file = tmp_path / "r.db"
    forgotten = match(GAME, [GOOD, WEAK], games=4)
    assert str(forgotten.tally) == "4 new games, not kept"
    said: list[str] = []
    tallies = [
        match(GAME, [GOOD, WEAK], games=games, db=file, before=lambda: said.append("before")).tally
        for games in (4, 4, 10)
    ]
    assert [(tally.new, tally.found) for tally in tallies] == [(4, 0), (0, 4), (6, 4)]
    assert said == ["before"] * 2  # where nothing was missing, nothing began
    assert str(tallies[1]) == f"0 new games, 4 from {file}"
    players = [GOOD, WEAK, "random"]
    again = [tournament(GAME, players, games=4, db=file, before=lambda: said.append("once")).tally for _ in range(2)]
    assert [(tally.new, tally.found) for tally in again] == [(12, 0), (0, 12)]
    assert said[2:] == ["once"]
    assert tune(GAME, GOOD, ["n=3|4"], games=4).tally.new == 8


def test_the_command_says_where_games_are_kept_and_keeps_none_if_asked(tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    command = ["match", GAME, GOOD, WEAK, "--games", 4, "--jobs", 1]
    *_, last = run_here(capsys, *command, "--db", "none").out.splitlines()
    assert last == "4 new games, not kept"
    assert list(tmp_path.iterdir()) == []
    first, *_, last = run_here(capsys, *command).out.splitlines()
    assert first == "games are kept in results.db (--db none keeps nothing)"
    assert last.startswith("4 new games, 0 from results.db")
    assert run_here(capsys, *command).out.splitlines()[-1].startswith("0 new games, 4 from results.db")
    facts = json.loads(run_here(capsys, *command, "--json").out)
    assert (facts["file"], facts["new_games"], facts["found_games"]) == ("results.db", 0, 4)


def test_rows_have_one_for_each_game_and_seat():
    result = match(GAME, [GOOD, "random"], games=10)
    rows = result.rows()
    assert [(row["pair"], row["game"], row["seat"]) for row in rows] == [
        (pair, game, seat) for pair in range(1, 6) for game in (1, 2) for seat in (1, 2)
    ]
    assert all(list(row) == list(rows[0]) for row in rows)
    assert list(rows[0])[: len(COLUMNS)] == COLUMNS
    for record, (one, other) in zip(result.records, zip(rows[::2], rows[1::2], strict=True), strict=True):
        assert {one["player"], other["player"]} == {GOOD, "random"}
        assert (one["utility"], other["utility"]) == record.utilities
        assert one["score"] + other["score"] == 1.0
        assert one["plies"] == other["plies"] == len(record.steps)
        assert one["decisions"] + other["decisions"] == len(record.searches)
        assert one["nodes"] + other["nodes"] == sum(stats.nodes for stats in record.searches)
        assert one["seconds"] + other["seconds"] == pytest.approx(sum(stats.seconds for stats in record.searches))
    scores = [row["score"] for row in rows if row["player"] == GOOD]
    assert sum(scores) / len(scores) == result.players[0].rate


def test_who_decided_is_found_by_replaying_games_of_older_files():
    result = match(GAME, [GOOD, "random"], games=4)
    for record in result.records:
        older = replace(record, searches=tuple(stats._replace(seat=None) for stats in record.searches))
        assert movers_of(result.contest, older) == movers_of(result.contest, record) != []
    assert list(seat_rows(result.contest, result.records)) == result.rows()


def test_games_and_players_are_objects_or_texts():
    by_text = match(GAME, [GOOD, "random"], games=6)
    by_object = match(load_game(GAME), [load_player(GOOD), "random"], games=6)
    assert timeless(by_object.records) == timeless(by_text.records)
    assert by_object.contest == by_text.contest
    assert by_object.contest.key == by_text.contest.key


def test_a_game_that_no_text_gives_is_played_too_and_another_chance_is_another_contest(tmp_path):
    file = tmp_path / "r.db"
    game = game_of_a_notebook()
    result = match(game, ["random", "random:"], games=4, db=file)
    assert match(game, ["random", "random"], games=4, db=file).records == result.records  # kept, not played again
    assert result.contest.source == game_source(game) != ""
    other = match(game_of_a_notebook(70), ["random", "random"], games=4, db=file)
    assert other.contest.key != result.contest.key
    with ResultsStore(file, must_exist=True) as store:
        kept = store.contests()
    assert [stored.games for stored in kept] == [4, 4]
    with pytest.raises(AstragalError, match="the game Coin:chance=60 was played as an object of a Python program"):
        _ = kept[0].contest.rules


def test_an_object_is_played_by_other_processes(tmp_path):
    pytest.importorskip("cloudpickle")
    game = game_of_a_notebook()
    alone, together = (match(game, ["random", "random"], games=4, jobs=jobs, seed=5) for jobs in (1, 2))
    assert timeless(together.records) == timeless(alone.records)


def test_results_are_pickled_and_copied(tmp_path):
    for game in (GAME, load_game(str(coin_file(tmp_path))), "tic_tac_toe.kif"):
        result = match(game, ["random", "random:"], games=2)
        for other in (pickle.loads(pickle.dumps(result)), copy.deepcopy(result)):
            assert other.records == result.records
            assert str(other) == str(result)
            assert other.rows() == result.rows()


def test_a_file_goes_on_where_it_stopped(tmp_path):
    file = tmp_path / "r.db"
    few = match(GAME, [GOOD, WEAK], games=4, db=file)
    many = match(GAME, [GOOD, WEAK], games=10, db=str(file))
    assert many.records[:4] == few.records  # with their times: they were not played again
    assert timeless(many.records) == timeless(match(GAME, [GOOD, WEAK], games=10).records)
    assert (many.file, few.file) == (file, file)


def test_ctrl_c_keeps_what_was_played():
    stopped = match(GAME, [GOOD, WEAK], games=100_000, progress=interrupt)
    assert not stopped.complete
    assert 0 < stopped.games == len(stopped.records) < 100_000
    played = len(stopped.records)
    assert timeless(stopped.records) == timeless(match(GAME, [GOOD, WEAK], games=played).records[:played])
    assert stopped.as_dict()["complete"] is False


def test_a_sequential_test_stops_a_match():
    result = match(GAME, [GOOD, WEAK], sprt=(0, 50))
    assert result.decision == result.as_dict()["sprt"]["decision"] is not None
    assert result.games == len(result.records) == 2 * result.watch.pairs


def test_progress_hears_how_it_stands():
    heard: list[int] = []
    match(GAME, [GOOD, WEAK], games=20, progress=lambda standing: heard.append(standing.games))
    assert heard == sorted(heard)
    assert (heard[0], heard[-1]) == (0, 20)


@pytest.mark.few(1)
@pytest.mark.parametrize(
    ("game", "players", "different"),
    [
        ("tic_tac_toe", ["mm:depth=1", "alphabeta:depth=2"], 2),  # a game for each seating
        ("kalah:pits=3,stones=2", ["mm:depth=1", "mm:depth=2"], 2),
        ("kalah:pits=3,stones=2,setup=random", ["mm:depth=1", "mm:depth=2"], None),
        ("tic_tac_toe", ["random", "mm:depth=1"], None),
        ("pig:goal=2,dice=1", ["hold:n=1", "hold:n=2"], None),  # games may go alike by chance
    ],
)
def test_games_that_are_played_again_and_again_are_told(game, players, different):
    """An interval takes them for new ones."""
    played, met = match(game, players, games=12), tournament(game, players, games=12).meetings[0]
    assert played.standing.different <= played.games == 12
    assert met.different == different
    assert ("again and again" in str(played)) == (different is not None)
    if different is not None:
        assert played.as_dict()["different"] == different


def test_players_are_called_without_the_settings_they_have_anyway():
    contest = Contest.of("pig", ["uct", "mcts:c=7,sims=100"])
    assert contest.kinds[0] == "uct:policy=uniform,epsilon=0.1"
    names = [line.split()[0] for line in standing_text(Standing(contest)).splitlines()[1:]]
    assert names == ["uct", "mcts:sims=100,c=7"]
    assert [load_player(name, contest.rules) for name in names] == [load_player(kind) for kind in contest.kinds]


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        ((GAME, "random"), "pig:goal=20 has 2 seats: name 2 players, not 1"),
        ((GAME, ["random", 7]), "a player is given by its text, such as 'uct', or as a player, not as 7"),
        ((7, ["random", "random"]), "a game is given by its text, such as 'pig', or as a game, not as 7"),
        ((type(load_game("pig")), ["random", "random"]), r"Pig is the class of a game; make a game of it, Pig\(\)"),
        ((GAME, ["random", "random"], 0), "at least one game must be played, not 0"),
    ],
)
def test_what_does_not_fit_is_said_in_a_sentence(arguments, sentence):
    with pytest.raises(SpecError, match=sentence):
        match(*arguments)


def test_jobs_that_are_none_and_tests_of_three_are_refused():
    with pytest.raises(SpecError, match="jobs must be at least 1, not 0"):
        match(GAME, [GOOD, WEAK], jobs=0)
    with pytest.raises(SpecError, match="a sequential test compares exactly two players"):
        match("focus:players=3", ["random", "random:", "greedy"], sprt=(0, 5))


def test_a_script_that_is_imported_by_its_own_workers_is_told_what_to_do(monkeypatch):
    monkeypatch.setattr("multiprocessing.current_process", lambda: SimpleNamespace(_inheriting=True))
    with pytest.raises(AstragalError, match="must do so under if __name__ == '__main__'"):
        match(GAME, [GOOD, WEAK], jobs=2)


# Limits and ways to play, as records or word by word


def test_records_and_short_words_are_the_same_match():
    words = match(GAME, [GOOD, "star2"], games=4, nodes=50, depth=2, seed=3)
    records = match(GAME, [GOOD, "star2"], limits=Limits(nodes=50, depth=2), play=Playing(games=4, seed=3))
    assert records.contest == words.contest
    assert timeless(records.records) == timeless(words.records)
    both = [tournament(GAME, [GOOD, WEAK], games=4, seed=2), tournament(GAME, [GOOD, WEAK], play=Playing(4, 2))]
    assert both[0] == both[1]


def test_the_short_words_are_the_fields_of_the_records():
    fields = {field.name: field.type for record in (Limits, Playing) for field in dataclasses.fields(record)}
    del fields["games"]  # an argument of its own
    assert {name: word.__forward_arg__ for name, word in Words.__annotations__.items()} == fields
    for function in (match, tournament, tune):
        shown = inspect.signature(function).parameters
        assert set(fields) < set(shown)
        assert "words" not in shown


@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        ({"tme": 0.2}, "match takes no 'tme='; did you mean 'time'?"),
        ({"gmes": 2}, "match takes no 'gmes='; did you mean 'games'?"),
        ({"limits": 0.2}, r"limits is a record, such as limits=Limits\(...\), not 0.2"),
        ({"play": Limits()}, r"play is a record, such as play=Playing\(...\), not Limits"),
        ({"limits": Limits(time=1.0), "depth": 2}, r"depth= belongs into limits=Limits\(...\), where that is given"),
        ({"games": 2, "play": Playing()}, r"games= belongs into play=Playing\(...\), where that is given"),
        ({"time": float("nan")}, "time must be a number"),
    ],
)
def test_words_that_do_not_fit_are_refused_in_a_sentence(words, sentence):
    with pytest.raises(SpecError, match=sentence):
        match(GAME, [GOOD, WEAK], **words)


@pytest.mark.parametrize("command", ["match", "tournament", "tune"])
def test_the_options_of_commands_are_the_fields_of_the_records(command, capsys):
    told = run_here(capsys, command, "--help").out
    for record in (Limits, Playing):
        for field in dataclasses.fields(record):
            assert (re.search(rf"^  --{field.name}\b", told, re.MULTILINE) is not None) == ("help" in field.metadata)


def test_no_function_of_contests_and_commands_has_more_than_ten_parameters():
    for path in [*(PACKAGE / "arena").rglob("*.py"), *(PACKAGE / "cli").rglob("*.py")]:
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.FunctionDef):
                named = [each.arg for each in (*node.args.posonlyargs, *node.args.args, *node.args.kwonlyargs)]
                assert len(set(named) - {"self", "cls"}) <= 10, f"{path.name}: {node.name}"


# Frames


class Library:
    """Stands for pandas or polars."""

    def __init__(self) -> None:
        self.__spec__ = SimpleNamespace(name="library")

    def DataFrame(self, rows: Any, **more: Any) -> tuple[Any, Any]:
        return rows, more


def test_frames_are_of_the_library_that_is_installed_or_named(monkeypatch):
    rows = tournament(GAME, [GOOD, WEAK], games=2)
    monkeypatch.setitem(sys.modules, "pandas", Library())
    monkeypatch.setitem(sys.modules, "polars", Library())
    assert rows.frame() == rows.frame("pandas") == (rows.rows(), {})
    assert rows.frame("polars") == (rows.rows(), {"infer_schema_length": None})
    with pytest.raises(SpecError, match="frames are of pandas or polars, not of 'polar'; did you mean 'polars'"):
        rows.frame("polar")


def test_without_either_a_sentence_says_what_to_install(monkeypatch):
    monkeypatch.setattr("astragal.base.frames.find_spec", lambda name: None)
    monkeypatch.setitem(sys.modules, "polars", None)
    result = tournament(GAME, [GOOD, WEAK], games=2)
    with pytest.raises(AstragalError, match="a frame needs pandas or polars"):
        result.frame()
    with pytest.raises(AstragalError, match="polars is not installed: pip install polars"):
        result.frame("polars")


# Tournaments and tuning


def test_a_tournament_has_two_rows_for_each_meeting(tmp_path, capsys):
    players = [GOOD, WEAK, "random"]
    played = tournament(GAME, players, games=8)
    rows = played.rows()
    assert [(row["player"], row["opponent"]) for row in rows] == [
        (GOOD, WEAK),
        (WEAK, GOOD),
        (GOOD, "random"),
        ("random", GOOD),
        (WEAK, "random"),
        ("random", WEAK),
    ]
    for one, other in zip(rows[::2], rows[1::2], strict=True):
        assert one["points"] + other["points"] == one["games"] == 8
        assert one["rate"] + other["rate"] == pytest.approx(1.0)
        assert (one["low"], one["high"]) == pytest.approx((1 - other["high"], 1 - other["low"]))
    assert [rating.player for rating in played.ratings.players] == players
    command = ["tournament", GAME, *players, "--games", 8, "--jobs", 1, "--db", tmp_path / "r.db"]
    assert f"\n{played}\n" in run_here(capsys, *command).out


def test_a_tournament_that_is_stopped_has_the_meetings_that_are_over():
    met: list[Any] = []

    def stop_the_second(standing: Standing) -> None:
        if met:
            interrupt(standing)

    stopped = tournament(
        GAME, [GOOD, WEAK, "random"], 50, "elimination", progress=stop_the_second, tell=lambda each: met.append(each)
    )
    assert (stopped.complete, stopped.champion, stopped.meetings) == (False, None, met)
    assert str(stopped)
    with pytest.raises(Stopped, match="with db= the same call would go on from here"):
        tournament(GAME, [GOOD, WEAK], 5000, progress=interrupt)


def test_tuning_from_a_program(tmp_path):
    tuned = tune(load_game(GAME), WEAK, ["n=2..14"], games=20, candidates=4, db=tmp_path / "r.db")
    assert tuned.choice.startswith("hold:n=")
    assert str(tuned).endswith(f"tuned: {tuned.choice}")
    assert len(tuned.rows()) == 2 * len(tuned.meetings)
    assert {row["occasion"] for row in tuned.rows()} >= {"round 1"}
    assert tune(GAME, WEAK, "n=2..14", games=20, candidates=4, db=tmp_path / "r.db") == tuned
    with pytest.raises(Stopped, match="with db="):
        tune(GAME, WEAK, ["n=2..14"], games=5000, candidates=4, progress=interrupt)


# Solving


def test_solving_from_a_program():
    solved = astragal.solve("pig:goal=5")
    assert solved.value == solved.values.value(solved.position) == pytest.approx(52.201996477)
    assert (solved.rows(), solved.actions, solved.best) == ([], {}, None)  # chance moves first
    here = solved.position.deal("4")
    after_four = astragal.solve(load_game("pig:goal=5"), here)
    assert after_four.value == pytest.approx(solved.values.value(here), abs=1e-8)
    rows = after_four.rows()
    assert [row["action"] for row in rows] == here.action_names()
    assert max(row["value"] for row in rows) == pytest.approx(after_four.value, abs=1e-8)
    assert min(row["regret"] for row in rows) == 0.0
    assert after_four.best == min(rows, key=lambda row: row["regret"])["action"]
    won = astragal.solve(solved.position.deal("8"))
    assert won.actions == {"hold": 100.0, "roll": None}  # what follows the other one is not solved
    with pytest.raises(SpecError, match="the position is one of pig:goal=5, not of ewn"):
        astragal.solve("ewn", here)
    with pytest.raises(SpecError, match="name a position, or a game and its position"):
        astragal.solve(here, here.text)
