"""A server of the web page in a thread of the tests' own process, and what reads its streams."""

from __future__ import annotations

import json
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import httpx

from astragal.web.caps import Caps
from astragal.web.server import listen, make_server
from astragal.web.state import ServerState, make_state

PATIENCE = 60.0  # seconds; far more than anything here takes


@dataclass
class Served:
    """A running server."""

    url: str
    state: ServerState
    client: httpx.Client
    port: int

    def get(self, path: str, **query: Any) -> Any:
        return self.client.get(path, params=query)

    def post(self, path: str, **body: Any) -> Any:
        return self.client.post(path, json=body)

    def session(self, game: str, **wanted: Any) -> dict[str, Any]:
        """A new game at its first decision."""
        view = self.post("/api/sessions", game=game, **wanted).json()
        while view["position"]["kind"] == "chance":
            view = self.post(f"/api/sessions/{view['id']}/deal").json()
        return view

    @contextmanager
    def stream(self, path: str, **body: Any) -> Iterator[Iterator[tuple[str, dict[str, Any]]]]:
        """The events of an answer as they come."""
        with self.client.stream("POST", path, json=body) as answer:
            assert answer.status_code == 200, answer.read()
            yield events_of(answer)

    def events(self, path: str, **body: Any) -> list[tuple[str, dict[str, Any]]]:
        """All events of an answer."""
        with self.stream(path, **body) as events:
            return list(events)


def events_of(answer: httpx.Response) -> Iterator[tuple[str, dict[str, Any]]]:
    name = ""
    for line in answer.iter_lines():
        if line.startswith("event: "):
            name = line.removeprefix("event: ")
        elif line.startswith("data: "):
            yield name, json.loads(line.removeprefix("data: "))


@contextmanager
def serving(
    games: tuple[str, ...] = (),
    results: Path | None = None,
    report: Path | None = None,
    token: str | None = None,
    models: Path | None = None,
    work: bool = False,
    **caps: Any,
) -> Iterator[Served]:
    """A server until the end of the block."""
    state = make_state(games, results, report, Caps(**caps), models, work)
    address = listen("127.0.0.1", 0, token)
    server = make_server(state, address)
    thread = threading.Thread(target=server.run, kwargs={"sockets": [address.socket]}, daemon=True)
    thread.start()
    until(lambda: server.started)
    url = f"http://127.0.0.1:{address.port}"
    try:
        with httpx.Client(base_url=url, timeout=PATIENCE) as client:
            yield Served(url, state, client, address.port)
    finally:
        state.close()
        server.should_exit = True
        thread.join(PATIENCE)


def until(is_so: Callable[[], bool]) -> None:
    """Wait for something that is to come true soon."""
    deadline = time.monotonic() + PATIENCE
    while not is_so():
        assert time.monotonic() < deadline, "it did not come true"
        time.sleep(0.01)
