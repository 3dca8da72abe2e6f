"""The bounds of Star1 and Star2: their arithmetic, the side of them that a value lies on, and the checking mode."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from astragal.algorithms.depth_first.table import EXACT, LOWER, NOTHING, UPPER
from astragal.algorithms.star.chance import child_alpha, child_beta, clamped
from astragal.algorithms.star.definition import check_value
from astragal.compiler.interpreted import interpreted
from astragal.compiler.records import State
from astragal.rules.position import Position
from astragal.rules.random import state_hash
from support.helpers import slow_but
from support.star_searches import DEPTHS, TOLERANCE, Job, positions
from support.tree_games import LIMIT, Node, low, roll, top, tree

child_alpha, child_beta, clamped = (interpreted(f) for f in (child_alpha, child_beta, clamped))
PRUNING = ("star1", "star2", "star1ss", "star2ss")
EVERY_PLAYER = pytest.mark.parametrize("player", slow_but(["star1", "star2ss"], PRUNING))
CHECKED = [  # game, positions
    pytest.param("tree", 2, marks=pytest.mark.interpreted),
    *(pytest.param(name, 300 if name == "tree" else 20, marks=pytest.mark.slow) for name in DEPTHS),
]
pytestmark = pytest.mark.compiled  # a few kernels for random trees do it all


# Ballard's worked example: window [4, 5], values in [-10, 10], three equal outcomes, the first worth 2


def test_the_windows_of_the_worked_example():
    pess = (2 - 10 - 10) / 3
    opti = (2 + 10 + 10) / 3
    assert (pess, opti) == pytest.approx((-6, 22 / 3))
    alpha, beta = child_alpha(4, opti, 1 / 3, 10), child_beta(5, pess, 1 / 3, -10)
    assert (alpha, beta) == pytest.approx((0, 23))
    assert (clamped(alpha, -10, 10), clamped(beta, -10, 10)) == pytest.approx((0, 10))


@given(st.floats(-10, 10), st.floats(-10, 10), st.floats(0.01, 1), st.floats(-10, 10), st.floats(-10, 10))
def test_a_child_worth_its_window_ends_brings_the_node_to_its_own(window, other, chance, lower, upper):
    """With the child at child_alpha the node's upper bound is alpha; at child_beta the lower bound is beta."""
    rest = (1 - chance) * other
    assert rest + chance * child_alpha(window, rest + chance * upper, chance, upper) == pytest.approx(window, abs=1e-9)
    assert rest + chance * child_beta(window, rest + chance * lower, chance, lower) == pytest.approx(window, abs=1e-9)


def test_a_clamped_bound_lies_in_the_range():
    assert [clamped(bound, -10, 10) for bound in (-11, -10, 3, 10, 11)] == [-10, -10, 3, 10, 10]


def searched(root: Node, player: str, alpha: float, beta: float, depth: int = 3) -> tuple[float, int]:
    """The value that a window search finds, and the ends of the game it looked at."""
    job = Job(tree(root), player, depth, prune_above=0)
    return job.window(alpha, beta), job.counts["terminals"]


@pytest.mark.interpreted
@pytest.mark.parametrize(
    ("second", "value", "ends"),
    [
        (-0.01, 3.9966666667, 2),  # no more than alpha' = 0: neither its other reply nor the third child matters
        (0.01, 2.3366666667, 4),  # more than that: the search goes on
    ],
)
def test_the_worked_example_cuts_low_at_the_second_childs_alpha(second, value, ends):
    example = roll(2, low(second, 9), 5)
    assert searched(example, "star1", 4, 5) == (pytest.approx(value), ends)


@pytest.mark.interpreted
@pytest.mark.parametrize(("second", "value", "ends"), [(-5.5, 3.625, 4), (-6, 4, 2), (-7, 3.75, 2)])
def test_a_low_cut_is_made_exactly_at_alpha(second, value, ends):
    """Four outcomes, window [4, 5], the first worth 2: alpha' = 4 (4 - 8) + 10 = -6."""
    example = roll(2, low(second, 9), 8, 8)
    assert searched(example, "star1", 4, 5) == (value, ends)


