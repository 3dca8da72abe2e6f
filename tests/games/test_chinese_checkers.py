"""The rules of Chinese Checkers on both stars: counts, hand-made positions, options, symmetries and random play."""

from __future__ import annotations

import json

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from astragal import Position, load_game, start
from astragal.algorithms.monte_carlo.rollouts import random_games
from astragal.base.errors import AstragalError
from astragal.compiler.interpreted import run_interpreted
from astragal.compiler.intrinsics.primitives import nth_bit
from astragal.compiler.intrinsics.vector_words import four
from astragal.compiler.records import State
from astragal.games.chinese_checkers.board import chains, hops, over, overs
from astragal.games.chinese_checkers.longer import longer_chains, tickets
from astragal.rules.perft import count_sequences
from support.helpers import DATA, countable, random_positions
from support.ordered_play import ordered_games
from support.seats import rotated, seated, seats_of_a_turn

# Sequences of 1 to 5 actions, counted by two other programs, and up to 3 on the full star by OpenSpiel.
PERFT = {
    ("small", 2): [10, 100, 1800, 32400, 632520],
    ("small", 3): [10, 100, 1000, 18000, 324120],
    ("small", 4): [10, 103, 1030, 10609, 188696],
    ("small", 6): [10, 103, 1065, 11009, 113800],
    ("full", 2): [14, 196, 4760, 115600, 3188520],
    ("full", 3): [14, 196, 2744, 66640, 1618400],
    ("full", 4): [14, 199, 2786, 39601, 958384],
    ("full", 6): [14, 199, 2828, 40189, 571130],
}
# With resting=transit, sequences of 1 to 4, counted by another program. stay=on changes nothing so early.
TRANSIT = {
    ("small", 2): [10, 100, 1720, 29584],
    ("small", 3): [10, 100, 1000, 17200],
    ("small", 4): [10, 101, 1010, 10201],
    ("small", 6): [10, 101, 1020, 10301],
    ("full", 2): [14, 196, 4648, 110224],
    ("full", 3): [14, 196, 2744, 65072],
    ("full", 4): [14, 197, 2758, 38809],
    ("full", 6): [14, 197, 2772, 39005],
}
VARIANTS = ["", "star=full", "players=3", "players=4,resting=transit", "players=6", "players=3,stay=on,resting=transit"]
VARIANTS += ["players=6,win=filled_one_own", "stay=on,star=full,players=4"]
POSITIONS = json.loads((DATA / "cc_positions.json").read_text())
SIDE = {"small": 3, "full": 4}
seeds = st.integers(0, 2**32)


def checkers(settings: str, text: str) -> Position:
    return Position.parse(load_game(f"chinese_checkers:{settings}" if settings else "chinese_checkers"), text)


def early_position(game, seed: int) -> Position:
    """A position of a random game that has begun to mix."""
    return [here for here in random_positions(game, seed, plies=60 + seed % 7) if not here.is_terminal][-1]


def row_lengths(side: int) -> list[int]:
    """From the top: a point, the widest row, the waist, the widest again and a point."""
    upper = [*range(1, side + 1), *range(3 * side + 1, 2 * side, -1)]
    return [*upper, *upper[-2::-1]]


def text_of(men: dict[str, list[str]], player: int = 1, side: int = 3) -> str:
    owner = {cell: digit for digit, cells in men.items() for cell in cells}
    rows = ["".join(owner.get(f"{row}.{k}", ".") for k in range(n)) for row, n in enumerate(row_lengths(side))]
    return f"{'/'.join(rows)} {player}"


def men_of(text: str) -> dict[str, str]:
    """Each man's cell and owner."""
    rows = text.split()[0].split("/")
    return {f"{row}.{k}": who for row, line in enumerate(rows) for k, who in enumerate(line) if who != "."}


# Counts and hand-made positions


@pytest.mark.few(4)
@pytest.mark.parametrize("size", PERFT, ids=str)
def test_perft_from_the_start(size):
    position = start(f"chinese_checkers:star={size[0]},players={size[1]}")
    known = countable(PERFT[size])
    assert [count_sequences(position, plies + 1) for plies in range(len(known))] == known


@pytest.mark.few(4)
@pytest.mark.parametrize("size", TRANSIT, ids=str)
def test_perft_where_moves_may_not_end_in_foreign_corners(size):
    position = start(f"chinese_checkers:star={size[0]},players={size[1]},resting=transit")
    known = countable(TRANSIT[size])
    assert [count_sequences(position, plies + 1) for plies in range(len(known))] == known


