"""`astragal match`, `results` and `replay`: what they print, write and refuse."""

from __future__ import annotations

import csv
import json
import re
import shutil
import sqlite3
import sys
from contextlib import closing
from pathlib import Path

import pytest

from astragal.algorithms.limits import Limits
from astragal.arena.contest import Contest, Finish
from astragal.arena.store.results_store import ResultsStore
from astragal.players.simple import Random
from support.arenas import coin_file, play, without_tally
from support.helpers import Ran, run_here

PIG = Contest.of("pig:goal=10", ["random", "hold:n=5"], seed=1)
TIC_TAC_TOE = Contest.of("tic_tac_toe", ["mm:depth=1", "random"], Limits(nodes=30))
THREE = Contest.of("pig:goal=10", ["hold:n=5", "hold:n=7"], seed=2)


@pytest.fixture(scope="module")
def file(tmp_path_factory) -> Path:
    """Three contests: of 20, 12 and 4 games."""
    file = tmp_path_factory.mktemp("results") / "results.db"
    for contest, games in ((PIG, 20), (TIC_TAC_TOE, 12), (THREE, 4)):
        play(contest, games, file)
    return file


@pytest.fixture
def run(capsys, file):
    """Run `results` or `replay` on that file."""

    def run(*arguments: object) -> Ran:
        return run_here(capsys, *arguments, "--db", file)

    return run


def refused(ran: Ran) -> str:
    assert (ran.code, without_tally(ran.out)) == (2, [])
    assert ran.err.startswith("astragal: ")
    assert ran.err.count("\n") == 1
    return ran.err[len("astragal: ") : -1]


# match


def test_match_says_who_is_stronger(tmp_path, capsys):
    file = tmp_path / "r.db"
    command = ["match", "pig:goal=10", "random", "hold:n=5", "--games", 20, "--seed", 1, "--jobs", 1, "--db", file]
    ran = run_here(capsys, *command)
    assert (ran.code, ran.err) == (0, "")
    lines = ran.out.splitlines()
    assert lines.pop(0) == f"games are kept in {file} (--db none keeps nothing)"
    assert lines[0] == "pig:goal=10: 20 games, 10 pairs"
    rate = r"\d+\.\d% \[\d+\.\d%, \d+\.\d%\]"
    assert re.fullmatch(rf"  random    +{rate}", lines[1])
    assert re.fullmatch(rf"  hold:n=5  +{rate}", lines[2])
    number = r"[+-](\d+|inf)"
    elo = rf"  random: Elo {number} \[{number}, {number}\], stronger with probability \d+\.\d%"
    assert re.fullmatch(elo, lines[3])
    assert lines[4].startswith("  over pairs: ")
    assert re.fullmatch(r"  duplicate: boards won \d+ to \d+, \d+% tied", lines[5])
    assert lines[6:] == [f"20 new games, 0 from {file} (astragal results list --db {file})"]
    again = run_here(capsys, *command).out.splitlines()
    assert again == [*lines[:6], f"0 new games, 20 from {file} (astragal results list --db {file})"]


def test_match_as_json(tmp_path, capsys):
    command = ["match", "pig:goal=10", "random", "hold:n=5", "--games", 20, "--seed", 1, "--jobs", 1, "--json"]
    ran = run_here(capsys, *command, "--db", tmp_path / "r.db")
    facts = json.loads(ran.out)
    assert (facts["games"], facts["pairs"], facts["complete"], facts["expected"]) == (20, 10, True, 0.5)
    assert [player["player"] for player in facts["players"]] == ["random", "hold:n=5"]
    assert sum(player["rate"] for player in facts["players"]) == pytest.approx(1.0)
    boards = facts["duplicate"]
    assert boards["taken_by_first"] + boards["taken_by_second"] + boards["set_aside"] == 10
    assert facts["paired"]["rate"] == pytest.approx(facts["players"][0]["rate"])


