"""What sparse sampling can do other than draw independently: each setting does what it says, and is worth its name."""

from __future__ import annotations

import numpy as np
import pytest

from astragal.rules.position import Position
from support.helpers import by_python, fewer, is_interpreted, slow_but
from support.star_searches import DEPTHS, EXACT, SAMPLED, TOLERANCE, Job, draws, position, positions, search
from support.tree_games import LIMIT, low, roll, top, tree

ROLLING = position("pig:goal=40", "20 12 8 1 roll")
UNEVEN = tree(roll(-10, 3, 10, 2, -1, weights=(1, 5, 2, 1, 1)))
EWN_START = position("ewn:setup=fixed", "123../45.../6...f/...ed/..cba 1 -")
SEEDS = pytest.mark.parametrize("seeds", by_python(200, 2000))
SETTINGS = {
    "distinct": {"sampling": "distinct"},
    "antithetic": {"sampling": "antithetic"},
    "common": {"common": True},
    "common by path": {"common": True, "key": "path"},
    "control": {"control": True},
    "all": {"sampling": "distinct", "common": True, "control": True},
    "all by path": {"sampling": "antithetic", "common": True, "control": True, "key": "path"},
}
EVERY_SETTING = pytest.mark.parametrize("options", SETTINGS.values(), ids=SETTINGS)


def values(here: Position, depth: int, seeds: int = 2000, **options: object) -> np.ndarray:
    """[seed, action] -> the values that expectimax finds at the root."""
    job = Job(here, "expss", depth, **options)
    return np.array([job.set_seed(seed).root() for seed in range(seeds)])


def exact(here: Position, depth: int) -> np.ndarray:
    return np.array(Job(here, "exp", depth).root())


def assert_mean(found: np.ndarray, mean: np.ndarray) -> None:
    """The mean is as it should be within 4 standard errors."""
    assert (np.abs(found.mean(axis=0) - mean) <= 4 * found.std(axis=0) / np.sqrt(len(found)) + TOLERANCE).all()


# Whatever is set, pruning and probing change nothing


@pytest.mark.slow
@EVERY_SETTING
@pytest.mark.parametrize("name", slow_but(["tree"], ["tree", "pig", "ewn"]))
def test_sampled_searches_find_the_same_values(name, options):
    for number, here in enumerate(positions(name, 60 if name == "tree" else 12)):
        options = options | {"table": ("off", "values")[number % 2], "width": ("1", "3", "4-2")[number % 3]}
        options |= {"leaf": ("decision", "afterstate")[number % 5 == 0], "prune_above": number % 2 * 2}
        jobs = [Job(here, player, DEPTHS[name], seed=number, **options) for player in SAMPLED]
        best = [min(job.root()) if here.turn == 1 else max(job.root()) for job in jobs]
        assert best == pytest.approx([best[0]] * 3, abs=TOLERANCE)
        assert best[0] == pytest.approx(jobs[0].true_value(), abs=TOLERANCE)


@pytest.mark.slow
@EVERY_SETTING
def test_the_checking_mode_finds_no_disagreement(options):
    checks = 0
    for number, here in enumerate(positions("tree", 60, seed=6)):
        checked = {"check": True, "table": "values", "prune_above": number % 2, "width": "3"}
        job = Job(here, "star2ss", 6, number, **checked, **options)
        job.root()
        assert job.counts["disagreements"] == 0
        checks += job.counts["checks"]
    assert checks > 1000


@pytest.mark.slow
@EVERY_SETTING
@pytest.mark.parametrize("player", SAMPLED)
def test_compiled_and_interpreted_runs_agree_to_the_last_counter(player, options):
    for number, here in enumerate(positions("tree", 3, seed=2)):
        machine, python = (Job(here, player, 4, number, prune_above=0, width="3-2", **options) for _ in range(2))
        assert machine.root() == python.interpreted_root()
        assert machine.counts == python.counts


@pytest.mark.few(2)
@EVERY_SETTING
def test_a_node_limit_is_kept(options):
    for limit in (50, 700):
        result = search(EWN_START.deal(2), "star1ss", 40, nodes=limit, deepening=True, width=6, **options)
        assert result.nodes <= limit + 18  # actions, and three times the outcomes


# Without replacement


@pytest.mark.parametrize("here", [ROLLING, UNEVEN, EWN_START], ids=["pig", "tree", "ewn"])
def test_no_outcome_is_drawn_twice(here):
    chances = {outcome.number: outcome.probability for outcome in here.outcomes()}
    for width in range(1, len(chances) + 2):
        for seed in range(50):
            drawn = draws(here, width, seed, sampling="distinct")
            assert len(drawn) == min(width, len(chances))
            assert drawn.keys() <= chances.keys()
            assert sum(drawn.values()) == pytest.approx(1)


