"""Search trees as tests look at them: grown by a tree search, and walked node by node beside the game's own spots."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from astragal.algorithms.limits import Limits
from astragal.algorithms.request import SearchRequest
from astragal.algorithms.result import SearchResult
from astragal.algorithms.tree.search import TreeSearch
from astragal.algorithms.tree.settings import TreeSettings
from astragal.algorithms.tree.store import TreeSession, children_of
from astragal.rules.decorator import CHANCE, TERMINAL
from astragal.rules.position import Position
from support.spots import Spot, Spots


def grow(here: Position, sims: int, seed: int = 0, session: TreeSession | None = None, **settings: Any) -> SearchResult:
    """Search with a small tree that is handed out, by evaluations unless rollouts are wanted."""
    settings = {"solver": "standard", "rollout": 0, "memory": 4, "keep": True} | settings
    request = SearchRequest(here, seed=seed, limits=Limits(sims=sims), session=session)
    return TreeSearch(request, TreeSettings(**settings)).answer()


@dataclass
class Grown:
    """A node of a search tree, and the spot of the game it stands for."""

    spot: Spot
    turn: int
    owner: int  # who chose it
    visits: int
    sum: float
    winner: int | None  # who is proven to win
    bounds: tuple[float, float]
    chance: float  # the probability that leads here
    children: list[Grown]
    is_whole: bool  # whether it has a child for every action or outcome

    @property
    def is_end(self) -> bool:
        return self.turn == TERMINAL

    def __iter__(self) -> Iterator[Grown]:
        """This node and all below it."""
        yield self
        for child in self.children:
            yield from child

    def after(self, *actions: int) -> Grown:
        """The node that actions and outcomes lead to, as indices in the order in which the game lists them."""
        here = self
        for number in actions:
            here = here.children[number]
        return here


def grown(result: SearchResult, spots: Spots, spot: Spot) -> Grown:
    """The tree of a search from a spot."""
    game, view = result.tree.position.game, result.tree
    nodes, extra = view.nodes.tolist(), view.extra.tolist()

    def grown_from(index: int, spot: Spot, owner: int) -> Grown:
        total, visits, first, _, _, winner, _ = nodes[index]
        lower, upper, chance, _ = extra[index]
        turn = spots.turn(spot)
        below = owner if turn == CHANCE else turn
        indices = children_of(game, view, index) if first else []
        moves = spots.moves(spot) if indices else {}
        by_action = {nodes[child][3]: child for child in indices}
        children = [grown_from(by_action[action], moves[action], below) for action in moves if action in by_action]
        assert len(children) == len(indices)
        whole = len(children) == len(moves) > 0
        known = None if winner == 0 else winner - 1
        return Grown(spot, turn, owner, visits, total, known, (lower, upper), chance, children, whole)

    return grown_from(0, spot, max(spots.turn(spot), 0))
