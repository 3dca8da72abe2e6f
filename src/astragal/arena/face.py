"""Matches, tournaments and tuning in one call each: what programs call, and what the commands of these names do."""

from __future__ import annotations

import multiprocessing
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Any

from astragal.arena.contest import Contest, Finish
from astragal.arena.live import Live, live_meeting
from astragal.arena.match_result import MatchResult
from astragal.arena.meeting import AnyMeeting, Meetings, Quiet
from astragal.arena.playing import Playing
from astragal.arena.record import GameRecord
from astragal.arena.referee import GRACE_SECONDS
from astragal.arena.run import pairs_for, run_contest
from astragal.arena.solo import NO_TEST
from astragal.arena.space import parse_space
from astragal.arena.sprt import Sprt
from astragal.arena.summary import SprtWatch, Standing
from astragal.arena.tournament import Tournament, check_format, entrants, play_tournament
from astragal.arena.tuning import Tuned, Tuner, check_method, find_settings
from astragal.arena.workers import PersistentWorkers
from astragal.errors import AstragalError, SpecError, Stopped
from astragal.game.clock import WALL
from astragal.games import load_game
from astragal.players import load_player
from astragal.players.player import Player
from astragal.search.limits import Limits
from astragal.terminal import is_in_notebook

DEFAULT_GAMES = 100
MAX_SPRT_GAMES = 1_000_000

Test = Sprt | tuple[float, float] | None
Progress = bool | Callable[[Standing], Any] | None
"""Who hears how it stands: a line that is written over (True, or None in a notebook), nobody, or a function."""


def match(
    game: str | Any,
    players: Sequence[str | Player],
    games: int | None = None,
    *,
    time: float | None = None,
    nodes: int | None = None,
    depth: int | None = None,
    sims: int | None = None,
    sprt: Test = None,
    seed: int = 0,
    jobs: int | None = 1,
    db: str | Path | None = None,
    node_matched: int | None = None,
    finish: Finish | None = None,
    clock: str = WALL,
    grace: float = GRACE_SECONDS,
    strict: bool = False,
    cluster: str | None = None,
    progress: Progress = None,
    command: str = "",
) -> MatchResult:
    """Play pairs of seat-swapped games that share dice and starting position, and say who is stronger.

    >>> import astragal
    >>> result = astragal.match("pig:goal=20", ["hold:n=10", "random"], games=40)
    >>> result.games, result.players[0].name, result.players[0].low > 0.5
    (40, 'hold:n=10', True)

    Game and players are given by their texts or as objects: two players, or one for each seat; any number of them in a
    game for one, each on the same seeds. ``games`` (100) is
    rounded up to whole pairs; with ``sprt=(0, 20)`` games are played until that test of two Elo differences decides.
    ``time`` (seconds), ``nodes``, ``depth`` and ``sims`` limit each decision; without them players have their own
    limits.

    With ``db`` every game is kept in that file, and the same call again goes on where it stopped. ``jobs`` games are
    played at a time, each in a process of its own; None means one a core. (A script must then do its work under
    ``if __name__ == "__main__":``, as always with processes.) Ctrl-C ends the match after the games under way: what was
    played is the result, and its ``complete`` is False.

    ``node_matched`` is the player, 1 or 2, that may use as many nodes as its opponent would need at the same position.
    With ``clock="processor"`` seconds are the processor's, so that players have their time on a busy machine too.
    ``grace`` is how many seconds late a player may be before it loses by forfeit; with ``strict`` the first fault is
    raised. ``progress`` is True for a line that tells how it stands, which a notebook shows without being asked, or a
    function that is called with the `Standing`.
    """
    limits = Limits(time, nodes, depth, sims)
    contest = Contest.of(game, listed(players), limits, seed, node_matched and node_matched - 1, finish, clock=clock)
    test = checked_test(sprt)
    if test is not None and contest.is_solo:
        raise SpecError(NO_TEST)
    if test is not None and not contest.is_duel:
        raise SpecError("a sequential test compares two players")
    wanted = checked_games(games) or (MAX_SPRT_GAMES if test else DEFAULT_GAMES)
    return play_match(contest, wanted, test, playing_of(db, jobs, cluster, strict, grace, command), progress)


