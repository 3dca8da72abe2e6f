"""Exact values, however they are computed: searches are measured against them.

A game may have its own solver, `solver.py` in its folder, for the positions that it covers (`OwnSolver`).
Any other game, or position, is solved by value iteration over all states that can be reached.
"""

from __future__ import annotations

import shlex
from abc import ABC, abstractmethod
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Protocol, cast

from astragal.algorithms.depth_first.deepening import refuse_game
from astragal.base.errors import AstragalError
from astragal.games import game_spec
from astragal.rules.folder_files import part_of
from astragal.rules.position import Position

Report = Callable[[str, float], None]


def say_nothing(what: str, number: float) -> None:
    """A report that is dropped."""


@dataclass(frozen=True)
class Stage:
    """Where two players choose at once: how each mixes, and what each action is worth against the other's mix."""

    mix: dict[int, float]  # of the player to move
    other: dict[int, float]  # of the other one, who chooses without knowing
    worth: dict[int, float]  # of each action, to the player to move


class Exact(ABC):
    """Exact values of the positions of a game."""

    game: Any

    @abstractmethod
    def value(self, position: Position) -> float:
        """The value of a position for player 0, or a sentence if it is not covered."""

    @abstractmethod
    def facts(self, position: Position) -> dict[str, Any]:
        """How a position was solved, by name, for `astragal solve` to print."""

    def win_chance(self, position: Position) -> float | None:
        """The probability that player 0 wins, a draw being half a win; None if utilities do not determine it."""
        low, high = self.game.utility_range
        return (self.value(position) - low) / (high - low) if self.game.players == 2 else None

    def stage(self, position: Position) -> Stage | None:
        """How to mix where two players choose at once; None where they do not."""
        return None

    def action_values(self, position: Position) -> dict[int, float]:
        """The values of legal actions for the player to move, the best one's among them.

        An action that is left out passes up a certain win, and is worth at most as much.
        """
        stage = self.stage(position)
        if stage is not None:
            return stage.worth
        sign = -1.0 if position.turn == 1 else 1.0
        return {action: sign * self.value(position.play(action)) for action in position.actions()}

    def best_action(self, position: Position) -> int:
        """An action of the highest value; among equal ones, one that ends the game at once."""
        values = self.action_values(position)
        return max(values, key=lambda action: (values[action], position.follow(action).is_terminal))

    def regret(self, position: Position, action: int | None) -> float:
        """What the player to move loses by an action against the best one."""
        if action is None:
            raise AstragalError("there is no regret at a chance node")
        return lost_by(self.action_values(position), position, action)


def lost_by(values: dict[int, float], position: Position, action: int) -> float:
    """What an action loses against the best one, by the values of all actions."""
    if action not in values:
        raise AstragalError(
            f"what {position.action_name(action)} loses in '{position.text}' is not known: it passes up a certain win, "
            "and what follows was not solved (astragal solve --again does it where that has an end)"
        )
    return max(values.values()) - values[action]


class OwnSolver(Protocol):
    """The contents of a game's `solver.py`. A text ``INSTEAD`` may say what to solve if the whole game is too large."""

    MAX_STATES: int  # the default limit on states

    def solves(self, position: Position) -> bool:
        """Whether it can solve positions like this one."""

    def kept_file(self, position: Position) -> Path:
        """Where a solution is kept."""

    def find_kept(self, position: Position) -> Exact | None:
        """Exact values of a position as they were kept, if they were."""

    def solve_position(self, position: Position, max_states: int, report: Report) -> Exact:
        """Solve a position, and keep what was found."""

    def on_demand(self, position: Position) -> Exact:
        """Exact values for a player that needs them at once; an error if it would take too long."""


def own_solver(position: Position) -> OwnSolver | None:
    """The solver of the game's own, if it can solve positions like this one."""
    solver = cast(OwnSolver | None, part_of(type(position.game), "solver"))
    return solver if solver is not None and solver.solves(position) else None


@dataclass(frozen=True)
class Solved:
    """A position that was solved, now or before."""

    values: Exact
    kept_before: bool
    file: Path


def solve(
    position: Position, max_states: int | None = None, again: bool = False, report: Report = say_nothing
) -> Solved:
    """Solve a position and all that can follow it, or take up what was solved before; what is found is kept."""
    from astragal.solvers import solution

    solver = own_solver(position) or cast(OwnSolver, solution)
    file = solver.kept_file(position)
    if again:
        file.unlink(missing_ok=True)
    known = solver.find_kept(position)
    values = known or solver.solve_position(position, max_states or solver.MAX_STATES, report)
    return Solved(values, known is not None, file)


def exact_values(position: Position) -> Exact:
    """Exact values that cover a position: kept ones, or those that the game's own solver finds on demand."""
    from astragal.solvers import solution

    solver = own_solver(position)
    if solver is not None:
        return solver.on_demand(position)
    refuse_game(position.game, "solve", others="")
    found = solution.find_covering(position) or solution.find_solution(position.game)
    if found is not None:  # an error in one sentence if it does not cover the position
        return solution.renewed(found, position)
    spec = game_spec(position.game)
    if advice := own_advice(position.game):
        raise AstragalError(f"{spec} is too large to be solved from here: {advice}")
    raise AstragalError(f"{spec} is not solved yet: run astragal solve {shlex.quote(spec)}")


def own_advice(game: Any) -> str:
    """What a game's own solver advises where the whole game is too large; empty if it has no advice."""
    return str(getattr(part_of(type(game), "solver"), "INSTEAD", ""))


def advice_if_too_large(game: Any) -> str:
    return own_advice(game) or "solve a smaller version of it"
