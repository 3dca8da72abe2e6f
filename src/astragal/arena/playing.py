"""How contests are played and where their games are kept, as one record; and the short words for its fields.

`match`, `tournament` and `tune` take two records, ``limits`` and ``play``, or their fields one by one. The options of
the commands are made from the same fields. This module is imported with the command line, and imports little.
"""

from __future__ import annotations

import inspect
import multiprocessing
import os
import warnings
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, fields
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypedDict, TypeVar

from astragal.algorithms.limits import Limits
from astragal.arena.store.shard import Shard
from astragal.arena.time_control import TimeControl
from astragal.base.cores import cores
from astragal.base.errors import AstragalError, SpecError, suggest
from astragal.base.folders import TemporaryFolder
from astragal.base.interruptible import CLOCKS, WALL
from astragal.base.parameters import parameter

if TYPE_CHECKING:
    from astragal.arena.meeting import AnyMeeting
    from astragal.arena.run import Plan
    from astragal.arena.store.results_store import ResultsStore
    from astragal.arena.summary import Standing

GRACE_SECONDS = 1.0  # beyond its time a player may take so long before it loses
MOST_GAMES = 10**9
MOST_JOBS = 1024  # processes
MOST_SECONDS = 1e9
Function = TypeVar("Function", bound=Callable[..., Any])
Record = TypeVar("Record")


@dataclass(frozen=True)
class Playing:
    """How contests are played, and where their games are kept.

    ``before`` is called once, before the first game that is missing is played, and ``tell`` after each meeting of a
    tournament or of a tuning run. ``progress`` is True for a progress line, which a notebook shows
    without being asked, or a function that is called with the `Standing`.
    """

    games: int | None = parameter(
        None, "Games for each two players, rounded up to whole pairs (100; tune: 1000).", low=1, high=MOST_GAMES
    )
    seed: int = parameter(0, "The seed of everything random.")
    jobs: int | None = parameter(1, "Games played at the same time (one per core).", low=1, high=MOST_JOBS)
    db: str | Path | None = parameter(None, "The results file; none keeps nothing.")
    clock: str = parameter(WALL, "The clock for seconds; processor is fairer on a busy machine.", choices=tuple(CLOCKS))
    control: str | None = parameter(
        None, "A clock for each player's whole game: 60+1 is 60 seconds, and 1 more for each move."
    )
    grace: float = parameter(GRACE_SECONDS, "Seconds a player may be late.", low=0.0, high=MOST_SECONDS)
    strict: bool = parameter(False, "Stop with an error at a fault that otherwise forfeits the game.")
    shard: str | None = parameter(
        None, "Play one part of the games, such as 3/100; astragal results merge joins the parts."
    )
    cluster: str | None = parameter(None, "Play on the workers of the Dask scheduler at this address.")
    progress: bool | Callable[[Standing], Any] | None = None
    tell: Callable[[AnyMeeting], None] | None = None
    before: Callable[[], None] | None = None
    command: str = ""  # for the record

    def __post_init__(self) -> None:
        if self.games is not None and self.games < 1:
            raise SpecError(f"at least one game must be played, not {self.games}")
        if self.jobs is not None and self.jobs < 1:
            raise SpecError(f"jobs must be at least 1, not {self.jobs}")
        if self.shard is not None:
            Shard.parse(self.shard)
        if self.control is not None:
            TimeControl.parse(self.control)
        if self.jobs != 1 and getattr(multiprocessing.current_process(), "_inheriting", False):
            raise AstragalError("a script that plays in several processes must do so under if __name__ == '__main__':")

    @property
    def file(self) -> Path | None:
        return None if self.db is None else Path(self.db)

    def workers(self, limits: Limits) -> tuple[Any, int]:
        """Where workers come from, and how many; a warning where these limits need more of the machine than is free."""
        made, count = workers_for(self.cluster, self.jobs)
        if self.cluster is None and self.clock == WALL:
            warn_if_busy(limits.time is not None or self.control is not None, count)
        return made, count

    def plan(self, games: int, workers: int) -> Plan:
        from astragal.arena.run import Plan

        return Plan(games, workers, self.strict, self.grace, self.part)

    @property
    def part(self) -> Shard | None:
        return None if self.shard is None else Shard.parse(self.shard)

    def refuse_part(self, why: str) -> None:
        """Raise a sentence where only a part is to be played of what needs all games."""
        if self.shard is not None:
            raise SpecError(f"{why}, so there are no parts of it (--shard)")

    @contextmanager
    def store(self) -> Iterator[ResultsStore]:
        """The results file; without one, a file that is gone with the store, and with what refers to its folder."""
        from astragal.arena.store.results_store import ResultsStore

        file, folder = self.file, None
        if file is None:
            folder = TemporaryFolder()
            file = folder.path / "results.db"
        with ResultsStore(file) as store:
            store.folder = folder
            if self.before is not None:
                store.begins = cache(self.before)
            yield store


