"""What optional methods promise: most of them return early what a search would else compute."""

from __future__ import annotations

import math
from itertools import product

from astragal.rules.checks.promise import Broken, require
from astragal.rules.decorator import CHANCE, defines
from astragal.rules.inputs import MOST_RESULTS, are_results
from astragal.rules.position import Position
from astragal.rules.protocol import Game

CEILING_DECISIONS = 4  # looked ahead where a game bounds its values


def check_skip(game: Game, position: Position) -> None:
    """A null move hands the turn over and ends nothing."""
    if not defines(type(game), "skip"):
        return
    after = position.copy()
    after._rules.skip(after._state)
    where = f"at '{position.text}'"
    require(not after.is_terminal, f"skip ends the game {where}")
    require(after.turn != position.turn, f"skip leaves player {position.turn + 1} to move {where}")
    require(after.turn in (CHANCE, *range(game.players)), f"turn is {after.turn} after skip {where}")


def named_results(game: Game) -> tuple[float, ...]:
    """The results that a game names, once they are seen to fit what else it says of its utilities."""
    said = game.own_results()
    try:
        results = tuple(float(each) for each in said)
    except (TypeError, ValueError):
        raise Broken(f"own_results is {said!r}, which is not a tuple of numbers") from None
    low, high = game.utility_range
    require(
        not results or are_results(results),
        f"own_results is {results}, which is not 2 to {MOST_RESULTS} utilities from the lowest to the highest",
    )
    require(
        not results or (results[0], results[-1]) == (low, high),
        f"own_results is {results}, and utility_range from {low} to {high}",
    )
    mirrored = tuple(-each for each in reversed(results)) == results or game.players != 2 or not game.zero_sum
    require(mirrored, f"own_results is {results}, but what one player wins the other loses")
    return results


def check_result(game: Game, position: Position) -> None:
    """A game that names its results ends with one of them."""
    results = named_results(game)
    if results and position.is_terminal:
        for player, value in enumerate(position.utilities()):
            known = any(abs(value - each) < 1e-9 for each in results)
            sentence = f"utility of player {player + 1} is {value:g}, and own_results is {results}"
            require(known, f"{sentence}, at '{position.text}'")


def check_features(game: Game, position: Position) -> None:
    """Inputs of a learned evaluation are those that were declared, and `mover` is the player to move."""
    inputs, most = game.own_inputs()
    if inputs == 0 or position.is_terminal:
        return
    where = f"at '{position.text}'"
    for player in range(game.players):
        out = [0] * (2 * most + 64)
        count = int(position._rules.features(position._state, player, out))
        require(0 <= count <= most, f"features lists {count} inputs, and own_inputs says at most {most}, {where}")
        wrong = next((int(each) for each in out[:count] if not 0 <= each < inputs), None)
        require(wrong is None, f"features lists input {wrong}, and own_inputs says that there are {inputs}, {where}")
    mover = int(position._rules.mover(position._state)) if defines(type(game), "mover") else position.turn
    named = mover == position.turn if position.turn >= 0 else mover in range(-1, game.players)
    require(named, f"mover says {mover} and turn says {position.turn} {where}")


def check_told_ahead(game: Game, position: Position, method: str, steps: list[int]) -> None:
    """The value that a game returns for a step ahead of it equals that after the step, unless that ends the game."""
    if not defines(type(game), method):
        return
    for step in steps:
        after = position.deal(step) if position.turn == CHANCE else position.play(step)
        for player in range(game.players):
            told = float(getattr(position._rules, method)(position._state, step, player))
            found = math.nan if after.is_terminal else float(after._rules.heuristic(after._state, player))
            require(
                math.isnan(told) or abs(told - found) < 1e-9,
                f"{method} of player {player + 1} is {told:g} and not {found:g} "
                f"for {position.step_name(step)} at '{position.text}'",
            )


def check_ignored(game: Game, position: Position) -> None:
    """If a game ignores outcomes, its heuristic before a roll equals that after each outcome that ends nothing."""
    if not game.ignores_outcomes:
        return
    for player in range(game.players):
        before = float(position._rules.heuristic(position._state, player))
        for outcome in position.outcomes():
            after = position.deal(outcome.number)
            value = before if after.is_terminal else after.evaluations()[player]
            require(
                abs(value - before) < 1e-9,
                f"ignores_outcomes is declared, but the heuristic of player {player + 1} is {before:g} before "
                f"{outcome.name} and {value:g} after it, at '{position.text}'",
            )


def check_best_after(game: Game, position: Position, actions: list[int]) -> None:
    """The value of `best_after` equals the heuristic after the best action, unless an action ends the game."""
    if not defines(type(game), "best_after"):
        return
    after = [position.play(action) for action in actions]
    for player in range(game.players):
        told, count = position._rules.best_after(position._state, player)
        if math.isnan(told):
            continue
        ends = any(reached.is_terminal for reached in after)
        require(not ends, f"best_after is {told:g}, though an action ends the game, at '{position.text}'")
        best = max(after, key=lambda reached: reached._rules.heuristic(reached._state, position.turn))
        found = float(best._rules.heuristic(best._state, player))
        require(
            count == len(actions) and abs(told - found) < 1e-9,
            f"best_after of player {player + 1} is {told:g} of {count} actions and not {found:g} of {len(actions)} "
            f"at '{position.text}'",
        )


def check_ceilings(game: Game, path: list[Position]) -> None:
    """No value in a game is above what `ceiling` returned up to `CEILING_DECISIONS` decisions before."""
    if not defines(type(game), "ceiling"):
        return
    made = [sum(position.turn >= 0 for position in path[:i]) for i in range(len(path))]
    values = [position.evaluations() for position in path]
    for i, position in enumerate(path[:-1]):
        for player, left in product(range(game.players), range(CEILING_DECISIONS + 1)):
            ceiling = position._rules.ceiling(position._state, player, left)
            for j in range(i, len(path)):
                if made[j] - made[i] > left:
                    break
                require(
                    values[j][player] <= ceiling + 1e-9,
                    f"ceiling of player {player + 1} is {ceiling:g} for {left} decisions at '{position.text}', and "
                    f"{made[j] - made[i]} later the value is {values[j][player]:g}",
                )
