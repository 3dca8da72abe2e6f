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
from astragal.learn.network import begin_with_own, first_weights

LOOKED_AT = 200  # positions of a random game whose inputs are looked at beforehand


def refuse_wrong_inputs(game: Any, seed: int) -> None:
    """Kernels believe what `features` lists: see in a random game whether it keeps to what the game says of it."""
    try:
        for position in islice(random_game(game, seed), LOOKED_AT):
            check_features(game, position)
    except Broken as fault:
        raise GameError(f"game {type(game).__name__}: {fault}") from None


def new_model(game: Any, hidden: int, seed: int, own: bool = False) -> Model:
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
    weights = first_weights(inputs, hidden, seed)
    if own:
        begin_with_own(weights, inputs, hidden, OWN_GRID)
    return Model(rules_text(game, own), inputs, most, hidden, weights, table, state, own)
