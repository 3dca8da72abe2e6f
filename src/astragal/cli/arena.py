"""What commands that play contests share: their options, the workers, and a line while games are played."""

from __future__ import annotations

import os
import shlex
import sys
import time as clock
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from astragal.errors import SpecError

if TYPE_CHECKING:
    from astragal.arena.meeting import AnyMeeting, Meetings
    from astragal.arena.record import GameRecord
    from astragal.arena.sprt import Sprt
    from astragal.arena.summary import SprtWatch, Standing
    from astragal.search.limits import Limits

DEFAULT_FILE = Path("results.db")
LINE_SECONDS = 0.1

Jobs = Annotated[int | None, typer.Option("--jobs", min=1, help="Games played at a time (one a core).")]
File = Annotated[Path, typer.Option("--db", help="The results file.")]
SprtText = Annotated[
    str | None,
    typer.Option("--sprt", metavar="ELO0:ELO1", help="Stop when a sequential test has decided, such as 0:20."),
]
Grace = Annotated[float, typer.Option("--grace", min=0.0, help="Seconds a player may be late.")]
Strict = Annotated[bool, typer.Option("--strict", help="Stop at the first fault instead of a forfeit.")]
Cluster = Annotated[
    str | None, typer.Option("--cluster", metavar="ADDRESS", help="Play on the workers of a Dask scheduler.")
]


def this_command() -> str:
    """As it was typed, for the record."""
    return shlex.join(["astragal", *sys.argv[1:]])


def parse_sprt(text: str | None) -> Sprt | None:
    from astragal.arena.sprt import Sprt

    if text is None:
        return None
    try:
        low, high = map(float, text.split(":"))
    except ValueError:
        raise SpecError(f"--sprt takes two Elo differences, such as 0:20, not '{text}'") from None
    return Sprt(low, high)


def pessimism_among(game: str, players: Sequence[str]) -> str | None:
    """What to know of players who take turns in their searches where the game lets them choose at once."""
    from astragal.game.position import Position
    from astragal.games import load_game
    from astragal.players import load_player

    rules = load_game(game)
    named = [player for player in players if load_player(player, rules).pessimistic]
    if not named or not Position.start(rules).settled(0).at_once:
        return None
    search = "searches" if len(named) == 1 else "search"
    return (
        f"players choose at once in {game}, and {', '.join(named)} {search} as if the others knew their choice; "
        "simultaneous=decoupled (uct, mcts, dpw) looks for mixed strategies, final=mixed plays them"
    )


def print_note(note: str | None) -> None:
    if note:
        print(f"note: {note}")


@dataclass(frozen=True)
class Playing:
    """How contests are played and where their games are kept: the options that change nothing about games."""

    db: Path
    jobs: int | None
    cluster: str | None
    strict: bool
    grace: float

    def workers(self, limits: Limits) -> tuple[Any, int]:
        """Where workers come from, and how many; a warning where these limits need more of the machine than is free."""
        made, count = workers_for(self.cluster, self.jobs)
        if self.cluster is None:
            warn_if_busy(limits, count)
        return made, count


def workers_for(cluster: str | None, jobs: int | None) -> tuple[Any, int]:
    from astragal.arena.workers import cluster_workers, local_workers

    if cluster is not None:
        executor, threads = cluster_workers(cluster)
        return lambda: executor, threads
    count = jobs or (len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count()) or 1
    return lambda: local_workers(count), count


def warn_if_busy(limits: Limits, jobs: int) -> None:
    """Say so where thinking time would be shared with other programs: then seconds are not what they seem."""
    cores = os.cpu_count() or 1
    load = os.getloadavg()[0] if hasattr(os, "getloadavg") else 0.0
    if limits.time is not None and load + jobs > cores + 0.5:
        games = f"{jobs} game{'s' if jobs > 1 else ''} at a time"
        busy = f"warning: {cores} cores have a load of {load:.1f} already"
        print(f"{busy}; with {games} players will get less than their time", file=sys.stderr)


@contextmanager
def meetings_in(
    playing: Playing, game: str, limits: Limits, seed: int, games: int, sprt: str | None, quiet: bool
) -> Iterator[Meetings]:
    """Players meet with these options, on the same workers all along; unless quiet each meeting's score is printed."""
    from astragal.arena.meeting import Meetings
    from astragal.arena.results_store import ResultsStore
    from astragal.arena.run import Plan
    from astragal.arena.workers import PersistentWorkers

    test = parse_sprt(sprt)
    make_workers, count = playing.workers(limits)
    plan = Plan(games, count, playing.strict, playing.grace)
    with ResultsStore(playing.db) as store, store.alone(), PersistentWorkers(make_workers) as workers:
        made = Meetings(game, limits, seed, plan, store, workers, test, this_command())
        made.listener = live_meeting
        if not quiet:
            made.tell = print_meeting
        yield made


