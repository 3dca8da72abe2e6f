"""Thousands of games at once for Gymnasium: ``vector_env("ewn", 4096)`` steps all of them in one kernel call.

Importing this module needs Gymnasium. All seats are played by the caller: an action is that of the player to move, and
the reward that of the player who has moved. Actions have fixed numbers (`astragal.rules.steps`).
"""

# mypy: disable-error-code="no-untyped-call, misc, no-any-unimported"
from __future__ import annotations

import secrets
from typing import Any

import numpy as np

from astragal.adapters.many_games import ILLEGAL, OVER, RUNNING, step_games
from astragal.adapters.numbers import missing
from astragal.base.errors import AstragalError, GameError, SpecError
from astragal.games import game_spec, load_game
from astragal.learn.saving import inputs_of
from astragal.rules.decorator import keeps_secrets
from astragal.rules.dice import Dice
from astragal.rules.position import Position, start_states
from astragal.rules.steps import steps_of

try:
    from gymnasium import spaces
    from gymnasium.error import ResetNeeded
    from gymnasium.vector import AutoresetMode, VectorEnv
    from gymnasium.vector.utils import batch_space
except ImportError:
    raise missing("Gymnasium", "gymnasium") from None

STARTS = 1024  # set-ups that games begin with, drawn from the seed
MOST_GAMES = 1 << 20


def vector_env(game: str | Any, num_envs: int, *, actions: int | None = None, max_steps: int | None = None) -> Any:
    """Games side by side as a vectorised environment of Gymnasium, for an agent that plays all seats.

    ``actions`` is how many action numbers there are, for a game whose own numbers are fixed and that does not say so;
    ``max_steps`` truncates long games.
    """
    return GamesEnv(game, num_envs, actions, max_steps)


class GamesEnv(VectorEnv[Any, Any, Any]):
    """Many games of one kind. ``info["action_mask"]`` says what is legal, ``info["player"]`` who is to move."""

    metadata = {"render_modes": [], "autoreset_mode": AutoresetMode.NEXT_STEP}  # noqa: RUF012 (Gymnasium's own name)

    def __init__(
        self, game: str | Any, num_envs: int, actions: int | None = None, max_steps: int | None = None
    ) -> None:
        rules = load_game(game)
        if not 1 <= num_envs <= MOST_GAMES:
            raise SpecError(f"num_envs is a number of games from 1 to {MOST_GAMES:,}, not {num_envs}")
        if actions is not None and actions < 1:
            raise SpecError(f"actions is how many action numbers there are, not {actions}")
        if keeps_secrets(rules):
            raise AstragalError(f"{game_spec(rules)} hides choices from players; pettingzoo_env takes such games")
        self.rules, self.steps = rules, steps_of(rules, actions)
        self.inputs = inputs_of(rules)
        self.seen_game = self.inputs.evaluated
        self.num_envs, self.max_steps = num_envs, max_steps
        self.single_observation_space = spaces.Box(0, 255, (self.inputs.size,), np.uint8)
        self.single_action_space = spaces.Discrete(self.steps.size)
        self.observation_space = batch_space(self.single_observation_space, num_envs)
        self.action_space = batch_space(self.single_action_space, num_envs)
        self.states = np.zeros(num_envs, rules.state)
        self.made, self.status = np.zeros(num_envs, np.int64), np.full(num_envs, OVER, np.int64)
        self.masks = np.zeros((num_envs, self.steps.size), np.int8)
        self.seen = np.zeros((num_envs, self.inputs.size), np.uint8)
        self.players = np.zeros(num_envs, np.int64)
        self.rewards = np.zeros((num_envs, rules.players))
        self.lengths = np.zeros(num_envs, np.int64)
        self.starts: Any = None  # before the first reset
        self.every = np.arange(num_envs)
        self.dice = Dice(secrets.randbits(62))

    def reset(self, *, seed: int | None = None, options: dict[str, Any] | None = None) -> tuple[Any, dict[str, Any]]:
        """Begin all games anew; what is left to chance comes from the seed, or goes on from the last one's."""
        super().reset(seed=seed)
        if seed is not None:
            self.dice = Dice(seed)
        if seed is not None or self.starts is None:
            self.starts = start_states(self.rules, (self.dice.bits() >> 1 for _ in range(STARTS)))
        self.generators = np.array([self.dice.bits() for _ in range(self.num_envs)], np.uint64)
        self.status[:] = OVER
        self.play(np.zeros(self.num_envs, np.int64))
        return self.seen.copy(), self.info()

    def step(self, actions: Any) -> tuple[Any, Any, Any, Any, dict[str, Any]]:
        """A step of the player to move in each game; where a game was over, a new one begins instead."""
        if self.starts is None:
            raise ResetNeeded("no episode has begun; call reset() first")
        numbers = np.asarray(actions, np.int64)
        if numbers.shape != (self.num_envs,):
            raise SpecError(f"step takes an action for each of the {self.num_envs} games, not {numbers.shape}")
        acting, fresh = self.players.copy(), self.status != RUNNING
        self.play(numbers)
        self.lengths += 1
        self.lengths[fresh] = 0
        terminated = self.status != RUNNING
        truncated = np.zeros(self.num_envs, bool)
        if self.max_steps is not None:
            truncated = ~terminated & (self.lengths >= self.max_steps)
            self.status[truncated] = OVER
        return self.seen.copy(), self.rewards[self.every, acting], terminated, truncated, self.info()

    def play(self, actions: Any) -> None:
        game = self.seen_game
        wrong = step_games(
            *(game, self.steps, self.starts, self.states, self.made, self.status, self.generators),
            *(actions, self.masks, self.seen, self.players, self.rewards),
        )
        if wrong >= 0:
            highest = max(Position(self.rules, self.states[wrong : wrong + 1].copy()).actions())
            raise GameError(
                f"{game_spec(self.rules)} has an action with number {highest}, and {self.steps.size} action numbers "
                "are expected; give vector_env actions=, or the game's folder a steps.py"
            )

    def info(self) -> dict[str, Any]:
        """What is legal, who is to move, what every player got, and which games ended by an illegal action."""
        return {
            "action_mask": self.masks.copy(),
            "player": self.players.copy(),
            "rewards": self.rewards.copy(),
            "illegal": self.status == ILLEGAL,
        }
