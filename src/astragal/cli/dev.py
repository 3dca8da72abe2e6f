"""`astragal dev`: how fast the searches are here and how late moves come, perft counts, what ChanceProbCut predicts."""

from __future__ import annotations

import time
from dataclasses import asdict
from typing import Annotated, Any

import typer

from astragal.algorithms.limits import Limits
from astragal.base.errors import AstragalError, SpecError
from astragal.cli.options import MOST, Game, Json, PositionText, Seed, print_json
from astragal.games import game_spec, load_game
from astragal.players import load_player, player_classes
from astragal.rules.dice import Dice
from astragal.rules.position import Position

TIMES = (0.05, 0.2)  # the limits at which lateness is measured, in seconds
SPEED_SECONDS = 0.5
ATTEMPTS = 5  # tries for each timed move: searches that reach the end of the game do not count


def bench(
    game: Annotated[str, typer.Argument(help="A game (see astragal games).")] = "ewn:setup=fixed",
    player: Annotated[str, typer.Option("--player", help="Whose lateness is measured.")] = "star2",
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
    from astragal.algorithms.monte_carlo.rollouts import random_games

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
    """How many nodes or simulations a search does in a second."""
    position = Position.start(rules, seed).settled(seed)
    result = load_player(name, rules).search(position, seed, Limits(time=SPEED_SECONDS))
    if result.simulations is not None:
        return result.simulations / result.seconds, "simulations"
    return result.nodes / result.seconds, "nodes"


def lateness(rules: Any, player: str, limit: float, moves: int, seed: int) -> dict[str, Any]:
    """How much longer than the limit moves take, at the positions of games that the player plays against itself."""
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
        if not result.complete:  # a search that reached the end of the game was early
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


MOST_PLIES = 1000


def perft(
    game: Game,
    depth: Annotated[
        int, typer.Option("--depth", help="Plies to count; a decision and a chance outcome are one each.")
    ] = 4,
    position: PositionText = None,
    json: Json = False,
) -> None:
    """Count the sequences of exactly N plies from the start or a position.

    A decision and a chance outcome each count as one ply, outcomes as the game lists them; a finished game has no
    continuation.
    """
    if depth < 1:
        raise SpecError(f"depth must be at least 1, not {depth}")
    if depth > MOST_PLIES:
        raise SpecError(f"depth must be at most {MOST_PLIES}, not {depth}")
    from astragal.rules.perft import count_sequences

    rules = load_game(game)
    root = Position.parse(rules, position) if position is not None else Position.start(rules)
    counts = []
    count_sequences(root, 1)  # compiles: no row is to pay for that
    for plies in range(1, depth + 1):
        started = time.perf_counter()
        counts.append(count_sequences(root, plies))
        seconds = time.perf_counter() - started
        if not json:
            print(f"perft {plies:>2}  {counts[-1]:>20,}  {seconds:8.3f} s", flush=True)
    if json:
        print_json(
            {"game": game_spec(rules), "position": root.text, "depth": depth, "count": counts[-1], "counts": counts}
        )


def probcut(
    game: Game,
    depth: Annotated[int, typer.Option("--depth", min=2, max=63, help="Units left below the chance nodes.")] = 4,
    positions: Annotated[
        int, typer.Option("--positions", min=10, max=MOST, help="Chance nodes of random games to search.")
    ] = 300,
    seed: Seed = 0,
    json: Json = False,
) -> None:
    """Measure how well a search two units less deep predicts the value of a chance node.

    Give the printed numbers to star1, star2, star1ss or star2ss as probcut_slope and probcut_sigma, with probcut. For
    pig and ewn they are built in.
    """
    from astragal.algorithms.star.probcut_fit import fitted

    rules = load_game(game)
    found = fitted(rules, depth, positions, seed)
    if json:
        print_json({"game": game_spec(rules), "depth": depth, "seed": seed, **asdict(found)})
        return
    print(f"{game_spec(rules)}: {found.positions} chance nodes, {depth} units below them predicted from {depth - 2}")
    print(f"  correlation  {found.correlation:.3f}")
    print(f"  settings     probcut_slope={found.slope:.2f},probcut_sigma={found.sigma:.3g}")
