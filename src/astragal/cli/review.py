"""`astragal review`: a game analysed, with what every move lost and how lucky every roll was."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Any

import typer

from astragal.base.cores import taking_spare_cores
from astragal.cli.options import Json, OwnGame, check_writable, print_json


def review(
    file: Annotated[
        Path, typer.Argument(help="A game's file, as play --save, results replay --save or the page writes it.")
    ],
    player: Annotated[
        str | None,
        typer.Option(
            "--player", help="The player that reviews; by default a search that fits the game.", show_default=False
        ),
    ] = None,
    time: Annotated[
        float | None,
        typer.Option(
            "--time", min=0.001, help="Seconds for each step; about 8 for the game if not given.", show_default=False
        ),
    ] = None,
    sims: Annotated[
        int | None,
        typer.Option("--sims", min=1, help="Simulations for each step, instead of seconds.", show_default=False),
    ] = None,
    html: Annotated[
        Path | None,
        typer.Option("--html", help="Write one file with the game and its review.", show_default=False, dir_okay=False),
    ] = None,
    game: OwnGame = None,
    json: Json = False,
) -> None:
    """Report what each decision of a game lost against the best move, and how lucky each roll was."""
    from astragal.algorithms.limits import Limits
    from astragal.arena.review import Review, Reviewer, seconds_for
    from astragal.arena.review_words import row_text
    from astragal.arena.store.game_file import read_game
    from astragal.players import load_player

    kept = read_game(file)
    if html is not None:
        check_writable(html)
    rules = kept.rules()
    positions = kept.positions(rules)
    limits = Limits(time=time or seconds_for(len(kept.steps))) if sims is None else Limits(sims=sims)
    if player is None:
        reviewer = Reviewer.usual(rules, limits)
    else:
        reviewer = Reviewer(load_player(player, rules), limits)
    found = Review(rules)
    with taking_spare_cores():
        for row in reviewer.rows(positions, kept.steps):
            found.rows.append(row)
            if not json:
                print(row_text(row, found))
    if html is not None:
        from astragal.arena.review_page import review_page

        html.write_text(review_page(found, kept, positions, reviewer), encoding="utf-8")
    if json:
        print_json(
            found.as_dict() | {"rows": [vars(row) for row in found.rows], "reviewer": reviewer.player.text_for(rules)}
        )
        return
    print_summary(found, reviewer.player.text_for(rules))


def print_summary(found: Any, reviewer: str) -> None:
    from astragal.arena.review_words import ACCURACY, mistake_text, totals

    print("", *totals(found), sep="\n")
    print("mistakes, the biggest first:" if found.mistakes else "no mistake was found")
    for row in found.mistakes:
        print(f"  {': '.join(mistake_text(row, found))}")
    print(ACCURACY)
    print(f"reviewed by {reviewer}; ± is a 95% interval")
