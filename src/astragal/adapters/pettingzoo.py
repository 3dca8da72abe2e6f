"""Our games for PettingZoo: ``pettingzoo_env("ewn")`` is an AEC environment of as many agents as the game has players.

Importing this module needs PettingZoo. An observation is the state as a vector and a mask of legal actions (see
`numbers`); rewards are the game's utilities, at the end. Chance is drawn from the seed of `reset`.
"""

# mypy: disable-error-code="no-untyped-call, misc, no-any-unimported"
from __future__ import annotations

import secrets
from typing import Any

import numpy as np

from astragal.adapters.numbers import action_at, mask_of, missing, vector_bounds, vector_of, vector_size
from astragal.base.errors import AstragalError
from astragal.games import game_name, load_game
from astragal.rules.dice import Dice
from astragal.rules.position import Position

try:
    from gymnasium import spaces
    from pettingzoo import AECEnv
    from pettingzoo.utils import wrappers
except ImportError:
    raise missing("PettingZoo", "pettingzoo") from None


def pettingzoo_env(game: str | Any, max_steps: int | None = None, render_mode: str | None = None) -> Any:
    """A game, by its text or itself, as an environment: an illegal action ends it, with the least utility."""
    raw = GameEnv(game, max_steps, render_mode)
    low = float(raw.rules.utility_range[0])
    return wrappers.OrderEnforcingWrapper(
        wrappers.AssertOutOfBoundsWrapper(wrappers.TerminateIllegalWrapper(raw, illegal_reward=low))
    )


class GameEnv(AECEnv):
    """The environment itself, in which an illegal action is an error."""

    def __init__(self, game: str | Any, max_steps: int | None = None, render_mode: str | None = None) -> None:
        super().__init__()
        self.rules = load_game(game)
        self.max_steps, self.render_mode = max_steps, render_mode
        self.metadata = {
            "name": f"astragal_{game_name(self.rules)}_v0",
            "render_modes": ["ansi", "human"],
            "is_parallelizable": False,
            "render_fps": 1,
        }
        self.possible_agents = [f"player_{seat + 1}" for seat in range(self.rules.players)]
        self.agents: list[str] = []
        low, high = vector_bounds(self.rules)
        most, size = self.rules.max_actions, vector_size(self.rules)
        self.action_spaces = {agent: spaces.Discrete(most) for agent in self.possible_agents}
        self.observation_spaces = {
            agent: spaces.Dict(
                {
                    "observation": spaces.Box(low, high, (size,), np.float32),
                    "action_mask": spaces.Box(0, 1, (most,), np.int8),
                }
            )
            for agent in self.possible_agents
        }
        self.dice = Dice(secrets.randbits(63))

    def action_space(self, agent: str) -> Any:
        return self.action_spaces[agent]

    def observation_space(self, agent: str) -> Any:
        return self.observation_spaces[agent]

    def reset(self, seed: int | None = None, options: dict[str, Any] | None = None) -> None:
        """Begin again; what is left to chance comes from the seed, or goes on from the last one's."""
        if seed is not None:
            self.dice = Dice(seed)
        self.position = Position.start(self.rules, self.dice.bits() >> 1).settled(self.dice)
        self.agents = self.possible_agents.copy()
        self.rewards = dict.fromkeys(self.agents, 0.0)
        self._cumulative_rewards = dict.fromkeys(self.agents, 0.0)
        self.terminations = dict.fromkeys(self.agents, False)
        self.truncations = dict.fromkeys(self.agents, False)
        self.infos: dict[str, dict[str, Any]] = {agent: {} for agent in self.agents}
        self.steps = 0
        self.look()

    def look(self) -> None:
        """Set whose turn it is, or at the end what each player gets."""
        if self.position.is_terminal:
            self.rewards = dict(zip(self.agents, self.position.utilities(), strict=True))
            self.terminations = dict.fromkeys(self.agents, True)
        else:
            self.agent_selection = self.possible_agents[self.position.turn]
            if self.max_steps is not None and self.steps >= self.max_steps:
                self.truncations = dict.fromkeys(self.agents, True)

    def observe(self, agent: str) -> dict[str, Any]:
        """An agent's observation; no action is legal for those who are not to move."""
        mine = self.position.turn == self.possible_agents.index(agent)
        mask = mask_of(self.position) if mine else np.zeros(self.rules.max_actions, np.int8)
        return {"observation": vector_of(self.position), "action_mask": mask}

    def step(self, action: int | None) -> None:
        """An action of the agent whose turn it is, and what chance brings after it."""
        if not self.agents:
            raise AstragalError("no episode has begun, or it is over; call reset() before step()")
        agent = self.agent_selection
        if self.terminations[agent] or self.truncations[agent]:
            self._was_dead_step(action)
            return
        assert action is not None
        self.position = self.position.follow(action_at(self.position, int(action))).settled(self.dice)
        self.steps += 1
        self._cumulative_rewards[agent] = 0.0
        self._clear_rewards()
        self.look()
        self._accumulate_rewards()
        if self.render_mode == "human":
            self.render()

    def render(self) -> str | None:
        if self.render_mode == "ansi":
            return str(self.position)
        if self.render_mode == "human":
            print(self.position)
        return None

    def close(self) -> None:
        """Nothing to close."""
