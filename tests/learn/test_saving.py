"""Networks that were trained elsewhere: files have their values, searches take them, and misfits are refused."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

from astragal import Limits, Position, load_game, search
from astragal.base.arrays import read_arrays, write_arrays
from astragal.base.errors import SpecError
from astragal.compiler.kernel import kernel
from astragal.learn import from_fields, inputs_of, save_model
from astragal.learn.model import evaluated_game, model_for, read_model
from support.helpers import random_positions

BENCHMARK = Path(__file__).parents[2] / "benchmarks" / "network.py"
FUNCTIONS = {
    "relu": lambda x: np.maximum(x, 0.0),
    "tanh": np.tanh,
    "sigmoid": lambda x: 1.0 / (1.0 + np.exp(-x)),
    "none": lambda x: x,
}


@pytest.fixture(autouse=True)
def _few_samples(monkeypatch):
    monkeypatch.setattr(from_fields, "SAMPLES", 300)


def layers_of(inputs: int, *units: tuple[int, str]) -> list[tuple]:
    draw, layers = np.random.default_rng(1), []
    for count, activation in units:
        layers.append((draw.normal(0.0, 0.4, (count, inputs)), draw.normal(0.0, 0.1, count), activation))
        inputs = count
    return layers


def outputs_of(layers, vectors):
    for weights, constants, activation in layers:
        vectors = FUNCTIONS[activation](vectors @ weights.T + constants)
    return vectors[:, 0]


def samples_of(game, count: int) -> list[Position]:
    return [each for each in random_positions(game, 3, 2 * count) if not each.is_terminal][:count]


NETWORKS = [
    [(1, "tanh")],
    [(1, "sigmoid")],
    [(16, "relu"), (1, "tanh")],
    [(9, "sigmoid"), (5, "none"), (3, "relu"), (1, "sigmoid")],
    [(70, "tanh"), (20, "relu"), (1, "tanh")],
]


def saved(folder: Path, name: str, network) -> tuple[Path, list[Position], np.ndarray]:
    """A file of a network, positions, and what the network gives for them."""
    game = load_game(name)
    inputs, positions = inputs_of(game), samples_of(game, 6)
    layers = layers_of(inputs.size, *network)
    outputs = outputs_of(layers, inputs.vectors(positions))
    file = save_model(folder / "mine.npz", game, layers, inputs=inputs, samples=positions, outputs=outputs)
    return file, positions, outputs


@pytest.mark.parametrize("network", NETWORKS, ids=str)
@pytest.mark.parametrize("name", ["ewn", "tic_tac_toe", "cant_stop:players=3"])
def test_the_file_has_the_values_of_the_network(tmp_path, name, network):
    """Whatever the view: of the mover, of the first player, of each."""
    file, positions, outputs = saved(tmp_path, name, network)
    game, inputs = load_game(name), inputs_of(name)
    low, high = game.utility_range
    shares = outputs if network[-1][1] == "sigmoid" else (outputs + 1) / 2
    learned = evaluated_game(game, str(file))
    for position, share in zip(positions, shares, strict=True):
        value = Position(learned, position.memory).evaluations()[inputs.viewer(position)]
        assert value == pytest.approx(low + share * (high - low), abs=1e-4 * (high - low))


@pytest.mark.parametrize("player", ["star2", "uct", "maxn", "greedy"])
def test_searches_take_it(tmp_path, player):
    file, positions, _ = saved(tmp_path, "ewn", NETWORKS[2])
    position = next(each for each in positions if not each.is_chance)
    limits = {"uct": Limits(sims=4), "greedy": None}.get(player, Limits(depth=1))
    settings = ",rollout=0" if player == "uct" else ""
    found = search(position, f"{player}:evaluation={file}{settings}", limits=limits)
    assert found.action in position.action_names()


def test_a_file_is_read_as_it_was_written(tmp_path):
    file, *_ = saved(tmp_path, "ewn", NETWORKS[3])
    model = read_model(file)
    assert model.layers == tuple(NETWORKS[3])
    assert model.weights.dtype == np.float32
    assert model.notes == {"made": "save_model"}


@kernel(entry="evaluations of a network, for a test")
def evaluations(game, states, values):
    for i in range(len(states)):
        for player in range(game.players):
            values[i, player] = game.heuristic(states[i], player)


@pytest.mark.compiled
@pytest.mark.slow
@pytest.mark.parametrize("network", [*NETWORKS, [(70, "relu"), (20, "tanh"), (1, "sigmoid")]], ids=str)
@pytest.mark.parametrize("name", ["ewn", "backgammon", "tic_tac_toe"])
def test_machine_code_and_python_evaluate_alike(tmp_path, name, network):
    file, positions, _ = saved(tmp_path, name, network)
    learned = evaluated_game(load_game(name), str(file))
    states = np.zeros(len(positions), learned.state)
    for i, position in enumerate(positions):
        states[i : i + 1] = position.memory
    found = np.zeros((len(states), learned.players))
    evaluations(learned, states, found)
    wanted = [Position(learned, position.memory).evaluations() for position in positions]
    assert found == pytest.approx(np.array(wanted), abs=1e-3)


# What is refused

RIGHT = [(8, "relu"), (1, "tanh")]


def refused(tmp_path, sentence, layers, **more):
    with pytest.raises(SpecError, match=sentence):
        save_model(tmp_path / "mine.npz", "ewn", layers, **more)
    assert not (tmp_path / "mine.npz").exists()


def test_layers_that_do_not_fit_are_refused(tmp_path):
    size = inputs_of("ewn").size
    first, last = layers_of(size, *RIGHT)
    for sentence, layers in [
        ("a network has 1 to 8 layers", []),
        (r"layer 1 takes 428 numbers: .* not \(1, 8\)", [last]),
        (r"layer 2 takes 8 numbers: .* not \(8, 428\)", [first, first]),
        (r"the last layer must have 1 unit with tanh or sigmoid, not 8 with relu", [first]),
        ("layer 2: there is no activation 'tan' .*; did you mean 'tanh'", [first, (*last[:2], "tan")]),
        ("layer 1 is not", ["dense", last]),
        ("layer 1 has weights that are not finite numbers", [(first[0] * np.nan, *first[1:]), last]),
        ("at most 1024 units, not", layers_of(size, (1025, "relu"), (1, "tanh"))),
        ("the last layer must have 1 unit with tanh or sigmoid, not 1 with none", [first, (*last[:2], "none")]),
    ]:
        refused(tmp_path, sentence, layers)


def test_a_network_whose_outputs_are_others_is_refused(tmp_path):
    inputs, positions = inputs_of("ewn"), samples_of(load_game("ewn"), 3)
    layers = layers_of(inputs.size, *RIGHT)
    outputs = outputs_of(layers, inputs.vectors(positions))
    swapped = [(weights, constants, {"relu": "sigmoid"}.get(word, word)) for weights, constants, word in layers]
    refused(tmp_path, "sample 1, '.*': the network's output is", swapped, samples=positions, outputs=outputs)
    refused(tmp_path, "3 samples and 0 outputs", layers, samples=positions)
    refused(tmp_path, "these inputs belong to pig, not of ewn", layers, inputs=inputs_of("pig"))
    with pytest.raises(SpecError, match=r"ends with \.npz, not mine\.pt"):
        save_model(tmp_path / "mine.pt", "ewn", layers)


@pytest.mark.parametrize(
    "layers",
    [[[8, "relu"]], [[8, "relu"], [1, "none"]], [[1 << 20, "relu"], [1, "tanh"]], [[0, "relu"], [1, "tanh"]], [8], "8"],
    ids=str,
)
def test_damaged_layers_are_refused(tmp_path, layers):
    file, *_ = saved(tmp_path, "ewn", RIGHT)
    arrays = read_arrays(file)
    facts = json.loads(str(arrays["facts"])) | {"layers": layers}
    write_arrays(file, {**arrays, "facts": np.array(json.dumps(facts))})
    with pytest.raises(SpecError, match=r"is damaged|is not a model"):
        model_for(load_game("ewn"), str(file))


@pytest.mark.slow
def test_the_benchmark_runs():
    line = [sys.executable, BENCHMARK, "--seconds", "0.01", "tic_tac_toe"]
    ran = subprocess.run(line, capture_output=True, text=True, check=False)
    assert (ran.returncode, "| 64-32 relu |" in ran.stdout) == (0, True), ran.stderr
