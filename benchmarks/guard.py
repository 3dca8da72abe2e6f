"""A guard of speed: fails when a ratio to C++ in the same run has fallen more than 15% below the stored one.

    python benchmarks/guard.py [--only TEXT] [--store]

Each row is Astragal's rate over that of C++ of the same logic (`run.py`), the two taking turns. Games without a C++
twin are compared with C++'s random games of EWN, which measure the present speed of the machine. Rows that are slow are
measured again after all others, twice at most, and the best of the three counts: other work on the machine makes single
ratios better or worse, but seldom all three worse. Where a rate, ours or that of C++, went up and down by more than a
fifth in every try of a row, the machine is too busy to say anything: that row is shown, and does not fail.

``--store`` measures every row three times and writes the medians to `guard.json`, with the commit and the machine, and
how far apart the three were, by which a row may fall further. Each kind of processor has ratios of its own; on a kind
of which there are none, or with other compilers, nothing is compared. Do so on a quiet machine, after a change that is
meant to make something faster, or makes it slower for a good reason.
"""

from __future__ import annotations

import argparse
import json
import statistics
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, NamedTuple

from rich.console import Console

from astragal.base.locks import measuring
from measure import Task, best_rate, use_one_core
from run import HERE, SAME_LOGIC, Measure, build_programs, machine, measures, run_program

STORED = HERE / "guard.json"
TOLERANCE = 0.15
TRIES = 3
STEADY = 0.8  # of the best rate in a try, which half of its turns reach on a machine that is quiet enough
TURNS, SECONDS = 6, 0.15  # of each program in one try, and how long a turn is
CLOCK = "ewn_random_games"  # what C++ does where it has no twin of a row
NAMES = (  # every kind of search once or twice, and random games
    "ewn_random_games",
    "ewn_expectimax",
    "ewn_star1",
    "pig_expectimax",
    "pig_star1",
    "ewn_star1ss_5",
    "kalah_alphabeta",
    "ewn_uct",
    "pig1_uct",
    "kalah_uct",
    "connect_four_uct",
    "ra_games",
    "focus_decisions",
    "chinese_checkers121_decisions",
)


class Try(NamedTuple):
    """Astragal's best rate over C++'s, and whether both were much the same all the time."""

    ratio: float
    steady: bool


@dataclass
class Row:
    """A guarded measure, what is stored of it, how it is measured, and what its tries found."""

    measure: Measure
    stored: float | None
    spread: float = 0.0  # of what was stored, as a share of it
    tries: list[Try] = field(default_factory=list)
    task: Task | None = None

    @property
    def best(self) -> float:
        return max(each.ratio for each in self.tries)

    @property
    def is_slow(self) -> bool:
        """Whether no try came near what is stored."""
        return self.stored is not None and self.best < (1 - TOLERANCE - self.spread) * self.stored

    @property
    def fell(self) -> bool:
        """Whether it is slow, and not because the machine had no quiet moment."""
        return self.is_slow and any(each.steady for each in self.tries)

    def __str__(self) -> str:
        if self.stored is None:
            return f"{self.measure.label:<45}{self.best:6.2f}, nothing stored"
        tries = "" if len(self.tries) == 1 else f", best of {len(self.tries)}"
        verdict = "FELL" if self.fell else "slow, but the machine is too busy to decide" if self.is_slow else "ok"
        return f"{self.measure.label:<45}{self.best:6.2f}, stored {self.stored:.2f}{tries}: {verdict}"


def try_row(measure: Measure, task: Task, yardstick: Path, clock: Measure) -> Try:
    """Astragal and C++ in turn, some times each."""
    ours, theirs = [], []
    for _ in range(TURNS):
        ours.append(best_rate(SECONDS, task))
        found = run_program(yardstick, measure, SECONDS) or run_program(yardstick, clock, SECONDS)
        assert found is not None
        theirs.append(found[0])
    return Try(max(ours) / max(theirs), is_steady(ours) and is_steady(theirs))


