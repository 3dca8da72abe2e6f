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
    """Where a command is, and its line in the list of all commands, which imports no command."""

    place: str  # its module here and its function, or its group of commands
    summary: str  # the first line of its docstring, or its group's help
    example: str = ""  # a group has its own


COMMANDS = {
    "games": Command(
        "listing:games",
        "List the games and their parameters, or the rules of one.",
        "astragal games",
    ),
    "players": Command(
        "listing:players",
        "List the players and their settings.",
        "astragal players star2ss",
    ),
    "best": Command(
        "listing:best",
        "Name the strongest known player of a game, and those it was rated against.",
        "astragal best ewn --time 2",
    ),
    "search": Command(
        "search:search",
        "Search a position: print the best move, its value, the value of every action and the best line.",
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
    "new": Command(
        "new:new",
        "Write a small game with comments that passes astragal check, to change into yours.",
        "astragal new my_game.py",
    ),
    "check": Command(
        "check:check",
        "Check that a game, built-in or your own, is correct and keeps what it declares.",
        "astragal check examples/my_game.py:MyGame",
    ),
    "solve": Command(
        "solve:solve",
        "Compute exact values and store them: the player `optimal` and `astragal search --regret` use them.",
        "astragal solve pig",
    ),
    "learn": Command(
        "learn:learn",
        "Learn an evaluation of a game by self-play, for any player that searches.",
        "astragal learn ewn --out my-ewn.npz",
    ),
    "match": Command(
        "match:match",
        "Play pairs of seat-swapped games that share dice and starting position, and report who is stronger.",
        "astragal match ewn star2 uct --games 200 --time 0.1",
    ),
    "tournament": Command(
        "tournament:tournament",
        "Let players meet in pairs, and rate them.",
        "astragal tournament ewn star1 star2 uct --games 200 --time 0.1 --plot ratings.svg",
    ),
    "tune": Command(
        "tune:tune",
        "Tune a player's settings by games against itself, and compare the best with the original ones.",
        "astragal tune ewn star2ss --param width=1..40 --nodes 2000 --sprt -10:10",
    ),
    "review": Command(
        "review:review",
        "Report what each decision of a game lost against the best move, and how lucky each roll was.",
        "astragal review game.json --time 0.5",
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
    "config": Command(
        "config:config",
        "Show versions, folders, optional packages and environment variables.",
        "astragal config",
    ),
    "lab": Command(
        "lab:lab",
        "Run the experiments of published works again, and report both results.",
    ),
    "results list": Command(
        "results:list_contests",
        "List the contests of a results file, or who scored what against whom.",
        "astragal results list --db results.db --game ewn",
    ),
    "results show": Command(
        "results:show",
        "Show a contest in full, with the commands that played it.",
        "astragal results show 1 --db results.db --luck evaluation",
    ),
    "results replay": Command(
        "results:replay",
        "Show a kept game move by move, checked against the rules and the pair's dice.",
        "astragal results replay 1 3 2 --db results.db",
    ),
    "results verify": Command(
        "results:verify",
        "Check that kept games follow the rules and their pairs' dice.",
        "astragal results verify --db results.db",
    ),
    "results merge": Command(
        "results:merge",
        "Merge the parts of a contest that were played with --shard, and report which games are missing.",
        "astragal results merge part*.db --db all.db",
    ),
    "results export": Command(
        "results:export",
        "Write contests, or the games of one, to .csv, .json, .parquet, .md or .tex.",
        "astragal results export table.tex --db results.db",
    ),
    "results plot": Command(
        "plot:plot",
        "Draw results: curves, crosstables, ratings and tuning runs.",
    ),
    "ggp play": Command(
        "ggp:ggp",
        "Play any game that a game manager sends: a player for the GGP protocol "
        "(INFO, START, PREVIEW, PLAY, STOP, ABORT).",
        "astragal ggp play --port 9147 --player uct",
    ),
    "ggp match": Command(
        "ggp:ggp_match",
        "Manage a match between players that speak the GGP protocol, and write its record.",
        "astragal ggp match tic_tac_toe.kif http://localhost:9147 random --play-clock 5",
    ),
    "cache show": Command(
        "cache:show",
        "Show what is stored on disk: compiled kernels and solved games.",
        "astragal cache show",
    ),
    "cache build": Command(
        "compile:compile_ahead",
        "Compile the kernels of games and players ahead of use.",
        "astragal cache build pig ewn star1 star2",
    ),
    "cache trim": Command(
        "cache:trim",
        "Remove compiled kernels that are beyond the limits.",
        "astragal cache trim",
    ),
    "cache clear": Command(
        "cache:clear",
        "Remove all compiled kernels.",
        "astragal cache clear --solutions",
    ),
    "dev perft": Command(
        "dev:perft",
        "Count the sequences of exactly N plies from the start or a position.",
        "astragal dev perft ewn:setup=fixed --depth 6",
    ),
    "dev bench": Command(
        "dev:bench",
        "Measure nodes or simulations a second of every search, random games a second, and how late moves come.",
        "astragal dev bench ewn",
    ),
    "dev probcut": Command(
        "dev:probcut",
        "Measure how well a search two units less deep predicts the value of a chance node.",
        "astragal dev probcut ewn",
    ),
}
"""All commands; those of a group have its name before theirs."""

GROUPS = {
    "results": Command(
        "list", "List, check, draw and export the contests of a results file.", "astragal results list --game ewn"
    ),
    "ggp": Command(
        "play", "Play by the protocol of general game playing, or manage a match.", "astragal ggp play --port 9147"
    ),
    "cache": Command(
        "show", "Show, build or clear what is stored on disk: compiled kernels and solved games.", "astragal cache show"
    ),
    "dev": Command("", "Measure and check the program itself: perft, speed, ChanceProbCut.", "astragal dev bench ewn"),
}
"""Groups, and the command that a group's name alone means."""

OLD_WORDS = {"perft", "bench", "probcut", "compile", "replay", "plot", "ggp-match", *GROUPS}
"""Commands that had another word, or another form, before 0.1.0."""


def load(command: str) -> Any:
    """A command as the parser needs it, from its module; or a group, whose commands are loaded when they are run."""
    from astragal.base.docstrings import docstring

    alone = typer.Typer(rich_markup_mode=None)
    name = command.rpartition(" ")[2]
    if command in GROUPS:
        about = GROUPS[command]
        found = listed(command, help=about.summary, epilog=f"Example: {about.example}", no_args_is_help=True)
    else:
        place, _, example = COMMANDS[command]
        module, function = place.split(":")
        found = getattr(importlib.import_module(f"astragal.cli.{module}"), function)
    for each in [one.callback for one in found.registered_commands] if isinstance(found, typer.Typer) else [found]:
        each.__doc__ = docstring(each)  # which the parser prints as help
    if isinstance(found, typer.Typer):
        alone.add_typer(found, name=name)
    else:
        alone.command(name, epilog=f"Example: {example}")(found)
    return get_group(alone).commands[name]


class LateGroup(TyperGroup):
    """Commands of which only the summaries are loaded until one of them is run."""

    def resolve_command(self, ctx: Any, args: list[str]) -> tuple[str | None, Any, list[str]]:
        if self.name not in GROUPS and args[0] in OLD_WORDS:
            from astragal.cli.old_words import translated

            args = translated(args, silent=ctx.resilient_parsing)
        name, summary_only, rest = super().resolve_command(ctx, args)
        path = f"{self.name} {name}" if self.name in GROUPS else name
        return name, load(path) if path and name else summary_only, rest


def listed(group: str = "", **about: Any) -> typer.Typer:
    """The commands of a group, or those of none with the groups, by their summaries."""
    found = typer.Typer(cls=LateGroup, name=group or "astragal", rich_markup_mode=None, **about)
    commands = COMMANDS if group else COMMANDS | GROUPS
    for path in commands:
        before, _, name = path.rpartition(" ")
        if before == group:
            found.command(name, help=commands[path].summary)(not_loaded)
    return found


def not_loaded() -> None:
    """The entry of a command in the list of all."""


app = listed(
    help="Search games with dice, chance and more than two players.",
    epilog="Example: astragal search ewn --player star2 --time 2",
    no_args_is_help=True,
)

teach_bash()


def show_version(wanted: bool) -> None:
    if wanted:
        print(f"astragal {__version__}")
        raise typer.Exit


def check_indices(wanted: bool) -> None:
    if wanted:
        from astragal.compiler.switches import be_safe

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
            help="Check indices and loops in the package's games, too (ASTRAGAL_SAFE=1).",
        ),
    ] = False,
) -> None:
    """Search games with dice, chance and more than two players."""
