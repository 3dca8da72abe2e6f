"""The rules of tic-tac-toe and Connect Four: counts, hand-made positions, symmetries."""

from __future__ import annotations

from collections import Counter
from functools import cache

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from astragal import Position, load_game, start
from astragal.base.errors import AstragalError
from astragal.rules.perft import count_sequences
from support.helpers import countable, random_position, random_positions

GAMES = ("tic_tac_toe", "connect_four")
PERFT = {
    "tic_tac_toe": [9, 72, 504, 3024, 15120, 54720, 148176, 200448, 127872],
    "connect_four": [7, 49, 343, 2401, 16807, 117649, 823536, 5673234],
}
EMPTY = "......./" * 5 + "......."
seeds = st.integers(0, 2**32)


def place(spec: str, text: str) -> Position:
    return Position.parse(load_game(spec), text)


def four(*rows: str) -> Position:
    """A position of Connect Four of which the lowest rows are given."""
    return place("connect_four", "/".join([*["......."] * (6 - len(rows)), *rows]))


@pytest.mark.parametrize("spec", GAMES)
def test_perft_from_the_start(spec):
    known = countable(PERFT[spec])
    assert [count_sequences(start(spec), plies + 1) for plies in range(len(known))] == known


@cache
def replies(position: Position) -> list[Position]:
    return [position.play(action) for action in position.actions()]


@pytest.mark.slow
def test_all_games_of_tic_tac_toe():
    """How many games end after each number of moves with each result for the first player: 255,168 in all."""
    ends: Counter[tuple[int, float]] = Counter()
    layer = Counter({start("tic_tac_toe"): 1})  # positions after some moves, and in how many ways each is reached
    for moves in range(1, 10):
        following: Counter[Position] = Counter()
        for position, ways in layer.items():
            for after in replies(position):
                if after.is_terminal:
                    ends[moves, after.utilities()[0]] += ways
                else:
                    following[after] += ways
        layer = following
    assert ends == {(5, 1): 1440, (6, -1): 5328, (7, 1): 47952, (8, -1): 72576, (9, 1): 81792, (9, 0): 46080}
    assert ends.total() == 255168


@pytest.mark.slow
@pytest.mark.interpreted
def test_tic_tac_toe_is_a_draw():
    def value(position: Position, known: dict[Position, float]) -> float:
        if position not in known:
            if position.is_terminal:
                known[position] = position.utilities()[0]
            else:
                values = [value(after, known) for after in replies(position)]
                known[position] = max(values) if position.turn == 0 else min(values)
        return known[position]

    known: dict[Position, float] = {}
    assert value(start("tic_tac_toe"), known) == 0.0
    assert len(known) == 5478


def test_the_best_squares_and_columns_are_listed_first():
    assert start("tic_tac_toe").action_names() == ["b2", "a3", "c3", "a1", "c1", "b3", "a2", "c2", "b1"]
    assert start("connect_four").action_names() == ["d", "c", "e", "b", "f", "a", "g"]
    filled = place("connect_four", "/".join(["o..o...", "x..x...", "o..o...", "x..x...", "o..o...", "x..x..."]))
    assert filled.action_names() == ["c", "e", "b", "f", "g"]


@pytest.mark.parametrize(
    ("text", "action", "after", "utilities"),
    [
        ("xx./oo./...", "c3", "xxx/oo./...", (1.0, -1.0)),
        ("xx./oo./x..", "c2", "xx./ooo/x..", (-1.0, 1.0)),
        ("xo./xo./...", "a1", "xo./xo./x..", (1.0, -1.0)),
        ("xo./ox./...", "c1", "xo./ox./..x", (1.0, -1.0)),
        ("oxx/.xo/..o", "a1", "oxx/.xo/x.o", (1.0, -1.0)),
        ("xox/xoo/ox.", "c1", "xox/xoo/oxx", (0.0, 0.0)),
    ],
)
def test_three_in_a_row_win(text, action, after, utilities):
    position = place("tic_tac_toe", text).play(action)
    assert position.text == after
    assert position.utilities() == utilities


