"""States and moves of a rule sheet's game as texts, for people and for notation.

A state is its facts in KIF, ``(cell 1 1 x) (control oplayer)``. Where players have chosen in this round, ``; xplayer
mark 1 1`` follows for each, and where another player than the sheet's first chooses first, ``; first oplayer``. A
move is written without its outer parentheses.
"""

from __future__ import annotations

from typing import Any

from astragal.base.errors import SheetError
from astragal.gdl.layouts.layout import LAYOUTS, Layout, holds
from astragal.gdl.reading.clauses import read_terms
from astragal.gdl.reading.rules import Term, kif

WIDE = 100


def move_text(move: Term) -> str:
    return kif(move) if isinstance(move, str) else " ".join(kif(part) for part in move)


def action_text(address: int, state: Any, seat: int, action: int) -> str:
    return move_text(LAYOUTS[address].move(state.bits, seat, int(action)))


def is_legal(address: int, state: Any, seat: int, action: int) -> bool:
    first = 64 * int(LAYOUTS[address].tables["legal_word"][0, seat])
    return holds(state.bits, 2 * (first + action))


def facts_of(address: int, state: Any) -> list[Term]:
    """What is true in a state, in natural order."""
    return LAYOUTS[address].facts(state.bits)


def state_text(address: int, state: Any) -> str:
    layout = LAYOUTS[address]
    parts = [" ".join(kif(fact) for fact in facts_of(address, state))]
    if state.first:
        parts.append(f"first {layout.players[state.first]}")
    for seat, role in enumerate(layout.players):
        if state.chosen[seat]:
            parts.append(f"{role} {action_text(address, state, seat, int(state.chosen[seat]) - 1)}")
    return " ; ".join(parts)


def read_state(address: int, bits: Any, text: str) -> tuple[int, list[tuple[int, int]]]:
    """Put the facts of a text into a state's bits; who chooses first, and what was chosen by whom."""
    layout = LAYOUTS[address]
    written, *extras = text.split(";")
    try:
        facts = [read_fact(layout, term) for term in read_terms(written)]
    except SheetError as error:
        raise ValueError(f"facts are written in KIF, such as (cell 1 1 x) (control oplayer): {error}") from None
    for i, word in enumerate(layout.words_of(facts)):
        bits[i] = word
    first, chosen = 0, []
    for extra in extras:
        role, _, rest = extra.strip().lower().partition(" ")
        if role == "first" and rest.strip() in layout.players:
            first = layout.players.index(rest.strip())
        elif role in layout.players:
            chosen.append((layout.players.index(role), find_move(layout, bits, role, rest.strip())))
        else:
            raise ValueError(f"after a semicolon comes 'first ROLE' or 'ROLE MOVE', not '{extra.strip()}'")
    return first, chosen


def read_fact(layout: Layout, term: Term) -> Term:
    if not layout.can_be_true(term):
        raise ValueError(f"{kif(term)} can never be true in this game")
    return term


def find_move(layout: Layout, bits: Any, role: str, text: str) -> int:
    seat = layout.players.index(role)
    for i in range(layout.most_moves(role)):
        if move_text(layout.move(bits, seat, i)) == text:
            return i
    raise ValueError(f"{role} has no move '{text}'")


def picture_text(address: int, state: Any) -> str:
    """Facts by their functions: those of a function with two numbers and a value as a board, others in lines."""
    groups: dict[str, list[Term]] = {}
    for fact in facts_of(address, state):
        groups.setdefault(kif(fact) if isinstance(fact, str) else kif(fact[0]), []).append(fact)
    blocks = [board(name, group) or listing(name, group) for name, group in groups.items()]
    turn = int(state.turn)
    players = LAYOUTS[address].players
    who = "the game is over" if turn == -2 else "chance moves" if turn == -1 else f"{players[turn]} to move"
    return "\n".join([*blocks, who])


def board(name: str, facts: list[Term]) -> str | None:
    """A table of ``(cell ROW COLUMN VALUE)``, if that is what the facts are."""
    cells = {fact[1:3]: kif(fact[3]) for fact in facts if isinstance(fact, tuple) and len(fact) == 4}
    rows, columns = ({kif(place[i]): place[i] for place in cells} for i in (0, 1))
    if len(cells) != len(facts) or len(cells) < 4 or len(rows) < 2 or len(columns) < 2:
        return None
    if len(cells) < len(rows) * len(columns) / 2:
        return None
    heads = ["", *columns]
    lines = [heads] + [[row, *(cells.get((rows[row], columns[c]), "") for c in columns)] for row in rows]
    widths = [max(len(line[i]) for line in lines) for i in range(len(heads))]
    texts = ["  ".join(cell.ljust(width) for cell, width in zip(line, widths, strict=True)) for line in lines]
    return "\n".join([name, *(f"  {text}".rstrip() for text in texts)])


def listing(name: str, facts: list[Term]) -> str:
    lines, line = [], name
    for fact in facts:
        text = "" if isinstance(fact, str) else " ".join(kif(part) for part in fact[1:])
        if len(line) + len(text) + 3 > WIDE:
            lines.append(line)
            line = " " * len(name)
        line += f"  {text}" if text else ""
    return "\n".join([*lines, line])
