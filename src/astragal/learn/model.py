"""A model: the weights of a network, the game they were learned for, and how; kept in a small file.

A file is NumPy's `.npz`: weights with half precision (single, if they were trained elsewhere), the table of inputs
where those are made of the state's fields, and a text in JSON that says what it was learned for and how. Nothing in it
is run.
"""

from __future__ import annotations

import json
from dataclasses import dataclass, field, replace
from functools import lru_cache
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from astragal.base.arrays import parsed_facts, read_arrays, write_arrays
from astragal.base.errors import SpecError
from astragal.base.parameters import describe
from astragal.games import find_game_class, game_name, game_names, game_spec
from astragal.rules.folder_files import file_beside
from astragal.rules.inputs import QUARTERS, are_results

FORMAT = 1
OWN, SHIPPED = "own", "learned"  # words in the place of a file
FILE = "model.npz"  # in a game's folder
MOST_ON, MOST_HIDDEN = 1 << 20, 256  # inputs that are on at once, and hidden units
NOT_THE_RULES = frozenset({"evaluation", "setup", "rolls"})  # parameters that change no state's worth


@dataclass(frozen=True, eq=False)
class Model:
    """Weights, and what is known of them."""

    game: str  # the game's name and all its parameters
    inputs: int
    most: int  # inputs that are on at once
    hidden: int  # units; 0 for a sum of weights
    weights: npt.NDArray[np.float32]
    table: npt.NDArray[np.void] | None = None  # how inputs are made of the state's fields, where the game lists none
    state: str = ""  # the dtype of states, with a table
    own: bool = False  # whether the last inputs are the game's own evaluation
    results: tuple[float, ...] = ()  # utilities that the game can end with; none: anything in their range
    layers: tuple[tuple[int, str], ...] = ()  # of a network trained elsewhere (`dense`), in place of hidden units
    notes: dict[str, Any] = field(default_factory=dict)  # how it was learned, and how strong it is

    @property
    def size(self) -> tuple[int, int]:
        """How many inputs there are, and how many are on at most."""
        return self.inputs, self.most

    @property
    def chances(self) -> int:
        """How many chances it says: of every step from one result to the next, or one over the range of utilities."""
        return max(1, len(self.results) - 1)

    @property
    def edges(self) -> tuple[float, ...]:
        """The results, with -1 for the lowest and 1 for the highest."""
        results = self.results or (-1.0, 1.0)
        low, high = results[0], results[-1]
        return tuple(2.0 * (each - low) / (high - low) - 1.0 for each in results)

    def with_notes(self, **notes: Any) -> Model:
        return replace(self, notes=self.notes | notes)


def inputs_with(game: Any, own: bool) -> tuple[int, int]:
    """How many inputs a game lists, and how many of them are on at most, with or without its own evaluation."""
    inputs, most = game.own_inputs()
    return with_own(inputs, most, own)


def with_own(inputs: int, most: int, own: bool) -> tuple[int, int]:
    """The same numbers with the game's own evaluation among the inputs, where it is one."""
    from astragal.learn.derived import OWN_GRID

    return (inputs + OWN_GRID, most + QUARTERS) if own else (inputs, most)


def table_fits(model: Model, game: Any) -> bool:
    """Whether a table reads only states of this game, and has its inputs for each separate view."""
    from astragal.learn.derived import has_features, views_apart
    from astragal.learn.from_fields import inputs_of_table, words_of_table

    assert model.table is not None
    inputs, most = inputs_of_table(model.table)
    reads = words_of_table(model.table) <= game.state.itemsize // 8
    return reads and not has_features(game) and with_own(inputs * views_apart(game), most, model.own) == model.size


def rules_text(game: Any, own: bool = False) -> str:
    """A game's name with all its parameters but those that change no state's worth, nor inputs of a model."""
    return without_others(f"{game_name(game)}:{describe(game, only_changed=False)}", own)


def without_others(text: str, own: bool = False) -> str:
    name, _, settings = text.partition(":")
    left_out = NOT_THE_RULES - {"evaluation"} if own else NOT_THE_RULES
    kept = [each for each in settings.split(",") if each and each.partition("=")[0] not in left_out]
    return ":".join(part for part in (name, ",".join(kept)) if part)


def write_model(model: Model, path: Path) -> None:
    """Keep a model in a file, whole or not at all."""
    facts = {
        "format": FORMAT,
        "game": model.game,
        "inputs": model.inputs,
        "most": model.most,
        "hidden": model.hidden,
        "state": model.state,
        "own": model.own,
        "results": model.results,
        "notes": model.notes,
    }
    if model.layers:
        facts["layers"] = model.layers
    weights = model.weights if model.layers else model.weights.astype(np.float16)
    arrays: dict[str, Any] = {"weights": weights, "facts": np.array(json.dumps(facts))}
    if model.table is not None:
        arrays["table"] = model.table
    write_arrays(path, arrays)


