"""The rules of Can't Stop: counts, hand-made positions, a second move generator, rolls that are alike, symmetries."""

from __future__ import annotations

import csv
from collections import defaultdict
from itertools import permutations, product

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from astragal import Position, load_game, start
from astragal.base.errors import AstragalError
from astragal.rules.checks import check_game
from astragal.rules.perft import count_sequences
from support.helpers import DATA, countable, random_position, random_positions
from support.seats import seated

GAME = load_game("cant_stop")
BOARDS = ["cant_stop", "cant_stop:players=4", "cant_stop:sides=3,shortest=2", "cant_stop:players=1,sides=2,shortest=1"]
with (DATA / "cantstop_triples.csv").open() as file:
    TRIPLES = {
        tuple(int(row[name]) for name in ("c1", "c2", "c3")): int(row["success_num_of_1296"])
        for row in csv.DictReader(file)
    }
seeds = st.integers(0, 2**32)


def cant_stop(text: str, settings: str = "") -> Position:
    return Position.parse(load_game(f"cant_stop:{settings}" if settings else "cant_stop"), text)


def bust(position: Position, roll: str) -> bool:
    return position.deal(roll).is_chance


def success(position: Position) -> float:
    """The chance that a roll is no bust."""
    return sum(o.probability for o in position.outcomes() if not position.follow(o.number).is_chance)


# Counts


def test_perft_from_the_start():
    known = countable([126, 231, 462, 58212, 130356])
    assert [count_sequences(start(GAME), plies + 1) for plies in range(len(known))] == known


def test_all_rolls_are_listed_with_their_weights():
    weights: dict[str, int] = defaultdict(int)
    for throw in product("123456", repeat=4):
        weights["".join(sorted(throw))] += 1
    listed = {o.name: o.probability for o in start(GAME).outcomes()}
    assert listed == pytest.approx({name: weight / 1296 for name, weight in weights.items()})


@pytest.mark.parametrize(("column", "ways"), [(2, 171), (12, 171), (6, 727), (8, 727), (7, 834)])
def test_the_chance_of_one_column(column, ways):
    assert GAME.success[1 << column - 2] == pytest.approx(ways / 1296)


def test_the_chances_of_three_runners():
    assert len(TRIPLES) == 165
    for triple, ways in TRIPLES.items():
        assert GAME.success[sum(1 << column - 2 for column in triple)] == pytest.approx(ways / 1296)
    for triple in ((2, 3, 12), (6, 7, 8), (4, 6, 8)):
        runners = ",".join(f"{column}:1" for column in triple)
        assert success(cant_stop(f"- - {runners} 1 roll")) == pytest.approx(TRIPLES[triple] / 1296)


# Hand-made positions


@pytest.mark.parametrize(
    ("text", "roll", "names"),
    [
        ("- - 6:1,10:1 1 roll", "2345", {"6+8", "7+7", "5", "9"}),  # 5 + 9: one of them
        ("- - 2:1,3:1,12:1 1 roll", "5566", {"12"}),
        ("- - 6:1,10:1 1 roll", "1113", {"2", "4"}),
        ("- - - 1 roll", "3333", {"6+6"}),
        ("- - 6:10,7:1,8:1 1 roll", "3333", {"6"}),  # room for one
        ("6:10 - - 1 roll", "3333", {"6"}),
        ("6:11 - - 2 roll", "1245", {"5+7", "3+9"}),  # of 6 + 6 nothing is left: the column is won
        ("- - 2:3 1 roll", "1123", {"5", "3+4"}),  # a runner on top is in the way of 2, and two are free
        ("- - 2:3,12:3 1 roll", "1123", {"5", "3", "4"}),  # ... and here one
    ],
)
def test_what_a_roll_allows(text, roll, names):
    assert set(cant_stop(text).deal(roll).action_names()) == names


@pytest.mark.parametrize(
    ("text", "roll", "busts"),
    [
        ("- - 6:11,7:1,8:1 1 roll", "3333", True),  # the runner is on the top space
        ("- - 2:1,3:1,12:1 1 roll", "2345", True),  # none is free
        ("7:13 2:3 - 1 roll", "1166", False),  # 7 + 7, 2 + 12: only 12 is open
        ("7:13 2:3,12:3 - 1 roll", "1166", True),
    ],
)
def test_what_is_a_bust(text, roll, busts):
    assert bust(cant_stop(text), roll) == busts


