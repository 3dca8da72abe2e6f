"""No search calls a value exact or proven where players choose at once: only solved games give such values there."""

from __future__ import annotations

from contextlib import suppress

import pytest

from astragal import AstragalError, Limits, Position, player_classes, search
from support.simultaneous_games import Pennies


@pytest.mark.slow
@pytest.mark.interpreted
def test_no_search_calls_a_value_exact_where_players_choose_at_once():
    """Of all players that do not refuse the game."""
    here, found = Position.start(Pennies(2)), set()
    for name, kind in player_classes(here.game).items():
        with suppress(AstragalError):
            result = search(here, name, limits=Limits(nodes=400)) if kind.compiles else None
            if result is not None:
                found.add(name)
                assert {result.bound, *(row.bound for row in result.actions)}.isdisjoint({"exact", "proven"}), name
                assert not result.complete, name
    assert found >= {"star", "uct", "mcs", "fsss"}
