"""Our games and players for OpenSpiel: ``openspiel_game("ewn")`` is a `pyspiel.Game`, ``openspiel_bot("star2")`` a bot.

Importing this module needs OpenSpiel. Actions and chance outcomes are places in our lists (see `numbers`). What the
set-up of a game leaves to chance is drawn from a seed, which is part of the game.
"""

# mypy: disable-error-code="no-untyped-call, misc, no-any-unimported"
from __future__ import annotations

import re
from typing import Any

import numpy as np

from astragal.adapters.numbers import action_at, place_of, vector_of, vector_size
from astragal.algorithms.limits import Limits
from astragal.base.errors import AstragalError, SpecError
from astragal.games import game_names, game_spec, load_game
from astragal.games.openspiel.library import PREFIX, load_openspiel
from astragal.players import load_player
from astragal.players.player import Player
from astragal.rules.decorator import keeps_secrets
from astragal.rules.position import Position

pyspiel: Any = load_openspiel("our games for OpenSpiel")
LONGEST = 1_000_000  # decisions of a game without a bound
registered: dict[tuple[str, int], str] = {}  # (spec, seed) -> OpenSpiel's name of it


def openspiel_game(game: str | Any, seed: int = 0) -> Any:
    """One of our games, by its text or itself, as a game of OpenSpiel's; it is registered under a name of its own."""
    return pyspiel.load_game(register(game, seed))


def register_games() -> list[str]:
    """Make all built-in games known to `pyspiel.load_game`, as ``astragal_ewn`` and so on; their names there."""
    return [register(name) for name in game_names()]


def register(game: str | Any, seed: int = 0) -> str:
    rules = load_game(game)
    spec = game_spec(rules)
    if (spec, seed) in registered:
        return registered[spec, seed]
    if spec.startswith(PREFIX):
        raise SpecError(f"{spec} is OpenSpiel's already")
    if keeps_secrets(rules):
        raise SpecError(f"{spec} may have players who choose at once; only games of perfect information go there")
    words = re.sub(r"\W+", "_", spec).strip("_").lower()
    name = f"astragal_{words}" + (f"_seed_{seed}" if seed else "")
    if name in pyspiel.registered_names():
        name += f"_{len(registered)}"
    kind, info = game_type(rules, name), game_info(rules)

    class OneGame(AstragalGame):
        def __init__(self, params: Any = None) -> None:
            super().__init__(kind, info, params or {})
            self.start = Position.start(rules, seed)

    pyspiel.register_game(kind, OneGame)
    registered[spec, seed] = name
    return name


def game_type(rules: Any, name: str) -> Any:
    types = pyspiel.GameType
    return types(
        short_name=name,
        long_name=f"Astragal {game_spec(rules)}",
        dynamics=types.Dynamics.SEQUENTIAL,
        chance_mode=types.ChanceMode.EXPLICIT_STOCHASTIC if rules.max_outcomes else types.ChanceMode.DETERMINISTIC,
        information=types.Information.PERFECT_INFORMATION,
        utility=types.Utility.ZERO_SUM if rules.zero_sum else types.Utility.GENERAL_SUM,
        reward_model=types.RewardModel.TERMINAL,
        max_num_players=rules.players,
        min_num_players=rules.players,
        provides_information_state_string=False,
        provides_information_state_tensor=False,
        provides_observation_string=True,
        provides_observation_tensor=True,
        parameter_specification={},
    )


def game_info(rules: Any) -> Any:
    low, high = rules.utility_range
    return pyspiel.GameInfo(
        num_distinct_actions=rules.max_actions,
        max_chance_outcomes=rules.max_outcomes,
        num_players=rules.players,
        min_utility=low,
        max_utility=high,
        utility_sum=0.0 if rules.zero_sum else None,
        max_game_length=rules.max_plies or LONGEST,
    )


class AstragalGame(pyspiel.Game):
    """One of our games."""

    start: Position

    def new_initial_state(self, state: Any = None) -> AstragalState:
        return AstragalState(self)

    def max_chance_nodes_in_history(self) -> int:
        return self.max_game_length() if self.start.game.max_outcomes else 0

    def make_py_observer(self, iig_obs_type: Any = None, params: Any = None) -> Any:
        if iig_obs_type is None or (iig_obs_type.public_info and not iig_obs_type.perfect_recall):
            return StateObserver(self.start)
        from open_spiel.python.observation import IIGObserverForPublicInfoGame

        return IIGObserverForPublicInfoGame(iig_obs_type, params)