@pytest.mark.interpreted
@pytest.mark.parametrize(("second", "value", "ends"), [(5.5, -3.625, 4), (6, -4, 2), (7, -3.75, 2)])
def test_a_high_cut_is_made_exactly_at_beta(second, value, ends):
    """Four outcomes, window [-5, -4], the first worth -2: beta' = 4 (-4 + 8) - 10 = 6."""
    example = roll(-2, top(second, -9), -8, -8)
    assert searched(example, "star1", -5, -4) == (value, ends)


@pytest.mark.interpreted
def test_uneven_chances_weigh_the_bounds():
    """Chances 1/2, 1/4, 1/4, window [2, 4]. After 0 and v the node is worth (v + 10) / 4 at most: at v = -2 it is 2."""
    for second, value, ends in ((-1.5, 1.625, 4), (-2, 2, 2), (-3, 1.75, 2)):
        example = roll(0, low(second, 9), 8, weights=(2, 1, 1))
        assert searched(example, "star1", 2, 4) == (value, ends)


# A certain loss cuts nothing


@pytest.mark.interpreted
@pytest.mark.parametrize("player", ["star1", "star2"])
@pytest.mark.parametrize(
    ("first", "second", "value"), [(-10, 10, 0), (-10, 4, -3), (10, -10, 0), (10, -4, 3), (-10, -10, -10)]
)
def test_a_first_child_at_the_end_of_the_range_cuts_nothing_in_an_open_window(player, first, second, value):
    for root in (roll(first, second), top(roll(first, second)), low(roll(first, second))):
        assert searched(root, player, -LIMIT, LIMIT) == (value, 2)
    behind = roll(top(low(first)), low(top(second)))
    assert searched(behind, player, -LIMIT, LIMIT, depth=5)[0] == value


@pytest.mark.interpreted
@pytest.mark.parametrize("player", ["star1", "star2"])
def test_a_certain_loss_decides_nothing_when_others_are_likelier(player):
    lottery = roll(-10, 10, 10, -10, weights=(1, 5, 3, 1))
    assert searched(top(lottery, 5), player, -LIMIT, LIMIT)[0] == pytest.approx(6)
    assert searched(low(lottery, 7), player, -LIMIT, LIMIT)[0] == pytest.approx(6)


# Probing


@pytest.mark.interpreted
def test_a_probed_max_child_gives_a_lower_bound():
    """The first replies of both children, 9 and 9, are worth 9 at least: that is enough for a window below it."""
    example = roll(top(low(9), low(1)), top(low(9), low(1)))
    assert searched(example, "star2", 0, 8) == (9, 2)
    assert searched(example, "star2", -LIMIT, LIMIT)[0] == 9


@pytest.mark.interpreted
def test_a_probed_min_child_gives_an_upper_bound():
    """The pseudo-code says so; the text says lower."""
    example = roll(low(top(-9), top(-1)), low(top(-9), top(-1)))
    assert searched(example, "star2", -8, 0) == (-9, 2)
    assert searched(example, "star2", -LIMIT, LIMIT)[0] == -9


@pytest.mark.interpreted
def test_a_probe_that_fails_says_nothing_of_the_child():
    """The first replies look bad for the mover; each child has a better one."""
    assert searched(roll(top(low(-9), low(6)), top(low(-9), low(6))), "star2", 2, 5, depth=4)[0] >= 5
    assert searched(roll(low(top(9), top(-6)), low(top(9), top(-6))), "star2", -5, -2, depth=4)[0] <= -5


@pytest.mark.interpreted
def test_a_child_with_a_single_action_is_exact_after_its_probe():
    example = roll(top(low(3)), low(top(5)), weights=(1, 3))
    assert searched(example, "star2", -LIMIT, LIMIT) == (4.5, 2)


