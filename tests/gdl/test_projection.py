"""Rules with many variables are split, and what they say stays the same."""

from __future__ import annotations

from astragal.gdl.agreement import compare_on_random_games
from astragal.gdl.reading.reader import read_sheet
from astragal.gdl.reading.rules import Rule, variables
from astragal.gdl.reasoning.grounding import ground
from astragal.gdl.reasoning.interpreter import Interpreter
from astragal.gdl.reasoning.projection import projected

# Four marks on a line of ten; whether any two, with a third between them that is not marked, lie before a fourth.
LINE = """
(role x)
{numbers}
(init (free 0)) (init (free 1)) (init (free 2)) (init (free 3)) (init (free 4)) (init (free 5))
(<= (legal x (mark ?n)) (true (free ?n)))
(<= (next (on ?n)) (does x (mark ?n)))
(<= (next (on ?n)) (true (on ?n)))
(<= (next (free ?n)) (true (free ?n)) (does x (mark ?m)) (distinct ?m ?n))
(<= (before ?a ?b) (succ ?a ?b))
(<= (before ?a ?c) (succ ?a ?b) (before ?b ?c))
(<= spread (true (on ?a)) (before ?a ?b) (true (free ?b)) (before ?b ?c) (true (on ?c)) (before ?c ?d)
    (true (on ?d)) (not (true (free ?a))) (distinct ?a ?d))
(<= terminal spread)
(<= terminal (not (true (free 0))) (not (true (free 5))))
(<= (goal x 100) spread)
(<= (goal x 0) (not spread))
""".format(numbers=" ".join(f"(succ {i} {i + 1})" for i in range(5)))


def test_rules_are_split_and_shared():
    a, b, c, d = "?a", "?b", "?c", "?d"
    chain = (("p", a, b), ("q", b, c), ("r", c, d))
    rules = projected([Rule(("h", a), chain), Rule(("k", a), chain, (("s", a),))])
    assert max(len(set(variables((rule.head, *rule.positive)))) for rule in rules) == 2
    assert len(rules) == 4  # both rules, and two relations that they share
    whole = Rule(("h", a, b, c), (("p", a, b), ("q", b, c)))
    assert projected([whole]) == [whole]  # nothing can be left out


def test_tests_of_a_variable_go_with_it():
    rule = Rule(("h", "?a"), (("p", "?a", "?b"), ("q", "?b", "?c"), ("p", "?c", "?c")), (), (("?b", "?c"),))
    split = projected([rule])
    assert [pair for each in split for pair in each.distinct] == [("?0", "?1")] or split == [rule]
    unlimited = Rule(("h", "?a"), (("p", "?a"), ("q", "?b"), ("r", "?c")), (("s", "?a", "?b", "?c"),))
    for each in projected([unlimited]):
        for atom in each.negative:
            assert set(variables(atom)) <= {name for other in each.positive for name in variables(other)}


def test_what_is_split_says_the_same():
    sheet = read_sheet(LINE, "line.kif")
    assert compare_on_random_games(sheet, 30) > 100
    instances = sum(map(len, ground(sheet).rules.values()))
    assert instances < 200
    assert Interpreter(sheet).goals(frozenset({("on", "0"), ("free", "1"), ("on", "2"), ("on", "3")}), "x") == [100]
