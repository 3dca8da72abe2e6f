"""A game of a rule sheet: what is true, with boards where facts look like one.

A function of two places and a value, such as ``(cell 1 3 x)``, whose places fill at least half of a rectangle, is drawn
as that rectangle, and one of two places alone, such as ``(visited 1 3)``, if they are numbers: on a board of the same
places, if there is one, by its name. All other facts are listed by their functions, a number for each role on lines of
its own. Few moves without a board are buttons.

Moves that name squares of the largest board, as ``mark 1 3`` and ``move 1 2 1 3`` do, are made by clicking those. A
sheet does not say which way up a board is: the first place goes down and the second across. But where the first are
letters and the second numbers, or the first are what a move such as ``drop 4`` can name, the first goes across and the
second up; such moves are made by clicking the head of a column.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import lru_cache
from typing import Any

from astragal.drawing.pictures.parts import BUTTONS, MOST_BUTTONS, action_buttons, player_role
from astragal.drawing.pictures.vocabulary import Circle, Item, Picture, Point, Rect, Text, text_width
from astragal.drawing.pictures.words import broken
from astragal.gdl.joint_moves import goals_of
from astragal.gdl.layouts.layout import LAYOUTS
from astragal.gdl.reading.rules import Term, kif
from astragal.gdl.sheets import move_of
from astragal.gdl.texts import facts_of
from astragal.rules.position import Position

WIDTH = 600.0  # where boards and lines are broken
MOST, LEAST = 26, 4  # rows or columns of a board, and its squares
HEAD, GAP = 34.0, 26.0
SMALL, LARGE, LETTER = 64.0, 120.0, 11.5  # sides of squares, and room for a letter in them
LINE, LANE, SIZE = 32.0, 42.0, 22.0
NAMED = {"white", "black", "red", "orange", "gold", "green", "teal", "blue", "violet", "rose", "grey"}
ALSO = {"yellow": "gold", "purple": "violet", "pink": "rose", "gray": "grey"}
BLANK = ("blank", "empty", "none", "b", "e")  # values that may be no piece
Place = tuple[Term, Term]


@dataclass(frozen=True)
class Board:
    """The rectangle of a function's first two places."""

    name: str
    rows: tuple[Term, ...]
    columns: tuple[Term, ...]
    texts: frozenset[str]  # that may stand on a piece
    valued: bool  # whether a third place has a value
    blank: str | None  # the value that is no piece
    upright: bool  # whether columns come first in a fact, and rows go up
    headed: bool  # whether a move names a column alone
    marks: tuple[str, ...] = ()  # functions without a value that are drawn on it too

    @property
    def names(self) -> tuple[str, ...]:
        return (self.name, *self.marks)

    @property
    def places(self) -> tuple[tuple[Term, ...], tuple[Term, ...], bool]:
        return self.rows, self.columns, self.upright

    @property
    def cell(self) -> float:
        """The side of a square."""
        wanted = LETTER * max(map(len, self.texts), default=0) + 16 if len(self.columns) <= 8 else 0.0
        return min(LARGE, max(SMALL, wanted))

    @property
    def width(self) -> float:
        return HEAD + self.cell * len(self.columns) + 4

    @property
    def height(self) -> float:
        return 2 * HEAD + self.cell * len(self.rows)

    def key(self, place: Place) -> str:
        return f"{self.name}-{kif(place[0])}-{kif(place[1])}"

    def head(self, column: Term) -> str:
        return f"{self.name}-column-{kif(column)}"

    def place(self, row: Term, column: Term) -> Place:
        """A square as facts and moves name it."""
        return (column, row) if self.upright else (row, column)

    def has(self, place: Place) -> bool:
        row, column = reversed(place) if self.upright else place
        return row in self.rows and column in self.columns

    def marked(self, name: str) -> Board:
        """With a function that says only of which of the same places it is true."""
        own = () if self.valued else (self.name,)
        return replace(self, marks=(*self.marks, name), texts=self.texts.union(own, (name,)))

    def text(self, fact: Term) -> str:
        """What stands on the piece of a fact: nothing where all facts of the board are alike."""
        if len(fact) == 4:
            return kif(fact[3])
        return kif(fact[0]) if self.valued or self.marks else ""


