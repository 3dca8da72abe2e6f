"""Levels: opponents as people choose them, from easy to as strong as it gets, for each game.

`astragal play ewn --player medium` and the page's list of opponents mean the same. A level is a player's text, no more.
Each beats the one below in three games of four or more, by the ratings of the game's ladder
(`astragal.players.ladders`); where luck or draws do not leave room for four such steps, a game has fewer. Games without
a ladder, and settings that its players cannot play, have searches by random games with ten times as many at each step,
which nobody has measured.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from astragal.errors import SpecError
from astragal.players.ladders import Ladder, fits, ladder_of

EASY, MEDIUM, STRONG, STRONGEST = NAMES = ("easy", "medium", "strong", "strongest")
WORDS = {EASY: "Easy", MEDIUM: "Medium", STRONG: "Strong", STRONGEST: "As strong as it gets"}
OTHERS = {EASY: "uct:sims=20", MEDIUM: "uct:sims=200", STRONG: "uct:sims=2000", STRONGEST: "uct:time=3"}


@dataclass(frozen=True)
class Level:
    """An opponent by the name people choose it by."""

    name: str
    player: str
    measured: bool  # whether it is known to beat the one below

    @property
    def words(self) -> str:
        return WORDS[self.name]


def levels(game: Any) -> list[Level]:
    """The levels of a game, the easiest first; none where no player fits."""
    found = ladder_of(game)
    if found is not None:
        return levels_of(found)
    if all(fits(text, game) for text in OTHERS.values()):
        return [Level(name, text, False) for name, text in OTHERS.items()]
    return []


def levels_of(ladder: Ladder) -> list[Level]:
    """The lowest steps of a ladder, and its top."""
    steps = ladder.steps()
    lower = zip((EASY, MEDIUM, STRONG), steps[:-1], strict=False)
    return [*(Level(name, rung.player, True) for name, rung in lower), Level(STRONGEST, ladder.top.player, True)]


def player_at(level: str, game: Any) -> str:
    """The player's text of a level in a game, or of the nearest level that there is, rather a stronger one."""
    found = {each.name: each.player for each in levels(game)}
    if not found:
        raise SpecError(f"there is no player for the level '{level}' in this game")
    above = NAMES[NAMES.index(level) :]
    return next((found[name] for name in above if name in found), list(found.values())[-1])
