"""The model that learning begins with, and a look at a game's inputs before kernels believe them."""

from __future__ import annotations

from itertools import islice
from typing import Any

from astragal.errors import GameError, SpecError
from astragal.game.conformance import Broken, check_features, random_game
from astragal.game.decorator import defines
from astragal.game.inputs import QUARTERS
from astragal.games import game_spec
from astragal.learn.derived import BY_EACH, OWN_GRID, has_features, views_of
from astragal.learn.from_fields import table_of_fields
from astragal.learn.model import Model, inputs_with, rules_text
from astragal.learn.network import MOST_CHANCES, begin_with_own, first_weights

LOOKED_AT = 200  # positions of a random game whose inputs are looked at beforehand


def refuse_wrong_inputs(game: Any, seed: int) -> None:
    """Kernels believe what `features` lists: see in a random game whether it keeps to what the game says of it."""
    try:
        for position in islice(random_game(game, seed), LOOKED_AT):
            check_features(game, position)
    except Broken as fault:
        raise GameError(f"game {type(game).__name__}: {fault}") from None


def results_of(game: Any) -> tuple[float, ...]:
    """The results that a game names, or a sentence on what is wrong with them."""
    results = tuple(float(each) for each in game.own_results())
    if not results:
        return ()
    said = f"game {type(game).__name__}: own_results is {results}"
    if not 2 <= len(results) <= MOST_CHANCES + 1 or list(results) != sorted(set(results)):
        raise GameError(f"{said}, which is not 2 to {MOST_CHANCES + 1} utilities from the lowest to the highest")
    if (results[0], results[-1]) != tuple(map(float, game.utility_range)):
        raise GameError(f"{said}, and utility_range from {game.utility_range[0]} to {game.utility_range[1]}")
    if views_of(game) != BY_EACH and any(a != -b for a, b in zip(results, reversed(results), strict=True)):
        raise GameError(f"{said}, but what one player wins the other loses")
    return results


def new_model(game: Any, hidden: int, seed: int, own: bool = False, by_results: bool = False) -> Model:
    """A model that knows nothing yet, or no more than the game's own evaluation."""
    table, state = None, ""
    if own and not defines(type(game), "heuristic"):
        raise SpecError(f"own=on: {game_spec(game)} has no evaluation of its own that could be an input")
    refuse_wrong_inputs(game, seed)
    if has_features(game):
        inputs, most = inputs_with(game, own)
    else:
        views = game.players if views_of(game) == BY_EACH else 1
        table, inputs, most = table_of_fields(game, views, seed)
        inputs, most = (inputs + OWN_GRID, most + QUARTERS) if own else (inputs, most)
        state = str(game.state)
    results = results_of(game) if by_results else ()
    weights = first_weights(inputs, hidden, max(1, len(results) - 1), seed)
    if own:
        begin_with_own(weights, inputs, hidden, OWN_GRID)
    return Model(rules_text(game, own), inputs, most, hidden, weights, table, state, own, results)
