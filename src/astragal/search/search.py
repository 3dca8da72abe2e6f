"""The life of a search, of whatever family: refuse, make ready, run within limits, report, answer.

A family says in a subclass which games and limits it cannot do with (`refuse`, `no_limits`), which kernels it needs
(`kernels`, `make_ready`), what memory it is lent (`take_memory`, `return_memory`), what it does until it is stopped
(`run`, `stop`) and what it has found (`found`).
"""

from __future__ import annotations

import time
from abc import ABC, abstractmethod
from collections.abc import Hashable
from dataclasses import replace
from typing import Any, ClassVar

from astragal.errors import AstragalError
from astragal.game.clock import thinking_clock
from astragal.game.protocol import Game
from astragal.search.limits import limits_for, run_within
from astragal.search.request import SearchRequest
from astragal.search.result import SearchResult

READY: set[Hashable] = set()  # kernels that are in this process, compiled or loaded, for good: Numba forgets none


class KernelRoom:
    """How many kernels a process that runs for long may have; without a limit unless it sets one."""

    most: int | None = None

    def refuse_more(self) -> None:
        if self.most is not None and len(READY) >= self.most:
            raise AstragalError(
                f"machine code for {len(READY)} kinds of searches is in memory, the most there may be here; "
                "choose a game and a player that were searched before, or start the program again"
            )


kernel_room = KernelRoom()


class Search(ABC):
    """One search: what it was asked, its settings, and what it has found so far."""

    no_limits: ClassVar[dict[str, str]] = {}  # limits that the family knows nothing of -> what there is none of

    def __init__(self, request: SearchRequest, settings: Any) -> None:
        self.refuse(request.position.game, settings, request.name)
        self.request, self.settings = request, settings
        self.position = request.position
        self.game: Game = request.position.game
        self.progress = request.progress
        self.limits = limits_for(request.position, request.limits, request.name, self.no_limits)
        self.clock = thinking_clock()
        self.started, self.began = time.perf_counter(), self.clock()

    @staticmethod
    @abstractmethod
    def refuse(game: Game, settings: Any, player: str) -> None:
        """Say in a sentence what kind of game a search with these settings cannot search."""

    @property
    @abstractmethod
    def kernels(self) -> Hashable:
        """What tells the kernels of this search from those of others."""

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
        if self.kernels not in READY:
            kernel_room.refuse_more()
            self.make_ready()
            READY.add(self.kernels)
        self.take_memory()
        try:
            self.started, self.began = time.perf_counter(), self.clock()
            interrupted = run_within(self.limits, self.run, self.stop, self.spent)
            result = self.found(final=True)
        finally:
            self.return_memory()
        if interrupted and result.value is None:
            raise KeyboardInterrupt
        return replace(result, interrupted=True) if interrupted else result

    @property
    def seconds(self) -> float:
        return time.perf_counter() - self.started

    @property
    def spent(self) -> float:
        """How much of a limit on time has been used, by the clock that counts."""
        return self.clock() - self.began
