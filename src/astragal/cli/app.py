"""The `astragal` command and its subcommands. A command's module is imported when the command is run."""

from __future__ import annotations

import importlib
from typing import Annotated, Any, NamedTuple

import typer
from typer.core import TyperGroup
from typer.main import get_group

from astragal import __version__
from astragal.cli.completion import teach_bash


class Command(NamedTuple):
    """Where a command is, and what the list of all commands says of it without importing it."""

    place: str  # its module here and its function, or its group of commands
    summary: str  # the first line of its docstring, or its group's help
    example: str = ""  # a group has its own


COMMANDS = {
    "games": Command(
        "listing:games",
        "List the games and their parameters, or tell the rules of one.",
        "astragal games",
    ),
    "players": Command(
        "listing:players",
        "List the players and their settings.",
        "astragal players star2ss",
    ),
    "best": Command(
        "best:best",
        "Name the strongest player that we know of a game, and those it was rated against.",
        "astragal best ewn --time 2",
    ),
    "search": Command(
        "search:search",
        "Ask a player for a move, and print its value, the value of every action and the best line.",
        "astragal search pig --player star2ss --position '34 51 12 1 decide' --time 1",
    ),
    "tree": Command(
        "tree:tree",
        "Draw the tree that a player searches: colours for players, squares for chance, size by visits, "
        "values on hover.",
        "astragal tree kalah --player uct_h:sims=3000 --layout radial --out tree.svg",
    ),
    "picture": Command(
        "picture:picture",
        "Draw a position as the web page shows it, in one SVG file.",
        "astragal picture ewn --position '123../45.../6...f/...ed/..cba 1 3' --out board.svg",
    ),
    "play": Command(
        "play:play",
        "Play against a player in the terminal, with undo, hints and the position's notation.",
        "astragal play ewn --player star2:time=1 --seat 2",
    ),
    "perft": Command(
        "perft:perft",
        "Count the sequences of exactly N plies from the start or a position.",
        "astragal perft ewn:setup=fixed --depth 6",
    ),
    "new": Command(
        "new:new",
        "Write a game of your own to begin with: a small one with comments that passes astragal check.",
        "astragal new my_game.py",
    ),
    "check": Command(
        "check:check",
        "Check that a game, built-in or your own, keeps the promises that searches rely on.",
        "astragal check examples/my_game.py:MyGame",
    ),
    "solve": Command(
        "solve:solve",
        "Find exact values and keep them for later: the player `optimal` and `astragal search --regret` use them.",
        "astragal solve pig",
    ),
    "learn": Command(
        "learn:learn",
        "Learn an evaluation of a game by letting it play against itself; any player that searches can use it.",
        "astragal learn ewn --out my-ewn.npz",
    ),
    "match": Command(
        "match:match",
        "Play pairs of seat-swapped games that share dice and starting position, and say who is stronger.",
        "astragal match ewn star2 uct --games 200 --time 0.1",
    ),
    "tournament": Command(
        "tournament:tournament",
        "Let players meet in pairs, and rate them.",
        "astragal tournament ewn star1 star2 uct --games 200 --time 0.1 --plot ratings.svg",
    ),
    "tune": Command(
        "tune:tune",
        "Tune a player's settings by games against itself, and compare the best with those it had.",
        "astragal tune ewn star2ss --param width=1..40 --nodes 2000 --sprt -10:10",
    ),
    "results": Command(
        "results:results",
        "List the contests of a results file, show one, or write tables of them.",
        "astragal results --db results.db --export table.tex",
    ),
    "replay": Command(
        "results:replay",
        "Show a kept game move by move, checked against the rules and the pair's dice.",
        "astragal replay 1 3 2 --db results.db",
    ),
    "review": Command(
        "review:review",
        "Say what every decision of a game lost against the best move, and what luck every roll brought.",
        "astragal review game.json --time 0.5",
    ),
    "bench": Command(
        "bench:bench",
        "Measure nodes or simulations a second of every search, random games a second, and how late moves come.",
        "astragal bench ewn",
    ),
    "probcut": Command(
        "probcut:probcut",
        "Measure how well a search two units less deep predicts the value of a chance node.",
        "astragal probcut ewn",
    ),
    "ggp": Command(
        "ggp:ggp",
        "Play any game that a game manager sends: a player for the GGP protocol "
        "(INFO, START, PREVIEW, PLAY, STOP, ABORT).",
        "astragal ggp --port 9147 --player uct",
    ),
    "ggp-match": Command(
        "ggp:ggp_match",
        "Manage a match between players that speak the GGP protocol, and write its record.",
        "astragal ggp-match tic_tac_toe.kif http://localhost:9147 random --play-clock 5",
    ),
    "engine": Command(
        "engine:engine",
        "Answer other programs on standard input and output, line by line, as UCI and GTP engines do.",
        "astragal engine --player star2ss",
    ),
    "web": Command(
        "web:web",
        "Serve the web page on this machine: play, look inside searches, see their trees, read results.",
        "astragal web --db results.db",
    ),
    "compile": Command(
        "compile:compile_ahead",
        "Compile the kernels of games and players ahead of use.",
        "astragal compile pig ewn star1 star2",
    ),
    "cache": Command(
        "cache:cache",
        "Show what is kept on disk: compiled kernels and solved games; or remove it.",
        "astragal cache --trim",
    ),
    "config": Command(
        "config:config",
        "Show versions, folders, optional packages, and the variables of the environment that are heard.",
        "astragal config",
    ),
    "lab": Command(
        "lab:lab",
        "Run the experiments of published works again, and set our numbers beside theirs.",
    ),
    "plot": Command(
        "plot:plot",
        "Draw results: curves, crosstables, ratings and tuning runs.",
    ),
}


def load(command: str) -> Any:
    """A command as the parser wants it, from its module."""
    place, _, example = COMMANDS[command]
    module, name = place.split(":")
    found = getattr(importlib.import_module(f"astragal.cli.{module}"), name)
    alone = typer.Typer(rich_markup_mode=None)
    if isinstance(found, typer.Typer):
        alone.add_typer(found, name=command)
    else:
        alone.command(command, epilog=f"Example: {example}")(found)
    return get_group(alone).commands[command]


class LateGroup(TyperGroup):
    """Commands that are known by their summaries until one of them is run."""

    def resolve_command(self, ctx: Any, args: list[str]) -> tuple[str | None, Any, list[str]]:
        name, summary_only, rest = super().resolve_command(ctx, args)
        return name, load(name) if name else summary_only, rest


app = typer.Typer(
    cls=LateGroup,
    name="astragal",
    help="Search games with dice, chance and more than two players.",
    epilog="Example: astragal search ewn --player star2 --time 2",
    no_args_is_help=True,
    rich_markup_mode=None,
)

teach_bash()


def show_version(wanted: bool) -> None:
    if wanted:
        print(f"astragal {__version__}")
        raise typer.Exit


def check_indices(wanted: bool) -> None:
    if wanted:
        from astragal.game.safe import be_safe

        be_safe()


@app.callback()
def root(
    version: Annotated[
        bool, typer.Option("--version", callback=show_version, is_eager=True, help="Show the version.")
    ] = False,
    safe: Annotated[
        bool,
        typer.Option(
            "--safe",
            callback=check_indices,
            help="Check every index in the game's methods: slower, but an error has a sentence (ASTRAGAL_SAFE=1).",
        ),
    ] = False,
) -> None:
    """Search games with dice, chance and more than two players."""


def not_loaded() -> None:
    """What stands for a command in the list of all."""


for command, about in COMMANDS.items():
    app.command(command, help=about.summary)(not_loaded)
