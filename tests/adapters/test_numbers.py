"""Positions in the numbers of other libraries, which need not be installed for this."""

from __future__ import annotations

import numpy as np
import pytest

from astragal import AstragalError, Position
from astragal.adapters.numbers import action_at, mask_of, place_of, vector_of, vector_size
from support.simultaneous_games import Pennies, chosen


def test_what_is_hidden_from_the_player_to_move_is_in_no_vector():
    first, second = (vector_of(chosen(Pennies(), action)) for action in (0, 1))
    assert np.array_equal(first, second)
    assert len(first) == vector_size(Pennies())


def test_actions_are_their_places_among_the_legal_ones():
    start = Position.start(Pennies())
    actions = start.actions()
    assert [action_at(start, place_of(start, action)) for action in actions] == actions
    assert mask_of(start).sum() == len(actions)
    with pytest.raises(AstragalError, match="action 2 is not legal"):
        action_at(start, 2)
