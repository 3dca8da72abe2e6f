"""Exploration that follows what a search has seen, at equal simulations: against a fixed C and against OpenSpiel.

    python benchmarks/exploration.py [--games N] [--sims N] [--time S] [--only TEXT] [--jobs N] [--db FILE]
                                     [--page FILE]

Pairs of games with the same dice, seats swapped. `Wide` is Connect Four with a range of utilities declared
ten times too wide, as a user's game may have it. OpenSpiel's tree search has its own settings (uct_c = 2, its solver
on); games against it with `--time` seconds a move are played one at a time, by the clock on the wall, which is all that
it keeps. Games are kept in FILE: the same command again plays what is missing. `--page` writes the table into a
document, between its two marks.
"""

from __future__ import annotations

import argparse
import os
import platform
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import date
from pathlib import Path

import astragal
from astragal import Limits
from astragal.games.connect_four import ConnectFour

try:
    import pyspiel
except ImportError:
    pyspiel = None

HERE = Path(__file__).resolve()
UCT, OLD, SOLVER, OPENSPIEL = "uct", "uct:c=140", "uct:solver=standard", "openspiel"
SEED = 5
GAMES = {  # and which share of the games is played, since some take long
    "kalah:rules=standard": 1.0,
    "kalah": 1.0,
    f"{HERE}:Wide": 1.0,
    "connect_four": 1.0,
    "tic_tac_toe": 1.0,
    "ewn": 1.0,
    "pig": 1.0,
    "cant_stop": 0.5,
    "ra:score=margin": 0.25,
    "ra": 0.25,
    "backgammon": 0.1,
}
SOLVED = ("connect_four", "tic_tac_toe", "kalah:rules=standard", "ewn")
OPENSPIEL_GAMES = ("ewn", "kalah:rules=standard", "connect_four", "tic_tac_toe", "pig:dice=1")
OPENSPIEL_SHARE = 0.5  # of the games: it is slow
EQUAL_GOAL, TIMED_GOALS = 50, {"kalah:rules=standard": 80, "connect_four": 95}
BEGIN, END = "<!-- by benchmarks/exploration.py -->", "<!-- end -->"


@astragal.game
class Wide(ConnectFour):
    """Connect Four with a range of utilities ten times too wide."""

    utility_range = (-10.0, 10.0)


@dataclass(frozen=True)
class Row:
    """A match: who plays whom at what, how many games, and the score to reach."""

    game: str
    first: str
    second: str
    limits: Limits
    games: int
    goal: int | None = None

    @property
    def label(self) -> str:
        return "connect_four, range too wide" if self.game.endswith(":Wide") else self.game

    @property
    def words(self) -> str:
        return f"{self.first} {self.second} {self.label} {'time' if self.limits.time else 'sims'}"

    def play(self, jobs: int, db: Path | None) -> str:
        """Play it; a line of the table."""
        jobs = 1 if self.limits.time else jobs
        result = astragal.match(
            self.game, [self.first, self.second], self.games, limits=self.limits, jobs=jobs, seed=SEED, db=db
        )
        score = result.players[0]
        spent = f"{1000 * self.limits.time:g} ms" if self.limits.time else f"{self.limits.sims:,} simulations"
        found = f"{100 * score.rate:.1f} [{100 * score.low:.1f}, {100 * score.high:.1f}]"
        goal = "-" if self.goal is None else f"{self.goal}"
        return f"| `{self.first}` | `{self.second}` | {self.label} | {spent} | {result.games} | {found} | {goal} |"


def rows(games: int, sims: int, seconds: float) -> Iterator[Row]:
    equal = Limits(sims=sims)
    for game, share in GAMES.items():
        yield Row(game, UCT, OLD, equal, max(2, round(share * games)))
    for game in SOLVED:
        yield Row(game, SOLVER, UCT, equal, games)
    if pyspiel is None:
        return
    for game in OPENSPIEL_GAMES:
        yield Row(game, UCT, OPENSPIEL, equal, max(2, round(OPENSPIEL_SHARE * games)), EQUAL_GOAL)
    for game, goal in TIMED_GOALS.items():
        yield Row(game, UCT, OPENSPIEL, Limits(time=seconds), max(2, round(OPENSPIEL_SHARE * games)), goal)


def head() -> list[str]:
    """The head of the table, and what made it."""
    commit = subprocess.run(["git", "rev-parse", "--short=10", "HEAD"], capture_output=True, text=True, cwd=HERE.parent)
    made = f"Printed by `python benchmarks/{' '.join(['exploration.py', *sys.argv[1:]])}` on {date.today()}"
    made += f", commit {commit.stdout.strip()}, {platform.machine()}, {os.cpu_count()} cores."
    return [
        made,
        "",
        "| player | against | game | a move | games | score, % | goal, % |",
        "|---|---|---|---|---:|---:|---:|",
    ]


def main() -> int:
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--games", type=int, default=400, help="of each match; fewer of games that take long")
    parser.add_argument("--sims", type=int, default=1000, help="simulations a move (default 1000)")
    parser.add_argument("--time", type=float, default=0.02, help="seconds a move of the timed matches (default 0.02)")
    parser.add_argument("--only", metavar="TEXT", default="", help="only lines with this in them, such as openspiel")
    parser.add_argument("--jobs", type=int, default=1, help="games at a time, but for timed ones")
    parser.add_argument("--db", type=Path, metavar="FILE", help="where games are kept")
    parser.add_argument("--page", type=Path, metavar="FILE", help="a document whose table is replaced")
    options = parser.parse_args()
    if pyspiel is None:
        print("OpenSpiel is not installed (pip install open_spiel): its rows are left out.", file=sys.stderr)
    wanted = (row for row in rows(options.games, options.sims, options.time) if options.only in row.words)
    table = head()
    print("\n".join(table))
    for row in wanted:
        table.append(row.play(options.jobs, options.db))
        print(table[-1], flush=True)
    if options.page:
        before, _, rest = options.page.read_text().partition(BEGIN)
        after = rest.partition(END)[2]
        options.page.write_text("\n".join([before + BEGIN, "", *table, "", END + after]))
    return 0


if __name__ == "__main__":
    sys.exit(main())
