"""Our games for Gymnasium: ``gymnasium_env("ewn", opponent="star2:depth=2")`` is one seat of a game against a player.

Importing this module needs Gymnasium, and makes the environment known to `gymnasium.make` as ``astragal/Game-v0``. An
observation is the state as a vector; ``info["action_mask"]`` and ``env.action_masks()`` say which actions are legal
(see `numbers`). An illegal action loses: the episode ends with the least utility.
"""

# mypy: disable-error-code="no-untyped-call, misc, no-any-unimported"
from __future__ import annotations

from typing import Any

import numpy as np

from astragal.adapters.numbers import action_at, mask_of, missing, vector_bounds, vector_of, vector_size
from astragal.base.errors import SpecError
from astragal.games import load_game
from astragal.players import load_player
from astragal.players.player import Player
from astragal.rules.dice import Dice
from astragal.rules.position import Position

try:
    import gymnasium
    from gymnasium import spaces
    from gymnasium.error import ResetNeeded
except ImportError:
    raise missing("Gymnasium", "gymnasium") from None

NAME = "astragal/Game-v0"


def gymnasium_env(
    game: str | Any, opponent: str | Player = "random", seat: int = 1, render_mode: str | None = None
) -> Any:
    """One seat of a game; a player, by its text or itself, has the others."""
    return SeatEnv(game, opponent, seat, render_mode)


class SeatEnv(gymnasium.Env[Any, Any]):
    """A game from one player's seat: others and chance have moved whenever it returns."""

    metadata = {"render_modes": ["ansi", "human"], "render_fps": 1}  # noqa: RUF012 (Gymnasium's own name for it)

    def __init__(
        self, game: str | Any, opponent: str | Player = "random", seat: int = 1, render_mode: str | None = None
    ) -> None:
        self.rules = load_game(game)
        if not 1 <= seat <= self.rules.players:
            raise SpecError(f"seat must be from 1 to {self.rules.players}, not {seat}")
        self.opponent, self.seat = load_player(opponent, self.rules), seat - 1
        self.render_mode = render_mode
        self.position: Position | None = None  # before the first episode
        self.is_over = True
        low, high = vector_bounds(self.rules)
        self.observation_space = spaces.Box(low, high, (vector_size(self.rules),), np.float32)
        self.action_space = spaces.Discrete(self.rules.max_actions)

    def reset(self, *, seed: int | None = None, options: dict[str, Any] | None = None) -> tuple[Any, dict[str, Any]]:
        """Begin again, up to the first decision of the seat; a game that is over before it is begun anew."""
        super().reset(seed=seed)
        while True:
            self.dice = Dice(int(self.np_random.integers(2**62)))
            self.sessions: dict[int, Any] = {}
            self.position = self.after_others(Position.start(self.rules, self.dice.bits() >> 1))
            self.is_over = self.position.is_terminal
            if not self.is_over:
                return vector_of(self.position), self.info()

    def step(self, action: Any) -> tuple[Any, float, bool, bool, dict[str, Any]]:
        """An action of the seat, and all that comes before its next one."""
        position, place = self.shown(), int(action)
        if self.is_over:
            raise ResetNeeded("the episode is over; call reset() before step()")
        self.is_over = not 0 <= place < len(position.actions())
        if self.is_over:
            return vector_of(position), self.rules.utility_range[0], True, False, self.info() | {"illegal": place}
        self.position = position = self.after_others(position.follow(action_at(position, place)))
        self.is_over = position.is_terminal
        reward = position.utilities()[self.seat] if self.is_over else 0.0
        if self.render_mode == "human":
            self.render()
        return vector_of(position), float(reward), self.is_over, False, self.info()

    def shown(self) -> Position:
        """The position, if there is one."""
        if self.position is None:
            raise ResetNeeded("no episode has begun; call reset() first")
        return self.position

    def after_others(self, position: Position) -> Position:
        """The position when it is this seat's turn or the game is over; chance and the other seats move before that."""
        while not position.is_terminal and position.turn != self.seat:
            if position.is_chance:
                position = position.sample(self.dice)
                continue
            session = self.sessions.setdefault(position.turn, self.opponent.new_session())
            chosen = self.opponent.search(position, self.dice.bits() >> 32, session=session).action_number
            assert chosen is not None
            position = position.follow(chosen)
        return position

    def action_masks(self) -> Any:
        """Which actions are legal, for libraries with masked policies; none after the end of an episode."""
        return self.info()["action_mask"].astype(bool)

    def info(self) -> dict[str, Any]:
        position = self.shown()
        if self.is_over:
            return {"action_mask": np.zeros(self.rules.max_actions, np.int8), "actions": []}
        return {"action_mask": mask_of(position), "actions": position.action_names()}

    def render(self) -> Any:
        if self.render_mode == "human":
            print(self.shown())
            return None
        return str(self.shown())


if NAME not in gymnasium.registry:
    gymnasium.register(NAME, f"{__name__}:SeatEnv")
