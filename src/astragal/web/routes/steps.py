"""A search step by step: what it does at a session's position, event by event, and the positions it looks at."""

from __future__ import annotations

from typing import Annotated, Any

from fastapi import APIRouter, Query
from fastapi.responses import JSONResponse

from astragal.algorithms.result import finite
from astragal.algorithms.walkthrough.searches import SEARCHES, walkable, walked
from astragal.base.errors import AstragalError
from astragal.web.requests import MAX_POSITION, SessionId
from astragal.web.session import Session
from astragal.web.state import State
from astragal.web.views import parsed, position_view

router = APIRouter(prefix="/api/sessions/{id}/steps")
MOST_DEPTH, MOST_SIMULATIONS = 6, 200
SearchQuery = Annotated[str, Query(max_length=20)]
SizeQuery = Annotated[int | None, Query(ge=1, le=MOST_SIMULATIONS)]
SeedQuery = Annotated[int, Query(ge=0, lt=2**31)]
TextQuery = Annotated[str, Query(max_length=MAX_POSITION)]


@router.get("")
def steps(
    state: State, id: SessionId, search: SearchQuery, size: SizeQuery = None, seed: SeedQuery = 0
) -> JSONResponse:
    """All that a small search does. Its size is a depth, or a number of simulations."""
    session = state.sessions.find(id)
    wanted = walkable(search)
    size = wanted.usual if size is None else size
    if wanted.size == "depth":
        size = min(size, MOST_DEPTH)
    session.player(wanted.player.format(size))  # which refuses games that it cannot play
    with session.lock:
        position = session.position.known()
    return JSONResponse(finite(walked(search, position, size, seed) | {"size": size}))


@router.get("/searches")
def searches(state: State, id: SessionId) -> dict[str, Any]:
    """The searches that can be walked through in this game, and why others cannot."""
    session = state.sessions.find(id)
    return {"searches": [facts(session, name) for name in SEARCHES]}


def facts(session: Session, name: str) -> dict[str, Any]:
    wanted = SEARCHES[name]
    why = None
    try:
        session.player(wanted.player.format(wanted.usual))
    except AstragalError as error:
        why = str(error)
    most = MOST_DEPTH if wanted.size == "depth" else MOST_SIMULATIONS
    return {"name": name, "size": wanted.size, "usual": wanted.usual, "most": most, "why": why}


@router.get("/position")
def position(state: State, id: SessionId, text: TextQuery) -> dict[str, Any]:
    """The position of a node."""
    session = state.sessions.find(id)
    return position_view(parsed(session.start.game, text), session.game_text)