def test_what_is_infinite_is_null_in_json(tmp_path, capsys):
    def strict(word: str) -> None:
        raise AssertionError(f"{word} is not JSON")

    command = ["match", "tic_tac_toe", "mm:depth=2", "mm:depth=2", "--games", 4, "--jobs", 1, "--json"]
    ran = run_here(capsys, *command, "--db", tmp_path / "r.db")
    facts = json.loads(ran.out, parse_constant=strict)
    assert facts["paired"]["standard_error"] == 0.0
    assert facts["paired"]["pairing_helped"] is None or facts["paired"]["pairing_helped"] == 1.0
    assert "inf times" not in run_here(capsys, *command[:-1], "--db", tmp_path / "r.db").out


SHORT_GAME = "cant_stop:players=3,sides=3,shortest=1,goal=2"


def test_more_than_two_players_are_told_their_fair_share(tmp_path, capsys):
    ran = run_here(capsys, "match", SHORT_GAME, *["random"] * 3, "--games", 6, "--jobs", 1, "--db", tmp_path / "r.db")
    assert without_tally(ran.out)[0] == f"{SHORT_GAME}: 6 games, 1 set of 6 games"
    assert "  equal players would have 33.3% each" in ran.out
    assert "Elo" not in ran.out


@pytest.mark.slow
@pytest.mark.interpreted
def test_the_live_line(tmp_path, capsys, monkeypatch):
    monkeypatch.setattr(sys.stderr, "isatty", lambda: True, raising=False)
    monkeypatch.setattr("astragal.arena.tables.LINE_SECONDS", 0.0)
    monkeypatch.setenv("COLUMNS", "120")
    command = ["match", "pig:goal=10", "random", "hold", "--jobs", 1, "--db", tmp_path / "r.db", "--games"]
    lines = run_here(capsys, *command, 600).err.split("\r\x1b[K")[1:]
    assert lines[0] == "░" * 20 + " 0/600 games"
    some = next(line for line in lines if line != lines[0])
    assert re.fullmatch(r"█*░+ \d+/600 games  \d+\.\d% \[.*%, .*%\]  Elo [+-](\d+|inf)  \d+ (s|min) left", some)
    assert lines[-1] == ""  # it is wiped out at the end
    assert "█" * 15 + "░" * 5 + " 600/800 games" in run_here(capsys, *command, 800).err


def test_faults_are_reported(tmp_path, capsys, monkeypatch):
    plays = Random.answer

    def fails_now_and_then(player, request):
        if request.position.turn == 1 and request.seed % 2:
            raise RuntimeError("edge")
        return plays(player, request)

    monkeypatch.setattr(Random, "answer", fails_now_and_then)
    command = ["match", coin_file(tmp_path), "random", "random", "--games", 40, "--jobs", 1]
    ran = run_here(capsys, *command, "--db", tmp_path / "r.db")
    assert ran.code == 0
    counts = [int(count) for count in re.findall(r"(\d+) times: failed: RuntimeError: edge", ran.out)]
    assert len(counts) == 2
    assert 5 < sum(counts) < 35
    assert [int(count) for count in re.findall(r"(\d+) lost by forfeit", ran.out)] == counts
    strict = run_here(capsys, *command, "--strict", "--db", tmp_path / "strict.db")
    sentence = r"random in seat 2 of game \d+\.\d failed: RuntimeError: edge"
    assert re.fullmatch(sentence, refused(strict))
    assert (
        "40 games follow the rules and the dice"
        in run_here(capsys, "results", "verify", 1, "--db", tmp_path / "r.db").out
    )
    fault = run_here(capsys, "results", "export", tmp_path / "g.csv", 1, "--db", tmp_path / "r.db")
    assert fault.code == 0
    with (tmp_path / "g.csv").open() as rows:
        assert sum(row["fault"] == "failed: RuntimeError: edge" for row in csv.DictReader(rows)) == sum(counts)


def test_an_error_of_the_game_itself_ends_the_match_and_is_nobodys_fault(tmp_path, capsys):
    game = coin_file(tmp_path, misdeed="if state.plies == 1 and state.named[0] == 1: raise RuntimeError('edge')")
    ran = run_here(capsys, "match", game, "random", "random", "--games", 40, "--jobs", 1, "--db", tmp_path / "r.db")
    assert re.fullmatch(r"RuntimeError: edge at 'named=1,0 .*' \(coin\.py line \d+, in actions\)", refused(ran))
    kept = run_here(capsys, "results", "show", 1, "--db", tmp_path / "r.db").out
    assert "forfeit" not in kept


