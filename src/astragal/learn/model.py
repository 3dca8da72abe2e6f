"""A model: the weights of a network, the game they were learned for, and how; kept in a small file.

A file is NumPy's `.npz`: weights with half precision, the table of inputs where those are made of the state's fields,
and a text in JSON that says what it was learned for and how. Nothing in it is run.
"""

from __future__ import annotations

import json
import zipfile
from dataclasses import dataclass, field, replace
from functools import lru_cache
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from astragal.errors import AstragalError, SpecError
from astragal.game.inputs import QUARTERS, are_results
from astragal.games import game_name, game_spec
from astragal.parameters import describe

FORMAT = 1
OWN, SHIPPED = "own", "learned"  # words in the place of a file
FOLDER = Path(__file__).parent / "models"
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
    from astragal.learn.derived import OWN_GRID

    inputs, most = game.own_inputs()
    return (inputs + OWN_GRID, most + QUARTERS) if own else (inputs, most)


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
    arrays: dict[str, Any] = {"weights": model.weights.astype(np.float16), "facts": np.array(json.dumps(facts))}
    if model.table is not None:
        arrays["table"] = model.table
    write_arrays(path, arrays)


def write_arrays(path: Path, arrays: dict[str, Any]) -> None:
    part = path.with_name(f"{path.name}.part")
    try:
        with part.open("wb") as file:
            np.savez_compressed(file, **arrays)
        part.replace(path)
    except OSError as error:
        raise AstragalError(f"cannot write to {path}: {error.strerror}") from None


def read_model(path: Path) -> Model:
    """The model in a file, or a sentence about what is wrong with it."""
    if not path.is_file():
        file = f"{str(path).removesuffix('.npz')}.npz"
        raise SpecError(f"evaluation={path}: there is no such file; `astragal learn GAME --out {file}` makes one")
    try:
        with np.load(path, allow_pickle=False) as arrays:
            held = {name: arrays[name] for name in arrays.files}
        facts = json.loads(str(held["facts"]))
        model = Model(
            facts["game"],
            int(facts["inputs"]),
            int(facts["most"]),
            int(facts["hidden"]),
            np.ascontiguousarray(held["weights"], np.float32),
            held.get("table"),
            facts["state"],
            bool(facts.get("own", False)),
            tuple(float(each) for each in facts.get("results", ())),
            facts["notes"],
        )
    except (OSError, ValueError, KeyError, TypeError, EOFError, zipfile.BadZipFile):
        raise SpecError(f"evaluation={path}: the file is not a model that `astragal learn` wrote") from None
    if facts.get("format") != FORMAT:
        raise SpecError(f"evaluation={path}: the file is of another version of Astragal; learn it again")
    check_shape(model, path)
    return model


def check_shape(model: Model, path: Path) -> None:
    """Kernels read weights and tables without a look at how long they are."""
    from astragal.learn.from_fields import NUMBER
    from astragal.learn.network import weights_shape

    shape = weights_shape(model.inputs, model.hidden, model.chances)
    right = model.weights.shape == shape and bool(np.isfinite(model.weights).all()) and 0 < model.most <= 1 << 20
    right &= not model.results or are_results(model.results)
    if model.table is not None:
        right &= model.table.dtype == NUMBER and len(model.table) == 1 + int(model.table["least"][0])
    if not right:
        raise SpecError(f"evaluation={path}: the file is damaged: its weights do not fit what it says of itself")


@lru_cache(maxsize=64)
def kept_model(path: Path, changed: float) -> Model:
    """The model in a file, read once while it does not change."""
    return read_model(path)


def shipped_models() -> dict[str, Path]:
    """The models of the package by their games' names."""
    return {path.stem: path for path in sorted(FOLDER.glob("*.npz"))}


def model_for(game: Any, evaluation: str) -> Model:
    """The model that the setting `evaluation` means for a game; or a sentence why it has none."""
    if evaluation == SHIPPED:
        name, models = game_name(game), shipped_models()
        if name not in models:
            known = ", ".join(models)
            raise SpecError(
                f"evaluation=learned: no learned evaluation of {name} comes with Astragal (there are: {known}); "
                f"`astragal learn {game_spec(game)}` makes one"
            )
        path = models[name]
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
        same["states"] = model.state == str(game.state)
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
