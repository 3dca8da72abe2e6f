"""The model that learning begins with, and a look at what a game says of itself before kernels believe it."""

from __future__ import annotations

from itertools import islice
from typing import Any

from astragal.errors import GameError, SpecError
from astragal.game.conformance.optional_methods import check_features, check_result, named_results
from astragal.game.conformance.promise import Broken, random_game
from astragal.game.decorator import defines
from astragal.game.inputs import QUARTERS
from astragal.games import game_spec
from astragal.learn.derived import BY_EACH, OWN_GRID, has_features, views_of
from astragal.learn.from_fields import table_of_fields
from astragal.learn.model import Model, inputs_with, rules_text
from astragal.learn.network import begin_with_own, first_weights

LOOKED_AT = 200  # positions of a random game whose inputs are looked at beforehand


def refuse_wrong_words(game: Any, seed: int) -> None:
    """Kernels believe what `features` lists and the results that a game names: see in a random game whether it keeps
    to what it says of itself."""
    try:
        named_results(game)
        for position in islice(random_game(game, seed), LOOKED_AT):
            check_features(game, position)
            check_result(game, position)
    except Broken as fault:
        raise GameError(f"game {type(game).__name__}: {fault}") from None


def new_model(game: Any, hidden: int, seed: int, own: bool = False, by_results: bool = False) -> Model:
    """A model that knows nothing yet, or no more than the game's own evaluation."""
    table, state = None, ""
    if own and not defines(type(game), "heuristic"):
        raise SpecError(f"own=on: {game_spec(game)} has no evaluation of its own that could be an input")
    refuse_wrong_words(game, seed)
    results = named_results(game) if by_results else ()
    if has_features(game):
        inputs, most = inputs_with(game, own)
    else:
        views = game.players if views_of(game) == BY_EACH else 1
        table, inputs, most = table_of_fields(game, views, seed)
        inputs, most = (inputs + OWN_GRID, most + QUARTERS) if own else (inputs, most)
        state = str(game.state)
    weights = first_weights(inputs, hidden, max(1, len(results) - 1), seed)
    if own:
        begin_with_own(weights, inputs, hidden, OWN_GRID)
    return Model(rules_text(game, own), inputs, most, hidden, weights, table, state, own, results)
