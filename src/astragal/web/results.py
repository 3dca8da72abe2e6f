"""A results file as the page reads it: only read, opened for each question, with what was summed up kept in mind."""

from __future__ import annotations

import json
import re
import threading
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from functools import partial
from pathlib import Path
from typing import Any

from astragal.algorithms.result import finite
from astragal.arena.contest import Contest, GameRecord
from astragal.arena.curves import curves
from astragal.arena.referee import replayed
from astragal.arena.statistics.estimates import win_rate
from astragal.arena.statistics.ratings import Points, rated
from astragal.arena.statistics.sprt import Sprt
from astragal.arena.store.overview import contests_of, find, limits_text, plies
from astragal.arena.store.results_store import ResultsStore, StoredContest, check_seats
from astragal.arena.summary import SprtWatch, Standing
from astragal.base.errors import AstragalError, SpecError
from astragal.players.ladders import fits
from astragal.rules.position import Position
from astragal.web.catalogue import Catalogue, text_of
from astragal.web.requests import Missing
from astragal.web.thinking import Listener
from astragal.web.views import position_view, way_of

ACTIVE_SECONDS = 20.0  # after the last new game that was seen, a contest counts as being played
LOOK_SECONDS = 1.0  # between looks at the file
MAX_STANDINGS = 5000  # kept in mind
MAX_REPLAYS = 4  # kept in mind
WANTED = re.compile(r"--games[ =](\d+)")

Replay = tuple[Contest, GameRecord, list[Position]]


