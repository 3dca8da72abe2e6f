"""Astragal against OpenSpiel: its expectiminimax, which its Python package has in Python only, and random games.

    python benchmarks/openspiel.py [--seconds S]

Both look the same number of decisions ahead and evaluate the state before the roll, as OpenSpiel does. On EWN the two
trees are the same, node for node, so the ratio is also that of the times. In OpenSpiel's Pig a turn begins with a
decision, here with a compulsory roll, which makes our tree the larger one at the same depth: compare nodes. OpenSpiel
is spared an evaluation (its leaves are worth 0), and its random games are played by its C++ code.
"""

from __future__ import annotations

import argparse
import itertools
import sys
from dataclasses import dataclass
from typing import Any

from rich.console import Console
from rich.table import Table

from astragal.games import load_game
from measure import Found, Task, best_rate, games_task, readable, search_task, use_one_core

try:
    import pyspiel
except ImportError:
    pyspiel = None

EWN_DEPTH, PIG_DEPTH = 4, 6
GAMES = 20_000
ROUNDS = 4  # turns that each side takes
MISSING = "OpenSpiel is not installed (pip install open_spiel): nothing to compare with."


@dataclass
class Row:
    """A measure: tasks of both sides, and the best rates found so far."""

    label: str
    unit: str
    astragal: Task
    openspiel: Task
    ours: float = 0.0
    theirs: float = 0.0

    def run(self, seconds: float) -> None:
        self.ours = max(self.ours, best_rate(seconds, self.astragal))
        self.theirs = max(self.theirs, best_rate(seconds, self.openspiel))


def ewn_root() -> Any:
    """The position of the other benchmarks, seen from the other corner, where OpenSpiel's first player sits."""
    state = pyspiel.load_game("einstein_wurfelt_nicht").new_initial_state()
    for action in (0, 719, 2):  # cubes in order from the corner on both sides, and a 3
        state.apply_action(action)
    return state


def pig_root() -> Any:
    """Nobody has scored, and the turn total is 8."""
    state = pyspiel.load_game("pig").new_initial_state()
    for action in (0, 3, 0, 3):  # roll a 4, twice
        state.apply_action(action)
    return state


def count_nodes(state: Any, depth: int) -> int:
    """How many states expectiminimax visits."""
    if state.is_terminal() or depth == 0:
        return 1
    chance = state.is_chance_node()
    actions = [outcome for outcome, _ in state.chance_outcomes()] if chance else state.legal_actions()
    return 1 + sum(count_nodes(state.child(action), depth if chance else depth - 1) for action in actions)


def expectiminimax_task(root: Any, depth: int) -> Task:
    from open_spiel.python.algorithms.minimax import expectiminimax

    nodes, player = count_nodes(root, depth), root.current_player()

    def once() -> Found:
        value, _ = expectiminimax(root, depth, lambda state: 0.0, player)
        return Found(nodes, {"value": value})

    return once


def simulation_task(name: str) -> Task:
    game = pyspiel.load_game(name)
    bots = [pyspiel.make_uniform_random_bot(player, player) for player in range(2)]
    seeds = itertools.count()

    def once() -> Found:
        for _ in range(100):
            pyspiel.evaluate_bots(game.new_initial_state(), bots, next(seeds))
        return Found(100, {})

    return once


def rows() -> list[Row]:
    ewn, pig1 = load_game("ewn:setup=fixed"), load_game("pig:dice=1")
    ours = search_task(ewn, "123../45.../6...f/...ed/..cba 1 3", "exp", EWN_DEPTH, True)
    theirs = expectiminimax_task(ewn_root(), EWN_DEPTH)
    if ours().amount != theirs().amount:
        raise SystemExit(f"error: EWN trees differ, {ours().amount} nodes in Astragal, {theirs().amount} in OpenSpiel")
    pig_ours = search_task(pig1, "0 0 8 1 decide", "exp", PIG_DEPTH, True)
    pig_theirs = expectiminimax_task(pig_root(), PIG_DEPTH)
    return [
        Row(f"EWN, expectimax {EWN_DEPTH} deep", "nodes", ours, theirs),
        Row(f"Pig (one die), expectimax {PIG_DEPTH} deep", "nodes", pig_ours, pig_theirs),
        Row("EWN, random games", "games", games_task(ewn, GAMES, 1), simulation_task("einstein_wurfelt_nicht")),
        Row("Pig (one die), random games", "games", games_task(pig1, GAMES, 1), simulation_task("pig")),
    ]


def report(console: Console, seconds: float) -> list[dict[str, Any]]:
    """Measure, print a table, and return it for a program to read."""
    if pyspiel is None:
        console.print(MISSING)
        return []
    table = Table("games or nodes a second, one core")
    for heading in ("Astragal", "OpenSpiel", "ratio"):
        table.add_column(heading, justify="right")
    measured = rows()
    for row in measured:
        for _ in range(ROUNDS):
            row.run(seconds / ROUNDS)
        table.add_row(row.label, readable(row.ours), readable(row.theirs), f"{row.ours / row.theirs:.0f}")
    console.print(table)
    return [{"measure": r.label, "unit": r.unit, "astragal": r.ours, "openspiel": r.theirs} for r in measured]


def main() -> int:
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--seconds", type=float, default=2.0, help="for each measure and program (default 2)")
    use_one_core()
    report(Console(), parser.parse_args().seconds)
    return 0


if __name__ == "__main__":
    sys.exit(main())
