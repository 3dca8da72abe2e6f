"""Work that the page starts: what there is, new pieces of it, and how they stop and go on."""

from __future__ import annotations

from typing import Annotated, Any

from fastapi import APIRouter, Depends

from astragal.base.errors import AstragalError
from astragal.base.parameters import record_facts
from astragal.learn.beginning import LearnSettings
from astragal.learn.curves import checkpoint_of, curve_of
from astragal.web.requests import NewLearning, NewMatch, NewStrength, NewTournament, RequestError, WorkNumber
from astragal.web.state import ServerState, State
from astragal.web.work.orders import learn_order, match_order, model_file, strong_order, tournament_order
from astragal.web.work.queue import FAILED, Work, WorkQueue

router = APIRouter(prefix="/api/work")


class NotHere(RequestError):
    """Work cannot be started on this server."""

    status = 403


def queue_of(state: State) -> WorkQueue:
    if state.work is None:
        raise NotHere("this server starts no work; astragal web --work allows it")
    return state.work


Queue = Annotated[WorkQueue, Depends(queue_of)]


@router.get("")
def work(state: State) -> dict[str, Any]:
    """All pieces of work, the latest first; and what may be started."""
    queue, caps = state.work, state.caps
    return {
        "allowed": queue is not None,
        "results": None if state.results is None else state.results.name,
        "models": None if state.models is None else state.models.resolve().name,
        "most": {"minutes": caps.work_minutes, "games": caps.work_games, "seconds": caps.seconds},
        "learning": record_facts("learn", LearnSettings)["parameters"],
        "work": [] if queue is None else [work_view(state, each) for each in queue.all()],
    }


@router.post("/match")
def new_match(state: State, queue: Queue, wanted: NewMatch) -> dict[str, Any]:
    """Put a match into the queue."""
    return work_view(state, queue.add(match_order(state, wanted)))


@router.post("/tournament")
def new_tournament(state: State, queue: Queue, wanted: NewTournament) -> dict[str, Any]:
    """Put a tournament into the queue."""
    return work_view(state, queue.add(tournament_order(state, wanted)))


@router.post("/learn")
def new_learning(state: State, queue: Queue, wanted: NewLearning) -> dict[str, Any]:
    """Put a learning run into the queue."""
    return work_view(state, queue.add(learn_order(state, wanted)))


@router.post("/strong")
def new_strength(state: State, queue: Queue, wanted: NewStrength) -> dict[str, Any]:
    """Put a game of the user's into the queue, to be learned and to get a ladder."""
    return work_view(state, queue.add(strong_order(state, wanted)))


@router.post("/{number}/stop")
def stop(state: State, queue: Queue, number: WorkNumber) -> dict[str, Any]:
    """Stop a piece of work after what is under way; the second time at once."""
    return work_view(state, queue.stop(number))


@router.post("/{number}/resume")
def resume(state: State, queue: Queue, number: WorkNumber) -> dict[str, Any]:
    """Put a piece of work into the queue again: it goes on where it stopped."""
    return work_view(state, queue.resume(number))


@router.delete("/{number}")
def remove(queue: Queue, number: WorkNumber) -> dict[str, Any]:
    """Take a piece of work out of the list; its results stay."""
    queue.remove(number)
    return {}


def work_view(state: ServerState, work: Work) -> dict[str, Any]:
    """A piece of work, with its score or its learning curve so far."""
    order, printed = work.order, list(work.printed)
    if work.state == FAILED and printed and not work.note:
        work.note = printed[-1].removeprefix("astragal: ")
    return {
        "number": work.number,
        "kind": order.kind,
        "title": order.title,
        "command": order.line,
        "state": work.state,
        "note": work.note,
        "seconds": round(work.ran, 1),
        "wanted": order.games,
        "printed": printed,
        "contests": contests_of(state, work),
        "model": model_of(state, order.model),
    }


def contests_of(state: ServerState, work: Work) -> list[dict[str, Any]]:
    """How the contests of a piece of work stand; none before the first is in the file."""
    if state.reader is None or not work.order.contests:
        return []
    try:
        return state.reader.scores_of(work.order.contests, work.order.sprt)
    except AstragalError:  # no file yet, or one that is just being made
        return []


def model_of(state: ServerState, name: str) -> dict[str, Any] | None:
    """The learning curve of a model, from its checkpoint while there is one."""
    if state.models is None or not name:
        return None
    file = model_file(state.models, name)
    return curve_of(checkpoint_of(file)) or curve_of(file)
