"""The conformance suite: whether a game keeps the promises that searches rely on.

It runs over every game, built-in or a user's (`astragal check my_game.py:MyGame`), and reports each mistake in a
sentence.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import nullcontext
from dataclasses import dataclass
from itertools import chain
from typing import Any

from astragal.base.errors import AstragalError
from astragal.base.overdue import ended_when_overdue
from astragal.compiler.compile_errors import compile_reason
from astragal.compiler.records import strict, strictly
from astragal.rules.checks.optional_methods import named_results
from astragal.rules.checks.positions import check_random_games
from astragal.rules.checks.promise import LONGEST, Broken, random_game, require
from astragal.rules.checks.sampling import check_sampling
from astragal.rules.checks.warnings import warnings_of_class, warnings_of_play, warnings_of_speed
from astragal.rules.decorator import CHANCE, TERMINAL
from astragal.rules.dice import Dice
from astragal.rules.position import Position
from astragal.rules.protocol import Game

ENOUGH_TEXTS, ENOUGH_PLIES = 300, 300  # of long games; Python is slow
LONG = 10.0  # seconds after which a method of the game is ended
BOUND_GAMES = 100  # compiled games played for each interpreted one


@dataclass(frozen=True)
class Check:
    """One promise, and what was found."""

    name: str
    passed: bool
    detail: str
    warning: bool = False  # legal, but probably wrong


def check_game(game: Any, games: int = 30, seed: int = 0) -> Iterator[Check]:
    """Run every check; each is reported as it is done. A check that needs one that failed is left out."""
    suite: list[tuple[str, Callable[[Any, int, int], str]]] = [
        ("declarations are sensible", check_declarations),
        ("random games keep the rules' promises", check_random_games),
        ("sampled outcomes and actions agree with the lists", check_sampling),
        ("names and positions can be written and read back", check_texts),
        ("the declared bounds hold in many games", check_bounds),
        ("compiled and interpreted games agree ply by ply", check_compiled),
    ]
    for name, check in suite:
        try:
            watch = ended_when_overdue(LONG, strict.counter()) if check in INTERPRETED else nullcontext()
            with strictly(), watch:
                found = check(game, games, seed)
            yield Check(name, True, found)
        except (Broken, AstragalError) as error:
            yield Check(name, False, str(error))
            return
        except Exception as error:  # a game's own methods may raise anything
            yield Check(name, False, describe_error(error))
            return


def warnings_about(game: Any, games: int = 30, seed: int = 0) -> Iterator[Check]:
    """What is legal but probably wrong in a game that passes: warnings."""
    paths: list[list[Position]] = []
    while len(paths) < min(games, 5) and sum(map(len, paths)) < ENOUGH_PLIES:
        paths.append(list(random_game(game, seed + len(paths))))
    for sentence in chain(warnings_of_class(game), warnings_of_play(paths), warnings_of_speed(game, paths)):
        yield Check("worth a look", True, sentence, warning=True)


def describe_error(error: Exception) -> str:
    if type(error).__module__.startswith("numba"):
        return f"the game cannot be compiled: {compile_reason(error)}"
    return f"{type(error).__name__}: {next(iter(str(error).splitlines()), '')}"


def check_declarations(game: Game, games: int, seed: int) -> str:
    low, high = game.utility_range
    require(game.players >= 1, f"players is {game.players}")
    require(game.max_actions >= 1, f"max_actions is {game.max_actions}")
    require(game.max_plies is None or game.max_plies >= 1, f"max_plies is {game.max_plies}")
    require(low < high, f"utility_range is from {low} to {high}")
    opposite = low == -high or game.players != 2 or not game.zero_sum
    sentence = "but what one of two players of a zero-sum game gets, the other loses"
    require(opposite, f"utility_range is from {low} to {high}, {sentence}")
    named_results(game)
    turn = Position.start(game, seed).turn
    require(turn != TERMINAL, "the game is over at its start")
    require(turn in (CHANCE, *range(game.players)), f"the start has turn {turn}")
    return f"{game.players} players, at most {game.max_actions} actions and {game.max_outcomes} outcomes"


def check_texts(game: Game, games: int, seed: int) -> str:
    count = 0
    for number in range(min(games, 5)):
        for position in random_game(game, seed + number):
            if count == ENOUGH_TEXTS:
                break
            count += 1
            text = position.text
            require("\n" not in text, f"the text of a position has more than one line: {text!r}")
            again = Position.parse(game, text)
            require(again == position, f"'{text}' is read back as another position, '{again.text}'")
            require(isinstance(str(position), str), "show gives no text")
            for noun, numbers, names in (
                ("action", position.actions(), position.action_names()),
                ("outcome", [o.number for o in position.outcomes()], [o.name for o in position.outcomes()]),
            ):
                require(
                    len({name.lower() for name in names}) == len(names), f"two {noun}s have the same name at '{text}'"
                )
                require(all(name.strip() for name in names), f"an {noun} has an empty name at '{text}'")
                require(len(numbers) == len(names), f"some {noun}s have no name at '{text}'")
    return f"{count} positions"


def check_compiled(game: Game, games: int, seed: int) -> str:
    from numba import config

    from astragal.rules.checks.agreement import compare_runs

    length = min((game.max_plies or LONGEST) + 1, LONGEST)
    plies = 0
    for number in range(min(games, 10)):
        if plies >= ENOUGH_PLIES:
            break
        lasted, difference = compare_runs(
            Position.start(game, seed + number), Dice(seed + number).word(), length, number
        )
        require(not difference, difference)
        plies += lasted
    return f"{plies} plies{' (NUMBA_DISABLE_JIT is set: both were interpreted)' if config.DISABLE_JIT else ''}"


def check_bounds(game: Game, games: int, seed: int) -> str:
    """Actions, outcomes and plies of random games, and of games of which the game prefers half the moves."""
    from numba import config

    from astragal.rules.checks.bounds import measured

    count = games if config.DISABLE_JIT else BOUND_GAMES * games
    cap = LONGEST if game.max_plies is None else min(game.max_plies, LONGEST) + 1
    played = []
    for preferred in (False, True):
        most = measured(game, count, seed, cap, preferred)
        for noun in ("actions", "outcomes"):
            declared = getattr(game, f"max_{noun}")
            require(most[noun] <= declared, f"there were {most[noun]} {noun} at once where max_{noun} is {declared}")
        lasted = game.max_plies is None or most["plies"] <= game.max_plies
        require(lasted, f"a game lasted more than max_plies = {game.max_plies} plies")
        played.append(most["games"])
    return f"{played[0]} random games and {played[1]} of which the game prefers half the moves"


# what runs without compiled code, in which loops are counted
INTERPRETED = check_declarations, check_random_games, check_sampling, check_texts
