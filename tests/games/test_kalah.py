"""The rules of Kalah in its three sets: counts, hand-made positions, exact values of small boards, invariants."""

from __future__ import annotations

import csv
import json
from collections import Counter
from functools import cache

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from astragal import Position, load_game, start
from astragal.base.errors import AstragalError
from astragal.rules.perft import count_sequences
from support.helpers import DATA, countable, random_positions

RULES = ("paper", "irving", "standard")
# Sequences of 1 to 8 moves, counted by two other programs; an extra turn is a move of its own.
EMPTY_CAPTURE = {
    (6, 4): [6, 35, 185, 942, 4685, 23169, 113959, 559885],
    (4, 3): [4, 15, 50, 158, 488, 1507, 4621, 14011],
}
NO_EMPTY_CAPTURE = {
    (6, 4): [6, 35, 185, 942, 4690, 23233, 114430, 563055],
    (4, 3): [4, 15, 50, 158, 488, 1510, 4637, 14102],
}
POSITIONS = json.loads((DATA / "kalah_positions.json").read_text())["positions"]
with (DATA / "kalah_values.csv").open() as file:
    VALUES = {
        (int(row["m"]), int(row["n"]), row["rules"]): int(row["first_player_margin"]) for row in csv.DictReader(file)
    }
seeds = st.integers(0, 2**32)


def kalah(text: str, rules: str = "paper", settings: str = "") -> Position:
    return Position.parse(load_game(f"kalah:rules={rules}{settings}"), text)


def text_of(board: list[int], player: int) -> str:
    """Our notation of a board given as the first player's pits and store, then the second's."""
    half = len(board) // 2
    sides = [f"{','.join(map(str, side[:-1]))}/{side[-1]}" for side in (board[:half], board[half:])]
    return f"{sides[0]} {sides[1]} {player + 1}"


def board_of(position: Position) -> list[int]:
    first, second, _ = position.text.split()
    return [int(count) for side in (first, second) for count in side.replace("/", ",").split(",")]


@pytest.mark.few(3)
@pytest.mark.parametrize("rules", RULES)
@pytest.mark.parametrize("size", [(6, 4), (4, 3)])
def test_perft_from_the_start(size, rules):
    position = start(f"kalah:pits={size[0]},stones={size[1]},rules={rules}")
    known = countable((NO_EMPTY_CAPTURE if rules == "standard" else EMPTY_CAPTURE)[size])
    assert [count_sequences(position, plies + 1) for plies in range(len(known))] == known


@pytest.mark.parametrize("rules", RULES)
@pytest.mark.parametrize("case", POSITIONS, ids=[case["title"] for case in POSITIONS])
def test_positions_made_by_hand(case, rules):
    before = kalah(text_of(case["board_before"], case["player"]), rules)
    after, expected = before.play(f"{'AB'[case['player']]}{case['pit'] + 1}"), case["after"][rules]
    assert board_of(after) == expected["board"]
    assert after.is_terminal == expected["over"]
    if expected["over"]:
        assert after.utilities()[0] == pytest.approx(100 * expected["margin_p0"] / 48)
    else:
        assert after.turn == expected["next_player"]
        assert after.evaluations()[0] == pytest.approx(100 * expected["margin_p0"] / 48)


@cache
def best_margin(position: Position) -> int:
    """The first player's final margin if both play best, by the definition."""
    if position.is_terminal:
        return round(position.utilities()[0] / position.game.point)
    values = [best_margin(position.play(action)) for action in position.actions()]
    return max(values) if position.turn == 0 else min(values)


@pytest.mark.few(12)
@pytest.mark.parametrize("rules", RULES)
@pytest.mark.parametrize(
    "size", [(1, n) for n in range(1, 7)] + [(2, n) for n in range(1, 5)] + [(3, 1), (3, 2), (4, 1)]
)
def test_small_boards_have_their_known_values(size, rules):
    position = start(f"kalah:pits={size[0]},stones={size[1]},rules={rules}")
    assert best_margin(position) == VALUES[(*size, rules)]


@pytest.mark.few(6)
@pytest.mark.parametrize("rules", RULES)
@pytest.mark.parametrize(
    "size", ["", ",pits=2,stones=1", ",pits=8,stones=7", ",pits=1,stones=63", ",pits=3,setup=random"]
)
@settings(max_examples=4)
@given(seed=seeds)
def test_stones_are_neither_lost_nor_made(size, rules, seed):
    game = load_game(f"kalah:rules={rules}{size}")
    for position in random_positions(game, seed, plies=game.max_plies):
        board = board_of(position)
        assert sum(board) == game.total
        rows = board[: game.pits], board[game.pits + 1 : -1]
        assert position.is_terminal == (not any(rows[0]) or not any(rows[1]))
        if position.is_terminal:
            assert board[game.pits] + board[-1] == game.total


