"""Searches of many positions: each the same as alone, in order, in any number of processes; and of a file, resumed."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest

from astragal import AstragalError, Limits, Position, load_game, search, search_many
from astragal.arena.many import Found, InOrder
from support.helpers import Ran, random_position, run_here

BENCHMARK = Path(__file__).parents[2] / "benchmarks" / "many.py"


def positions_of(name: str, count: int) -> list[Position]:
    return [random_position(load_game(name), seed) for seed in range(count)]


def facts(result) -> dict:
    return {name: value for name, value in result.as_dict().items() if name != "seconds"}


@pytest.mark.parametrize(
    ("game", "player"),
    [("pig", "star2"), ("ewn", "star1ss"), ("tic_tac_toe", "uct"), ("kalah", "alphabeta"), ("kalah", "greedy")],
)
def test_each_search_is_the_same_as_alone(game, player):
    positions = positions_of(game, 4)
    limits = Limits() if player == "greedy" else Limits(nodes=50)
    alone = [search(position, player, 7, limits) for position in positions]
    assert list(map(facts, search_many(positions, player, 7, limits))) == list(map(facts, alone))


@pytest.mark.slow
def test_processes_find_the_same_in_the_same_order():
    positions = positions_of("pig", 50)
    alone = search_many(positions, "star2:depth=2")
    counted: list[tuple[int, int]] = []
    together = search_many(positions, "star2:depth=2", jobs=2, progress=lambda done, of: counted.append((done, of)))
    assert list(map(facts, together)) == list(map(facts, alone))
    assert counted[-1] == (50, 50)


def test_what_comes_in_any_order_is_kept_in_order():
    kept: list[str] = []
    in_order = InOrder(2, kept.append)
    for numbers, expected in [([3], ""), ([5, 2], "cd"), ([4], "cdef")]:
        in_order.take([Found(number, "abcdef"[number], 0.0) for number in numbers])
        assert "".join(kept) == expected


def test_positions_of_two_games_ended_ones_and_what_is_none_are_refused():
    pig = positions_of("pig", 1)
    with pytest.raises(AstragalError, match=r"position 2 is of ewn.*, the first of pig; positions must be of one game"):
        search_many([*pig, *positions_of("ewn", 1)], "star2")
    with pytest.raises(AstragalError, match="search_many takes positions, not 'p'"):
        search_many("pig", "star2")
    ended = Position.parse(load_game("pig"), "100 0 0 2 roll")
    with pytest.raises(AstragalError, match="position 1: the game is over at"):
        search_many([ended], "star2")
    assert search_many([], "star2") == []


# The command


@pytest.fixture
def file(tmp_path) -> Path:
    texts = [position.text for position in positions_of("pig", 5)]
    (tmp_path / "positions.txt").write_text("\n".join([*texts[:2], "", *texts[2:]]) + "\n")
    return tmp_path / "positions.txt"


@pytest.fixture
def searched(capsys, file):
    def run(more: str = "--depth 2", out: str = "found.jsonl") -> Ran:
        line = f"search pig --positions {file} --jobs 1 {more}".split()
        return run_here(capsys, *line, *(["--out", file.parent / out] if out else []))

    return run


def lines(text: str) -> list[dict]:
    return [
        {name: value for name, value in json.loads(line).items() if name != "seconds"} for line in text.splitlines()
    ]


def test_a_file_is_searched_line_by_line_and_resumed(file, searched):
    out = file.parent / "found.jsonl"
    assert searched().out == f"5 positions searched: {out}\n"
    whole = lines(out.read_text())
    wanted = [facts(search(position, "star2", limits=Limits(depth=2))) for position in positions_of("pig", 5)]
    assert [line["position"] for line in whole] == [line["position"] for line in wanted]
    assert [line["actions"] for line in whole] == json.loads(json.dumps([line["actions"] for line in wanted]))
    assert [line["number"] for line in whole] == [1, 2, 3, 4, 5]
    assert lines(searched(out="").out) == whole

    begun = "".join(out.read_text().splitlines(keepends=True)[:2])
    out.write_text(begun + '{"number": 3, "lim')  # killed while it wrote
    assert searched().out == f"5 positions searched, 2 of them by earlier runs: {out}\n"
    assert out.read_text().startswith(begun)
    assert lines(out.read_text()) == whole
    assert searched().out == f"5 positions searched, 5 of them by earlier runs: {out}\n"


@pytest.mark.parametrize(
    ("more", "sentence"),
    [
        ("--depth 3", "has limits depth=2, not depth=3"),
        ("--depth 2 --seed 4", "has seed 0, not 4"),
        ("--depth 2 --player star1", "has player 'star2', not 'star1'"),
    ],
)
def test_lines_of_another_search_are_refused(searched, more, sentence):
    searched()
    ran = searched(more)
    assert ran.code == 2
    assert f"found.jsonl, line 1 {sentence}: it is of another search; choose another --out" in ran.err


def test_other_files_are_refused_and_kept(file, searched):
    other = file.parent / "found.jsonl"
    other.write_text("a poem\n")
    assert "line 1 was not written by astragal search --positions" in searched().err
    assert other.read_text() == "a poem\n"


def test_a_file_of_more_positions_than_there_are_now_is_refused(file, searched):
    searched()
    file.write_text(file.read_text().splitlines()[0])
    assert "line 2 has position '" in searched().err


@pytest.mark.parametrize(
    ("content", "sentence"),
    [
        ("0 0 0 1 roll\nnonsense\n", "line 2: 'nonsense' is not a position of Pig"),
        ("100 0 0 2 roll\n", "line 1: the game is over at '100 0 0 2 roll': there is nothing to search"),
        ("\n\n", "has no positions; write one a line, in the game's notation"),
    ],
)
def test_a_wrong_line_is_one_sentence(file, searched, content, sentence):
    file.write_text(content)
    ran = searched(out="")
    assert (ran.code, ran.out) == (2, "")
    assert sentence in ran.err
    assert ran.err.count("\n") == 1


@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        ("--jobs 2", "--jobs needs --positions FILE"),
        ("--out x", "--out needs --positions FILE"),
        ("--positions x --regret", "--regret cannot be combined with --positions"),
        ("--positions nowhere/x", "cannot read nowhere/x: No such file or directory"),
    ],
)
def test_options_that_do_not_fit_are_refused(capsys, words, sentence):
    ran = run_here(capsys, *["search", "pig", *words.split()])
    assert (ran.code, sentence in ran.err) == (2, True)


@pytest.mark.slow
def test_the_benchmark_runs():
    line = [sys.executable, str(BENCHMARK), "--positions", "3", "--rounds", "1", "star2@pig"]
    assert "| star2, pig |" in subprocess.run(line, check=True, capture_output=True, text=True).stdout
