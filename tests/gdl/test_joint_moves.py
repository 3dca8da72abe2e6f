"""Joint moves on positions of a sheet's game give what the interpreter says."""

from __future__ import annotations

import pytest

from astragal.base.errors import IllegalAction
from astragal.gdl.joint_moves import after_round, choosing_first, goals_of, legal_moves
from astragal.gdl.reading.reader import read_sheet
from astragal.gdl.reading.rules import kif
from astragal.gdl.reasoning.interpreter import Interpreter
from astragal.gdl.sheets import game_of_sheet
from astragal.rules.dice import Dice
from astragal.rules.position import Position
from support.gdl_sheets import COINS, COUNTDOWN, NIM

sheets = pytest.mark.parametrize("text", [COUNTDOWN, NIM, COINS], ids=["countdown", "nim", "coins"])


def facts(position: Position) -> list[str]:
    return sorted(filter(None, position.text.partition(" ;")[0].replace(") (", ")\n(").split("\n")))


@sheets
@pytest.mark.parametrize("seed", range(5))
def test_rounds_are_those_of_the_interpreter(text: str, seed: int) -> None:
    sheet = read_sheet(text, "test.kif")
    interpreter, dice = Interpreter(sheet), Dice(seed)
    position, state = Position.start(game_of_sheet(sheet)), interpreter.initial()
    while not interpreter.is_terminal(state):
        assert facts(position) == sorted(map(kif, state))
        assert not position.is_terminal
        moves = {}
        for role in sheet.roles:
            legal = interpreter.legal(state, role)
            assert sorted(legal_moves(position, role), key=kif) == legal
            moves[role] = legal[dice.below(len(legal))]
        state = interpreter.next(state, moves)
        position = after_round(position, moves)
    assert position.is_terminal
    assert goals_of(position) == tuple(interpreter.goals(state, role)[0] for role in position.game.own_roles())


def test_an_illegal_move_is_refused_even_of_a_role_without_choice() -> None:
    position = Position.start(game_of_sheet(read_sheet(NIM, "test.kif")))
    with pytest.raises(IllegalAction, match=r"\(take 1\) is not a legal move of b here"):
        after_round(position, {"a": ("take", "1"), "b": ("take", "1")})
    with pytest.raises(IllegalAction, match="wait is not a legal move of a here"):
        after_round(position, {"a": "wait", "b": "wait"})


def test_a_role_is_put_first_if_it_has_a_choice() -> None:
    position = Position.start(game_of_sheet(read_sheet(COINS, "test.kif")))
    assert position.turn == 0
    first = choosing_first(position, "right")
    assert first is not None
    assert first.turn == 1
    assert first.action_names() == ["heads", "tails"]
    assert choosing_first(Position.start(game_of_sheet(read_sheet(NIM, "test.kif"))), "b") is None


def test_who_is_put_first_is_asked_first_in_all_rounds_that_follow() -> None:
    """So that a role is searched as if it chose first, later too."""
    for role, seat in (("left", 0), ("right", 1)):
        here = choosing_first(Position.start(game_of_sheet(read_sheet(COINS, "test.kif"))), role)
        while here is not None and not here.is_terminal:
            assert here.turn == seat
            here = after_round(here, {"left": "heads", "random": "heads", "right": "tails"})
        assert here is not None
