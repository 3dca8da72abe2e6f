"""Under NUMBA_DISABLE_JIT=1 every command does what it does compiled, slowly; and how twins see kernels' arrays."""

from __future__ import annotations

import json
import shlex

import numpy as np
import pytest

from astragal.compiler.interpreted import argument_twin, run_interpreted
from astragal.compiler.kernel import kernel, python_entry
from astragal.compiler.records import Cells, Rows, State
from support.helpers import EXAMPLE, run_apart, run_here, slow_but, solutions_in

NODE = np.dtype([("visits", "u2"), ("total", "f8"), ("children", "i4", 2)], align=True)


def uncompiled(*arguments: object, **options: object):
    return run_apart(*arguments, NUMBA_DISABLE_JIT="1", **options)


LINES = [
    "dev perft pig --depth 3",
    "dev perft ewn:setup=fixed --depth 4",
    "search pig --player star2 --position '34 51 12 1 decide' --depth 3",
    "search ewn --player star1ss --nodes 2000 --seed 2",
    "search ewn --player star2:null=1,multicut=2,probcut=0.5,prune_above=0 --depth 3 --seed 2",
    f"search {EXAMPLE} --player exp --depth 3",
]


@pytest.mark.few(1)
@pytest.mark.compiled
@pytest.mark.parametrize("line", slow_but([LINES[0], LINES[2]], LINES))
def test_a_command_prints_what_it_prints_compiled(line, capsys):
    words = shlex.split(line)
    alone, compiled = uncompiled(*words, "--json"), run_here(capsys, *words, "--json")
    assert (alone.code, alone.err) == (0, "")
    facts, expected = json.loads(alone.out), json.loads(compiled.out)
    for found in (facts, expected):
        found.pop("seconds", None)
    assert facts == expected


@pytest.mark.slow
@pytest.mark.compiled
def test_a_small_game_is_solved_as_it_is_compiled(tmp_path, capsys):
    spec = f"{EXAMPLE}:MyGame:track=5"
    alone = uncompiled("solve", spec, "--json", cache=tmp_path / "uncompiled")
    assert alone.code == 0, alone.err
    with solutions_in(tmp_path / "compiled"):
        compiled = run_here(capsys, "solve", spec, "--json")
    facts, expected = json.loads(alone.out), json.loads(compiled.out)
    for fact in ("value", "states", "sweeps", "error"):
        assert facts[fact] == expected[fact]


@pytest.mark.slow
def test_a_game_is_checked_and_the_check_says_that_nothing_was_compiled():
    ran = uncompiled("check", EXAMPLE, "--games", 1)
    assert (ran.code, ran.err) == (0, "")
    assert [line[:6] for line in ran.out.splitlines() if not line.startswith("warn")] == ["ok    "] * 10
    assert any(line.endswith("(NUMBA_DISABLE_JIT is set: both were interpreted)") for line in ran.out.splitlines())


@pytest.mark.slow
def test_a_game_is_played():
    ran = uncompiled("play", "pig", "--player", "star2:depth=1", "--seed", 3, typed="hold\nq\n")
    assert (ran.code, ran.err) == (0, "")
    assert "player 2 plays" in ran.out


@pytest.mark.slow
def test_nothing_can_be_compiled_ahead():
    ran = uncompiled("cache", "build", "pig", "exp")
    assert (ran.code, ran.err) == (2, "astragal: NUMBA_DISABLE_JIT is set, so nothing is compiled\n")


@pytest.mark.slow
def test_the_searches_are_timed():
    ran = uncompiled("dev", "bench", EXAMPLE, "--moves", 2, "--json")
    assert ran.code == 0, ran.err
    assert json.loads(ran.out)["games_per_second"] > 0


# Arrays


@kernel
def visit(nodes, at, value):
    node = nodes[at]
    node.visits += 1
    node.total += value
    return np.int64(node.children[node.visits & 1])


@kernel(entry="a test of records")
def walk(nodes, values, path):
    """Walk down a tree of records, adding a value at each, until a child is negative; the number of steps."""
    at, steps = 0, 0
    while at >= 0:
        path[steps] = at
        at = visit(nodes, at, values[steps])
        steps += 1
    nodes[-1] = nodes[0]
    nodes[-1].children[1] = 70_000
    values[1:3] = values[0]
    values[0] = nodes.total[0] + len(nodes) + nodes.size + nodes.shape[0] + values.shape[0]
    return steps


def tree() -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    nodes = np.zeros(4, NODE)
    nodes["children"] = [(0, 1), (2, -1), (-1, -1), (0, 0)]
    nodes["visits"] = [0, 65_535, 0, 0]
    return nodes, np.array([0.5, 0.25, 8.0, 0.0]), np.zeros(4, np.uint8)


@pytest.mark.parametrize(
    "call",
    [
        lambda *arrays: walk(*arrays),
        lambda *arrays: run_interpreted(walk, *arrays),
        lambda *arrays: python_entry(walk.py_func)(*arrays),
    ],
    ids=["compiled", "interpreted", "switched off"],
)
def test_records_are_read_and_written_in_place(call):
    nodes, values, path = tree()
    assert call(nodes, values, path) == 3
    assert path.tolist() == [0, 1, 2, 0]
    assert nodes["visits"].tolist() == [1, 0, 1, 1]
    assert nodes["total"].tolist() == [0.5, 0.25, 8.0, 0.5]
    assert nodes["children"][3].tolist() == [0, 70_000]
    assert values.tolist() == [0.5 + 4 + 4 + 4 + 4, 0.5, 0.5, 0.0]


def test_rows_of_records():
    memory = np.zeros((2, 3), NODE)
    rows = Rows(memory)
    rows[1, 2].visits = 7
    rows[1][0].total = 2.5
    assert memory["visits"].tolist() == [[0, 0, 0], [0, 0, 7]]
    assert memory["total"][1, 0] == 2.5
    assert [row.visits for row in rows[1]] == [0, 0, 7]
    assert [row.visits for row in rows[1, 1:]] == [0, 7]
    assert rows[1, -1].visits == rows[-1][2].visits == rows.visits[1, 2] == 7
    assert (len(rows), rows.shape, rows.size) == (2, (2, 3), 6)
    rows[0] = rows[1]
    rows[1, 2] = rows[0, 0]
    assert memory["visits"].tolist() == [[0, 0, 7], [0, 0, 0]]
    with pytest.raises(IndexError):
        rows[1, 3]
    with pytest.raises(AttributeError, match=r"no field 'visit' \(they have: visits, total, children\)"):
        rows.visit  # noqa: B018


def test_records_inside_records():
    memory = np.zeros(1, [("best", NODE), ("all", NODE, 2)])
    state = State(memory)
    state.best.visits = 3
    state.all[1].total = 1.5
    assert (memory["best"]["visits"][0], memory["all"]["total"][0].tolist()) == (3, [0.0, 1.5])


def test_arguments_as_interpreted_code_sees_them():
    array, records = np.zeros(3), np.zeros(3, NODE)
    assert argument_twin(array).array is array
    assert isinstance(argument_twin(records), Rows)
    inner = argument_twin((array, (1, records)))
    assert isinstance(inner[0], Cells)
    assert isinstance(inner[1][1], Rows)
    assert type(argument_twin(np.int8(100))) is int
    assert type(argument_twin(np.uint64(100))) is np.uint64
    assert argument_twin([0, 1]) == [0, 1]
