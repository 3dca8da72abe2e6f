"""What was solved, kept on disk: one file of arrays for each game and purpose, there whole or not at all."""

from __future__ import annotations

import warnings
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from astragal.folders import cache_folder, new_file
from astragal.games import game_name
from astragal.parameters import describe


def file_for(game: Any, purpose: str = "") -> Path:
    """The file that something solved is kept in; its name changes with the game's source and parameters."""
    settings = describe(game).replace("=", "").replace(",", "-")
    name = "-".join(part for part in (game_name(game), settings, purpose, game.own_identity()) if part)
    return cache_folder() / "solutions" / f"{name}.npz"


def save_arrays(path: Path, **arrays: npt.NDArray[Any]) -> None:
    """Write arrays to a file; where that fails, warn and go on."""
    try:
        with new_file(path) as file:
            np.savez(file, **arrays)  # type: ignore[arg-type]
    except OSError as error:
        warnings.warn(f"the solution cannot be kept in {path.parent} ({error})", stacklevel=3)


def load_arrays(path: Path, *names: str) -> list[npt.NDArray[Any]] | None:
    """Arrays of a file; None if there is no such file, or a broken one."""
    try:
        with np.load(path) as data:
            return [data[name] for name in names]
    except Exception:  # a broken file fails in many ways: each means solving anew
        return None
