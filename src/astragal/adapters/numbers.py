"""A position in the numbers of other libraries: actions from 0, a mask of the legal ones, and a vector.

Our actions are any numbers below 2^32. Elsewhere an action is its place in the list of legal actions, which is in the
game's static order: action 0 is the first one listed. The mask is therefore as many ones as there are legal actions.
The vector is the state, field by field, as the player to move sees it.
"""

from __future__ import annotations

from functools import cache
from typing import Any

import numpy as np
import numpy.typing as npt

from astragal.base.errors import AstragalError
from astragal.compiler.records import field_names
from astragal.rules.position import Position

Vector = npt.NDArray[np.float32]
Mask = npt.NDArray[np.int8]


def mask_of(position: Position) -> Mask:
    """1 for each action that is legal: the first ones."""
    mask = np.zeros(position.game.max_actions, np.int8)
    mask[: len(position.actions())] = 1
    return mask


def action_at(position: Position, place: int) -> int:
    """The action at a place of the list of legal ones; an error if there is none."""
    actions = position.actions()
    if not 0 <= place < len(actions):
        raise AstragalError(f"action {place} is not legal at '{position.text}': there are {len(actions)} legal actions")
    return actions[place]


def place_of(position: Position, action: int) -> int:
    return position.actions().index(action)


@cache
def vector_size(game: Any) -> int:
    return vector_of(Position.start(game)).size


def vector_of(position: Position) -> Vector:
    """All fields of the state in their order, without what is hidden from the player to move."""
    memory = position.known().memory
    return np.concatenate([plain(memory, name) for name in field_names(memory)] or [np.zeros(0, np.float32)])


def plain(memory: Any, name: str) -> Vector:
    """One field as numbers: whole words, such as boards of bits, as 16 bits each, which a float32 holds exactly."""
    values = np.ascontiguousarray(memory[name][0]).ravel()
    if values.dtype.names is not None:
        values = values.view(np.uint8)
    elif values.dtype.kind in "iu" and values.dtype.itemsize > 2:
        values = values.view(np.uint16)
    return values.astype(np.float32)


def vector_bounds(game: Any) -> tuple[float, float]:
    """The range of all numbers of a vector."""
    floats = any(game.state[name].base.kind == "f" for name in game.state.names)
    return (-np.inf, np.inf) if floats else (-32768.0, 65535.0)


def missing(library: str, extra: str) -> AstragalError:
    return AstragalError(f'{library} is not installed: pip install "astragal[{extra}]"')