@pytest.mark.slow
@pytest.mark.interpreted
def test_node_matched_and_finished_matches(tmp_path, capsys):
    options = ["--node-matched", 1, "--finish", "random;mm:depth=1@ply=4", "--games", 4, "--jobs", 1]
    file = tmp_path / "r.db"
    ran = run_here(capsys, "match", "tic_tac_toe", "uct", "mm:depth=1", *options, "--db", file)
    assert (ran.code, ran.err) == (0, "")
    with ResultsStore(file) as store:
        assert store.contests()[0].contest == Contest.of(
            "tic_tac_toe", ["uct", "mm:depth=1"], matched=0, finish=Finish(("random", "mm:depth=1"), ply=4)
        )
        records = list(store.games(1))
    assert {record.finished_from for record in records} == {4}
    assert all(sum(stats.budget is not None for stats in record.searches) == 2 for record in records)
    shown = run_here(capsys, "results", "show", 1, "--db", file).out
    assert re.search(r"limits: player 1 node-matched; tree version \d+; seed 0", shown)
    assert "finished by random and mm:depth=1 from ply 4 on" in shown


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        (["pig", "random"], "pig has 2 seats: name 2 players, not 1"),
        (["pig", "random", "hold", "--sprt", "20"], "--sprt takes two Elo differences, such as 0:20, not '20'"),
        (["pig", "random", "hold", "--sprt", "20:0"], "elo0 must be below elo1: 20 and 0"),
        (["focus:players=3", *["random"] * 3, "--sprt", "0:9"], "a sequential test compares exactly two players"),
        (["pig", "random", "hold", "--finish", "hold;hold"], "--finish takes players and when"),
        (["pig", "random", "hold", "--finish", "hold;hold@ply=x"], "--finish takes players and when"),
        (["pig", "random", "hold", "--finish", "hold@ply=4"], "2 players need as many to finish for them, not 1"),
        (["pig", "random", "hold", "--games", "0"], "'--games'"),
        (["pig", "random", "hold", "--jobs", "0"], "'--jobs'"),
        (["pig", "random", "hold", "--node-matched", "3"], "'--node-matched'"),
        (["pig", "random", "hold", "--nodes", "0"], "nodes must be more than 0"),
        (["pig", "uct", "star1", "--sims", "9", "--jobs", "1"], "star1 has no simulations to limit"),
    ],
)
def test_what_match_refuses(arguments, sentence, tmp_path, capsys):
    assert sentence in refused(run_here(capsys, "match", *arguments, "--db", tmp_path / "r.db"))


def test_a_match_into_a_file_of_another_kind(tmp_path, capsys):
    (tmp_path / "r.db").write_text("notes " * 100)
    ran = run_here(capsys, "match", "pig", "random", "hold", "--db", tmp_path / "r.db")
    assert refused(ran).endswith("r.db cannot be used as a results file: file is not a database")


# results


def test_results_lists_contests(run):
    ran = run("results")
    assert (ran.code, ran.err) == (0, "")
    lines = ran.out.splitlines()
    assert lines[0] == "   1  pig:goal=10   random - hold:n=5   limits own, seed 1"
    assert re.fullmatch(r"      20 games   \d+\.\d% \[\d+\.\d%, \d+\.\d%\]", lines[1])
    assert lines[2] == "   2  tic_tac_toe   mm:depth=1 - random   limits nodes=30, seed 0"
    assert len(lines) == 6


@pytest.mark.parametrize(
    ("options", "found"),
    [
        (["--game", "pig"], [1, 3]),
        (["--game", "pig:goal=10"], [1, 3]),
        (["--game", "pi"], []),
        (["--player", "hold"], [1, 3]),
        (["--player", "hold:n=7"], [3]),
        (["--player", "random"], [1, 2]),
        (["--player", "random", "--game", "tic_tac_toe"], [2]),
    ],
)
def test_results_can_be_filtered(run, options, found):
    facts = json.loads(run("results", "list", *options, "--json").out)
    assert [each["number"] for each in facts] == found
    listed = run("results", "list", *options).out
    assert listed == "no contests\n" if not found else listed.count("games") == len(found)


