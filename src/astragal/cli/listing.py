"""`astragal games` and `astragal players`: what there is, from the records themselves."""

from __future__ import annotations

import inspect
from typing import Annotated, Any

import typer

from astragal.cli.options import Json, print_json
from astragal.errors import SpecError, suggest
from astragal.games import find_game_class, find_sheet, game_names, load_game, sheet_names, split_sheet
from astragal.gdl.sheets import SheetSettings, sheet_facts
from astragal.openspiel.library import PREFIX, their_names
from astragal.parameters import build, record_facts, split_settings
from astragal.players import player_classes
from astragal.players.ladders import ladders
from astragal.players.levels import OTHERS, levels_of


def games(
    name: Annotated[
        str | None,
        typer.Argument(
            help="Show only this game, with its rules; file.py:Class or file.kif too, and openspiel:NAME.",
            show_default=False,
        ),
    ] = None,
    json: Json = False,
) -> None:
    """List the games and their parameters, or tell the rules of one."""
    if name is None:
        sheets = [describe_sheet(each) | {"parameters": []} for each in sheet_names()]
        show([record_facts(each, find_game_class(each)[0]) for each in game_names()] + sheets, json)
        return
    if name.rstrip(":") == PREFIX.rstrip(":"):
        print("\n".join(PREFIX + theirs for theirs in their_names()))
        return
    row = describe_sheet(name) if split_sheet(name) else describe_game(name)
    show([row], json)
    if not json:
        print(f"\n{row['rules']}")


def describe_game(name: str) -> dict[str, Any]:
    if name.startswith(PREFIX):
        return describe_spiel(load_game(name))
    cls, found, settings = find_game_class(name)
    build(cls, split_settings(settings, found), found)  # a sentence where they do not fit
    return record_facts(found, cls) | {"rules": inspect.getdoc(inspect.getmodule(cls)) or inspect.getdoc(cls) or ""}


def describe_spiel(game: Any) -> dict[str, Any]:
    """What OpenSpiel says of one of its games."""
    low, high = game.utility_range
    facts = f"{game.players} players, at most {game.max_actions} actions, {game.max_outcomes} outcomes"
    rules = f"{facts} and {game.max_plies} plies; utilities from {low:g} to {high:g}."
    return record_facts(game.own_spec(), type(game)) | {"rules": rules}


def describe_sheet(name: str) -> dict[str, Any]:
    path, settings = split_sheet(name) or (name, "")
    build(SheetSettings, split_settings(settings, path), path)
    return sheet_facts(path, find_sheet(path))


def players(
    name: Annotated[str | None, typer.Argument(help="Show only this player.", show_default=False)] = None,
    json: Json = False,
) -> None:
    """List the players and their settings."""
    classes = player_classes()
    if name is not None and name not in classes:
        raise SpecError(f"there is no player '{name}' (players: {', '.join(classes)}){suggest(name, classes)}")
    rows = [record_facts(key, cls) for key, cls in classes.items() if name in (None, key)]
    show(rows, json, with_settings=name is not None)
    if name is None and not json:
        show_levels()


def show_levels() -> None:
    """The opponents of each game by their levels, which stand for players everywhere."""
    print("\nLevels, from easy to as strong as it gets: `astragal play ewn --player medium`")
    measured = {game: {level.name: level.player for level in levels_of(found)} for game, found in ladders().items()}
    for game, table in (measured | {"other games": OTHERS}).items():
        print(f"    {game:<17}{', '.join(f'{level} {player}' for level, player in table.items())}")
    print("`astragal best GAME` names the strongest, and how all of a game's players were rated.")


def show(rows: list[dict[str, Any]], as_json: bool, with_settings: bool = True) -> None:
    if as_json:
        print_json(rows)
        return
    widest = max(len(row["name"]) for row in rows)
    for row in rows:
        print(f"{row['name']:<{widest}} {row['about']}")
        for setting in row["parameters"] if with_settings else []:
            allowed = "|".join(setting["choices"]) if setting["choices"] else setting["default"] or ""
            chosen = f" (default {setting['default']})" if setting["choices"] else ""
            print(f"    {setting['name'] + '=' + str(allowed):<28} {setting['help']}{chosen}")
    if not with_settings:
        print("\nastragal players NAME shows a player's settings.")
