"""The request of a search, and the frame of every answer to it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from astragal.algorithms.limits import NO_LIMITS, Limits
from astragal.algorithms.progress import Progress
from astragal.algorithms.result import SearchResult, later
from astragal.games import game_spec
from astragal.rules.position import History, Position

PESSIMISM = (
    "players choose at once here, and in this search the others see what the mover chose: its values are what the "
    "mover gets at worst; simultaneous=decoupled (uct, mcts, dpw) looks for mixed strategies, final=mixed plays them"
)


def pessimism_at(position: Position) -> str | None:
    """A note on the values of a search that takes turns where players choose at once."""
    return PESSIMISM if position.at_once else None


@dataclass(frozen=True)
class SearchRequest:
    """A position, the seed of everything random, limits, and listeners."""

    position: Position  # as the player to move sees it
    player: str = ""  # the player that searches, with all settings, as the answer names it
    seed: int = 0
    limits: Limits = NO_LIMITS
    progress: Progress | None = None
    session: Any = None  # what the player kept from earlier moves of the game (see `Player.new_session`)
    pessimistic: bool = False  # whether players who choose at once see the choices before theirs in this search
    history: History | None = None  # how the position came about, where that is known and hides nothing
    lines: int = 1  # how many of the best actions are to have a value and a line of play each

    @property
    def name(self) -> str:
        """What sentences call the search: its player's name without settings."""
        return self.player.partition(":")[0] or "this search"

    def answer(self, action: int | None, **found: Any) -> SearchResult:
        """A result with this action, or none where chance moves, and what was found."""
        position = self.position
        found.setdefault("note", later(pessimism_at, position) if self.pessimistic else None)
        return SearchResult.unread(
            game=later(game_spec, position.game),
            player=self.player,
            position=later(lambda: position.text),
            turn=position.turn,
            action_number=action,
            action=None if action is None else later(position.action_name, action),
            seed=self.seed,
            **found,
        )