def test_results_shows_a_contest_in_full(run):
    lines = run("results", "show", 2).out.splitlines()
    assert lines[0] == "tic_tac_toe: 12 games, 6 pairs"
    assert "  limits: nodes=30; seed 0" in lines
    assert re.search(r"  20\d\d-.*Z  astragal .*, Python 3\..*, Numba \d", "\n".join(lines))


def test_luck_is_taken_off(run):
    plain, later = (run("results", "show", 1, "--luck", by).out for by in ("evaluation", "evaluation:depth=1"))
    wanted = r"  luck-adjusted, by {}: \d+\.\d% \[\d+\.\d%, \d+\.\d%\]; -?\d+% of the variance saved"
    assert re.search(wanted.format("evaluation"), plain)
    assert re.search(wanted.format("evaluation:depth=1"), later)


@pytest.mark.parametrize(
    ("by", "sentence"),
    [
        ("guess", "luck is measured by evaluation, learned, a file of `astragal learn`, or exact, not by 'guess'"),
        ("learned", "evaluation=learned was learned for pig with goal=100, not with goal=10"),
        ("none.npz", "evaluation=none.npz: there is no such file; `astragal learn GAME --out none.npz` makes one"),
    ],
)
def test_luck_by_what_there_is_not(run, by, sentence):
    assert refused(run("results", "show", 1, "--luck", by)) == sentence


def test_the_crosstable(run):
    lines = run("results", "list", "--crosstable").out.splitlines()
    assert lines[0] == "pig:goal=10"
    assert lines[1].split() == ["1", "2", "3"]
    rows = {line.split()[1]: line.split()[2:] for line in lines[2:5]}
    assert list(rows) == ["random", "hold:n=5", "hold:n=7"]
    assert rows["random"][0] == rows["random"][2] == "-"
    points = [float(rows[name][at].partition("/")[0]) for name, at in (("random", 1), ("hold:n=5", 0))]
    assert sum(points) == 20
    assert rows["hold:n=7"][1].endswith("/4")
    assert lines[5] == "tic_tac_toe"
    assert len(lines) == 9
    assert refused(run("results", "list", "--crosstable", "--game", "ewn")).startswith(
        "there are no contests of two players"
    )


def test_a_contest_without_games_is_shown(tmp_path, capsys):
    with ResultsStore(tmp_path / "r.db") as store:
        store.enter(PIG)
    assert "0 games" in run_here(capsys, "results", "list", "--db", tmp_path / "r.db").out
    assert run_here(capsys, "results", "show", 1, "--db", tmp_path / "r.db").out.startswith(
        "pig:goal=10: 0 games, 0 pairs"
    )
    assert json.loads(run_here(capsys, "results", "list", "--json", "--db", tmp_path / "r.db").out)[0]["games"] == 0


def test_results_of_a_game_whose_file_is_gone_can_be_read_and_not_replayed(tmp_path, capsys):
    game, file = coin_file(tmp_path), tmp_path / "r.db"
    play(Contest.of(str(game), ["random", "random"]), 8, file)
    game.unlink()
    for arguments in (["list"], ["show", 1], ["list", "--crosstable"], ["export", tmp_path / "t.md"]):
        assert run_here(capsys, "results", *arguments, "--db", file).code == 0
    assert refused(run_here(capsys, "results", "replay", 1, "--db", file)) == f"there is no file {game}"


# Exports


def exported(run, path: Path, *arguments: object) -> str:
    ran = run("results", "export", path, *arguments)
    assert (ran.code, ran.err) == (0, "")
    return path.read_text(encoding="utf-8")


def test_export_to_csv(run, tmp_path):
    rows = list(csv.DictReader(exported(run, tmp_path / "t.csv").splitlines()))
    assert [row["players"] for row in rows] == ["random - hold:n=5", "mm:depth=1 - random", "hold:n=5 - hold:n=7"]
    assert [int(row["games"]) for row in rows] == [20, 12, 4]
    assert all(0.0 <= float(row["low"]) <= float(row["first"]) <= float(row["high"]) <= 1.0 for row in rows)


