"""`astragal review`: a game looked at again, with what every move lost and what luck every roll brought."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Any

import typer

from astragal.cli.options import Json, print_json
from astragal.errors import SpecError


def review(
    file: Annotated[Path, typer.Argument(help="A game's file: play --save, replay --save and the page write them.")],
    player: Annotated[
        str | None,
        typer.Option("--player", help="Who reviews; a search that suits the game if not given.", show_default=False),
    ] = None,
    time: Annotated[float, typer.Option("--time", min=0.001, help="Seconds for each position.")] = 0.3,
    sims: Annotated[int | None, typer.Option("--sims", min=1, help="Simulations instead.", show_default=False)] = None,
    json: Json = False,
) -> None:
    """Say what every decision of a game lost against the best move, and what luck every roll brought."""
    from astragal.arena.game_file import read_game
    from astragal.arena.review import Decision, Review, Reviewer
    from astragal.players import load_player
    from astragal.players.analyst import analyst
    from astragal.search.limits import Limits

    kept = read_game(file)
    game = kept.rules()
    name = player or analyst(game)
    if name is None:
        raise SpecError(f"there is no player to review {kept.game} with; name one with --player")
    positions = kept.positions(game)
    limits = Limits(time=time) if sims is None else Limits(sims=sims)
    reviewer = Reviewer(load_player(name, game), limits)
    found = Review(game)
    for row in reviewer.rows(positions, kept.steps):
        found.rows.append(row)
        if not json:
            print(decision_line(row, found) if isinstance(row, Decision) else roll_line(row, found))
    if json:
        print_json(found.as_dict() | {"rows": [vars(row) for row in found.rows], "reviewer": str(reviewer.player)})
        return
    print_summary(found, str(reviewer.player))


def decision_line(row: Any, found: Any) -> str:
    """A decision; the best move where another was played."""
    lost = "best" if row.lost <= 0 else f"lost {worth(row.lost, found)}{error_text(row, found)}"
    better = "" if row.lost <= 0 else f", best was {row.best}"
    return f"{row.ply:>4}. player {row.player}: {row.played:<14} {lost}{better} ({row.kind})"


def error_text(row: Any, found: Any) -> str:
    return "" if row.error is None else f" ± {worth(row.error, found)}"


def roll_line(row: Any, found: Any) -> str:
    luck = "  ".join(f"player {seat} {worth(each, found, True)}" for seat, each in enumerate(row.luck, 1))
    return f"{row.ply:>4}. chance:   {row.outcome:<14} luck: {luck} ({row.kind})"


def worth(value: float, found: Any, signed: bool = False) -> str:
    """Utilities as people read them: points of the chance to win, where the game is won or lost."""
    from astragal.players.analyst import measure

    sign = "+" if signed else ""
    if measure(found.game) == "win":
        return f"{100 * value / found.span:{sign}.1f} %"
    return f"{value:{sign}.2f}"


def print_summary(found: Any, reviewer: str) -> None:
    print()
    for row in found.as_dict()["players"]:
        if row["decisions"]:
            luck = f", luck {worth(row['luck'], found, True)}" if found.game.max_outcomes else ""
            print(
                f"player {row['player']}: accuracy {row['accuracy']:.0%} of {row['decisions']} decisions, "
                f"lost {worth(row['lost'], found)} in all{luck}"
            )
    worst = found.worst
    if worst is not None:
        print(
            f"the biggest mistake: step {worst.ply}, player {worst.player}, {worst.played} instead of {worst.best}, "
            f"lost {worth(worst.lost, found)}{error_text(worst, found)}"
        )
    print(f"reviewed by {reviewer}")
