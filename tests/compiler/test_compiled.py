"""A compiled class may hold instances of others, whose methods kernels call: ``steps.select.score(...)``."""

from __future__ import annotations

import time
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from typing import Any

import numpy as np
import pytest

from astragal import Constant, compiled
from astragal.compiler import class_types as compiling
from astragal.compiler.class_types import digest
from astragal.compiler.fingerprint import fingerprint
from astragal.compiler.interpreted import run_interpreted
from astragal.compiler.kernel import kernel
from support.helpers import define, run_apart

pytestmark = pytest.mark.compiled

NODE = np.dtype([("visits", "i8"), ("total", "f8")])


def half(x):
    return x / 2


@compiled
@dataclass(frozen=True)
class Mean:
    """A step with a field and a constant; it calls another of its methods, and a plain function."""

    bonus: float = 0.0
    doubled: Constant[bool] = False

    def score(self, node):
        return half(node.total) / node.visits + self.extra(node)

    def extra(self, node):
        return self.bonus * (2 if self.doubled else 1) / node.visits


@compiled
@dataclass(frozen=True)
class Visits:
    """A step without fields, and with a table."""

    @property
    def table(self):
        return np.array([0.0, 100.0, 200.0, 300.0])

    def score(self, node):
        return self.table[node.visits]


@compiled
@dataclass(frozen=True)
class Steps:
    """What a search is put together from: two steps, a pair of them, and a number of its own."""

    select: Constant[Any]
    pair: Constant[Any] = (Mean(1.0), Visits())
    scale: float = 1.0
    spare = Mean(64.0)

    def best(self, nodes):
        """The score of the node that the first step likes best."""
        top = -np.inf
        for i in range(len(nodes)):
            top = max(top, self.select.score(nodes[i]))
        return self.scale * top


FIXED = Mean(32.0)


@kernel(entry="a test of steps")
def scores(steps, nodes, out):
    out[0] = steps.select.score(nodes[1])
    out[1] = steps.pair[0].score(nodes[1]) + steps.pair[1].score(nodes[1])
    out[2] = steps.best(nodes)
    out[3] = steps.spare.score(nodes[1])
    out[4] = FIXED.score(nodes[1])


def scored(call, steps):
    nodes = np.zeros(2, NODE)
    nodes["visits"], nodes["total"] = (2, 1), (8.0, 2.0)
    out = np.zeros(5)
    call(scores, steps, nodes, out)
    return out.tolist()


PAIR = 1.0 + 1.0 + 100.0  # Mean(1.0) and Visits of a node with one visit and a total of 2


@pytest.mark.parametrize(
    ("steps", "expected"),
    [
        (Steps(Mean()), [1.0, PAIR, 2.0, 65.0, 33.0]),
        (Steps(Mean(4.0)), [5.0, PAIR, 5.0, 65.0, 33.0]),
        (Steps(Mean(4.0, doubled=True)), [9.0, PAIR, 9.0, 65.0, 33.0]),
        (Steps(Mean(4.0), scale=10.0), [5.0, PAIR, 50.0, 65.0, 33.0]),
        (Steps(Visits()), [100.0, PAIR, 200.0, 65.0, 33.0]),
        (Steps(Mean(), pair=(Visits(), Mean(7.0))), [1.0, 108.0, 2.0, 65.0, 33.0]),
    ],
    ids=["mean", "field", "constant", "own field", "another class", "pair"],
)
def test_kernels_call_the_methods_of_steps_with_their_fields(steps, expected):
    assert scored(lambda kernel, *arguments: kernel(*arguments), steps) == expected
    assert scored(run_interpreted, steps) == expected


def test_what_is_compiled_is_named_with_its_steps():
    assert Steps(Mean())._numba_type_.label == "Steps:select=Mean"
    assert Steps(Mean(4.0, doubled=True), scale=3.0)._numba_type_.label == "Steps:select=Mean(bonus=4 doubled=on)"
    pair = (Visits(), Mean(7.5))
    assert Steps(Visits(), pair)._numba_type_.label == "Steps:select=Visits,pair=(Visits Mean(bonus=7.5))"


