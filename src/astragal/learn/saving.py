"""Networks that were trained elsewhere as evaluations: their inputs, and the file that searches read them from.

>>> from astragal.learn import inputs_of
>>> inputs = inputs_of("ewn")
>>> inputs.vectors([astragal.start("ewn", 1)]).shape == (1, inputs.size)
True
"""

# mypy: allow-untyped-defs, allow-untyped-calls
from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from astragal.base.errors import SpecError, shortened, suggest
from astragal.compiler.kernel import kernel
from astragal.games import game_spec, load_game
from astragal.learn.beginning import new_model
from astragal.learn.dense import ACTIVATIONS, LAST, MOST_LAYERS, MOST_UNITS, Layers, are_layers, padded_width
from astragal.learn.derived import BY_EACH, BY_MOVER, views_of, with_model
from astragal.learn.model import Model, write_model
from astragal.rules.position import Position

Layer = tuple[Any, Any, str]  # weights, constants, activation
CHECKED = 100  # samples whose outputs are compared
TOLERANCE = 1e-3  # of outputs


@dataclass(frozen=True, eq=False)
class Inputs:
    """The inputs of a game's evaluation: what its `features` list, or what is made of its state's fields."""

    game: Any
    model: Model  # that has these inputs, and no weights

    @property
    def size(self) -> int:
        """How many inputs there are."""
        return self.model.inputs

    @cached_property
    def evaluated(self) -> Any:
        """The game with an evaluation by these inputs."""
        return with_model(self.game, self.model)

    def viewer(self, position: Position) -> int:
        """The player from whose view a position is evaluated: a network's output is the value for this player."""
        views = views_of(self.game)
        if views == BY_MOVER:
            return int(Position(self.evaluated, position.memory).rules.mover(position.state))
        return max(0, position.turn) if views == BY_EACH else 0

    def vectors(
        self, positions: Sequence[Position] | npt.NDArray[Any], players: Iterable[int] | None = None
    ) -> npt.NDArray[np.float32]:
        """A row for each position: how often each input is on, for its viewer or for the player given.

        Positions may also be an array of states, as `Position.memory` holds one; then players must be given.
        """
        if isinstance(positions, np.ndarray):
            if players is None:
                raise SpecError("an array of states needs players=, a view for each state")
            states = positions
        else:
            players = [self.viewer(each) for each in positions] if players is None else players
            states = np.zeros(len(positions), self.game.state)
            raw = states.view(np.uint8).reshape(len(states), -1)
            for row, position in zip(raw, positions, strict=True):
                row[:] = position.memory.view(np.uint8)
        found = np.zeros((len(states), self.size), np.float32)
        write_inputs(self.evaluated, states, np.array(list(players), np.int64), found)
        return found


@kernel(entry="inputs of states")
def write_inputs(game, states, players, found):
    """Count the inputs that are on in each state, as a player sees it."""
    listed = np.zeros(game.most_inputs, np.uint32)
    for i in range(len(states)):
        for k in range(game.inputs_on(states[i], players[i], listed)):
            found[i, listed[k]] += np.float32(1.0)


def inputs_of(game: str | Any) -> Inputs:
    """The inputs of a game's evaluation, for networks that are trained on them."""
    rules = load_game(game)
    return Inputs(rules, new_model(rules, 0, seed=0))


