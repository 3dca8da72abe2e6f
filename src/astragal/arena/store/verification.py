"""Playing kept games again, to see whether they come out: of those who play parts of a contest, not all are trusted.

Only games can be played again that depend on nothing but the contest: limits are nodes, simulations or depth, searches
have one thread, and no player is another program.
"""

from __future__ import annotations

import math
from collections import Counter
from dataclasses import dataclass, field
from typing import Any

from astragal.algorithms.limits import Limits
from astragal.arena.contest import Contest, GameRecord, raised_versions
from astragal.arena.referee import play_game
from astragal.arena.store.merging import PART, course_of
from astragal.arena.store.results_store import ResultsStore, StoredContest
from astragal.players import load_player
from astragal.rules.dice import Dice

SHUFFLE = 0xA6A1


@dataclass
class PlayedAgain:
    """How many games were played again, which went otherwise, and why contests were left out."""

    games: int = 0
    wrong: dict[str, list[str]] = field(default_factory=dict)  # who played them -> games
    left_out: Counter[str] = field(default_factory=Counter)  # reasons

    def note(self, contest: Contest, number: int, record: GameRecord, session: dict[str, Any]) -> None:
        self.games += 1
        if course_of(play_game(contest, *record.number)) != course_of(record):
            name = f"{record.pair + 1}.{record.game + 1} of contest {number}"
            self.wrong.setdefault(origin_of(session), []).append(name)


def origin_of(session: dict[str, Any]) -> str:
    """The part that a session played, or else its machine."""
    found = PART.search(session["command"])
    where = f"{session['machine'].partition(',')[0]}, {session['started']}"
    return f"part {found[1]} ({where})" if found else f"the session of {where}"


def play_again(store: ResultsStore, chosen: list[StoredContest], share: float) -> PlayedAgain:
    """Play this share of the games of every session again, at least one of each."""
    found = PlayedAgain()
    for stored in chosen:
        why = why_not(stored.contest)
        if why:
            found.left_out[why] += 1
            continue
        for session in store.sessions(stored.id):
            numbers = [record.number for record in store.games_of_session(stored.id, session["id"])]
            dice = Dice(session["id"] ^ SHUFFLE)
            for _ in range(math.ceil(share * len(numbers))):
                record = store.game(stored.id, *numbers.pop(dice.below(len(numbers))))
                assert record is not None
                found.note(stored.contest, stored.id, record, session)
    return found


def why_not(contest: Contest) -> str:
    """Why the games of a contest cannot be played again; nothing where they can."""
    players = [load_player(kind) for kind in (*contest.kinds, *(contest.finish.players if contest.finish else ()))]
    if any(player.runs_programs for player in players):
        return "a player is another program"
    if any(player.shares_its_search for player in players):
        return "a player searches with several threads"
    limits = [player.limits if contest.limits == Limits() else contest.limits for player in players]
    if any(
        player.compiles and (limit == Limits() or limit.time is not None or contest.control is not None)
        for player, limit in zip(players, limits, strict=True)
    ):
        return "a limit is on time"
    if raised_versions([load_player(str(player), contest.rules) for player in players]) != contest.versions:
        return "its searches have other versions now"
    return ""