def test_a_bust_takes_the_runners_away_and_the_next_player_rolls():
    after = cant_stop("3:3,7:2 8:1 2:1,3:5,12:2 1 roll").deal("2345")
    assert after == cant_stop("3:3,7:2 8:1 - 2 roll")


def test_climbing_stopping_and_rolling_again():
    rolled = cant_stop("6:3 6:5 7:2 1 roll").deal("3333")
    climbed = rolled.play("6+6")
    assert climbed == cant_stop("6:3 6:5 6:5,7:2 1 decide")
    assert climbed.play("roll") == cant_stop("6:3 6:5 6:5,7:2 1 roll")
    assert climbed.play("stop") == cant_stop("6:5,7:2 6:5 - 2 roll")


def test_a_column_is_won_by_stopping_and_closed_to_all():
    decide = cant_stop("6:3,7:2 7:12,8:2 7:13 2 decide")
    after = decide.play("stop")
    assert after == cant_stop("6:3 7:13,8:2 - 1 roll")
    assert set(after.deal("1166").action_names()) == {"2+12"}
    assert bust(cant_stop("6:3 7:13,8:2 2:1,3:1,4:1 1 roll"), "3344")


def test_the_third_column_wins():
    decide = cant_stop("2:3,3:5 12:3 11:1,4:7 1 decide")
    after = decide.play("stop")
    assert after.is_terminal
    assert after.utilities() == (100.0, -100.0)
    assert after.text == "2:3,3:5,4:7,11:1 12:3 - 1 over"
    assert not decide.play("roll").is_terminal


def test_three_topped_columns_are_won_by_stopping_only():
    decide = cant_stop("- - 2:3,3:5,12:3 2 decide")
    assert set(decide.action_names()) == {"roll", "stop"}
    assert decide.play("stop").utilities() == (-100.0, 100.0)
    assert success(decide.play("roll")) == 0


@pytest.mark.parametrize("players", [3, 4])
def test_more_players_move_in_turn_and_one_wins(players):
    nothing = " ".join(["-"] * (players - 2))
    position = cant_stop(f"6:1 {nothing} 7:13,8:11 6:4 {players} decide", f"players={players}")
    assert position.play("stop").text == f"6:1 {nothing} 6:4,7:13,8:11 - 1 roll"
    won = cant_stop(f"6:1 {nothing} 7:13,8:11 6:11 {players} decide", f"players={players}").play("stop")
    assert won.utilities() == (*[-100.0] * (players - 1), 100.0)
    assert won.text == f"- {nothing} 6:11,7:13,8:11 - {players} over"


def test_alone_turns_are_counted():
    decide = cant_stop("2:3,3:5 4:7 8 decide", "players=1")
    assert decide.turn == 0
    assert decide.play("stop").utilities() == (91.0,)
    assert cant_stop("2:3,3:5 6:7 8 decide", "players=1").play("stop").text == "2:3,3:5,6:7 - 9 roll"
    assert cant_stop("- 2:1,3:1,4:1 8 roll", "players=1").deal("6666").text == "- - 9 roll"
    assert cant_stop("- 2:1,3:1,4:1 200 roll", "players=1").deal("6666").text == "- - 200 roll"


# A second move generator, straight from the rules


class Board:
    """What a position's text says: spaces of each player's markers and of the runners, by column."""

    def __init__(self, position: Position) -> None:
        game, words = position.game, position.text.split()
        spots = [dict(map(int, s.split(":")) for s in word.split(",")) if word != "-" else {} for word in words[:-2]]
        *self.markers, self.runners = spots
        middle = game.sides + 1
        self.top = {c: game.shortest + 2 * (game.sides - 1 - abs(c - middle)) for c in range(2, 2 * middle - 1)}
        self.mine = self.markers[int(words[-2]) - 1 if game.players > 1 else 0]
        self.closed = {c for spots in self.markers for c, space in spots.items() if space == self.top[c]}

    def climb(self, runners: dict[int, int], column: int) -> dict[int, int] | None:
        """The runners after climbing a column, if that can be done."""
        if column in self.closed or (column not in runners and len(runners) == 3):
            return None
        space = runners.get(column, self.mine.get(column, 0))
        return None if space == self.top[column] else runners | {column: space + 1}

    def choices(self, roll: str) -> set[tuple[tuple[int, int], ...]]:
        """Where the runners can be after a roll."""
        found = set()
        for a, b, c, d in permutations(map(int, roll)):
            first = self.climb(self.runners, a + b)
            second = None if first is None else self.climb(first, c + d)
            alone = first if second is None else second
            if alone is not None:
                found.add(tuple(sorted(alone.items())))
        return found


