"""`astragal solve`: the exact value of every state of a game small enough."""

from __future__ import annotations

import sys
from typing import Annotated, Any

import typer

from astragal.cli.options import Game, Json, print_json
from astragal.games import game_spec, load_game


def solve(
    game: Game,
    again: Annotated[bool, typer.Option("--again", help="Solve anew even if a solution is kept.")] = False,
    max_states: Annotated[
        int, typer.Option("--max-states", min=1, help="Give up beyond so many reachable states.")
    ] = 20_000_000,
    json: Json = False,
) -> None:
    """Solve a game by value iteration over every reachable state, and keep the result for later.

    The values are exact to 1e-9. The player `optimal` and `astragal search --regret` use them.
    """
    from astragal.solve.solution import find_solution, solution_path
    from astragal.solve.solution import solve as solve_game

    rules = load_game(game)
    kept = None if again else find_solution(rules)
    solution = kept or solve_game(rules, max_states, Reporter())
    facts: dict[str, Any] = {
        "game": game_spec(rules),
        "value": solution.start_value,
        "first_player_wins": solution.first_player_wins,
        "states": len(solution.values),
        "error": solution.error,
        "sweeps": solution.sweeps,
        "seconds": solution.seconds,
        "kept": kept is not None,
        "file": str(solution_path(rules)),
    }
    if json:
        print_json(facts)
        return
    print(f"{facts['game']}: {facts['states']:,} states, {facts['sweeps']} sweeps, {facts['seconds']:.1f} s", end="")
    print(" (kept from before)" if kept else "")
    print(f"value for the first player  {facts['value']:+.9f}")
    print(f"first player wins           {facts['first_player_wins']:.12f}")
    print(f"largest error               {facts['error']:.1e}")


class Reporter:
    """Progress on standard error: one line that is overwritten in a terminal, a few lines elsewhere."""

    def __init__(self) -> None:
        self.count = 0
        self.shown = 0

    def __call__(self, what: str, number: float) -> None:
        self.count += 1
        text = f"{number:>12,.0f} states" if what == "states" else f"largest error {number:.3e}"
        if sys.stderr.isatty():
            print(f"\r\x1b[K{text}", end="", file=sys.stderr, flush=True)
        elif self.count >= 2 * self.shown:
            self.shown = self.count
            print(text, file=sys.stderr, flush=True)
