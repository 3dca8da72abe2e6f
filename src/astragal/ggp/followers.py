"""Two ways to follow a match round by round: by the plain interpreter, and by the network that searches run on."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Mapping
from typing import Any

from astragal.errors import IllegalAction
from astragal.game.position import Position
from astragal.gdl.interpreter import Interpreter
from astragal.gdl.joint_moves import after_round, goals_of, legal_moves
from astragal.gdl.rules import Sheet, Term, kif


class Follower(ABC):
    """Where a match stands after some rounds."""

    rounds = 0  # played so far

    @abstractmethod
    def legal(self, role: str) -> list[Term]: ...

    @abstractmethod
    def advance(self, moves: Mapping[str, Term]) -> None:
        """Play a round; an IllegalAction says which move was not legal."""

    @abstractmethod
    def goal(self, role: str) -> int | None:
        """What the match is worth to a role, if it is over and the rules say so."""


class Interpreted(Follower):
    """By the interpreter. It can go on after an illegal move: the rules say what follows from that, too."""

    def __init__(self, sheet: Sheet) -> None:
        self.reasoner = Interpreter(sheet)
        self.state = self.reasoner.initial()

    def legal(self, role: str) -> list[Term]:
        return self.reasoner.legal(self.state, role)

    def advance(self, moves: Mapping[str, Term]) -> None:
        wrong = [role for role, move in moves.items() if move not in self.legal(role)]
        self.state = self.reasoner.next(self.state, dict(moves))
        self.rounds += 1
        if wrong:
            raise IllegalAction(f"{kif(moves[wrong[0]])} was not a legal move of {wrong[0]}")

    def goal(self, role: str) -> int | None:
        values = self.reasoner.goals(self.state, role) if self.reasoner.is_terminal(self.state) else []
        return values[-1] if values else None


class Networked(Follower):
    """By positions of the sheet's game. It cannot go on after an illegal move."""

    def __init__(self, game: Any) -> None:
        self.position = Position.start(game)

    def legal(self, role: str) -> list[Term]:
        return legal_moves(self.position, role)

    def advance(self, moves: Mapping[str, Term]) -> None:
        self.position = after_round(self.position, moves)
        self.rounds += 1

    def goal(self, role: str) -> int | None:
        players: tuple[str, ...] = self.position.game.own_roles()
        if not self.position.is_terminal or role not in players:
            return None
        return goals_of(self.position)[players.index(role)]
