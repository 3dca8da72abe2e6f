"""How fast Astragal is, against hand-written C++ of the same logic and, where it is installed, against OpenSpiel.

    python benchmarks/run.py [--seconds S] [--json FILE] [--openspiel | --no-openspiel]
    python benchmarks/run.py --against COMMIT [--seconds S] [--only TEXT]

All programs run on one core and take turns within one run, so that whatever else the machine does hits all of them; the
best of several repeats counts. Results are compared too: a different value or node count is an error. See README.md.
With ``--against`` this tree and a commit of it take turns instead (`against.py`).
"""

from __future__ import annotations

import argparse
import importlib.util
import json
import math
import platform
import shutil
import subprocess
import sys
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numba
from rich.console import Console
from rich.table import Table

from against import TURNS, against
from astragal.base.locks import measuring
from astragal.games import load_game
from measure import (
    Found,
    Task,
    alphabeta_task,
    best_rate,
    decisions_task,
    games_task,
    readable,
    sampled_task,
    search_task,
    uct_task,
    use_one_core,
)
from pig36 import Pig36

HERE = Path(__file__).parent
BUILD = HERE / ".build"
COMPILER = "g++"
FLAGS = ["-O3", "-march=native", "-std=c++17"]
SAME_LOGIC, SPECIALISED = "yardstick", "specialised"
ROUNDS = 8  # turns that each program takes at each measure
GOAL, UCT_GOAL, ALPHABETA_GOAL, SAMPLED_GOAL = 0.7, 0.8, 0.65, 0.9  # of the speed of C++ of the same logic
GAMES, SEED, SIMULATIONS, KALAH_DEPTH = 20_000, 12345, 20_000, 12  # as in yardstick.cpp
SAMPLED = ((1, 13), (2, 7), (5, 5), (25, 4))  # widths and depths of star1SS on EWN
SAMPLED_CANT_STOP = ((1, 25), (5, 8), (25, 5))
UCT_GAMES = {
    "ewn": ("EWN", "ewn:setup=fixed"),
    "pig1": ("Pig (one die)", "pig:dice=1"),
    "kalah": ("Kalah", "kalah:rules=standard,score=win"),
    "connect_four": ("Connect Four", "connect_four"),
    "tic_tac_toe": ("Tic-tac-toe", "tic_tac_toe"),
}
OTHER_GAMES = {  # without a C++ twin; the last number is how many random games are played at a time
    "kalah": ("Kalah", "kalah", 5000),
    "cant_stop": ("Can't Stop", "cant_stop", 5000),
    "ra": ("Ra", "ra", 5000),
    "focus": ("Focus", "focus", 20),
    "focus3": ("Focus (3 players)", "focus:players=3", 20),
    "chinese_checkers": ("Chinese Checkers (73)", "chinese_checkers", 20),
    "chinese_checkers121": ("Chinese Checkers (121)", "chinese_checkers:star=full", 20),
}
EWN_ROOT, PIG_ROOT = "123../45.../6...f/...ed/..cba 1 3", "0 0 8 1 decide"
CANT_STOP_ROOT = "7:5,8:3,12:1 4:2,6:4,7:2 6:2,8:4 1 3445"
STAR1_TOLERANCE = 0.05  # rounding decides some of Star1's cuts where values tie


@dataclass
class Measure:
    """One row of the table: what is measured, Astragal's task for it, and the best rates and results by program."""

    name: str
    label: str
    unit: str
    make: Callable[[], Task]
    goal: float | None = GOAL
    rates: dict[str, float] = field(default_factory=dict)
    results: dict[str, dict[str, float]] = field(default_factory=dict)

    def note(self, program: str, rate: float, results: dict[str, float]) -> None:
        self.rates[program] = max(rate, self.rates.get(program, 0.0))
        self.results[program] = results

    @property
    def ratio(self) -> float | None:
        return self.rates["astragal"] / self.rates[SAME_LOGIC] if SAME_LOGIC in self.rates else None