@pytest.mark.interpreted
def test_ends_are_not_looked_at_twice_and_chance_children_not_probed():
    job = Job(tree(roll(3, roll(5, -5), top(low(4), low(0)))), "star2", 4, prune_above=0)
    assert job.window(-LIMIT, LIMIT) == pytest.approx(7 / 3)
    assert job.counts["terminals"] == 1 + 2 + 2 + 1  # the last child's first reply is looked at again
    assert job.counts["probes"] == 2 + 2  # of the root: an end and a decision; of the chance child: two ends


# Random windows


def random_windows(limit: float) -> st.SearchStrategy[tuple[float, float]]:
    ends = st.floats(-limit, limit).map(lambda end: round(2 * end) / 2) | st.floats(-limit, limit)
    return st.tuples(ends, ends).map(sorted)


def is_window(alpha: float, beta: float) -> bool:
    """Windows to search with: some of the range lies inside."""
    return -LIMIT <= alpha < beta <= LIMIT


def assert_right_side(value: float, true: float, alpha: float, beta: float, limit: float) -> None:
    """Fail-soft: exact inside the window, an upper bound where it is no more than alpha, a lower one from beta on."""
    assert -limit - TOLERANCE <= value <= limit + TOLERANCE
    if value < beta:
        assert true <= value + TOLERANCE
    if value > alpha:
        assert true >= value - TOLERANCE


@pytest.mark.parametrize("player", slow_but(["star1"], PRUNING))
@pytest.mark.parametrize("table", slow_but(["values"], ["off", "values"]))
@given(st.data())
def test_bounds_of_random_windows_are_on_the_right_side(player, table, data):
    """With a table, what one window stored must be right for the next."""
    here = data.draw(st.sampled_from(positions("tree", 60, seed=3)))
    depth = data.draw(st.integers(1, 6))
    seed = data.draw(st.integers(0, 100))
    prune_above = data.draw(st.sampled_from([0, 0, 1, 3]))
    leaf = data.draw(st.sampled_from(["decision", "afterstate"]))
    key = data.draw(st.sampled_from(["state", "path"]))
    options = {"table": table, "prune_above": prune_above, "leaf": leaf, "key": key, "width": "4-3", "memory": 0.01}
    job = Job(here, player, depth, seed, **options)
    true = job.true_value()
    near = st.tuples(st.floats(-1, 0), st.floats(0, 1)).map(lambda ends: (true + ends[0], true + ends[1]))
    for alpha, beta in data.draw(st.lists(random_windows(LIMIT) | near, min_size=1, max_size=6)):
        if is_window(alpha, beta):
            assert_right_side(job.window(alpha, beta), true, alpha, beta, LIMIT)


@EVERY_PLAYER
@pytest.mark.parametrize("count", slow_but([30], [30, 250]))
def test_windows_around_every_value_cut_on_the_right_side(player, count):
    """Windows that end exactly at the value leave empty ones below, but for rounding; that must not matter."""
    for number, here in enumerate(positions("tree", count, seed=4)):
        for table in ("off", "values"):
            job = Job(here, player, 5, number, table=table, prune_above=0, width="4")
            true = job.true_value()
            around = (
                (true, true + 1),
                (true - 1, true),
                (-LIMIT, LIMIT),
                (true - 0.5, true + 0.5),
                (true - 1e-9, true),
            )
            for alpha, beta in around:
                if is_window(alpha, beta):
                    assert_right_side(job.window(alpha, beta), true, alpha, beta, LIMIT)


# The table