class Reader:
    """What a results file says."""

    def __init__(self, path: Path, catalogue: Catalogue) -> None:
        self.path, self.catalogue = path, catalogue
        self.lock = threading.Lock()
        self.standings: dict[int, Standing] = {}
        self.replays: dict[tuple[int, int, int], Replay] = {}  # the latest ones
        self.grown: dict[int, tuple[int, float]] = {}  # contest -> games seen, and when there were more than before

    @contextmanager
    def open(self) -> Iterator[ResultsStore]:
        if not self.path.is_file():
            raise Missing(f"there is no results file {self.path.name} yet")
        with ResultsStore(self.path, must_exist=True) as store:
            yield store

    def find(self, store: ResultsStore, number: int) -> StoredContest:
        try:
            return find(store, number)
        except SpecError:
            raise Missing(f"there is no contest {number} in {self.path.name}") from None

    def standing(self, store: ResultsStore, stored: StoredContest) -> Standing:
        """The games of a contest summed up, anew only when there are more of them."""
        with self.lock:
            known = self.standings.get(stored.id)
        if known is not None and known.contest == stored.contest and known.games == stored.games:
            return known
        made = Standing(stored.contest)
        made.add(store.games(stored.id))
        with self.lock:
            if len(self.standings) >= MAX_STANDINGS:
                self.standings.clear()
            self.standings[stored.id] = made
        return made

    def note_growth(self, contests: Sequence[StoredContest]) -> None:
        """Remember which contests have more games than when they were last looked at."""
        now = time.monotonic()
        with self.lock:
            for stored in contests:
                seen, when = self.grown.get(stored.id, (stored.games, -ACTIVE_SECONDS))
                self.grown[stored.id] = stored.games, now if stored.games > seen else when

    def is_active(self, number: int) -> bool:
        _, when = self.grown.get(number, (0, -ACTIVE_SECONDS))
        return time.monotonic() - when < ACTIVE_SECONDS

    # Contests

    def overview(self) -> dict[str, Any]:
        with self.open() as store:
            contests = store.contests()
            self.note_growth(contests)
            return {"file": self.path.name, "contests": [self.row(store, stored) for stored in contests]}

    def row(self, store: ResultsStore, stored: StoredContest) -> dict[str, Any]:
        sessions = store.sessions(stored.id)
        contest = stored.contest
        wanted = WANTED.search(sessions[-1]["command"]) if sessions else None
        return self.score(store, stored) | {
            "game": contest.game,
            "players": self.names(contest),
            "limits": limits_text(contest),
            "seed": contest.seed,
            "started": sessions[0]["started"] if sessions else None,
            "wanted": int(wanted[1]) if wanted else None,
            "replay": self.is_playable(contest),
        }

    def score(self, store: ResultsStore, stored: StoredContest) -> dict[str, Any]:
        """What changes while a contest is played."""
        found = self.standing(store, stored).estimate(0)
        return {
            "number": stored.id,
            "games": stored.games,
            "measure": "score" if stored.contest.is_solo else "share of wins",
            "rate": found.mean if found else None,
            "low": finite(found.low) if found else None,
            "high": finite(found.high) if found else None,
            "active": self.is_active(stored.id),
        }

    def scores_of(self, keys: Sequence[str], test: tuple[float, float] | None = None) -> list[dict[str, Any]]:
        """What changes in the contests with these keys, and how a sequential test between two players stands."""
        with self.open() as store:
            contests = store.contests_by_key(keys)
            self.note_growth(contests)
            return [
                self.score(store, each)
                | {"players": self.names(each.contest), "sprt": test and self.sprt(store, each, Sprt(*test))}
                for each in contests
            ]

    def sprt(self, store: ResultsStore, stored: StoredContest, test: Sprt) -> dict[str, Any]:
        watch = SprtWatch(self.standing(store, stored), test)
        watch.decided()
        facts = {"llr": watch.llr, "lower": test.lower, "upper": test.upper, "decision": watch.decision}
        return facts | {"elo0": test.elo0, "elo1": test.elo1, "pairs": watch.pairs}

    def contest(self, number: int) -> dict[str, Any]:
        with self.open() as store:
            stored = self.find(store, number)
            names = ("started", "command", "version", "python", "machine")
            sessions = [{name: row[name] for name in names} for row in store.sessions(number)]
            standing = finite(self.standing(store, stored).as_dict())
            return self.row(store, stored) | {"standing": standing, "sessions": sessions}

    def crosstables(self) -> list[dict[str, Any]]:
        """Who scored what against whom in each game, over the contests of two players."""
        tables: dict[str, Points] = {}
        with self.open() as store:
            for stored in store.contests():
                if stored.contest.is_duel and stored.games:
                    points = tables.setdefault(stored.contest.game, {})
                    first, second = self.names(stored.contest)
                    for pair in self.standing(store, stored).scores.values():
                        for scores in pair.values():
                            points.setdefault((first, second), []).append(scores[0])
                            points.setdefault((second, first), []).append(scores[1])
        return [crosstable(game, points) for game, points in tables.items()]

    def curves(self, over: str | None, player: str | None, opponent: str | None, game: str | None) -> dict[str, Any]:
        with self.open() as store:
            chosen = [each for each in contests_of(store, game) if self.is_playable(each.contest)]
            standings = [self.standing(store, each) for each in chosen]
        try:
            found = curves(standings, over, player, opponent)
        except AstragalError as error:
            if over or player or opponent or game:
                raise
            return {"setting": None, "series": [], "why": str(error)}  # most files have no curve, which is no error
        names = ("x", "mean", "low", "high")
        series = [
            {"name": name, "points": [dict(zip(names, point, strict=True)) for point in points]}
            for name, points in found.series.items()
        ]
        return {"setting": found.setting, "series": finite(series), "why": None}

    # Games

    def games(self, number: int, offset: int, limit: int) -> dict[str, Any]:
        with self.open() as store:
            stored = self.find(store, number)
            rows = store.read(
                "SELECT match, game, seats, utilities, json_array_length(steps) AS plies, thoughts, seconds, forfeit, "
                "fault FROM games WHERE contest = ? ORDER BY match, game LIMIT ? OFFSET ?",
                number,
                limit,
                offset,
            )
            names = self.names(stored.contest)
            return {"total": stored.games, "games": [row_in(store, names, row) for row in rows]}

    def record(self, store: ResultsStore, stored: StoredContest, pair: int, game: int) -> GameRecord:
        record = store.game(stored.id, pair - 1, game - 1)
        if record is None:
            raise Missing(f"contest {stored.id} has no game {pair}.{game}")
        return record

    def is_playable(self, contest: Contest) -> bool:
        """Whether a contest's game is one of those that can be played here; no other file is run for a page."""
        return self.catalogue.id_of(contest.game) is not None

    def names(self, contest: Contest) -> list[str]:
        """What the players are called: without settings that they have in this game anyway, where that can be known."""
        return [contest.label(kind) if self.is_playable(contest) else kind for kind in contest.kinds]

    def replay(self, number: int, pair: int, game: int) -> Replay:
        """A game with all its positions, replayed only on request."""
        with self.lock:
            known = self.replays.get((number, pair, game))
        if known is None:
            known = self.replay_anew(number, pair, game)
            with self.lock:
                self.replays[number, pair, game] = known
                while len(self.replays) > MAX_REPLAYS:
                    del self.replays[next(iter(self.replays))]
        return known

    def replay_anew(self, number: int, pair: int, game: int) -> Replay:
        with self.open() as store:
            stored = self.find(store, number)
            record = self.record(store, stored, pair, game)
        if not self.is_playable(stored.contest):
            raise AstragalError(f"{stored.contest.game} is not among the games here; give it with --game")
        return stored.contest, record, replayed(stored.contest, record)

    def game(self, number: int, pair: int, game: int) -> dict[str, Any]:
        """A game step by step, with what each player thought."""
        contest, record, positions = self.replay(number, pair, game)
        return {
            "game": self.text_of(contest),
            "seats": [self.names(contest)[kind] for kind in record.seats],
            "utilities": list(record.utilities),
            "fault": record.fault,
            "forfeit": None if record.forfeit is None else record.forfeit + 1,
            "plies": len(record.steps),
            "positions": len(positions),
            "proves": fits("prove", contest.rules),
            "steps": [
                step_view(ply, step, row)
                for ply, (step, row) in enumerate(zip(record.steps, plies(contest, record, positions), strict=True), 1)
            ],
        }

    def text_of(self, contest: Contest) -> str:
        return text_of(self.catalogue.id_of(contest.game) or contest.game, contest.rules)

    def at(self, number: int, pair: int, game: int, ply: int) -> dict[str, Any]:
        """The position of a game after a number of steps."""
        contest, record, positions = self.replay(number, pair, game)
        if ply >= len(positions):
            raise Missing(f"the game has {len(positions) - 1} steps, not {ply}")
        outcome = record.steps[ply - 1] if ply and positions[ply - 1].is_chance else None
        before = positions[ply - 1] if ply else None
        keys: list[str] = []
        if before is not None and not before.is_chance:
            keys = way_of(position_view(before, "")["picture"], record.steps[ply - 1])
        step = step_view(ply, record.steps[ply - 1], plies(contest, record, positions)[ply - 1]) if ply else None
        view = position_view(positions[ply], self.text_of(contest), outcome)
        return {"position": view, "step": step, "last_keys": keys}


