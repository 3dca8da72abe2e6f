"""A game under way: begun, played, dealt, taken back, and looked at."""

from __future__ import annotations

import secrets
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from fastapi import APIRouter
from fastapi.responses import Response

from astragal.arena.store.game_file import game_file, parse_mat
from astragal.drawing.pictures import picture_of
from astragal.drawing.pictures.svg import picture_svg
from astragal.rules.position import Position
from astragal.web.requests import (
    EVENTS,
    Conflict,
    Deal,
    MatFile,
    NewSession,
    Play,
    PlyQuery,
    PositionQuery,
    Review,
    SessionId,
    SetPosition,
    SetSeats,
    ThemeQuery,
    Undo,
)
from astragal.web.reviewing import Reviewing
from astragal.web.session import PERSON, Session, new_id
from astragal.web.state import ServerState, State
from astragal.web.views import exact_view, parsed, position_view

router = APIRouter(prefix="/api/sessions")


@router.post("", status_code=201)
def begin(state: State, wanted: NewSession) -> dict[str, Any]:
    """A new game, from its start or from a position; with steps, one that was played before."""
    game, text = state.catalogue.load(wanted.game)
    seed = secrets.randbelow(2**31) if wanted.seed is None else wanted.seed
    start = Position.start(game, seed) if wanted.position is None else parsed(game, wanted.position)
    seats = [PERSON] * game.players if wanted.seats is None else wanted.seats
    session = Session(new_id(), text, start, seats, seed, state.caps)
    session.repeat(wanted.steps or ())
    state.sessions.add(session)
    return session.view()


@router.post("/mat")
def read_mat(wanted: MatFile) -> dict[str, Any]:
    """The game of a `.mat` file, as a session can begin with it: two persons play."""
    kept = parse_mat(wanted.text)
    return {"game": kept.game, "seats": [PERSON] * len(kept.seats), "position": kept.start, "steps": kept.steps}


@router.get("/{id}")
def look(state: State, id: SessionId) -> dict[str, Any]:
    session = state.sessions.find(id)
    with session.lock:
        return session.view()


@router.delete("/{id}", status_code=204, response_model=None)  # which FastAPI before 0.117 does not see
def leave(state: State, id: SessionId) -> None:
    """Forget a game, and end its search."""
    state.sessions.remove(id)


@contextmanager
def changed(state: ServerState, id: str, ply: int | None = None) -> Iterator[Session]:
    """A session to change, unless it has gone on since the page last looked."""
    with state.sessions.changing(id) as session:
        if ply is not None and ply != session.ply:
            raise Conflict(f"the game has gone on: it has {session.ply} steps, not {ply}")
        yield session


@router.post("/{id}/play")
def play(state: State, id: SessionId, wanted: Play) -> dict[str, Any]:
    """Play an action by its number or name."""
    with changed(state, id, wanted.ply) as session:
        session.play(wanted.action)
    return session.view()


@router.post("/{id}/deal")
def deal(state: State, id: SessionId, wanted: Deal) -> dict[str, Any]:
    """A chance outcome, by the session's dice unless one is named."""
    with changed(state, id, wanted.ply) as session:
        session.deal(wanted.outcome)
    return session.view()


@router.post("/{id}/undo")
def undo(state: State, id: SessionId, wanted: Undo) -> dict[str, Any]:
    """Back to the last decision of a person, or to a number of steps."""
    with changed(state, id) as session:
        session.undo(wanted.ply)
    return session.view()


@router.post("/{id}/position")
def set_position(state: State, id: SessionId, wanted: SetPosition) -> dict[str, Any]:
    """The same game from another position."""
    with changed(state, id) as session:
        session.begin_at(parsed(session.start.game, wanted.position))
    return session.view()


@router.post("/{id}/seats")
def set_seats(state: State, id: SessionId, wanted: SetSeats) -> dict[str, Any]:
    """Who sits where from now on."""
    with changed(state, id) as session:
        session.sit(wanted.seats)
    return session.view()


@router.get("/{id}/at")
def look_at(state: State, id: SessionId, ply: PlyQuery = None, position: PositionQuery = None) -> dict[str, Any]:
    """The position after a number of steps, or of a notation."""
    session = state.sessions.find(id)
    if position is not None:
        return position_view(parsed(session.start.game, position), session.game_text)
    with session.lock:
        return session.at(session.ply if ply is None else ply)


@router.post("/{id}/review", responses=EVENTS)
def review(state: State, id: SessionId, wanted: Review) -> Response:
    """What every decision lost and what luck every roll brought. The answer is a stream of events."""
    session = state.sessions.find(id)
    with session.lock:
        told = session.ply - session.secrets
        steps = session.steps[:told]
        positions = [*(step.before for step in steps), session.position if told == session.ply else steps[-1].before]
    numbers = [step.number for step in steps]
    return state.streams.of(Reviewing(positions, numbers, state.slots, state.caps, wanted.prove))


@router.get("/{id}/file")
def file(state: State, id: SessionId, mat: bool = False) -> Response:
    """The game as a file; as a `.mat` file, for other programs for Backgammon."""
    session = state.sessions.find(id)
    with session.lock:
        steps = session.steps[: session.ply - session.secrets]
        thoughts = tuple(step.thought for step in steps)
        numbers = [step.number for step in steps]
        kept = game_file(session.start, numbers, session.seats, seed=session.seed, thoughts=thoughts)
    if mat:
        return Response(kept.mat(session.start.game), media_type="text/plain")
    return Response(kept.text(session.start.game), media_type="application/json")


@router.get("/{id}/picture.svg")
def picture(state: State, id: SessionId, ply: PlyQuery = None, theme: ThemeQuery = "light") -> Response:
    """The position after a number of steps as an SVG file."""
    session = state.sessions.find(id)
    with session.lock:
        position, last = session.position_after(session.ply if ply is None else ply)
    return Response(picture_svg(picture_of(position, last), theme), media_type="image/svg+xml")


@router.get("/{id}/exact")
def exact(state: State, id: SessionId, position: PositionQuery = None) -> dict[str, Any]:
    """The exact value of a position and of its actions, where the game was solved."""
    session = state.sessions.find(id)
    return exact_view(session.shown if position is None else parsed(session.start.game, position))
