"""How long kernels take to compile, and commands to start.

    python benchmarks/compile.py [--repeats N] [--only TEXT] [--json FILE]
    python benchmarks/compile.py --changes [--repeats N]

Each row is a process of its own with an empty cache: the processor seconds of a search of one node less those of the
same search when its kernels are kept, which are in the second column. Rows below a first one ("then") use the cache it
left, as after a search by another variant. The least of several repeats counts. Another column
relates the seconds to a fixed piece of Python that is timed in the same process, since a busy machine slows both.

With ``--changes`` one search is compiled without each of the changes that the fast pipeline makes in Numba
(docs/compiler.md), and by the plain pipeline.
"""

from __future__ import annotations

import argparse
import json
import os
import subprocess
import sys
import tempfile
from pathlib import Path

from rich.console import Console
from rich.table import Table

ROOT = Path(__file__).parent.parent
GROUPS = [
    [("pig", "star2ss"), ("pig", "star1"), ("pig", "uct")],
    [("ewn", "star2"), ("ewn", "star2ss"), ("ewn", "uct")],
    [("ewn", "uct"), ("ewn", "uct_h")],
    [("kalah", "alphabeta"), ("kalah", "mm")],
    [("ra", "star2ss")],
    [(str(ROOT / "examples" / "my_game.py"), "star2")],
    [("tic_tac_toe.kif", "uct"), ("tic_tac_toe.kif", "alphabeta")],
]
COMMANDS = [["--help"], ["--version"], ["games"], ["search", "pig", "--player", "star2ss:depth=1"]]
CHANGED = "ewn", "star2ss"  # what is compiled without each change
CHANGES = {  # what undoes each change of the fast pipeline, before anything is compiled
    "nothing": "",
    "inner functions without machine code": """
from numba.core.codegen import JITCodeLibrary
fast.FastCompiler.library = fast.EntryCompiler.library = JITCodeLibrary
fast.InnerCompiler.__init__ = fast.FastCompiler.__init__
""",
    "looking up once": "fast.looked_up_once, fast.refresh_quickly = contextlib.nullcontext, lambda: None",
    "both (the plain pipeline)": "os.environ['ASTRAGAL_COMPILER'] = 'plain'",
}
SCRIPT = """
import contextlib, json, os, sys, time
begin = time.process_time()
if sys.argv[3:]:
    if "ASTRAGAL_COMPILER" not in sys.argv[3]:
        from astragal.compiler import fast
    exec(sys.argv[3])
from astragal import load_game, load_player
from astragal.rules.position import Position
from astragal.algorithms.limits import Limits
rules = load_game(sys.argv[1])
load_player(sys.argv[2], rules).search(Position.start(rules).settled(0), 0, Limits(nodes=1))
seconds = time.process_time() - begin
def fixed():
    begin, numbers = time.process_time(), {}
    for i in range(200_000):
        numbers[i % 1000] = (str(i), [i] * 3)
    return time.process_time() - begin
print(json.dumps({"seconds": seconds, "fixed": min(fixed() for _ in range(5))}))
"""


def run(command: list[str], cache: str) -> tuple[str, float]:
    """A process's output, and its processor seconds."""
    before = os.times()
    environment = os.environ | {"ASTRAGAL_CACHE": cache}
    output = subprocess.run(command, check=True, capture_output=True, text=True, env=environment, cwd=ROOT).stdout
    after = os.times()
    spent = after.children_user + after.children_system - before.children_user - before.children_system
    return output, spent


def search(game: str, player: str, cache: str, *change: str) -> tuple[float, float]:
    """The processor seconds of a first search in a process of its own, and those of a fixed piece of Python."""
    found = json.loads(run([sys.executable, "-c", SCRIPT, game, player, *change], cache)[0])
    return found["seconds"], found["fixed"]


def measure_group(group: list[tuple[str, str]], repeats: int) -> list[dict[str, float]]:
    """For each pair, one after the other in one cache: compiling, warm search, compiling in units of fixed work."""
    rows: list[dict[str, float]] = [{} for _ in group]
    for _ in range(repeats):
        with tempfile.TemporaryDirectory() as cache:
            for row, (game, player) in zip(rows, group, strict=True):
                cold, unit = search(game, player, cache)
                warm, _ = search(game, player, cache)
                found = {"compiling": cold - warm, "warm": warm, "units": (cold - warm) / unit}
                row.update({key: min(value, row.get(key, value)) for key, value in found.items()})
    return rows


def measure_commands(repeats: int) -> dict[str, float]:
    with tempfile.TemporaryDirectory() as cache:
        result = {}
        for arguments in COMMANDS:
            command = [sys.executable, "-m", "astragal", *arguments]
            run(command, cache)
            result[" ".join(arguments)] = min(run(command, cache)[1] for _ in range(repeats))
        return result


def measure_changes(repeats: int) -> dict[str, tuple[float, float]]:
    """The seconds of a first search without each change, and in units of fixed Python; all take turns."""
    least: dict[str, tuple[float, float]] = {}
    for _ in range(repeats):
        for name, change in CHANGES.items():
            with tempfile.TemporaryDirectory() as cache:
                seconds, unit = search(*CHANGED, cache, *filter(None, [change]))
            found = seconds, seconds / unit
            least[name] = tuple(map(min, found, least.get(name, found)))  # type: ignore[assignment]
    return least


def print_changes(repeats: int) -> None:
    table = Table(f"first answer of {' '.join(CHANGED)} in an empty cache, without")
    for heading in ("processor seconds", "in units of fixed Python"):
        table.add_column(heading, justify="right")
    for name, (seconds, units) in measure_changes(repeats).items():
        table.add_row(name, f"{seconds:.1f}", f"{units:.0f}")
    Console().print(table)


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--repeats", type=int, default=3, help="of which the least counts (default 3)")
    parser.add_argument("--only", metavar="TEXT", default="", help="only groups with this in the name of a game")
    parser.add_argument("--json", type=Path, metavar="FILE", help="write all that was measured to a file")
    parser.add_argument("--changes", action="store_true", help="one search without each change that is made in Numba")
    options = parser.parse_args()
    if options.changes:
        print_changes(options.repeats)
        return
    table = Table("first search in an empty cache, processor seconds")
    for heading in ("compiling", "warm", "compiling, in units of fixed Python"):
        table.add_column(heading, justify="right")
    report = {}
    for group in GROUPS:
        if not any(options.only in game for game, _ in group):
            continue
        for i, ((game, player), row) in enumerate(zip(group, measure_group(group, options.repeats), strict=True)):
            name = f"{'then ' if i else ''}{Path(game).name} {player}"
            report[f"{Path(group[0][0]).name} {group[0][1]}: {name}"] = row
            table.add_row(name, f"{row['compiling']:.2f}", f"{row['warm']:.2f}", f"{row['units']:.0f}")
    for name, seconds in measure_commands(options.repeats).items():
        report[f"astragal {name}"] = {"seconds": seconds}
        table.add_row(f"astragal {name}", "", f"{seconds:.2f}", "")
    Console().print(table)
    if options.json:
        options.json.write_text(json.dumps(report, indent=1) + "\n")


if __name__ == "__main__":
    from astragal.base.locks import measuring

    with measuring(wait=True):
        main()
