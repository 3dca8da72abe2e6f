"""A line that is overwritten while games are played, where somebody is looking."""

from __future__ import annotations

import time as clock

from astragal.arena.record import GameRecord
from astragal.arena.statistics import elo
from astragal.arena.summary import SprtWatch, Standing
from astragal.terminal import bar, fitted, is_watched, overwrite, width

LINE_SECONDS = 0.1


class Live:
    """A line that is overwritten while games are played, and an end to them when a test has decided."""

    def __init__(self, standing: Standing, watch: SprtWatch | None, wanted: int, title: str = "") -> None:
        self.standing, self.watch, self.wanted, self.title = standing, watch, wanted, title
        self.started = clock.perf_counter()
        self.before: int | None = None  # games there were when this run began
        self.next = 0.0  # when the line is written again
        overwrite(self.line())  # before the first game is over, which may take a while

    def hear(self, records: list[GameRecord]) -> bool:
        self.standing.add(records)
        if self.before is None:
            self.before = self.standing.games
        decided = self.watch.decided() if self.watch else False
        if is_watched() and clock.perf_counter() > self.next:
            self.show()
        return decided

    def show(self) -> None:
        """Write the line, ten times a second or, when there are so many games that it takes long, less often."""
        started = clock.perf_counter()
        overwrite(self.line())
        now = clock.perf_counter()
        self.next = now + max(LINE_SECONDS, 30.0 * (now - started))

    def line(self) -> str:
        """What matters most first: what does not fit into the terminal's width is left out."""
        games = self.standing.games
        parts = [f"{bar(games, self.wanted)} {games}/{self.wanted} games"]
        if self.title:
            room = width() - len(parts[0]) - 2
            parts.insert(0, self.title if len(self.title) <= room else self.title[: max(0, room - 1)] + "…")
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
        return fitted([part for part in parts if part], width())

    def end(self) -> None:
        overwrite("")


def live_meeting(standing: Standing, watch: SprtWatch | None, wanted: int) -> Live:
    """The line of a contest that is one of several: it says whose it is."""
    contest = standing.contest
    return Live(standing, watch, wanted, " - ".join(contest.label(kind) for kind in contest.kinds))