class AstragalState(pyspiel.State):
    """A position, under OpenSpiel's interface."""

    def __init__(self, game: AstragalGame) -> None:
        super().__init__(game)
        self.position = game.start

    def current_player(self) -> int:
        turn = self.position.turn
        ids = pyspiel.PlayerId
        return turn if turn >= 0 else ids.CHANCE if self.position.is_chance else ids.TERMINAL

    def is_terminal(self) -> bool:
        return self.position.is_terminal

    def _legal_actions(self, player: int) -> list[int]:
        return list(range(len(self.position.actions())))

    def chance_outcomes(self) -> list[tuple[int, float]]:
        return [(place, outcome.probability) for place, outcome in enumerate(self.position.outcomes())]

    def _apply_action(self, action: int) -> None:
        if self.position.is_chance:
            self.position = self.position.follow(self.position.outcomes()[action].number)
        else:
            self.position = self.position.follow(action_at(self.position, action))

    def _action_to_string(self, player: int, action: int) -> str:
        if player == pyspiel.PlayerId.CHANCE:
            return self.position.outcomes()[action].name
        return self.position.action_name(action_at(self.position, action))

    def returns(self) -> list[float]:
        return list(self.position.utilities()) if self.position.is_terminal else [0.0] * self.position.game.players

    def __str__(self) -> str:
        return self.position.text


class StateObserver:
    """What all players see: the state as numbers, and as the game's notation."""

    def __init__(self, start: Position) -> None:
        self.tensor = np.zeros(vector_size(start.game), np.float32)
        self.dict = {"state": self.tensor}

    def set_from(self, state: AstragalState, player: int) -> None:
        self.tensor[:] = vector_of(state.position)

    def string_from(self, state: AstragalState, player: int) -> str:
        return state.position.text


def openspiel_bot(player: str | Player, game: Any, seed: int = 0, limits: Limits | None = None) -> AstragalBot:
    """One of our players as a bot, for one of our games as OpenSpiel has it, or for a game of OpenSpiel's own."""
    return AstragalBot(player, game, seed, limits)


class AstragalBot(pyspiel.Bot):
    """A player that is called for every move; each of its searches has a seed of its own."""

    def __init__(self, player: str | Player, game: Any, seed: int = 0, limits: Limits | None = None) -> None:
        super().__init__()
        self.rules = rules_of(game)
        self.player = load_player(player, self.rules)
        self.seed, self.limits = seed, limits
        self.restart()

    def restart(self) -> None:
        self.session = self.player.new_session()

    def restart_at(self, state: Any) -> None:
        self.restart()

    def inform_action(self, state: Any, player: int, action: int) -> None:
        """Nothing to do: every state is complete."""

    def provides_policy(self) -> bool:
        return False

    def step(self, state: Any) -> int:
        """The action that the player chooses at a state."""
        own = isinstance(state, AstragalState)
        asked = game_spec(state.position.game) if own else f"{PREFIX}{plain_name(state.get_game())}"
        if asked != game_spec(self.rules):
            raise AstragalError(f"this bot plays {game_spec(self.rules)}, not {asked}")
        position = state.position if own else Position.parse(self.rules, told(state))
        seed = self.seed + state.move_number()
        action = self.player.search(position, seed, self.limits, session=self.session).action_number
        if action is None:
            raise AstragalError(f"{self.player} has nothing to decide at '{position.text}'")
        return place_of(position, action) if own else action


def rules_of(game: Any) -> Any:
    """Our game behind one of OpenSpiel's: the one that it was made of, or its own with its parameters."""
    return game.start.game if isinstance(game, AstragalGame) else load_game(PREFIX + plain_name(game))


def plain_name(game: Any) -> str:
    """A game of OpenSpiel's own as we name it."""
    return str(game).removesuffix("()")


def told(state: Any) -> str:
    """A state of OpenSpiel's own in our notation: its history."""
    return ",".join(map(str, state.history())) or "start"
