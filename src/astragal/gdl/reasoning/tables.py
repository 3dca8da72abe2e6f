"""Relations that are known, as tables with indexes, and the terms in them.

Terms are shared: the same term is the same object, so that terms are compared by identity and none is walked down,
however deep a game lets it grow.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Final, TypeAlias

from astragal.gdl.reading.rules import Term

Row: TypeAlias = tuple[Term, ...]

GIVEN: Final = "given"  # a place of a shape where a constant of the rule must stand
BOUND: Final = "bound"  # a place where the value of a variable must stand that is known already
Shape: TypeAlias = "str | int | tuple[Shape, ...]"  # an integer is the number of a variable that is found there
Index: TypeAlias = dict[Row, dict[Row, list[Row]]]  # from what is given and what is bound to what is found


class Terms:
    """All terms met so far, each once."""

    def __init__(self) -> None:
        self._constants: dict[str, str] = {}
        self._compounds: dict[tuple[int, ...], Row] = {}  # by which objects their parts are

    def compound(self, parts: Row) -> Term:
        """The one compound term of these parts, which are shared themselves."""
        return self._compounds.setdefault(tuple(map(id, parts)), parts)

    def shared(self, term: Term) -> Term:
        """The one term that equals a term from anywhere."""
        ways: list[Iterator[Term]] = [iter((term,))]
        done: list[list[Term]] = [[]]
        while True:  # by hand instead of by recursion: terms may be deep
            part = next(ways[-1], None)
            if isinstance(part, str):
                done[-1].append(self._constants.setdefault(part, part))
            elif part is not None:
                ways.append(iter(part))
                done.append([])
            elif len(ways) > 1:
                ways.pop()
                parts = tuple(done.pop())
                done[-1].append(self.compound(parts))
            else:
                return done[0][0]


class Table:
    """What is true of a relation: a set of rows, its arguments, with an index for every shape that was looked for."""

    def __init__(self, rows: Iterable[Row] = ()) -> None:
        self.rows: set[Row] = set(rows)
        self._indexes: dict[Shape, Index] = {}

    def add(self, rows: Iterable[Row]) -> None:
        """Take in rows that are not in it yet."""
        rows = list(rows)
        self.rows.update(rows)
        for shape, index in self._indexes.items():
            _put(rows, shape, index)

    def find(self, shape: Shape, given: Row) -> dict[Row, list[Row]]:
        """From what is bound in a row of this shape to all that is found in such rows."""
        index = self._indexes.get(shape)
        if index is None:
            index = self._indexes[shape] = {}
            _put(self.rows, shape, index)
        return index.get(given, {})


def _put(rows: Iterable[Row], shape: Shape, index: Index) -> None:
    for row in rows:
        given: list[Term] = []
        bound: list[Term] = []
        found: list[Term] = []
        if _fits(row, shape, given, bound, found):
            index.setdefault(tuple(given), {}).setdefault(tuple(bound), []).append(tuple(found))


def _fits(term: Term, shape: Shape, given: list[Term], bound: list[Term], found: list[Term]) -> bool:
    """Whether a term has a shape; the lists take what stands at its places."""
    if shape is GIVEN:
        given.append(term)
    elif shape is BOUND:
        bound.append(term)
    elif isinstance(shape, int):
        if shape < len(found):
            return found[shape] is term
        found.append(term)
    else:
        if isinstance(term, str) or len(term) != len(shape):
            return False
        for part, its_shape in zip(term, shape, strict=True):
            if not _fits(part, its_shape, given, bound, found):
                return False
    return True
