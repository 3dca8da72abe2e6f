"""What must hold of every position: what is listed and how likely, who moves, what it is worth."""

from __future__ import annotations

import math

from astragal.game.conformance.optional_methods import (
    check_best_after,
    check_ceilings,
    check_features,
    check_ignored,
    check_result,
    check_skip,
    check_told_ahead,
)
from astragal.game.conformance.promise import ENOUGH_POSITIONS, Broken, random_game, require
from astragal.game.conformance.secrets import check_secrets
from astragal.game.decorator import CHANCE, TERMINAL
from astragal.game.position import Position
from astragal.game.protocol import Game


def check_random_games(game: Game, games: int, seed: int) -> str:
    plies = finished = played = 0
    while played < games and plies < ENOUGH_POSITIONS:
        path: list[Position] = []
        for position in random_game(game, seed + played):
            path.append(position)
            plies += 1
            finished += position.is_terminal
            check_position(game, position)
            check_secrets(game, path)
        check_ceilings(game, path)
        played += 1
    return f"{played} games, {finished} of them finished, {plies} positions"


def check_position(game: Game, position: Position) -> None:
    low, high = game.utility_range
    turn, where = position.turn, f"at '{position.text}'"
    require(turn in (CHANCE, TERMINAL, *range(game.players)), f"turn is {turn} {where}")
    check_repeated(position)
    check_features(game, position)
    check_result(game, position)
    if turn == CHANCE:
        outcomes = position.outcomes()
        require(len(outcomes) > 0, f"chance has no outcome {where}")
        require(len({o.number for o in outcomes}) == len(outcomes), f"an outcome is listed twice {where}")
        require(all(o.probability > 0 for o in outcomes), f"an outcome has probability 0 or less {where}")
        total = math.fsum(o.probability for o in outcomes)
        require(abs(total - 1) < 1e-9, f"probabilities sum to {total:.12g} {where}")
        check_told_ahead(game, position, "heuristic_dealt", [o.number for o in outcomes])
        check_ignored(game, position)
        return
    if turn != TERMINAL:
        actions = position.actions()
        require(len(actions) > 0, f"player {turn + 1} has no action {where}")
        require(len(set(actions)) == len(actions), f"an action is listed twice {where}")
        require(all(0 <= action < 2**32 for action in actions), f"an action is not a number from 0 to 2^32 - 1 {where}")
        check_skip(game, position)
        check_told_ahead(game, position, "heuristic_after", actions)
        check_best_after(game, position, actions)
    values = position.evaluations()
    kind = "utility" if turn == TERMINAL else "heuristic"
    for player, value in enumerate(values):
        require(
            low - 1e-9 <= value <= high + 1e-9, f"{kind} of player {player + 1} is {value:g}, out of range, {where}"
        )
    if game.zero_sum:
        hint = "; a game in which they need not says zero_sum = False"
        require(
            abs(sum(values) - game.players * (low + high) / 2) < 1e-6, f"{kind} values do not cancel out {where}{hint}"
        )


def check_repeated(position: Position) -> None:
    """The same step twice leads to the same state."""
    steps = [outcome.number for outcome in position.outcomes()] or position.actions()
    if steps and position.follow(steps[-1]) != position.follow(steps[-1]):
        method, noun = ("deal", "outcome") if position.is_chance else ("play", "action")
        same = f"{method} of {noun} {position.step_name(steps[-1])} at '{position.text}'"
        raise Broken(f"{same} led to two different states; what is left to chance belongs in outcomes and deal")
