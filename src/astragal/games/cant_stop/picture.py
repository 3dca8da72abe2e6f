"""Can't Stop: columns to climb, in the shape of the stop sign, with markers and runners; below, dice and choices.

Where markers share a space they lie side by side. A column that is won is all in its winner's colour.
"""

# mypy: disable-error-code="no-untyped-call"
from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Any

from astragal.drawing.pictures.parts import button, one_die, piece, player_role
from astragal.drawing.pictures.vocabulary import Circle, Item, Picture, Point, Rect, Text
from astragal.drawing.pictures.words import whose_turn
from astragal.drawing.text_board import EMPTY, TextBoard, men
from astragal.games.cant_stop.rules import OVER, RUNNERS, TO_DECIDE, TO_ROLL
from astragal.games.cant_stop.tables import spaces
from astragal.rules.position import Position

if TYPE_CHECKING:

    class Rest:
        """What the other parts of the game's class have."""

        column: Any
        foot: Any
        place: Any
        step: Any
else:
    Rest = object

MOVES = 90  # decisions of all players in a game, on average: the page says it (docs/web.md)
BOARD = TextBoard(r"[ \d]\d  ", men("ABCD", "ABCD") | {"*": ("▲", "bold"), ".": EMPTY})
COLUMN, WIDTH = 62.0, 62.0 * 11
HIGHEST = 560.0  # of the longest column
SPACE = 42.0  # height of a space at most
HEAD, FOOT = 56.0, 150.0
DIE = 58.0


def draw(position: Position, last: int | None) -> Picture:
    game = position.game
    board = Board(game)
    items: list[Item] = []
    for column in range(game.columns):
        items += board.column(column, winner_of(position, column))
    for player in range(game.players):
        items += markers(position, board, player)
        items += standing(position, player)
    items += runners(position, board)
    items += [*dice(position, last, board.foot + 62), *controls(position, board.foot + 62)]
    moves = {action: [choice_key(position, action)] for action in position.actions()}
    return Picture(WIDTH, board.foot + FOOT, items, moves, note(position, last))


def event(before: Position, number: int) -> str | None:
    """A turn that is lost."""
    if not before.is_chance:
        return None
    after: Any = before.follow(number).state
    if after.roll != TO_ROLL:
        return None
    climbed = [column for column in range(before.game.columns) if before.rules.runner_at(before.state, column)]
    lost = f": nothing fits, and the turn's climb in {len(climbed)} columns is lost" if climbed else ": nothing fits"
    return f"went bust{lost}"


class Board(Rest):
    """Where the spaces of a game's columns are."""

    def __init__(self, game: Any) -> None:
        self.top = [int(spaces) for spaces in game.top]
        self.left = (WIDTH - COLUMN * game.columns) / 2
        self.step = min(SPACE, HIGHEST / max(self.top))
        self.foot = HEAD + self.step * max(self.top) + 44

    def place(self, column: int, space: int) -> Point:
        """The middle of a space, which are counted from 1 from the bottom; columns are centred."""
        middle = HEAD + self.step * max(self.top) / 2
        return self.left + (column + 0.5) * COLUMN, middle + self.step * ((self.top[column] + 1) / 2 - space)

    def column(self, column: int, owner: int | None) -> list[Item]:
        """The spaces of a column and its number above and below."""
        role = player_role(owner) if owner is not None else None
        number = str(column + 2)
        won = f", won by player {owner + 1}" if owner is not None else ""
        items: list[Item] = []
        for space in range(1, self.top[column] + 1):
            x, y = self.place(column, space)
            fill = role or ("cell-dark" if space == self.top[column] else "cell")
            side = self.step - 4
            items.append(
                Rect(key=f"space-{number}-{space}", x=x, y=y, w=COLUMN - 6, h=side, r=min(8.0, side / 3), fill=fill)
            )
        for end, space in (("top", self.top[column] + 1), ("foot", 0)):
            x, y = self.place(column, space)
            shift = self.step / 2 - 20 if end == "top" else 20 - self.step / 2
            label = f"column {number}, {self.top[column]} spaces{won}" if end == "top" else None
            items.append(
                Text(key=f"{end}-{number}", x=x, y=y + shift, text=number, size=26, weight="bold", label=label)
            )
        return items


def note(position: Position, last: int | None) -> str:
    state: Any = position.state
    who = f"Player {state.turn + 1}" if position.game.players > 1 else f"Turn {state.turn + 1}: the player"
    if position.is_terminal:
        return whose_turn(position)
    if state.roll == TO_ROLL:
        return f"{'That was a bust. ' if last is not None else ''}{who} rolls."
    return f"{who} rolls again or stops." if state.roll == TO_DECIDE else f"{who} chooses what to climb."


