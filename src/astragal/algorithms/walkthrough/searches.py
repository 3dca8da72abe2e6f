"""The searches that can be walked through: each one's code, and the player whose search it is."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from astragal.algorithms.walkthrough.pseudo_code import CODES
from astragal.algorithms.walkthrough.star import StarWalk
from astragal.algorithms.walkthrough.uct import UctWalk
from astragal.algorithms.walkthrough.walk import MOST_EVENTS, Walk
from astragal.base.errors import SpecError, suggest
from astragal.rules.position import Position

PLAIN = "deepening=off,table=off,keep=on"


@dataclass(frozen=True)
class Walkable:
    """A search that can be walked through."""

    player: str  # the same search as a player, with a place for its size
    size: str  # what its size is: a depth, or a number of simulations
    usual: int
    walk: Callable[[Position, int, int], Walk]


def by_depth(prune: bool, probe: bool) -> Callable[[Position, int, int], Walk]:
    return lambda position, depth, seed: StarWalk(position, depth, prune, probe).run()


SEARCHES = {
    "exp": Walkable(f"exp:depth={{}},{PLAIN}", "depth", 2, by_depth(False, False)),
    "alphabeta": Walkable("mm:depth={},keep=on", "depth", 2, by_depth(True, False)),
    "star1": Walkable(f"star1:depth={{}},prune_above=0,{PLAIN}", "depth", 2, by_depth(True, False)),
    "star2": Walkable(f"star2:depth={{}},prune_above=0,{PLAIN}", "depth", 2, by_depth(True, True)),
    "uct": Walkable("uct:sims={},keep=on", "simulations", 30, lambda p, sims, seed: UctWalk(p, sims, seed).run()),
}


def walkable(name: str) -> Walkable:
    """The search of a name, or a sentence."""
    if name not in SEARCHES:
        raise SpecError(f"'{name}' cannot be walked through ({', '.join(SEARCHES)} can){suggest(name, SEARCHES)}")
    return SEARCHES[name]


def walked(name: str, position: Position, size: int, seed: int = 0) -> dict[str, Any]:
    """A search event by event, with its code."""
    search, code = walkable(name), CODES[name]
    return search.walk(position, size, seed).as_dict() | {
        "search": name,
        "title": code.title,
        "source": code.source,
        "code": code.lines,
        "player": search.player.format(size),
        "most": MOST_EVENTS,
        "range": list(map(float, position.game.utility_range)),
    }
