"""Astragal against OpenSpiel: its tree search and random games in C++, its expectiminimax in Python.

    python benchmarks/openspiel.py [--seconds S] [--only TEXT]

Both look the same number of decisions ahead and evaluate the state before the roll, as OpenSpiel does. On EWN the two
trees are the same, node for node, so the ratio is also that of the times. In OpenSpiel's Pig a turn begins with a
decision, here with a compulsory roll, which makes our tree the larger one at the same depth: compare nodes. OpenSpiel
is spared an evaluation (its leaves are worth 0), and its random games are played by its C++ code.

Tree search is UCT with one random game to the end for each simulation, by OpenSpiel's own C++ MCTSBot without its
solver, from the same positions: the start, but in EWN the first player's first roll. Random games of Chinese Checkers
do not end by themselves: both are cut after a thousand turns.
"""

from __future__ import annotations

import argparse
import itertools
import sys
import time
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from rich.console import Console
from rich.table import Table

from astragal.base.locks import measuring
from astragal.games import load_game
from measure import Found, Task, best_rate, games_task, readable, search_task, uct_task, use_one_core

try:
    import pyspiel
except ImportError:
    pyspiel = None

EWN_DEPTH, PIG_DEPTH = 4, 6
GAMES = 20_000
SIMULATIONS, FEW = 20_000, 300  # few where a simulation is a thousand turns
MEMORY = 1000  # megabytes that OpenSpiel's tree may take
ROUNDS = 4  # turns that each side takes
EWN_ROOT = "123../45.../6...f/...ed/..cba 1 3"
MISSING = "OpenSpiel is not installed (pip install open_spiel): nothing to compare with."


@dataclass
class Row:
    """A measure: what makes the tasks of both sides, the ratio wanted, and the best rates found so far."""

    label: str
    unit: str
    make: Callable[[], tuple[Task, Task]]
    goal: float | None = None
    ours: float = 0.0
    theirs: float = 0.0

    @property
    def ratio(self) -> float:
        return self.ours / self.theirs

    def run(self, seconds: float) -> None:
        """Let both sides take turns."""
        astragal, openspiel = self.make()
        astragal()  # compiles or loads the kernels
        for _ in range(ROUNDS):
            self.ours = max(self.ours, best_rate(seconds / ROUNDS, astragal))
            self.theirs = max(self.theirs, best_rate(seconds / ROUNDS, openspiel))


def ewn_root() -> Any:
    """The position of the other benchmarks, seen from the other corner, where OpenSpiel's first player sits."""
    state = pyspiel.load_game("einstein_wurfelt_nicht").new_initial_state()
    for action in (0, 719, 2):  # cubes in order from the corner on both sides, and a 3
        state.apply_action(action)
    return state


def pig_root() -> Any:
    """Both scores are 0, and the turn total is 8."""
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


def mcts_task(root: Any, simulations: int = SIMULATIONS) -> Task:
    """OpenSpiel's tree search of a state; C as large as ours, in its utilities from -1 to 1."""
    seeds = itertools.count(1)
    game = root.get_game()

    def once() -> Found:
        seed = next(seeds)
        evaluator = pyspiel.RandomRolloutEvaluator(1, seed)
        bot = pyspiel.MCTSBot(game, evaluator, 1.4, simulations, MEMORY, False, seed, False)
        begin = time.perf_counter()
        bot.mcts_search(root)
        return Found(simulations, {}, time.perf_counter() - begin)

    return once


def uct_row(label: str, spec: str, text: str, root: Callable[[], Any], goal: float) -> Row:
    def make() -> tuple[Task, Task]:
        return uct_task(load_game(spec), SIMULATIONS, text), mcts_task(root())

    return Row(f"{label}, UCT", "simulations", make, goal)


def chinese_checkers() -> tuple[Task, Task]:
    """Uniformly random games of a thousand turns on both sides; an action of OpenSpiel's is one hop."""
    ours = uct_task(load_game("chinese_checkers:star=full,cap=1000"), FEW, settings="policy=uniform")
    return ours, mcts_task(start("chinese_checkers"), FEW)


def start(name: str) -> Any:
    return pyspiel.load_game(name).new_initial_state()


def ewn_expectimax() -> tuple[Task, Task]:
    ours = search_task(load_game("ewn:setup=fixed"), EWN_ROOT, "exp", EWN_DEPTH, True)
    theirs = expectiminimax_task(ewn_root(), EWN_DEPTH)
    if ours().amount != theirs().amount:
        raise SystemExit(f"error: EWN trees differ, {ours().amount} nodes in Astragal, {theirs().amount} in OpenSpiel")
    return ours, theirs


def pig_expectimax() -> tuple[Task, Task]:
    ours = search_task(load_game("pig:dice=1"), "0 0 8 1 decide", "exp", PIG_DEPTH, True)
    return ours, expectiminimax_task(pig_root(), PIG_DEPTH)


def random_games(spec: str, name: str) -> Callable[[], tuple[Task, Task]]:
    return lambda: (games_task(load_game(spec), GAMES, 1), simulation_task(name))


def rows() -> list[Row]:
    return [
        Row(f"EWN, expectimax {EWN_DEPTH} deep", "nodes", ewn_expectimax),
        Row(f"Pig (one die), expectimax {PIG_DEPTH} deep", "nodes", pig_expectimax),
        Row("EWN, random games", "games", random_games("ewn:setup=fixed", "einstein_wurfelt_nicht")),
        Row("Pig (one die), random games", "games", random_games("pig:dice=1", "pig")),
        uct_row("EWN", "ewn:setup=fixed", EWN_ROOT, ewn_root, 12),
        uct_row("Pig (one die)", "pig:dice=1", "", lambda: start("pig"), 9),
        uct_row("Connect Four", "connect_four", "", lambda: start("connect_four"), 12),
        uct_row("Kalah", "kalah:rules=standard,score=win", "", lambda: start("mancala"), 5),
        Row("Chinese Checkers (121), UCT", "simulations", chinese_checkers, 20),
        uct_row("Tic-tac-toe", "tic_tac_toe", "", lambda: start("tic_tac_toe"), 2),
    ]


def report(console: Console, seconds: float, only: str = "") -> list[dict[str, Any]]:
    """Measure, print a table, and return it for a program to read."""
    if pyspiel is None:
        console.print(MISSING)
        return []
    table = Table("games, nodes or simulations a second, one core")
    for heading in ("Astragal", "OpenSpiel", "ratio", "goal"):
        table.add_column(heading, justify="right")
    measured = [row for row in rows() if only.lower() in row.label.lower()]
    for row in measured:
        row.run(seconds)
        goal = "-" if row.goal is None else str(row.goal)
        table.add_row(row.label, readable(row.ours), readable(row.theirs), f"{row.ratio:.1f}", goal)
    console.print(table)
    return [
        {"measure": r.label, "unit": r.unit, "astragal": r.ours, "openspiel": r.theirs, "goal": r.goal}
        for r in measured
    ]


def main() -> int:
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--seconds", type=float, default=2.0, help="for each measure and program (default 2)")
    parser.add_argument("--only", metavar="TEXT", default="", help="only measures with this in their label")
    options = parser.parse_args()
    use_one_core()
    report(Console(), options.seconds, options.only)
    return 0


if __name__ == "__main__":
    with measuring(wait=True):
        sys.exit(main())
