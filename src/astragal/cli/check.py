"""`astragal check`: whether a game is correct; then small searches, learning, a solution and a review."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from itertools import chain, pairwise
from typing import TYPE_CHECKING, Annotated, Any

import typer
from numba import config

from astragal.algorithms.limits import Limits
from astragal.arena.review import Reviewer
from astragal.base.errors import AstragalError
from astragal.base.terminal import paint
from astragal.cli.options import MOST, Game, Json, Seed, print_json
from astragal.games import game_spec, load_game
from astragal.learn.beginning import LearnSettings
from astragal.learn.training import Training
from astragal.players import load_player
from astragal.players.analyst import analyst
from astragal.rules.checks import Check, describe_error
from astragal.rules.checks.promise import random_game
from astragal.rules.faults import MethodError
from astragal.rules.position import Position
from astragal.solvers.solution import solved

if TYPE_CHECKING:
    from astragal.rules.checks import Check


def check(
    game: Game,
    games: Annotated[int, typer.Option("--games", min=1, max=MOST, help="Random games to play.")] = 30,
    seed: Seed = 0,
    json: Json = False,
) -> None:
    """Check that a game, built-in or your own, is correct and keeps what it declares.

    Random games follow the rules, probabilities sum to one, sampling agrees with the lists, texts can be read back,
    evaluations stay in range, and the compiled and the interpreted game agree ply by ply. Small searches of every
    family, a round of learning, a solution and a review are tried, where the game allows them. For a rule sheet (.kif),
    every role must always have a move, and its network must agree with a plain reasoner. What is legal but
    probably wrong is a warning.
    """
    from astragal.rules.checks import check_game, warnings_about

    rules = load_game(game)
    results: list[Check] = []
    for result in chain(check_game(rules, games, seed), rules.own_checks(games, seed)):
        results.append(result)
        tell(result, json)
    if all(result.passed for result in results):
        for result in chain(warnings_about(rules, games, seed), trials(rules, seed)):
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


# with how many nodes: each of uct is a random game
FAMILIES = {"star2": 20_000, "maxn": 20_000, "uct": 1_000}
FEW = 200  # for Python
LONGEST = 10.0  # seconds of a small search: a rule sheet on the plain reasoner is slow
LESSON = LearnSettings(hidden=8, games=20, matches=10, rounds=1, longest=200)
MAX_STATES = 20_000  # of a game that is solved here
REVIEWED = 12  # plies of a random game


def trials(game: Any, seed: int) -> Iterator[Check]:
    """Small searches first; then all else that the game allows. One that fails is the last."""
    tried = (
        "small searches of every family end well",
        "a round of learning ends well",
        "it is solved",
        "a review ends well",
    )
    for name, trial in zip(tried, (search_a_little, learn_a_little, solve_it, review_a_little), strict=True):
        try:
            yield Check(name, True, trial(game, seed))
        except MethodError as error:
            yield Check(name, False, str(error))
            return
        except LeftOut as reason:
            yield Check(name, True, f"left out: {reason}")
        except AstragalError as error:
            yield Check(name, False, str(error))
            return
        except Exception as error:  # a game's own methods may raise anything
            yield Check(name, False, describe_error(error))
            return


class LeftOut(Exception):
    """Why a game cannot be tried in some way."""


def unless_unfit(task: Callable[[], Any]) -> Any:
    """What the task gives; a sentence about what it cannot do with such a game means that this is left out."""
    try:
        return task()
    except MethodError:
        raise
    except AstragalError as error:
        raise LeftOut(str(error).partition(";")[0]) from None


def search_a_little(game: Any, seed: int) -> str:
    """A search of each family that takes the game, from its start."""
    position = Position.start(game, seed).settled(seed)
    searched = []
    for player, nodes in FAMILIES.items():
        try:
            load_player(player, game).refuse_unfit(game)
        except AstragalError:
            continue  # of a family that is for other games
        try:
            limits = Limits(nodes=min(nodes, FEW) if config.DISABLE_JIT else nodes, time=LONGEST)
            load_player(player, game).search(position, seed, limits)
        except AstragalError as error:
            raise AstragalError(f"{player}: {error}") from None
        except Exception as error:
            raise AstragalError(f"{player}: {describe_error(error)}") from None
        searched.append(player)
    return ", ".join(searched)


def learn_a_little(game: Any, seed: int) -> str:
    training: Training = unless_unfit(lambda: Training(game, LESSON))
    training.play_round()
    return f"{training.games} games, {training.model.inputs} inputs"


def solve_it(game: Any, seed: int) -> str:
    found = unless_unfit(lambda: solved(Position.start(game, seed), MAX_STATES))
    return f"{len(found.values):,} states"


def review_a_little(game: Any, seed: int) -> str:
    """A review of how a random game begins."""
    positions = list(random_game(game, seed))[: REVIEWED + 1]
    steps = [step_between(before, after) for before, after in pairwise(positions)]
    if analyst(game) is None:
        raise LeftOut("there is no player to review it with")
    reviewer = Reviewer.usual(game, Limits(nodes=FEW, time=LONGEST))
    rows = list(reviewer.rows(positions, steps))
    return f"{len(rows)} decisions and rolls, by {reviewer.player.text_for(game)}"


def step_between(before: Position, after: Position) -> int:
    """A step that leads from a position to the next one."""
    numbers = [each.number for each in before.outcomes()] if before.is_chance else before.actions()
    return next(number for number in numbers if before.follow(number) == after)