def test_pits_are_listed_from_the_store_backwards():
    assert start("kalah").action_names() == ["A6", "A5", "A4", "A3", "A2", "A1"]
    assert kalah("0,1,0,0,2,0/20 1,1,1,1,1,0/20 1").action_names() == ["A5", "A2"]
    assert kalah("0,1,0,0,2,0/20 1,1,1,1,1,0/20 2").action_names() == ["B5", "B4", "B3", "B2", "B1"]


def test_the_paper_names_the_pit_that_moves_again():
    assert [a.turn for a in (start("kalah").play("A3"), start("kalah").play("A4"))] == [0, 1]


@pytest.mark.parametrize(("score", "utilities"), [("margin", (100 * 4 / 48, -100 * 4 / 48)), ("win", (100.0, -100.0))])
def test_the_end_is_worth_the_margin_or_the_win(score, utilities):
    before = kalah("0,0,0,0,0,1/20 0,3,0,2,0,0/22 1", settings=f",score={score}")
    assert before.evaluations() == pytest.approx((-100 * 2 / 48, 100 * 2 / 48))
    assert before.play("A6").utilities() == pytest.approx(utilities)


def test_equal_stores_are_a_draw():
    assert kalah("0,0,0,0,0,0/24 0,0,0,0,0,0/24 1", settings=",score=win").utilities() == (0.0, 0.0)


def test_a_point_is_a_stone():
    assert load_game("kalah:pits=3,stones=2").point == pytest.approx(100 / 12)
    assert load_game("pig").point == 1.0


def test_an_even_set_up_is_not_left_to_chance():
    assert start("kalah", seed=1) == start("kalah", seed=2)


def test_thrown_stones_fall_everywhere_equally_often():
    boards = [board_of(start("kalah:setup=random", seed)) for seed in range(150)]
    assert all(sum(board) == 48 and board[6] == board[13] == 0 for board in boards)
    assert board_of(start("kalah:setup=random", 7)) == boards[7]
    for pit in (*range(6), *range(7, 13)):
        counts = Counter(board[pit] for board in boards)
        mean = sum(count * times for count, times in counts.items()) / 150
        assert abs(mean - 4) < 5 * (48 * 11 / 144 / 150) ** 0.5
        assert len(counts) > 5


def test_a_thrown_board_with_an_empty_row_is_thrown_again():
    texts = {start("kalah:pits=1,stones=1,setup=random", seed).text for seed in range(60)}
    assert texts == {"1/0 1/0 1"}


def test_more_stones_than_fit_are_refused_in_a_sentence():
    assert load_game("kalah:pits=8,stones=7").total == 112
    with pytest.raises(AstragalError, match=r"8 pits a side with 8 stones are 128 stones; at most 127 fit"):
        load_game("kalah:pits=8,stones=8")


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ("4,4,4,4,4,4/0 4,4,4,4,4,4/0", "write pits/store"),
        ("4,4,4,4,4/0 4,4,4,4,4,4/0 1", "write pits/store"),
        ("4,4,4,4,4,4,0 4,4,4,4,4,4/0 1", "write pits/store"),
        ("4,4,4,4,4,4/0 4,4,4,4,4,-4/0 1", "write pits/store"),
        ("4,4,4,4,4,4/0 4,4,4,4,4,4/0 3", "write pits/store"),
        ("4,4,4,4,4,4/0 4,4,4,4,4,4/1 1", "49 stones on the board; the game has 48"),
        ("0,0,0,0,0,0/24 4,4,4,4,4,4/0 1", "all stones must lie in the stores"),
    ],
)
def test_what_is_no_board_is_refused_in_a_sentence(text, sentence):
    with pytest.raises(AstragalError, match=sentence):
        kalah(text)


def test_the_picture():
    assert str(start("kalah").play("A1")).splitlines() == [
        "      B6  B5  B4  B3  B2  B1",
        "       4   4   4   4   4   4",
        "   0                           0",
        "       0   5   5   5   5   4",
        "      A1  A2  A3  A4  A5  A6",
        "player 2 (B) to move",
    ]
