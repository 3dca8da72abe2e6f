"""The life of a search, of whatever family: refuse, make ready, run within limits, report, answer.

A family says in a subclass which games and limits it cannot do with (`refuse`, `no_limits`), which kernels it needs
(`kernels`, `make_ready`), what memory it is lent (`take_memory`, `return_memory`), what it does until it is stopped
(`run`, `stop`) and what it has found (`found`).
"""

from __future__ import annotations

import math
import sys
import time
from abc import ABC, abstractmethod
from collections.abc import Callable, Hashable
from dataclasses import replace
from typing import Any, ClassVar

from astragal.algorithms.limits import limits_for, run_within
from astragal.algorithms.request import SearchRequest
from astragal.algorithms.result import SearchResult
from astragal.base.errors import AstragalError
from astragal.base.interruptible import thinking_clock
from astragal.base.memory import give_back, megabytes
from astragal.compiler.switches import is_users
from astragal.games import game_spec
from astragal.rules.checks.quick import quick_check
from astragal.rules.protocol import Game

READY: set[Hashable] = set()  # kernels that are in this process, compiled or loaded, for good: Numba forgets none


class KernelRoom:
    """How many kernels a process that runs for long may have, and how much memory: no limits unless it sets them."""

    most: int | None = None
    megabytes: float | None = None  # beyond which no kernels are added
    free: Callable[[], None] = staticmethod(give_back)  # lets go of what memory it can

    def refuse_more(self) -> None:
        if self.is_over():
            raise AstragalError(
                f"this program has more than {self.megabytes:g} MB in memory, no room for a new kind of search; "
                "choose a game and a player that were searched before, or start it again with more --memory"
            )
        if self.most is not None and len(READY) >= self.most:
            raise AstragalError(
                f"machine code for {len(READY)} kinds of searches is in memory, the most there may be here; "
                "choose a game and a player that were searched before, or start the program again"
            )

    def is_over(self) -> bool:
        return self.megabytes is not None and (megabytes() or 0.0) > self.megabytes

    def clear_up(self) -> None:
        """Let go of memory before a search begins, where there is too much of it."""
        if self.is_over():
            self.free()


kernel_room = KernelRoom()


class Search(ABC):
    """One search: what it was asked, its settings, and what it has found so far."""

    gives_lines: ClassVar[bool] = False  # several best ones, if asked for
    no_limits: ClassVar[dict[str, str]] = {}  # limits that the family does not have -> what there is none of

    def __init__(self, request: SearchRequest, settings: Any) -> None:
        self.refuse(request.position.game, settings, request.name)
        self.request, self.settings = request, settings
        self.position = request.position
        self.game: Game = request.position.game
        self.progress = request.progress
        self.under_way = False
        self.limits = limits_for(request.position, request.limits, request.name, self.no_limits)
        self.clock = thinking_clock()
        self.started, self.began = time.perf_counter(), self.clock()

    @staticmethod
    @abstractmethod
    def refuse(game: Game, settings: Any, player: str) -> None:
        """Say in a sentence what kind of game a search with these settings cannot search."""

    @classmethod
    def versions(cls, settings: Any = None) -> dict[str, int]:
        """The search's family, which is named after its folder, with the version that its module says.

        A family may add what searches with these settings share with other families.
        """
        return {cls.__module__.split(".")[-2]: sys.modules[cls.__module__].VERSION}

    @classmethod
    def new_session(cls, settings: Any) -> Any:
        """What searches with these settings keep from move to move of one game; None if they keep nothing."""
        return None

    @property
    @abstractmethod
    def kernels(self) -> Hashable:
        """What distinguishes the kernels of this search from those of others."""

    @abstractmethod
    def make_ready(self) -> None:
        """Compile the kernels or load them from disk, so that no search pays for it out of its time."""

    @abstractmethod
    def take_memory(self) -> None:
        """Borrow tables or trees to search with."""

    @abstractmethod
    def return_memory(self) -> None:
        """Give them back; called however the search ends."""

    @abstractmethod
    def run(self) -> None:
        """Search until a limit is reached, nothing is left to search, or `stop` was called."""

    @abstractmethod
    def stop(self) -> None:
        """Make `run` end soon; called from another thread."""

    @abstractmethod
    def found(self, final: bool = False) -> SearchResult:
        """What was found so far; in the end with the tree, where it was asked for."""

    def answer(self) -> SearchResult:
        """Search, and say what was found."""
        kernel_room.clear_up()
        if self.kernels not in READY:
            kernel_room.refuse_more()
            quick_check(self.game)
            self.make_ready()
            READY.add(self.kernels)
        self.take_memory()
        try:
            self.started, self.began = time.perf_counter(), self.clock()
            inline = not is_users(type(self.game))  # Ctrl-C reaches no kernel in this thread, and a user's may be slow
            interrupted = run_within(self.limits, self.run_to_its_end, self.stop, self.spent, inline)
            if self.under_way:
                raise KeyboardInterrupt
            result = self.found(final=True)
        finally:
            if not self.under_way:  # else a kernel still writes to this memory, which is not lent again
                self.return_memory()
        if interrupted and result.value is None:
            raise KeyboardInterrupt
        return replace(result, interrupted=True) if interrupted else result

    def run_to_its_end(self) -> None:
        self.under_way = True
        try:
            self.run()
        finally:
            self.under_way = False

    @property
    def seconds(self) -> float:
        return time.perf_counter() - self.started

    @property
    def spent(self) -> float:
        """How much of a limit on time has been used, by the clock that counts."""
        return self.clock() - self.began


def refuse_open_range(game: Game, player: str) -> None:
    """Say in a sentence that a range without an end gives no bounds and no scale."""
    low, high = game.utility_range
    if not (math.isfinite(low) and math.isfinite(high)):
        raise AstragalError(
            f"{player} needs a utility_range with two ends, and {game_spec(game)} declares {low:g} to {high:g}; "
            "name bounds that are never reached"
        )