def after_choices(position: Position) -> set[tuple[tuple[int, int], ...]]:
    """Where the runners are after each of the choices the game lists."""
    return {tuple(sorted(Board(position.play(action)).runners.items())) for action in position.actions()}


@pytest.mark.few(2)
@pytest.mark.parametrize("spec", BOARDS)
@settings(max_examples=3)
@given(seed=seeds)
def test_choices_are_those_of_a_second_generator(spec, seed):
    chances = [position for position in random_positions(load_game(spec), seed) if position.is_chance]
    position = chances[seed % len(chances)]
    board = Board(position)
    for outcome in position.outcomes()[seed % 5 :: 5]:
        rolled, expected = position.follow(outcome.number), board.choices(outcome.name)
        if rolled.is_chance:
            assert not expected
            assert rolled.text.split()[-3] == "-"
        else:
            assert after_choices(rolled) == expected
            assert len(rolled.actions()) == len(expected)


# Rolls that are alike


def check_alike(position: Position) -> int:
    """Rolls have the same representative if and only if they offer the same choices; how many classes there are."""
    classes: dict[tuple[int, ...], set[int]] = defaultdict(set)
    for outcome in position.outcomes():
        choices = tuple(sorted(position.follow(outcome.number).actions()))
        classes[choices].add(int(position._rules.representative(position._state, outcome.number)))
    chosen = [number for numbers in classes.values() for number in numbers]
    assert len(chosen) == len(set(chosen)) == len(classes)
    return len(classes)


@pytest.mark.parametrize("spec", BOARDS)
@settings(max_examples=1)
@given(seed=seeds)
def test_rolls_stand_for_those_with_the_same_choices(spec, seed):
    for position in random_positions(load_game(spec), seed, plies=40):
        if position.is_chance and (position.state.placed or position.state.turn):
            check_alike(position)


@pytest.mark.parametrize(
    ("text", "most"),
    [
        ("- - 2:1,3:1,12:1 1 roll", 11),
        ("- - 6:10,7:12,8:10 1 roll", 14),  # room for one
        ("- - 6:11,7:12,8:1 1 roll", 8),
        ("2:3,4:7 7:13,9:9 5:8,12:1 1 roll", 70),  # one free
        ("2:3,4:7,6:10 7:13,9:9,10:6 5:8,12:2 2 roll", 70),
        ("5:9,8:11 7:13,9:9,10:6 6:10,4:6 2 roll", 60),
    ],
)
def test_few_choices_are_left_to_most_positions(text, most):
    assert check_alike(cant_stop(text)) <= most


# What holds in every game


@pytest.mark.few(2)
@pytest.mark.parametrize("spec", BOARDS)
@settings(max_examples=2)
@given(seed=seeds)
def test_markers_only_go_up_and_runners_are_lost_or_kept(spec, seed):
    game, before = load_game(spec), None
    for position in random_positions(game, seed, plies=400):
        board = Board(position)
        assert len(board.runners) <= 3
        assert all(board.mine.get(c, 0) < space <= board.top[c] for c, space in board.runners.items())
        assert not board.closed & set(board.runners)
        assert all(sum(c in spots for spots in board.markers) == 1 for c in board.closed)
        won = [sum(space == board.top[c] for c, space in spots.items()) for spots in board.markers]
        assert position.is_terminal == (max(won) >= game.goal)
        if before is not None:
            for old, new in zip(before.markers, board.markers, strict=True):
                assert all(new.get(c, 0) >= space or c in board.closed for c, space in old.items())
        before = board


@pytest.mark.parametrize("settings_", ["", "sides=4,shortest=2", "evaluation=squared,sides=3"])
@settings(max_examples=2)
@given(seed=seeds)
def test_seats_are_alike(settings_, seed):
    game = load_game(f"cant_stop:{settings_}" if settings_ else "cant_stop")
    position = random_position(game, seed)
    other = seated(position)
    assert other.evaluations() == position.evaluations()[::-1]
    assert other.actions() == position.actions()
    assert count_sequences(other, 3) == count_sequences(position, 3)