def test_outcomes_too_likely_to_be_left_out_are_always_drawn():
    """Of three, one with probability 1/2 is; half of what is left goes to each of the two others drawn."""
    for seed in range(50):
        drawn = draws(UNEVEN, 3, seed, sampling="distinct")
        assert drawn[UNEVEN.outcomes()[1].number] == pytest.approx(0.5)
        assert sorted(drawn.values()) == pytest.approx([0.25, 0.25, 0.5])


def test_impossible_outcomes_are_not_drawn():
    here = tree(roll(5, -10, 1, 1, weights=(3, 0, 1, 1)))
    for width in (1, 2, 3):
        for seed in range(50):
            drawn = draws(here, width, seed, sampling="distinct")
            assert here.outcomes()[1].number not in drawn
            assert sum(drawn.values()) == pytest.approx(1)


@pytest.mark.few(2)
@pytest.mark.parametrize("here", [ROLLING, UNEVEN, EWN_START], ids=["pig", "tree", "ewn"])
@pytest.mark.parametrize("width", [1, 2, 4])
def test_weights_without_replacement_are_the_probabilities_on_average(here, width):
    outcomes = here.outcomes()
    samples = [draws(here, width, seed, sampling="distinct") for seed in range(500)]
    weights = np.array([[drawn.get(outcome.number, 0.0) for outcome in outcomes] for drawn in samples])
    assert_mean(weights, np.array([outcome.probability for outcome in outcomes]))


@pytest.mark.parametrize("name", slow_but(["tree"], ["pig", "ewn", "tree"]))
@pytest.mark.parametrize("control", [False, True])
def test_drawing_all_outcomes_without_replacement_is_the_exact_search(name, control):
    depth = min(DEPTHS[name], 4) if is_interpreted() else DEPTHS[name]
    for number, here in enumerate(positions(name, fewer(10, 5))):
        for player, sampled in zip(EXACT, SAMPLED, strict=True):
            options = {"sampling": "distinct", "width": 11, "control": control, "prune_above": 0}
            one = Job(here, player, depth, number, prune_above=0)
            other = Job(here, sampled, depth, number, **options)
            assert one.root() == other.root()
            assert one.nodes == other.nodes


@pytest.mark.slow
def test_without_replacement_values_vary_less():
    for here in (UNEVEN, EWN_START, ROLLING):
        independent, distinct = (values(here, 2, width=4, sampling=kind) for kind in ("independent", "distinct"))
        assert np.var(distinct) < 0.6 * np.var(independent)


# Opposite pairs


def test_draws_come_in_opposite_pairs():
    for seed in range(50):
        faces = sorted(draws(EWN_START, 2, seed, sampling="antithetic"))
        assert len(faces) == 2
        assert sum(faces) == 5
        shares = draws(EWN_START, 8, seed, sampling="antithetic")
        assert all(shares[face] == shares[5 - face] for face in shares)


@pytest.mark.parametrize("here", [ROLLING, UNEVEN], ids=["pig", "tree"])
@pytest.mark.parametrize("width", [1, 2, 5])
@SEEDS
def test_opposite_pairs_are_unbiased(here, width, seeds):
    assert_mean(values(here, 1, seeds, width=width, sampling="antithetic"), exact(here, 1))


@SEEDS
def test_opposite_pairs_vary_less_where_outcomes_are_ordered(seeds):
    """The more is thrown, the better: what one of a pair has too much the other has too little."""
    for here in (ROLLING, tree(roll(-8, -2, 1, 5, 9))):
        independent, paired = (values(here, 1, seeds, width=4, sampling=kind) for kind in ("independent", "antithetic"))
        assert np.var(paired) < 0.7 * np.var(independent)


# Common random numbers


def two_lotteries() -> Position:
    """Two actions, each followed by its own roll with the same prizes."""
    return tree(top(roll(-10, -3, 1, 4, 10), roll(-10, -3, 1, 4, 10)))


@pytest.mark.few(4)
@pytest.mark.parametrize("key", ["state", "path"])
@pytest.mark.parametrize("sampling", ["independent", "stratified", "antithetic", "distinct"])
def test_the_actions_of_a_decision_have_the_same_luck(key, sampling):
    options = {"key": key, "sampling": sampling, "width": 2}
    common, apart = (values(two_lotteries(), 2, 60, common=common, **options) for common in (True, False))
    assert (common[:, 0] == common[:, 1]).all()
    assert np.mean(apart[:, 0] == apart[:, 1]) < 0.6
    assert len(set(common[:, 0])) > 2
    assert_mean(common[:, 0], exact(two_lotteries(), 2)[0])


def test_the_luck_is_that_of_one_decision():
    """Two decisions, each with one roll: keyed by state they are different ones, whatever led to them."""
    here = tree(top(low(roll(-10, -3, 1, 4, 10)), low(roll(-10, -3, 1, 4, 10))))
    found = values(here, 2, 100, common=True, width=2)
    assert abs(np.corrcoef(found.T)[0, 1]) < 4 / np.sqrt(len(found))
    same = values(here, 2, 50, common=True, width=2, key="path")  # keyed by path, only outcomes count
    assert (same[:, 0] == same[:, 1]).all()


