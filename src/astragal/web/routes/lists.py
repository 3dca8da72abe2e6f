"""What there is to choose from: games, players, learned evaluations, and how much of everything."""

from __future__ import annotations

from typing import Any

from fastapi import APIRouter

from astragal import __version__
from astragal.learn.curves import curves_of_folder, curves_of_package
from astragal.players.analyst import analyst
from astragal.players.ladders import fits
from astragal.rules.ending import measure
from astragal.web.catalogue import SheetEntry, card, level_facts, player_facts
from astragal.web.requests import GameQuery, TextQuery
from astragal.web.state import State, health

router = APIRouter(prefix="/api")


@router.get("/about")
def about(state: State) -> dict[str, Any]:
    """What this server offers."""
    names = ("seconds", "default_seconds", "players", "tree_nodes", "sessions")
    return {
        "version": __version__,
        "caps": {name: getattr(state.caps, name) for name in names},
        "results": state.results is not None,
        "report": state.report is not None,
    }


@router.get("/health")
def health_of(state: State) -> dict[str, Any]:
    """What the server takes up, for its operator."""
    return health(state)


@router.get("/games")
def games(state: State) -> dict[str, Any]:
    """All games with their parameters."""
    names = ("about", "parameters")
    rows = [(entry, entry.facts()) for entry in state.catalogue.entries.values()]
    return {"games": [{"id": e.id, "own": e.own} | {name: facts[name] for name in names} for e, facts in rows]}


@router.get("/game")
def game(state: State, game: GameQuery) -> dict[str, Any]:
    """One game with its settings: whether they are right, how many play, and the rules."""
    entry, _ = state.catalogue.entry(game)
    made, text = state.catalogue.load(game)
    return {
        "game": text,
        "id": entry.id,
        "players": made.players,
        "utility_range": list(made.utility_range),
        "chance": made.max_outcomes > 0,
        "zero_sum": bool(made.zero_sum),
        "measure": measure(made),
        "analyst": analyst(made),
        "proves": fits("prove", made),
        "max_actions": made.max_actions,
        "roles": list(made.own_roles()) or None,
        "rules": entry.facts()["rules"],
    }


@router.get("/players")
def players(state: State, game: GameQuery) -> dict[str, Any]:
    """All players with the settings they have in a game."""
    made = state.catalogue.load(game)[0]
    return {"players": player_facts(made), "levels": level_facts(made)}


@router.get("/cards")
def cards(state: State, game: TextQuery = None, sheets: bool | None = None) -> dict[str, Any]:
    """The games as a newcomer sees them: a picture, how many play, and how long.

    All of them, one, or those of rule sheets or the others, which are ready sooner.
    """
    entries = list(state.catalogue.entries.values()) if game is None else [state.catalogue.entry(game)[0]]
    return {"cards": [card(entry) for entry in entries if sheets in (None, isinstance(entry, SheetEntry))]}


@router.get("/models")
def models(state: State) -> dict[str, Any]:
    """Every model with its learning curve, those of the folder first."""
    of_folder = [] if state.models is None else curves_of_folder(state.models)
    return {
        "folder": None if state.models is None else state.models.resolve().name,
        "models": of_folder + curves_of_package(),
    }