def draw(position: Position, last: int | None) -> Picture:
    """The facts of a rule sheet's game, and its moves where they name squares."""
    game, state = position.game, position.state
    boards = boards_of(game)
    width = max([WIDTH, *(board.width for board in boards)])
    groups = by_function(facts_of(game.address, state))
    items: list[Item] = []
    left = top = below = 0.0
    for board in boards:
        if left + board.width > width:
            left, top = 0.0, below
        facts = [fact for name in board.names for fact in groups.pop(name, [])]
        items += draw_board(board, facts, (left, top), game.own_roles())
        left, below = left + board.width + GAP, max(below, top + board.height + GAP)
    top = below
    for name, facts in groups.items():
        if counted(facts, game.own_roles()):
            items += counters(name, facts, top, game.own_roles())
            top += LANE * len(facts)
            continue
        lines = broken(listed(name, facts), int((width - 8) / text_width("x", SIZE)))
        items += [line(f"{name}-{i}", text, top + LINE * (i + 0.5)) for i, text in enumerate(lines)]
        top += LINE * len(lines)
    moves = clicks(position, boards)
    if not boards:
        if 0 < len(position.actions()) <= MOST_BUTTONS:
            made, moves = action_buttons(position, 0.0, width, top)
            items += made
        top += BUTTONS  # for every mover: the picture must not change its size
    return Picture(width, max(top, LINE), items, moves, note(position))


def counted(facts: list[Term], roles: tuple[str, ...]) -> bool:
    """Whether facts are a number for each role, such as ``(score white 12)``."""
    parts = [fact for fact in facts if not isinstance(fact, str) and len(fact) == 3 and kif(fact[2]).isdecimal()]
    return len(parts) == len(facts) == len(roles) > 1 and {kif(fact[1]) for fact in parts} == set(roles)


def counters(name: str, facts: list[Term], top: float, roles: tuple[str, ...]) -> list[Item]:
    """A line for each role, with its colour."""
    items: list[Item] = []
    told = {kif(fact[1]): kif(fact[2]) for fact in facts}
    for seat, role in enumerate(roles):
        y, text = top + LANE * (seat + 0.5), f"{role}: {name} {told[role]}"
        dot = Circle(key=f"{name}-{role}-dot", x=18, y=y, r=12, fill=role_colour(role, seat), stroke="edge", line=2)
        items += [dot, line(f"{name}-{role}", text, y, 36)]
    return items


@lru_cache(maxsize=64)
def boards_of(game: Any) -> tuple[Board, ...]:
    """The functions of a sheet whose facts are drawn as a board, the largest first; all facts that can be are seen."""
    start = by_function(facts_of(game.address, Position.start(game).state))
    groups = by_function(LAYOUTS[game.address].known_facts())
    named = named_alone(game)
    boards = [board_of(name, facts, start.get(name, []), named, game.own_roles()) for name, facts in groups.items()]
    drawn: list[Board] = []
    for board in sorted(filter(None, boards), key=lambda board: not board.valued):
        under = [i for i, other in enumerate(drawn) if other.places == board.places and not board.valued]
        if under:
            drawn[under[0]] = drawn[under[0]].marked(board.name)
        else:
            drawn.append(board)
    return tuple(sorted(drawn, key=lambda board: -len(board.rows) * len(board.columns)))


def named_alone(game: Any) -> list[set[Term]]:
    """For each kind of move with one part, all that this part can be."""
    named: dict[Term, set[Term]] = {}
    for move in LAYOUTS[game.address].known_moves():
        if not isinstance(move, str) and len(move) == 2:
            named.setdefault(move[0], set()).add(move[1])
    return list(named.values())


