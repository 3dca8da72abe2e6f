"""The rules of Pig and EinStein würfelt nicht!: counts, hand-made positions, symmetries and random play."""

from __future__ import annotations

from collections import Counter
from functools import cache, partial
from statistics import fmean, stdev

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from astragal import Position, load_game, start
from astragal.rules.dice import Dice
from astragal.rules.perft import count_sequences
from support.helpers import EXAMPLE, countable, random_position, random_positions
from support.seats import seated

PIG = load_game("pig")
EWN = load_game("ewn:setup=fixed")
PERFT = {
    "pig": [11, 40, 278, 1276, 7556, 38080, 212168, 1109776],
    "pig:dice=1": [6, 16, 76, 236, 996, 3356, 13316, 46876],
    "ewn:setup=fixed": [6, 18, 108, 324, 1944, 6162, 36972, 117369],
}
seeds = st.integers(0, 2**32)
slow = partial(pytest.param, marks=pytest.mark.slow)


def ewn(text: str) -> Position:
    return Position.parse(EWN, text)


def pig(text: str) -> Position:
    return Position.parse(PIG, text)


# Counts


@pytest.mark.parametrize("spec", PERFT)
def test_perft_from_the_start(spec):
    known = countable(PERFT[spec])
    assert [count_sequences(start(spec), plies + 1) for plies in range(len(known))] == known


def counted_by_hand(position: Position, plies: int) -> int:
    after = [position.play(a) for a in position.actions()] + [position.deal(o.number) for o in position.outcomes()]
    return len(after) if plies == 1 else sum(counted_by_hand(each, plies - 1) for each in after)


@pytest.mark.few(2)
@pytest.mark.parametrize("spec", ["pig", "pig:dice=1,goal=12", "ewn", f"{EXAMPLE}:MyGame"])
@settings(max_examples=6)
@given(seed=seeds)
def test_perft_of_any_position_is_what_python_counts(spec, seed):
    position = random_position(load_game(spec), seed)
    for plies in (1, 2, 3):
        assert count_sequences(position, plies) == counted_by_hand(position, plies)


def test_a_finished_game_has_no_sequences():
    assert count_sequences(pig("100 0 0 2 roll"), 1) == 0
    assert count_sequences(pig("99 0 5 1 decide"), 2) == 11  # holding ends the game


# Pig


def test_pig_with_two_dice_has_the_outcomes_of_36_throws():
    throws = Counter()
    for first in range(1, 7):
        for second in range(1, 7):
            ones = (first, second).count(1)
            throws["double-1" if ones == 2 else "1" if ones else str(first + second)] += 1
    listed = {o.name: o.probability for o in start("pig").outcomes()}
    assert listed == pytest.approx({name: count / 36 for name, count in throws.items()})


@pytest.mark.parametrize(("rolls", "chances"), [("21", {1 / 36, 2 / 36}), ("36", {1 / 36})])
def test_throws_of_pig_that_are_told_apart_do_what_they_do_together(rolls, chances):
    """The game is the same: each score after a roll is as likely as with 11 outcomes."""
    apart, together = start(f"pig:rolls={rolls}"), start("pig")
    listed = apart.outcomes()
    assert len(listed) == int(rolls) == len({each.name for each in listed})
    assert {each.probability for each in listed} == chances
    assert after_rolls(apart) == pytest.approx(after_rolls(together))
    drawn = Counter(apart.draw(Dice(seed)) for seed in range(2000))
    assert set(drawn) == {each.number for each in listed}


def after_rolls(position: Position) -> dict[str, float]:
    """How likely each position after a roll is."""
    found: dict[str, float] = {}
    for each in position.outcomes():
        text = position.follow(each.number).text
        found[text] = found.get(text, 0.0) + each.probability
    return found


