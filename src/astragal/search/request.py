"""What a search is asked, and the frame of every answer to it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from astragal.game.history import History
from astragal.game.position import Position
from astragal.games import game_spec
from astragal.search.limits import NO_LIMITS, Limits
from astragal.search.progress import Progress
from astragal.search.result import SearchResult, later

PESSIMISM = (
    "players choose at once here, and this search lets the others know what the mover chose: its values are what the "
    "mover gets at worst; simultaneous=decoupled (uct, mcts, dpw) looks for mixed strategies, final=mixed plays them"
)


def pessimism_at(position: Position) -> str | None:
    """What to know of the values of a search that takes turns where players choose at once."""
    return PESSIMISM if position.at_once else None


@dataclass(frozen=True)
class SearchRequest:
    """A position, what everything random is drawn from, limits, and who else wants to know."""

    position: Position  # as the player to move knows it
    player: str = ""  # who is asked, with all settings, as the answer says it
    seed: int = 0
    limits: Limits = NO_LIMITS
    progress: Progress | None = None
    session: Any = None  # what the player kept from earlier moves of the game (see `Player.new_session`)
    pessimistic: bool = False  # whether the search lets those who choose at once know of the choices before theirs
    history: History | None = None  # how the position came about, where that is known and hides nothing

    @property
    def name(self) -> str:
        """What sentences call the search: its player's name without settings."""
        return self.player.partition(":")[0] or "this search"

    def answer(self, action: int | None, **found: Any) -> SearchResult:
        """A result with this action, or none where chance moves, and what was found."""
        position = self.position
        return SearchResult.unread(
            game=later(game_spec, position.game),
            player=self.player,
            position=later(lambda: position.text),
            turn=position.turn,
            action_number=action,
            action=None if action is None else later(position.action_name, action),
            note=later(pessimism_at, position) if self.pessimistic else None,
            seed=self.seed,
            **found,
        )