def save_model(
    path: str | Path,
    game: str | Any,
    layers: Sequence[Layer],
    *,
    inputs: Inputs | None = None,
    samples: Sequence[Position] = (),
    outputs: Sequence[float] | npt.NDArray[Any] = (),
    notes: dict[str, Any] | None = None,
) -> Path:
    """Write a network of dense layers to a file that every search takes as ``evaluation=FILE``.

    ``layers`` are triples of weights, constants and an activation, first layer first: weights have a row for each unit
    and a column for each of its inputs, as ``torch.nn.Linear.weight``. Activations are ``relu``, ``tanh``, ``sigmoid``
    and ``none``. The last layer has one unit: with ``tanh`` it is the value, from -1 for the lowest utility to 1 for
    the highest; with ``sigmoid`` the same from 0 to 1. It is the value for `Inputs.viewer`.

    ``inputs`` are those the network was trained with, `inputs_of` the game where none are given. ``outputs`` are what
    the network gives for ``samples``; the file is written only if its own are the same.
    """
    rules = load_game(game)
    known = inputs_of(rules) if inputs is None else inputs
    if known.game != rules:
        raise SpecError(f"these inputs belong to {game_spec(known.game)}, not of {game_spec(rules)}")
    matrices, shape = read_layers(layers, known.size)
    made = Model(
        known.model.game,
        known.size,
        known.model.most,
        0,
        np.concatenate([matrix.ravel() for matrix in matrices]),
        known.model.table,
        known.model.state,
        layers=shape,
        notes={"made": "save_model"} | (notes or {}),
    )
    compare(made, known, samples, outputs)
    file = Path(path)
    if file.suffix != ".npz":
        raise SpecError(f"the name of a model's file ends with .npz, not {file.name}")
    write_model(made, file)
    return file


def read_layers(layers: Sequence[Layer], inputs: int) -> tuple[list[npt.NDArray[np.float32]], Layers]:
    """The matrices as kernels read them, and the layers' units and activations; or a sentence."""
    matrices, shape = [], []
    before, expected = inputs, inputs
    for number, layer in enumerate(layers, 1):
        try:
            weights, constants, activation = layer
            weights, constants = (np.asarray(each, np.float32) for each in (weights, constants))
        except (TypeError, ValueError):
            raise SpecError(f"layer {number} is not (weights, constants, activation)") from None
        if activation not in ACTIVATIONS:
            known = ", ".join(ACTIVATIONS)
            raise SpecError(
                f"layer {number}: there is no activation {shortened(repr(activation))} (there are: {known})"
                f"{suggest(str(activation), ACTIVATIONS)}"
            )
        units = weights.shape[0] if weights.ndim == 2 else 0
        if weights.shape != (units, expected) or constants.shape != (units,) or not units:
            raise SpecError(
                f"layer {number} takes {expected} numbers: its weights must be units x {expected} and its constants "
                f"one for each unit, not {weights.shape} and {constants.shape}"
            )
        if not (np.isfinite(weights).all() and np.isfinite(constants).all()):
            raise SpecError(f"layer {number} has weights that are not finite numbers")
        matrix = np.zeros((before + 1, padded_width(units)), np.float32)
        matrix[:expected, :units], matrix[-1, :units] = weights.T, constants
        matrices.append(matrix)
        shape.append((units, activation))
        before, expected = padded_width(units), units
    found = tuple(shape)
    if not are_layers(found):
        raise SpecError(refusal(found))
    return matrices, found


def refusal(layers: Layers) -> str:
    """Why a network cannot have these layers."""
    if layers and (layers[-1][0] != 1 or layers[-1][1] not in LAST):
        units, activation = layers[-1]
        return f"the last layer must have 1 unit with {' or '.join(LAST)}, not {units} with {activation}"
    return f"a network has 1 to {MOST_LAYERS} layers of at most {MOST_UNITS} units, not {[each[0] for each in layers]}"


def compare(model: Model, inputs: Inputs, samples: Sequence[Position], outputs: Any) -> None:
    """Raise a sentence where the model's outputs for samples are not those of the network."""
    if len(samples) != len(outputs):
        raise SpecError(f"there are {len(samples)} samples and {len(outputs)} outputs; each sample has one output")
    factor, offset = LAST[model.layers[-1][1]]
    rules = with_model(inputs.game, model)
    for number, (position, wanted) in enumerate(zip(samples[:CHECKED], np.ravel(outputs)[:CHECKED], strict=False), 1):
        value = float(Position(rules, position.memory).rules.heuristic(position.state, inputs.viewer(position)))
        found = ((value - rules.middle) / rules.reach - offset) / factor
        if not abs(found - wanted) <= TOLERANCE:
            raise SpecError(
                f"sample {number}, '{position.text}': the network's output is {float(wanted):.6f}, the file's would be "
                f"{found:.6f}; the inputs, the order of the layers or an activation differ"
            )