@pytest.mark.parametrize("players", [2, 6])
def test_perft_is_the_same_at_first_if_men_stay_in_the_goal(players):
    position = start(f"chinese_checkers:players={players},stay=on")
    known = countable(PERFT["small", players][:4])
    assert [count_sequences(position, plies + 1) for plies in range(len(known))] == known


@pytest.mark.parametrize("case", POSITIONS, ids=[f"{case['id']}: {case['desc']}" for case in POSITIONS])
def test_positions_made_by_hand(case):
    rules = case["rules"]
    stay = "off" if rules["leave_goal"] else "on"
    options = f"players={case['players']},win={rules['win']},resting={rules['third_corners']},stay={stay}"
    position = checkers(options, text_of(case["pieces"], case["to_move"]))
    assert sorted(position.action_names()) == sorted(case["legal"] or ["pass"])
    for cell, ends in case.get("destinations_of", {}).items():
        found = [name.split("-")[1] for name in position.action_names() if name.split("-")[0] == cell]
        assert sorted(found) == sorted(ends)
    if "action" in case:
        after = position.play(case["action"])
        assert after.text.split()[1] == str(case["to_move_after"])
        assert after.is_terminal == (case["result_after"] is not None)
        if after.is_terminal:
            assert after.utilities()[case["result_after"][1] - 1] == 100.0


def test_a_man_in_the_goal_may_hop_out_of_it_and_in_again():
    """stay=on looks at where a move ends."""
    position = checkers("stay=on", text_of({"1": ["10.0"], "2": ["9.4", "9.5"]}))  # 10.0 hops to 8.4 and to 10.2
    assert sorted(position.action_names()) == ["10.0-10.1", "10.0-10.2", "10.0-11.0"]


def test_a_pass_leaves_everything_as_it_is():
    before = checkers("", text_of({"1": ["0.0"], "2": ["1.0", "1.1", "2.0", "2.1", "2.2", "6.3"]}))
    after = before.play("pass")
    assert after.turn == 1
    assert men_of(after.text) == men_of(before.text)


def test_if_two_goals_are_full_the_last_mover_has_won():
    men = {"1": ["12.0", "11.0", "11.1", "10.0", "10.1", "10.2"], "2": ["0.0", "1.0", "1.1", "2.0", "2.1", "2.2"]}
    utilities = [checkers("win=filled_one_own", text_of(men, player)).utilities() for player in (1, 2)]
    assert utilities == [(-100.0, 100.0), (100.0, -100.0)]


def test_somebody_elses_move_can_fill_a_goal():
    men = {"1": ["12.0", "11.0", "11.1", "10.0", "10.1", "6.0"], "2": ["9.5", "5.0", "5.1"]}
    after = checkers("win=filled_one_own", text_of(men, 2)).play("9.5-10.2")
    assert after.utilities() == (100.0, -100.0)


def test_after_so_many_plies_the_game_is_drawn():
    position = start("chinese_checkers:cap=2").play("2.0-3.3").play("10.0-9.3")
    assert position.is_terminal
    assert position.utilities() == (0.0, 0.0)
    assert load_game("chinese_checkers").max_plies == 400
    assert load_game("chinese_checkers:star=full").max_plies == 1000


# Order and random choice


def cube(cell: str, side: int) -> tuple[int, int, int]:
    row, k = map(int, cell.split("."))
    z = row - 2 * side
    first = -side - z if z < -side or 0 < z <= side else -side  # the least x of the row
    return first + k, -(first + k) - z, z


TIPS = [(1, 1, -2), (2, -1, -1), (1, -2, 1), (-1, -1, 2), (-2, 1, 1), (-1, 2, -1)]  # times the side, clockwise
CORNERS = {2: (0, 3), 3: (0, 2, 4), 4: (0, 1, 3, 4), 6: range(6)}


def steps_to_goal(cell: str, game, player: int) -> int:
    tip = TIPS[(CORNERS[game.players][player] + 3) % 6]
    return max(abs(a - SIDE[game.star] * b) for a, b in zip(cube(cell, SIDE[game.star]), tip, strict=True))


@pytest.mark.few(1)
@pytest.mark.parametrize("variant", VARIANTS)
@settings(max_examples=2)
@given(seed=seeds)
def test_actions_come_by_their_gain_and_the_best_are_preferred(variant, seed):
    position = early_position(load_game(f"chinese_checkers:{variant}" if variant else "chinese_checkers"), seed)
    names = position.action_names()
    gains = []
    for name in names:
        here, to = name.split("-")
        gains.append(
            steps_to_goal(here, position.game, position.turn) - steps_to_goal(to, position.game, position.turn)
        )
    assert gains == sorted(gains, reverse=True)
    best = {name for name, gain in zip(names, gains, strict=True) if gain == max(gains)}
    rules, state = position.rules, position.state
    words = [int((i + 0.5) / (4 * len(best)) * 2**32) for i in range(4 * len(best))]
    assert {position.action_name(int(rules.prefer(state, word))) for word in words} == best


