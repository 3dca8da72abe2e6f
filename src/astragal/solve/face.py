"""Solving a game in one call: what programs call, and what `astragal solve` does."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Any

from astragal.errors import AstragalError, SpecError
from astragal.frames import Rows, Tabular
from astragal.game.position import Position
from astragal.games import game_spec, load_game
from astragal.search.result import value_text
from astragal.solve.exact import Exact, Report, say_nothing
from astragal.solve.exact import solve as solve_exactly
from astragal.solve.reporter import Reporter


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
        """What every legal action is worth to the player to move; nothing where chance moves next.

        None is said of what was not followed: where one action wins at once, others are not solved.
        """
        return {row["action"]: row["value"] for row in self.rows()}

    @property
    def best(self) -> str | None:
        """The best action; None where nobody decides."""
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
        try:
            return dict(self.values.action_values(self.position))
        except AstragalError:  # a certain win was passed up by one of them
            sign = -1.0 if self.position.turn == 1 else 1.0
            known = {action: self.known_value(self.position.play(action)) for action in self.position.actions()}
            return {action: None if value is None else sign * value for action, value in known.items()}

    def known_value(self, position: Position) -> float | None:
        try:
            return self.values.value(position)
        except AstragalError:
            return None

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
) -> SolvedPosition:
    """Find the exact value of a position, and of all that can follow it, and keep them for later.

    The game is given by its text or as a game, the position by its text or as a position; without one it is the game's
    start. A position alone will do. What was solved before is taken up unless it is to be solved ``again``. It gives up
    beyond ``max_states`` states. ``progress`` is True for lines on standard error, or a function of what is counted
    (``states``, ``error``, ``margin``) and how much of it there is.
    """
    root = asked_position(game, position)
    report = progress if callable(progress) else Reporter() if progress else say_nothing
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
