"""`astragal check`: whether a game keeps its promises."""

from __future__ import annotations

from itertools import chain
from typing import TYPE_CHECKING, Annotated

import typer

from astragal.cli.options import MOST, Game, Json, Seed, print_json
from astragal.errors import AstragalError
from astragal.games import game_spec, load_game
from astragal.terminal import paint

if TYPE_CHECKING:
    from collections.abc import Iterator

    from astragal.game.conformance import Check
    from astragal.game.protocol import Game as Rules


def check(
    game: Game,
    games: Annotated[int, typer.Option("--games", min=1, max=MOST, help="Random games to play.")] = 30,
    seed: Seed = 0,
    json: Json = False,
) -> None:
    """Check that a game, built-in or your own, keeps the promises that searches rely on.

    Random games keep the invariants, probabilities sum to one, sampling agrees with the lists, texts can be read back,
    evaluations stay in range, the compiled and the interpreted game agree ply by ply, and small searches of every
    family end well. Of a rule sheet (.kif), also that everybody can always move, and that its network says what a plain
    reasoner says. What is legal and probably wrong is a warning. Indices are checked, as with --safe.
    """
    from astragal.game.conformance import check_game, doubts

    rules = load_game(game)
    results: list[Check] = []
    for result in chain(check_game(rules, games, seed), rules.own_checks(games, seed)):
        results.append(result)
        tell(result, json)
    if all(result.passed for result in results):
        for result in chain(doubts(rules, games, seed), small_searches(rules, seed)):
            results.append(result)
            tell(result, json)
    failed = [result for result in results if not result.passed]
    if json:
        print_json({"game": game_spec(rules), "passed": not failed, "checks": [vars(result) for result in results]})
    if failed:
        raise AstragalError(f"{game} fails: {failed[0].name}: {failed[0].detail}")


def tell(result: Check, json: bool) -> None:
    if not json:
        mark = paint("warn", "yellow") if result.warning else paint("ok  ", "green")
        failed = f"{paint('FAIL', 'red')}  {result.name}"  # why: in the end
        told = f"{mark}  {result.name}: {result.detail}" if result.passed else failed
        print(told, flush=True)


def small_searches(game: Rules, seed: int) -> Iterator[Check]:
    """A search of each family that takes the game, from its start."""
    from numba import config

    from astragal.game.conformance import Check, describe_error
    from astragal.game.position import Position
    from astragal.players import load_player
    from astragal.search.limits import Limits

    position = Position.start(game, seed).settled(seed)
    searched, name = [], "small searches of every family end well"
    for player, nodes in FAMILIES.items():
        try:
            load_player(player, game).refuse_unfit(game)
        except AstragalError:
            continue  # of a family that is for other games
        try:
            limits = Limits(nodes=min(nodes, FEW) if config.DISABLE_JIT else nodes, time=LONGEST)
            load_player(player, game).search(position, seed, limits)
        except AstragalError as error:
            yield Check(name, False, f"{player}: {error}")
            return
        except Exception as error:
            yield Check(name, False, f"{player}: {describe_error(error)}")
            return
        searched.append(player)
    yield Check(name, True, ", ".join(searched))


# with how many nodes: each of uct is a random game
FAMILIES = {"star2": 20_000, "maxn": 20_000, "uct": 1_000}
FEW = 200  # for Python
LONGEST = 10.0  # seconds of a small search: a rule sheet on the plain reasoner is slow
