"""What requests may say, with the range of everything in it, and the errors they get."""

from __future__ import annotations

from typing import Annotated, Any

from fastapi import Path, Query
from pydantic import BaseModel, ConfigDict, Field

from astragal.base.errors import AstragalError
from astragal.web.catalogue import MAX_TEXT


class RequestError(AstragalError):
    """A request that cannot be answered; other errors a user causes have status 422."""

    status = 422


class Missing(RequestError):
    """What was asked for is not there, or not any more."""

    status = 404


class Conflict(RequestError):
    """What was asked for does not fit what is going on."""

    status = 409


class TooMany(RequestError):
    """There is no room for more."""

    status = 429


MAX_POSITION = 20_000  # characters of a position
MAX_SEATS = 16

GameText = Annotated[str, Field(min_length=1, max_length=MAX_TEXT, description="A game: id or id:key=value,...")]
PlayerText = Annotated[str, Field(min_length=1, max_length=MAX_TEXT, description="A player, or 'person'")]
PositionText = Annotated[str, Field(max_length=MAX_POSITION, description="A position in the game's notation")]
Number = Annotated[int, Field(ge=0, lt=2**32, strict=True)]
EloNumber = Annotated[float, Field(ge=-2000, le=2000)]
Name = Annotated[str, Field(max_length=200)]
Ply = Annotated[int, Field(ge=0, le=1_000_000)]
SeedNumber = Annotated[int, Field(ge=0, lt=2**63)]

SessionId = Annotated[str, Path(max_length=64, description="A session's id")]
GameQuery = Annotated[str, Query(min_length=1, max_length=MAX_TEXT)]
PlyQuery = Annotated[int | None, Query(ge=0, le=1_000_000)]
PositionQuery = Annotated[str | None, Query(max_length=MAX_POSITION)]
IndexQuery = Annotated[int, Query(ge=0, le=15)]
WorkNumber = Annotated[int, Path(ge=1, le=2**31)]
ContestNumber = Annotated[int, Path(ge=1, le=2**31)]
GameNumber = Annotated[int, Path(ge=1, le=2**31)]
ThemeQuery = Annotated[str, Query(pattern="^(light|dark)$")]
TextQuery = Annotated[str | None, Query(max_length=MAX_TEXT)]


EVENTS: dict[int | str, dict[str, Any]] = {200: {"content": {"text/event-stream": {}}, "description": "events"}}


class Body(BaseModel):
    """A request that says nothing it should not."""

    model_config = ConfigDict(extra="forbid")


class NewSession(Body):
    game: GameText
    seats: Annotated[list[PlayerText], Field(max_length=MAX_SEATS)] | None = None
    position: PositionText | None = None
    seed: SeedNumber | None = None
    steps: Annotated[list[Number], Field(max_length=5000)] | None = None


class MatFile(Body):
    text: Annotated[str, Field(max_length=60_000, description="The text of a .mat file")]


class Play(Body):
    action: Number | Name
    ply: Ply | None = None


class Deal(Body):
    outcome: Number | Name | None = None
    ply: Ply | None = None


class Undo(Body):
    ply: Ply | None = None


class SetPosition(Body):
    position: PositionText


class SetSeats(Body):
    seats: Annotated[list[PlayerText], Field(max_length=MAX_SEATS)]


class Move(Body):
    player: PlayerText | None = None


class Analyse(Body):
    players: Annotated[list[PlayerText], Field(min_length=1, max_length=MAX_SEATS)]
    position: PositionText | None = None
    seconds: Annotated[float, Field(gt=0, le=1e6)] | None = None
    tree: bool = False
    seed: SeedNumber = 0


class NewContest(Body):
    """A match or a tournament: who plays what, how much, and with which limits for a move."""

    game: GameText
    players: Annotated[list[PlayerText], Field(min_length=1, max_length=MAX_SEATS)]
    games: Annotated[int, Field(ge=1, le=10**9, strict=True)] = 100
    seed: SeedNumber = 0
    time: Annotated[float, Field(gt=0, le=1e6)] | None = None
    nodes: Annotated[int, Field(ge=1, le=10**12, strict=True)] | None = None
    sims: Annotated[int, Field(ge=1, le=10**12, strict=True)] | None = None
    depth: Annotated[int, Field(ge=1, le=64, strict=True)] | None = None


class NewMatch(NewContest):
    sprt: tuple[EloNumber, EloNumber] | None = None


class NewTournament(NewContest):
    format: Annotated[str, Field(pattern="^(round-robin|gauntlet)$")] = "round-robin"


class NewLearning(Body):
    """A learning run, whose model and checkpoint lie in the folder of models under a name."""

    game: GameText
    name: Annotated[str, Field(pattern=r"^[A-Za-z0-9][A-Za-z0-9_-]{0,59}$")]
    minutes: Annotated[float, Field(gt=0, le=1e6)] = 5.0
    settings: Annotated[str, Field(max_length=MAX_TEXT)] = ""


class NewStrength(Body):
    """A user's own game, to be learned and to get a ladder."""

    game: GameText
    minutes: Annotated[float, Field(gt=0, le=1e6)] = 1.0
    games: Annotated[int, Field(ge=2, le=10**6, strict=True)] = 40


class Review(Body):
    prove: Annotated[bool, Field(description="Prove between which bounds the losses lie")] = False


class Stop(Body):
    all: bool = True
