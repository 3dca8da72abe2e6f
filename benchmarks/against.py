"""Two versions in turn: `python benchmarks/run.py --against COMMIT` measures this tree and a commit of it.

Each version is a process of its own with its own cache, which answers through the public functions, so that any commit
that has them can be compared. The two take turns, nine times a row; each turn is as many searches as fill the time.
What counts is the processor time of one search, and the ratio of the commit's to this tree's in the same turn: 1.1
means that this tree is a tenth faster. The interval of a median of nine goes from the second lowest to the second
highest (96%, by the binomial distribution). A row is slower if that interval lies below 0.97.
"""

from __future__ import annotations

import contextlib
import json
import os
import statistics
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from rich.console import Console
from rich.table import Table

ROOT = Path(__file__).parent.parent
TURNS = 9
LEVEL = 0.97  # what the whole interval lies below if a row is slower
EWN, PIG = "123../45.../6...f/...ed/..cba 1 3", "0 0 8 1 decide"
CANT_STOP = "7:5,8:3,12:1 4:2,6:4,7:2 6:2,8:4 1 3445"
ROWS = {  # what is searched: game, position (the start if empty), player, limits
    "EWN, expectimax": ("ewn:setup=fixed", EWN, "exp", {"depth": 3}),
    "EWN, Star1": ("ewn:setup=fixed", EWN, "star1", {"depth": 4}),
    "EWN, Star2": ("ewn:setup=fixed", EWN, "star2", {"depth": 4}),
    "EWN, star2SS": ("ewn:setup=fixed", EWN, "star2ss:width=5", {"depth": 5}),
    "EWN, UCT": ("ewn:setup=fixed", EWN, "uct", {"sims": 20_000}),
    "Pig, expectimax": ("pig", PIG, "exp", {"depth": 4}),
    "Pig, Star1": ("pig", PIG, "star1", {"depth": 5}),
    "Pig, UCT": ("pig", PIG, "uct", {"sims": 20_000}),
    "Can't Stop, star1SS": ("cant_stop", CANT_STOP, "star1ss:width=5", {"depth": 4}),
    "Kalah, alpha-beta": ("kalah", "", "alphabeta", {"depth": 10}),
    "Kalah, UCT": ("kalah", "", "uct", {"sims": 20_000}),
    "Ra, UCT": ("ra", "", "uct", {"sims": 5_000}),
    "Focus for three, max^n": ("focus:players=3", "", "maxn", {"depth": 2}),
    "Chinese Checkers, UCT by order": ("chinese_checkers", "", "uct:policy=order", {"sims": 300}),
    "Tic-tac-toe (rule sheet), UCT": ("tic_tac_toe.kif", "", "uct", {"sims": 20_000}),
}
SCRIPT = """
import json, sys, time
import astragal
known = {}
for line in sys.stdin:
    game, text, player, limits, seconds = json.loads(line)
    if (game, text) not in known:
        rules = astragal.load_game(game)
        known[game, text] = (astragal.Position.parse(rules, text) if text else astragal.start(rules)).settled(7)
    position, count, spent = known[game, text], 0, 0.0
    while not count or spent < seconds:
        begin = time.process_time()
        found = astragal.search(position, player, seed=7, limits=astragal.Limits(**limits))
        spent, count = spent + time.process_time() - begin, count + 1
    print(json.dumps([spent / count, found.nodes, found.value]), flush=True)
"""


class Version:
    """A process that searches with one version of the package."""

    def __init__(self, source: Path, cache: Path) -> None:
        paths = os.pathsep.join(filter(None, [str(source), os.environ.get("PYTHONPATH", "")]))
        environment = os.environ | {"PYTHONPATH": paths, "ASTRAGAL_CACHE": str(cache)}
        self.process = subprocess.Popen(
            [sys.executable, "-c", SCRIPT], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, env=environment
        )

    def turn(self, row: str, seconds: float) -> tuple[float, Any]:
        """The processor seconds of one search of a row, and what it found."""
        assert self.process.stdin is not None
        assert self.process.stdout is not None
        self.process.stdin.write(json.dumps([*ROWS[row], seconds]) + "\n")
        self.process.stdin.flush()
        answer = self.process.stdout.readline()
        if not answer:
            raise SystemExit(f"{row}: a version ended with {self.process.wait()}; the lines above say why")
        spent, *found = json.loads(answer)
        return spent, found

    def end(self) -> None:
        if self.process.stdin is not None:
            self.process.stdin.close()
        self.process.wait()


@dataclass(frozen=True)
class Compared:
    """The ratios of a row, turn by turn: the commit's time to this tree's."""

    ratios: tuple[float, ...]
    same: bool  # whether both found the same values in as many nodes

    @property
    def median(self) -> float:
        return statistics.median(self.ratios)

    @property
    def interval(self) -> tuple[float, float]:
        ordered = sorted(self.ratios)
        return ordered[1], ordered[-2]

    @property
    def slower(self) -> bool:
        return self.interval[1] < LEVEL


@contextlib.contextmanager
def checked_out(commit: str) -> Iterator[Path]:
    """The package's source as a commit has it, in a separate folder."""
    with tempfile.TemporaryDirectory() as folder:
        files = subprocess.run(["git", "archive", commit, "src"], cwd=ROOT, check=True, capture_output=True).stdout
        subprocess.run(["tar", "-x", "-C", folder], input=files, check=True)
        yield Path(folder) / "src"


def compare(row: str, here: Version, there: Version, seconds: float) -> Compared:
    found = here.turn(row, 0.0)[1], there.turn(row, 0.0)[1]  # compiled or loaded, not timed
    ratios = []
    for number in range(TURNS):
        first, second = (here, there) if number % 2 else (there, here)
        spent = {each: each.turn(row, seconds)[0] for each in (first, second)}
        ratios.append(spent[there] / spent[here])
    return Compared(tuple(ratios), found[0] == found[1])


def against(commit: str, only: str, seconds: float) -> int:
    """Print the table; the exit code is 1 if a row is slower."""
    console, slower = Console(), []
    table = Table(f"speed of this tree to {commit}, {TURNS} turns")
    for heading in ("ratio", "interval", "", "results"):
        table.add_column(heading, justify="right")
    with checked_out(commit) as source, tempfile.TemporaryDirectory() as caches:
        here, there = Version(ROOT / "src", Path(caches) / "here"), Version(source, Path(caches) / "there")
        try:
            for row in (name for name in ROWS if only.lower() in name.lower()):
                with console.status(row):
                    found = compare(row, here, there, seconds)
                low, high = found.interval
                slower += [row] * found.slower
                said = "slower" if found.slower else ""
                results = "the same" if found.same else "differ"
                table.add_row(row, f"{found.median:.3f}", f"{low:.3f} to {high:.3f}", said, results)
        finally:
            here.end()
            there.end()
    console.print(table)
    return 1 if slower else 0
