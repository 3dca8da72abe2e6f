"""Matches, tournaments and tuning in one call each: what programs call, and what the commands of these names do."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import replace
from functools import partial
from typing import Any, Unpack

from astragal.algorithms.limits import Limits
from astragal.arena.contest import Contest, Finish, GameRecord
from astragal.arena.match_result import KeptGames, MatchResult
from astragal.arena.meeting import AnyMeeting, Meetings, Quiet
from astragal.arena.playing import Playing, Words, records_of, spelled_out
from astragal.arena.run import pairs_for, run_contest
from astragal.arena.space import parse_space
from astragal.arena.statistics.solo import NO_TEST
from astragal.arena.statistics.sprt import Sprt
from astragal.arena.summary import SprtWatch, Standing
from astragal.arena.tables import Live, live_meeting
from astragal.arena.tournament import Tournament, check_format, entrants, play_tournament
from astragal.arena.tuning import Tuned, Tuner, check_method, find_settings
from astragal.arena.workers import PersistentWorkers
from astragal.base.errors import SpecError, Stopped
from astragal.base.terminal import is_in_notebook
from astragal.games import load_game
from astragal.players import load_player
from astragal.players.player import Player

DEFAULT_GAMES = 100
TUNING_GAMES = 1000
MAX_SPRT_GAMES = 1_000_000

Test = Sprt | tuple[float, float] | None
Progress = bool | Callable[[Standing], Any] | None
"""How progress is shown: an overwritten line (True, or None in a notebook), nothing, or a function to call."""


@spelled_out
def match(
    game: str | Any,
    players: Sequence[str | Player],
    games: int | None = None,
    *,
    sprt: Test = None,
    node_matched: int | None = None,
    finish: Finish | None = None,
    expanded: str = "all",
    limits: Limits | None = None,
    play: Playing | None = None,
    **words: Unpack[Words],
) -> MatchResult:
    """Play pairs of seat-swapped games that share dice and starting position, and say who is stronger.

    >>> import astragal
    >>> result = astragal.match("pig:goal=20", ["hold:n=10", "random"], games=40)
    >>> result.games, result.players[0].name, result.players[0].low > 0.5
    (40, 'hold:n=10', True)

    Game and players are given by their texts or as objects: two players, or one for each seat; any number of them in a
    game for one, each on the same seeds. ``games`` (100) is
    rounded up to whole pairs; with ``sprt=(0, 20)`` games are played until that test of two Elo differences decides.

    ``limits`` and ``play`` are records, `astragal.Limits` and `astragal.Playing`; their fields may be given one by one
    instead: ``time=0.2, jobs=2`` is ``limits=Limits(time=0.2), play=Playing(jobs=2)``.
    ``time`` (seconds), ``nodes``, ``depth`` and ``sims`` limit each decision; without them players have their own
    limits.

    With ``db`` every game is kept in that file, and the same call again goes on where it stopped. ``jobs`` games are
    played at a time, each in a process of its own; None means one a core. (A script must then do its work under
    ``if __name__ == "__main__":``, as always with processes.) Ctrl-C ends the match after the games under way: what was
    played is the result, and its ``complete`` is False.

    ``node_matched`` is the player, 1 or 2, that may use as many nodes as its opponent would need at the same position;
    ``expanded`` says which are counted, all or those inside the tree (``interior``).
    With ``clock="processor"`` seconds are the processor's, so that players have their time on a busy machine too.
    ``control="60+1"`` gives each player a clock for the whole game, in place of a time for each move.
    ``grace`` is how many seconds late a player may be before it loses by forfeit; with ``strict`` the first fault is
    raised. ``progress`` is True for a progress line, which a notebook shows by default, or a
    function that is called with the `Standing`.
    """
    limits, play = records_of(match, limits, play, words, games)
    matched = node_matched and node_matched - 1
    contest = Contest.of(game, listed(players), limits, play.seed, matched, finish, expanded, play.clock, play.control)
    test = checked_test(sprt)
    if test is not None and contest.is_solo:
        raise SpecError(NO_TEST)
    if test is not None and not contest.is_duel:
        raise SpecError("a sequential test compares exactly two players")
    if test is not None:
        play.refuse_part("a sequential test looks at all games in their order")
    return play_match(contest, play.games or (MAX_SPRT_GAMES if test else DEFAULT_GAMES), test, play)


def play_match(contest: Contest, games: int, test: Sprt | None, play: Playing) -> MatchResult:
    """Play what is missing of a contest."""
    make_workers, count = play.workers(contest.limits)
    pairs = pairs_for(contest, games)
    wanted = (play.part.pairs(pairs) if play.part else pairs) * len(contest.seatings)
    standing = Standing(contest)
    watch = SprtWatch(standing, test) if test else None
    listener = listening(play.progress)(standing, watch, wanted)
    with play.store() as store:
        try:
            complete = run_contest(contest, play.plan(games, count), store, make_workers, play.command, listener.hear)
        finally:
            listener.end()
    if watch is not None and watch.decision is not None:
        standing.keep_first(watch.pairs)
    return MatchResult(standing, KeptGames.of(store, contest), watch, complete, store.tally(play.file))


@spelled_out
def tournament(
    game: str | Any,
    players: Sequence[str | Player],
    games: int | None = None,
    format: str = "round-robin",
    *,
    limits: Limits | None = None,
    play: Playing | None = None,
    **words: Unpack[Words],
) -> Tournament:
    """Let players meet in pairs, and rate them.

    The format is ``round-robin``, ``gauntlet`` (the first against all others) or ``elimination``, which seeds players
    in their order; each two play ``games`` (100). The other arguments are those of `match`; ``tell`` is called
    after each meeting. Ctrl-C ends it: meetings that are over are the result, and its ``complete`` is False.
    """
    limits, play = records_of(tournament, limits, play, words, games)
    check_format(format)
    if format == "elimination":
        play.refuse_part("who meets in an elimination depends on the games before")
    rules = load_game(game)
    named = entrants(rules, listed(players))
    given = game if isinstance(game, str) else rules
    met: list[AnyMeeting] = []
    with meetings_in(play, given, limits, play.games or DEFAULT_GAMES) as meetings:
        meetings.tell = partial(noted, met, play.tell)
        meetings.prepare(named)
        try:
            played = play_tournament(format, named, meetings.meet)
        except Stopped as stopped:
            if not met:
                raise going_on(stopped, play) from None
            there = [player for player in named if any(player in meeting.players for meeting in met)]
            played = replace(Tournament(format, tuple(there), (tuple(met),)), complete=False)
    return replace(played, game=rules, tally=meetings.store.tally(play.file))


@spelled_out
def tune(
    game: str | Any,
    player: str | Player,
    param: Sequence[str] = (),
    games: int | None = None,
    method: str = "elimination",
    *,
    candidates: int = 16,
    rounds: int = 1,
    sprt: Test = None,
    limits: Limits | None = None,
    play: Playing | None = None,
    **words: Unpack[Words],
) -> Tuned:
    """Tune a player's settings by games against itself, and compare the best with the original ones.

    ``param`` says what to try: ``["width=1..40", "c=10..200:log", "policy=uniform|order"]``. The method is
    ``elimination``, of ``candidates`` settings in each of the ``rounds``; or ``optuna``, which proposes them. Each two
    settings play ``games`` (1,000). The other arguments are those of `tournament`. Ctrl-C raises
    `astragal.base.errors.Stopped`; with ``db`` the same call goes on.
    """
    limits, play = records_of(tune, limits, play, words, games)
    play.refuse_part("which settings meet depends on the games before")
    if method == "optuna" and rounds > 1:
        raise SpecError("rounds are for elimination")
    check_method(method)
    rules = load_game(game)
    default = load_player(player, rules)
    tuner = Tuner(default, rules, parse_space(type(default), listed(param)), candidates, rounds, play.seed)
    if method == "elimination":
        tuner.entrants(0)  # a sentence where they do not fit
    given = game if isinstance(game, str) else rules
    with meetings_in(play, given, limits, play.games or TUNING_GAMES, checked_test(sprt)) as meetings:
        meetings.tell = play.tell or meetings.tell
        meetings.prepare([str(default)])
        try:
            tuned = find_settings(method, tuner, meetings.meet)
            return replace(tuned, game=rules, tally=meetings.store.tally(play.file))
        except Stopped as stopped:
            raise going_on(stopped, play) from None


@contextmanager
def meetings_in(
    play: Playing, game: str | Any, limits: Limits, games: int, test: Sprt | None = None
) -> Iterator[Meetings]:
    """Players meet in this way, on the same workers all along."""
    make_workers, count = play.workers(limits)
    with play.store() as store, store.alone(), PersistentWorkers(make_workers) as workers:
        plan = play.plan(games, count)
        made = Meetings(game, limits, play.seed, plan, store, workers, play.clock, play.control, test, play.command)
        listener = listening(play.progress)
        made.listener = live_meeting if listener is Live else listener
        yield made


def listening(progress: Progress) -> Callable[[Standing, SprtWatch | None, int], Any]:
    """An object that receives games as they end."""
    if callable(progress):
        return partial(Told, progress)
    return Live if progress or (progress is None and is_in_notebook()) else Quiet


class Told(Quiet):
    """Receives games, and calls a user's function with the standing."""

    def __init__(
        self, tell: Callable[[Standing], Any], standing: Standing, watch: SprtWatch | None, wanted: int
    ) -> None:
        super().__init__(standing, watch, wanted)
        self.tell = tell

    def hear(self, records: Iterable[GameRecord]) -> bool:
        decided = super().hear(records)
        self.tell(self.standing)
        return decided


def noted(met: list[AnyMeeting], tell: Callable[[AnyMeeting], None] | None, meeting: AnyMeeting) -> None:
    met.append(meeting)
    if tell is not None:
        tell(meeting)


def going_on(stopped: Stopped, play: Playing) -> Stopped:
    """What to do after Ctrl-C: what is not kept cannot go on."""
    return stopped if play.db is not None else Stopped("stopped; with db= the same call would go on from here")


def listed(texts: Any) -> list[Any]:
    """A list of players or settings; one alone is a list of one, not of its letters."""
    return [texts] if isinstance(texts, str | Player) else list(texts)


def checked_test(sprt: Test) -> Sprt | None:
    return sprt if sprt is None or isinstance(sprt, Sprt) else Sprt(*sprt)
