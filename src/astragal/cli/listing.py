"""`astragal games` and `astragal players`: what there is, from the records themselves."""

from __future__ import annotations

import inspect
import re
from collections.abc import Iterator
from dataclasses import Field
from typing import Annotated, Any

import typer

from astragal.cli.options import Json, print_json
from astragal.errors import SpecError, suggest
from astragal.games import find_game_class, find_sheet, game_names, sheet_names, split_sheet
from astragal.gdl.reader import load_sheet
from astragal.gdl.sheets import SheetSettings
from astragal.parameters import parameter_fields, spell
from astragal.players import player_classes


def games(
    name: Annotated[
        str | None,
        typer.Argument(help="Show only this game, with its rules; file.py:Class or file.kif too.", show_default=False),
    ] = None,
    json: Json = False,
) -> None:
    """List the games and their parameters, or tell the rules of one."""
    if name is None:
        sheets = [describe_sheet(each) | {"parameters": []} for each in sheet_names()]
        show([describe_record(each, find_game_class(each)[0]) for each in game_names()] + sheets, json)
        return
    row = describe_sheet(name) if split_sheet(name) else describe_game(name)
    show([row], json)
    if not json:
        print(f"\n{row['rules']}")


def describe_game(name: str) -> dict[str, Any]:
    cls, found, _ = find_game_class(name)
    return describe_record(found, cls) | {"rules": inspect.getdoc(inspect.getmodule(cls)) or inspect.getdoc(cls) or ""}


def describe_sheet(name: str) -> dict[str, Any]:
    """A rule sheet: what the comments at its head say, its roles and its settings."""
    path, _ = split_sheet(name) or (name, "")
    sheet = load_sheet(find_sheet(path))
    words = " ".join(opening_comment(sheet.text))
    settings = [describe_field(field) for field in parameter_fields(SheetSettings)]
    about = re.split(r"(?<=[.!?])\s", words)[0] or "a rule sheet"
    rules = f"{words}\n\nRoles: {', '.join(sheet.roles)}.".strip()
    return {"name": path, "about": about, "parameters": settings, "rules": rules}


def opening_comment(text: str) -> Iterator[str]:
    """The lines of comment that a text begins with."""
    for line in text.splitlines():
        if not line.startswith(";"):
            return
        yield line.strip("; ")


def players(
    name: Annotated[str | None, typer.Argument(help="Show only this player.", show_default=False)] = None,
    json: Json = False,
) -> None:
    """List the players and their settings."""
    classes = player_classes()
    if name is not None and name not in classes:
        raise SpecError(f"there is no player '{name}' (players: {', '.join(classes)}){suggest(name, classes)}")
    rows = [describe_record(key, cls) for key, cls in classes.items() if name in (None, key)]
    show(rows, json, with_settings=name is not None)


def describe_record(name: str, cls: type) -> dict[str, Any]:
    about = (inspect.getdoc(cls) or "").splitlines()
    settings = [describe_field(field) for field in parameter_fields(cls)]
    return {"name": name, "about": about[0] if about else "", "parameters": settings}


def describe_field(field: Field[Any]) -> dict[str, Any]:
    default = None if field.default is None else spell(field.default)
    choices, low, high = (field.metadata.get(key) for key in ("choices", "low", "high"))
    return {
        "name": field.name,
        "default": default,
        "help": field.metadata.get("help", ""),
        "choices": list(choices) if choices else None,
        "low": low,
        "high": high,
    }


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