def test_export_of_the_games_of_a_contest(run, tmp_path):
    rows = json.loads(exported(run, tmp_path / "t.json", 1))
    numbers = [(pair, game, seat) for pair in range(1, 11) for game in (1, 2) for seat in (1, 2)]
    assert [(row["pair"], row["game"], row["seat"]) for row in rows] == numbers
    assert [row["player"] for row in rows[:4]] == ["random", "hold:n=5", "hold:n=5", "random"]
    assert {(one["utility"], other["utility"]) for one, other in zip(rows[::2], rows[1::2], strict=True)} == {
        (100.0, -100.0),
        (-100.0, 100.0),
    }
    assert [row["seed"] for row in rows[::4]] == [str(PIG.pair_seed(pair)) for pair in range(10)]


def test_export_to_markdown(run, tmp_path):
    lines = exported(run, tmp_path / "t.md").splitlines()
    assert lines[0].startswith("| contest | game | players |")
    assert set(lines[1]) == set("| -")
    assert len(lines) == 5
    assert len({line.count("|") for line in lines}) == 1


def test_export_to_latex(run, tmp_path):
    text = exported(run, tmp_path / "t.tex")
    assert text.startswith("\\begin{tabular}{rlllrrrrrl}\n")
    assert text.endswith("\\end{tabular}\n")
    assert r"tic\_tac\_toe" in text
    assert text.count(r"\\") == 4


def test_export_to_parquet(run, tmp_path):
    parquet = pytest.importorskip("pyarrow.parquet")
    ran = run("results", "export", tmp_path / "t.parquet", 1)
    assert ran.code == 0
    table = parquet.read_table(tmp_path / "t.parquet").to_pydict()
    assert table["pair"] == [pair for pair in range(1, 11) for _ in range(4)]
    assert all(isinstance(score, float) for score in table["score"])


def test_export_to_parquet_without_pyarrow(run, tmp_path, monkeypatch):
    monkeypatch.setitem(sys.modules, "pyarrow", None)
    sentence = 'Parquet needs pyarrow: pip install "astragal[parquet]"'
    assert refused(run("results", "export", tmp_path / "t.parquet")) == sentence


@pytest.mark.parametrize("ending", ["csv", "json", "md", "tex", "parquet"])
def test_an_empty_table_can_be_exported(run, tmp_path, ending):
    if ending == "parquet":
        pytest.importorskip("pyarrow")
    path = tmp_path / f"t.{ending}"
    assert run("results", "export", path, "--game", "ewn").code == 0
    assert path.exists()


def test_exports_that_are_refused(run, tmp_path):
    assert refused(run("results", "export", tmp_path / "t.xls")).endswith(
        "t.xls must end with .csv, .json, .md, .tex or .parquet"
    )
    assert "No such file or directory" in refused(run("results", "export", tmp_path / "no" / "t.csv"))


# replay


def test_replay_shows_a_game_move_by_move(run, file):
    with ResultsStore(file) as store:
        record = next(record for record in store.games(2) if record.number == (2, 1))
    ran = run("results", "replay", 2, 3, 2)
    assert (ran.code, ran.err) == (0, "")
    moves = re.findall(r"^(\d+)\. player (\d) \((.+)\): (\S+)   \[\d", ran.out, re.MULTILINE)
    assert [int(move[0]) for move in moves] == list(range(1, len(record.steps) + 1))
    assert [move[2] for move in moves[:2]] == ["random", "mm:depth=1"]
    assert ran.out.endswith(f"result: {' '.join(f'{utility:g}' for utility in record.utilities)}\n")


def test_replay_shows_what_chance_brought(run):
    assert re.search(r"^\d+\. chance: \d+", run("results", "replay", 1).out, re.MULTILINE)


def test_replay_as_json(run, file):
    with ResultsStore(file) as store:
        record = next(iter(store.games(1)))
    facts = json.loads(run("results", "replay", 1, "--json").out)
    assert facts["utilities"] == list(record.utilities)
    assert len(facts["plies"]) == len(record.steps)
    decisions = [ply for ply in facts["plies"] if ply["player"] is not None]
    assert len(decisions) == len(record.searches)
    assert [ply["seconds"] for ply in decisions] == [stats.seconds for stats in record.searches]


def test_replay_verifies_every_game(run):
    assert run("results", "verify", 1).out == "20 games follow the rules and the dice\n"


