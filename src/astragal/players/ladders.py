"""Ladders: for each game, players from the weakest to the strongest that we know, rated on one scale.

They were rated by tournaments (`python benchmarks/ladders.py`), which wrote `ladders.json`. The levels that people
choose by name (`astragal.players.levels`) are rungs of them, and so is what `astragal best` names. This module does not
import Numba.
"""

from __future__ import annotations

import json
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

from astragal.errors import AstragalError, SpecError

FILE = Path(__file__).with_name("ladders.json")
BEST = "best"  # the word for the strongest player of a game
SECONDS = 1.0  # that it takes for a move, where nothing is said
THREE_OF_FOUR = 191.0  # Elo by which a player is better that gets 75% of the points


@dataclass(frozen=True)
class Rung:
    """A player and its rating, in Elo above the lowest rung, with the half width of its 95% interval."""

    player: str
    elo: float
    error: float


@dataclass(frozen=True)
class Ladder:
    """The rungs of a game, from the weakest up, and how they were rated."""

    game: str
    rungs: tuple[Rung, ...]
    games: int  # of each two players
    command: str

    @property
    def top(self) -> Rung:
        return self.rungs[-1]

    def steps(self) -> list[Rung]:
        """Rungs from the lowest to the highest, each of which beats the one before in three games of four or more."""
        chosen = [self.rungs[0]]
        for rung in self.rungs[1:]:
            if rung.elo - chosen[-1].elo >= THREE_OF_FOUR:
                chosen.append(rung)
        if self.top not in chosen:  # the last one is too near the top to stand below it
            chosen = [*(chosen[:-1] if len(chosen) > 1 else chosen), self.top]
        return chosen


@cache
def ladders() -> dict[str, Ladder]:
    """All that were measured, by the name of the game."""
    found = json.loads(FILE.read_text(encoding="utf-8")) if FILE.exists() else {}
    return {
        game: Ladder(game, tuple(Rung(*rung) for rung in facts["rungs"]), facts["games"], facts["command"])
        for game, facts in found.items()
    }


def ladder_of(game: Any) -> Ladder | None:
    """The ladder of a game, if one was measured and its players can play the game as it is set up."""
    from astragal.games import game_spec

    found = ladders().get(game_spec(game).partition(":")[0])
    return found if found and all(fits(rung.player, game) for rung in found.rungs) else None


def fits(text: str, game: Any) -> bool:
    from astragal.players import load_player

    try:
        load_player(text, game)
    except AstragalError:
        return False
    return True


def best_player(game: Any, seconds: float = SECONDS) -> str:
    """The text of the strongest player of a game, with so many seconds for a move if it takes time at all."""
    found = ladder_of(game)
    if found is not None:
        return with_time(found.top.player, seconds)
    text = with_time("uct:time=1", seconds)
    if fits(text, game):
        return text
    raise SpecError("no player is known to be good at this game")


def with_time(player: str, seconds: float) -> str:
    """A player's text with other seconds for a move; as it is, where it has none."""
    name, _, settings = player.partition(":")
    parts = [f"time={seconds:g}" if part.startswith("time=") else part for part in settings.split(",")]
    return f"{name}:{','.join(parts)}" if settings else name
