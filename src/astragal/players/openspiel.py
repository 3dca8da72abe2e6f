"""OpenSpiel's own tree search as a player, to measure ours against: https://github.com/google-deepmind/open_spiel."""

from __future__ import annotations

import time as clock
from dataclasses import replace
from typing import Any, ClassVar

from astragal.algorithms.limits import WRITE_UP_SECONDS, Limits, limits_for
from astragal.algorithms.request import SearchRequest
from astragal.algorithms.result import ESTIMATE, PROVEN, ActionValue, SearchResult
from astragal.base.parameters import parameter
from astragal.games.openspiel.library import load_openspiel
from astragal.players.player import Player, player, require_decision
from astragal.players.programs.mirrors import RULES, WHO, Mirror, mirror_of, refuse_unlike
from astragal.rules.position import History
from astragal.rules.protocol import Game

MOST = 2**31 - 1  # simulations: no limit; and the largest seed
FEWEST = 2  # simulations: the first one visits the root alone


class Session:
    """The mirror of the game so far, kept from move to move."""

    def __init__(self) -> None:
        self.mirror: Mirror | None = None


@player("openspiel", 4)
class OpenSpiel(Player):
    """OpenSpiel's C++ MCTSBot with random rollouts, to compare with, in games that it has with the same rules.

    Its state follows the game from the beginning. OpenSpiel itself keeps the time: it looks at the clock after every
    simulation, and is given a little less than the limit, for what is done after it. A search cannot be interrupted.
    In OpenSpiel a win, a draw and a loss have fixed utilities; values are converted to the game's scale.
    """

    only_for: ClassVar[tuple[str, ...]] = tuple(RULES)
    keeps_time: ClassVar[bool] = True
    time: float | None = parameter(None, "seconds per move (0.2 if no limit is set)", low=0.001, high=1e6)
    sims: int | None = parameter(None, "simulations per move", low=1, high=MOST)
    c: float = parameter(2.0, "OpenSpiel's uct_c: exploration, on the scale from -1 to 1", low=0.0, high=1e6)
    rollouts: int = parameter(1, "random games per evaluation", low=1, high=10**6)
    solve: bool = parameter(True, "prove wins, draws and losses")
    memory: int = parameter(1000, "most megabytes for its tree", low=1, high=10**6)

    def refuse_unfit(self, game: Game) -> None:
        super().refuse_unfit(game)
        refuse_unlike(game)

    def new_session(self) -> Session:
        return Session()

    def answer(self, request: SearchRequest) -> SearchResult:
        position = request.position
        self.refuse_unfit(position.game)  # loads OpenSpiel, which no move pays for
        started = clock.perf_counter()
        require_decision(position, self.player_name)
        limits = limits_for(position, request.limits, self.player_name, {"depth": "depth"})
        session = request.session or Session()
        session.mirror = mirror_of(request.history or History(position), session.mirror)
        assert session.mirror.position == position
        root = self.search_tree(session.mirror, limits, request.seed, started)
        return self.told(session.mirror, root, request, clock.perf_counter() - started)

    def search_tree(self, mirror: Mirror, limits: Limits, seed: int, started: float) -> Any:
        """OpenSpiel's tree, with the root's children in it however short the time."""
        pyspiel = load_openspiel(WHO)

        def search(simulations: int, seconds: float) -> Any:
            evaluator = pyspiel.RandomRolloutEvaluator(self.rollouts, seed & MOST)
            settings = (self.c, simulations, self.memory, self.solve, seed & MOST, False)
            bot = pyspiel.MCTSBot(mirror.game, evaluator, *settings, max_wall_clock_time=seconds)
            return bot.mcts_search(mirror.state)

        simulations = max(FEWEST, min(limits.simulations, MOST))
        seconds = -1.0  # no limit
        if limits.time is not None:
            seconds = max(limits.time / 2, limits.time - (clock.perf_counter() - started) - WRITE_UP_SECONDS)
        root = search(simulations, seconds)
        return root if root.children else search(FEWEST, -1.0)

    def told(self, mirror: Mirror, root: Any, request: SearchRequest, seconds: float) -> SearchResult:
        """What OpenSpiel has found, in our numbers."""
        position, numbers = request.position, mirror.actions()
        low, high = position.game.utility_range

        def row(child: Any) -> ActionValue:
            action = numbers[child.action]
            mean = child.total_reward / child.explore_count if child.explore_count else 0.0
            worth = child.outcome[child.player] if child.outcome else mean
            value = low + (worth + 1.0) / 2.0 * (high - low)
            known = PROVEN if child.outcome else ESTIMATE
            return ActionValue(action, position.action_name(action), value, known, child.explore_count)

        best = row(root.best_child())
        others = sorted((row(child) for child in root.children), key=lambda other: -(other.visits or 0))
        answer = request.answer(best.number)
        return replace(
            answer,
            value=best.value,
            bound=best.bound,
            actions=[best, *(other for other in others if other.number != best.number)],
            complete=bool(root.outcome),
            nodes=root.explore_count,
            simulations=root.explore_count,
            seconds=seconds,
        )
