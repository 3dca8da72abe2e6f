"""Backgammon against its rules in their plainest form, against OpenSpiel's, and in positions known by their ids."""

from __future__ import annotations

import base64
import random
from itertools import islice

import pytest

from astragal import Dice, Position, load_game, start
from astragal.base.errors import AstragalError
from astragal.drawing.pictures import picture_of
from support.backgammon_rules import board_of, turns

GAME = load_game("backgammon")
OPENING = "4HPwATDgc/ABMA"


def at(text):
    return Position.parse(GAME, text)


def boards(position):
    """The boards after each action, from the side of who plays it."""
    mover = position.state.turn
    found = []
    for action in position.actions():
        men = [int(count) for count in position.play(action).state.men]
        sides = (tuple(men[:26]), tuple(men[26:]))
        found.append(sides if mover == 0 else (sides[1], sides[0]))
    return found


def decisions(games, seed):
    """Decisions of random games."""
    dice, choice = Dice(seed), random.Random(seed)
    for _ in range(games):
        position = start(GAME).settled(dice)
        while not position.is_terminal:
            yield position
            position = position.play(choice.choice(position.actions())).settled(dice)


def test_turns_are_those_of_the_plain_rules_each_once():
    several = 0
    for position in islice(decisions(1, seed=1), 30):
        if position.state.dice[0] == position.state.dice[1] and len(position.actions()) > 60:
            continue  # all orders of four moves take long
        mine = boards(position)
        assert len(mine) == len(set(mine)), position.text
        assert set(mine) == turns(board_of(position), tuple(int(die) for die in position.state.dice)), position.text
        several += len(mine) > 1
    assert several > 15


@pytest.mark.parametrize(
    ("text", "names"),
    [
        (f"{OPENING} 1 31", {"8/5,6/5", "24/20", "13/9", "24/23,13/10"}),
        (f"{OPENING} 2 66", {"24/18(2),13/7(2)"}),
        (f"{OPENING} 1 21", {"13/10", "24/23,13/11"}),
    ],
)
def test_turns_are_called_as_players_write_them(text, names):
    assert names <= set(at(text).action_names())


def set_up(own, other, dice, player=1):
    """A position from the men on each player's own points; 25 is the bar, the rest is off."""
    number, at_bit = 0, 0
    for men in (other, own):
        for point in range(1, 26):
            count = men.get(point, 0)
            number |= ((1 << count) - 1) << at_bit
            at_bit += count + 1
    word = base64.b64encode(number.to_bytes(10, "little")).decode().rstrip("=")
    return at(f"{word} {player} {dice}")


@pytest.mark.parametrize("player", [1, 2])
def test_what_dice_allow_in_hand_made_positions(player):
    """Entering first, dancing, the higher die if only one goes, bearing off from the rear, hitting on the way."""

    def names(own, other, dice):
        return set(set_up(own, other, dice, player).action_names())

    block = {6: 2, 5: 2, 4: 2, 3: 2, 2: 2, 1: 2}
    assert names({25: 1, 6: 2}, block, "64") == {"pass"}
    assert names({25: 1, 13: 2}, {6: 2, 4: 2}, "61") == {"bar/18", "bar/24,13/7"}
    assert names({25: 2, 13: 2}, {6: 2}, "65") == {"bar/20"}
    assert names({24: 1}, {12: 2}, "65") == {"24/18"}  # either die goes, but not both
    assert names({6: 1, 1: 1}, {1: 1}, "65") == {"6/off,1/off", "6/off"}  # the second by way of 1
    assert names({3: 2, 1: 1}, {1: 1}, "54") == {"3/off(2)"}
    assert names({4: 1}, {1: 1}, "65") == {"4/off"}
    assert names({8: 1}, {22: 1, 20: 1}, "53") == {"8/5*/off", "8/3*/off"}


@pytest.mark.parametrize(
    ("own", "other", "worth"),
    [
        ({1: 1}, {3: 3, 1: 11}, 1.0),
        ({1: 1}, {6: 15}, 2.0),
        ({1: 1}, {6: 14, 22: 1}, 3.0),
        ({1: 1}, {6: 14, 25: 1}, 3.0),
    ],
)
def test_what_wins_are_worth(own, other, worth):
    position = set_up(own, other, "21").play("1/off")
    assert position.utilities() == (worth, -worth)
    game = load_game("backgammon:score=win")
    assert Position.parse(game, position.text).utilities() == (1.0, -1.0)


@pytest.mark.parametrize("player", [1, 2])
def test_a_win_is_worth_what_the_losers_rearmost_man_says(player):
    """All men on the board: three on the bar or in the winner's home, two elsewhere; with one man off, always one."""
    for rear in range(1, 26):
        last = 2 if rear == 24 else 1  # the winner's last man is not where that man is
        for off in range(2):
            other = {1: 14 - off} | {rear: 15 - off if rear == 1 else 1}
            worth = 1.0 if off else 3.0 if rear > 18 else 2.0
            position = set_up({last: 1}, other, "33", player).play(f"{last}/off")
            expected = (worth, -worth)
            assert position.utilities() == (expected if player == 1 else expected[::-1]), (rear, off)


@pytest.mark.parametrize("text", [f"{OPENING} 1 31", f"{OPENING} 2 -", f"{OPENING} 1 opening"])
def test_positions_are_written_as_they_are_read(text):
    assert at(text).text == text


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ("4HPwATDgc/ABM 1 31", "14 letters"),
        (f"{OPENING} 3 31", "the player to move"),
        (f"{OPENING} 1 37", "two digits from 1 to 6"),
        ("/////////////w 1 31", "there are 15"),
        ("AAAAAAAAAAAAAA 1 31", "no position"),
    ],
)
def test_texts_that_are_no_position_are_refused(text, sentence):
    with pytest.raises(AstragalError, match=sentence):
        at(text)


def compare_with_openspiel(games, seed):
    pytest.importorskip("pyspiel", reason="OpenSpiel is not installed (pip install astragal[openspiel])")
    from support.openspiel_backgammon import compare_games

    assert compare_games(games, seed) > 30 * games


def test_openspiel_has_the_same_turns_and_ends():
    compare_with_openspiel(2, seed=3)


@pytest.mark.slow
def test_openspiel_has_the_same_turns_and_ends_in_many_games():
    """All 10,000 games: python tests/support/openspiel_backgammon.py."""
    compare_with_openspiel(1000, seed=4)


def test_points_have_the_movers_numbers_and_say_whose_men_they_hold():
    """On the picture, as in the names of moves; the pips are those of the notation."""
    opening = start("backgammon", seed=1)
    for player in range(2):
        outcome = next(each for each in opening.outcomes() if each.name.startswith(f"player-{player + 1}"))
        here = opening.deal(outcome.number)
        picture = picture_of(here)
        labels = {item.key: item.label for item in picture.items}
        keys = [f"point-{point if player == 0 else 25 - point}" for point in (24, 13, 8, 6, 1, 12, 2)]
        assert [labels[key] for key in keys] == [
            "point 24: 2 of your men",
            "point 13: 5 of your men",
            "point 8: 3 of your men",
            "point 6: 5 of your men",
            "point 1: 2 of the opponent's men",
            "point 12: 5 of the opponent's men",
            "point 2: empty",
        ]
        for action in here.actions():
            first = here.action_name(action).split("/")[0]
            assert labels[picture.moves[action][0]].startswith(f"point {first}:")
        assert [item.text for item in picture.items if item.key.startswith("pips")] == ["167 pips", "167 pips"]
        assert picture.as_dict()["paired"] is True
