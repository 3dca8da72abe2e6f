"""Contests: who sits where, what a contest is called, and what does not fit together."""

from __future__ import annotations

import json
import math
import pickle
from collections import Counter

import pytest

from astragal import AstragalError
from astragal.algorithms.limits import Limits
from astragal.arena.contest import Contest, Finish
from astragal.base.errors import SpecError
from support.arenas import coin_file

FULL = Contest.of(
    "pig:goal=10",
    ["mcs", "star1:depth=2"],
    Limits(nodes=50),
    7,
    0,
    Finish(("random", "hold:n=3"), terminal_ratio=0.003),
)


# Seatings


@pytest.mark.parametrize(("game", "count"), [("pig", 2), ("focus:players=3", 6), ("focus:players=4", 14)])
def test_two_kinds_take_every_seating_but_those_of_one_kind_alone(game, count):
    seatings = Contest.of(game, ["random", "random"]).seatings
    assert len(seatings) == len(set(seatings)) == count
    assert all(set(seated) == {0, 1} for seated in seatings)
    for seat in range(len(seatings[0])):  # each kind sits in each seat equally often
        assert Counter(seated[seat] for seated in seatings) == {0: count // 2, 1: count // 2}


@pytest.mark.parametrize(("seats", "count"), [(3, 6), (4, 24)])
def test_as_many_kinds_as_seats_take_every_order(seats, count):
    contest = Contest.of(f"focus:players={seats}", ["random"] * seats)
    assert len(set(contest.seatings)) == len(contest.seatings) == count == math.factorial(seats)
    assert all(sorted(seated) == list(range(seats)) for seated in contest.seatings)


def test_many_seats_are_taken_in_turns_and_not_in_every_order():
    contest = Contest.of("chinese_checkers:players=6", ["random"] * 6)
    assert len(contest.seatings) == 6
    for seat in range(6):
        assert {seated[seat] for seated in contest.seatings} == set(range(6))


# Words


@pytest.mark.parametrize("contest", [FULL, Contest.of("tic_tac_toe", ["random", "mm"])])
def test_a_contest_is_the_same_after_a_round_trip(contest):
    for again in (Contest.from_json(contest.to_json()), pickle.loads(pickle.dumps(contest))):
        assert again == contest
        assert again.key == contest.key
        assert again.seatings == contest.seatings
        assert hash(again) == hash(contest)


def test_a_contest_that_was_sent_loads_its_game_once():
    words = pickle.dumps(FULL)
    assert pickle.loads(words).rules is pickle.loads(words).rules


def test_a_contest_is_written_in_full_words():
    plain = json.loads(FULL.to_json())
    assert plain["game"] == "pig:goal=10"
    assert plain["limits"] == {"time": None, "nodes": 50, "depth": None, "sims": None}
    assert plain["finish"] == {"players": ["random", "hold:n=3"], "ply": None, "terminal_ratio": 0.003}
    assert Contest.of("pig:goal=100", ["random", "hold:n=23"]) == Contest.of("pig", ["random", "hold"])


def test_a_users_game_can_be_sent(tmp_path):
    contest = Contest.of(str(coin_file(tmp_path)), ["random", "random"])
    assert pickle.loads(pickle.dumps(contest)).rules == contest.rules


def test_another_source_of_a_users_game_is_another_contest(tmp_path):
    file = coin_file(tmp_path)
    before = Contest.of(str(file), ["random", "random"])
    coin_file(tmp_path, misdeed="dummy = 1")
    after = Contest.of(str(file), ["random", "random"])
    assert before.key != after.key
    with pytest.raises(AstragalError, match=r"the game .*coin.py:Coin has been edited since this contest began"):
        Contest.from_json(before.to_json()).rules  # noqa: B018
    coin_file(tmp_path)
    assert Contest.from_json(before.to_json()).rules == Contest.of(str(file), ["random", "random"]).rules


def test_seats_are_known_without_the_game(tmp_path):
    file = coin_file(tmp_path)
    words = Contest.of(str(file), ["random", "random"]).to_json()
    file.unlink()
    assert Contest.from_json(words).seatings == [(0, 1), (1, 0)]


def test_different_contests_have_different_keys():
    same = ("pig", ["random", "hold"])
    contests = [
        Contest.of(*same),
        Contest.of("pig:goal=50", ["random", "hold"]),
        Contest.of("pig", ["hold", "random"]),
        Contest.of("pig", ["random", "hold:n=20"]),
        Contest.of(*same, seed=1),
        Contest.of(*same, Limits(nodes=5)),
        Contest.of(*same, Limits(time=5)),
        Contest.of(*same, matched=0),
        Contest.of(*same, matched=1),
        Contest.of(*same, finish=Finish(("hold", "hold"), ply=4)),
        Contest.of(*same, finish=Finish(("hold", "hold"), ply=5)),
        Contest.of(*same, finish=Finish(("hold", "hold"), terminal_ratio=4)),
    ]
    assert len({contest.key for contest in contests}) == len(contests)
    assert Contest.of(*same).key == contests[0].key


# Seeds


def test_no_two_seeds_of_a_contest_are_the_same():
    contest = Contest.of("pig", ["random", "hold"])
    seeds = [contest.pair_seed(pair) for pair in range(500)]
    seeds += [contest.search_seed(pair, game, ply) for pair in range(50) for game in range(2) for ply in range(20)]
    assert len(set(seeds)) == len(seeds)
    assert all(0 <= seed < 2**64 for seed in seeds)


def test_the_dice_of_a_pair_are_not_what_sets_up_its_position():
    from astragal.rules.dice import Dice

    contest = Contest.of("ewn", ["random", "random"])
    for pair in range(20):
        setup = Dice(contest.pair_seed(pair))
        words = {setup.word() for _ in range(100)}
        dice = contest.dice(pair)
        assert not words & {dice.word() for _ in range(100)}


# What does not fit


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        (("pig", ["random"]), "pig has 2 seats: name 2 players, not 1"),
        (("pig", ["random"] * 3), "pig has 2 seats: name 2 players, not 3"),
        (("focus:players=4", ["random"] * 3), "focus:players=4 has 4 seats: name 2 or 4 players, not 3"),
        (("nim", ["random"] * 2), "there is no game 'nim'"),
        (("pig", ["random", "rondom"]), "there is no player 'rondom'"),
        (("pig:goal=ten", ["random", "random"]), "goal"),
        (("tic_tac_toe", ["random", "hold"]), "hold only plays pig, not tic_tac_toe"),
        (("focus:players=3", ["random"] * 3, None, 0, 0), "budgets can be matched between two players only"),
        (("pig", ["random"] * 2, None, 0, 2), "budgets are matched for player 1 or 2, not 3"),
        (("pig", ["random"] * 2, None, 0, None, Finish(("hold",), 3)), "2 players need as many to finish"),
        (("pig", ["random"] * 2, None, 0, None, Finish(("hold", "mm"), 3)), "mm"),
        (("pig", ["random"] * 2, None, 0, None, Finish(("hold", "hold"))), "say when others finish"),
        (("pig", ["random"] * 2, None, 0, None, Finish(("hold", "hold"), 3, 0.1)), "say when others finish"),
        (("pig", ["random"] * 2, None, 0, None, Finish(("hold", "hold"), -1)), "must be 0 or more, not -1"),
        (("pig", ["random"] * 2, None, 0, None, Finish(("hold", "hold"), None, -0.1)), "must be 0 or more, not -0.1"),
    ],
)
def test_what_does_not_fit_is_said_in_a_sentence(arguments, sentence):
    with pytest.raises(AstragalError) as raised:
        Contest.of(*arguments)
    assert sentence in str(raised.value)
    assert "\n" not in str(raised.value)


def test_limits_that_are_none_are_refused():
    with pytest.raises(SpecError, match="nodes must be more than 0"):
        Limits(nodes=0)
