"""Solving a game in one call: what programs call, and what `astragal solve` does."""

from __future__ import annotations

import sys
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from astragal.algorithms.result import value_text
from astragal.base.errors import SpecError
from astragal.base.frames import Rows, Tabular
from astragal.games import game_spec, load_game
from astragal.rules.position import Position
from astragal.solvers.exact import Exact, Report, say_nothing
from astragal.solvers.exact import solve as solve_exactly
from astragal.solvers.sharing import taking_threads

REPORTS = {
    "states": "{:>12,.0f} states",
    "error": "largest error {:.3e}",
    "margin": "the margin may be {:+.0f}",
}


class Reporter:
    """Progress on standard error: one line that is overwritten in a terminal, a few lines elsewhere."""

    def __init__(self) -> None:
        self.count = 0
        self.shown = 0

    def __call__(self, what: str, number: float) -> None:
        self.count += 1
        text = REPORTS[what].format(number)
        if sys.stderr.isatty():
            print(f"\r\x1b[K{text}", end="", file=sys.stderr, flush=True)
        elif self.count >= 2 * self.shown:
            self.shown = self.count
            print(text, file=sys.stderr, flush=True)


@dataclass(frozen=True)
class SolvedPosition(Tabular):
    """A position that was solved, and all that can follow it. Values of positions are the first player's."""

    position: Position
    values: Exact  # of every position that can follow: `value`, `action_values`, `best_action`, `regret`
    kept_before: bool  # whether it had been solved before
    file: Path  # where it is kept

    @property
    def value(self) -> float:
        """What the position is worth to the first player."""
        return self.values.value(self.position)

    @property
    def actions(self) -> dict[str, float | None]:
        """The value of every legal action for the player to move; empty where chance moves next.

        The value is None for an action that passes up a certain win, if what follows was not solved.
        """
        return {row["action"]: row["value"] for row in self.rows()}

    @property
    def best(self) -> str | None:
        """The best action; None where no player is to move."""
        known = {name: value for name, value in self.actions.items() if value is not None}
        return max(known, key=lambda name: known[name], default=None)

    def rows(self) -> Rows:
        """One row for each legal action of the position, with its value for the player to move."""
        if self.position.turn < 0:
            return []
        values = self.action_values()
        best = max((value for value in values.values() if value is not None), default=None)
        return [
            {
                "number": number,
                "action": self.position.action_name(number),
                "value": value,
                "regret": None if value is None or best is None else best - value,
            }
            for number, value in values.items()
        ]

    def action_values(self) -> dict[int, float | None]:
        known = self.values.action_values(self.position)
        return {action: known.get(action) for action in self.position.actions()}

    def as_dict(self) -> dict[str, Any]:
        """For a program to read."""
        return {
            "game": game_spec(self.position.game),
            "position": self.position.text,
            "value": self.value,
            "actions": self.actions,
            **self.values.facts(self.position),
            "kept": self.kept_before,
            "file": str(self.file),
        }

    def __str__(self) -> str:
        lines = [f"{game_spec(self.position.game)}: value for the first player {self.value:+.9f}"]
        return "\n".join([*lines, *(f"  {name:<26}{value_text(value, 9)}" for name, value in self.actions.items())])


def solve(
    game: str | Position | Any,
    position: str | Position | None = None,
    *,
    max_states: int | None = None,
    again: bool = False,
    progress: bool | Report = False,
    threads: int | str = 1,
) -> SolvedPosition:
    """Find the exact value of a position, and of all that can follow it, and keep them for later.

    The game is given by its text or as an object, and so is the position; without a position it is the game's
    start. A position alone is enough. An existing solution is used unless ``again`` is true. The search for states ends
    beyond ``max_states``. ``progress`` is True for lines on standard error, or a function that is called with what is
    counted (``states``, ``error``, ``margin``) and the number. The values do not depend on how many ``threads`` find
    them; ``auto`` is all cores but one.
    """
    root = asked_position(game, position)
    report = progress if callable(progress) else Reporter() if progress else say_nothing
    with taking_threads(threads):
        solved = solve_exactly(root, max_states, again, report)
    return SolvedPosition(root, solved.values, solved.kept_before, solved.file)


def asked_position(game: str | Position | Any, position: str | Position | None) -> Position:
    if isinstance(game, Position):
        if position is not None:
            raise SpecError("name a position, or a game and its position")
        return game
    rules = load_game(game)
    if isinstance(position, str):
        return Position.parse(rules, position)
    if position is not None and position.game != rules:
        raise SpecError(f"the position is one of {game_spec(position.game)}, not of {game_spec(rules)}")
    return Position.start(rules) if position is None else position