def assert_picked_equally_often(position: Position, each: int = 40) -> None:
    actions = position.actions()
    rules, state = position.rules, position.state
    counts = dict.fromkeys(actions, 0)
    for i in range(each * len(actions)):
        counts[int(rules.pick(state, i * 2654435761 % 2**32))] += 1
    chi_squared = sum((count - each) ** 2 / each for count in counts.values())
    freedom = len(actions) - 1
    assert chi_squared <= freedom + 5 * (2 * freedom) ** 0.5


@pytest.mark.few(2)
@pytest.mark.parametrize("variant", VARIANTS)
def test_any_action_is_picked_equally_often(variant):
    """Over many random words, at positions with many hops."""
    assert_picked_equally_often(
        early_position(load_game(f"chinese_checkers:{variant}" if variant else "chinese_checkers"), 5)
    )


@pytest.mark.few(2)
@pytest.mark.parametrize(
    "men",
    [
        {"1": ["0.0"], "2": ["1.0", "1.1", "2.0", "2.1", "2.2", "6.3"]},  # a pass
        {"1": ["0.0"], "2": ["1.0", "1.1", "2.0", "2.1", "6.3"]},  # one hop
        {"1": ["0.0", "1.0", "1.1", "2.0", "2.1", "2.2"], "2": ["3.3", "3.4", "3.5", "3.6", "5.3", "5.4"]},
        {"1": ["6.0", "6.6"], "2": ["6.1", "6.3", "6.5", "5.2", "7.4"]},  # two chains along the same row
    ],
)
def test_of_few_actions_any_is_picked_equally_often(men):
    """Of most men and directions there is no move."""
    assert_picked_equally_often(checkers("", text_of(men)), 150)


# Whole random games


def rolled_out(position: Position, seed: int, decisions: int) -> tuple[Position, int]:
    """Where a game played on at random leads, and after how many decisions."""
    memory = position.memory
    made = position.rules.rollout(State(memory), np.uint64(seed * 0x9E3779B97F4A7C15 % 2**64), decisions)[1]
    return Position(position.game, memory), made


def assert_equally_often(position: Position, each: int = 40) -> None:
    """Of all positions an action away, each is come to as often as any other."""
    counts = {position.play(action): 0 for action in position.actions()}
    for seed in range(each * len(counts)):
        after, made = rolled_out(position, seed, 1)
        assert made == 1
        counts[after] += 1
    chi_squared = sum((count - each) ** 2 / each for count in counts.values())
    freedom = len(counts) - 1
    assert chi_squared <= freedom + 5 * (2 * freedom) ** 0.5


@pytest.mark.few(2)
@pytest.mark.parametrize("variant", VARIANTS)
def test_any_action_is_played_equally_often_by_rollouts(variant):
    assert_equally_often(early_position(load_game(f"chinese_checkers:{variant}" if variant else "chinese_checkers"), 5))


CHAINS = [
    {"1": ["3.0"], "2": ["3.1", "3.3", "3.5", "3.7"]},  # a chain of four hops
    {"1": ["6.0", "6.6"], "2": ["6.1", "6.3", "6.5", "5.2", "7.4"]},  # two chains along the same row
    {"1": ["6.0", "8.0"], "2": ["6.1", "6.3", "6.5", "5.4", "7.2", "7.5"]},  # chains that part and meet
    {"1": ["0.0"], "2": ["1.0", "1.1", "2.0", "2.1", "2.2", "6.3"]},  # a pass
]


@pytest.mark.parametrize("men", CHAINS)
def test_longer_chains_are_played_equally_often_by_rollouts(men):
    assert_equally_often(checkers("", text_of(men)), 150)


@pytest.mark.few(2)
@pytest.mark.parametrize("variant", VARIANTS)
def test_every_longer_chain_has_a_ticket(variant):
    """Where a chain of two hops or more may end, as found for all men at once, are all the cells where one does."""
    game = load_game(f"chinese_checkers:{variant}" if variant else "chinese_checkers")
    for position in list(random_positions(game, 7, plies=120))[::6]:
        if not position.is_terminal:
            assert_chains_have_tickets(position)


