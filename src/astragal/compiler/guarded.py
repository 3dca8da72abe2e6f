"""What higher layers set about the methods that compiled code guards, and what compiled code hands back to them.

`astragal.rules.faults` fills in `guards` when it is imported, which every game does. This module does not import Numba.
"""

from __future__ import annotations

import sys
import threading
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any, NamedTuple

BELOW = -1  # in place of a method: the fault is below the state
PRINTED = 10  # calls of `print` in methods that are shown


@dataclass(eq=False, slots=True)  # without a dictionary: no part of fingerprints, its `key` is in the cache's
class Guards:
    """Which methods are guarded, against what, and who makes a sentence of an error."""

    names: tuple[str, ...] = ()  # compiled code calls a method by its place here
    changing: frozenset[str] = frozenset()  # methods that leave another state behind
    finite: frozenset[str] = frozenset()  # methods whose result must be finite
    counts: dict[str, str] = field(
        default_factory=dict
    )  # methods that return a count -> the declaration that bounds it
    kernels: str = "astragal."  # modules that call methods only at states that are not over
    games: tuple[str, ...] = ()  # modules below these where games call their own methods
    sums: tuple[str, ...] = ()  # modules that look at the sum of many leaves instead: a look at each costs a tenth
    explain: Callable[[Exception, tuple[Any, ...]], Exception] = field(default=lambda error, _: error, repr=False)
    in_turn: Callable[[Any, Any, int], int] = field(default=lambda rules, state, turn: turn, repr=False)

    def key(self) -> str:
        """A text that differs where machine code does."""
        methods = (self.names, sorted(self.changing), sorted(self.finite), sorted(self.counts.items()))
        return repr((*methods, self.kernels, self.games, self.sums))


guards = Guards()


class Note(NamedTuple):
    """Which method a kernel had called, with what, when something went wrong."""

    method: str
    memory: bytes
    argument: int


class Notes(threading.local):
    """What kernels of this thread have noted."""

    last: Note | None = None


notes = Notes()


def noted(method: int, memory: bytes, argument: int) -> None:
    notes.last = Note("" if method == BELOW else guards.names[method], memory, argument)


class Printing:
    """How often methods have printed; one thread at a time, so that lines stay whole."""

    calls = 0
    lock = threading.Lock()


def limited_print(*arguments: Any, **options: Any) -> None:
    """What methods call as `print`: the first calls are shown, and then one line that no more are."""
    with Printing.lock:
        Printing.calls += 1
        if Printing.calls <= PRINTED:
            print(*arguments, **options)
        elif Printing.calls == PRINTED + 1:
            sentence = f"astragal: print was called {PRINTED} times in methods of the game; no more is shown"
            print(sentence, file=sys.stderr)