def crosstable(game: str, points: Points) -> dict[str, Any]:
    names = list(dict.fromkeys(name for pair in points for name in pair))

    def cell(row: str, column: str) -> dict[str, Any] | None:
        scores = points.get((row, column))
        if not scores or row == column:
            return None
        rate = win_rate(scores)
        return {"rate": rate.mean, "low": rate.low, "high": rate.high, "games": rate.games}

    ratings: list[dict[str, Any]] = []
    if len(names) > 1:
        rows = sorted(rated(points).players, key=lambda each: -each.elo)
        ratings = [{"player": r.player, "elo": r.elo, "low": r.low, "high": r.high} for r in rows]
    cells = [[cell(row, column) for column in names] for row in names]
    return {"game": game, "players": names, "cells": cells, "ratings": finite(ratings)}


def row_in(store: ResultsStore, names: list[str], row: dict[str, Any]) -> dict[str, Any]:
    """A game's row; a sentence where what was kept of it cannot be read."""
    return store.understood(partial(game_row, names), row, f"game {row['match'] + 1}.{row['game'] + 1}")


def game_row(names: list[str], row: dict[str, Any]) -> dict[str, Any]:
    seats, utilities = json.loads(row["seats"]), json.loads(row["utilities"])
    check_seats(seats, len(names))
    record = GameRecord(row["match"], row["game"], tuple(seats), 0, (), (), tuple(utilities))
    return {
        "pair": record.pair + 1,
        "game": record.game + 1,
        "seats": [names[kind] for kind in seats],
        "utilities": utilities,
        "first": record.score_of(0),
        "plies": row["plies"],
        "seconds": row["seconds"],
        "nodes": sum(nodes for _, nodes, *_ in json.loads(row["thoughts"])),
        "forfeit": None if row["forfeit"] is None else row["forfeit"] + 1,
        "fault": row["fault"],
    }


def step_view(ply: int, number: int, row: dict[str, Any]) -> dict[str, Any]:
    thought = None
    if row["player"] is not None:
        thought = {"player": row["kind"]} | {name: row[name] for name in ("value", "depth", "nodes", "seconds")}
    return {
        "ply": ply,
        "player": row["player"],
        "number": number,
        "name": row["step"],
        "kind": row.get("kind"),
        "thought": finite(thought),
    }


class Watch:
    """Sends the progress of contests to listeners."""

    def __init__(self, reader: Reader) -> None:
        self.reader = reader
        self.over = threading.Event()

    def start(self, listener: Listener) -> None:
        threading.Thread(target=self.run, args=(listener,), name="results", daemon=True).start()

    def abandon(self) -> None:
        self.over.set()

    def run(self, listener: Listener) -> None:
        told: list[dict[str, Any]] | None = None
        while not self.over.is_set():
            started = time.monotonic()
            try:
                scores = self.scores()
            except AstragalError:  # no file yet, or one that is just being made
                scores = []
            if scores != told:
                listener(("progress", {"contests": scores}))
                told = scores
            self.over.wait(max(LOOK_SECONDS, 10 * (time.monotonic() - started)))
        listener(None)

    def scores(self) -> list[dict[str, Any]]:
        reader = self.reader
        with reader.open() as store:
            contests = store.contests()
            reader.note_growth(contests)
            return [reader.score(store, stored) for stored in contests]