def test_evaluations_of_ewn_count_steps_of_the_nearest_cube_cubes_or_all_steps():
    text = "1..../.2.../...../...a./....b 1 3"  # one cube each four and three steps away; two and two
    values = {
        evaluation: Position.parse(load_game(f"ewn:setup=fixed,evaluation={evaluation}"), text).evaluations()[0]
        for evaluation in ("nearest", "cubes", "advance")
    }
    assert values == pytest.approx({"nearest": 0.0, "cubes": 0.0, "advance": 0.0})
    ahead = "..1../.2..3/...../...../....b 1 3"  # three cubes with 0 + 1 + 0 steps against one with none
    values = {
        evaluation: Position.parse(load_game(f"ewn:setup=fixed,evaluation={evaluation}"), ahead).evaluations()[0]
        for evaluation in ("nearest", "cubes", "advance")
    }
    assert values == pytest.approx({"nearest": 25.0, "cubes": 200 / 6, "advance": 2 * 100 / 24})


def test_pig_with_one_die_has_six_equal_outcomes():
    listed = {o.name: o.probability for o in start("pig:dice=1").outcomes()}
    assert listed == pytest.approx(dict.fromkeys("123456", 1 / 6))


@pytest.mark.parametrize(
    ("before", "roll", "after"),
    [
        ("34 51 12 1 roll", "8", "34 51 20 1 decide"),
        ("34 51 12 1 roll", "1", "34 51 0 2 roll"),
        ("34 51 12 1 roll", "double-1", "0 51 0 2 roll"),
        ("34 51 12 2 roll", "1", "34 51 0 1 roll"),
        ("34 51 12 2 roll", "double-1", "34 0 0 1 roll"),
        ("95 51 12 1 roll", "12", "95 51 24 1 decide"),
    ],
)
def test_a_roll_in_pig(before, roll, after):
    assert pig(before).deal(roll) == pig(after)


@pytest.mark.parametrize(
    ("before", "action", "after"),
    [
        ("34 51 12 1 decide", "roll", "34 51 12 1 roll"),
        ("34 51 12 1 decide", "hold", "46 51 0 2 roll"),
        ("34 51 12 2 decide", "hold", "34 63 0 1 roll"),
        ("95 51 24 1 decide", "roll", "95 51 24 1 roll"),
    ],
)
def test_a_decision_in_pig(before, action, after):
    assert pig(before).play(action) == pig(after)


def test_a_turn_of_pig_begins_with_a_forced_roll():
    assert start("pig").is_chance
    assert pig("34 51 12 1 decide").play("hold").is_chance
    assert pig("34 51 12 1 roll").deal("1").is_chance


@pytest.mark.parametrize(("turn_total", "over"), [(5, False), (6, True), (7, True)])
def test_holding_at_the_goal_wins_pig(turn_total, over):
    after = pig(f"51 94 {turn_total} 2 decide").play("hold")
    assert after.is_terminal == over
    if over:
        assert after.utilities() == (-100.0, 100.0)


def test_points_not_held_win_nothing():
    assert pig("95 0 40 1 decide").turn == 0


@pytest.mark.parametrize("spec", ["pig", "pig:dice=1"])
@settings(max_examples=8)
@given(seed=seeds)
def test_holding_and_rolling_are_always_legal_and_scores_add_up(spec, seed):
    game = load_game(spec)
    for position in random_positions(game, seed):
        state = position.state
        assert min(state.score) >= 0
        assert state.pot == 0 or state.pot >= 2 * game.dice
        if position.is_terminal:
            assert max(state.score) >= game.goal
            assert state.turn == 1 - position.utilities().index(100.0)  # the winner has just moved
        elif not position.is_chance:
            assert position.action_names() == ["hold", "roll"]
            held = position.play("hold").state
            assert sum(held.score) == sum(state.score) + state.pot
            assert held.turn == 1 - state.turn


@pytest.mark.parametrize("evaluation", ["difference", "tanh"])
@settings(max_examples=40)
@given(own=st.integers(0, 99), other=st.integers(0, 99), pot=st.integers(4, 200))
def test_the_evaluations_of_pig_grow_with_points_ahead(evaluation, own, other, pot):
    game = load_game(f"pig:evaluation={evaluation}")
    first, second = Position.parse(game, f"{own} {other} {pot} 1 decide").evaluations()
    assert -100 <= first == -second <= 100
    assert (first > 0) == (own + pot > other)
    assert Position.parse(game, f"{other} {own} {pot} 2 decide").evaluations() == (second, first)


