"""What a results file holds: contests, their progress, who scored what, and games to replay."""

from __future__ import annotations

from typing import Annotated, Any

from fastapi import APIRouter, Depends, Query
from fastapi.responses import Response

from astragal.arena.store.game_file import of_record
from astragal.web.requests import EVENTS, ContestNumber, GameNumber, Missing, Review, TextQuery
from astragal.web.results import Reader, Watch
from astragal.web.reviewing import Reviewing
from astragal.web.state import State

router = APIRouter(prefix="/api/results")


def reader_of(state: State) -> Reader:
    if state.reader is None:
        raise Missing("no results file was given; start astragal web with --db FILE")
    return state.reader


File = Annotated[Reader, Depends(reader_of)]
Offset = Annotated[int, Query(ge=0, le=2**31)]
Limit = Annotated[int, Query(ge=1, le=500)]
Ply = Annotated[int, Query(ge=0, le=1_000_000)]


@router.get("")
def overview(file: File) -> dict[str, Any]:
    """All contests."""
    return file.overview()


@router.get("/live")
def live(state: State, file: File) -> Response:
    """How contests go on, as a stream of events."""
    return state.streams.of(Watch(file))


@router.get("/crosstable")
def crosstable(file: File) -> dict[str, Any]:
    """Who scored what against whom, and ratings."""
    return {"tables": file.crosstables()}


@router.get("/curves")
def curves(
    file: File,
    over: TextQuery = None,
    player: TextQuery = None,
    opponent: TextQuery = None,
    game: TextQuery = None,
) -> dict[str, Any]:
    """Scores against a setting in which contests differ."""
    return file.curves(over or None, player or None, opponent or None, game or None)


@router.get("/{contest}")
def contest(file: File, contest: ContestNumber) -> dict[str, Any]:
    """A contest in full."""
    return file.contest(contest)


@router.get("/{contest}/games")
def games(file: File, contest: ContestNumber, offset: Offset = 0, limit: Limit = 100) -> dict[str, Any]:
    """The games of a contest."""
    return file.games(contest, offset, limit)


@router.get("/{contest}/games/{pair}/{game}")
def game(file: File, contest: ContestNumber, pair: GameNumber, game: GameNumber) -> dict[str, Any]:
    """A game step by step."""
    return file.game(contest, pair, game)


@router.get("/{contest}/games/{pair}/{game}/file")
def game_of_its_own(file: File, contest: ContestNumber, pair: GameNumber, game: GameNumber) -> Response:
    """The game as a file."""
    found, record, _ = file.replay(contest, pair, game)
    return Response(of_record(found, record).text(found.rules), media_type="application/json")


@router.post("/{contest}/games/{pair}/{game}/review", responses=EVENTS)
def review(
    state: State, file: File, contest: ContestNumber, pair: GameNumber, game: GameNumber, wanted: Review
) -> Response:
    """What every decision lost and what luck every roll brought. The answer is a stream of events."""
    _, record, positions = file.replay(contest, pair, game)
    return state.streams.of(Reviewing(positions, record.steps, state.slots, state.caps, wanted.prove))


@router.get("/{contest}/games/{pair}/{game}/at")
def at(file: File, contest: ContestNumber, pair: GameNumber, game: GameNumber, ply: Ply = 0) -> dict[str, Any]:
    """A game's position after a number of steps."""
    return file.at(contest, pair, game, ply)