def is_steady(rates: list[float]) -> bool:
    return statistics.median(rates) >= STEADY * max(rates)


def measure_rows(rows: list[Row], yardstick: Path, clock: Measure, all_tries: bool) -> Iterator[Row]:
    """Measure each row, then those again that are slow, a while later; rows come as they are decided."""
    for number in range(TRIES):
        for row in rows:
            if number == 0:
                row.task = row.measure.make()
                row.task()  # compiles or loads the kernel
            elif not all_tries and not row.is_slow:
                continue
            assert row.task is not None
            row.tries.append(try_row(row.measure, row.task, yardstick, clock))
            if number == TRIES - 1 or (not all_tries and not row.is_slow):
                yield row


def commit() -> str:
    """What is measured, as Git calls it; with a plus if files differ from it."""
    try:
        line = ["git", "-C", str(HERE), "describe", "--always", "--dirty=+", "--exclude=*"]
        return subprocess.run(line, check=True, capture_output=True, text=True).stdout.strip()
    except (OSError, subprocess.CalledProcessError):
        return "unknown"


def read_stored() -> list[dict[str, Any]]:
    """What was stored, once for each kind of machine."""
    return json.loads(STORED.read_text()) if STORED.exists() else []  # type: ignore[no-any-return]


def stored_of(about: dict[str, str]) -> dict[str, Any]:
    """What was stored of a machine with its compilers."""
    return next((kept for kept in read_stored() if kept["machine"] == about), {"ratios": {}, "spreads": {}})


def store(rows: list[Row], about: dict[str, str], stored: dict[str, Any]) -> None:
    """Write what was measured in the place of what there was of this processor; rows that were not stay as they are."""
    written = {"commit": commit(), "machine": about, "ratios": stored["ratios"], "spreads": stored["spreads"]}
    for row in rows:
        ratios = [each.ratio for each in row.tries]
        middle = statistics.median(ratios)
        written["ratios"][row.measure.name] = round(middle, 3)
        written["spreads"][row.measure.name] = round((max(ratios) - min(ratios)) / middle, 3)
    others = [kept for kept in read_stored() if kept["machine"]["processor"] != about["processor"]]
    STORED.write_text(json.dumps([*others, written], indent=1) + "\n")


def guarded(only: str, stored: dict[str, Any]) -> tuple[list[Row], Measure]:
    """The rows to measure, and what C++ does where it has no twin."""
    known = {measure.name: measure for measure in measures()}
    chosen = [known[name] for name in NAMES if only.lower() in f"{name} {known[name].label}".lower()]
    rows = [Row(each, stored["ratios"].get(each.name), stored["spreads"].get(each.name, 0.0)) for each in chosen]
    return rows, known[CLOCK]


def main() -> int:
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--store", action="store_true", help="write the ratios measured, instead of comparing them")
    parser.add_argument("--only", metavar="TEXT", default="", help="only rows with this in their name")
    options = parser.parse_args()
    console = Console()
    use_one_core()
    programs = build_programs(console, [SAME_LOGIC])
    if not programs:
        console.print("SKIPPED: without a C++ compiler there is nothing to compare with.")
        return 0
    about = machine(programs)
    stored = stored_of(about)
    rows, clock = guarded(options.only, stored)
    if not stored["ratios"] and read_stored() and not options.store:
        known = "; ".join(", ".join(kept["machine"].values()) for kept in read_stored())
        console.print(f"SKIPPED: ratios are of a machine and its compilers; those stored are of {known}.")
        return 0
    for row in measure_rows(rows, programs[SAME_LOGIC], clock, options.store):
        print(row, flush=True)
    if options.store:
        store(rows, about, stored)
        return 0
    fallen = [row.measure.label for row in rows if row.fell]
    if fallen:
        print(
            f"error: more than {TOLERANCE:.0%} slower than at {stored['commit']}: {'; '.join(fallen)}", file=sys.stderr
        )
    return 1 if fallen else 0


if __name__ == "__main__":
    with measuring(wait=True):
        sys.exit(main())
