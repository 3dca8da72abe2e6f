"""`astragal search`: a player's move, and the reasons for it."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from json import dumps
from pathlib import Path
from typing import Annotated, Any

import typer

from astragal.algorithms.interval import Interval, loss_between
from astragal.algorithms.limits import NO_LIMITS, Limits
from astragal.algorithms.result import SearchResult, value_text
from astragal.base.cores import taking_spare_cores
from astragal.base.errors import AstragalError, SpecError
from astragal.base.interruptible import answered_when_interrupted
from astragal.base.terminal import overwrite, paint
from astragal.cli.boards import board
from astragal.cli.options import (
    MOST,
    Game,
    Json,
    PlayerText,
    PositionText,
    SearchFiles,
    Seed,
    check_writable,
    keeping_tree,
    position_from,
    print_json,
    with_records,
)
from astragal.games import load_game
from astragal.players import load_player
from astragal.players.player import Player
from astragal.rules.position import Position

PROVING_SECONDS = 2.0  # for --regret where nothing is solved and no time is given
Judge = Callable[[int | None], float | Interval]  # what an action loses

NO_FILES = SearchFiles()


@with_records
def search(
    game: Game,
    player: PlayerText = "star2",
    position: PositionText = None,
    limits: Limits = NO_LIMITS,
    seed: Seed = 0,
    regret: Annotated[
        bool,
        typer.Option(
            "--regret",
            help="Print what the move loses: exactly in a solved game (astragal solve), else two proven bounds.",
        ),
    ] = False,
    tree: Annotated[
        Path | None,
        typer.Option("--tree", help="Write the search tree to a file, as JSON.", show_default=False, dir_okay=False),
    ] = None,
    tree_nodes: Annotated[
        int, typer.Option("--tree-nodes", min=1, max=MOST, help="Nodes of the tree to write, the most visited first.")
    ] = 1000,
    many: SearchFiles = NO_FILES,
    json: Json = False,
) -> None:
    """Search a position: print the best move, its value, the value of every action and the best line.

    Without --position, the game's start is searched, with the set-up and the first roll drawn from the seed.
    """
    if many.positions is not None:
        others = {"--position": position, "--regret": regret, "--tree": tree, "--html": many.html}
        refuse_together("--positions", others)
        from astragal.cli.search_file import search_file

        search_file(game, player, many, seed, limits)
        return
    for name, value in {"--out": many.out, "--jobs": many.jobs}.items():
        if value is not None:
            raise SpecError(f"{name} needs --positions FILE")
    rules = load_game(game)
    root = position_from(rules, position, seed).known()
    chosen = load_player(player, rules)
    judge = judge_of(root, limits) if regret else None  # before the search, since it raises if there is none
    if tree is not None:
        chosen = keeping_tree(chosen, "write")
        check_writable(tree)
    if many.html is not None:
        write_walk(Path(many.html), chosen, root, chosen.limits if limits == NO_LIMITS else limits, seed)
    if not json:
        print(f"{board(root)}\nposition: {root.text}\n")
    with answered_when_interrupted(), taking_spare_cores():
        result = chosen.search(root, seed, limits, None if json else Printer())
    if tree is not None and result.tree is not None:
        tree.write_text(dumps(result.tree.as_dict(tree_nodes)) + "\n", encoding="utf-8")
    if json:
        print_json(result.as_dict() | ({} if judge is None else {"regret": judge(result.action_number)}))
    else:
        low, high = root.game.utility_range
        about = f"{whose_value(root)} (from {low:g} to {high:g})"
        print("", *result.told(about, partial(paint, colour="green")), sep="\n")
        if judge is not None:
            print_regret(judge, result)
    if result.interrupted:
        raise typer.Exit(130)


def refuse_together(option: str, others: dict[str, Any]) -> None:
    for name, value in others.items():
        if value:
            raise SpecError(f"{name} cannot be combined with {option}")


def write_walk(html: Path, player: Player, root: Position, limits: Limits, seed: int) -> None:
    """Write what the same search does at each step, as far as a walk goes."""
    from astragal.algorithms.walkthrough.page import walk_of, walk_page

    name, search, size = walk_of(player.player_name, limits)
    load_player(search.player.format(size), root.game)  # which refuses games that it cannot search
    check_writable(html)
    html.write_text(walk_page(name, root, size, seed), encoding="utf-8")


def judge_of(root: Position, limits: Limits) -> Judge:
    """What computes the loss of an action: exactly where the game is solved, else between two proven bounds."""
    from astragal.solvers.exact import exact_values

    try:
        return partial(exact_values(root).regret, root)
    except AstragalError as unsolved:
        try:
            prover = load_player("prove", root.game)
        except AstragalError:
            raise unsolved from None

    def proven(action: int | None) -> Interval:
        if action is None:
            raise AstragalError("there is no regret at a chance node")
        found = prover.search(root, limits=Limits(time=limits.time or PROVING_SECONDS))
        return loss_between({row.number: row.interval for row in found.actions if row.interval is not None}, action)

    return proven


def print_regret(judge: Judge, result: SearchResult) -> None:
    overwrite("finding the value of every action ...")  # which takes a minute or two from the start of Kalah
    try:
        loss = judge(result.action_number)
    finally:
        overwrite("")
    if isinstance(loss, Interval):
        print(f"regret      {loss.in_units(1.0)}, proven (the position is not solved)")
    else:
        print(f"regret      {loss:.9f} against the solved game")


class Printer:
    """Prints one line for each report of a running search."""

    def __init__(self) -> None:
        self.silent = True

    def __call__(self, found: SearchResult) -> None:
        if self.silent:
            print(f"{'depth':>5}  {'best':<12} {'value':>10} {'nodes':>15} {'seconds':>8}")
            self.silent = False
        action = found.action or "(chance)"
        print(f"{found.depth:>5}  {action:<12} {value_text(found.value, 3):>10}", end=" ")
        print(f"{found.nodes:>15,} {found.seconds:>8.2f}", flush=True)


def whose_value(root: Position) -> str:
    """Whose value a value is."""
    if root.game.players == 1:
        return "to be scored"
    return f"for player {root.turn + 1}, who is to move" if root.turn >= 0 else "for player 1; chance moves next"
