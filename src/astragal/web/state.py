"""What a server has at hand while it runs: games, sessions, room for searches, and what the command line gave."""

from __future__ import annotations

import time
from collections.abc import Iterable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Annotated

from fastapi import Depends, Request

from astragal.arena.results_store import ResultsStore
from astragal.errors import SpecError
from astragal.web.caps import Caps
from astragal.web.catalogue import Catalogue
from astragal.web.results import Reader
from astragal.web.sessions import Sessions
from astragal.web.streams import Streams
from astragal.web.thinking import Slots
from astragal.web.trees import TreeCache


@dataclass
class ServerState:
    """Everything that requests share."""

    catalogue: Catalogue
    caps: Caps = field(default_factory=Caps)
    results: Path | None = None  # a results file
    report: Path | None = None  # a folder with the laboratory's report
    models: Path | None = None  # a folder with models of `astragal learn`

    def __post_init__(self) -> None:
        self.started = time.monotonic()
        self.sessions = Sessions(self.caps)
        self.slots = Slots(self.caps.searches, self.caps.waiting)
        self.trees = TreeCache(self.caps.trees)
        self.streams = Streams(self.caps.streams)
        self.reader = Reader(self.results, self.catalogue) if self.results is not None else None

    def close(self) -> None:
        """End all that goes on: the server stops."""
        self.sessions.close()
        self.streams.close()


def make_state(
    games: Iterable[str] = (),
    results: Path | None = None,
    report: Path | None = None,
    caps: Caps | None = None,
    models: Path | None = None,
) -> ServerState:
    """The state of a server of what the command line gave, or a sentence about what is wrong with it."""
    if report is not None and not (report / "index.html").is_file():
        raise SpecError(f"{report} has no index.html; astragal lab report writes one")
    if models is not None and not models.is_dir():
        raise SpecError(f"{models} is no folder; astragal learn writes models into one")
    if results is not None and results.exists() and results.stat().st_size:  # one that is yet to be made is waited for
        with ResultsStore(results, must_exist=True):
            pass
    return ServerState(Catalogue(games), caps or Caps(), results, report, models)


def state_of(request: Request) -> ServerState:
    state: ServerState = request.app.state.shared
    return state


State = Annotated[ServerState, Depends(state_of)]