def assert_chains_have_tickets(position: Position) -> None:
    rules, state = position.rules, position.state
    taken = [sum(int(state.men[player, net]) for player in range(rules.players)) for net in range(4)]
    free = [int(rules.board[net]) & ~taken[net] for net in range(4)]
    found = longer_chains(four(state.men, state.turn), tuple(free), overs(tuple(taken)))
    count = [0] * 4
    for net in range(4):
        axes = [over(taken, net, axis) for axis in range(3)]
        for bit in range(63):
            if int(state.men[state.turn, net]) >> bit & 1:
                first = hops(1 << bit, *axes, free[net])
                longer = chains(first, *axes, free[net]) & ~first
                assert longer & ~found[1][net] == 0
                assert not longer or found[0][net] >> bit & 1
                count[net] += longer.bit_count()
    assert all(some <= most for some, most in zip(count, tickets(found), strict=True))


@pytest.mark.few(4)
@pytest.mark.parametrize("variant", VARIANTS)
@settings(max_examples=2)
@given(seed=seeds)
def test_a_rollout_leads_to_a_position(variant, seed):
    """Distances and what else follows from the men are as a text has it, and no player has moved twice."""
    game = load_game(f"chinese_checkers:{variant}" if variant else "chinese_checkers")
    position, made = rolled_out(Position.start(game), seed, 25)
    assert made == position.state.plies == 25
    assert position.turn == 25 % game.players
    assert Position.parse(game, position.text) == position


def test_rollouts_come_wherever_moves_lead():
    """Cells that were left are free again, and men are found where they have gone."""
    position = checkers("", text_of({"1": ["0.0"], "2": ["12.0"]}))
    reached = {position}
    for _ in range(3):
        reached = {here.play(action) for here in reached for action in here.actions()}
    assert {rolled_out(position, seed, 3)[0] for seed in range(60 * len(reached))} == reached


def test_rollouts_end_with_the_game():
    men = {"1": ["12.0", "11.0", "11.1", "10.0", "10.1", "9.5"], "2": ["0.0", "1.0", "1.1", "2.0", "2.1", "3.3"]}
    ends = [rolled_out(checkers("", text_of(men)), seed, 20) for seed in range(200)]
    won = [(end, made) for end, made in ends if made < 20]
    assert won
    assert all(end.is_terminal and end.state.plies == made for end, made in won)
    last, made = rolled_out(Position.parse(load_game("chinese_checkers:cap=9"), text_of(men)), 1, 20)
    assert last.is_terminal
    assert made <= 9


@pytest.mark.compiled
def test_compiled_rollouts_are_the_interpreted_ones():
    root = start("chinese_checkers").memory
    for seed in range(3):
        given = load_game("chinese_checkers"), root, 2, seed, 60
        assert random_games(*given) == run_interpreted(random_games, *given)


# Invariants and symmetries


@pytest.mark.few(1)
@pytest.mark.parametrize("variant", VARIANTS)
@settings(max_examples=2)
@given(seed=seeds)
def test_men_stay_on_the_board_and_distances_are_right(variant, seed):
    game = load_game(f"chinese_checkers:{variant}" if variant else "chinese_checkers")
    for position in random_positions(game, seed, plies=40):
        men = men_of(position.text)
        for player in range(game.players):
            own = [cell for cell, who in men.items() if who == str(player + 1)]
            assert len(own) == game.each
            assert position.state.distance[player] == sum(steps_to_goal(cell, game, player) for cell in own)


@pytest.mark.few(1)
@pytest.mark.parametrize("variant", ["", "star=full,players=4", "players=3", "players=6,resting=transit,stay=on"])
@settings(max_examples=2)
@given(seed=seeds)
def test_the_star_looks_the_same_from_every_corner(variant, seed):
    position = early_position(load_game(f"chinese_checkers:{variant}" if variant else "chinese_checkers"), seed)
    other = seated(position)
    assert other.evaluations() == tuple(rotated(position.evaluations(), seats_of_a_turn(position.game)))
    assert count_sequences(other, 2) == count_sequences(position, 2)
    after = {seated(position.play(action)).text for action in position.actions()}
    assert {other.play(action).text for action in other.actions()} == after


@pytest.mark.parametrize(
    ("star", "players", "left", "cells", "men"),
    [("small", 2, (64, 8), 73, 6), ("full", 6, (140, 20), 121, 10), ("small", 3, (64, 8), 73, 6)],
)
def test_the_stars_have_their_sizes(star, players, left, cells, men):
    position = start(f"chinese_checkers:star={star},players={players}")
    game = position.game
    assert (game.farthest, game.nearest, game.each) == (*left, men)
    assert len(position.text.split()[0].replace("/", "")) == cells
    assert position.evaluations() == (0.0,) * players