@pytest.mark.parametrize(
    ("rows", "action", "utilities"),
    [
        (("ooo....", "xxx...."), "d", (1.0, -1.0)),
        (("....ooo", "....xxx"), "d", (1.0, -1.0)),
        (("x......", "xo.....", "xoo...."), "a", (1.0, -1.0)),
        (("o......", "ox.....", "oxx...x"), "a", (-1.0, 1.0)),
        (("..xo...", ".xox...", "xoxo..o"), "d", (1.0, -1.0)),
        (("...ox..", "...xox.", "o..oxox"), "d", (1.0, -1.0)),
        (("x......", "x......", "x......", "o......", "x.....o", "o.....o"), "b", None),  # not over the top
    ],
)
def test_four_in_a_line_win(rows, action, utilities):
    position = four(*rows)
    after = position.play(action)
    assert after.is_terminal == (utilities is not None)
    if utilities:
        assert after.utilities() == utilities


def lines_of_four(cells: str) -> list[str]:
    """What stands on each of the 69 lines of a board of seven by six."""
    lines = []
    for row in range(6):
        for column in range(7):
            for down, right in ((0, 1), (1, 0), (1, 1), (1, -1)):
                if row + 3 * down < 6 and 0 <= column + 3 * right < 7:
                    lines.append("".join(cells[7 * (row + k * down) + column + k * right] for k in range(4)))
    return lines


@settings(max_examples=25)
@given(seed=seeds)
def test_connect_four_ends_with_the_first_line_of_four(seed):
    for position in random_positions(load_game("connect_four"), seed):
        cells = position.text.replace("/", "")
        lines = lines_of_four(cells)
        assert len(lines) == 69
        winners = {player for player, letter in enumerate("xo") if letter * 4 in lines}
        assert position.is_terminal == (bool(winners) or "." not in cells)
        if position.is_terminal:
            expected = (0.0, 0.0) if not winners else (1.0, -1.0) if winners == {0} else (-1.0, 1.0)
            assert position.utilities() == expected
        else:
            assert position.turn == cells.count("x") - cells.count("o")


@settings(max_examples=25)
@given(seed=seeds)
def test_the_evaluation_of_connect_four_counts_squares_that_make_four_and_the_centre(seed):
    position = random_position(load_game("connect_four"), seed)
    cells = position.text.replace("/", "")
    points = []
    for letter in "xo":
        squares = [i for i in range(42) if cells[i] == "."]
        makers = [i for i in squares if letter * 4 in lines_of_four(cells[:i] + letter + cells[i + 1 :])]
        points.append(2 * len(makers) + sum(cells[i] == letter for i in range(3, 42, 7)))
    assert position.evaluations()[0] == pytest.approx(0.01 * (points[0] - points[1]))


@pytest.mark.parametrize(
    ("text", "first"),
    [(".../.../...", 0.0), (".../.x./...", 0.5), ("o../.x./...", 0.125), ("xo./.x./..o", 0.125)],
)
def test_the_evaluation_of_tic_tac_toe_counts_open_rows(text, first):
    assert place("tic_tac_toe", text).evaluations() == (first, -first)


@settings(max_examples=10)
@given(seed=seeds)
def test_the_mirror_image_is_worth_the_same(seed):
    for spec in GAMES:
        position = random_position(load_game(spec), seed)
        mirror = place(spec, "/".join(row[::-1] for row in position.text.split("/")))
        assert mirror.evaluations() == pytest.approx(position.evaluations())
        assert count_sequences(mirror, 3) == count_sequences(position, 3)


@pytest.mark.parametrize(
    ("spec", "text", "sentence"),
    [
        ("tic_tac_toe", "x../...", "write three rows"),
        ("tic_tac_toe", "x../.y./...", "write three rows"),
        ("tic_tac_toe", "o../.../...", "as many x as o"),
        ("tic_tac_toe", "xxx/.../...", "as many x as o"),
        ("tic_tac_toe", "xxx/oo./o..", "cannot be the one to move"),
        ("connect_four", "x", "write six rows"),
        ("connect_four", EMPTY[:-1] + "o", "as many x as o"),
        ("connect_four", "x" + EMPTY[1:], "hangs in the air"),
        ("connect_four", EMPTY[:-15] + "oooo.../xxxx...", "cannot be the one to move"),
    ],
)
def test_what_is_no_position_is_refused_in_a_sentence(spec, text, sentence):
    with pytest.raises(AstragalError, match=sentence):
        place(spec, text)


def test_the_pictures():
    assert str(start("tic_tac_toe").play("b2")).splitlines()[1:] == [
        "2  . x .",
        "1  . . .",
        "   a b c   player 2 (o) to move",
    ]
    assert str(start("connect_four").play("d")).splitlines()[-2:] == [
        "1  . . . x . . .",
        "   a b c d e f g   player 2 (o) to move",
    ]
