"""A search as a handle: it runs in a thread of its own, gives what it has found so far, and can be stopped."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import AsyncIterator, Iterator
from queue import SimpleQueue
from types import TracebackType
from typing import Any

from astragal.algorithms.limits import NO_LIMITS, Limits
from astragal.algorithms.result import SearchResult
from astragal.base.errors import AstragalError, SpecError, shortened
from astragal.base.interruptible import Switch, stoppable_by
from astragal.players import load_player
from astragal.players.api import whole
from astragal.players.player import Player
from astragal.rules.position import Position

FOREVER = Limits(time=1e9)


class Analysis:
    """A running search: iterate over its results, `stop` it, and read its `result`.

    It is also an asynchronous context manager and iterator. The end of the block stops the search.
    """

    def __init__(self, position: Position, player: Player, seed: int, limits: Limits, lines: int) -> None:
        self._position, self._player, self._seed, self._limits, self._lines = position, player, seed, limits, lines
        self._switch = Switch()
        self._found: SimpleQueue[SearchResult | None] = SimpleQueue()  # None at the end
        self._result: SearchResult | None = None
        self._error: BaseException | None = None
        self._over = threading.Event()
        self._thread = threading.Thread(target=self._search, name="analysis", daemon=True)
        self._thread.start()

    def _search(self) -> None:
        try:
            with stoppable_by(self._switch):
                result = self._player.search(self._position, self._seed, self._limits, self._tell, lines=self._lines)
            self._tell(result)
        except BaseException as error:
            self._error = error
        self._over.set()
        self._found.put(None)

    def _tell(self, found: SearchResult) -> None:
        self._result = found
        self._found.put(found)

    @property
    def result(self) -> SearchResult | None:
        """What was found so far; None before the first result."""
        return self._result

    @property
    def is_running(self) -> bool:
        return not self._over.is_set()

    def stop(self) -> None:
        """End the search soon; its last result follows."""
        self._switch.stop()

    def wait(self) -> SearchResult:
        """The last result, when the search has ended; what went wrong in it is raised here."""
        while not self._over.wait(0.5):  # in parts, so that Ctrl-C is noticed
            pass
        if self._error is not None:
            raise self._error
        assert self._result is not None
        return self._result

    def __iter__(self) -> Iterator[SearchResult]:
        """Each result as it is found, the last one when the search has ended."""
        while (found := self._found.get()) is not None:
            yield found
        self._found.put(None)  # for who iterates again
        self.wait()

    def __enter__(self) -> Analysis:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.stop()
        self._over.wait()

    async def __aiter__(self) -> AsyncIterator[SearchResult]:
        while (found := await asyncio.to_thread(self._found.get)) is not None:
            yield found
        self._found.put(None)
        self.wait()

    async def __aenter__(self) -> Analysis:
        return self

    async def __aexit__(self, *_: Any) -> None:
        self.stop()
        await asyncio.to_thread(self._over.wait)


def analyse(
    position: Position, player: str | Player = "star2", seed: int = 0, limits: Limits | None = None, lines: int = 1
) -> Analysis:
    """Begin to search a position, in a thread of its own, without a limit unless one is given.

    >>> import astragal
    >>> position = astragal.start("pig", seed=7).settled(7)
    >>> with astragal.analyse(position, "star2") as analysis:
    ...     for found in analysis:
    ...         if found.depth == 3:
    ...             analysis.stop()
    >>> analysis.result.action
    'roll'

    With ``lines=3`` the three best actions have a value and a line each (`SearchResult.lines`): for searches that go
    depth first.
    """
    if not isinstance(position, Position):
        raise SpecError(f"analyse takes a position, such as astragal.start('pig'), not {shortened(repr(position))}")
    if position.is_terminal:
        raise AstragalError(f"the game is over at '{position.text}': there is nothing to search")
    chosen = load_player(player, position.game)
    if lines != 1:
        chosen.refuse_lines(lines)
    given = limits if limits is not None and limits != NO_LIMITS else chosen.limits
    return Analysis(position, chosen, whole(seed), FOREVER if given == NO_LIMITS else given, lines)