def play_match(contest: Contest, games: int, test: Sprt | None, playing: Playing, progress: Progress) -> MatchResult:
    """Play what is missing of a contest."""
    make_workers, count = playing.workers(contest.limits, contest.clock)
    wanted = pairs_for(contest, games) * len(contest.seatings)
    standing = Standing(contest)
    watch = SprtWatch(standing, test) if test else None
    listener = listening(progress)(standing, watch, wanted)
    records: list[GameRecord] = []

    def hear(fresh: list[GameRecord]) -> bool:
        records.extend(fresh)
        return bool(listener.hear(fresh))

    with playing.store() as store:
        try:
            complete = run_contest(contest, playing.plan(wanted, count), store, make_workers, playing.command, hear)
        finally:
            listener.end()
    if watch is not None and watch.decision is not None:
        standing.keep_first(watch.pairs)
        records = [record for record in records if record.pair < watch.pairs]
    records.sort(key=lambda record: record.number)
    return MatchResult(standing, records, watch, complete, playing.db)


def tournament(
    game: str | Any,
    players: Sequence[str | Player],
    games: int = DEFAULT_GAMES,
    format: str = "round-robin",
    *,
    time: float | None = None,
    nodes: int | None = None,
    depth: int | None = None,
    sims: int | None = None,
    seed: int = 0,
    jobs: int | None = 1,
    db: str | Path | None = None,
    clock: str = WALL,
    grace: float = GRACE_SECONDS,
    strict: bool = False,
    cluster: str | None = None,
    progress: Progress = None,
    command: str = "",
    tell: Callable[[AnyMeeting], None] | None = None,
) -> Tournament:
    """Let players meet in pairs, and rate them.

    The format is ``round-robin``, ``gauntlet`` (the first against all others) or ``elimination``, which seeds players
    in their order; each two play so many ``games``. The other arguments are those of `match`; ``tell`` is called after
    each meeting. Ctrl-C ends it: meetings that are over are the result, and its ``complete`` is False.
    """
    check_format(format)
    rules, limits = load_game(game), Limits(time, nodes, depth, sims)
    named = entrants(rules, listed(players))
    given = game if isinstance(game, str) else rules
    playing = playing_of(db, jobs, cluster, strict, grace, command)
    met: list[AnyMeeting] = []
    with meetings_in(playing, given, limits, clock, seed, checked_games(games), None, progress) as meetings:
        meetings.tell = partial(noted, met, tell)
        meetings.prepare(named)
        try:
            played = play_tournament(format, named, meetings.meet)
        except Stopped as stopped:
            if not met:
                raise going_on(stopped, db) from None
            there = [player for player in named if any(player in meeting.players for meeting in met)]
            played = replace(Tournament(format, tuple(there), (tuple(met),)), complete=False)
    return replace(played, game=rules)


