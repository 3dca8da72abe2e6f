"""Two players meet: one contest of a tournament or of a tuning run, with fresh dice for each two players and occasion.

What a meeting says depends on its players, seed and number of games alone. More games of the same contest that the
store may hold, and those under way when a sequential test had decided, are left out.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from concurrent.futures import Executor
from dataclasses import dataclass, field, replace
from hashlib import sha256
from typing import Any

from astragal.algorithms.limits import Limits
from astragal.arena.contest import Contest, GameRecord
from astragal.arena.run import Plan, compile_side_by_side, pairs_for, run_contest, warm_up
from astragal.arena.statistics.estimates import Estimate, PairedEstimate, estimated
from astragal.arena.statistics.solo import NO_TEST, SoloMeeting
from astragal.arena.statistics.sprt import Sprt
from astragal.arena.store.results_store import ResultsStore
from astragal.arena.summary import SprtWatch, Standing
from astragal.base.errors import SpecError, Stopped
from astragal.base.interruptible import WALL
from astragal.games import load_game

COMMENT = "  # "  # what the shell leaves out of a command


@dataclass(frozen=True)
class Meeting:
    """What came of it. The first player is named first."""

    players: tuple[str, str]
    scores: tuple[tuple[float, ...], ...]  # of the first player: [pair][game]
    forfeits: tuple[int, int] = (0, 0)
    decision: str | None = None  # of a sequential test
    occasion: str = ""  # why they met, where they may meet again
    different: int | None = None  # games that are, where most are played again and again

    @property
    def games(self) -> int:
        return sum(map(len, self.scores))

    @property
    def points(self) -> tuple[float, float]:
        won = sum(map(sum, self.scores))
        return won, self.games - won

    @property
    def winner(self) -> int:
        """0 or 1, by points. Where they are equal it is the first player."""
        first, second = self.points
        return 0 if first >= second else 1

    @property
    def estimate(self) -> Estimate | PairedEstimate:
        """Of the first player's score."""
        return estimated(self.scores)

    @property
    def p_value(self) -> float:
        """How likely a score at least this far from 1/2 is between equal players; one pair says nothing."""
        estimate = self.estimate
        return estimate.p_value() if isinstance(estimate, PairedEstimate) else 1.0

    def as_dict(self) -> dict[str, Any]:
        """For a program to read."""
        estimate = self.estimate
        return {
            "occasion": self.occasion,
            "players": self.players,
            "games": self.games,
            "points": self.points,
            "rate": estimate.mean,
            "low": estimate.low,
            "high": estimate.high,
            "forfeits": self.forfeits,
            "decision": self.decision,
            "different": self.different,
        }

    def rows(self, label: Callable[[str], str] = str) -> list[dict[str, Any]]:
        """How each of the players did against the other."""
        estimate, (first, second) = self.estimate, map(label, self.players)
        rates = (estimate.mean, estimate.low, estimate.high), (1 - estimate.mean, 1 - estimate.high, 1 - estimate.low)
        return [
            {
                "player": player,
                "opponent": opponent,
                "games": self.games,
                "points": points,
                "rate": rate,
                "low": low,
                "high": high,
                "forfeits": forfeits,
                "p": self.p_value,
            }
            for player, opponent, points, (rate, low, high), forfeits in zip(
                (first, second), (second, first), self.points, rates, self.forfeits, strict=True
            )
        ]


AnyMeeting = Meeting | SoloMeeting


class Quiet:
    """Receives games and shows nothing."""

    def __init__(self, standing: Standing, watch: SprtWatch | None, wanted: int) -> None:
        self.standing, self.watch = standing, watch

    def hear(self, records: Iterable[GameRecord]) -> bool:
        """Count games; whether a test has decided."""
        self.standing.add(records)
        return self.watch.decided() if self.watch else False

    def end(self) -> None:
        """No more games of this contest."""


