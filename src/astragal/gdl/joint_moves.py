"""Rounds of a rule sheet's game: joint moves as terms, where a position has one player's choice after the other."""

from __future__ import annotations

from collections.abc import Mapping

from astragal.base.errors import IllegalAction
from astragal.gdl.layouts.layout import LAYOUTS
from astragal.gdl.reading.rules import RANDOM, Term, kif
from astragal.gdl.sheets import action_of, sheet_of
from astragal.gdl.texts import is_legal
from astragal.rules.position import Position


def legal_moves(position: Position, role: str) -> list[Term]:
    """A role's legal moves in this round, whether or not it is its turn to choose."""
    layout = LAYOUTS[position.game.address]
    seat, state = layout.seats.index(role), position.state
    legal = (i for i in range(layout.most_moves(role)) if is_legal(position.game.address, state, seat, i))
    return [layout.move(state.bits, seat, i) for i in legal]


def goals_of(position: Position) -> tuple[int, ...]:
    """The goals of all players at the end, which utilities are made of (see `SheetGame.utility`)."""
    rules, state = position.rules, position.state
    return tuple(int(rules.goal_at_end(state, player)) for player in range(position.game.players))


def after_round(position: Position, moves: Mapping[str, Term]) -> Position:
    """The position after a round in which every role made its move; an IllegalAction names one that is not legal."""
    seats = (*position.game.own_roles(), RANDOM)
    for role in sheet_of(position.game).roles:
        if moves[role] not in legal_moves(position, role):
            raise IllegalAction(f"{kif(moves[role])} is not a legal move of {role} here")
    while True:
        seat = len(seats) - 1 if position.is_chance else position.turn
        action = action_of(position, seat, moves[seats[seat]])
        assert action is not None
        position = position.follow(action)
        if not any(position.state.chosen):  # the round was played
            return position


def choosing_first(position: Position, role: str) -> Position | None:
    """The position at the beginning of a round, with this role to choose; None where it has no choice."""
    seat = position.game.own_roles().index(role)
    memory = position.memory
    if position.is_terminal or memory["choices"][0, seat] < 2:
        return None
    memory["turn"][0] = memory["first"][0] = seat
    return Position(position.game, memory)
