"""Players that think, about a move that is then played or about a position; and the trees they searched."""

from __future__ import annotations

from typing import Annotated, Any

from fastapi import APIRouter, Query
from fastapi.responses import JSONResponse, Response

from astragal.algorithms.limits import Limits
from astragal.algorithms.result import SearchResult, finite
from astragal.web.caps import MAX_NODES
from astragal.web.requests import EVENTS, Analyse, IndexQuery, Missing, Move, RequestError, SessionId, Stop
from astragal.web.session import Session
from astragal.web.state import ServerState, State
from astragal.web.thinking import Event, Question, Thinking
from astragal.web.trees import KeptTree
from astragal.web.views import parsed, thought_view

router = APIRouter(prefix="/api/sessions/{id}")
Limit = Annotated[int, Query(ge=1, le=MAX_NODES)]


@router.post("/move", responses=EVENTS)
def move(state: State, id: SessionId, wanted: Move) -> Response:
    """The player in the seat to move, or the one named, thinks and plays. The answer is a stream of events."""
    session = state.sessions.find(id)
    answers: list[SearchResult] = []
    with session.lock:
        player = session.player_to_move(wanted.player)
        turn = session.position.turn
        question = Question(
            player,
            session.player_text(wanted.player or session.seats[turn]),
            session.position,
            state.caps.limits(player),
            session.search_seed,
            session.kept_for(turn, player) if wanted.player is None else None,
            session.history,
            state.caps.seconds_without_limits(player),
        )
        quiet = not session.may_show(session.position.actions()[0])
    state.sessions.bound_kept_trees()

    def hear(index: int, result: SearchResult) -> dict[str, Any]:
        answers.append(result)
        return {"tree": False}

    def finish() -> Event | None:
        return play_answer(session, search, answers[0]) if answers else None

    search = Thinking([question], state.slots, hear, finish, quiet)
    session.begin_search(search)
    return state.streams.of(search)


def play_answer(session: Session, search: Thinking, answer: SearchResult) -> Event | None:
    """Play what a search chose, unless the game has gone on without it."""
    with session.lock:
        if search.abandoned or search is not session.search or answer.action_number is None:
            return None
        session.play(answer.action_number, thought_view(answer))
        search.ended.set()
        view = session.view()
        return "moved", {"session": view, "action": view["last"]["number"], "name": view["last"]["name"]}


@router.post("/analyse", responses=EVENTS)
def analyse(state: State, id: SessionId, wanted: Analyse) -> Response:
    """One to three players think about a position, one after the other. The answer is a stream of events."""
    session = state.sessions.find(id)
    if len(wanted.players) > state.caps.players:
        raise RequestError(f"at most {state.caps.players} players are compared, not {len(wanted.players)}")
    asked = questions(state, session, wanted)

    def hear(index: int, result: SearchResult) -> dict[str, Any]:
        if result.tree is not None and wanted.tree and not search.abandoned:
            tree = KeptTree(result.tree, asked[index].name, session.game_text)
            state.trees.keep(session.trees, index, tree)
        return {"tree": index in session.trees}

    def watch(index: int, found: SearchResult) -> dict[str, Any]:
        kept = session.trees.get(index)
        if found.tree is None or not wanted.tree or (kept is not None and kept.tree is found.tree):
            return {}
        return hear(index, found)

    search = Thinking(asked, state.slots, hear, lambda: ("end", {}), on_report=watch)
    session.begin_search(search)
    return state.streams.of(search)


def questions(state: ServerState, session: Session, wanted: Analyse) -> list[Question]:
    """The task of each player of an analysis."""
    position = session.position.known() if wanted.position is None else parsed(session.start.game, wanted.position)
    if position.is_terminal:
        raise RequestError("the game is over: there is nothing to search")
    history = session.history if position == session.position else None
    asked = []
    for text in wanted.players:
        player, seconds = session.player(text, wanted.tree), wanted.seconds
        if seconds is None and player.limits == Limits():
            seconds = state.caps.default_seconds
        limits, most = state.caps.limits(player, seconds), state.caps.seconds_without_limits(player)
        asked.append(Question(player, session.player_text(text), position, limits, wanted.seed, None, history, most))
    return asked


@router.post("/stop")
def stop(state: State, id: SessionId, wanted: Stop) -> dict[str, Any]:
    """Have a running search answer at once with what it has."""
    search = state.sessions.find(id).search
    return {"stopped": search is not None and search.stop(wanted.all)}


def kept_tree(state: State, id: str, index: int) -> KeptTree:
    tree = state.sessions.find(id).trees.get(index)
    if tree is None:
        raise Missing("this tree is not kept, or not any more; analyse the position again")
    return tree


@router.get("/tree")
def tree(state: State, id: SessionId, index: IndexQuery = 0, limit: Limit = 1000) -> JSONResponse:
    """The heaviest nodes of a kept tree."""
    return JSONResponse(finite(kept_tree(state, id, index).overview(limit)))


@router.get("/tree/{node}")
def node(state: State, id: SessionId, node: int, index: IndexQuery = 0) -> dict[str, Any]:
    """A node of a kept tree with its position."""
    return kept_tree(state, id, index).node(node)


@router.get("/tree/{node}/children")
def children(state: State, id: SessionId, node: int, index: IndexQuery = 0, limit: Limit = 200) -> JSONResponse:
    """The children of a node, the heaviest first."""
    return JSONResponse(finite(kept_tree(state, id, index).unfolded(node, limit)))