def by_function(facts: list[Term]) -> dict[str, list[Term]]:
    groups: dict[str, list[Term]] = {}
    for fact in facts:
        groups.setdefault(kif(fact) if isinstance(fact, str) else kif(fact[0]), []).append(fact)
    return groups


def board_of(
    name: str, facts: list[Term], start: list[Term], named: list[set[Term]], roles: tuple[str, ...]
) -> Board | None:
    """The board of a function's facts, if they are one."""
    if any(isinstance(fact, str) or len(fact) not in (3, 4) for fact in facts):
        return None
    places = {(fact[1], fact[2]) for fact in facts}
    first, second = (tuple(sorted({place[i] for place in places}, key=natural)) for i in (0, 1))
    headed = set(first) in named and set(first) != set(second)
    upright = headed or (not numbers(first) and numbers(second))
    rows, columns = (second[::-1], first) if upright else (first, second)
    valued = len(facts[0]) == 4
    fits = 2 <= len(rows) <= MOST and 2 <= len(columns) <= MOST and len(places) >= LEAST
    if not fits or 2 * len(places) < len(rows) * len(columns) or not (valued or numbers(rows + columns)):
        return None
    values = [kif(fact[3]) for fact in facts] if valued else []
    blank = blank_of(values, [kif(fact[-1]) for fact in start], roles)
    return Board(name, rows, columns, frozenset(values), valued, blank, upright, headed)


def blank_of(values: list[str], start: list[str], roles: tuple[str, ...]) -> str | None:
    """The value that means nothing is there: of those it could be, one that no role begins with, or that starts out
    as the most frequent."""
    common = max(start, key=start.count, default=None)
    found = [name for name in BLANK if name in values]
    return next((name for name in found if name == common or not any(role.startswith(name) for role in roles)), None)


def draw_board(board: Board, facts: list[Term], corner: Point, roles: tuple[str, ...]) -> list[Item]:
    """A board's squares with what is true of them."""
    values: dict[Place, list[str]] = {}
    for fact in facts:
        values.setdefault((fact[1], fact[2]), []).append(board.text(fact))
    left, top = corner
    items: list[Item] = [line(f"{board.name}-name", ", ".join(board.names), top + HEAD / 2, left)]
    for i, row in enumerate(board.rows):
        y = top + 2 * HEAD + board.cell * (i + 0.5)
        items.append(Text(key=f"{board.name}-row-{kif(row)}", x=left + HEAD / 2, y=y, text=kif(row), ink="faint"))
        for j, column in enumerate(board.columns):
            x = left + HEAD + board.cell * (j + 0.5)
            place = board.place(row, column)
            items += square(board, place, values.get(place, []), (x, y), roles)
    for j, column in enumerate(board.columns):
        x, y = left + HEAD + board.cell * (j + 0.5), top + 1.5 * HEAD
        items.append(head(board, column, x, y))
    return items


def head(board: Board, column: Term, x: float, y: float) -> Item:
    """The name of a column, which may be something to click."""
    key, text = board.head(column), kif(column)
    if not board.headed:
        return Text(key=key, x=x, y=y, text=text, ink="faint")
    return Rect(key=key, x=x, y=y, w=board.cell - 8, h=HEAD - 4, r=6, fill="button", text=text, label=f"column {text}")


def square(board: Board, place: Place, values: list[str], at: Point, roles: tuple[str, ...]) -> list[Item]:
    """A square, and a piece for each of its values that is not blank; without values, one for what is true."""
    key, side = board.key(place), board.cell - 3
    told = ", ".join(values) or ("true" if values else "")
    label = f"{board.name} {kif(place[0])} {kif(place[1])}{f': {told}' if told else ''}"
    pieces = [value for value in values if value != board.blank]
    high = (board.cell - 14) / max(1, len(pieces))
    items: list[Item] = [Rect(key=key, x=at[0], y=at[1], w=side, h=side, r=6, fill="cell", label=label)]
    for i, value in enumerate(pieces):
        y = at[1] + high * (i - (len(pieces) - 1) / 2)
        fill = "cell" if board.valued and value in board.marks else colour_of(value, roles)  # no piece among pieces
        items.append(one_value(board, f"{key}-{value or 'true'}", value, (at[0], y), high, fill))
    return items