# EinStein würfelt nicht!


def test_the_fixed_setup():
    assert start(EWN, seed=1).text == start(EWN, seed=2).text == "123../45.../6...f/...ed/..cba 1 -"


def camps(position: Position) -> tuple[str, str]:
    board = position.text.split()[0].replace("/", "")
    first, second = (0, 1, 2, 5, 6, 10), (24, 23, 22, 19, 18, 14)
    assert all(board[square] == "." for square in set(range(25)) - {*first, *second})
    return "".join(board[square] for square in first), "".join(board[square] for square in second)


@cache
def random_setups() -> list[Position]:
    return [start("ewn", seed) for seed in range(480)]


def test_a_random_setup_is_drawn_from_the_seed():
    starts = random_setups()[:100]
    assert starts[7] == start("ewn", 7)
    assert len({position.text for position in starts}) > 97
    for position in starts:
        first, second = camps(position)
        assert sorted(first) == list("123456")
        assert sorted(second) == list("abcdef")
    assert any(first != second.translate(str.maketrans("abcdef", "123456")) for first, second in map(camps, starts))


def test_a_random_setup_puts_every_cube_everywhere_equally_often():
    drawn = [camps(position) for position in random_setups()]
    for player in range(2):
        for square in range(6):
            counts = Counter(camp[player][square] for camp in drawn)
            assert len(counts) == 6
            assert all(abs(count - 80) < 5 * (480 * 5 / 36) ** 0.5 for count in counts.values())


def nearest_cubes(alive: set[int], die: int) -> set[int]:
    """The rule as it is printed: the cube rolled, else the nearest lower and the nearest higher one."""
    if die in alive:
        return {die}
    return {*sorted(k for k in alive if k < die)[-1:], *sorted(k for k in alive if k > die)[:1]}


def test_cubes_1_2_5_and_a_roll_of_4_allow_2_and_5():
    names = ewn("1..../.2.../..5../...../....a 1 4").action_names()
    assert {name[0] for name in names} == {"2", "5"}


@pytest.mark.parametrize("player", [1, 2])
def test_which_cubes_may_move_for_every_set_left_and_every_roll(player):
    squares = [6, 7, 8, 11, 12, 13]  # in the middle, where a cube of either player can step
    for bits in range(1, 64):
        alive = {k for k in range(1, 7) if bits >> k - 1 & 1}
        board = ["."] * 25
        for k in alive:
            board[squares[k - 1]] = "123456"[k - 1] if player == 1 else "abcdef"[k - 1]
        board[4] = "a" if player == 1 else "1"
        rows = "/".join("".join(board[5 * row : 5 * row + 5]) for row in range(5))
        for die in range(1, 7):
            names = ewn(f"{rows} {player} {die}").action_names()
            assert {int(name[0]) for name in names} == nearest_cubes(alive, die)
            assert len(names) == 3 * len(nearest_cubes(alive, die))


@pytest.mark.parametrize(
    ("text", "legal"),
    [
        ("...../...../..1../...../....a 1 1", {"1-d2", "1-c2", "1-d3"}),
        ("...../...../....1/...../....a 1 1", {"1-e2"}),
        ("...../...../...../...../1...a 1 1", {"1-b1"}),
        ("1..../...../..a../...../..... 2 1", {"1-b4", "1-c4", "1-b3"}),
        ("1..../...../a..../...../..... 2 1", {"1-a4"}),
        ("1.a../...../...../...../..... 2 1", {"1-b5"}),
    ],
)
def test_cubes_step_towards_the_opposite_corner_and_stay_on_the_board(text, legal):
    assert set(ewn(text).action_names()) == legal


@pytest.mark.parametrize(
    ("before", "action", "after"),
    [
        ("...../...../..1../...a./..b.. 1 1", "1xd2", "...../...../...../...1./..b.. 2 -"),  # an enemy
        ("...../...../..1../...2./..b.. 1 1", "1xd2", "...../...../...../...1./..b.. 2 -"),  # one's own
        ("...../..1../..a../....b/..... 2 1", "1xc4", "...../..a../...../....b/..... 1 -"),
        ("...../.b.../..a../....1/..... 2 1", "1xb4", "...../.a.../...../....1/..... 1 -"),
    ],
)
def test_what_stands_on_the_target_square_is_removed(before, action, after):
    assert ewn(before).play(action) == ewn(after)


