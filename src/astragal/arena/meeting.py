"""Two players meet: one contest of a tournament or of a tuning run, with fresh dice for each two players and occasion.

What a meeting says depends on its players, seed and number of games alone. More games of the same contest that the
store may hold, and those under way when a sequential test had decided, are left out.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from concurrent.futures import Executor
from dataclasses import dataclass, field, replace
from hashlib import sha256
from typing import Any

from astragal.arena.compile_ahead import compile_side_by_side
from astragal.arena.contest import Contest
from astragal.arena.record import GameRecord
from astragal.arena.results_store import ResultsStore
from astragal.arena.run import Plan, pairs_for, run_contest, warm_up
from astragal.arena.sprt import Sprt
from astragal.arena.statistics import Estimate, PairedEstimate, estimated
from astragal.arena.summary import SprtWatch, Standing
from astragal.errors import Stopped
from astragal.search.limits import Limits

COMMENT = "  # "  # what the shell leaves out of a command


@dataclass(frozen=True)
class Meeting:
    """What came of it. The first player is named first."""

    players: tuple[str, str]
    scores: tuple[tuple[float, ...], ...]  # of the first player: [pair][game]
    forfeits: tuple[int, int] = (0, 0)
    decision: str | None = None  # of a sequential test
    occasion: str = ""  # why they met, where they may meet again

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
        }


class Quiet:
    """Hears of games and shows nothing."""

    def __init__(self, standing: Standing, watch: SprtWatch | None, wanted: int) -> None:
        self.standing, self.watch = standing, watch

    def hear(self, records: list[GameRecord]) -> bool:
        """Count games; whether a test has decided."""
        self.standing.add(records)
        return self.watch.decided() if self.watch else False

    def end(self) -> None:
        """No more games of this contest."""


@dataclass
class Meetings:
    """How players meet, and where their games are kept."""

    game: str
    limits: Limits
    seed: int
    plan: Plan  # of each meeting
    store: ResultsStore
    workers: Callable[[], Executor]
    sprt: Sprt | None = None  # stops a meeting before it has all its games
    command: str = ""
    listener: Callable[[Standing, SprtWatch | None, int], Any] = Quiet
    tell: Callable[[Meeting], None] = field(default=lambda meeting: None)

    def prepare(self, players: Sequence[str]) -> None:
        """Let every player think once, so that one that cannot play with these limits is refused before the first."""
        compile_side_by_side(self.game, players, self.plan.jobs)
        for player in players:
            warm_up(Contest.of(self.game, [player, player], self.limits, self.seed))

    def meet(self, first: str, second: str, occasion: str = "", to_the_end: bool = False) -> Meeting:
        """Play what is missing of a contest of two players. To the end: no sequential test stops it."""
        contest = Contest.of(self.game, [first, second], self.limits)
        contest = replace(contest, seed=meeting_seed(self.seed, occasion, *contest.kinds))
        limit = pairs_for(contest, self.plan.games)
        standing = Standing(contest)
        watch = SprtWatch(standing, self.sprt) if self.sprt and not to_the_end else None
        listener = self.listener(standing, watch, self.plan.games)

        def hear(records: list[GameRecord]) -> bool:
            wanted = [record for record in records if record.pair < limit]
            return bool(wanted and listener.hear(wanted))

        try:
            command = with_occasion(self.command, occasion)
            complete = run_contest(contest, self.plan, self.store, self.workers, command, hear)
        finally:
            listener.end()
        if not complete:
            raise Stopped("stopped; the same command goes on from here")
        meeting = replace(meeting_of(standing, watch), occasion=occasion)
        self.tell(meeting)
        return meeting


def with_occasion(command: str, occasion: str) -> str:
    """A command as it is kept with a contest, with a comment that says why the players met."""
    return f"{command}{COMMENT}{occasion}" if occasion else command


def occasion_of(command: str) -> str:
    return command.rpartition(COMMENT)[2] if COMMENT in command else ""


def meeting_of(standing: Standing, watch: SprtWatch | None) -> Meeting:
    """The games of a contest of two players that count."""
    pairs = standing.whole_pairs()
    if watch is not None and watch.decision is not None:
        pairs = pairs[: watch.pairs]
    first, second = standing.contest.kinds
    scores = tuple(tuple(game[0] for game in pair) for pair in pairs)
    forfeits = standing.player_facts(0)["forfeits"], standing.player_facts(1)["forfeits"]
    return Meeting((first, second), scores, forfeits, watch.decision if watch else None)


def meeting_seed(seed: int, occasion: str, first: str, second: str) -> int:
    """The seed of a contest. Any two players have dice of their own, whoever else takes part."""
    text = "\n".join([str(seed), occasion, first, second])
    return int.from_bytes(sha256(text.encode()).digest()[:4], "big")
