"""The hybrid that the conclusion of Ramanujan & Selman 2011 asks for."""

from __future__ import annotations

import time as clock
from dataclasses import replace
from typing import ClassVar

from astragal.algorithms.depth_first.settings import EVALUATION
from astragal.algorithms.limits import DEFAULT_SECONDS, MAX_DEPTH, Limits
from astragal.algorithms.request import SearchRequest
from astragal.algorithms.result import SearchResult
from astragal.base.parameters import parameter
from astragal.players.player import Player, player
from astragal.rules.protocol import Game


@player("hybrid", 3)
class Hybrid(Player):
    """Tree search while ends of the game are rare, then alpha-beta (Ramanujan & Selman 2011); for two, no chance.

    A part of the budget goes to an alpha-beta search, which counts the ends it meets, as the paper does. If there
    are more of them for each other node than the threshold, alpha-beta gets the rest of the budget. If it has searched
    the whole game, its answer is final.
    """

    compiles: ClassVar[bool] = True
    time: float | None = parameter(None, "seconds per move (0.2 if no limit is set)", low=0.001, high=1e6)
    nodes: int | None = parameter(None, "nodes per move (repeatable, unlike seconds)", low=2, high=10**15)
    threshold: float = parameter(
        0.003, "alpha-beta plays where it meets at least this many ends of the game per other node", low=0.0, high=1e6
    )
    look: float = parameter(0.1, "share of the budget spent on counting these ends", low=0.001, high=0.9)
    tree: str = parameter(
        "uctmax_h",
        "the tree search that plays otherwise, with its settings for the game",
        choices=("uctmax_h", "uct_h", "uct", "mcts"),
    )
    depth: int | None = parameter(None, "most decisions that alpha-beta looks ahead", low=1, high=MAX_DEPTH)
    evaluation: str = parameter("own", EVALUATION)
    keep: bool = parameter(False, "return the tree of the search that decided with the result")

    @property
    def limits(self) -> Limits:
        return Limits(time=self.time, nodes=self.nodes)

    def versions(self) -> dict[str, int]:
        from astragal.algorithms.alphabeta.search import AlphaBetaSearch
        from astragal.algorithms.alphabeta.settings import AlphaBetaSettings
        from astragal.algorithms.tree.search import TreeSearch

        return AlphaBetaSearch.versions(AlphaBetaSettings()) | TreeSearch.versions()

    def refuse_unfit(self, game: Game) -> None:
        from astragal.algorithms.alphabeta.search import AlphaBetaSearch

        super().refuse_unfit(game)
        AlphaBetaSearch.refuse(game, self, self.player_name)

    def answer(self, request: SearchRequest) -> SearchResult:
        from astragal.players import load_player

        position, seed, chosen = request.position, request.seed, request.limits
        self.refuse_unfit(position.game)
        chosen.refuse(self.player_name, sims="simulations of its own", depth="depth of its own")
        if chosen == Limits():
            chosen = Limits(time=DEFAULT_SECONDS)
        alphabeta, tree = (
            replace(load_player(name, position.game), keep=self.keep)  # type: ignore[call-arg]
            for name in ("alphabeta", self.tree)
        )
        tree.search(position, seed, Limits(sims=1))  # compiled before the clock starts
        alphabeta.search(position, seed, Limits(nodes=1))
        started = clock.perf_counter()
        first = alphabeta.search(position, seed, replace(portion(chosen, self.look), depth=self.depth))
        ratio = first.terminal_ratio or 0.0
        rest = portion(chosen, 1.0 - self.look)
        if first.complete:
            final = first
        elif ratio > self.threshold:
            final = alphabeta.search(position, seed, replace(rest, depth=self.depth), request.progress)
        else:
            final = tree.search(position, seed, rest, request.progress)
        counts = final.counts | {"looked_at": first.nodes, "ends_seen": first.counts["terminals"]}
        nodes = first.nodes + (0 if final is first else final.nodes)
        seconds = clock.perf_counter() - started
        return replace(final, player=str(self), counts=counts, nodes=nodes, seconds=seconds)


def portion(limits: Limits, share: float) -> Limits:
    """A part of a budget."""
    return Limits(
        time=None if limits.time is None else share * limits.time,
        nodes=None if limits.nodes is None else max(1, round(share * limits.nodes)),
    )
