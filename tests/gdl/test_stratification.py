"""Negation in circles: accepted with a warning where no instance is in one, refused where one is."""

from __future__ import annotations

import pytest

from astragal.base.errors import SheetError
from astragal.gdl.agreement import compare_on_random_games
from astragal.gdl.reading.reader import read_sheet
from astragal.gdl.reasoning.interpreter import Interpreter
from support.helpers import TOO_DEEP, calls_are_few

STEPS = """
(role x) (init (step 0)) (succ 0 1) (succ 1 2) (succ 2 3)
(legal x a) (legal x b)
(<= (next (step ?m)) (true (step ?n)) (succ ?n ?m))
(<= (next got) (does x a))
(<= (next got) (true got) (does x b))
(<= terminal (true (step 3)))
"""

OTHER_VALUES = """
(<= (goal x 100) (true got) (true (step 3)))
(<= (goal ?r 50) (role ?r) (true (step 2)) (not (goal ?r 100)))
(<= (goal ?r 0) (role ?r) (not (goal ?r 100)) (not (goal ?r 50)))
"""

NUMBER_BEFORE = """
(<= (even 0) (true (step ?n)))
(<= (even ?m) (succ ?n ?m) (not (even ?n)))
(<= (goal x 100) (true (step ?n)) (even ?n))
(<= (goal x 0) (true (step ?n)) (not (even ?n)))
"""

SEVERAL_RELATIONS = """
(<= (ahead ?r 1) (role ?r) (true got))
(<= (behind ?r ?n) (level ?n) (role ?r) (not (ahead ?r ?n)))
(<= (ahead ?r 2) (role ?r) (behind ?r 1))
(level 1) (level 2)
(<= (goal x 100) (ahead x 2))
(<= (goal x 0) (behind x 2))
"""


@pytest.mark.parametrize(
    ("more", "goals"),
    [(OTHER_VALUES, {"a": [100], "b": [0]}), (NUMBER_BEFORE, {"a": [0]}), (SEVERAL_RELATIONS, {"a": [0], "b": [100]})],
    ids=["other values", "the number before", "several relations"],
)
def test_what_is_stratified_once_written_out_is_accepted_with_a_warning(more, goals):
    sheet = read_sheet(STEPS + more, "test.kif")
    (warning,) = [warning for warning in sheet.warnings if "negation" in warning]
    assert "never so of the same arguments" in warning
    assert compare_on_random_games(sheet, 10) == 40
    reasoner = Interpreter(sheet)
    for move, values in goals.items():
        state = reasoner.initial()
        while not reasoner.is_terminal(state):
            state = reasoner.next(state, {"x": move})
        assert reasoner.goals(state, "x") == values


@pytest.mark.parametrize(
    "more",
    [
        "(<= p (not p))",
        "(link a b) (link b a) (<= (win ?x) (link ?x ?y) (not (win ?y)))",
        "(link a b) (link b c) (link c a) (<= (win ?x) (link ?x ?y) (not (win ?y)) (true got))",
        "(<= (p 1) (not (q 1))) (<= (q ?x) (p ?x)) (<= (p 2) (not (q 1)))",
        "(<= (p ?x) (true (step ?x)) (not (p ?y)) (true (step ?y)))",
        "(<= (even 0) (true got)) (<= (init (n ?m)) (succ ?n ?m) (not (odd ?n))) (<= (odd 1) (not (odd 2)))"
        " (<= (odd 2) (not (odd 1)))",
    ],
    ids=["direct", "two", "three", "some of it", "of states", "before the game"],
)
def test_true_circles_are_refused(more):
    with pytest.raises(SheetError, match="depends on its own negation"):
        read_sheet(f"{STEPS} (goal x 100) {more}", "test.kif")


CYCLES_ON_CYCLES = """
(<= (third ?m) (succ ?n ?m) (even ?m) (not (third ?n)) (true (step 0)))
(<= (even ?m) (succ ?n ?m) (not (even ?n)))
(even 0)
(<= (goal x 60) (third 1))
(<= (goal x 70) (third 2))
(<= (goal x 80) (third 3))
"""


def test_what_a_cycle_depends_on_is_taken_apart_before_it():
    """`third` comes first in the sheet, but is written out for the numbers that are even."""
    sheet = read_sheet(STEPS + CYCLES_ON_CYCLES, "test.kif")
    assert len([warning for warning in sheet.warnings if "negation" in warning]) == 2
    reasoner = Interpreter(sheet)
    assert reasoner.goals(reasoner.initial(), "x") == [70]


def test_a_cycle_is_not_written_out_for_terms_without_end():
    more = "(number 0) (<= (number (after ?n)) (number ?n)) (<= (even ?m) (succ ?n ?m) (number ?k) (not (even ?n)))"
    with pytest.raises(SheetError, match=r"'number' is recursive, .* so its terms can grow without end"):
        read_sheet(f"{STEPS} (goal x 100) (<= (even 0) (true got)) {more}", "test.kif")


def test_a_cycle_with_a_long_rule_is_written_out():
    many = range(TOO_DEEP)
    facts, literals = " ".join(f"(k{i})" for i in many), " ".join(f"(k{i})" for i in many)
    more = f"{facts} (<= (even 0) (true (step 0))) (<= (even ?m) (succ ?n ?m) {literals} (not (even ?n)))"
    with calls_are_few():
        sheet = read_sheet(f"{STEPS} (goal x 100) {more}", "test.kif")
    assert any("never so of the same arguments" in warning for warning in sheet.warnings)
