"""Backgammon's inputs of a learned evaluation: shots and runs as players count them, and places turned round."""

from __future__ import annotations

import random

from astragal import Dice, Position, load_game, start
from astragal.games.backgammon.dice import ROLLS
from astragal.games.backgammon.inputs import HOME_AT, ROW, list_contact, longest_row, turned
from astragal.games.backgammon.threats import HITS, RUNS, runs, shots, weight

GAME = load_game("backgammon")
RULES = GAME._twin_


def test_shots_at_each_distance_are_those_of_every_book():
    assert [weight(int(HITS[distance, 0])) for distance in range(1, 13)] == [11, 12, 14, 15, 15, 17, 6, 6, 5, 3, 2, 3]


def test_what_is_in_the_way_takes_combinations_off_and_direct_shots_never():
    wall = 0b11111  # five places before the attacker are closed
    assert [weight(int(HITS[distance, wall])) for distance in (1, 6, 7)] == [11, 11, 2]  # 7: only 6 and then 1
    assert weight(int(HITS[8, 0b001000])) == 4  # without double 2 and 4


def test_a_man_runs_as_he_can():
    assert runs(3, 0) == 36
    assert int(RUNS[0b111111]) == 0  # behind six closed places
    assert runs(0, 0b1111110 << 1) == int(RUNS[0b1111110])
    assert int(RUNS[1 << 6]) == 30  # only where seven leads to


def hitting_rolls(position):
    """How many of 36 rolls have a turn that hits."""
    bar, found = 26 * (1 - position.state.turn), 0
    for roll, (high, low) in enumerate(ROLLS.tolist()):
        rolled = position.follow(roll)
        before = rolled.state.men[bar]
        if any(rolled.follow(action).state.men[bar] > before for action in rolled.actions()):
            found += 1 if high == low else 2
    return found


def positions_before_rolls(count, seed):
    """Of random games, without men on the mover's bar."""
    chooser, dice = random.Random(seed), Dice(seed)
    position = start(GAME).settled(dice)
    while count > 0:
        after = position.follow(chooser.choice(position.actions()))
        if after.is_terminal:
            position = start(GAME).settled(dice)
            continue
        if after.state.men[26 * after.state.turn] == 0 and chooser.random() < 0.2:
            count -= 1
            yield after
        position = after.settled(dice)


def test_shots_are_the_rolls_that_hit_but_for_long_doubles_and_forced_dice():
    same, count = 0, 25
    for position in positions_before_rolls(count, seed=5):
        state, mover = position.state, int(position.state.turn)
        own, points = RULES.held(state, 1 - mover, 1), RULES.held(state, 1 - mover, 2)
        rolls, _ = shots(turned(own & ~points & ~1), RULES.held(state, mover, 1), turned(points))
        found = hitting_rolls(position)
        assert abs(rolls - found) <= 2, position.text
        same += rolls == found
    assert same >= 0.8 * count


def test_a_hit_costs_what_the_man_has_gone():
    lone_man = 1 << 20  # on the attackers' place 20, which is place 5 of his own
    assert shots(lone_man, 1 << 14, 0) == (17, 17 * 5)
    both = lone_man | 1 << 8  # place 17 of his own: rolls that hit either hit this one
    rolls, lost = shots(both, 1 << 14 | 1 << 7, 0)
    assert lost == 11 * 17 + (rolls - 11) * 5


def test_with_a_man_on_the_bar_no_other_hits():
    men = 1 | 1 << 14  # on the bar, and six before a man that stands alone
    assert shots(1 << 20, men, 0) == shots(1 << 20, 1, 0) == (0, 0)
    assert shots(1 << 4, men, 0) == shots(1 << 4, 1, 0) != (0, 0)


def test_points_at_home_count_for_more_against_a_man_on_the_bar():
    man, home, bar = 1 << 3, 0b11 << 20, 1

    def input_of(own, other):
        out = [0] * 7
        assert list_contact(own, home, other, 0, 0, out, 0) == 7
        return out[6] - HOME_AT

    assert [input_of(man, man), input_of(man | bar, man), input_of(man, man | bar)] == [2, 2, ROW + 2]


def test_places_are_turned_round():
    assert [turned(1 << place) for place in range(1, 25)] == [1 << 25 - place for place in range(1, 25)]
    assert turned(turned(0b1011 << 5)) == 0b1011 << 5
    assert [longest_row(bits) for bits in (0, 0b1, 0b1011, 0b110111, 0b11111111)] == [0, 1, 2, 3, 6]


def inputs_at(text, player):
    position = Position.parse(GAME, text)
    listed = [0] * GAME.own_inputs()[1]
    return set(listed[: RULES.features(position._state, player, listed)])


def test_both_sides_are_seen_alike_and_dice_are_not_seen():
    word = "4PPgASTgc/ABMA"
    assert inputs_at(f"{word} 1 -", 0) == inputs_at(f"{word} 2 -", 1) == inputs_at(f"{word} 1 42", 0)
    assert inputs_at(f"{word} 1 -", 0) != inputs_at(f"{word} 1 -", 1)