def measures() -> list[Measure]:
    ewn, pig, pig1 = load_game("ewn:setup=fixed"), load_game("pig"), load_game("pig:dice=1")
    kalah, pig36, cant_stop = load_game("kalah:rules=standard"), Pig36(), load_game("cant_stop")
    games, nodes = "games", "nodes"
    return [
        Measure("ewn_random_games", "EWN, random games", games, lambda: games_task(ewn, GAMES, SEED)),
        Measure("ewn_expectimax", "EWN, expectimax", nodes, lambda: search_task(ewn, EWN_ROOT, "exp", 5, True)),
        Measure("ewn_star1", "EWN, Star1", nodes, lambda: search_task(ewn, EWN_ROOT, "star1", 5, True)),
        *(
            sampled_measure(f"ewn_star1ss_{width}", f"EWN, star1SS, width {width}", ewn, EWN_ROOT, width, depth)
            for width, depth in SAMPLED
        ),
        *(
            sampled_measure(
                f"cant_stop_star1ss_{width}",
                f"Can't Stop, star1SS, width {width}",
                cant_stop,
                CANT_STOP_ROOT,
                width,
                depth,
            )
            for width, depth in SAMPLED_CANT_STOP
        ),
        Measure("pig1_random_games", "Pig (one die), random games", games, lambda: games_task(pig1, GAMES, SEED)),
        Measure("pig_expectimax", "Pig, expectimax", nodes, lambda: search_task(pig, PIG_ROOT, "exp", 5, False)),
        Measure("pig_star1", "Pig, Star1", nodes, lambda: search_task(pig, PIG_ROOT, "star1", 5, False)),
        Measure(
            "pig_expectimax_36",
            "Pig (36 outcomes), expectimax",
            nodes,
            lambda: search_task(pig36, PIG_ROOT, "exp", 4, False),
        ),
        Measure(
            "kalah_alphabeta", "Kalah, alpha-beta", nodes, lambda: alphabeta_task(kalah, KALAH_DEPTH), ALPHABETA_GOAL
        ),
        *(uct_measure(name, label, spec) for name, (label, spec) in UCT_GAMES.items()),
        *(measure for name, row in OTHER_GAMES.items() for measure in game_measures(name, *row)),
    ]


def sampled_measure(name: str, label: str, game: Any, root: str, width: int, depth: int) -> Measure:
    return Measure(name, label, "nodes", lambda: sampled_task(game, root, width, depth, SEED), SAMPLED_GOAL)


def game_measures(name: str, label: str, spec: str, count: int) -> list[Measure]:
    """Random games, also counted in decisions, and tree search with rollouts by the game's order."""
    game = load_game(spec)
    return [
        Measure(f"{name}_games", f"{label}, random games", "games", lambda: games_task(game, count, SEED), None),
        Measure(
            f"{name}_decisions",
            f"{label}, random decisions",
            "decisions",
            lambda: decisions_task(game, count, SEED),
            None,
        ),
        Measure(
            f"{name}_uct_by_order",
            f"{label}, UCT by order",
            "simulations",
            lambda: uct_task(game, 2000, settings="policy=order,epsilon=0.05"),
            None,
        ),
    ]


def uct_measure(name: str, label: str, spec: str) -> Measure:
    def make() -> Task:
        return uct_task(load_game(spec), SIMULATIONS)

    return Measure(f"{name}_uct", f"{label}, UCT", "simulations", make, UCT_GOAL)


def build_programs(console: Console, names: Sequence[str] = (SAME_LOGIC, SPECIALISED)) -> dict[str, Path]:
    """Compile the C++ programs that are older than their source; none without a compiler."""
    if shutil.which(COMPILER) is None:
        console.print(f"{COMPILER} is not installed: only Astragal is measured.")
        return {}
    BUILD.mkdir(exist_ok=True)
    programs = {}
    for name in names:
        source, shared, program = HERE / f"{name}.cpp", HERE / "program.hpp", BUILD / name
        if not program.exists() or program.stat().st_mtime < max(file.stat().st_mtime for file in (source, shared)):
            console.print(f"compiling {source.name}")
            subprocess.run([COMPILER, *FLAGS, "-o", str(program), str(source)], check=True)
        programs[name] = program
    return programs


def run_program(program: Path, measure: Measure, seconds: float) -> tuple[float, dict[str, float]] | None:
    """A C++ program's rate and results at a measure, if it has that measure."""
    command = [str(program), "--seconds", str(seconds), measure.name]
    output = subprocess.run(command, check=True, capture_output=True, text=True).stdout
    found = json.loads(output).get(measure.name) if output.strip() != "}" else None
    return (found["per_second"], found) if found else None


def take_turns(measure: Measure, programs: dict[str, Path], seconds: float) -> None:
    """Let Astragal and the C++ programs run one after the other, several times."""
    task = measure.make()
    warm: Found = task()  # compiles or loads the kernel
    for _ in range(ROUNDS):
        measure.note("astragal", best_rate(seconds / ROUNDS, task), warm.results)
        for name, program in programs.items():
            if found := run_program(program, measure, seconds / ROUNDS):
                measure.note(name, *found)


