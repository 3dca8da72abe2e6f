"""What a player may spend on a move: seconds, or work that does not depend on the machine.

A size with seconds has players with as many seconds of the processor (equal time), one with nodes or simulations
players with as many of those (equal nodes), one with both a column of each: what the works mean by "the same thinking
time" is judged by the first. In other games the number of nodes is that of Pig times how many more, or fewer, nodes our
searches visit there in the same processor time, rounded.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace
from typing import Any

from astragal.algorithms.limits import Limits
from astragal.base.parameters import split_settings
from astragal.games import load_game
from astragal.lab.size import Size
from astragal.players import load_player

NODES_TO_PIG: Mapping[str, float] = {"ewn": 0.9, "cant_stop": 0.45, "ra": 0.25}
SIMS_TO_PIG: Mapping[str, float] = {"ewn": 0.8, "cant_stop": 0.7, "ra": 0.7}
LIMITS = {"time", "nodes", "sims", "depth"}


EQUAL_TIME, EQUAL_NODES = "equal time", "equal nodes"


def budgets(size: Size) -> Iterator[tuple[str, Size]]:
    """The columns of a table of strength, each with a size that has one kind of limits."""
    if size.time:
        yield EQUAL_TIME, size
    if size.nodes or size.sims:
        yield EQUAL_NODES, replace(size, time=0.0)


def limits_of(size: Size) -> Limits:
    """For all players of a contest: their time, or each player's own limits."""
    return Limits(time=size.time) if size.time else Limits()


def work_limits(player: str, game: str, size: Size) -> Limits:
    """A player's share of work: simulations or nodes; none where it has neither."""
    made, name = load_player(player, load_game(game)), game.partition(":")[0]
    if hasattr(made, "sims"):
        return Limits(sims=round(size.sims * SIMS_TO_PIG.get(name, 1.0)))
    if hasattr(made, "nodes"):
        return Limits(nodes=round(size.nodes * NODES_TO_PIG.get(name, 1.0)))
    return Limits()


def with_settings(player: str, **settings: Any) -> str:
    """A player, whether it has settings already or not, with more of them."""
    more = ",".join(f"{name}={value}" for name, value in settings.items())
    return f"{player}{',' if ':' in player else ':'}{more}" if more else player


def limited(player: str, game: str, size: Size) -> str:
    """A player with its share of work, where the size is not one by seconds. Players that do not search, or have limits
    of their own, stay as they are."""
    if size.time or LIMITS & set(split_settings(player.partition(":")[2], player)):
        return player
    limits = work_limits(player, game, size)
    return with_settings(player, **{name: value for name, value in vars(limits).items() if value is not None})


def limited_pair(pair: tuple[str, str], game: str, size: Size) -> tuple[str, str]:
    """The same for both players of a duel."""
    first, second = pair
    return limited(first, game, size), limited(second, game, size)
