"""What goals are worth: utilities of ends are what the plain reasoner says of them, and cancel out where they must."""

from __future__ import annotations

import re

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from astragal.games import SHEETS, sheet_names
from astragal.gdl.joint_moves import after_round, goals_of
from astragal.gdl.playability import random_game
from astragal.gdl.reading.reader import load_sheet, read_sheet
from astragal.gdl.reading.rules import RANDOM, Sheet
from astragal.gdl.reasoning.interpreter import Interpreter
from astragal.gdl.sheets import SheetSettings, game_of_sheet
from astragal.rules.dice import Dice
from astragal.rules.position import Position
from support.gdl_sheets import COINS, COUNTDOWN, NIM, random_sheets
from support.helpers import slow_but

# Two win together or lose together: each has the same goals, and what one reaches is not what the other leaves.
TOGETHER = """
(role a) (role b) (init begun) (side left) (side right)
(<= (legal ?r ?s) (role ?r) (side ?s))
(<= (next met) (does a ?s) (does b ?s))
(<= (next missed) (does a ?s) (does b ?t) (distinct ?s ?t))
(<= terminal (not (true begun)))
(<= (goal ?r 100) (role ?r) (true met))
(<= (goal ?r 0) (role ?r) (true missed))
"""

# Of one player 50 and 100 can hold at once, and then nothing is said of the other; after each of two rounds.
SEVERAL = """
(role a) (role b) (init (round 1)) (side left) (side right)
(<= (legal ?r ?s) (role ?r) (side ?s))
(<= (next (made ?r ?s)) (does ?r ?s))
(<= (next (round 2)) (true (round 1)))
(<= terminal (not (true (round 1))) (not (true (round 2))))
(<= (goal a 50) (true (made a left)))
(<= (goal a 100) (true (made b left)))
(<= (goal b 30) (true (made a right)))
"""

# The same goals the other way round, of which two hold at once if both choose left: 100 and 50 do not add up.
AT_ONCE = """
(role a) (role b) (init begun) (side left) (side right)
(<= (legal ?r ?s) (role ?r) (side ?s))
(<= (next (made ?r ?s)) (does ?r ?s))
(<= terminal (not (true begun)))
(<= (goal a 50) (true (made a left)))
(<= (goal b 50) (true (made a left)))
(<= (goal a 100) (true (made b left)))
(<= (goal b 0) (true (made b left)))
"""

SHEETS_HERE = {"together": TOGETHER, "several": SEVERAL, "coins": COINS, "countdown": COUNTDOWN, "nim": NIM}
SHEETS_HERE["at once"] = AT_ONCE


def expected(goals: list[int | None], opposed: bool) -> tuple[float, ...]:
    """The largest goals; or, where they are said to add up to 100, by how much each is larger than the other's."""
    if not opposed:
        return tuple(float(goal or 0) for goal in goals)
    one, other = goals
    own = one if one is not None else 100 - other if other is not None else 50
    ahead = own - (other if other is not None else 100 - own)
    return float(ahead), -float(ahead)


def check_goals(sheet: Sheet, games: int, zero_sum: str = "auto", reasoner: str = "network") -> int:
    """Compare the ends of random games with the plain reasoner; how many had several goals of a player, or none."""
    plain, game = Interpreter(sheet), game_of_sheet(sheet, SheetSettings(reasoner=reasoner, zero_sum=zero_sum))
    players, dice, odd = [role for role in sheet.roles if role != RANDOM], Dice(3), 0
    assert game.utility_range == ((-100.0, 100.0) if game.zero_sum else (0.0, 100.0))
    for _ in range(games):
        played, position = random_game(plain, dice, 200), Position.start(game)
        for moves in played.moves:
            assert sum(position.evaluations()) == 0.0 or not game.zero_sum
            position = after_round(position, moves)
        if played.is_over:
            held = [plain.goals(played.last, role) for role in players]
            if zero_sum == "auto" and game.zero_sum and all(len(goals) == 1 for goals in held):
                assert sum(goals[0] for goals in held) == 100
            largest = [max(goals, default=None) for goals in held]
            assert all(goal in (told, None) for goal, told in zip(largest, goals_of(position), strict=True))
            utilities = position.utilities()
            assert utilities == expected(largest, game.zero_sum)
            assert sum(utilities) == 0.0 or not game.zero_sum
            odd += any(len(goals) != 1 for goals in held)
    return odd


@pytest.mark.parametrize("reasoner", ["network", "plain"])
@pytest.mark.parametrize("name", SHEETS_HERE)
def test_utilities_of_small_sheets_are_their_goals(name, reasoner):
    odd = check_goals(read_sheet(SHEETS_HERE[name], f"{name}.kif"), 12, reasoner=reasoner)
    assert (odd > 0) == (name in ("several", "at once"))


@pytest.mark.parametrize("name", slow_but(["tic_tac_toe.kif", "rock_paper_scissors.kif"], sheet_names()))
def test_utilities_of_every_sheet_are_its_goals(name):
    check_goals(load_sheet(SHEETS / name), 4)


@pytest.mark.parametrize("reasoner", ["network", "plain"])
def test_where_goals_are_said_to_add_up_a_missing_one_is_what_the_other_leaves(reasoner):
    assert check_goals(read_sheet(SEVERAL, "several.kif"), 12, zero_sum="on", reasoner=reasoner) > 0


def check_random_sheet(text: str, missing: bool, zero_sum: str) -> None:
    """A sheet with several goals at once, or with none where that of 0 is seldom given."""
    seldom = re.sub(r"\(goal (.) 0\)", r"(<= (goal \1 0) (true (f d)))", text)
    check_goals(read_sheet(seldom if missing else text, "random.kif"), 3, zero_sum)


ways = {"text": random_sheets(), "missing": st.booleans(), "zero_sum": st.sampled_from(["auto", "on"])}


@settings(max_examples=3)
@given(**ways)
def test_utilities_of_any_small_sheet_are_its_goals(text, missing, zero_sum):
    check_random_sheet(text, missing, zero_sum)


@pytest.mark.slow
@pytest.mark.interpreted
@settings(max_examples=60)
@given(**ways)
def test_utilities_of_many_small_sheets_are_their_goals(text, missing, zero_sum):
    check_random_sheet(text, missing, zero_sum)