def turned(text: str, sides: int) -> str:
    """The same position on the board turned round: column 2 for 12, and face 1 for 6."""
    *spots, player, now = text.split()
    sides_up = [
        ",".join(sorted(f"{2 * sides + 2 - int(s.split(':')[0])}:{s.split(':')[1]}" for s in word.split(",")))
        if word != "-"
        else word
        for word in spots
    ]
    faces = "".join(str(sides + 1 - int(face)) for face in now) if now.isdecimal() else now
    return " ".join([*sides_up, player, faces])


@pytest.mark.few(1)
@pytest.mark.parametrize("spec", ["cant_stop", "cant_stop:sides=3,players=2,shortest=4"])
@settings(max_examples=2)
@given(seed=seeds)
def test_both_halves_of_the_board_are_alike(spec, seed):
    position = random_position(load_game(spec), seed)
    other = Position.parse(position.game, turned(position.text, position.game.sides))
    assert other.evaluations() == pytest.approx(position.evaluations())
    assert len(other.actions()) == len(position.actions())
    assert count_sequences(other, 3) == count_sequences(position, 3)


# Evaluation and order


def test_the_evaluation_is_the_mean_of_the_best_three_columns():
    first, second = cant_stop("2:3,6:5,7:1,8:5 12:1,11:1 - 1 roll").evaluations()
    assert first == pytest.approx(100 * ((1 + 5 / 11 + 5 / 11) - (1 / 3 + 1 / 5)) / 3, abs=1e-3)
    assert second == -first


def test_the_squared_evaluation_counts_all_columns():
    first, _ = cant_stop("2:3,6:5,7:1,8:5 12:1,11:1 - 1 roll", "evaluation=squared").evaluations()
    assert first == pytest.approx(100 * (1 + 50 / 121 + 1 / 169 - 1 / 9 - 1 / 25) / 3, abs=1e-3)


def test_runners_count_in_full_while_one_can_stop_and_by_their_chance_before_a_roll():
    decide, _ = cant_stop("6:5 - 6:6,7:4,8:2 1 decide").evaluations()
    assert decide == pytest.approx(100 * (6 / 11 + 4 / 13 + 2 / 11) / 3, abs=1e-3)
    roll, _ = cant_stop("6:5 - 6:6,7:4,8:2 1 roll").evaluations()
    lost = 100 * 5 / 11 / 3
    assert roll == pytest.approx(lost + (decide - lost) * 1192 / 1296, abs=1e-3)


def test_with_more_players_the_best_of_the_others_counts():
    values = cant_stop("2:3 3:5,4:7 12:1 - 1 roll", "players=3").evaluations()
    assert values == pytest.approx((-100 / 3, 100 / 3, 100 * (1 / 3 - 2) / 3), abs=1e-3)


def test_alone_the_evaluation_grows_with_progress_and_falls_with_turns():
    texts = ("7:5 - 3 roll", "7:6 - 3 roll", "7:6 - 4 roll")
    worse, better, later = (cant_stop(text, "players=1").evaluations()[0] for text in texts)
    assert better > worse
    assert later == pytest.approx(better - 1)


def test_going_on_comes_first_by_the_rule_of_28():
    assert cant_stop("- - 6:1,7:1 1 decide").action_names() == ["roll", "stop"]
    assert cant_stop("- - 2:1,3:1,7:4 1 decide").action_names() == ["roll", "stop"]  # 12 + 10 + 5
    assert cant_stop("- - 2:1,3:1,7:5 1 decide").action_names() == ["stop", "roll"]  # 28
    assert cant_stop("- - 2:3,12:3 1 decide").action_names() == ["roll", "stop"]
    assert cant_stop("7:13 - 2:3,12:3 1 decide").action_names() == ["stop", "roll"]  # wins


def test_likely_choices_come_first_and_are_preferred():
    rolled = cant_stop("- - 6:1,10:1 1 roll").deal("2345")
    assert rolled.action_names() == ["6+8", "5", "9", "7+7"]
    assert {rolled._rules.prefer(rolled._state, word << 28) for word in range(16)} == {rolled.find_action("6+8")}
    even = cant_stop("- - - 1 roll").deal("1166")
    assert {even.action_name(even._rules.prefer(even._state, word << 28)) for word in range(16)} == {"2+12"}


