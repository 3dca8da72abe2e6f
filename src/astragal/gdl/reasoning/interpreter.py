"""The plain reasoner: what a rule sheet says of a state.

It is the reference that faster reasoners are compared with. It grounds nothing beforehand, so it also plays sheets that
are too large for that.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import TypeAlias

from astragal.base.errors import AstragalError
from astragal.gdl.reading.keywords import is_goal
from astragal.gdl.reading.rules import Sheet, Term, kif
from astragal.gdl.reasoning.evaluation import Evaluation, Knowledge
from astragal.gdl.reasoning.tables import Table, Terms

State: TypeAlias = frozenset[Term]

QUERIES = ("init", "legal", "next", "terminal", "goal")


class Interpreter:
    """A rule sheet that answers questions about states. A state is the set of what is true in it."""

    def __init__(self, sheet: Sheet) -> None:
        self.sheet = sheet
        self.roles = sheet.roles
        self._terms = Terms()
        self._knowledge = Knowledge(sheet.rules, QUERIES, self._terms)
        self._static = Evaluation(self._knowledge, {})
        self._state: State | None = None  # the state last asked about, and what is known of it
        self._known = self._static

    def initial(self) -> State:
        return frozenset(row[0] for row in self._static.whole("init").rows)

    def legal(self, state: State, role: str) -> list[Term]:
        """The role's legal moves, sorted by their text."""
        rows = self._about(state).whole("legal").rows
        return sorted((move for player, move in rows if player == role), key=kif)

    def next(self, state: State, moves: Mapping[str, Term]) -> State:
        """The state after a move by every role. Whether the moves are legal is not asked."""
        missing = [role for role in self.roles if role not in moves]
        if missing:
            raise AstragalError(f"{missing[0]} has to move, too")
        shared = self._terms.shared
        does = Table((shared(role), shared(moves[role])) for role in self.roles)
        after = Evaluation(self._knowledge, {"does": does}, self._about(state))
        return frozenset(row[0] for row in after.whole("next").rows)

    def is_terminal(self, state: State) -> bool:
        return bool(self._about(state).whole("terminal").rows)

    def goals(self, state: State, role: str) -> list[int]:
        """All values that the rules give the role here, the lowest first; a good sheet gives one where a game ends."""
        rows = self._about(state).whole("goal").rows
        return sorted(_points(value) for player, value in rows if player == role)

    def _about(self, state: State) -> Evaluation:
        if state is not self._state:
            true = Table((self._terms.shared(fact),) for fact in state)
            self._state, self._known = state, Evaluation(self._knowledge, {"true": true}, self._static)
        return self._known


def _points(value: Term) -> int:
    if is_goal(value):
        return int(str(value))
    raise AstragalError(f"a goal is worth {kif(value)}, which is not a whole number from 0 to 100")