def workers_for(cluster: str | None, jobs: int | None) -> tuple[Any, int]:
    from astragal.arena.workers import cluster_workers, local_workers

    if cluster is not None:
        executor, threads = cluster_workers(cluster)
        return lambda: executor, threads
    count = jobs or cores()
    return lambda: local_workers(count), count


def warn_if_busy(timed: bool, jobs: int) -> None:
    """Say so where thinking time would be shared with other programs: then seconds are not what they seem."""
    count = os.cpu_count() or 1
    load = os.getloadavg()[0] if hasattr(os, "getloadavg") else 0.0
    if timed and load + jobs > count + 0.5:
        games = f"{jobs} game{'s' if jobs > 1 else ''} at a time"
        busy = f"{count} cores have a load of {load:.1f} already"
        warnings.warn(f"{busy}; with {games} players will get less than their time", stacklevel=2)


class Words(TypedDict, total=False):
    """The fields of `Limits` and of `Playing` but for its games, as keywords of their own: ``time=0.2, jobs=2``."""

    time: float | None
    nodes: int | None
    depth: int | None
    sims: int | None
    seed: int
    jobs: int | None
    db: str | Path | None
    clock: str
    control: str | None
    grace: float
    strict: bool
    shard: str | None
    cluster: str | None
    progress: bool | Callable[[Standing], Any] | None
    tell: Callable[[AnyMeeting], None] | None
    before: Callable[[], None] | None
    command: str


def spelled_out(function: Function) -> Function:
    """Show all words of a function that takes `Words`: in help(), and to editors that look at the running program."""
    signature = inspect.signature(function)
    own = [each for each in signature.parameters.values() if each.kind is not inspect.Parameter.VAR_KEYWORD]
    words = [
        inspect.Parameter(field.name, inspect.Parameter.KEYWORD_ONLY, default=field.default, annotation=field.type)
        for record in (Limits, Playing)
        for field in fields(record)
        if field.name in Words.__annotations__
    ]
    function.__signature__ = signature.replace(parameters=own + words)  # type: ignore[attr-defined]
    return function


def records_of(
    function: Callable[..., Any], limits: Limits | None, play: Playing | None, words: Any, games: int | None
) -> tuple[Limits, Playing]:
    """The limits and the way to play that a function was given, as records or word by word; or a sentence."""
    known = [*inspect.signature(function).parameters]
    for word in words:
        if word not in Words.__annotations__:
            raise SpecError(f"{function.__name__} takes no '{word}='{suggest(word, known)}")
    given = words if games is None else words | {"games": games}
    return one_record(Limits, "limits", limits, given), one_record(Playing, "play", play, given)


def one_record(kind: type[Record], name: str, given: Record | None, words: Any) -> Record:
    own = {field.name: words[field.name] for field in fields(kind) if field.name in words}  # type: ignore[arg-type]
    if given is None:
        return kind(**own)
    if not isinstance(given, kind):
        raise SpecError(f"{name} is a record, such as {name}={kind.__name__}(...), not {given!r}")
    if own:
        raise SpecError(f"{next(iter(own))}= belongs into {name}={kind.__name__}(...), where that is given")
    return given
