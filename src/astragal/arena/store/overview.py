"""What a results file holds, as rows for tables: its contests, their games, and who scored what against whom."""

from __future__ import annotations

from typing import Any

from astragal.arena.contest import Contest, GameRecord, versions_text
from astragal.arena.statistics.ratings import Points
from astragal.arena.store.results_store import ResultsStore, StoredContest
from astragal.arena.summary import Standing
from astragal.base.errors import AstragalError, SpecError
from astragal.games import split_own
from astragal.rules.position import Position
from astragal.rules.user_files import is_same_place


def find(store: ResultsStore, number: int) -> StoredContest:
    for stored in store.contests():
        if stored.id == number:
            return stored
    raise SpecError(f"{store.path} has no contest {number}; astragal results list names them")


def matching(store: ResultsStore, game: str | None, player: str | None) -> list[StoredContest]:
    """Contests of a game, whatever its settings unless some are named, and of a player likewise."""

    def fits(wanted: str | None, texts: tuple[str, ...]) -> bool:
        return wanted is None or any(is_meant(text, wanted) for text in texts)

    return [
        stored
        for stored in store.contests()
        if fits(game, (stored.contest.game,)) and fits(player, stored.contest.kinds)
    ]


def is_meant(text: str, wanted: str) -> bool:
    """Whether a game's or a player's text is this one, perhaps with more settings; a file may be written otherwise."""
    if text == wanted or text.startswith(f"{wanted}:"):
        return True
    given, own = split_own(wanted), split_own(text)
    if not given or not own or given[2]:
        return False
    return is_same_place(given[0], own[0]) and given[1] in ("", own[1])


def contests_of(store: ResultsStore, game: str | None, player: str | None = None) -> list[StoredContest]:
    """Contests of a game with exactly these settings if there are any, or else whatever its other settings are."""
    found = matching(store, game, player)
    return [each for each in found if each.contest.game == game] or found


def standing(store: ResultsStore, stored: StoredContest) -> Standing:
    made = Standing(stored.contest)
    made.add(store.games(stored.id))
    return made


def contest_row(store: ResultsStore, stored: StoredContest) -> dict[str, Any]:
    made = standing(store, stored)
    found = made.estimate(0)
    return {
        "contest": stored.id,
        "game": stored.contest.game,
        "players": " - ".join(map(stored.contest.label, stored.contest.kinds)),
        "limits": limits_text(stored.contest),
        "seed": stored.contest.seed,
        "games": stored.games,
        "first": found.mean if found else None,
        "low": found.low if found else None,
        "high": found.high if found else None,
        "measure": "score" if stored.contest.is_solo else "share of wins",  # what the three are
    }


def limits_text(contest: Contest) -> str:
    """The limits of a contest, and the versions of its searches where they are not 1."""
    limits = [f"{name}={value:g}" for name, value in vars(contest.limits).items() if value is not None]
    limits += [] if contest.control is None else [f"control={contest.control}"]
    matched = [] if contest.matched is None else [f"player {contest.matched + 1} node-matched"]
    versions = f"; {versions_text(contest.versions)}" if contest.versions else ""
    return (", ".join(limits + matched) or "own") + versions


def game_row(contest: Contest, record: GameRecord) -> dict[str, Any]:
    """One row for a game, for people; `astragal.arena.match_result.seat_rows` has a row for each seat."""
    return {
        "pair": record.pair + 1,
        "game": record.game + 1,
        "seats": " - ".join(contest.kinds[kind] for kind in record.seats),
        "utilities": " ".join(f"{utility:g}" for utility in record.utilities),
        "first": first_score(contest, record),
        "plies": len(record.steps),
        "seconds": record.seconds,
        "nodes": sum(stats.nodes for stats in record.searches),
        "forfeit": None if record.forfeit is None else record.forfeit + 1,
        "fault": record.fault,
        "seed": str(record.seed),
    }


def first_score(contest: Contest, record: GameRecord) -> float | None:
    """The first player's share of the win; in a game for one its score, and nothing where another played."""
    if not contest.is_solo:
        return record.score_of(0)
    return record.utilities[0] if record.seats[0] == 0 else None


def crosstables(store: ResultsStore, chosen: list[StoredContest]) -> dict[str, Points]:
    """What each player scored against each other in each game, over the contests of two players."""
    tables: dict[str, Points] = {}
    for stored in chosen:
        if stored.contest.is_duel:
            points = tables.setdefault(stored.contest.game, {})
            first, second = stored.contest.kinds
            for record in store.games(stored.id):
                points.setdefault((first, second), []).append(record.score_of(0))
                points.setdefault((second, first), []).append(record.score_of(1))
    if not any(tables.values()):
        raise AstragalError("there are no contests of two players to make a table of")
    return {game: points for game, points in tables.items() if points}


def plies(contest: Contest, record: GameRecord, positions: list[Position]) -> list[dict[str, Any]]:
    """One row for each step of a game, with what was noted of the search behind it."""
    searches = iter(record.searches)
    rows: list[dict[str, Any]] = []
    for position, step in zip(positions, record.steps, strict=False):
        row: dict[str, Any] = {"position": position.text, "step": position.step_name(step), "player": None}
        if not position.is_chance:
            thoughts = {name: value for name, value in next(searches)._asdict().items() if name != "seat"}
            row |= {"player": position.turn + 1, "kind": contest.kinds[record.seats[position.turn]]} | thoughts
        rows.append(row)
    return rows
