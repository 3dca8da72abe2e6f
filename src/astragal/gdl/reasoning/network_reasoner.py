"""The network of a rule sheet with the interface of the plain reasoner, so that both can be asked the same."""

from __future__ import annotations

from astragal.gdl.joint_moves import after_round, legal_moves
from astragal.gdl.layouts.layout import LAYOUTS, Layout, holds
from astragal.gdl.reading.rules import Sheet, Term, kif
from astragal.gdl.reasoning.interpreter import State
from astragal.gdl.sheets import game_of_sheet
from astragal.gdl.texts import facts_of
from astragal.rules.position import Position


class NetworkReasoner:
    """Answers by positions of the compiled game, found again by their facts."""

    def __init__(self, sheet: Sheet) -> None:
        self.game = game_of_sheet(sheet)
        self.roles = sheet.roles
        self.layout: Layout = LAYOUTS[self.game.address]
        self.start = Position.start(self.game)
        self.last = self.start

    def position(self, state: State) -> Position:
        if state != self.facts(self.last):
            text = " ".join(map(kif, state))
            self.last = self.start if state == self.facts(self.start) else Position.parse(self.game, text)
        return self.last

    def facts(self, position: Position) -> State:
        return frozenset(facts_of(self.game.address, position.state))

    def initial(self) -> State:
        return self.facts(self.start)

    def legal(self, state: State, role: str) -> list[Term]:
        return sorted(legal_moves(self.position(state), role), key=kif)

    def next(self, state: State, moves: dict[str, Term]) -> State:
        self.last = after_round(self.position(state), moves)
        return self.facts(self.last)

    def is_terminal(self, state: State) -> bool:
        return holds(self.position(state).state.bits, int(self.layout.tables["terminal"][0]))

    def goals(self, state: State, role: str) -> list[int]:
        """All values, those of chance included."""
        position = self.position(state).copy()
        position._rules.find_goals(position._state, None)
        bits = position.state.bits
        return sorted(value for value, literal in self.layout.goals[role] if holds(bits, literal))