def read_model(path: Path) -> Model:
    """The model in a file, or a sentence about what is wrong with it."""
    if not path.is_file():
        file = f"{str(path).removesuffix('.npz')}.npz"
        raise SpecError(f"evaluation={path}: there is no such file; `astragal learn GAME --out {file}` makes one")
    try:
        held = read_arrays(path)
        facts = parsed_facts(held)
        if facts.get("format") != FORMAT:
            raise SpecError(f"evaluation={path}: the file is of another version of Astragal; learn it again")
        model = Model(
            facts["game"],
            int(facts["inputs"]),
            int(facts["most"]),
            int(facts["hidden"]),
            np.ascontiguousarray(held["weights"].astype(np.float32, casting="same_kind")),
            held.get("table"),
            facts["state"],
            bool(facts.get("own", False)),
            tuple(float(each) for each in facts.get("results", ())),
            tuple((int(units), str(activation)) for units, activation in facts.get("layers", ())),
            facts["notes"],
        )
        is_model = isinstance(model.game, str) and isinstance(model.state, str) and isinstance(model.notes, dict)
    except SpecError:
        raise
    except Exception:  # whatever a file that is none holds
        is_model = False
    if not is_model:
        raise SpecError(f"evaluation={path}: the file is not a model that `astragal learn` or save_model wrote")
    if not is_sound(model):
        raise SpecError(f"evaluation={path}: the file is damaged: its weights do not fit what it says of itself")
    return model


def is_sound(model: Model) -> bool:
    """Whether weights and table are as long as the model says: kernels read them without a look."""
    from astragal.learn.dense import are_layers, number_of_weights
    from astragal.learn.from_fields import inputs_of_table
    from astragal.learn.network import weights_shape

    if not 0 < model.most <= MOST_ON or not 0 <= model.hidden <= MOST_HIDDEN or model.hidden % 8:
        return False
    if model.results and not are_results(model.results):
        return False
    shape: tuple[int, ...] = weights_shape(model.inputs, model.hidden, model.chances)
    if model.layers:
        if not are_layers(model.layers) or model.own or model.results or model.inputs < 1:
            return False
        shape = (number_of_weights(model.inputs, model.layers),)
    if model.weights.shape != shape:
        return False
    if model.table is not None:
        try:
            inputs, most = with_own(*inputs_of_table(model.table), model.own)
        except ValueError:
            return False
        if model.most != most or model.inputs < inputs:
            return False
    return bool(np.isfinite(model.weights).all())


@lru_cache(maxsize=64)
def kept_model(path: Path, changed: float) -> Model:
    """The model in a file, read once while it does not change."""
    return read_model(path)


def shipped_models() -> dict[str, Path]:
    """The models of the package by their games' names."""
    found = {name: file_beside(find_game_class(name)[0], FILE) for name in game_names()}
    return {name: path for name, path in found.items() if path is not None}


def model_for(game: Any, evaluation: str) -> Model:
    """The model that the setting `evaluation` means for a game; or a sentence why it has none."""
    if evaluation == SHIPPED:
        found = file_beside(type(game), FILE)
        if found is None:
            known = ", ".join(shipped_models())
            raise SpecError(
                f"evaluation=learned: no learned evaluation of {game_name(game)} comes with Astragal "
                f"(there are: {known}); `astragal learn {game_spec(game)}` makes one"
            )
        path = found
    else:
        path = Path(evaluation)
    model = kept_model(path, path.stat().st_mtime if path.is_file() else 0.0)
    refuse_other_game(model, game, evaluation)
    return model


def refuse_other_game(model: Model, game: Any, evaluation: str) -> None:
    """Say in a sentence that a model was learned for another game, or for other parameters of it."""
    wanted = rules_text(game, model.own)
    if model.game.partition(":")[0] != wanted.partition(":")[0]:
        learned = model.game.partition(":")[0]
        raise SpecError(f"evaluation={evaluation} was learned for {learned}, not for {game_name(game)}")
    if without_others(model.game, model.own) != wanted:
        theirs, ours = (
            set(text.partition(":")[2].split(",")) for text in (without_others(model.game, model.own), wanted)
        )
        learned, here = (", ".join(sorted(each)) or "nothing" for each in (theirs - ours, ours - theirs))
        raise SpecError(f"evaluation={evaluation} was learned for {game_name(game)} with {learned}, not with {here}")
    same = {"results": not model.results or model.results == tuple(game.own_results())}
    if model.table is not None:
        same["states"] = model.state == str(game.state) and table_fits(model, game)
    else:
        same["inputs"] = inputs_with(game, model.own) == model.size
    for what, is_same in same.items():
        if not is_same:
            raise SpecError(
                f"evaluation={evaluation} was learned for a {game_name(game)} with other {what}; learn it again"
            )


def evaluated_game(game: Any, evaluation: str) -> Any:
    """The game as a player with this setting sees it: with its own evaluation, or with a learned one."""
    if evaluation == OWN or "model" in vars(game):  # a player that asks others hands its own game down
        return game
    from astragal.learn.derived import with_model

    model = model_for(game, evaluation)
    kept = GAMES.get(id(game))
    if kept is not None and kept[0] is game and kept[1] is model:
        return kept[2]
    if len(GAMES) > 64:
        GAMES.clear()
    made = with_model(game, model)
    GAMES[id(game)] = game, model, made
    return made


GAMES: dict[int, tuple[Any, Model, Any]] = {}  # id of a game -> the game, its model, and the game with it
