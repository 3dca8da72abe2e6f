"""`astragal bench`: how fast the searches are here, and how late moves come."""

from __future__ import annotations

import time
from typing import Annotated, Any

import typer

from astragal.cli.options import MOST, Json, Seed, print_json
from astragal.errors import AstragalError
from astragal.game.dice import Dice
from astragal.game.position import Position
from astragal.games import game_spec, load_game
from astragal.players import load_player, player_classes
from astragal.search.limits import Limits

TIMES = (0.05, 0.2)  # the limits at which lateness is measured, in seconds
SPEED_SECONDS = 0.5
ATTEMPTS = 5  # searches for each move timed: those that reach the end of the game are not


def bench(
    game: Annotated[str, typer.Argument(help="A game (see astragal games).")] = "ewn:setup=fixed",
    player: Annotated[str, typer.Option("--player", help="The player whose lateness is measured.")] = "star2",
    moves: Annotated[int, typer.Option("--moves", min=2, max=MOST, help="Moves timed for each limit.")] = 50,
    seed: Seed = 0,
    json: Json = False,
) -> None:
    """Measure nodes or simulations a second of every search, random games a second, and how late moves come.

    Lateness is measured at limits of 50 and 200 ms.
    """
    rules = load_game(game)
    load_player(player, rules)
    facts: dict[str, Any] = {"game": game_spec(rules), "player": player, "seed": seed}
    facts["games_per_second"] = random_game_speed(rules)
    if not json:
        print(f"{'random games':<14} {facts['games_per_second']:>14,.0f} a second", flush=True)
    facts["nodes_per_second"], facts["simulations_per_second"] = {}, {}
    for name, cls in player_classes().items():
        if not cls.compiles or not plays(rules, name):
            continue
        speed, unit = search_speed(rules, name, seed)
        facts[f"{unit}_per_second"][name] = speed
        if not json:
            print(f"{name:<14} {speed:>14,.0f} {unit} a second", flush=True)
    facts["late"] = []
    for limit in TIMES:
        row = lateness(rules, player, limit, moves, seed)
        facts["late"].append(row)
        if not json:
            print(
                f"{player} at {limit * 1000:.0f} ms: late by {row['median_ms']:.2f} ms (median), "
                f"{row['p99_ms']:.2f} ms (99th percentile) over {row['moves']} moves",
                flush=True,
            )
    if json:
        print_json(facts)


def random_game_speed(rules: Any) -> float:
    from astragal.search.monte_carlo.rollouts import random_games

    memory = Position.start(rules).memory
    random_games(rules, memory, 1, 1, 10_000)
    count, started = 0, time.perf_counter()
    while (seconds := time.perf_counter() - started) < SPEED_SECONDS:
        random_games(rules, memory, 1000, 1 + count, 10_000)
        count += 1000
    return count / seconds


def plays(rules: Any, name: str) -> bool:
    try:
        return bool(load_player(name, rules))
    except AstragalError:
        return False


def search_speed(rules: Any, name: str, seed: int) -> tuple[float, str]:
    """How much a search does in a second, and of what."""
    position = Position.start(rules, seed).settled(seed)
    result = load_player(name, rules).search(position, seed, Limits(time=SPEED_SECONDS))
    if result.simulations is not None:
        return result.simulations / result.seconds, "simulations"
    return result.nodes / result.seconds, "nodes"


def lateness(rules: Any, player: str, limit: float, moves: int, seed: int) -> dict[str, Any]:
    """How much longer than asked moves take, at the positions of games that the player plays against itself."""
    import numpy as np

    chosen = load_player(player, rules)
    dice = Dice(seed)
    late: list[float] = []
    position = Position.start(rules, seed).settled(dice)
    chosen.search(position, seed, Limits(nodes=1))
    for _ in range(ATTEMPTS * moves):
        started = time.perf_counter()
        result = chosen.search(position, seed, Limits(time=limit))
        seconds = time.perf_counter() - started
        if not result.complete:  # a search that ran out of game came early
            late.append(1000 * (seconds - limit))
            if len(late) == moves:
                break
        actions = position.actions()
        position = position.play(actions[dice.below(len(actions))]).settled(dice)
        if position.is_terminal:
            position = Position.start(rules, dice.bits()).settled(dice)
    if not late:
        raise AstragalError(f"{game_spec(rules)} is searched to its end within {limit} s, so no move comes late")
    median, p99 = np.percentile(late, [50, 99])
    return {"limit_ms": 1000 * limit, "median_ms": float(median), "p99_ms": float(p99), "moves": len(late)}
