"""Our games for Gymnasium: ``gymnasium_env("ewn", opponent="star2:depth=2")`` is one seat of a game against a player.

Importing this module needs Gymnasium, and makes the environment known to `gymnasium.make` as ``astragal/Game-v0``. An
observation is the state as a vector; ``info["action_mask"]`` and ``env.action_masks()`` say which actions are legal
(see `numbers`). An illegal action loses: the episode ends with the least utility.
"""

# mypy: disable-error-code="no-untyped-call, misc, no-any-unimported"
from __future__ import annotations

from typing import Any

import numpy as np

from astragal.environments.numbers import action_at, mask_of, missing, vector_bounds, vector_of, vector_size
from astragal.errors import SpecError
from astragal.game.dice import Dice
from astragal.game.position import Position
from astragal.games import load_game
from astragal.players import load_player
from astragal.players.player import Player

try:
    import gymnasium
    from gymnasium import spaces
except ImportError:
    raise missing("Gymnasium", "gymnasium") from None

NAME = "astragal/Game-v0"


def gymnasium_env(
    game: str | Any, opponent: str | Player = "random", seat: int = 1, render_mode: str | None = None
) -> Any:
    """One seat of a game; a player, by its text or itself, has the others."""
    return SeatEnv(game, opponent, seat, render_mode)


class SeatEnv(gymnasium.Env[Any, Any]):
    """A game as the player in one seat sees it: others and chance have moved whenever it is asked."""

    metadata = {"render_modes": ["ansi", "human"], "render_fps": 1}  # noqa: RUF012 (Gymnasium's own name for it)

    def __init__(
        self, game: str | Any, opponent: str | Player = "random", seat: int = 1, render_mode: str | None = None
    ) -> None:
        self.rules = load_game(game)
        if not 1 <= seat <= self.rules.players:
            raise SpecError(f"seat must be from 1 to {self.rules.players}, not {seat}")
        self.opponent, self.seat = load_player(opponent, self.rules), seat - 1
        self.render_mode = render_mode
        low, high = vector_bounds(self.rules)
        self.observation_space = spaces.Box(low, high, (vector_size(self.rules),), np.float32)
        self.action_space = spaces.Discrete(self.rules.max_actions)

    def reset(self, *, seed: int | None = None, options: dict[str, Any] | None = None) -> tuple[Any, dict[str, Any]]:
        """Begin again, up to the first decision of the seat; a game that is over before it is begun anew."""
        super().reset(seed=seed)
        while True:
            self.dice = Dice(int(self.np_random.integers(2**62)))
            self.sessions: dict[int, Any] = {}
            self.position = Position.start(self.rules, self.dice.bits() >> 1)
            self.move_others()
            if not self.position.is_terminal:
                return vector_of(self.position), self.info()

    def step(self, action: Any) -> tuple[Any, float, bool, bool, dict[str, Any]]:
        """An action of the seat, and all that comes before its next one."""
        place = int(action)
        if not 0 <= place < len(self.position.actions()):
            return vector_of(self.position), self.rules.utility_range[0], True, False, self.info() | {"illegal": place}
        self.position = self.position.follow(action_at(self.position, place))
        self.move_others()
        over = self.position.is_terminal
        reward = self.position.utilities()[self.seat] if over else 0.0
        if self.render_mode == "human":
            self.render()
        return vector_of(self.position), float(reward), over, False, self.info()

    def move_others(self) -> None:
        """Let chance and the other seats move until it is this seat's turn or the game is over."""
        while not self.position.is_terminal and self.position.turn != self.seat:
            position = self.position
            if position.is_chance:
                self.position = position.sample(self.dice)
                continue
            session = self.sessions.setdefault(position.turn, self.opponent.new_session())
            chosen = self.opponent.search(position, self.dice.bits() >> 32, session=session).action_number
            assert chosen is not None
            self.position = position.follow(chosen)

    def action_masks(self) -> Any:
        """Which actions are legal, as libraries with masked policies ask for it."""
        return mask_of(self.position).astype(bool)

    def info(self) -> dict[str, Any]:
        return {"action_mask": mask_of(self.position), "actions": self.position.action_names()}

    def render(self) -> Any:
        if self.render_mode == "human":
            print(self.position)
            return None
        return str(self.position)


if NAME not in gymnasium.registry:
    gymnasium.register(NAME, f"{__name__}:SeatEnv")
