"""`astragal solve`: exact values of a game small enough, or of a position."""

from __future__ import annotations

import sys
from typing import Annotated, Any

import typer

from astragal.cli.options import Game, Json, print_json
from astragal.game.dice import Dice
from astragal.game.position import Position
from astragal.games import game_spec, load_game


def solve(
    game: Game,
    position: Annotated[
        str | None,
        typer.Option("--position", help="Solve this position (in the game's notation) instead of the start."),
    ] = None,
    turn: Annotated[
        str | None,
        typer.Option(
            "--turn",
            metavar="MEASURE",
            help="Can't Stop: the best way through one turn, for the largest gain in points or evaluation.",
        ),
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
    through all states that can follow, Can't Stop alone (players=1) for the fewest turns; any other game of two players
    by value iteration over every reachable state, exact to 1e-9.
    """
    from astragal.solve.exact import solve as solve_exactly

    rules = load_game(game)
    root = Position.parse(rules, position) if position else Position.start(rules)
    if turn is not None:
        print_turn(turn_facts(root, turn, again), json)
        return
    solved = solve_exactly(root, max_states, again, Reporter())
    value = solved.values.value(root)
    facts: dict[str, Any] = {
        "game": game_spec(rules),
        "position": root.text,
        "value": value,
        **chance_of_winning(root, value, getattr(solved.values, "values", None)),
        **solved.values.facts(root),
        "kept": solved.kept_before,
        "file": str(solved.file),
    }
    if json:
        print_json(facts)
    else:
        print_facts(facts)


def chance_of_winning(root: Position, value: float, known: Any) -> dict[str, float]:
    """How often the first player wins, where a game is won or lost and no more; nothing where there is more to it.

    What a win is worth is seen from the values of all states, of which the ends are some: the declared range may be
    wider. Random games show whether there are other ends, such as draws.
    """
    low, high = root.game.utility_range
    if known is not None and len(known):
        middle = (low + high) / 2
        most = max(abs(known.max() - middle), abs(known.min() - middle))
        low, high = middle - most, middle + most
    ends = {utility for seed in range(RANDOM_GAMES) for utility in end_of_random_game(root, seed)}
    if high <= low or any(min(abs(end - low), abs(end - high)) > 1e-6 for end in ends):
        return {}
    return {"first_player_wins": float((value - low) / (high - low))}


def end_of_random_game(position: Position, seed: int) -> tuple[float, ...]:
    """What player 1 gets at the end of a random game; nothing where it is too long."""
    dice = Dice(seed)
    for _ in range(LONGEST):
        if position.is_terminal:
            return position.utilities()[:1]
        number = position.draw(dice) if position.is_chance else position.actions()[dice.below(len(position.actions()))]
        position = position.follow(number)
    return ()


RANDOM_GAMES, LONGEST = 30, 300
LABELS = {
    "value": ("value for the first player", "{:+.9f}"),
    "margin": ("margin of the first player", "{:+d}"),
    "turns": ("fewest turns", "{:.6f}"),
    "first_player_wins": ("first player wins", "{:.12f}"),
    "error": ("largest error", "{:.1e}"),
}


def print_facts(facts: dict[str, Any]) -> None:
    counts = [f"{facts[name]:,} {name}" for name in ("states", "sweeps", "nodes") if name in facts]
    effort = ", ".join([*counts, f"{facts['seconds']:.1f} s"])
    print(f"{facts['game']}: {effort}{' (kept from before)' if facts['kept'] else ''}")
    for name, (label, form) in LABELS.items():
        if name in facts and not (name == "first_player_wins" and {"margin", "turns"} & set(facts)):
            print(f"{label:<28}{form.format(facts[name])}")


def turn_facts(root: Position, measure: str, again: bool) -> dict[str, Any]:
    """The best way through the rest of a turn of Can't Stop."""
    from astragal.solve.cant_stop import find_turn, refuse_turn, solve_turn, turn_path

    refuse_turn(root, measure)
    known = None if again else find_turn(root, measure)
    solution = known or solve_turn(root, measure)
    actions = {} if root.is_chance else solution.action_values(root)
    return {
        "game": game_spec(root.game),
        "position": root.text,
        "measure": measure,
        "gain": solution.start_value,
        "actions": {root.action_name(action): value for action, value in actions.items()},
        "states": len(solution),
        "seconds": solution.seconds,
        "kept": known is not None,
        "file": str(turn_path(root, measure)),
    }


def print_turn(facts: dict[str, Any], json: bool) -> None:
    if json:
        print_json(facts)
        return
    kept = " (kept from before)" if facts["kept"] else ""
    print(f"{facts['game']}, a turn: {facts['states']:,} states, {facts['seconds']:.1f} s{kept}")
    unit = "points" if facts["measure"] == "points" else "of the evaluation"
    print(f"{'largest expected gain':<28}{facts['gain']:.6f} {unit}")
    for name, value in sorted(facts["actions"].items(), key=lambda item: -item[1]):
        print(f"{name:<28}{value:.6f}")


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
