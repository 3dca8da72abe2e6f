"""What must hold at every position: the lists and probabilities, the player to move, the values."""

from __future__ import annotations

import math

from astragal.rules.checks.optional_methods import (
    check_best_after,
    check_ceilings,
    check_features,
    check_ignored,
    check_result,
    check_skip,
    check_told_ahead,
)
from astragal.rules.checks.promise import ENOUGH_POSITIONS, Broken, random_game, require
from astragal.rules.checks.secrets import check_secrets
from astragal.rules.decorator import CHANCE, TERMINAL, defines
from astragal.rules.faults import definition
from astragal.rules.position import Position
from astragal.rules.protocol import Game


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
    require(turn in (CHANCE, TERMINAL, *range(game.players)), f"turn is {turn} {where}{place(game, 'turn')}")
    check_repeated(position)
    check_features(game, position)
    check_result(game, position)
    if turn == CHANCE:
        outcomes = position.outcomes()
        require(len(outcomes) > 0, f"chance has no outcome {where}")
        require(len({o.number for o in outcomes}) == len(outcomes), f"an outcome is listed twice {where}")
        require(all(o.probability > 0 for o in outcomes), f"an outcome has probability 0 or less {where}")
        total = math.fsum(o.probability for o in outcomes)
        require(abs(total - 1) < 1e-9, f"probabilities sum to {total:.12g} {where}{place(game, 'probability')}")
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
    found = place(game, kind)
    for player, value in enumerate(values):
        sentence = f"{kind} of player {player + 1} is {value:g}, out of range, {where}"
        require(low - 1e-9 <= value <= high + 1e-9, sentence + found)
    if game.zero_sum:
        off = abs(sum(values) - game.players * (low + high) / 2)
        hint = "; a game in which they need not says zero_sum = False"
        require(off < 1e-6, f"{kind} values do not cancel out {where}{found}{hint}")


def place(game: Game, method: str) -> str:
    """Where a game's method is; nothing if it is a default."""
    return f" ({definition(getattr(type(game), method))}, in {method})" if defines(type(game), method) else ""


def check_repeated(position: Position) -> None:
    """The same step twice leads to the same state."""
    steps = [outcome.number for outcome in position.outcomes()] or position.actions()
    if steps and position.follow(steps[-1]) != position.follow(steps[-1]):
        method, noun = ("deal", "outcome") if position.is_chance else ("play", "action")
        same = f"{method} of {noun} {position.step_name(steps[-1])} at '{position.text}'"
        raise Broken(f"{same} led to two different states; what is left to chance belongs in outcomes and deal")
