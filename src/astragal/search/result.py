"""What a search found, for people (`str`) and for programs (`as_dict`)."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

BOUNDS = ("not searched", "exact", "at least", "at most")


@dataclass(frozen=True)
class ActionValue:
    """What is known of an action: its value for the player to move, and whether that is exact or a bound."""

    number: int
    action: str
    value: float
    bound: str  # one of BOUNDS


@dataclass(frozen=True)
class SearchResult:
    """The outcome of a search. Values are in the game's utilities, for the player to move (player 1 at chance)."""

    game: str
    player: str
    position: str
    turn: int
    action_number: int | None  # None at a chance node, where nobody chooses
    action: str | None
    value: float
    actions: list[ActionValue]
    line: list[str]  # the best action, then the likeliest outcomes and the best replies
    depth: int
    complete: bool  # whether the whole game below the position was searched
    nodes: int
    counts: dict[str, int]  # nodes and cut-offs by kind
    seconds: float
    seed: int
    extra: dict[str, Any] = field(default_factory=dict)

    def as_dict(self) -> dict[str, Any]:
        """A dictionary that can be written as JSON."""
        plain = {name: getattr(self, name) for name in self.__dataclass_fields__ if name not in ("actions", "extra")}
        plain["player_to_move"] = self.turn + 1 if self.turn >= 0 else None
        plain["actions"] = [vars(action) for action in self.actions]
        return plain | self.extra