def test_the_evaluation_is_the_share_of_the_way():
    position = start("chinese_checkers").play("2.0-3.3")
    assert position.evaluations() == pytest.approx((100 / 56, -100 / 56))
    three = start("chinese_checkers:players=3").play("2.0-3.3").play("7.7-7.6")
    assert three.evaluations() == pytest.approx((0.0, 0.0, -100 / 56))


# Random play


KNOWN = {  # mean plies by the order with a twentieth of random moves, from 5,000 games of another program
    ("small", 2): (64.1, 0.22),
    ("small", 3): (86.3, 0.14),
    ("small", 4): (96.0, 0.17),
    ("small", 6): (123.4, 0.21),
    ("full", 2): (128.1, 0.28),
    ("full", 3): (170.8, 0.22),
}


@pytest.mark.slow
@pytest.mark.parametrize("size", KNOWN, ids=str)
def test_games_by_the_order_have_the_known_length(size):
    played = ordered_games(start(f"chinese_checkers:star={size[0]},players={size[1]}"), 3000)
    assert played.agrees_with(*KNOWN[size])
    assert played.wins[-1] <= 3  # a game in ten thousand or so is blocked for long enough to be drawn


@pytest.mark.slow
@pytest.mark.parametrize(("players", "plies", "error"), [(2, 62.4, 0.13), (6, 93.6, 0.40)])
def test_games_are_shorter_if_one_man_in_a_full_goal_wins(players, plies, error):
    played = ordered_games(start(f"chinese_checkers:players={players},win=filled_one_own"), 3000)
    assert played.agrees_with(plies, error)


@pytest.mark.slow
def test_uniform_games_do_not_end():
    assert ordered_games(start("chinese_checkers"), 200, epsilon=1.0).wins == [0, 0, 200]


# Texts


@pytest.mark.parametrize(
    ("setting", "sentence"),
    [
        ("players=5", "for 2, 3, 4 and 6 players, not for 5"),
        ("players=7", "players=7 is too large"),
        ("star=large", "star=large is not one of small, full"),
        ("resting=never", "resting=never is not one of free, transit"),
        ("cap=0", "cap=0 is too small"),
    ],
)
def test_what_cannot_be_set_is_refused_in_a_sentence(setting, sentence):
    with pytest.raises(AstragalError, match=sentence):
        load_game(f"chinese_checkers:{setting}")


GOOD = "1/11/111/........../........./......../......./......../........./........../222/22/2 1"
HOME = "2/22/222/........../........./......../......./......../........./........../111/11/1 1"


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        (GOOD.split()[0], "write rows player plies"),
        (f"{GOOD} x", "write rows player plies"),
        (GOOD[:-1] + "3", "a number from 1 to 2, not '3'"),
        (f"{GOOD} 401", "drawn after 400 plies"),
        (GOOD.replace("11/", "1/", 1), "rows of 1, 2, 3, 10, 9, 8, 7, 8, 9, 10, 3, 2, 1 cells"),
        (GOOD.replace("222", "232"), "1 to 2, not '3'"),
        (GOOD.replace("/.", "/1", 1), "player 1 has 7 men; the game has 6"),
        (HOME, "only one player can have filled the goal"),
    ],
)
def test_what_is_no_position_is_refused_in_a_sentence(text, sentence):
    with pytest.raises(AstragalError, match=sentence):
        checkers("", text)


def test_a_finished_game_can_be_written_and_read_back():
    men = {"1": ["12.0", "11.0", "11.1", "10.0", "10.1", "9.5"], "2": ["0.0", "1.0", "1.1", "2.0", "2.1", "3.3"]}
    after = checkers("", text_of(men)).play("9.5-10.2")
    assert after.is_terminal
    assert checkers("", after.text) == after


def test_the_picture():
    assert str(start("chinese_checkers:players=3").play("2.0-3.3")).splitlines() == [
        " 0          1",
        " 1         1 1",
        " 2        . 1 1",
        " 3 . . . 1 . . . . . .",
        " 4  . . . . . . . . .",
        " 5   . . . . . . . .",
        " 6    . . . . . . .",
        " 7   3 . . . . . . 2",
        " 8  3 3 . . . . . 2 2",
        " 9 3 3 3 . . . . 2 2 2",
        "10        . . .",
        "11         . .",
        "12          .",
        "player 2 to move",
    ]


@given(value=st.integers(1, 2**62), n=st.integers(0, 61))
def test_the_nth_bit_is_the_nth_bit(value, n):
    places = [place for place in range(63) if value >> place & 1]
    assert nth_bit(value, n % len(places)) == places[n % len(places)]