@pytest.mark.parametrize(
    ("change", "sentence"),
    [
        ("steps = '[1]'", "game 4.2"),
        ("seed = '5'", "game 4.2 has another seed than the contest gives its pair"),
        ("utilities = '[0.0, 0.0]'", "game 4.2 does not end as its result says"),
    ],
)
def test_replay_finds_a_changed_game(file, tmp_path, capsys, change, sentence):
    with ResultsStore(file) as store, sqlite3.connect(tmp_path / "r.db") as copy:
        store.connection.backup(copy)
    connection = sqlite3.connect(tmp_path / "r.db")
    connection.execute(f"UPDATE games SET {change} WHERE contest = 1 AND match = 3 AND game = 1")
    connection.commit()
    connection.close()
    for words in (["verify"], ["verify", 1], ["replay", 1, 4, 2]):
        assert refused(run_here(capsys, "results", *words, "--db", tmp_path / "r.db")).startswith(sentence)
    assert run_here(capsys, "results", "replay", 1, 4, 1, "--db", tmp_path / "r.db").code == 0


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        (["results", "show", 9], "has no contest 9; astragal results list names them"),
        (["results", "replay", 9], "has no contest 9; astragal results list names them"),
        (["results", "replay", 1, 99], "contest 1 has no game 99.1 in"),
        (["results", "replay", 1, 1, 3], "contest 1 has no game 1.3 in"),
        (["results", "replay", 1, 0], "Invalid value"),
    ],
)
def test_what_is_not_there(run, arguments, sentence):
    assert sentence in refused(run(*arguments))


@pytest.mark.parametrize(
    ("table", "column", "value", "sentence"),
    [
        ("contests", "contest", "{", "contest 1 cannot be read: Expecting property name"),
        ("contests", "contest", "[]", "contest 1 cannot be read: "),
        ("contests", "contest", "{}", "contest 1 cannot be read: there is no 'finish'"),
        ("contests", "contest", '{"finish": null, "kinds": 3}', "contest 1 cannot be read: "),
        ("games", "seats", "[0", "game 1.1 of contest 1 cannot be read: Expecting"),
        (
            "games",
            "seats",
            '["a", 1]',
            "game 1.1 of contest 1 cannot be read: seats are the numbers of players, from 0 to 1",
        ),
        ("games", "utilities", "[]", "game 1.1 of contest 1 cannot be read: 2 seats and 0 utilities"),
        ("games", "utilities", "[null, 1]", "game 1.1 of contest 1 cannot be read: utilities are numbers"),
        ("games", "thoughts", "[[1]]", "game 1.1 of contest 1 cannot be read: "),
        ("games", "steps", "7", "game 1.1 of contest 1 cannot be read: "),
        ("games", "seed", "x", "game 1.1 of contest 1 cannot be read: invalid literal"),
    ],
)
def test_what_another_program_wrote_into_a_file(file, tmp_path, capsys, table, column, value, sentence):
    copy = tmp_path / "copy.db"
    shutil.copy(file, copy)
    with closing(sqlite3.connect(copy)) as connection:
        connection.execute(f"UPDATE {table} SET {column} = ?", (value,))
        connection.commit()
    for words in (["list"], ["show", 1], ["replay", 1], ["verify"], ["list", "--crosstable"]):
        assert f"{copy} is damaged: {sentence}" in refused(run_here(capsys, "results", *words, "--db", copy))


def test_a_file_that_is_not_there(tmp_path, capsys):
    for command in (["results", "list"], ["results", "replay", 1]):
        ran = run_here(capsys, *command, "--db", tmp_path / "no.db")
        assert refused(ran) == f"there is no results file {tmp_path / 'no.db'}"


def test_a_busy_machine_is_warned_of_where_time_is_the_limit(capsys, monkeypatch, tmp_path):
    monkeypatch.setattr("os.getloadavg", lambda: (7.25, 0.0, 0.0), raising=False)
    monkeypatch.setattr("os.cpu_count", lambda: 4)
    asked = ["match", "pig:goal=10", "random", "hold", "--games", 2, "--jobs", 1, "--db", tmp_path / "r.db"]
    assert run_here(capsys, *asked).err == ""
    with pytest.warns(UserWarning, match="4 cores have a load of 7.2 already; with 1 game at a time players will get"):
        assert run_here(capsys, *asked, "--time", 0.5).code == 0