@EVERY_PLAYER
def test_what_the_table_keeps_is_true(player):
    """Every entry's value is exact or a bound on the side it claims, for the state and depth it is about."""
    kinds = set()
    for number, here in enumerate(positions("tree", 60, seed=5)):
        job = Job(here, player, 6, number, table="values", prune_above=0, width="3")
        for alpha, beta in ((-2, 2), (1, 3), (-3, -1), (-LIMIT, LIMIT)):
            job.window(alpha, beta)
        states = {hash_of(state): state for state in states_of(here)}
        for entry in job.table.entries[job.table.entries["era"] > 0]:
            if (hashed := hash_in(entry)) not in states:
                continue
            state = states[hashed]
            true = job.true_value(state, int(entry["depth"]))
            mine = -true if state.turn == 1 else true
            bound = int(entry["bound"])
            assert bound != EXACT or entry["value"] == pytest.approx(mine, abs=TOLERANCE)
            assert bound != LOWER or entry["value"] <= mine + TOLERANCE
            assert bound != UPPER or entry["value"] >= mine - TOLERANCE
            assert entry["move"] in state.actions()
            kinds.add(bound)
    assert kinds == ({NOTHING, EXACT, LOWER, UPPER} if "star2" in player else {EXACT, LOWER, UPPER})


def states_of(start: Position) -> list[Position]:
    """Every position of a tree."""
    return [Position.parse(start.game, f"node={node}") for node in range(len(start.game.links))]


def hash_of(here: Position) -> int:
    return int(interpreted(state_hash)(State(here.memory)))


def hash_in(entry: np.void) -> int:
    """The hash of the state that an entry is about: its four words, exclusive-ored."""
    return int(np.bitwise_xor.reduce(np.frombuffer(entry.tobytes(), np.uint64)))


# The checking mode


@pytest.mark.few(1)
@pytest.mark.parametrize("player", ["star2", "star2ss"])
@pytest.mark.parametrize(("name", "count"), CHECKED)
def test_the_checking_mode_finds_no_disagreement(name, count, player):
    """Thousands of nodes, searched with the table's values and each compared with the definition."""
    depth = {"tree": 7, "ewn": 5, "pig": 5, "pig with one die": 6}[name]
    checks = 0
    for number, here in enumerate(positions(name, count, seed=6)):
        options = {"check": True, "table": "values", "prune_above": number % 2, "width": "6"}
        job = Job(here, player, depth, number, **options)
        job.root()
        assert job.counts["disagreements"] == 0
        checks += job.counts["checks"]
    assert checks > 70 * count


@pytest.mark.interpreted
def test_the_checking_mode_finds_a_disagreement_when_there_is_one():
    found = 0
    for number, here in enumerate(positions("tree", 2, seed=7)):
        job = Job(here, "star2", 5, number, check=True, table="values", prune_above=0)
        job.root()
        assert job.counts["disagreements"] == 0
        words = job.table.entries.view(np.uint64).reshape(-1, 4)
        words[:, 0] ^= words[:, 1]
        job.table.entries["value"] += 0.125  # every stored value is now a little wrong
        words[:, 0] ^= words[:, 1]  # and no entry looks torn
        job.root()
        found += job.counts["disagreements"]
    assert found > 0


@pytest.mark.parametrize("value", [-1.0, 0.0, 1.0])
def test_a_value_is_checked_on_the_side_it_claims(value):
    """The position is worth 0: inside the window nothing else is right, at its ends a bound on that side is."""
    assert disagrees(value, -5, 5) == (value != 0)
    assert disagrees(value, value, 5) == (value < 0)  # claims to be an upper bound
    assert disagrees(value, -5, value) == (value > 0)  # claims to be a lower bound


def disagrees(value: float, alpha: float, beta: float) -> bool:
    """What the checking mode makes of a value said to be that of a position worth 0."""
    job = Job(tree(roll(-1, 1)), "star1", 2)
    here, variant = job.position, job.variant
    with np.errstate(over="ignore"):
        arguments = State(here.memory), job.depth, alpha, beta, value, State(job.work)
        interpreted(check_value)(here.game._twin_, variant._twin_, *arguments)
    assert job.counts["checks"] == 1
    return job.counts["disagreements"] == 1