STEP = """
from dataclasses import dataclass
from astragal import compiled

def by(x):
    return 3 * x

@compiled
@dataclass(frozen=True, repr=False)
class Step:
    factor: float = 1.0

    def score(self, x):
        return by(x) * self.factor
"""


@pytest.mark.parametrize(("old", "new"), [("3 * x", "4 * x"), ("* self.factor", "+ self.factor")])
def test_an_edited_step_is_another_constant(old, new):
    one, again, edited = (define(source)["Step"] for source in (STEP, STEP, STEP.replace(old, new)))
    assert digest({"select": one()}) == digest({"select": again()})
    assert digest({"select": one()}) != digest({"select": edited()})
    assert digest({"select": (1, one())}) != digest({"select": (1, edited())})
    assert Steps(one())._numba_type_ != Steps(edited())._numba_type_


def test_a_step_that_shows_nothing_of_its_fields_is_told_apart_by_them():
    step = define(STEP)["Step"]
    assert digest({"select": step(1.0)}) != digest({"select": step(2.0)})
    assert digest({"select": step(1.0)}) == digest({"select": step(1.0)})


@pytest.mark.parametrize(
    ("one", "other"),
    [
        (1, 1.0),
        (True, 1),
        (0.5, np.float32(0.5)),
        ((1, 2), (1, 3)),
        (np.arange(5000), np.where(np.arange(5000) == 2500, 0, np.arange(5000))),
        ((np.arange(5000),), (np.where(np.arange(5000) == 2500, 0, np.arange(5000)),)),
    ],
    ids=["int and float", "bool and int", "widths", "tuples", "arrays", "arrays in tuples"],
)
def test_constants_of_other_values_or_types_are_told_apart(one, other):
    assert digest({"x": one}) != digest({"x": other})


def test_what_a_class_or_a_kernel_holds_by_name_is_part_of_its_fingerprint():
    one, edited = (define(source)["Step"] for source in (STEP, STEP.replace("3 * x", "4 * x")))

    def holding(step):
        return type("Holder", (), {"step": step})

    def using(step):
        return lambda x: step.score(x)

    for made in (holding, using):
        assert fingerprint(made(one())) == fingerprint(made(one()))
        assert len({fingerprint(made(step)) for step in (one(), one(2.0), edited())}) == 3


SEARCH = """
import sys
from dataclasses import dataclass
from typing import Any
from astragal import Constant, compiled
from astragal.compiler.kernel import kernel

@compiled
@dataclass(frozen=True)
class Search:
    select: Constant[Any]

@kernel(entry="a search")
def run(search, x):
    return search.select.score(x)

sys.path.insert(0, sys.argv[1])
from one_step import Step
print(run(Search(Step(2.0)), 5.0))
"""


@pytest.mark.slow
def test_an_edit_of_a_steps_module_is_compiled_anew_in_the_next_process(tmp_path):
    """The module of the search does not name that of the step."""
    file, cache = tmp_path / "one_step.py", tmp_path / "cache"
    results = []
    for source in (STEP, STEP, STEP.replace("3 * x", "4 * x")):
        file.write_text(source)
        ran = run_apart(tmp_path, script=SEARCH, cache=cache, PYTHONDONTWRITEBYTECODE="1")  # it sees edits by seconds
        assert ran.code == 0, ran.err
        results.append((float(ran.out), "compiling" in ran.err))
    assert results == [(30.0, True), (30.0, False), (40.0, True)]


def test_threads_that_meet_a_game_together_have_one_type_for_it(monkeypatch):
    """Else kernels would be loaded anew at every call of the one whose type is not that in the kernels' files."""
    register = compiling.register_model

    def register_slowly(kind):
        time.sleep(0.02)
        return register(kind)

    monkeypatch.setattr(compiling, "register_model", register_slowly)
    monkeypatch.setattr(compiling, "TYPE_CLASSES", {})
    with ThreadPoolExecutor(4) as pool:
        assert len(set(pool.map(compiling.type_class, ["Met#together"] * 4))) == 1
