"""How contests are played and where their games are kept: what changes nothing about the games."""

from __future__ import annotations

import os
import tempfile
import warnings
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from astragal.arena.referee import GRACE_SECONDS
from astragal.arena.results_store import ResultsStore
from astragal.arena.run import Plan
from astragal.arena.workers import cluster_workers, local_workers
from astragal.game.clock import WALL
from astragal.search.limits import Limits


@dataclass(frozen=True)
class Playing:
    """Workers, the results file, and what happens to players that are late or fail."""

    db: Path | None = None  # None: games are forgotten when they have been counted
    jobs: int | None = 1  # games at a time; None: one a core
    cluster: str | None = None  # the address of a Dask scheduler
    strict: bool = False  # stop at the first fault instead of a forfeit
    grace: float = GRACE_SECONDS
    command: str = ""  # for the record

    def workers(self, limits: Limits, clock: str) -> tuple[Any, int]:
        """Where workers come from, and how many; a warning where these limits need more of the machine than is free."""
        made, count = workers_for(self.cluster, self.jobs)
        if self.cluster is None and clock == WALL:
            warn_if_busy(limits, count)
        return made, count

    def plan(self, games: int, workers: int) -> Plan:
        return Plan(games, workers, self.strict, self.grace)

    @contextmanager
    def store(self) -> Iterator[ResultsStore]:
        """The results file; without one, a file that is gone afterwards."""
        if self.db is not None:
            with ResultsStore(self.db) as store:
                yield store
            return
        with (
            tempfile.TemporaryDirectory(prefix="astragal-") as folder,
            ResultsStore(Path(folder, "results.db")) as store,
        ):
            yield store


def workers_for(cluster: str | None, jobs: int | None) -> tuple[Any, int]:
    if cluster is not None:
        executor, threads = cluster_workers(cluster)
        return lambda: executor, threads
    count = jobs or (len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count()) or 1
    return lambda: local_workers(count), count


def warn_if_busy(limits: Limits, jobs: int) -> None:
    """Say so where thinking time would be shared with other programs: then seconds are not what they seem."""
    cores = os.cpu_count() or 1
    load = os.getloadavg()[0] if hasattr(os, "getloadavg") else 0.0
    if limits.time is not None and load + jobs > cores + 0.5:
        games = f"{jobs} game{'s' if jobs > 1 else ''} at a time"
        busy = f"{cores} cores have a load of {load:.1f} already"
        warnings.warn(f"{busy}; with {games} players will get less than their time", stacklevel=2)