def test_a_roll_after_a_roll_shares_the_luck_too():
    """Both actions are followed by rolls between the same two lotteries, which come out differently."""
    prizes = -10, -3, 1, 4, 10
    lotteries = [roll(*prizes), roll(*prizes)]
    here = tree(top(roll(*lotteries), roll(*lotteries)))
    for key in ("state", "path"):
        found = values(here, 3, 60, common=True, width=1, key=key)
        assert (found[:, 0] == found[:, 1]).all()
        assert set(found[:, 0]) == set(prizes)
    apart = values(here, 3, 60, width=1, key="path")
    assert np.mean(apart[:, 0] == apart[:, 1]) < 0.5


@pytest.mark.slow
def test_common_random_numbers_tell_the_moves_of_einstein_apart():
    """The difference between two moves varies less when both are followed by the same rolls."""
    apart, common = 0.0, 0.0
    for here in [here for here in positions("ewn", 40) if not here.is_chance and len(here.actions()) > 1][:12]:
        for setting in (False, True):
            found = values(here, 2, 60, width=2, common=setting)
            spread = float(np.var(found[:, 0] - found[:, 1]))
            apart, common = (apart, common + spread) if setting else (apart + spread, common)
    assert common < 0.6 * apart


# Control variates


@pytest.mark.slow
def test_the_horizon_is_evaluated_whole():
    for name in ("pig", "ewn", "tree"):
        for here in positions(name, 10):
            assert Job(here, "expss", 1, width=1, control=True).root() == Job(here, "exp", 1).root()


@pytest.mark.parametrize("sampling", ["independent", "distinct"])
def test_the_corrected_value_by_hand(sampling):
    """Value of the draw, plus the evaluation expected, less the evaluation of the draw; drawn with the same key."""
    for seed in range(20):
        drawn = draws(ROLLING, 3, seed, sampling=sampling)
        value = 0.0
        for outcome in ROLLING.outcomes():
            child, weight = ROLLING.deal(outcome.number), drawn.get(outcome.number, 0.0)
            deeper = Job(child, "exp", 1).true_value() if weight else 0.0
            value += weight * deeper + (outcome.probability - weight) * child.evaluations()[0]
        found = Job(ROLLING, "expss", 2, seed, width=3, control=True, sampling=sampling).root()
        assert found == pytest.approx([value], abs=TOLERANCE)


@pytest.mark.slow
def test_the_corrected_value_is_unbiased_and_varies_less():
    plain, corrected = (values(ROLLING, 2, width=4, control=control) for control in (False, True))
    assert_mean(corrected, exact(ROLLING, 2))
    assert np.var(corrected) < 0.25 * np.var(plain)


def test_equal_evaluations_correct_nothing():
    """In EWN the die changes nothing in the evaluation: not even rounding may separate equal moves."""
    for number, here in enumerate(positions("ewn", fewer(10, 2))):
        plain, corrected = (Job(here, "expss", 3, number, width=1, control=control) for control in (False, True))
        assert plain.root() == pytest.approx(corrected.root(), abs=TOLERANCE)
        assert corrected.counts["controls"] > 0 == plain.counts["controls"]


@pytest.mark.slow
@pytest.mark.parametrize("sign", [-1, 1])
def test_a_corrected_value_stays_in_the_range(sign):
    """All ends are worth as much as can be, but the evaluation of one state says otherwise."""
    prize = sign * LIMIT
    sure = [top(low(prize), value=evaluation) for evaluation in (prize, prize, -prize)]
    for seed in range(30):
        found = [
            Job(tree(root(roll(*sure), 0)), player, 4, seed, width=1, control=True, prune_above=0).root()
            for player in SAMPLED
            for root in (top, low)
        ]
        assert all(abs(value) <= LIMIT for pair in found for value in pair)
        assert found[0] == Job(tree(top(roll(*sure), 0)), "expss", 4, seed, width=1, control=True).root()


# Widths


def test_widths_grow_with_the_iteration():
    def widths(depth: int, **options: object) -> list[int]:
        job = Job(ROLLING, "expss", depth, **options)
        return [int(width) for width in job.work["widths"][0, :depth]]

    assert widths(3, width="10") == [10, 10, 10]
    assert widths(1, width="10", growth=1.5) == [10]
    assert widths(3, width="10", growth=1.5) == [22, 22, 22]
    assert widths(3, width="8-4-2", growth=2.0) == [8, 16, 32]  # by remaining depth
    assert widths(64, width="1000000", growth=4.0) == [1_000_000] * 64


def test_what_is_searched_grows_with_the_widths():
    here = position("pig:goal=1000", "0 0 500 1 decide")
    for depth in (1, 2, 3):
        plain, grown = (search(here, "expss", depth, width=2, growth=growth, deepening=True) for growth in (1.0, 2.0))
        assert (grown.nodes > plain.nodes) == (depth > 1)
        assert (grown.value == plain.value) == (depth == 1)