def one_value(board: Board, key: str, value: str, at: Point, high: float, role: str) -> Item:
    """A piece with its name on it, in letters as large as there is room for."""
    wide = board.cell - 14
    size = min(26.0, 0.8 * high, 0.9 * wide / (0.6 * max(1, len(value))))
    return Rect(
        key=key,
        x=at[0],
        y=at[1],
        w=wide,
        h=high,
        r=min(10.0, high / 2),
        fill=role,
        stroke="edge",
        text=value or None,
        size=size,
        weight="bold",
        group=f"{board.name} {value}",
        layer=1,
    )


def colour_of(value: str, roles: tuple[str, ...]) -> str:
    """The colour of the player whose name a value is, or begins as a short one does; grey for all else."""
    for seat, role in enumerate(roles[:6]):
        if value and (role.startswith(value) or value.startswith(role)):
            return role_colour(role, seat)
    initials = [role[0] for role in roles[:6]]
    if value and len(value) <= 2 and initials.count(value[0]) == 1:
        seat = initials.index(value[0])
        return role_colour(roles[seat], seat)
    return "neutral" if value else "grey"


def role_colour(role: str, seat: int) -> str:
    """The colour that a player's name says, as white's does; or that of the seat."""
    said = ALSO.get(role, role)
    return said if said in NAMED else player_role(seat)


def clicks(position: Position, boards: tuple[Board, ...]) -> dict[int, list[str]]:
    """The squares to click for each move that names some; none where that would be ambiguous."""
    if not boards or position.turn < 0:
        return {}
    named = {action: squares_in(move_of(position, position.turn, action), boards[0]) for action in position.actions()}
    found = [tuple(keys) for keys in named.values() if keys]
    shared = {keys for keys in found if found.count(keys) > 1}
    shared |= {keys for keys in found if any(len(other) > len(keys) and other[: len(keys)] == keys for other in found)}
    return {action: keys for action, keys in named.items() if tuple(keys) not in shared}


def squares_in(move: Term, board: Board) -> list[str]:
    """The squares that a move names, from left to right."""
    parts = () if isinstance(move, str) else move[1:]
    if board.headed and len(parts) == 1 and parts[0] in board.columns:
        return [board.head(parts[0])]
    keys, i = [], 0
    while i + 1 < len(parts):
        place = parts[i], parts[i + 1]
        if board.has(place):
            keys.append(board.key(place))
            i += 1
        i += 1
    return keys


def note(position: Position) -> str:
    """Who is to move, by the names of the roles, or what each has got."""
    roles = position.game.own_roles()
    if position.is_terminal:
        got = ", ".join(f"{role} {value:g}" for role, value in zip(roles, goals_of(position), strict=True))
        return f"The game is over: {got}."
    return "Chance decides what comes next." if position.is_chance else f"{roles[position.turn]} to move."


def numbers(terms: tuple[Term, ...]) -> bool:
    return all(kif(term).isdecimal() for term in terms)


def natural(term: Term) -> tuple[int, int, str]:
    """Numbers by their size, before all else by its letters."""
    text = kif(term)
    return (0, int(text), "") if text.isdecimal() else (1, 0, text)


def listed(name: str, facts: list[Term]) -> str:
    parts = [" ".join(kif(part) for part in fact[1:]) for fact in facts if not isinstance(fact, str)]
    return f"{name}: {', '.join(parts)}" if parts else name


def line(key: str, text: str, y: float, left: float = 0.0) -> Item:
    return Text(key=f"{key}-line", x=left + 4, y=y, text=text, size=SIZE, anchor="start", label=text)
