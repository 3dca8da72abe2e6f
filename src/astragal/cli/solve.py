"""`astragal solve`: exact values of a game small enough, or of a position."""

from __future__ import annotations

import sys
from typing import Annotated, Any

import typer

from astragal.cli.options import Game, Json, print_json
from astragal.game.position import Position
from astragal.games import game_spec, load_game


def solve(
    game: Game,
    position: Annotated[
        str | None,
        typer.Option("--position", help="Solve this position (in the game's notation) instead of the start."),
    ] = None,
    again: Annotated[bool, typer.Option("--again", help="Solve anew even if a solution is kept.")] = False,
    max_states: Annotated[
        int | None,
        typer.Option("--max-states", min=1, help="Give up beyond so many states (20 million by value iteration)."),
    ] = None,
    json: Json = False,
) -> None:
    """Find exact values and keep them for later: the player `optimal` and `astragal search --regret` use them.

    Kalah is solved by alpha-beta with a table, EinStein würfelt nicht! with up to three cubes a side by one sweep
    through all states that can follow; any other game of two players by value iteration over every reachable state,
    exact to 1e-9.
    """
    from astragal.solve.exact import solve as solve_exactly

    rules = load_game(game)
    root = Position.parse(rules, position) if position else Position.start(rules)
    solved = solve_exactly(root, max_states, again, Reporter())
    low, high = rules.utility_range
    value = solved.values.value(root)
    facts: dict[str, Any] = {
        "game": game_spec(rules),
        "position": root.text,
        "value": value,
        "first_player_wins": (value - low) / (high - low),
        **solved.values.facts(root),
        "kept": solved.kept_before,
        "file": str(solved.file),
    }
    if json:
        print_json(facts)
    else:
        print_facts(facts)


LABELS = {
    "value": ("value for the first player", "{:+.9f}"),
    "margin": ("margin of the first player", "{:+d}"),
    "first_player_wins": ("first player wins", "{:.12f}"),
    "error": ("largest error", "{:.1e}"),
}


def print_facts(facts: dict[str, Any]) -> None:
    counts = [f"{facts[name]:,} {name}" for name in ("states", "sweeps", "nodes") if name in facts]
    effort = ", ".join([*counts, f"{facts['seconds']:.1f} s"])
    print(f"{facts['game']}: {effort}{' (kept from before)' if facts['kept'] else ''}")
    for name, (label, form) in LABELS.items():
        if name in facts and not (name == "first_player_wins" and "margin" in facts):
            print(f"{label:<28}{form.format(facts[name])}")


REPORTS = {
    "states": "{:>12,.0f} states",
    "error": "largest error {:.3e}",
    "margin": "the margin may be {:+.0f}",
}


class Reporter:
    """Progress on standard error: one line that is overwritten in a terminal, a few lines elsewhere."""

    def __init__(self) -> None:
        self.count = 0
        self.shown = 0

    def __call__(self, what: str, number: float) -> None:
        self.count += 1
        text = REPORTS[what].format(number)
        if sys.stderr.isatty():
            print(f"\r\x1b[K{text}", end="", file=sys.stderr, flush=True)
        elif self.count >= 2 * self.shown:
            self.shown = self.count
            print(text, file=sys.stderr, flush=True)
