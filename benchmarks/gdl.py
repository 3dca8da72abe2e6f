"""Games of rule sheets: random games a second of the network, against the game written by hand and the interpreter.

    python benchmarks/gdl.py [--seconds S] [--only TEXT]

All three take turns within one run, so that whatever else the machine does hits all of them; the best of several
repeats counts. A game written by hand is in machine code, and so is the network that a sheet is compiled to; the
interpreter derives in Python, by the sheet's rules, what is legal and what follows. The goal is a network that plays a
hundred times as many games of Connect Four as the interpreter, at least.
"""

from __future__ import annotations

import argparse
import sys
from dataclasses import dataclass

from rich.console import Console
from rich.table import Table

from astragal.base.locks import measuring
from astragal.games import SHEETS, load_game
from astragal.gdl.playability import random_game
from astragal.gdl.reading.reader import load_sheet
from astragal.gdl.reasoning.interpreter import Interpreter
from astragal.rules.dice import Dice
from measure import Found, Task, best_rate, games_task, readable, use_one_core

GAMES = 2_000  # by machine code in one call
ROUNDS = 4  # turns that each takes
GOAL = 100.0  # network / interpreter, on Connect Four


@dataclass
class Row:
    """A sheet, the same game written by hand, if there is one, and the best rates found so far."""

    sheet: str
    by_hand: str = ""
    goal: float | None = None
    hand: float = 0.0
    network: float = 0.0
    interpreter: float = 0.0

    def run(self, seconds: float) -> None:
        network = games_task(load_game(self.sheet), GAMES, 1)
        hand = games_task(load_game(self.by_hand), GAMES, 1) if self.by_hand else None
        interpreter = interpreter_task(self.sheet)
        for task in (network, hand):  # compile or load the kernels
            if task:
                task()
        for _ in range(ROUNDS):
            self.network = max(self.network, best_rate(seconds / ROUNDS, network))
            self.interpreter = max(self.interpreter, best_rate(seconds / ROUNDS, interpreter))
            if hand:
                self.hand = max(self.hand, best_rate(seconds / ROUNDS, hand))

    @property
    def falls_short(self) -> bool:
        return self.goal is not None and self.network < self.goal * self.interpreter


ROWS = [
    Row("tic_tac_toe.kif", "tic_tac_toe"),
    Row("connect_four.kif", "connect_four", GOAL),
    Row("pig.kif", "pig:dice=1,goal=30"),
    Row("breakthrough.kif"),
    Row("knights_tour.kif"),
    Row("rock_paper_scissors.kif"),
    Row("three_way.kif"),
]


def interpreter_task(sheet: str) -> Task:
    interpreter = Interpreter(load_sheet(SHEETS / sheet))
    dice = Dice(1)

    def once() -> Found:
        game = random_game(interpreter, dice)
        assert game.is_over
        return Found(1, {})

    return once


def table_of(rows: list[Row]) -> Table:
    table = Table(title="random games a second, one core; the network's as a multiple of the others'")
    for heading in ("sheet", "by hand", "network", "interpreter", "/ by hand", "/ interpreter"):
        table.add_column(heading, justify="left" if heading == "sheet" else "right")
    for row in rows:
        table.add_row(
            row.sheet,
            readable(row.hand) if row.hand else "-",
            readable(row.network),
            readable(row.interpreter),
            f"{row.network / row.hand:.3f}" if row.hand else "-",
            f"{row.network / row.interpreter:.0f}",
        )
    return table


def main() -> int:
    parser = argparse.ArgumentParser(description="random games of rule sheets, three ways")
    parser.add_argument("--seconds", type=float, default=4.0, help="for each measure (default 4)")
    parser.add_argument("--only", default="", help="only sheets whose name contains this text")
    options = parser.parse_args()
    use_one_core()
    rows = [row for row in ROWS if options.only in row.sheet]
    for row in rows:
        print(f"{row.sheet} ...", file=sys.stderr)
        row.run(options.seconds)
    Console(width=100).print(table_of(rows))
    for row in rows:
        if row.falls_short:
            print(f"{row.sheet}: the network is less than {row.goal:g} times as fast as the interpreter")
    return any(row.falls_short for row in rows)


if __name__ == "__main__":
    with measuring(wait=True):
        sys.exit(main())
