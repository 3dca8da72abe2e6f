"""Ladders: for each game, players from the weakest to the strongest measured, rated on one scale.

They were rated by tournaments (`python benchmarks/ladders.py`), which wrote `ladders.json`. The levels that people
choose by name (`astragal play ewn --player medium`, the page's list of opponents) are rungs of them but for random
moves, and so is what `astragal best` names. Each level beats the one below in three games of four or more; where luck
or draws do not leave room for four such steps, a game has fewer. Games without a ladder, and settings that its players
cannot play, have searches by random games, of which the easy one errs and the others have ten times as many at each
step; these were not measured. A user's game has a ladder once `astragal best FILE.py:CLASS --make` has made one, in a
file beside it. This module does not import Numba.
"""

from __future__ import annotations

import json
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

from astragal.base.errors import AstragalError, SpecError

OWN_FILE = "ladder.json"  # of a user's game
FILE = Path(__file__).with_name("ladders.json")
BEST = "best"  # the word for the strongest player of a game
SECONDS = 1.0  # its time for a move, if none is given
THREE_OF_FOUR = 191.0  # Elo difference of a player that gets 75% of the points


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
        """Rungs from the lowest to the highest, each of which beats the one before in three games of four or more.

        Random moves are a level only where there is nothing else: people err in another way.
        """
        erring = [rung for rung in self.rungs if rung.player != "random"]
        rungs = erring if len(erring) > 1 else self.rungs
        chosen = [rungs[0]]
        for rung in rungs[1:]:
            if rung.elo - chosen[-1].elo >= THREE_OF_FOUR:
                chosen.append(rung)
        if self.top not in chosen:  # the last one is too near the top
            chosen = [*(chosen[:-1] if len(chosen) > 1 else chosen), self.top]
        return chosen


@cache
def ladders() -> dict[str, Ladder]:
    """All ladders of games that exist, by the name of the game."""
    from astragal.games import game_names

    found = json.loads(FILE.read_text(encoding="utf-8")) if FILE.exists() else {}
    return {
        game: Ladder(game, tuple(Rung(*rung) for rung in facts["rungs"]), facts["games"], facts["command"])
        for game, facts in found.items()
        if game in game_names()
    }


def ladder_of(game: Any) -> Ladder | None:
    """The ladder of a game, if there is one and its players can play the game with its settings."""
    from astragal.games import game_spec

    found = ladders().get(game_spec(game).partition(":")[0]) or own_ladder(game)
    return found if found and all(fits(rung.player, game) for rung in found.rungs) else None


def own_ladder(game: Any) -> Ladder | None:
    """The ladder that was made for a user's game; None if there is none, or the game's rules are others since.

    One that names other programs is none: reading it would run them.
    """
    from astragal.players import load_player
    from astragal.rules.folder_files import file_beside
    from astragal.rules.user_files import user_file

    file, path = user_file(type(game)), file_beside(type(game), OWN_FILE)
    if file is None or path is None:
        return None
    try:
        facts = json.loads(path.read_text(encoding="utf-8"))
        rungs = tuple(Rung(str(player), float(elo), float(error)) for player, elo, error in facts["rungs"])
        made = Ladder(str(facts["game"]), rungs, int(facts["games"]), str(facts["command"]))
        fit = bool(rungs) and facts["source"] == file.source
        return made if fit and not any(load_player(rung.player).runs_programs for rung in rungs) else None
    except (OSError, ValueError, LookupError, TypeError, AstragalError):
        return None


def fits(text: str, game: Any) -> bool:
    from astragal.players import load_player

    try:
        load_player(text, game)
    except AstragalError:
        return False
    return True


def best_player(game: Any, seconds: float = SECONDS) -> str:
    """The text of the strongest player of a game, with `seconds` for a move if it uses time."""
    found = ladder_of(game)
    if found is not None:
        return with_time(found.top.player, seconds)
    text = with_time("uct:time=1", seconds)
    if fits(text, game):
        return text
    raise SpecError("no player was measured in this game")


def with_time(player: str, seconds: float) -> str:
    """A player's text with other seconds for a move; unchanged if it has none."""
    name, _, settings = player.partition(":")
    parts = [f"time={seconds:g}" if part.startswith("time=") else part for part in settings.split(",")]
    return f"{name}:{','.join(parts)}" if settings else name


EASY, MEDIUM, STRONG, STRONGEST = NAMES = ("easy", "medium", "strong", "strongest")
WORDS = {EASY: "Easy", MEDIUM: "Medium", STRONG: "Strong", STRONGEST: "As strong as it gets"}
OTHERS = {
    EASY: "softmax:temperature=0.1,sims=200",
    MEDIUM: "uct:sims=200",
    STRONG: "uct:sims=2000",
    STRONGEST: "uct:time=3",
}


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