def winner_of(position: Position, column: int) -> int | None:
    """Who has won a column."""
    winner: int | None = position.rules.column_winner(position.state, column)
    return winner


def standing(position: Position, player: int) -> list[Item]:
    """How many columns a player has won, above the board; the player to move in bold."""
    game, state = position.game, position.state
    won = sum(winner_of(position, column) == player for column in range(game.columns))
    mine = not position.is_terminal and position.rules.mover(state) == player
    name, y = f"Player {player + 1}", 18 + 26.0 * player
    label, share = f"player {player + 1} has won {won} of {game.goal} columns", f"{won} of {game.goal}"
    weight = "bold" if mine else "normal"
    return [
        piece(f"colour-{player + 1}", (WIDTH - 198, y), 10, player),
        Text(key=f"name-{player + 1}", x=WIDTH - 181, y=y, text=name, size=20, anchor="start", weight=weight),
        Text(key=f"won-{player + 1}", x=WIDTH - 8, y=y, text=share, size=20, anchor="end", label=label),
    ]


def markers(position: Position, board: Board, player: int) -> list[Item]:
    """A player's markers in the columns that are not won."""
    game, state = position.game, position.state
    items: list[Item] = []
    for column in range(game.columns):
        space = int(spaces(state.markers[player], column))
        if space and winner_of(position, column) is None:
            sharing = [p for p in range(game.players) if spaces(state.markers[p], column) == space]
            x, y = board.place(column, space)
            shift = 12.0 * (sharing.index(player) - (len(sharing) - 1) / 2)
            label = f"marker of player {player + 1}: column {column + 2}, space {space}"
            radius = min(15.0, 0.42 * board.step) - (4 if len(sharing) > 2 else 0)
            items.append(piece(f"marker-{player + 1}-{column + 2}", (x + shift, y), radius, player, label=label))
    return items


def runners(position: Position, board: Board) -> list[Item]:
    """The runners on the board, and those that are free beside the dice."""
    game, state = position.game, position.state
    mover = position.rules.mover(state)
    runner = partial(Circle, r=min(17.0, 0.46 * board.step), fill="neutral", stroke=player_role(mover), line=5, layer=4)
    items: list[Item] = []
    for column in range(game.columns):
        if space := int(position.rules.runner_at(state, column)):
            x, y = board.place(column, space)
            label = f"runner: column {column + 2}, space {space}"
            items.append(runner(key=f"runner-{column + 2}", x=x, y=y, label=label, group="runner"))
    if state.roll != OVER:
        left = range(RUNNERS - len(items))
        items += [runner(key=f"free-{i}", x=26 + 42.0 * i, y=26, label="free runner", group="runner") for i in left]
    return items


def dice(position: Position, last: int | None, y: float) -> list[Item]:
    """The four dice; blank before a roll and after a choice."""
    state: Any = position.state
    rolled = last if state.roll in (TO_ROLL, TO_DECIDE, OVER) else state.roll
    faces = position.rules.faces(rolled) if rolled is not None else (0, 0, 0, 0)
    fill = "danger" if state.roll == TO_ROLL and rolled is not None else "die"
    return [one_die(f"die-{i + 1}", (40 + (DIE + 10) * i, y), DIE, face, fill) for i, face in enumerate(faces)]


def controls(position: Position, y: float) -> list[Item]:
    """What can be chosen: columns to climb, or to roll on or stop."""
    state: Any = position.state
    if state.roll in (TO_ROLL, TO_DECIDE):
        deciding = state.roll == TO_DECIDE
        return [
            button("roll", WIDTH - 265, y, "Roll", "roll again", 150, 64, deciding),
            button("stop", WIDTH - 100, y, "Stop", "stop and keep what was climbed", 150, 64, deciding),
        ]
    choices = sorted(position.actions())
    rows = 1 if len(choices) <= 3 else 2
    items: list[Item] = []
    for i, action in enumerate(choices):
        key, columns = choice_key(position, action), [str(column) for column in position.decode(action).columns]
        row, column = divmod(i, 3)
        where = WIDTH - 335 + 132 * (column + (3 - min(3, len(choices))) / 2), y + (row - (rows - 1) / 2) * 62
        label = f"climb column{'s' if len(columns) > 1 else ''} {' and '.join(columns)}"
        items.append(button(key, *where, " + ".join(columns), label, 122, 64 if rows == 1 else 54))
    return items


def choice_key(position: Position, action: int) -> str:
    what = position.decode(action).what
    return f"climb-{position.action_name(action)}" if what == "climb" else str(what)
