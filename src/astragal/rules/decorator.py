"""`@game`: what a game must define, what it may omit, and the checks made when its class is defined.

This module does not import Numba: a game can be listed, shown and played by a person without it.
"""

from __future__ import annotations

import dataclasses
import inspect
from collections.abc import Callable
from functools import partialmethod
from typing import Any, TypeVar, dataclass_transform

import numpy as np

from astragal.base.errors import GameError
from astragal.compiler.fingerprint import Identity
from astragal.compiler.interpreted import instance_twin
from astragal.compiler.records import padded
from astragal.rules import defaults
from astragal.rules.faults import guarded_twin
from astragal.rules.pickling import itself, reduced
from astragal.rules.protocol import ALWAYS, DECLARATIONS, METHODS, OPTIONAL, OWN, Game

T = TypeVar("T")

CHANCE = -1
"""What `turn` returns where dice, cards or another chance event come next."""
TERMINAL = -2
"""What `turn` returns where the game is over."""

SIGNATURES = {member.name: member.signature for member in (*METHODS, *OWN)}
SHOWN = frozenset(m.name for m in (*METHODS, *OWN) if m.mark.python_only) - {"start"}  # editing them compiles nothing
LEARNED = frozenset({"features", "mover"})  # compiled with a learned evaluation, not with the game
REQUIRED = tuple(member.name for member in METHODS if member.mark.needed == ALWAYS)


MOST_BYTES = 2**18  # of a state: searches have copies of it at every depth on the stack


class MadeOnce:
    """An attribute that is made when it is first asked for; before Python 3.12 `cached_property` cannot be pickled."""

    def __init__(self, make: Callable[[Any], Any]) -> None:
        self.make = make

    def __get__(self, instance: Any, owner: type) -> Any:
        if instance is None:
            return self
        value = vars(instance)[self.make.__name__] = self.make(instance)
        return value


def compiled(cls: type[T]) -> type[T]:
    """Class decorator: instances of this frozen dataclass can be passed to kernels, which call its methods."""
    own = SHOWN | LEARNED if hasattr(cls, "max_actions") else frozenset()

    def _numba_type_(self: Any) -> Any:
        from astragal.compiler.class_types import numba_type

        if type(self) is not cls:
            raise GameError(
                f"{type(self).__name__} inherits from {cls.__name__} and needs its own @game to be compiled"
            )
        return numba_type(self, cls.__identity__)  # type: ignore[attr-defined]

    def _twin_(self: Any) -> Any:
        twin = instance_twin(self)
        return guarded_twin(twin) if hasattr(cls, "max_actions") else twin

    for function in (_numba_type_, _twin_):
        setattr(cls, function.__name__, MadeOnce(function))
    # Not plain functions, which would count as methods of the user's in fingerprints of classes that inherit from this.
    if cls.__reduce__ is object.__reduce__:
        cls.__reduce__ = partialmethod(reduced)  # type: ignore[method-assign,assignment]
    cls.__deepcopy__ = partialmethod(itself)  # type: ignore[attr-defined]
    cls.__compiled_class__ = True  # type: ignore[attr-defined]
    cls.__identity__ = Identity(cls, own)  # type: ignore[attr-defined]
    return cls


@dataclass_transform(frozen_default=True)
def game(cls: type[T]) -> type[T]:
    """Class decorator: make a game of a class with the methods of `astragal.rules.protocol.Game`.

    The class is a frozen dataclass (or is made one); its fields are the game's parameters. Class attributes declare
    the ``state`` dtype, ``players``, upper bounds ``max_actions`` and ``max_outcomes``, optionally ``max_plies``, the
    ``utility_range`` and whether the game is ``zero_sum``.
    """
    if "__dataclass_fields__" not in vars(cls):
        cls = dataclasses.dataclass(frozen=True)(cls)
    _check_and_complete(cls)
    return compiled(cls)


