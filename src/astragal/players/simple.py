"""The players that search nothing, or little: `random`, `greedy`, and `softmax`, which errs as people do."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import replace

from astragal.algorithms.depth_first.settings import EVALUATION
from astragal.algorithms.limits import Limits
from astragal.algorithms.multiplayer.settings import MaxnSettings
from astragal.algorithms.request import SearchRequest
from astragal.algorithms.result import SearchResult
from astragal.base.parameters import parameter
from astragal.players.player import Player, player, require_decision
from astragal.rules.dice import Dice, drawn
from astragal.rules.protocol import Game


@player("greedy", 4)
class Greedy(Player):
    """Plays the action with the best evaluation after it, on average over chance: a quick, fixed opponent.

    That is max^n one decision deep, whose kernel it runs: who compiles ahead compiles `maxn`.
    """

    evaluation: str = parameter("own", EVALUATION)

    def versions(self) -> dict[str, int]:
        from astragal.algorithms.multiplayer.search import MaxnSearch

        return MaxnSearch.versions()

    def answer(self, request: SearchRequest) -> SearchResult:
        from astragal.algorithms.multiplayer.search import MaxnSearch

        require_decision(request.position, "greedy")
        one_deep = replace(request, limits=Limits(nodes=10**9, depth=1), progress=None)
        found = MaxnSearch(one_deep, MaxnSettings(table="off")).answer()
        equal = [action for action in found.actions if action.value == found.value]
        chosen = equal[Dice(request.seed).below(len(equal))]
        rest = [action for action in found.actions if action is not chosen]
        return replace(
            found, action_number=chosen.number, action=chosen.action, actions=[chosen, *rest], line=[chosen.action]
        )


@player("random", 4)
class Random(Player):
    """Plays a uniformly random legal action: the weakest reference."""

    def answer(self, request: SearchRequest) -> SearchResult:
        actions = require_decision(request.position, "random")
        return request.answer(actions[Dice(request.seed).below(len(actions))])


@player("softmax", 4)
class Softmax(Player):
    """Plays each action with a chance that grows with its value: slips are frequent, blunders are rare.

    The chance is proportional to exp(value / temperature), as in Boltzmann exploration. Values are those of max^n,
    which prunes nothing, or with ``sims`` those of UCT. A temperature of 0 always plays the best action.
    """

    temperature: float = parameter(0.05, "how easily it errs, as a share of the range of utilities", low=0.0, high=1e6)
    depth: int = parameter(1, "decisions that max^n looks ahead", low=1, high=8)
    sims: int | None = parameter(None, "simulations of uct, in place of max^n", low=1, high=10**9)
    evaluation: str = parameter("own", EVALUATION)

    @property
    def limits(self) -> Limits:
        return Limits()

    def versions(self) -> dict[str, int]:
        from astragal.algorithms.multiplayer.search import MaxnSearch
        from astragal.algorithms.tree.search import TreeSearch

        return MaxnSearch.versions() if self.sims is None else TreeSearch.versions()

    def refuse_unfit(self, game: Game) -> None:
        from astragal.players import load_player

        super().refuse_unfit(game)
        if self.sims is not None:
            load_player("uct", game)

    def answer(self, request: SearchRequest) -> SearchResult:
        require_decision(request.position, "softmax")
        found = self.searched(request)
        low, high = request.position.game.utility_range
        chances = softmax([action.value for action in found.actions], self.temperature * (high - low))
        actions = [replace(action, share=chance) for action, chance in zip(found.actions, chances, strict=True)]
        chosen = actions[drawn(chances, request.seed)]
        return replace(
            found,
            action_number=chosen.number,
            action=chosen.action,
            value=chosen.value,
            actions=actions,
            line=[chosen.action],
        )

    def searched(self, request: SearchRequest) -> SearchResult:
        """A search that has a value for every action."""
        from astragal.algorithms.multiplayer.search import MaxnSearch
        from astragal.players import load_player

        if self.sims is None:
            limits = Limits(nodes=10**9, depth=self.depth)
            return MaxnSearch(replace(request, limits=limits, progress=None), MaxnSettings(table="off")).answer()
        uct = load_player("uct", request.position.game)
        return uct.answer(replace(request, limits=Limits(sims=self.sims), progress=None))


def softmax(values: Sequence[float | None], temperature: float) -> list[float]:
    """The chances of actions with these values; none of those without a value, unless none has any."""
    known = [value for value in values if value is not None]
    if not known:
        return [1.0 / len(values)] * len(values)
    best = max(known)

    def weight(value: float | None) -> float:
        if value is None:
            return 0.0
        return float(value == best) if temperature == 0.0 else math.exp((value - best) / temperature)

    weights = [weight(value) for value in values]
    return [each / sum(weights) for each in weights]
