"""The network: its gradient, its sums, and that machine code and Python agree on it."""

from __future__ import annotations

import math

import numpy as np
import pytest

from astragal import load_game, start
from astragal.game.kernel import kernel
from astragal.learn.beginning import new_model
from astragal.learn.derived import BY_EACH, BY_FIRST, BY_MOVER, views_of, with_model
from astragal.learn.network import EXTRA_ROWS, first_weights

RATE = 1e-3


def loss(value: float, target: float) -> float:
    """The cross entropy between a value and a target, both read as chances."""
    return -(1 + target) / 2 * math.log(1 + value) - (1 - target) / 2 * math.log(1 - value)


@pytest.mark.parametrize("hidden", [0, 16])
def test_a_step_goes_against_the_gradient_of_the_loss(hidden):
    """Every weight that the inputs touch, and some that they do not, against differences of the loss."""
    model = new_model(load_game("ewn"), hidden, seed=3)
    if hidden == 0:
        model.weights[:] = np.random.default_rng(1).uniform(-0.1, 0.1, model.weights.shape)
    rules = with_model(load_game("ewn"), model)._twin_
    listed, target, sums = [3, 50, 50, 200], 0.4, [0.0] * max(hidden, 1)

    def value() -> float:
        rules.add_up(listed, len(listed), sums)
        return rules.value_of_sums(sums)

    before = model.weights.copy()
    old = value()
    squared = rules.learn_step(listed, len(listed), sums, target, RATE)
    assert squared == pytest.approx((target - old) ** 2)
    moved = (model.weights - before) / RATE
    model.weights[:] = before
    rows = [3, 50, 200, 7, *range(model.inputs, model.inputs + EXTRA_ROWS)]
    for row in rows:
        for column in {0, max(hidden, 1) // 2, max(hidden, 1) - 1}:
            if row == model.inputs + 2 and column > 0:
                continue  # the constant is one number
            difference = 0.02
            losses = []
            for sign in (1, -1):
                model.weights[row, column] = before[row, column] + sign * difference
                losses.append(loss(value(), target))
            model.weights[row, column] = before[row, column]
            slope = (losses[0] - losses[1]) / (2 * difference)
            assert -moved[row, column] == pytest.approx(slope, abs=2e-3), (row, column)


def test_an_input_listed_twice_counts_twice():
    model = new_model(load_game("ewn"), 0, seed=0)
    model.weights[5] = 0.25
    rules = with_model(load_game("ewn"), model)._twin_
    sums = [0.0]
    rules.add_up([5, 5, 9], 3, sums)
    assert sums[0] == 0.5


@kernel(entry="evaluations for a test")
def evaluations(game, states, values):
    for i in range(len(states)):
        for player in range(game.players):
            values[i, player] = game.heuristic(states[i], player)


@pytest.mark.compiled
@pytest.mark.slow
@pytest.mark.parametrize("name", ["ewn", "backgammon", "pig", "kalah", "cant_stop:players=3", "focus", "connect_four"])
@pytest.mark.parametrize("hidden", [0, 24, 72])
def test_machine_code_and_python_evaluate_alike(name, hidden):
    game = load_game(name)
    model = new_model(game, hidden, seed=1)
    model.weights[:] = np.random.default_rng(1).uniform(-0.3, 0.3, model.weights.shape)
    learned = with_model(game, model)
    positions = [start(learned, seed).settled(seed) for seed in range(3)]
    for _ in range(20):
        last = positions[-1]
        if last.is_terminal:
            break
        positions.append(last.sample(7) if last.is_chance else last.follow(last.actions()[-1]))
    positions = [position for position in positions if not position.is_terminal]
    values = np.zeros((len(positions), game.players))
    evaluations(learned, np.concatenate([position.memory for position in positions]), values)
    for position, row in zip(positions, values, strict=True):
        assert position.evaluations() == pytest.approx(tuple(row), abs=1e-3 * game.utility_range[1])


def test_whose_view_is_learned():
    assert views_of(load_game("ewn")) == BY_MOVER
    assert views_of(load_game("tic_tac_toe")) == BY_FIRST
    assert views_of(load_game("focus:players=3")) == BY_EACH


@pytest.mark.parametrize("name", ["ewn", "kalah", "tic_tac_toe"])
def test_of_two_players_one_has_what_the_other_lacks(name):
    game = load_game(name)
    model = new_model(game, 16, seed=1)
    evaluated = start(with_model(game, model), 3).settled(3).evaluations()
    assert evaluated[0] == -evaluated[1] != 0


def test_first_weights_depend_on_the_seed_alone():
    one, same, other = (first_weights(20, 16, seed) for seed in (1, 1, 2))
    assert (one == same).all()
    assert not (one == other).all()
