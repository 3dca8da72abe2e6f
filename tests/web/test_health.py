"""What a server that runs for long keeps is bounded, and shown to its operator."""

from __future__ import annotations

import gc
import threading
import weakref
from types import SimpleNamespace

import pytest
from fastapi.testclient import TestClient

import astragal
from astragal.web.app import TELL_SECONDS, make_app
from astragal.web.caps import Caps
from astragal.web.session import PERSON, Session, new_id
from astragal.web.sessions import Sessions
from astragal.web.state import health, health_line, make_state


class Kept:
    """Stands for what a player keeps from move to move."""


def session_with(caps: Caps, kept: object | None, used: float = 0.0) -> Session:
    made = Session(new_id(), "pig", astragal.start("pig"), [PERSON, PERSON], 0, caps)
    made.kept[0], made.used = kept, used
    return made


def test_health_is_told_as_json(monkeypatch):
    monkeypatch.setattr("astragal.web.state.READY", {})  # other tests' kernels are in this process too
    state = make_state(caps=Caps(sessions=5))
    client = TestClient(make_app(state))
    before = client.get("/api/health").json()
    assert before["sessions"] == {"now": 0, "most": 5}
    assert before["megabytes"] is None or before["megabytes"] > 1
    client.post("/api/sessions", json={"game": "pig"})
    after = client.get("/api/health").json()
    assert after["sessions"] == {"now": 1, "most": 5}
    bounded = [value for value in after.values() if isinstance(value, dict) and value["most"] is not None]
    assert len(bounded) >= 7
    assert all(value["now"] <= value["most"] for value in bounded)


@pytest.mark.parametrize("long", [True, False])
def test_health_is_told_in_a_line_when_a_server_ends_that_ran_for_long(capsys, long):
    state = make_state()
    state.started -= TELL_SECONDS if long else 0.0
    with TestClient(make_app(state)) as client:
        client.post("/api/sessions", json={"game": "pig"})
    told = capsys.readouterr().err
    if not long:
        assert told == ""
        return
    assert told.startswith("astragal web: ")
    assert "1 sessions, " in told
    assert told.count("\n") == 1


def test_only_so_many_sessions_keep_trees():
    caps = Caps(kept=2)
    sessions = Sessions(caps)
    made = [session_with(caps, Kept() if i != 3 else None, used=1e9 + i) for i in range(6)]
    made[0].search = SimpleNamespace(ended=threading.Event())  # it thinks, and so keeps what it needs
    for session in made:
        sessions.by_id[session.id] = session
    sessions.bound_kept_trees()
    assert [session.keeps_trees for session in made] == [True, False, False, False, True, True]


def test_a_session_at_rest_keeps_nothing_that_its_last_search_was_given():
    kept = Kept()
    gone = weakref.ref(kept)
    session = session_with(Caps(), kept)
    session.search = SimpleNamespace(ended=threading.Event(), questions=[kept])
    session.search.ended.set()
    del kept
    session.rest()
    gc.collect()
    assert gone() is None
    assert session.search is None


@pytest.mark.parametrize("name", ["sessions", "kernels", "streams", "trees shown", "sessions with kept trees"])
def test_the_line_names_what_is_kept(name):
    state = make_state()
    assert f"0 {name}" in health_line(state) or name == "kernels"
    assert name.replace(" ", "_") in health(state)
