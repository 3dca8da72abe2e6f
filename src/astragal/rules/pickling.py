"""Games for other processes: pickled by how they were made, and made again there.

An instance of a compiled class is its fields and where its class is: in a module, or in a user's file or folder, which
is run again. A class of a notebook, of a program's main part or of a function may be nowhere else; if cloudpickle is
installed (joblib and Dask bring it) the class itself goes along, for processes that do not find it.
"""

from __future__ import annotations

import copyreg
import importlib
import pickle
import warnings
from contextlib import suppress
from functools import reduce
from pathlib import Path
from typing import Any, NamedTuple
from weakref import WeakKeyDictionary

from astragal.base.errors import AstragalError
from astragal.rules.user_files import load_file, loaded_files, place_of_module, user_file

NOT_KEPT = ("_numba_type_", "_twin_")  # made again on first use
MAIN = ("__main__", "__mp_main__")  # what the module is called that a process was started with


class Place(NamedTuple):
    """Where a class is."""

    module: str
    name: str
    file: str = ""  # of a user's game: where it is, how its user wrote that, and the hash of its source
    called: str = ""
    source: str = ""
    itself: bytes = b""  # the class, where another process may not find it


def reduced(instance: Any) -> tuple[Any, ...]:
    """What pickle keeps of an instance of a compiled class (its ``__reduce__``)."""
    cls = type(instance)
    fields = {name: value for name, value in vars(instance).items() if name not in NOT_KEPT}
    return remade, (tuple(place_of(cls)),), fields


def itself(instance: Any, memo: Any) -> Any:
    """Its own deep copy: it is frozen (its ``__deepcopy__``)."""
    return instance


def remade(place: tuple[Any, ...]) -> Any:
    """An instance of the class at a place, whose fields pickle fills in."""
    return copyreg.__newobj__(class_at(Place(*place)))  # type: ignore[attr-defined]


def place_of(cls: type) -> Place:
    module, name = cls.__module__, cls.__qualname__
    if file := user_file(cls):
        return Place(module, name, str(place_of_module(module.partition(".")[0])), file.path, file.source)
    if module not in MAIN and found(module, name) is cls:
        return Place(module, name)
    itself = pickled_class(cls)
    if not itself and found(module, name) is not cls:
        raise AstragalError(f"{name} cannot be sent to another process or kept: {why_not_found(module, name)}")
    return Place(module, name, itself=itself)


def class_at(place: Place) -> type:
    if place.file:
        return class_of_file(place)
    cls = found(place.module, place.name)
    if cls is None and place.itself:
        cls = pickle.loads(place.itself)
    if cls is None:
        raise AstragalError(f"{place.name} is not known here: {why_not_found(place.module, place.name)}")
    return cls


def class_of_file(place: Place) -> type:
    module = load_file(Path(place.file), place.called)
    if loaded_files[module.__name__].source != place.source:
        warnings.warn(f"{place.called} has been edited since this {place.name} was pickled", stacklevel=2)
    cls = found(module.__name__, place.name)
    if cls is None:
        raise AstragalError(f"{place.called} has no {place.name} any more")
    return cls


def found(module: str, name: str) -> type | None:
    """The class of this name, if this process has it."""
    try:
        return reduce(getattr, name.split("."), importlib.import_module(module))  # type: ignore[return-value]
    except (ImportError, AttributeError, ValueError):
        return None


def why_not_found(module: str, name: str) -> str:
    if "<locals>" in name:
        where = "it was defined inside a function"
    elif module in MAIN:
        where = "it was defined in a notebook or in a program's main part, which other processes do not have"
    else:
        where = f"there is no such class in a module {module} that can be imported"
    short = name.rpartition(".")[2]
    return f"{where}; put it into a file of its own and use that (load_game('file.py:{short}')), or install cloudpickle"


def pickled_class(cls: type) -> bytes:
    """A class in full, by cloudpickle; nothing where that is not installed, or cannot do it."""
    if cls not in PICKLED:
        PICKLED[cls] = b""
        for name in ("cloudpickle", "joblib.externals.cloudpickle"):
            with suppress(Exception):  # whatever a class of the user's holds
                PICKLED[cls] = PICKLED[cls] or importlib.import_module(name).dumps(cls)
    return PICKLED[cls]


PICKLED: WeakKeyDictionary[type, bytes] = WeakKeyDictionary()
