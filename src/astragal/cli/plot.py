"""`astragal results plot`: pictures of a results file."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from astragal.base.errors import AstragalError, SpecError
from astragal.cli.options import DEFAULT_FILE, File, OneGame

if TYPE_CHECKING:
    from astragal.arena.statistics.ratings import Points

Out = Annotated[
    Path, typer.Option("--out", metavar="FILE", help="The picture, .svg, .png or .pdf.", show_default=False)
]
Title = Annotated[str | None, typer.Option("--title", help="A title instead of the default.", show_default=False)]

plot = typer.Typer(
    help="Draw results: curves, crosstables, ratings and tuning runs.",
    epilog="Example: astragal results plot curve --player uct --opponent mm --over sims --out curve.svg",
    no_args_is_help=True,
    rich_markup_mode=None,
)


@plot.command(epilog="Example: astragal results plot curve --player uct --opponent mm --over sims --out curve.svg")
def curve(
    out: Out,
    db: File = DEFAULT_FILE,
    game: OneGame = None,
    player: Annotated[
        str | None, typer.Option("--player", help="Whose score; by default the first player's.", show_default=False)
    ] = None,
    opponent: Annotated[
        str | None, typer.Option("--opponent", help="Only against this opponent.", show_default=False)
    ] = None,
    over: Annotated[
        str | None,
        typer.Option("--over", metavar="SETTING", help="The setting or limit to draw against.", show_default=False),
    ] = None,
    score: Annotated[str, typer.Option("--score", help="mean, or duplicate: the share of boards taken.")] = "mean",
    log: Annotated[
        bool | None,
        typer.Option("--log/--linear", help="The setting's axis; by default chosen by its range."),
    ] = None,
    title: Title = None,
) -> None:
    """Draw a player's score against a setting in which contests differ, with 95% intervals.

    Contests that differ in nothing else form a line. Those that differ in their seeds alone are one point.
    """
    from astragal.arena.curves import curves
    from astragal.arena.plots import check_plot, lie_by_factors, plot_curves
    from astragal.arena.store.overview import contests_of, standing
    from astragal.arena.store.results_store import ResultsStore

    check_plot(out)
    with ResultsStore(db, must_exist=True) as store:
        chosen = contests_of(store, game)
        found = curves([standing(store, each) for each in chosen], over, player, opponent, score)
    places = [point[0] for points in found.series.values() for point in points]
    games = list(dict.fromkeys(each.contest.game for each in chosen))
    lone = next(iter(found.series)) if len(found.series) == 1 else None
    made = ": ".join(part for part in (games[0] if len(games) == 1 else None, lone) if part)
    plot_curves(
        found.series,
        out,
        found.setting,
        "share of boards taken" if score == "duplicate" else "score, with 95% interval",
        made if title is None else title,
        lie_by_factors(places) if log is None else log,
        reference=0.5,
        percent=True,
    )
    said(out)


@plot.command(epilog="Example: astragal results plot crosstable --game ewn --out table.svg")
def crosstable(out: Out, db: File = DEFAULT_FILE, game: OneGame = None, title: Title = None) -> None:
    """Draw who scored what against whom, in the order of their ratings."""
    from astragal.arena.plots import check_plot, plot_crosstable

    check_plot(out)
    name, points = points_of_one_game(db, game)
    plot_crosstable(points, out, name if title is None else title)
    said(out)


@plot.command(epilog="Example: astragal results plot ratings --game ewn --out ratings.svg")
def ratings(out: Out, db: File = DEFAULT_FILE, game: OneGame = None, title: Title = None) -> None:
    """Draw the Bradley-Terry ratings of all players of a game, with 95% intervals."""
    from astragal.arena.plots import check_plot, plot_ratings
    from astragal.arena.statistics.ratings import rated

    check_plot(out)
    name, points = points_of_one_game(db, game)
    plot_ratings(rated(points), out, name if title is None else title)
    said(out)


@plot.command(epilog="Example: astragal results plot tuning --game ewn --player star2ss --out tuning.svg")
def tuning(
    out: Out,
    db: File = DEFAULT_FILE,
    game: OneGame = None,
    player: Annotated[
        str | None, typer.Option("--player", help="Only settings of this player.", show_default=False)
    ] = None,
    title: Title = None,
) -> None:
    """Draw what a tuning run tried: scores in the order met, and against each setting.

    All contests between two settings of one player count as the run.
    """
    from astragal.arena.meeting import occasion_of
    from astragal.arena.plots import check_plot, plot_tuning
    from astragal.arena.store.overview import contests_of, standing
    from astragal.arena.store.results_store import ResultsStore
    from astragal.arena.tuning import tuning_trace

    check_plot(out)
    with ResultsStore(db, must_exist=True) as store:
        contests = []
        for each in contests_of(store, game, player):
            sessions = store.sessions(each.id)
            contests.append((standing(store, each), occasion_of(sessions[0]["command"]) if sessions else ""))
    trace = tuning_trace(contests)
    plot_tuning(trace, out, f"{trace.player} in {trace.game}" if title is None else title)
    said(out)


def points_of_one_game(db: Path, game: str | None) -> tuple[str, Points]:
    """What players of one game scored against each other."""
    from astragal.arena.store.overview import contests_of, crosstables
    from astragal.arena.store.results_store import ResultsStore

    with ResultsStore(db, must_exist=True) as store:
        chosen = contests_of(store, game)
        tables = crosstables(store, chosen)
    if len(tables) > 1:
        raise SpecError(f"there are contests of {' and '.join(tables)}; choose one with --game")
    ((name, points),) = tables.items()
    if all(first == second for first, second in points):
        raise AstragalError("no two different players have met")
    label = {player: each.contest.label(player) for each in chosen for player in each.contest.kinds}
    return name, {(label[first], label[second]): scores for (first, second), scores in points.items()}


def said(out: Path) -> None:
    print(f"drawn to {out}")
