"""Boards in the terminal: signs and colours in the shape of the plain text, and only where they are seen."""

from __future__ import annotations

import random
import re
import sys

import pytest

from astragal import load_game, start
from astragal.cli.boards import board
from astragal.drawing.pictures import drawing_module
from astragal.games import game_names
from support.helpers import Screen


def watch(monkeypatch):
    """Let standard output be a terminal for the rest of a test (pytest sets its own before it)."""
    monkeypatch.setattr(sys, "stdout", Screen())
    monkeypatch.setenv("TERM", "xterm")
    monkeypatch.delenv("NO_COLOR", raising=False)


def later(game, steps=12):
    """A position some random steps into a game."""
    position, chooser = start(game, seed=2).settled(2), random.Random(2)
    for step in range(steps):
        if position.is_terminal:
            break
        position = position.follow(chooser.choice(position.actions())).settled(step)
    return position


BOARDS = {name: drawing_module(load_game(name)) for name in game_names()}
BOARDS = {name: module.BOARD for name, module in BOARDS.items() if hasattr(module, "BOARD")}


@pytest.mark.parametrize("game", [*BOARDS, "focus:players=4", "chinese_checkers:players=6"])
def test_signs_stand_where_letters_were(game, monkeypatch):
    watch(monkeypatch)
    position = later(game)
    signs = {plain: shown for plain, (shown, _) in BOARDS[game.partition(":")[0]].signs.items()}
    coloured = board(position)
    monkeypatch.setenv("NO_COLOR", "1")
    shown = board(position)
    assert "\x1b[" in coloured
    assert re.sub(r"\x1b\[\d+m", "", coloured) == shown != str(position)
    back = {new: old for old, new in signs.items()}
    assert "".join(back.get(sign, sign) for sign in shown) == str(position)


def test_rows_and_columns_keep_their_names(monkeypatch):
    watch(monkeypatch)
    text = board(start("ewn:setup=fixed").deal("3"))
    assert text.splitlines()[-2:] == ["   a b c d e", "player 1 (123456) rolled 3"]
    assert text.startswith("5  \x1b[31m①\x1b[0m ")


@pytest.mark.parametrize("game", [*game_names(), "tic_tac_toe.kif"])
def test_pipes_get_the_plain_text(game, capsys):
    position = start(game, seed=2)
    assert board(position) == str(position)


def test_a_game_without_a_board_of_signs_is_shown_as_it_is(monkeypatch):
    watch(monkeypatch)
    assert board(start("kalah")) == str(start("kalah"))