@dataclass
class Meetings:
    """How players meet, and where their games are kept."""

    game: str | Any
    limits: Limits
    seed: int
    plan: Plan  # of each meeting
    store: ResultsStore
    workers: Callable[[], Executor]
    clock: str = WALL
    control: str | None = None
    sprt: Sprt | None = None  # stops a meeting before it has all its games
    command: str = ""
    listener: Callable[[Standing, SprtWatch | None, int], Any] = Quiet
    tell: Callable[[AnyMeeting], None] = field(default=lambda meeting: None)

    def prepare(self, players: Sequence[str]) -> None:
        """Let every player think once, so that one that cannot play with these limits is refused before the first."""
        if self.sprt and load_game(self.game).players == 1:
            raise SpecError(NO_TEST)
        compile_side_by_side(self.game, players, self.plan.jobs)
        for player in players:
            warm_up(self.contest([player, player]))

    def contest(self, players: Sequence[str]) -> Contest:
        return Contest.of(self.game, players, self.limits, self.seed, clock=self.clock, control=self.control)

    def meet(self, first: str, second: str, occasion: str = "", to_the_end: bool = False) -> AnyMeeting:
        """Play what is missing of a contest of two players. To the end: no sequential test stops it."""
        contest = self.contest([first, second])
        if contest.is_solo:
            return self.meet_alone(first, second, occasion)
        contest = replace(contest, seed=meeting_seed(self.seed, occasion, *contest.kinds))
        standing, watch = self.play(contest, self.plan, occasion, to_the_end)
        meeting = replace(meeting_of(standing, watch), occasion=occasion)
        self.tell(meeting)
        return meeting

    def meet_alone(self, first: str, second: str, occasion: str) -> SoloMeeting:
        """Two players of a game for one: each plays the same seeds, whomever else it is compared with."""
        each = replace(self.plan, games=(self.plan.games + 1) // 2)
        alone = []
        for player in (first, second):
            contest = replace(self.contest([player]), seed=meeting_seed(self.seed, occasion))
            standing, _ = self.play(contest, each, occasion, to_the_end=True)
            alone.append(standing)
        scores = [tuple(games[0][0] for games in standing.whole_pairs(standing.utilities)) for standing in alone]
        forfeits = [standing.player_facts(0)["forfeits"] for standing in alone]
        kinds = [standing.contest.kinds[0] for standing in alone]
        meeting = SoloMeeting((kinds[0], kinds[1]), (scores[0], scores[1]), (forfeits[0], forfeits[1]), occasion)
        self.tell(meeting)
        return meeting

    def play(self, contest: Contest, plan: Plan, occasion: str, to_the_end: bool) -> tuple[Standing, SprtWatch | None]:
        """Play what is missing of a contest; its games that count."""
        limit = pairs_for(contest, plan.games)
        standing = Standing(contest)
        watch = SprtWatch(standing, self.sprt) if self.sprt and not to_the_end else None
        listener = self.listener(standing, watch, plan.games)

        def hear(records: Iterable[GameRecord]) -> bool:
            return bool(listener.hear(record for record in records if record.pair < limit))

        try:
            command = with_occasion(self.command, occasion)
            complete = run_contest(contest, plan, self.store, self.workers, command, hear)
        finally:
            listener.end()
        if not complete:
            raise Stopped("stopped; the same command goes on from here")
        return standing, watch


def with_occasion(command: str, occasion: str) -> str:
    """A command as it is kept with a contest, with a comment that says why the players met."""
    return f"{command}{COMMENT}{occasion}" if occasion else command


def occasion_of(command: str) -> str:
    return command.rpartition(COMMENT)[2] if COMMENT in command else ""


def meeting_of(standing: Standing, watch: SprtWatch | None) -> Meeting:
    """The games of a contest of two players that count."""
    if watch is not None and watch.decision is not None:
        standing.keep_first(watch.pairs)
    first, second = standing.contest.kinds
    scores = tuple(tuple(game[0] for game in pair) for pair in standing.whole_pairs())
    forfeits = standing.player_facts(0)["forfeits"], standing.player_facts(1)["forfeits"]
    different = standing.different if standing.repeats else None
    return Meeting((first, second), scores, forfeits, watch.decision if watch else None, different=different)


def meeting_seed(seed: int, occasion: str, *players: str) -> int:
    """The seed of a contest. Any two players have dice of their own, with any other players; those who play alone, and
    are not named, have the same."""
    text = "\n".join([str(seed), occasion, *players])
    return int.from_bytes(sha256(text.encode()).digest()[:4], "big")