def _check_and_complete(cls: type) -> None:
    name = cls.__name__
    if not cls.__dataclass_params__.frozen:  # type: ignore[attr-defined]
        raise GameError(f"game {name}: its dataclass must be frozen, since kernels are compiled for its parameters")
    _check_methods(cls)
    for declared in DECLARATIONS:
        given = hasattr(cls, declared.name) or declared.name in cls.__dataclass_fields__  # type: ignore[attr-defined]
        if not given and declared.mark.needed == OPTIONAL:
            setattr(cls, declared.name, declared.mark.default)
        elif not given and declared.name == "max_actions":
            raise GameError(f"game {name} must declare max_actions, an upper bound on the number of legal actions")
    if defines(cls, "outcomes") and cls.max_outcomes == 0:  # type: ignore[attr-defined]
        raise GameError(
            f"game {name} has chance outcomes and must declare max_outcomes, an upper bound on their number"
        )
    if not isinstance(inspect.getattr_static(cls, "state", None), np.dtype):
        raise GameError(
            f"game {name} must declare its state, such as state = np.dtype([('score', 'i2', 2), ('turn', 'i1')])"
        )
    _check_state(name, cls.state)  # type: ignore[attr-defined]
    try:
        cls.state = padded(cls.state)  # type: ignore[attr-defined]
    except TypeError as error:
        raise GameError(f"game {name}: {error}") from None
    _forget_outdated(cls)
    cls.tells_best = defines(cls, "best_after")  # type: ignore[attr-defined]  # a constant that kernels branch on
    cls.has_rollout = defines(cls, "rollout")  # type: ignore[attr-defined]  # likewise
    _add_defaults(cls)


def _check_state(name: str, state: np.dtype[Any]) -> None:
    if state.itemsize > MOST_BYTES:
        sizes = f"its state has {state.itemsize:,} bytes, and {MOST_BYTES:,} are the most"
        raise GameError(f"game {name}: {sizes}; tables that never change belong into arrays of the module")
    for field, (kind, *_) in (state.fields or {}).items():
        if kind.base.names is not None:
            _check_state(name, kind.base)
        elif kind.base.kind not in "iufb":
            what = "a text" if kind.base.kind in "US" else f"of type {kind.base}"
            raise GameError(f"game {name}: the field {field} of its state is {what}; states hold numbers")


def defines(cls: type, method: str) -> bool:
    """Whether a class, or a game it inherits from, defines a method itself rather than taking the default."""
    return getattr(getattr(cls, method, None), "__module__", defaults.__name__) != defaults.__name__


def keeps_secrets(game: Game) -> bool:
    """Whether a game hides decisions from the next player to move."""
    return defines(type(game), "hidden")


def _check_methods(cls: type) -> None:
    name = cls.__name__
    required = REQUIRED
    for together in needed_together():
        required += together if any(defines(cls, method) for method in together) else ()
    missing = [m for m in required if not (defines(cls, m) and inspect.isfunction(getattr(cls, m)))]
    if missing:
        wanted = ", ".join(f"{method}({SIGNATURES[method]})" for method in missing)
        raise GameError(f"game {name} lacks {wanted}")
    for method, signature in SIGNATURES.items():
        function = getattr(cls, method, None)
        if inspect.isfunction(function):
            count = len(inspect.signature(function).parameters)
            if count != len(signature.split(", ")):
                raise GameError(f"game {name}: {method} takes {count} arguments, but ({signature}) is needed")


def needed_together() -> list[tuple[str, ...]]:
    """Methods that a game defines all or none of: those of chance, and those of secrets."""
    groups = [tuple(m.name for m in METHODS if method.name in (m.name, m.mark.needed)) for method in METHODS]
    return [group for group in groups if len(group) > 1]


TOLD_AHEAD = {  # method -> the methods whose result it computes early
    "heuristic_after": ("play", "heuristic"),
    "best_after": ("actions", "play", "heuristic", "heuristic_after"),
    "heuristic_dealt": ("deal", "heuristic"),
    "rollout": ("turn", "actions", "play", "outcomes", "probability", "deal", "pick", "draw"),
}


def _forget_outdated(cls: type) -> None:
    """Drop inherited shortcuts for methods that this class defines anew: their values would be wrong here."""
    for method, subjects in TOLD_AHEAD.items():
        if method not in vars(cls) and any(subject in vars(cls) for subject in subjects):
            setattr(cls, method, getattr(defaults, method))
    about_outcomes = {"deal", "heuristic", "heuristic_dealt"}
    if "ignores_outcomes" not in vars(cls) and about_outcomes & vars(cls).keys():
        cls.ignores_outcomes = False  # type: ignore[attr-defined]


def _add_defaults(cls: type) -> None:
    """Give the class what it omits: sampling from its own lists, a neutral evaluation, no chance."""
    for method in SIGNATURES:
        if hasattr(defaults, method) and not defines(cls, method):  # inherited ones too: a game may add chance
            listed = method == "draw" and defines(cls, "outcomes")
            setattr(cls, method, defaults.draw_listed if listed else getattr(defaults, method))