def disagreements(measure: Measure) -> tuple[list[str], list[str]]:
    """Sentences on what the programs found differently: errors, and what rounding may explain."""
    ours = measure.results["astragal"]
    errors, remarks = [], []
    for program, theirs in measure.results.items():
        for key in sorted(ours.keys() & theirs.keys()):
            rounding_decides = "star1" in measure.name and key == "nodes"
            allowed = {"rel_tol": STAR1_TOLERANCE} if rounding_decides else {"rel_tol": 0, "abs_tol": 1e-9}
            if not math.isclose(ours[key], theirs[key], **allowed):
                sentence = f"{measure.name}: {key} is {ours[key]:.15g} in Astragal, {theirs[key]:.15g} in {program}"
                (remarks if rounding_decides else errors).append(sentence)
    return errors, remarks


def table_of(rows: list[Measure]) -> Table:
    table = Table("games, nodes or simulations a second, one core")
    for heading in ("Astragal", "C++", "ratio", "goal", "reached", "specialised"):
        table.add_column(heading, justify="right")
    for row in rows:
        ours, same, special = (
            readable(row.rates[name]) if name in row.rates else "-" for name in ("astragal", SAME_LOGIC, SPECIALISED)
        )
        ratio = "-" if row.ratio is None else f"{row.ratio:.2f}"
        reached = "-" if row.ratio is None or row.goal is None else "yes" if row.ratio >= row.goal else "no"
        table.add_row(row.label, ours, same, ratio, "-" if row.goal is None else str(row.goal), reached, special)
    return table


def processor() -> str:
    """The processor's name and kind, from the system: some makers give one name to many kinds."""
    try:
        lines = Path("/proc/cpuinfo").read_text().partition("\n\n")[0].splitlines()
        facts = {name.strip(): value.strip() for name, _, value in (line.partition(":") for line in lines)}
        kind = " ".join(f"{name} {facts[name]}" for name in ("cpu family", "model", "stepping") if name in facts)
        return f"{facts['model name']}, {kind}" if kind else facts["model name"]
    except (OSError, KeyError):
        return platform.processor() or platform.machine()


def machine(programs: dict[str, Path]) -> dict[str, str]:
    about = {"processor": processor(), "python": platform.python_version(), "numba": numba.__version__}
    if programs:
        version = subprocess.run([COMPILER, "--version"], check=True, capture_output=True, text=True).stdout
        about["compiler"] = f"{version.splitlines()[0]}, {' '.join(FLAGS)}"
    return about


def arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--seconds", type=float, default=2.0, help="for each measure and program (default 2)")
    parser.add_argument("--json", type=Path, metavar="FILE", help="write all that was measured to a file")
    parser.add_argument("--only", metavar="TEXT", default="", help="only measures with this in their name")
    parser.add_argument("--against", metavar="COMMIT", help="measure this tree and this commit in turn, and no C++")
    parser.add_argument(
        "--openspiel",
        action=argparse.BooleanOptionalAction,
        default=importlib.util.find_spec("pyspiel") is not None,
        help="compare with OpenSpiel (default: if it is installed)",
    )
    return parser.parse_args()


def main() -> int:
    options = arguments()
    console = Console()
    use_one_core()
    if options.against:
        return against(options.against, options.only, options.seconds / TURNS)
    programs = build_programs(console)
    rows = [row for row in measures() if options.only.lower() in f"{row.name} {row.label}".lower()]
    errors: list[str] = []
    remarks: list[str] = []
    for row in rows:
        with console.status(row.label):
            take_turns(row, programs, options.seconds)
        wrong, differing = disagreements(row)
        errors, remarks = errors + wrong, remarks + differing
    about = machine(programs)
    console.print(table_of(rows))
    console.print(", ".join(f"{key} {value}" for key, value in about.items()))
    report: dict[str, Any] = {
        "machine": about,
        "seconds": options.seconds,
        "measures": {row.name: {"unit": row.unit, "per_second": row.rates, "ratio": row.ratio} for row in rows},
    }
    if options.openspiel:
        import openspiel

        report["openspiel"] = openspiel.report(console, options.seconds, options.only)
    if options.json:
        options.json.write_text(json.dumps(report, indent=1) + "\n")
    for remark in remarks:
        print(f"note: {remark}", file=sys.stderr)
    for error in errors:
        print(f"error: {error}", file=sys.stderr)
    return 1 if errors else 0


if __name__ == "__main__":
    with measuring(wait=True):
        sys.exit(main())
