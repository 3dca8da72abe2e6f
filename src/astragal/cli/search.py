"""`astragal search`: ask a player for a move, and see why."""

from __future__ import annotations

from functools import partial
from json import dumps
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from astragal.cli.boards import board
from astragal.cli.options import (
    MOST,
    Depth,
    Game,
    Json,
    Nodes,
    PlayerText,
    PositionText,
    Seed,
    Sims,
    Time,
    check_writable,
    keeping_tree,
    limits_from,
    position_from,
    print_json,
)
from astragal.game.interruptible import answered_when_interrupted
from astragal.game.position import Position
from astragal.games import load_game
from astragal.players import load_player
from astragal.search.result import SearchResult, value_text
from astragal.terminal import overwrite, paint

if TYPE_CHECKING:
    from astragal.solve.exact import Exact


def search(
    game: Game,
    player: PlayerText = "star2",
    position: PositionText = None,
    time: Time = None,
    nodes: Nodes = None,
    depth: Depth = None,
    sims: Sims = None,
    seed: Seed = 0,
    regret: Annotated[
        bool, typer.Option("--regret", help="Compare the move with the solved game (see astragal solve).")
    ] = False,
    tree: Annotated[
        Path | None,
        typer.Option("--tree", help="Write the search tree to a file, as JSON.", show_default=False, dir_okay=False),
    ] = None,
    tree_nodes: Annotated[
        int, typer.Option("--tree-nodes", min=1, max=MOST, help="Nodes of the tree to write, the most visited first.")
    ] = 1000,
    json: Json = False,
) -> None:
    """Ask a player for a move, and print its value, the value of every action and the best line.

    Without --position, the game's start is searched, with the set-up and the first roll drawn from the seed.
    """
    rules = load_game(game)
    root = position_from(rules, position, seed).known()
    chosen = load_player(player, rules)
    limits = limits_from(time, nodes, depth, sims)
    exact = None
    if regret:
        from astragal.solve.exact import exact_values

        exact = exact_values(root)  # before the search, since it says if there are none
    if tree is not None:
        chosen = keeping_tree(chosen, "write")
        check_writable(tree)
    if not json:
        print(f"{board(root)}\nposition: {root.text}\n")
    with answered_when_interrupted():
        result = chosen.search(root, seed, limits, None if json else Printer())
    if tree is not None and result.tree is not None:
        tree.write_text(dumps(result.tree.as_dict(tree_nodes)) + "\n", encoding="utf-8")
    if json:
        print_json(result.as_dict() | ({} if exact is None else {"regret": exact.regret(root, result.action_number)}))
    else:
        low, high = root.game.utility_range
        about = f"{whose_value(root)} (from {low:g} to {high:g})"
        print("", *result.told(about, partial(paint, colour="green")), sep="\n")
        if exact is not None:
            print_regret(exact, root, result)
    if result.interrupted:
        raise typer.Exit(130)


def print_regret(exact: Exact, root: Position, result: SearchResult) -> None:
    overwrite("finding the exact value of every action ...")  # which takes a minute or two from the start of Kalah
    try:
        loss = exact.regret(root, result.action_number)
    finally:
        overwrite("")
    print(f"regret      {loss:.9f} against the solved game")


class Printer:
    """Prints one line for what a running search tells, as it comes."""

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
    """What a value is the value of."""
    if root.game.players == 1:
        return "to be scored"
    return f"for player {root.turn + 1}, who is to move" if root.turn >= 0 else "for player 1; chance moves next"
