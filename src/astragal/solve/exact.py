"""Exact values, however they are found: what searches are measured against.

A game may have a solver of its own (`SOLVERS`), which answers for the positions it can; any other game, or position, is
solved by value iteration over all states that can be reached.
"""

from __future__ import annotations

import shlex
from abc import ABC, abstractmethod
from collections.abc import Callable
from dataclasses import dataclass
from importlib import import_module
from pathlib import Path
from typing import Any

from astragal.errors import AstragalError
from astragal.game.position import Position
from astragal.games import game_name, game_spec
from astragal.search.depth_first.deepening import refuse_game

Report = Callable[[str, float], None]
SOLVERS = {name: f"astragal.solve.{name}" for name in ("kalah", "ewn", "cant_stop")}
INSTEAD = {"ewn": "take a position with up to three cubes a side"}  # where a game has no version small enough


def say_nothing(what: str, number: float) -> None:
    """A report that nobody wants."""


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
        """What to tell of how a position was solved, by name."""

    def win_chance(self, position: Position) -> float | None:
        """How likely player 0 is to win, a draw being half a win; None where utilities do not say."""
        low, high = self.game.utility_range
        return (self.value(position) - low) / (high - low) if self.game.players == 2 else None

    def stage(self, position: Position) -> Stage | None:
        """How to mix where two players choose at once; None where they do not."""
        return None

    def action_values(self, position: Position) -> dict[int, float]:
        """The value of every legal action for the player to move."""
        stage = self.stage(position)
        if stage is not None:
            return stage.worth
        sign = -1.0 if position.turn == 1 else 1.0
        return {action: sign * self.value(position.play(action)) for action in position.actions()}

    def best_action(self, position: Position) -> int:
        values = self.action_values(position)
        return max(values, key=lambda action: values[action])

    def regret(self, position: Position, action: int | None) -> float:
        """What the player to move loses by an action against the best one."""
        if action is None:
            raise AstragalError("there is no regret where nobody decides: chance moves next")
        values = self.action_values(position)
        return max(values.values()) - values[action]


def own_solver(position: Position) -> Any:
    """The module that solves positions like this one of its game, or None."""
    name = SOLVERS.get(game_name(position.game))
    module = import_module(name) if name else None
    return module if module is not None and module.solves(position) else None


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
    from astragal.solve import solution

    solver = own_solver(position) or solution
    file = solver.kept_file(position)
    if again:
        file.unlink(missing_ok=True)
    known = solver.find_kept(position)
    values = known or solver.solve_position(position, max_states or solver.MAX_STATES, report)
    return Solved(values, known is not None, file)


def exact_values(position: Position) -> Exact:
    """Exact values that cover a position: kept ones, or those that the game's own solver finds on demand."""
    from astragal.solve import solution

    solver = own_solver(position)
    if solver is not None:
        return solver.on_demand(position)  # type: ignore[no-any-return]
    refuse_game(position.game, "solve", others="")
    covering = solution.find_covering(position)
    if covering is not None:
        return covering
    whole = solution.find_solution(position.game)
    if whole is not None:
        return whole  # it says in a sentence that it does not know the position
    spec = game_spec(position.game)
    if game_name(position.game) in INSTEAD:
        raise AstragalError(f"{spec} is too large to be solved from here: {advice_if_too_large(position.game)}")
    raise AstragalError(f"{spec} is not solved yet: run astragal solve {shlex.quote(spec)}")


def advice_if_too_large(game: Any) -> str:
    return INSTEAD.get(game_name(game), "solve a smaller version of it")
