"""The network: its gradient, its sums, and that machine code and Python agree on it."""

from __future__ import annotations

import math

import numpy as np
import pytest

from astragal import load_game, start
from astragal.base.errors import GameError
from astragal.compiler.kernel import kernel
from astragal.learn.beginning import new_model
from astragal.learn.derived import BY_EACH, BY_FIRST, BY_MOVER, views_of, with_model
from astragal.learn.network import first_weights

RATE = 1e-3
DRAWN = 20  # a seed whose random game of tic-tac-toe is drawn


def loss(value: float, target: float) -> float:
    """The cross entropy between a value and a target, both read as chances."""
    return -(1 + target) / 2 * math.log(1 + value) - (1 - target) / 2 * math.log(1 - value)


@pytest.mark.parametrize("hidden", [0, 16])
@pytest.mark.parametrize(("name", "chances"), [("ewn", 1), ("backgammon", 5)])
def test_a_step_goes_against_the_gradient_of_the_loss(name, chances, hidden):
    """Every weight that the inputs touch, and some that they do not, against differences of the loss."""
    game = load_game(name)
    model = new_model(game, hidden, seed=3, by_results=True)
    if hidden == 0:
        model.weights[:] = np.random.default_rng(1).uniform(-0.1, 0.1, model.weights.shape)
    rules = with_model(game, model)._twin_
    width = model.weights.shape[1]
    listed, targets, sums = [3, 50, 50, 200], [0.9, 0.6, 0.4, -0.3, -0.8][-chances:], [0.0] * width

    def values() -> list[float]:
        rules.add_up(listed, len(listed), sums)
        found = [0.0] * chances
        rules.write_chances(sums, found)
        return found

    before = model.weights.copy()
    old = values()
    shares = np.diff(model.edges) / 2
    squared = rules.learn_step(listed, len(listed), sums, targets, 0.0, RATE)
    assert squared == pytest.approx(sum(shares * (np.array(targets) - old) ** 2))
    moved = (model.weights - before) / RATE
    model.weights[:] = before
    for row in [3, 50, 200, 7, *range(model.inputs, len(before))]:
        for column in {0, width // 2, width - 1}:
            if row == len(before) - 1 and (column >= chances or hidden == 0):
                continue  # the constants are a number for each chance, where there is a hidden layer
            difference = 0.02
            losses = []
            for sign in (1, -1):
                model.weights[row, column] = before[row, column] + sign * difference
                losses.append(sum(map(loss, values(), targets)))
            model.weights[row, column] = before[row, column]
            slope = (losses[0] - losses[1]) / (2 * difference)
            assert -moved[row, column] == pytest.approx(slope, abs=2e-3), (row, column)


def test_chances_of_results_add_up_to_the_value_and_results_to_themselves():
    game = load_game("backgammon")
    model = new_model(game, 8, seed=3, by_results=True)
    rules = with_model(game, model)._twin_
    shares = np.diff(model.edges) / 2
    for result in game.own_results():
        parts = [rules.part(result / 3.0, step) for step in range(model.chances)]
        assert np.abs(parts) == pytest.approx(1.0)
        assert 3.0 * sum(shares * parts) == pytest.approx(result)
    sums = [0.1 * j for j in range(-4, 4)]
    chances = [0.0] * model.chances
    rules.write_chances(sums, chances)
    assert rules.value_of_sums(sums) == pytest.approx(sum(shares * chances))


@pytest.mark.parametrize(
    ("results", "sentence"),
    [
        ((-1.0,), "is not 2 to 9 utilities from the lowest to the highest"),
        ((1.0, 0.0, -1.0), "is not 2 to 9 utilities from the lowest to the highest"),
        ((-1.0, 0.0, 2.0), "utility_range from -1.0 to 1.0"),
        ((-1.0, 0.5, 1.0), "what one player wins the other loses"),
        ((-1.0, float("nan"), 1.0), "is not 2 to 9 utilities from the lowest to the highest"),
        ((-1.0, 1.0), "utility of player 1 is 0, and own_results is"),
        (None, "own_results is None, which is not a tuple of numbers"),
        ("won", "own_results is 'won', which is not a tuple of numbers"),
    ],
)
def test_results_that_cannot_be_are_refused(results, sentence):
    game = load_game("tic_tac_toe")
    object.__setattr__(game, "own_results", lambda: results)
    with pytest.raises(GameError, match=sentence):
        new_model(game, 8, seed=DRAWN, by_results=True)


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
    model = new_model(game, hidden, seed=1, by_results=True)
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


@pytest.mark.few(1)
@pytest.mark.parametrize("name", ["ewn", "kalah", "tic_tac_toe", "backgammon"])
def test_of_two_players_one_has_what_the_other_lacks(name):
    game = load_game(name)
    model = new_model(game, 16, seed=1, by_results=True)
    evaluated = start(with_model(game, model), 3).settled(3).evaluations()
    assert evaluated[0] == -evaluated[1] != 0


def test_first_weights_depend_on_the_seed_alone():
    one, same, other = (first_weights(20, 16, 1, seed) for seed in (1, 1, 2))
    assert (one == same).all()
    assert not (one == other).all()