def live_meeting(standing: Standing, watch: SprtWatch | None, wanted: int) -> Live:
    return Live(standing, watch, wanted, " - ".join(standing.contest.kinds))


def print_meeting(meeting: AnyMeeting) -> None:
    """The score of the first player."""
    parts = [f"{meeting_text(meeting)} of {meeting.games} games"]
    if meeting.decision is not None:
        parts.append(f"SPRT {meeting.decision}")
    for player, count in zip(meeting.players, meeting.forfeits, strict=True):
        if count:
            parts.append(f"{player} lost {count} by forfeit")
    occasion = f"{meeting.occasion}: " if meeting.occasion else ""
    print(f"  {occasion}{' - '.join(meeting.players)}: {', '.join(parts)}", flush=True)


def meeting_text(meeting: AnyMeeting) -> str:
    """The first player's share of the wins, or how much more it scored in a game for one."""
    from astragal.arena.means import MeanEstimate, estimate_text

    found = meeting.estimate
    if isinstance(found, MeanEstimate):
        return estimate_text(found, signed=True)
    return f"{found.mean:.1%} [{found.low:.1%}, {found.high:.1%}]"


def overwrite(line: str) -> None:
    """Show a line in the place of the one before, where somebody is looking."""
    if sys.stderr.isatty():
        print(f"\r\x1b[K{line}", end="", file=sys.stderr, flush=True)


class Live:
    """A line that is overwritten while games are played, and an end to them when a test has decided."""

    def __init__(self, standing: Standing, watch: SprtWatch | None, wanted: int, title: str = "") -> None:
        self.standing, self.watch, self.wanted, self.title = standing, watch, wanted, title
        self.started = clock.perf_counter()
        self.before: int | None = None  # games there were when this run began
        self.next = 0.0  # when the line is written again

    def hear(self, records: list[GameRecord]) -> bool:
        self.standing.add(records)
        if self.before is None:
            self.before = self.standing.games
        decided = self.watch.decided() if self.watch else False
        if sys.stderr.isatty() and clock.perf_counter() > self.next:
            self.show()
        return decided

    def show(self) -> None:
        """Write the line, ten times a second or, when there are so many games that it takes long, less often."""
        started = clock.perf_counter()
        overwrite(self.line())
        now = clock.perf_counter()
        self.next = now + max(LINE_SECONDS, 30.0 * (now - started))

    def line(self) -> str:
        from astragal.arena.statistics import elo

        games = self.standing.games
        parts = [self.title] if self.title else []
        parts.append(f"{games}/{self.wanted} games")
        rate = self.standing.rate(0)
        if games:
            parts.append(self.standing.in_words(0))
        if rate is not None and self.standing.contest.is_duel:
            parts.append(f"Elo {elo(rate.mean):+.0f}")
        if self.watch:
            parts.append(f"LLR {self.watch.llr:+.2f} in [{self.watch.sprt.lower:.2f}, {self.watch.sprt.upper:.2f}]")
        fresh = games - (self.before or 0)
        if fresh and not self.watch:
            left = (clock.perf_counter() - self.started) / fresh * max(0, self.wanted - games)
            parts.append(f"{left / 60:.0f} min left" if left > 90 else f"{left:.0f} s left")
        return "  ".join(parts)

    def end(self) -> None:
        overwrite("")


def print_crosstable(points: dict[tuple[str, str], list[float]], order: Sequence[str] = ()) -> None:
    """Points of each player (row) against each other (column), in the order in which they first met or in this one."""
    names = list(order) or list(dict.fromkeys(name for pair in points for name in pair))
    widest = max(map(len, names))
    print(f"   {'':<{widest}}  {''.join(f'{number:>12}' for number in range(1, len(names) + 1))}")
    for number, name in enumerate(names, 1):
        cells = [
            f"{sum(points[name, other]):g}/{len(points[name, other])}" if (name, other) in points else "-"
            for other in names
        ]
        print(f"{number:2d} {name:<{widest}}  {''.join(f'{text:>12}' for text in cells)}")
