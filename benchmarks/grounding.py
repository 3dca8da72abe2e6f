"""Rule sheets: how long it takes to read them, to instantiate their rules, and to make a network and code of them.

    python benchmarks/grounding.py [FILE.kif ...]

In seconds of processor time, the best of three; without files, the sheets that come with Astragal. Nothing is compiled
by Numba here: what a first search compiles is what `benchmarks/compile.py` measures.
"""

from __future__ import annotations

import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import TypeVar

from rich.console import Console
from rich.table import Table

from astragal.base.errors import AstragalError
from astragal.base.locks import measuring
from astragal.games import SHEETS
from astragal.gdl.layouts.code_layout import lay_out_code
from astragal.gdl.layouts.gate_layout import lay_out_gates
from astragal.gdl.reading.reader import load_sheet
from astragal.gdl.reasoning.grounding import ground
from astragal.gdl.reasoning.joins import Budget
from astragal.gdl.reasoning.network import build_network
from measure import use_one_core

REPEATS = 3
STEPS = ("read", "instances", "network", "layout")
Made = TypeVar("Made")


class Clock:
    """Seconds that each step took, the least of all repeats."""

    def __init__(self) -> None:
        self.seconds = dict.fromkeys(STEPS, float("inf"))

    def time(self, step: str, make: Callable[[], Made]) -> Made:
        began = time.process_time()
        made = make()
        self.seconds[step] = min(self.seconds[step], time.process_time() - began)
        return made


def measure(path: Path) -> tuple[Clock, str]:
    """The times of a sheet, and how many instances and gates it has and how it is run."""
    clock = Clock()
    for _ in range(REPEATS):
        sheet = clock.time("read", lambda: load_sheet(path))
        budget = Budget()
        grounding = clock.time("instances", lambda: ground(sheet, budget))  # noqa: B023 (called at once)
        network = clock.time("network", lambda: build_network(grounding, budget))  # noqa: B023
        layout = clock.time("layout", lambda: lay_out_code(network, budget) or lay_out_gates(network))  # noqa: B023
    count = sum(map(len, grounding.rules.values()))
    return clock, f"{count:,} instances, {len(network.gates):,} gates, {'code' if layout.is_called else 'gate by gate'}"


def main() -> int:
    use_one_core()
    table = Table(title="seconds of processor time")
    for heading in ("sheet", *STEPS, "all", ""):
        table.add_column(heading, justify="left" if heading in ("sheet", "") else "right")
    total = dict.fromkeys(STEPS, 0.0)
    paths = [Path(name) for name in sys.argv[1:]] or sorted(SHEETS.glob("*.kif"))
    for path in paths:
        try:
            clock, told = measure(path)
        except AstragalError as problem:
            table.add_row(path.stem, *[""] * (len(STEPS) + 1), str(problem))
            continue
        total = {step: total[step] + clock.seconds[step] for step in STEPS}
        times = [*clock.seconds.values(), sum(clock.seconds.values())]
        table.add_row(path.stem, *(f"{each:.2f}" for each in times), told)
    table.add_row("together", *(f"{each:.2f}" for each in (*total.values(), sum(total.values()))))
    Console(width=150).print(table)
    return 0


if __name__ == "__main__":
    with measuring(wait=True):
        sys.exit(main())