def tune(
    game: str | Any,
    player: str | Player,
    param: Sequence[str] = (),
    games: int = 1000,
    method: str = "elimination",
    *,
    candidates: int = 16,
    rounds: int = 1,
    grid: bool = False,
    sprt: Test = None,
    time: float | None = None,
    nodes: int | None = None,
    depth: int | None = None,
    sims: int | None = None,
    seed: int = 0,
    jobs: int | None = 1,
    db: str | Path | None = None,
    clock: str = WALL,
    grace: float = GRACE_SECONDS,
    strict: bool = False,
    cluster: str | None = None,
    progress: Progress = None,
    command: str = "",
    tell: Callable[[AnyMeeting], None] | None = None,
) -> Tuned:
    """Tune a player's settings by games against itself, and compare the best with those it had.

    ``param`` says what to try: ``["width=1..40", "c=10..200:log", "policy=uniform|order"]``. The method is
    ``elimination``, of so many ``candidates`` in each of the ``rounds``, drawn or laid out on a ``grid``; or
    ``optuna``. The other arguments are those of `tournament`. Ctrl-C raises `astragal.errors.Stopped`; with ``db`` the
    same call goes on.
    """
    if method == "optuna" and (rounds > 1 or grid):
        raise SpecError("rounds and a grid are for elimination")
    check_method(method)
    rules, limits = load_game(game), Limits(time, nodes, depth, sims)
    default = load_player(player, rules)
    tuner = Tuner(default, rules, parse_space(type(default), listed(param)), candidates, rounds, grid, seed)
    if method == "elimination":
        tuner.entrants(0)  # a sentence where they do not fit
    given = game if isinstance(game, str) else rules
    playing = playing_of(db, jobs, cluster, strict, grace, command)
    wanted, test = checked_games(games), checked_test(sprt)
    with meetings_in(playing, given, limits, clock, seed, wanted, test, progress) as meetings:
        meetings.tell = tell or meetings.tell
        meetings.prepare([str(default)])
        try:
            return replace(find_settings(method, tuner, meetings.meet), game=rules)
        except Stopped as stopped:
            raise going_on(stopped, db) from None


@contextmanager
def meetings_in(
    playing: Playing,
    game: str | Any,
    limits: Limits,
    clock: str,
    seed: int,
    games: int,
    test: Sprt | None,
    progress: Progress,
) -> Iterator[Meetings]:
    """Players meet in this way, on the same workers all along."""
    make_workers, count = playing.workers(limits, clock)
    with playing.store() as store, store.alone(), PersistentWorkers(make_workers) as workers:
        made = Meetings(game, limits, seed, playing.plan(games, count), store, workers, clock, test, playing.command)
        made.listener = live_meeting if listening(progress) is Live else listening(progress)
        yield made


def listening(progress: Progress) -> Callable[[Standing, SprtWatch | None, int], Any]:
    """Who hears of games as they are over."""
    if callable(progress):
        return partial(Told, progress)
    return Live if progress or (progress is None and is_in_notebook()) else Quiet


class Told(Quiet):
    """Hears of games, and tells a function of the user's how it stands."""

    def __init__(
        self, tell: Callable[[Standing], Any], standing: Standing, watch: SprtWatch | None, wanted: int
    ) -> None:
        super().__init__(standing, watch, wanted)
        self.tell = tell

    def hear(self, records: list[GameRecord]) -> bool:
        decided = super().hear(records)
        self.tell(self.standing)
        return decided


def noted(met: list[AnyMeeting], tell: Callable[[AnyMeeting], None] | None, meeting: AnyMeeting) -> None:
    met.append(meeting)
    if tell is not None:
        tell(meeting)


def going_on(stopped: Stopped, db: str | Path | None) -> Stopped:
    """What to do after Ctrl-C: what is not kept cannot go on."""
    return stopped if db is not None else Stopped("stopped; with db= the same call would go on from here")


def listed(texts: Any) -> list[Any]:
    """A list of players or settings; one alone is a list of one, not of its letters."""
    return [texts] if isinstance(texts, str | Player) else list(texts)


def checked_test(sprt: Test) -> Sprt | None:
    return sprt if sprt is None or isinstance(sprt, Sprt) else Sprt(*sprt)


def checked_games(games: int | None) -> Any:
    if games is not None and games < 1:
        raise SpecError(f"at least one game must be played, not {games}")
    return games


def playing_of(
    db: str | Path | None, jobs: int | None, cluster: str | None, strict: bool, grace: float, command: str
) -> Playing:
    if jobs is not None and jobs < 1:
        raise SpecError(f"jobs is how many games are played at a time, not {jobs}")
    if jobs != 1 and getattr(multiprocessing.current_process(), "_inheriting", False):
        raise AstragalError("a script that plays in several processes must do so under if __name__ == '__main__':")
    return Playing(None if db is None else Path(db), jobs, cluster, strict, grace, command)
