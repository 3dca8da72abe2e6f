"""Games of Backgammon as .mat files: written and read again, and read as other programs write them."""

from __future__ import annotations

import re

import pytest

from astragal.arena.store.game_file import GameFile, game_file, parse_mat, read_game
from astragal.base.errors import SpecError
from astragal.games import load_game
from astragal.rules.dice import Dice
from astragal.rules.position import Position

# As GNU Backgammon writes one: the second player begins, a roll cannot be played, both spellings of bar and off.
GNU = """ 0 point match

 Game 1
 gnubg : 0                         user : 0
  1)                               31: 8/5 6/5
  2) 65: 24/18 18/13               44: 24/20(2) 13/9(2)
"""


def random_game(seed: int) -> GameFile:
    dice = Dice(seed)
    start = here = Position.start(load_game("backgammon"))
    steps = []
    while not here.is_terminal:
        there = here.actions()
        steps.append(here.draw(dice) if here.is_chance else there[dice.below(len(there))])
        here = here.follow(steps[-1])
    return game_file(start, steps, ["person", "star:depth=1"])


def plays(kept: GameFile) -> list[str]:
    positions = kept.positions()
    return [
        before.action_name(step) for before, step in zip(positions, kept.steps, strict=False) if not before.is_chance
    ]


@pytest.mark.parametrize("seed", [1, 2])
def test_a_game_that_is_written_is_read_again(seed, tmp_path):
    kept = random_game(seed)
    kept.write(tmp_path / "game.mat")
    again = read_game(tmp_path / "game.mat")
    assert again.positions()[-1].utilities() == kept.positions()[-1].utilities()
    assert [p.text for p in again.positions()[1:]] == [p.text for p in kept.positions()[1:]]
    assert again.seats == ("person", "star_depth=1")
    text = (tmp_path / "game.mat").read_text()
    assert re.search(r"(?m)^ *Wins \d points?$", text)
    assert "bar/" in text or "off" in text


def test_a_file_of_another_program_is_read():
    kept = parse_mat(GNU)
    assert kept.seats == ("gnubg", "user")
    assert kept.positions()[1].turn == 1
    assert plays(kept) == ["8/5,6/5", "24/13", "24/20(2),13/9(2)"]


def test_a_hit_is_read():
    text = GNU.replace("31: 8/5 6/5", "64: 24/14").replace("65: 24/18 18/13", "62: 24/18 13/11*")
    kept = parse_mat(text.split("               44")[0])
    assert plays(kept) == ["24/14", "24/18,13/11*"]


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ("nothing", "no line 'Game 1'"),
        (GNU.replace("gnubg : 0", "gnubg"), "does not name two players"),
        (GNU.replace("8/5 6/5", "8/4 6/5"), "is no legal play"),
        (GNU.replace("65: 24/18 18/13", "Doubles => 2"), "doubling cube"),
        (GNU.replace("31: 8/5", "33: 8/5"), "cannot be rolled"),
        (GNU.replace("8/5 6/5", "99/5 6/5"), "there is no point 99"),
    ],
)
def test_what_is_no_game_is_refused_in_a_sentence(text, sentence):
    with pytest.raises(SpecError, match=re.escape(sentence)):
        parse_mat(text, "x.mat")


def test_only_games_of_backgammon_from_their_start_are_written():
    pig = Position.start(load_game("pig"), 1)
    with pytest.raises(SpecError, match=r"\.mat files are for backgammon, not for pig"):
        game_file(pig, [], ["person", "person"]).mat()
    later = Position.start(load_game("backgammon")).settled(1)
    with pytest.raises(SpecError, match="from their start"):
        game_file(later, [], ["person", "person"]).mat()
