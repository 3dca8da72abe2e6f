"""What a server has at hand while it runs: games, sessions, room for searches; and how much of it is in use."""

from __future__ import annotations

import threading
import time
from collections.abc import Iterable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Annotated, Any

from fastapi import Depends, Request

from astragal.algorithms.search import READY
from astragal.arena.store.results_store import ResultsStore
from astragal.base.errors import SpecError
from astragal.base.memory import give_back, megabytes
from astragal.compiler.interpreted import remembered_twins
from astragal.web.caps import Caps
from astragal.web.catalogue import Catalogue
from astragal.web.results import Reader
from astragal.web.sessions import Sessions
from astragal.web.streams import Streams
from astragal.web.thinking import Slots
from astragal.web.trees import TreeCache
from astragal.web.work.queue import WorkQueue


@dataclass
class ServerState:
    """Everything that requests share."""

    catalogue: Catalogue
    caps: Caps = field(default_factory=Caps)
    results: Path | None = None  # a results file
    report: Path | None = None  # a folder with the laboratory's report
    models: Path | None = None  # a folder with models of `astragal learn`
    may_work: bool = False  # whether the page may start matches and learning

    def __post_init__(self) -> None:
        self.started = time.monotonic()
        self.sessions = Sessions(self.caps)
        self.slots = Slots(self.caps.searches, self.caps.waiting)
        self.trees = TreeCache(self.caps.trees)
        self.streams = Streams(self.caps.streams)
        self.work = WorkQueue(self.caps) if self.may_work else None
        self.reader = Reader(self.results, self.catalogue) if self.results is not None else None

    def free_memory(self) -> None:
        """Let go of all trees that are kept for games in which no search is running."""
        for session in self.sessions.all():
            if not session.is_searching:
                session.rest()
        give_back()

    def close(self) -> None:
        """End all that goes on: the server stops."""
        self.sessions.close()
        self.streams.close()
        if self.work is not None:
            self.work.close()


def make_state(
    games: Iterable[str] = (),
    results: Path | None = None,
    report: Path | None = None,
    caps: Caps | None = None,
    models: Path | None = None,
    may_work: bool = False,
) -> ServerState:
    """The state of a server of what the command line gave, or a sentence about what is wrong with it."""
    if report is not None and not (report / "index.html").is_file():
        raise SpecError(f"{report} has no index.html; astragal lab report writes one")
    if models is not None and not models.is_dir():
        raise SpecError(f"{models} is not a folder; astragal learn writes models into one")
    if results is not None and results.exists() and results.stat().st_size:  # one that is yet to be made is waited for
        with ResultsStore(results, must_exist=True):
            pass
    return ServerState(Catalogue(games), caps or Caps(), results, report, models, may_work)


def state_of(request: Request) -> ServerState:
    state: ServerState = request.app.state.shared
    return state


State = Annotated[ServerState, Depends(state_of)]


def health(state: ServerState) -> dict[str, Any]:
    """All that a server keeps, beside the most it may keep of it."""
    sessions, caps = state.sessions.all(), state.caps
    room = megabytes()
    return {
        "seconds": round(time.monotonic() - state.started, 1),
        "megabytes": None if room is None else round(room, 1),
        "most_megabytes": caps.memory,
        "threads": threading.active_count(),
        "sessions": {"now": len(sessions), "most": caps.sessions},
        "searching": {"now": sum(session.is_searching for session in sessions), "most": caps.searches},
        "waiting": {"now": state.slots.waiting, "most": caps.waiting},
        "sessions_with_kept_trees": {"now": sum(session.keeps_trees for session in sessions), "most": caps.kept},
        "trees_shown": {"now": sum(len(session.trees) for session in sessions), "most": caps.trees},
        "streams": {"now": len(state.streams.open), "most": caps.streams},
        "kernels": {"now": len(READY), "most": caps.kernels},
        "twins": {"now": remembered_twins(), "most": None},
    }


def health_line(state: ServerState) -> str:
    """The same in a line: ``astragal web: 231 MB, up 600 s, 3 sessions, 12 kernels``."""
    facts = health(state)
    room = "memory unknown" if facts["megabytes"] is None else f"{facts['megabytes']:.0f} MB"
    counts = [f"{value['now']} {name.replace('_', ' ')}" for name, value in facts.items() if isinstance(value, dict)]
    return f"astragal web: {room}, up {facts['seconds']:.0f} s, {', '.join(counts)}"
