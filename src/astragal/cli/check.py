"""`astragal check`: whether a game keeps its promises."""

from __future__ import annotations

from itertools import chain
from typing import TYPE_CHECKING, Annotated

import typer

from astragal.cli.options import MOST, Game, Json, Seed, print_json
from astragal.errors import AstragalError
from astragal.games import game_spec, load_game

if TYPE_CHECKING:
    pass


def check(
    game: Game,
    games: Annotated[int, typer.Option("--games", min=1, max=MOST, help="Random games to play.")] = 30,
    seed: Seed = 0,
    json: Json = False,
) -> None:
    """Check that a game, built-in or your own, keeps the promises that searches rely on.

    Random games keep the invariants, probabilities sum to one, sampling agrees with the lists, texts can be read back,
    evaluations stay in range, and the compiled and the interpreted game agree ply by ply. Of a rule sheet (.kif), also
    that everybody can always move, and that its network says what a plain reasoner says.
    """
    from astragal.game.conformance import check_game

    rules = load_game(game)
    results = []
    for result in chain(check_game(rules, games, seed), rules.own_checks(games, seed)):
        results.append(result)
        if not json:
            print(f"{'ok  ' if result.passed else 'FAIL'}  {result.name}: {result.detail}", flush=True)
    failed = [result for result in results if not result.passed]
    if json:
        print_json({"game": game_spec(rules), "passed": not failed, "checks": [vars(result) for result in results]})
    if failed:
        raise AstragalError(f"{game} fails: {failed[0].name}: {failed[0].detail}")
