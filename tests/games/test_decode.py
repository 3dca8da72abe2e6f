"""`decode` of games' actions and states, so that their packing is private to them."""

from __future__ import annotations

import re

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from astragal import Position, load_game, start
from astragal.games.chinese_checkers.board import cell_names
from astragal.games.ewn.board import board_of, square_name
from astragal.games.focus.board import NAMES
from astragal.games.ra.tiles import NAMES as TILES
from support.helpers import PACKAGE, random_position

seeds = st.integers(0, 2**32)
DECODED = ["ewn", "ra", "cant_stop", "cant_stop:players=3", "focus", "focus:players=3", "chinese_checkers"]


def named(position: Position, action: int) -> str:
    """The name of an action, put together from what it decodes to."""
    found = position.decode(action)
    kind = type(position.game).__name__
    if found is None:
        return "pass"
    if kind == "EWN":
        captured = "-" if board_of(position.state)[found.to] == 12 else "x"
        return f"{found.cube % 6 + 1}{captured}{square_name(found.to)}"
    if kind == "Ra":
        which = "" if found.which is None else f"-{found.which}" if found.what == "bid" else f"-{TILES[found.which]}"
        return f"{found.what}{which}"
    if kind == "CantStop":
        return "+".join(map(str, found.columns)) if found.what == "climb" else found.what
    if kind == "Focus":
        return f"@{NAMES[found.to]}" if found.source is None else f"{NAMES[found.source]}-{NAMES[found.to]}"
    names = cell_names(position.game.side)
    return f"{names[found.source]}-{names[found.to]}"


@pytest.mark.few(2)
@pytest.mark.parametrize("spec", DECODED)
@settings(max_examples=4)
@given(seed=seeds)
def test_actions_decode_to_what_their_names_say(spec, seed):
    position = random_position(load_game(spec), seed)
    assert [named(position, action) for action in position.actions()] == position.action_names()


@settings(max_examples=25)
@given(seed=seeds)
def test_a_cube_moves_from_where_it_stands(seed):
    position = random_position(load_game("ewn"), seed)
    for action in position.actions():
        cube, source, to = position.decode(action)
        after = position.follow(action).state
        assert (board_of(position.state)[source], board_of(after)[to]) == (cube, cube)


@pytest.mark.parametrize(
    ("spec", "text", "name", "decoded"),
    [
        ("ewn", "123../45.../6...f/...ed/..cba 1 3", "3-d5", (2, 2, 3)),
        ("cant_stop", "6:3,7:2 8:1 7:4 1 decide", "stop", ("stop", ())),
        ("cant_stop", "- - - 1 1133", "2+6", ("climb", (2, 6))),
        ("cant_stop", "- - - 1 1133", "4+4", ("climb", (4, 4))),
        ("cant_stop", "- - 2:1,3:1,12:1 1 1245", "3", ("climb", (3,))),
        ("ra", "g8r30 n2p 0 1 2569/-/10/- 3478/-/10/fA2 1 turn 1", "draw", ("draw", None)),
        ("ra", "g8r29 n2p 1 1 2569/-/10/- 3478/-/10/fA2 1 auction 2 1 0", "bid-7", ("bid", 7)),
    ],
)
def test_decoded_by_hand(spec, text, name, decoded):
    position = Position.parse(load_game(spec), text)
    assert position.decode(position.find_action(name)) == decoded


def test_a_game_without_decode_has_plain_numbers():
    position = start("connect_four")
    assert [position.decode(action) for action in position.actions()] == position.actions()


def test_nobody_above_the_games_asks_for_the_twin_or_takes_an_action_apart():
    """Interpreted games are ``position.rules``, and what an action means is what its game decodes."""
    apart = re.compile(r"_twin_\b|\baction\s*(>>|&)")
    lower = {"compiler", "rules", "games", "gdl"}
    files = [path for path in PACKAGE.rglob("*.py") if path.relative_to(PACKAGE).parts[0] not in lower]
    assert len(files) > 100
    assert [path for path in files if apart.search(path.read_text(encoding="utf-8"))] == []
