"""`astragal solve`: exact values of a small game, or of a position."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Any

import typer

from astragal.cli.options import Game, Json, print_json
from astragal.games import game_spec, load_game
from astragal.rules.position import Position

if TYPE_CHECKING:
    from astragal.solvers.exact import Exact


def solve(
    game: Game,
    position: Annotated[
        str | None,
        typer.Option("--position", help="Solve this position (in the game's notation) instead of the start."),
    ] = None,
    again: Annotated[bool, typer.Option("--again", help="Solve again even if there is a solution.")] = False,
    max_states: Annotated[
        int | None,
        typer.Option(
            "--max-states", min=1, max=10**12, help="Stop beyond this many states (20 million by value iteration)."
        ),
    ] = None,
    threads: Annotated[
        str, typer.Option("--threads", help="Threads, which change no value; auto: all cores but one.")
    ] = "auto",
    json: Json = False,
) -> None:
    """Compute exact values and store them: the player `optimal` and `astragal search --regret` use them.

    Some games have a solver: Kalah (alpha-beta with a table), EinStein würfelt nicht! with up to three cubes on each
    side, and Can't Stop for one player (fewest turns). Any other game for one or two is solved by value iteration over
    all reachable states, exact to 1e-9. In a game for one the value is the expected score. Where two players choose at
    once, it is that of mixed strategies, which are printed.
    """
    from astragal.solvers.api import solve as solve_exactly

    rules = load_game(game)
    root = Position.parse(rules, position) if position else Position.start(rules)
    solved = solve_exactly(root, max_states=max_states, again=again, progress=True, threads=threads)
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
