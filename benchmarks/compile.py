"""How long kernels take to compile, and commands to start.

    python benchmarks/compile.py [--repeats N] [--only TEXT] [--json FILE]

Each row is a process of its own with an empty cache: the processor seconds of a search of one node less those of the
same search when its kernels are kept, which are in the second column. Rows below a first one ("then") use the cache it
left, as somebody does who tries another variant of a search. The least of several repeats counts. Another column
relates the seconds to a fixed piece of Python that is timed in the same process, since a busy machine slows both.
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
SCRIPT = """
import json, sys, time
begin = time.process_time()
from astragal import load_game, load_player
from astragal.game.position import Position
from astragal.search.limits import Limits
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


def search(game: str, player: str, cache: str) -> tuple[float, float]:
    """The processor seconds of a first search in a process of its own, and those of a fixed piece of Python."""
    found = json.loads(run([sys.executable, "-c", SCRIPT, game, player], cache)[0])
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


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--repeats", type=int, default=3, help="of which the least counts (default 3)")
    parser.add_argument("--only", metavar="TEXT", default="", help="only groups with this in the name of a game")
    parser.add_argument("--json", type=Path, metavar="FILE", help="write all that was measured to a file")
    options = parser.parse_args()
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
    main()
