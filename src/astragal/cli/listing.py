"""`astragal games`, `astragal players` and `astragal best`: lists made from the settings records and the ladders."""

from __future__ import annotations

from typing import Annotated, Any

import typer

from astragal.arena.playing import MOST_JOBS
from astragal.base.docstrings import rules_of
from astragal.base.errors import SpecError, suggest
from astragal.base.parameters import build, record_facts, split_settings
from astragal.base.terminal import hung, paint
from astragal.cli.options import Game, Json, print_json
from astragal.games import find_game_class, find_sheet, game_names, game_spec, load_game, sheet_names, split_sheet
from astragal.games.openspiel.library import PREFIX, their_names
from astragal.gdl.sheets import SheetSettings, sheet_facts
from astragal.players import player_classes
from astragal.players.ladders import BEST, OTHERS, SECONDS, Ladder, best_player, ladder_of, ladders, levels_of


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
    """List the games and their parameters, or the rules of one."""
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
    build(cls, split_settings(settings, found), found)  # an error if they do not fit
    return record_facts(found, cls) | {"rules": rules_of(cls)}


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
    every: Annotated[bool, typer.Option("--all", help="List the rarely used settings too.")] = False,
    json: Json = False,
) -> None:
    """List the players and their settings."""
    classes = player_classes()
    if name is not None and name not in classes:
        raise SpecError(f"there is no player '{name}' (players: {', '.join(classes)}){suggest(name, classes)}")
    rows = [record_facts(key, cls) for key, cls in classes.items() if name in (None, key)]
    show(rows, json, with_settings=name is not None or every, with_rare=every)
    if name is None and not json:
        show_levels()


def show_levels() -> None:
    """The levels of each game, which can be used as players everywhere."""
    print("\nLevels, from easy to as strong as it gets: `astragal play ewn --player medium`")
    measured = {game: {level.name: level.player for level in levels_of(found)} for game, found in ladders().items()}
    for game, table in (measured | {"other games": OTHERS}).items():
        print(hung(f"    {game:<17}", ", ".join(f"{level} {player}" for level, player in table.items())))
    print("`astragal best GAME` names the strongest, and how all of a game's players were rated.")


def show(rows: list[dict[str, Any]], as_json: bool, with_settings: bool = True, with_rare: bool = True) -> None:
    """Print a list. Rarely used settings come last, or only their number; JSON has all of them, each with its mark."""
    if as_json:
        print_json(rows)
        return
    widest = max(len(row["name"]) for row in rows)
    for row in rows:
        print(hung(f"{row['name']:<{widest}} ", row["about"]))
        usual, rare = ([each for each in row["parameters"] if each["rare"] == mark] for mark in (False, True))
        if with_settings:
            show_settings(usual)
        if with_settings and rare and with_rare:
            print("  rarely used:")
            show_settings(rare)
        elif with_settings and rare:
            print(f"    and {len(rare)} more, rarely used: astragal players {row['name']} --all")
    if not with_settings:
        print("\nastragal players NAME shows a player's settings.")


def show_settings(settings: list[dict[str, Any]]) -> None:
    for setting in settings:
        allowed = "|".join(setting["choices"]) if setting["choices"] else setting["default"] or ""
        chosen = f" (default {setting['default']})" if setting["choices"] else ""
        print(hung(f"    {setting['name'] + '=' + str(allowed):<28} ", setting["help"] + chosen))


LONGEST = 3600.0


def best(
    game: Game,
    time: Annotated[
        float, typer.Option("--time", min=0.001, max=LONGEST, help="Seconds that the player may think about a move.")
    ] = SECONDS,
    make: Annotated[
        bool, typer.Option("--make", help="First check and learn your own game, and measure a ladder of players.")
    ] = False,
    minutes: Annotated[
        float, typer.Option("--minutes", min=0.01, max=1e6, help="With --make: minutes of the processor to learn.")
    ] = 1.0,
    games: Annotated[
        int, typer.Option("--games", min=2, max=10**6, help="With --make: games of each two players.")
    ] = 40,
    jobs: Annotated[
        int | None,
        typer.Option("--jobs", min=1, max=MOST_JOBS, help="With --make: games at a time (one a core)."),
    ] = None,
    json: Json = False,
) -> None:
    """Name the strongest known player of a game, and those it was rated against.

    In every command the word `best` means this player, with one second per move. With --make, a game of your own gets
    a learned evaluation and a ladder in files beside it, which levels, hints and `best` use from then on. The same
    command goes on after Ctrl-C.
    """
    rules = load_game(game)
    if make:
        from astragal.arena.making import make_strong
        from astragal.cli.arena import meeting_printer

        def say(line: str) -> None:
            if not json:
                print(line, flush=True)

        make_strong(rules, minutes, games, jobs, say, None if json else meeting_printer(game))
    player, found = best_player(rules, time), ladder_of(rules)
    if json:
        print_json({"game": game_spec(rules), "player": player, "ladder": facts_of(found)})
        return
    print(paint(player, "bold"))
    if found is None:
        print("\nNot measured: this player is the default for games without a ladder.")
    else:
        print(f"\n{table(found)}")
    print(f"\nastragal play {game} --player {BEST if time == SECONDS else player}")


def facts_of(ladder: Ladder | None) -> Any:
    if ladder is None:
        return None
    return {"rungs": [vars(rung) for rung in ladder.rungs], "games": ladder.games, "command": ladder.command}


def table(ladder: Ladder) -> str:
    """The rungs, the strongest first, and how they were rated."""
    widest = max(len(rung.player) for rung in ladder.rungs)
    rows = [f"  {rung.elo:+6.0f} ±{rung.error:<4.0f} {rung.player:<{widest}}".rstrip() for rung in ladder.rungs[::-1]]
    told = f"Elo above the lowest, {ladder.games} games of each two: {ladder.command}"
    return "\n".join([*rows, told])
