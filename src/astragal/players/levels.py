"""Levels: opponents as people choose them, from easy to as strong as it gets, for each game.

`astragal play ewn --player medium` and the page's list of opponents mean the same. A level is a player's text, no more.
Each is meant to beat the one below in three games of four, of which `docs/web.md` has pilots with their commands; where
luck or draws do not leave room for four such steps, a game has fewer. Games that are not listed, and settings that a
listed player cannot play, have searches by random games with ten times as many at each step, which nobody has measured.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from astragal.errors import AstragalError, SpecError

EASY, MEDIUM, STRONG, STRONGEST = NAMES = ("easy", "medium", "strong", "strongest")
WORDS = {EASY: "Easy", MEDIUM: "Medium", STRONG: "Strong", STRONGEST: "As strong as it gets"}

# [game] -> players by level
MEASURED: dict[str, dict[str, str]] = {
    "backgammon": {EASY: "random", MEDIUM: "uct:sims=20", STRONG: "uct:sims=100", STRONGEST: "star1:depth=2"},
    "cant_stop": {EASY: "random", MEDIUM: "greedy", STRONGEST: "rule28"},
    "chinese_checkers": {EASY: "random", MEDIUM: "greedy", STRONGEST: "alphabeta:depth=4"},  # for two
    "connect_four": {EASY: "uct:sims=10", MEDIUM: "uct:sims=50", STRONG: "uct:sims=500", STRONGEST: "uct:sims=5000"},
    "ewn": {EASY: "random", MEDIUM: "greedy", STRONGEST: "star2:depth=5"},
    "focus": {EASY: "random", MEDIUM: "uct:sims=100", STRONGEST: "uct:sims=3000"},
    "kalah": {EASY: "random", MEDIUM: "greedy", STRONG: "alphabeta:depth=3", STRONGEST: "alphabeta:depth=8"},
    "pig": {EASY: "hold:n=80", STRONGEST: "hold:n=25"},
    "ra": {EASY: "random", MEDIUM: "uct:sims=100", STRONGEST: "uct:sims=1000"},
    "tic_tac_toe": {EASY: "random", MEDIUM: "mm:depth=1", STRONGEST: "alphabeta:depth=9"},
}
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
    from astragal.games import game_spec

    name = game_spec(game).partition(":")[0]
    for table, measured in ((MEASURED.get(name, {}), True), (OTHERS, False)):
        found = [Level(level, text, measured) for level, text in table.items() if fits(text, game)]
        if found and len(found) == len(table):
            return found
    return []


def fits(text: str, game: Any) -> bool:
    from astragal.players import load_player

    try:
        load_player(text, game)
    except AstragalError:
        return False
    return True


def player_at(level: str, game: Any) -> str:
    """The player's text of a level in a game, or of the nearest level that there is, rather a stronger one."""
    found = {each.name: each.player for each in levels(game)}
    if not found:
        raise SpecError(f"there is no player for the level '{level}' in this game")
    above = NAMES[NAMES.index(level) :]
    return next((found[name] for name in above if name in found), list(found.values())[-1])
