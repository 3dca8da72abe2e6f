"""All sessions of a server: made, found, and dropped when unused for long."""

from __future__ import annotations

import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager

from astragal.web.caps import Caps
from astragal.web.requests import Missing, TooMany
from astragal.web.session import Session


class Sessions:
    """Sessions by their ids."""

    def __init__(self, caps: Caps) -> None:
        self.caps = caps
        self.lock = threading.Lock()
        self.by_id: dict[str, Session] = {}

    def add(self, session: Session) -> None:
        """Keep a session; where there are too many, the one that was idle longest makes way."""
        self.forget_expired()
        with self.lock:
            if len(self.by_id) >= self.caps.sessions:
                idle = [each for each in self.by_id.values() if not each.is_searching]
                if not idle:
                    raise TooMany("too many games are being searched; try again later")
                self.by_id.pop(min(idle, key=lambda each: each.used).id).close()
            self.by_id[session.id] = session

    def find(self, id: str) -> Session:
        with self.lock:
            session = self.by_id.get(id)
        if session is None:
            raise Missing("this game is not here any more; begin a new one")
        session.used = time.monotonic()
        return session

    @contextmanager
    def changing(self, id: str) -> Iterator[Session]:
        """A session to change: no other thread changes it meanwhile, and no search thinks about what it was."""
        session = self.find(id)
        with session.lock:
            yield session
            session.abandon_search()

    def remove(self, id: str) -> None:
        session = self.find(id)
        with self.lock:
            self.by_id.pop(id, None)
        session.close()

    def forget_expired(self) -> None:
        """Drop unused sessions and end their searches; those idle for less long rest."""
        now = time.monotonic()
        with self.lock:
            expired = [each for each in self.by_id.values() if each.used < now - self.caps.idle_seconds]
            for session in expired:
                del self.by_id[session.id]
            resting = [each for each in self.by_id.values() if each.used < now - self.caps.rest_seconds]
        for session in expired:
            session.close()
        for session in resting:
            if not session.is_searching:
                session.rest()

    def all(self) -> list[Session]:
        with self.lock:
            return list(self.by_id.values())

    def bound_kept_trees(self) -> None:
        """Let the sessions rest that were idle longest, where too many keep trees from move to move."""
        keeping = sorted((each for each in self.all() if each.keeps_trees), key=lambda each: each.used)
        for session in keeping[: max(0, len(keeping) - self.caps.kept)]:
            if not session.is_searching:
                session.rest()

    def close(self) -> None:
        """End all searches: the server stops."""
        for session in self.all():
            session.abandon_search()
