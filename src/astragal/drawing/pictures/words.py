"""Sentences in pictures: whose turn it is, how a game ended; and how lines are broken."""

from __future__ import annotations

from astragal.rules.position import Position


def whose_turn(position: Position, doing: str = "to move") -> str:
    """A sentence on who is to do what, or on the end of the game."""
    if position.is_terminal:
        return how_it_ended(position)
    if position.is_chance:
        return "Chance decides what comes next."
    return f"Player {position.turn + 1} {doing}."


def how_it_ended(position: Position) -> str:
    """A sentence on who has won."""
    utilities = position.utilities()
    if len(utilities) == 1:
        return "The game is over."
    best = [player for player, utility in enumerate(utilities) if utility == max(utilities)]
    if len(best) == len(utilities):
        return "The game is over, a draw."
    if len(best) == 1:
        return f"The game is over. Player {best[0] + 1} has won."
    return f"The game is over. Players {' and '.join(str(player + 1) for player in best)} share the win."


def broken(line: str, letters: int) -> list[str]:
    """A line split into pieces of at most this many letters, at spaces where possible."""
    pieces = []
    while len(line) > letters:
        cut = line.rfind(" ", 1, letters + 1)
        cut = cut if cut > 0 else letters
        pieces.append(line[:cut])
        line = line[cut:].lstrip()
    return [*pieces, line]
