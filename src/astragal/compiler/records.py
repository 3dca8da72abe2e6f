"""A state as interpreted code sees it: the same memory that kernels see, read as Python numbers.

Small NumPy integers overflow where machine code, which computes in 64 bits, does not; so a field is read as a Python
int, and stored modulo its width, as machine code stores it.
"""

from __future__ import annotations

import contextlib
import threading
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np
import numpy.typing as npt

GAP = "_gap"
Memory = npt.NDArray[np.void]  # one structured record, shape (1,)


def padded(dtype: npt.DTypeLike) -> np.dtype[Any]:
    """The dtype aligned and in whole 64-bit words, with a field of its own for every gap between fields and at the end.

    Whole words can be hashed and copied quickly. NumPy copies fields but not gaps, and equal states must be equal
    bytes. Fields that show the same memory in two ways keep their places.
    """
    kind = np.dtype(dtype)
    if kind.fields is None or kind.names is None:
        raise TypeError("a state is a structured dtype, such as np.dtype([('score', 'i2', 2), ('turn', 'i1')])")
    declared = {name: kind.fields[name][:2] for name in kind.names if not name.startswith(GAP)}
    places = [range(offset, offset + field.itemsize) for field, offset in declared.values()]
    if len(set().union(*places)) == sum(map(len, places)):  # no field shows another's memory
        kind = np.dtype([(name, field) for name, (field, _) in declared.items()], align=True)
    size = -(-kind.itemsize // 8) * 8
    used = np.zeros(size, bool)
    fields: list[tuple[str, Any, int]] = []
    for name in declared:
        field, offset = kind.fields[name][:2]  # type: ignore[index]
        used[offset : offset + field.itemsize] = True
        fields.append((name, field, offset))
    for offset in np.flatnonzero(~used).tolist():
        fields.append((f"{GAP}{offset}", np.uint8, offset))
    names, formats, offsets = zip(*fields, strict=True)
    return np.dtype({"names": names, "formats": formats, "offsets": offsets, "itemsize": size}, align=True)


def copy_of(memory: Memory) -> Memory:
    """A copy of all bytes. NumPy's own goes field by field, which takes a hundred times as long."""
    return np.ndarray(memory.shape, memory.dtype, bytearray(memory.tobytes()))


def field_names(memory: Memory) -> list[str]:
    """The fields of a state that the game declared."""
    return [name for name in memory.dtype.names or () if not name.startswith(GAP)]


class View:
    """An array as interpreted code sees it; what it stores is stored in the array itself."""

    __slots__ = ("array",)

    def __init__(self, array: npt.NDArray[Any]) -> None:
        self.array = array

    def __len__(self) -> int:
        return len(self.array)

    @property
    def shape(self) -> tuple[int, ...]:
        return self.array.shape

    @property
    def size(self) -> int:
        return self.array.size

    def __repr__(self) -> str:
        return repr(self.array)

    def __str__(self) -> str:
        return str(self.array)

    def __reduce__(self) -> tuple[Any, ...]:
        return type(self), (self.array,)


class Cells(View):
    """An array whose integer items are read as Python ints (64-bit unsigned ones as uint64, to keep wrapping)."""

    __slots__ = ()

    def __getitem__(self, index: Any) -> Any:
        return readable(self.array[index])

    def __setitem__(self, index: Any, value: Any) -> None:
        self.array[index] = storable(value, self.array.dtype)

    def __iter__(self) -> Any:
        return (readable(item) for item in self.array)


class Line(Cells):
    """A row of `NUMBERS`: NumPy gives one as Python's own in a tenth of the time that it takes to ask it for one."""

    __slots__ = ()

    def __getitem__(self, index: Any) -> Any:
        try:
            return self.array.item(index)
        except (TypeError, ValueError):  # a slice, or what is no index
            return readable(self.array[index])


class Grid(Cells):
    """The same in more dimensions."""

    __slots__ = ()

    def __getitem__(self, index: Any) -> Any:
        if type(index) is tuple:
            try:
                return self.array.item(index)
            except (TypeError, ValueError):  # a part of it
                pass
        return readable(self.array[index])


NUMBERS = frozenset(np.dtype(code).type for code in "bBhHiIlqfd?") - {np.uint64}  # read as Python's own, most often


def view_of(dtype: np.dtype[Any], dimensions: int) -> type[View]:
    """The class of views of such an array."""
    if dtype.names is not None:
        return Rows
    return Cells if dtype.type not in NUMBERS or dimensions == 0 else Line if dimensions == 1 else Grid


def readable(value: Any) -> Any:
    """An array as a view; a NumPy number as a Python number, but for uint64, whose arithmetic must wrap."""
    if isinstance(value, np.ndarray):
        return view_of(value.dtype, value.ndim)(value)
    return value if isinstance(value, np.uint64) or not isinstance(value, np.generic) else value.item()


class Strict(threading.local):
    """Whether this thread runs a game to check it: then a number that a field is too small for is an error."""

    on = False
    calls = 0  # of games' methods meanwhile

    def counter(self) -> Callable[[], int]:
        """What returns the calls by this thread, in any thread."""
        own = vars(self)
        return lambda: own.get("calls", 0)


strict = Strict()


@contextlib.contextmanager
def strictly() -> Iterator[None]:
    """Within this block, games run by this thread are held to what machine code does without a word."""
    before, strict.on = strict.on, True
    try:
        yield
    finally:
        strict.on = before


def storable(value: Any, dtype: np.dtype[Any]) -> Any:
    """An integer reduced modulo the width of the field it goes into; a view as its array."""
    if type(value) is int:
        if 0 <= value < 128:  # it fits into any
            return value
    elif isinstance(value, View):
        return value.array
    if dtype.kind not in "iu" or isinstance(value, np.ndarray):
        return value
    if isinstance(value, str):
        raise TypeError(f"'{value}' is a text, and the fields of a state hold numbers")
    bits = 8 * dtype.itemsize
    stored = int(value) & ((1 << bits) - 1)
    stored -= 1 << bits if dtype.kind == "i" and stored >> (bits - 1) else 0
    if strict.on and stored != value and bits < 64:
        limits = np.iinfo(dtype)
        raise OverflowError(f"{value} does not fit into a field of type {dtype.str[1:]} ({limits.min} to {limits.max})")
    return stored


class State:
    """Field access by name on one record of a structured array."""

    __slots__ = ("_memory",)  # and in its classes what `Kept` keeps
    _memory: Memory
    _kinds: dict[str, np.dtype[Any]] = {}  # noqa: RUF012 (field -> kind of its items, said by `state_class`)

    def __new__(cls, memory: Memory) -> State:
        dtype = memory.dtype
        self = object.__new__(STATE_CLASSES.get(dtype) or state_class(dtype))
        set_memory(self, memory)
        return self

    def __getattr__(self, name: str) -> Any:
        raise self._no_field(name)

    def __setattr__(self, name: str, value: Any) -> None:
        kind = self._kinds.get(name)
        if kind is None:
            raise self._no_field(name)
        self._memory[name][0] = storable(value, kind)

    def _no_field(self, name: str) -> AttributeError:
        return AttributeError(f"the state has no field '{name}' (it has: {', '.join(field_names(self._memory))})")

    def __repr__(self) -> str:
        values = [f"{name}={self._memory[name][0].tolist()}" for name in field_names(self._memory)]
        return f"State({', '.join(values)})"

    def __reduce__(self) -> tuple[Any, ...]:
        return State, (self._memory,)

    def copy(self) -> State:
        return State(copy_of(self._memory))

    def assign(self, other: State) -> None:
        self._memory[:] = other._memory

    @property
    def nbytes(self) -> int:
        return int(self._memory.nbytes)

    def word(self, index: int) -> np.uint64:
        return self._memory.view(np.uint64)[index]  # type: ignore[no-any-return]


set_memory = vars(State)["_memory"].__set__
STATE_CLASSES: dict[np.dtype[Any], type[State]] = {}


def state_class(dtype: np.dtype[Any]) -> type[State]:
    """The class of states with these fields: Python finds a property sooner than it learns that there is none."""
    names = dtype.names or ()
    fields = {name: field_reader(name, dtype[name]) for name in names if not hasattr(State, name)}
    kinds = {name: dtype[name].base for name in names}
    made = type("State", (State,), {"_kinds": kinds, **fields})
    return STATE_CLASSES.setdefault(dtype, made)


def field_reader(name: str, kind: np.dtype[Any]) -> property | Kept:
    """What reads a field: as a number, an array, or for a record in it as a state."""
    if kind.type in NUMBERS:
        return property(lambda state: state._memory[name].item())
    if kind.names is not None:
        return Kept(name, State)
    if kind.subdtype is None:  # uint64 most often, which is readable as it is
        plain = kind.type is np.uint64
        return property(lambda state: state._memory[name][0] if plain else readable(state._memory[name][0]))
    view = view_of(kind.base, len(kind.shape))
    return Kept(name, lambda array: view(array[0]))


class Kept:
    """A field that is read as a view of its memory: it is made once, and found in the state itself from then on."""

    def __init__(self, name: str, view: Callable[[npt.NDArray[Any]], Any]) -> None:
        self.name, self.view = name, view

    def __get__(self, state: State, owner: type[State]) -> Any:
        made = self.view(state._memory[self.name])
        object.__setattr__(state, self.name, made)  # which `State` itself would write into the memory
        return made


class Rows(View):
    """A structured array whose records are read and written as states: ``nodes[i].visits += 1``."""

    __slots__ = ()

    def __getitem__(self, index: Any) -> Any:
        inner = self.array
        if isinstance(index, tuple):
            *outer, index = index
            inner = inner[tuple(outer)]
        if isinstance(index, slice) or inner.ndim > 1:
            return Rows(inner[index])
        if not 0 <= index < len(inner):
            index = range(len(inner))[index]  # counted from the end if negative; out of range is an IndexError
        return State(inner[index : index + 1])

    def __setitem__(self, index: Any, value: State | Rows) -> None:
        self.array[index] = value._memory[0] if isinstance(value, State) else value.array

    def __getattr__(self, name: str) -> Any:
        """One field of all records."""
        if name not in (self.array.dtype.names or ()):
            raise AttributeError(
                f"the records have no field '{name}' (they have: {', '.join(field_names(self.array))})"
            )
        return readable(self.array[name])

    def __iter__(self) -> Any:
        return (self[i] for i in range(len(self)))
