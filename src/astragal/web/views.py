"""Positions, and what searches found, as the page reads them. Players are numbered from 1 in it."""

from __future__ import annotations

import shlex
import warnings
from typing import Any

from astragal.algorithms.interval import worth_in_words
from astragal.algorithms.result import ActionValue, SearchResult, finite
from astragal.base.errors import AstragalError, PositionError
from astragal.drawing.pictures import event_of, picture_of
from astragal.games import game_spec
from astragal.players.analyst import most_error
from astragal.rules.position import Position
from astragal.solvers.solution import kept_values

MAX_OUTCOMES = 250  # in one answer
warned: set[str] = set()


def seat(turn: int) -> int | None:
    """A player's number for people, None for chance and the end."""
    return turn + 1 if turn >= 0 else None


def parsed(game: Any, text: str) -> Position:
    """The position of a text from a request: one that its game can be asked everything about."""
    position = Position.parse(game, text)
    try:
        position.action_names()
        position.outcomes()
        position.evaluations()
        str(position)
        if Position.parse(game, position.text) != position:
            raise ValueError("its notation says something else")
    except Exception as error:  # a game's own code, with a state that it never makes itself
        raise PositionError(f"'{text}' is not a position of {type(game).__name__}: {error}") from None
    return position


def picture_view(position: Position, last_outcome: int | None = None) -> dict[str, Any] | None:
    """What to draw and what to click; None where a game's own drawing fails, and its text has to do."""
    try:
        return picture_of(position, last_outcome).as_dict()
    except Exception as error:
        warn_once(f"{type(position.game).__name__} cannot be drawn: {error}")
        return None


def way_of(picture: dict[str, Any] | None, number: int) -> list[str]:
    """The items of a picture that an action goes by."""
    drawn = picture or {"moves": {}}
    way: list[str] = drawn.get("ways", {}).get(str(number)) or drawn["moves"].get(str(number), [])
    return way


def event_view(before: Position, number: int) -> str | None:
    """What a step brought that should not be missed."""
    try:
        return event_of(before, number)
    except Exception as error:
        warn_once(f"{type(before.game).__name__} cannot describe what happened: {error}")
        return None


def warn_once(message: str) -> None:
    if message not in warned:
        warned.add(message)
        warnings.warn(message, stacklevel=2)


def position_view(position: Position, game: str, last_outcome: int | None = None) -> dict[str, Any]:
    """All that is to be seen of a position; after a chance outcome, its number."""
    outcomes = position.outcomes()[:MAX_OUTCOMES]
    return {
        "game": game,
        "text": position.text,
        "kind": "end" if position.is_terminal else "chance" if position.is_chance else "decision",
        "player": seat(position.turn),
        "actions": [{"number": number, "name": position.action_name(number)} for number in position.actions()],
        "outcomes": [vars(outcome) for outcome in outcomes],
        "utilities": list(position.utilities()) if position.is_terminal else None,
        "evaluations": None if position.is_chance else list(position.evaluations()),
        "picture": picture_view(position, last_outcome),
        "show": str(position),
        "hidden": False,
    }


def thought_view(result: SearchResult) -> dict[str, Any]:
    """What is noted of a move."""
    return {
        "player": result.player,
        "value": finite(result.value),
        "depth": result.depth,
        "nodes": result.nodes,
        "threads": result.threads,
        "seconds": result.seconds,
    }


def found_view(result: SearchResult, game: Any) -> dict[str, Any]:
    """What a search has found, so far or in the end."""
    visits = sum(row.visits or 0 for row in result.actions)
    visited = result.nodes - result.counts.get("leaves", 0)  # leaves are counted in bulk, many at a node
    done = visited if result.simulations is None else result.simulations
    return {
        "best": result.action,
        "best_number": result.action_number,
        "value": finite(result.value),
        "bound": result.bound,
        "between": result.interval and worth_in_words(game, result.interval),
        "depth": result.depth,
        "searches": result.searches,
        "complete": result.complete,
        "note": result.note,
        "proven": result.proven,
        "nodes": result.nodes,
        "leaves": result.counts.get("leaves"),
        "simulations": result.simulations,
        "seconds": result.seconds,
        "speed": done / result.seconds if result.seconds > 0 else None,
        "line": result.line,
        "actions": [action_view(row, visits, game) for row in result.actions],
    }


def action_view(row: ActionValue, visits: int, game: Any) -> dict[str, Any]:
    return {
        "number": row.number,
        "name": row.action,
        "value": finite(row.value),
        "bound": row.bound,
        "interval": row.interval,
        "between": row.interval and worth_in_words(game, row.interval),
        "visits": row.visits,
        "share": row.share
        if row.share is not None
        else row.visits / visits
        if visits and row.visits is not None
        else None,
        "error": most_error(row, game.utility_range),
    }


def exact_view(position: Position) -> dict[str, Any]:
    """The value for the player to move, player 1 at chance; and that of every action, the best first.

    Of most positions it is not known, which is no error; then it is said why.
    """
    known = kept_values(position)
    if known is None:
        spec = shlex.quote(game_spec(position.game))
        return unknown(position, f"the value of this position is not known; astragal solve {spec} may find it")
    try:
        values = known.action_values(position)
        value = known.value(position) * (-1.0 if position.turn == 1 else 1.0)
    except AstragalError as error:
        return unknown(position, str(error))
    rows = [
        {"number": number, "name": position.action_name(number), "value": worth} for number, worth in values.items()
    ]
    rows.sort(key=lambda row: -float(row["value"]))  # type: ignore[arg-type]
    return {"value": value, "player": seat(position.turn), "actions": rows, "why": None}


def unknown(position: Position, why: str) -> dict[str, Any]:
    return {"value": None, "player": seat(position.turn), "actions": [], "why": why}
