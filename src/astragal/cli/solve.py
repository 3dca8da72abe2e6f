"""`astragal solve`: exact values of a game small enough, or of a position."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Any

import typer

from astragal.cli.options import Game, Json, print_json
from astragal.game.position import Position
from astragal.games import game_spec, load_game

if TYPE_CHECKING:
    from astragal.solve.exact import Exact


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
        typer.Option(
            "--max-states", min=1, max=10**12, help="Give up beyond so many states (20 million by value iteration)."
        ),
    ] = None,
    json: Json = False,
) -> None:
    """Find exact values and keep them for later: the player `optimal` and `astragal search --regret` use them.

    Kalah is solved by alpha-beta with a table, EinStein würfelt nicht! with up to three cubes a side by one sweep
    through all states that can follow, Can't Stop alone (players=1) for the fewest turns; any other game of one or two
    players by value iteration over every reachable state, exact to 1e-9. Alone, the value is the expected score. Where
    two players choose at once it is that of mixed strategies, which are shown.
    """
    from astragal.solve.face import solve as solve_exactly

    rules = load_game(game)
    root = Position.parse(rules, position) if position else Position.start(rules)
    if turn is not None:
        print_turn(turn_facts(root, turn, again), json)
        return
    solved = solve_exactly(root, max_states=max_states, again=again, progress=True)
    facts: dict[str, Any] = {
        "game": game_spec(rules),
        "position": root.text,
        "players": rules.players,
        "value": solved.values.value(root),
        "first_player_wins": solved.values.win_chance(root),
        "mixes": mixes_at(root, solved.values),
        **solved.values.facts(root),
        "kept": solved.kept_before,
        "file": str(solved.file),
    }
    if json:
        print_json(facts)
    else:
        print_facts(facts)


def mixes_at(root: Position, values: Exact) -> dict[str, dict[str, float]] | None:
    """How both players mix where they choose at once: player -> action -> share."""
    stage = values.stage(root)
    if stage is None:
        return None
    here = root.known()
    first = {here.action_name(action): share for action, share in stage.mix.items()}
    after = here.play(here.actions()[0]).known()
    second = {after.action_name(action): share for action, share in stage.other.items()}
    return dict(sorted({str(here.turn + 1): first, str(after.turn + 1): second}.items()))


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
        if facts.get(name) is None or (name == "first_player_wins" and {"margin", "turns"} & set(facts)):
            continue
        if name == "value" and facts["players"] == 1:
            label, form = "expected score", "{:.9f}"
        number = round(facts[name], 12) + 0.0 if name == "value" else facts[name]  # no minus zero
        print(f"{label:<28}{form.format(number)}")
    for player, mix in (facts["mixes"] or {}).items():
        shares = "  ".join(f"{name} {share:.4f}" for name, share in mix.items())
        print(f"{f'player {player} mixes':<28}{shares}")


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
