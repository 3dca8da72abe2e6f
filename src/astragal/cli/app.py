"""The `astragal` command and its subcommands."""

from __future__ import annotations

from collections.abc import Callable
from typing import Annotated

import typer

from astragal import __version__
from astragal.cli.bench import bench
from astragal.cli.check import check
from astragal.cli.compile import compile_ahead
from astragal.cli.ggp import ggp, ggp_match
from astragal.cli.lab import lab
from astragal.cli.listing import games, players
from astragal.cli.match import match
from astragal.cli.perft import perft
from astragal.cli.picture import picture
from astragal.cli.play import play
from astragal.cli.plot import plot
from astragal.cli.probcut import probcut
from astragal.cli.results import replay, results
from astragal.cli.search import search
from astragal.cli.solve import solve
from astragal.cli.tournament import tournament
from astragal.cli.tree import tree
from astragal.cli.tune import tune
from astragal.cli.web import web

app = typer.Typer(
    name="astragal",
    help="Search games with dice, chance and more than two players.",
    epilog="Example: astragal search ewn --player star2 --time 2",
    no_args_is_help=True,
    add_completion=False,
    rich_markup_mode=None,
)


def show_version(wanted: bool) -> None:
    if wanted:
        print(f"astragal {__version__}")
        raise typer.Exit


@app.callback()
def root(
    version: Annotated[
        bool, typer.Option("--version", callback=show_version, is_eager=True, help="Show the version.")
    ] = False,
) -> None:
    """Search games with dice, chance and more than two players."""


EXAMPLES: dict[Callable[..., None], str] = {
    games: "astragal games",
    players: "astragal players star2ss",
    search: "astragal search pig --player star2ss --position '34 51 12 1 decide' --time 1",
    tree: "astragal tree kalah --player uct_h:sims=3000 --layout radial --out tree.svg",
    picture: "astragal picture ewn --position '123../45.../6...f/...ed/..cba 1 3' --out board.svg",
    play: "astragal play ewn --player star2:time=1 --seat 2",
    perft: "astragal perft ewn:setup=fixed --depth 6",
    check: "astragal check examples/my_game.py:MyGame",
    solve: "astragal solve pig",
    match: "astragal match ewn star2 uct --games 200 --time 0.1",
    tournament: "astragal tournament ewn star1 star2 uct --games 200 --time 0.1 --plot ratings.svg",
    tune: "astragal tune ewn star2ss --param width=1..40 --nodes 2000 --sprt -10:10",
    results: "astragal results --db results.db --export table.tex",
    replay: "astragal replay 1 3 2 --db results.db",
    bench: "astragal bench ewn",
    probcut: "astragal probcut ewn",
    ggp: "astragal ggp --port 9147 --player uct",
    ggp_match: "astragal ggp-match tic_tac_toe.kif http://localhost:9147 random --play-clock 5",
    web: "astragal web --db results.db",
}
for command, example in EXAMPLES.items():
    app.command(epilog=f"Example: {example}")(command)
app.add_typer(lab, name="lab")
app.add_typer(plot, name="plot")
app.command("compile", epilog="Example: astragal compile pig ewn star1 star2")(compile_ahead)