@pytest.mark.parametrize(
    ("text", "action", "utilities"),
    [
        ("...../...../...../...1./.a... 1 1", "1-e1", (100.0, -100.0)),  # the corner
        ("...../.a.../...../...1./..... 2 1", "1-a5", (-100.0, 100.0)),
        ("...../...../...../...1./....a 1 3", "1xe1", (100.0, -100.0)),  # both at once
        ("...../..1../...a./...../..... 1 6", "1xd3", (100.0, -100.0)),  # the last enemy
        ("...../..1../...a./...../..... 2 6", "1xc4", (-100.0, 100.0)),
    ],
)
def test_the_corner_or_the_last_enemy_wins(text, action, utilities):
    after = ewn(text).play(action)
    assert after.is_terminal
    assert after.utilities() == utilities


def test_one_stone_does_not_dice():
    positions = [ewn(f"...../..3../...../...../...a. 1 {die}") for die in range(1, 7)]
    assert {tuple(position.action_names()) for position in positions} == {("3-d3", "3-c3", "3-d4")}


@settings(max_examples=20)
@given(seed=seeds)
def test_players_alternate_and_cubes_only_vanish(seed):
    cubes, mover = 12, 0
    for position in random_positions(load_game("ewn"), seed):
        left = sum(letter not in "./" for letter in position.text.split()[0])
        assert left in (cubes, cubes - 1)
        cubes = left
        if not position.is_terminal and not position.is_chance:
            assert position.turn == mover
            assert 1 <= len(position.actions()) <= 6
            mover = 1 - mover


@settings(max_examples=12)
@given(seed=seeds)
def test_ewn_looks_the_same_from_both_corners(seed):
    position = random_position(load_game("ewn:setup=random"), seed)
    mirror = seated(position)
    assert mirror.evaluations() == position.evaluations()[::-1]
    assert count_sequences(mirror, 3) == count_sequences(position, 3)
    after = {position.play(action).text for action in position.actions()}
    assert {seated(mirror.play(action)).text for action in mirror.actions()} == after


# Random play


def random_play(starts: list[Position], games: int) -> tuple[tuple[float, float], tuple[float, float]]:
    """Decisions a game and the first player's share of wins, each with its standard error, over a batch a start."""
    from astragal.algorithms.monte_carlo.rollouts import random_games

    lengths, wins = [], []
    for batch, root in enumerate(starts):
        decisions, total, unfinished = random_games(root.game, root.memory, games, 1_000_003 * (batch + 1), 10_000)
        assert unfinished == 0
        lengths.append(decisions / games)
        wins.append((total / games + 100) / 200)
    root_of_n = len(starts) ** 0.5
    return (fmean(lengths), stdev(lengths) / root_of_n), (fmean(wins), stdev(wins) / root_of_n)


@pytest.mark.compiled
@pytest.mark.parametrize(
    ("spec", "starts", "length", "first_wins"),
    [
        (EWN, 200, (21.35593, 0.00229), (0.53217, 0.00025)),
        slow("ewn", 1000, (21.58454, 0.00231), (0.53162, 0.00025)),
        slow("pig:dice=1", 200, (52.69, 0.01), (0.5308, 0.0003)),
        slow("pig", 200, None, (0.514, 0.0016)),
    ],
    ids=["ewn fixed", "ewn random", "pig one die", "pig"],
)
def test_random_games_have_the_known_statistics(spec, starts, length, first_wins):
    """Known values are from millions of games of another program; the error is theirs and ours together."""
    measured = random_play([start(spec, seed) for seed in range(starts)], 200_000 // starts)
    for (mean, error), known in zip(measured, (length, first_wins), strict=True):
        if known is not None:
            assert abs(mean - known[0]) < 5 * (error**2 + known[1] ** 2) ** 0.5
