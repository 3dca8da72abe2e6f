"""Backgammon's benchmarks: turns of GNU Backgammon, where installed, are ours, pubeval's are known, luck is fair."""

from __future__ import annotations

import random
from pathlib import Path

import pytest

from astragal import Dice, Position, load_game, start

BENCHMARKS = Path(__file__).parents[2] / "benchmarks"
GAME = load_game("backgammon")
OPENING = "4HPwATDgc/ABMA"


@pytest.fixture(autouse=True)
def _benchmarks(monkeypatch):
    monkeypatch.syspath_prepend(str(BENCHMARKS))


def at(text):
    return Position.parse(GAME, text)


@pytest.mark.parametrize(("dice", "name"), [("31", "8/5,6/5"), ("42", "8/4,6/4"), ("61", "13/7,8/7"), ("65", "24/13")])
def test_pubeval_makes_points_and_runs_as_it_is_known_to(dice, name):
    from pubeval import pubeval_turn, published_weights

    for player in (1, 2):
        position = at(f"{OPENING} {player} {dice}")
        assert position.action_name(pubeval_turn(GAME, position.memory, published_weights())) == name


def test_pubevals_sum_is_that_of_its_description():
    from pubeval import published_weights, score

    race, contact = published_weights()
    assert len(race) == len(contact) == 122
    state = start(GAME).state  # two men on place 1, five on 12, three on 17, five on 19
    expected = contact[2] + contact[57] + contact[59] + contact[82] + contact[83] + contact[92] + contact[94]
    assert score.py_func(state, 0, contact) == pytest.approx(expected)
    state.men[26 + 24], state.men[26] = 1, 1  # a single man of the other on our place 1, another on the bar
    state.men[1] = 0
    expected += contact[0] - contact[2] + contact[120] / 2
    assert score.py_func(state, 0, contact) == pytest.approx(expected)


@pytest.mark.few(1)
@pytest.mark.parametrize("text", ["98EyAQgHAAAAAA 1 -", f"{OPENING} 1 opening", "4PPgASTgc/ABMA 2 -"])
def test_luck_of_rolls_is_nothing_in_the_mean(text):
    """Every outcome by the middle of the words that draw it: their luck adds up to 0, and is not 0 for each."""
    from contestants import roll_with_luck

    position, words = at(text), 30 if "opening" in text else 36
    found = [roll_with_luck(GAME, position.memory, ((2 * i + 1) << 31) // words) for i in range(words)]
    assert sum(found) == pytest.approx(0.0, abs=1e-9)
    assert max(found) > 0.01


@pytest.mark.slow
def test_turns_of_gnu_backgammon_are_legal_here_and_ids_mean_the_same():
    from contestants import GnuBackgammon
    from gnubg import program

    if program() is None:
        pytest.skip("GNU Backgammon is not installed (Debian's gnubg)")
    gnubg, chooser = GnuBackgammon(0), random.Random(1)
    try:
        opening = at(f"{OPENING} 1 31")
        assert opening.action_name(gnubg.choose(opening, 0)) == "8/5,6/5"
        for seed in range(20):
            dice = Dice(seed)
            position = start(GAME).settled(dice)
            while not position.is_terminal:
                theirs = gnubg.choose(position, 0)  # raises where it is not our turn
                chosen = theirs if chooser.random() < 0.4 else chooser.choice(position.actions())
                position = position.follow(chosen).settled(dice)
    finally:
        gnubg.close()


@pytest.mark.slow
def test_a_match_of_two_programs_ends_with_an_interval(capsys):
    from backgammon import meet

    meet(("pubeval", "random"), 20, 0, 1, GAME)
    assert "pubeval against random: +2" in capsys.readouterr().out