# Texts, names and parameters


@pytest.mark.parametrize(
    ("settings", "sentence"),
    [
        ("sides=2", "with 3 columns and 2 players all columns may be won before anybody has 3; .* at most 2"),
        ("sides=3,players=3", "with 5 columns and 3 players .* at most 2"),
        ("sides=2,players=1,goal=4", "with 3 columns and one player .* at most 3"),
        ("sides=7", "sides=7 is too large"),
        ("players=5", "players=5 is too large"),
        ("shortest=0", "shortest=0 is too small"),
        ("evaluation=best", "evaluation=best is not one of"),
    ],
)
def test_boards_that_cannot_be_are_refused_in_a_sentence(settings, sentence):
    with pytest.raises(AstragalError, match=sentence):
        load_game(f"cant_stop:{settings}")


@pytest.mark.parametrize("settings", ["sides=2,goal=2", "sides=3", "players=4", "goal=5", "shortest=21"])
def test_boards_that_can_be_are_not_refused(settings):
    assert start(f"cant_stop:{settings}").is_chance


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ("- - - 1", "write the markers of each player"),
        ("- - - 3 roll", "write the markers of each player"),
        ("6 - - 1 roll", "'6' is not column:space"),
        ("13:1 - - 1 roll", "no column 13; columns are 2 to 12"),
        ("6:12 - - 1 roll", "column 6 has spaces 1 to 11, not 12"),
        ("6:0 - - 1 roll", "column 6 has spaces 1 to 11, not 0"),
        ("6:1,6:2 - - 1 roll", "column 6 is written twice"),
        ("6:11 6:2 - 1 roll", "column 6 is won, so no other player"),
        ("6:11 - 6:2 2 roll", "column 6 is won, so no runner"),
        ("6:3 - 6:3 1 roll", "the runner in column 6 must be above"),
        ("- - 2:1,3:1,4:1,5:1 1 roll", "there are 3 runners, not 4"),
        ("- - - 1 decide", "a turn begins with a roll"),
        ("- - - 1 over", "the game is over if and only if"),
        ("2:3,3:5,4:7 - - 1 roll", "the game is over if and only if"),
        ("2:3,3:5,4:7 - - 2 over", "the game is over if and only if"),
        ("2:3,3:5,4:7 - 6:1 1 over", "no runner is left"),
        ("- - - 1 1237", "four dice from 1 to 6"),
        ("- - - 1 123", "four dice from 1 to 6"),
        ("- - - 1 hold", "what is next is roll, decide, over or four dice"),
        ("- - 2:1,3:1,4:1 1 6666", "the roll 6666 is a bust"),
    ],
)
def test_what_is_no_position_is_refused_in_a_sentence(text, sentence):
    with pytest.raises(AstragalError, match=sentence):
        cant_stop(text)


def test_dice_are_read_in_any_order():
    assert cant_stop("- - - 1 5342") == start(GAME).deal("2345")


def test_the_picture():
    position = cant_stop("2:3,4:2,6:5 4:2,8:1 6:6,9:1 1 decide")
    assert str(position).splitlines() == [
        " 2  .  .  A  won by A",
        " 3  .  .  .  .  .",
        " 4  .  AB .  .  .  .  .",
        " 5  .  .  .  .  .  .  .  .  .",
        " 6  .  .  .  .  A  *  .  .  .  .  .",
        " 7  .  .  .  .  .  .  .  .  .  .  .  .  .",
        " 8  B  .  .  .  .  .  .  .  .  .  .",
        " 9  *  .  .  .  .  .  .  .  .",
        "10  .  .  .  .  .  .  .",
        "11  .  .  .  .  .",
        "12  .  .  .",
        "player 1 (A) to roll again or stop",
    ]
    assert str(position.play("roll")).endswith("player 1 (A) to roll")
    assert str(start("cant_stop:players=1").deal("1122")).endswith("turn 1 rolled 1122")


@pytest.mark.slow
@pytest.mark.parametrize("spec", BOARDS[1:])
def test_the_game_keeps_its_promises(spec):
    for check in check_game(load_game(spec), games=1):
        assert check.passed, check.detail
