"""Backgammon: the board as the first player sees it, the bar in the middle, men borne off at the right, pips, dice.

Points have the numbers of the player to move, as in the names of moves.
"""

# mypy: disable-error-code="no-untyped-call"
from __future__ import annotations

from collections.abc import Iterator

from astragal.drawing.pictures.parts import button, one_die, player_role
from astragal.drawing.pictures.vocabulary import Circle, Item, Picture, Point, Polygon, Rect, Text
from astragal.drawing.pictures.words import whose_turn
from astragal.drawing.text_board import EMPTY, TextBoard, men
from astragal.games.backgammon.rules import BAR, DECIDE, OFF, OPENING, PLACES
from astragal.rules.position import Position

MOVES = 50  # decisions of all players in a game, on average: the page says it (docs/web.md)
BOARD = TextBoard(r"   (?=[OX.] )", men("OX", "○●") | {".": EMPTY})
POINT, HEIGHT = 66.0, 620.0  # width of a point; height of the board
BAR_WIDTH, TRAY = 60.0, 84.0
RIM = 30.0  # above and below, for the numbers of points
MAN = 28.0  # radius
LONG = 250.0  # a point's length
WIDTH = 12 * POINT + BAR_WIDTH + TRAY
STACK = 5  # men drawn in full; more are a number


def draw(position: Position, last: int | None) -> Picture:
    state = position.state
    middle = HEIGHT / 2
    items: list[Item] = [
        Rect(key="board", x=WIDTH / 2, y=middle, w=WIDTH, h=HEIGHT - 2 * RIM, r=10, fill="board", layer=-2),
        Rect(key="rail", x=bar_x(), y=middle, w=BAR_WIDTH, h=HEIGHT - 2 * RIM, fill="hole", layer=-1),
    ]
    mover = 0 if state.phase == OPENING else int(state.turn)
    for point in range(1, 25):
        items += one_point(point, number_of(mover, point), men_words(position, mover, point))
    for player in range(2):
        whose = "your" if player == mover else "the opponent's"
        off, waiting = (int(state.men[player * PLACES + place]) for place in (OFF, BAR))
        pips = int(position.rules.pips(state, player))
        items += [*tray(player, off, f"borne off: {off} of {whose} men, {pips} pips to go")]
        items += [pip_count(player, pips), *bar(player, f"the bar: {waiting} of {whose} men")]
        for place in range(OFF):
            items += men_on(player, place, int(state.men[player * PLACES + place]))
    items += dice(position)
    moves = {action: clicks(position, action) for action in position.actions()}
    if any(keys == ["pass"] for keys in moves.values()):
        items.append(button("pass", WIDTH / 2 - TRAY, middle, "Pass", "pass: no man can move"))
    return Picture(WIDTH, HEIGHT, items, moves, note(position), paired=True)


def event(before: Position, number: int) -> str | None:
    """Who begins."""
    if not before.is_chance or before.state.phase != OPENING:
        return None
    high, low = before.follow(number).state.dice
    return f"won the opening roll with {high} and {low}"


def clicks(position: Position, action: int) -> list[str]:
    """Where each man comes from and goes to, the rearmost first."""
    mover = int(position.state.turn)
    keys: list[str] = []
    for move in position.decode(action):
        keys += [key_of(mover, move.source), key_of(mover, move.to)]
    return keys or ["pass"]


def key_of(player: int, place: int) -> str:
    if place in (BAR, OFF):
        return f"{'bar' if place == BAR else 'off'}-{player + 1}"
    return f"point-{seen_point(player, place)}"


def seen_point(player: int, place: int) -> int:
    """A place as the first player numbers it."""
    return OFF - place if player == 0 else place


def note(position: Position) -> str:
    state = position.state
    if state.phase == OPENING:
        return "Each player rolls one die; the higher one begins."
    if position.is_chance:
        return f"Player {state.turn + 1} rolls the dice."
    return whose_turn(position, f"rolled {state.dice[0]} and {state.dice[1]} and is to move")


def bar_x() -> float:
    return 6 * POINT + BAR_WIDTH / 2


def foot(point: int) -> tuple[Point, float]:
    """The middle of a point's base, and whether it goes up (-1) or down (1) from there."""
    column = point - 13 if point > 12 else 12 - point
    x = (column + 0.5) * POINT + (BAR_WIDTH if column >= 6 else 0)
    return ((x, RIM), 1.0) if point > 12 else ((x, HEIGHT - RIM), -1.0)


def number_of(mover: int, point: int) -> int:
    """The number of a point of the first player's, as the player to move has it."""
    return point if mover == 0 else 25 - point


def men_words(position: Position, mover: int, point: int) -> str:
    """Whose men are on a point, for screen readers."""
    for player in range(2):
        place = OFF - point if player == 0 else point
        if men := int(position.state.men[player * PLACES + place]):
            return f"{men} of your men" if player == mover else f"{men} of the opponent's men"
    return "empty"


def one_point(point: int, shown: int, men: str) -> list[Item]:
    """A triangle with its number, under a strip that can be clicked."""
    (x, y), down = foot(point)
    corners = [(-POINT / 2 + 3, 0.0), (POINT / 2 - 3, 0.0), (0.0, down * LONG)]
    fill = "cell-light" if point % 2 else "hole"
    where = Rect(
        key=f"point-{point}",
        x=x,
        y=y + down * LONG / 2,
        w=POINT - 2,
        h=LONG,
        r=6,
        fill="board",
        layer=-1,
        label=f"point {shown}: {men}",
    )
    number = Text(key=f"number-{point}", x=x, y=y - down * RIM / 2, text=str(shown), size=20)
    return [where, Polygon(key=f"triangle-{point}", x=x, y=y, points=corners, fill=fill), number]


def pip_count(player: int, pips: int) -> Text:
    """How far a player's men have to go in all, beside the tray."""
    y = HEIGHT - RIM / 2 if player == 0 else RIM / 2
    return Text(key=f"pips-{player + 1}", x=WIDTH - TRAY / 2, y=y, text=f"{pips} pips", size=18)


def tray(player: int, off: int, label: str) -> list[Item]:
    """Where men are borne off to, and how many are."""
    y = HEIGHT - RIM - LONG / 2 if player == 0 else RIM + LONG / 2
    return [
        Rect(
            key=f"off-{player + 1}",
            x=WIDTH - TRAY / 2,
            y=y,
            w=TRAY - 16,
            h=LONG,
            r=10,
            fill="panel",
            stroke=player_role(player),
            line=4,
            text=str(off),
            size=38,
            weight="bold",
            label=label,
        )
    ]


def bar(player: int, label: str) -> list[Item]:
    """The half of the bar on which a player's men wait that were hit."""
    y = middle_of_bar(player)
    return [Rect(key=f"bar-{player + 1}", x=bar_x(), y=y, w=BAR_WIDTH - 6, h=LONG, r=6, fill="hole", label=label)]


def middle_of_bar(player: int) -> float:
    return RIM + LONG / 2 if player == 0 else HEIGHT - RIM - LONG / 2


def men_on(player: int, place: int, men: int) -> Iterator[Item]:
    """A stack of men, the number on the last one if there are more than fit."""
    for i in range(min(men, STACK)):
        if place == BAR:
            x, y = bar_x(), middle_of_bar(player) + (i - 2) * 2 * MAN * 0.8
        else:
            (x, base), down = foot(seen_point(player, place))
            y = base + down * (MAN + 2 + i * 2 * MAN * 0.86)
        more = str(men) if men > STACK and i == STACK - 1 else None
        yield Circle(
            key=f"man-{player + 1}-{place}-{i}",
            x=x,
            y=y,
            r=MAN,
            fill=player_role(player),
            stroke="edge",
            line=3,
            text=more,
            size=30,
            weight="bold",
            layer=2,
            acts=key_of(player, place),
            group=f"men-{player + 1}",
        )


def dice(position: Position) -> list[Item]:
    """The dice in the colour of the player who rolls them, on his right."""
    state = position.state
    if position.is_terminal or state.phase == OPENING:
        return []
    shown = [int(die) if state.phase == DECIDE else 0 for die in state.dice]
    at = [9 * POINT + BAR_WIDTH - 40, 9 * POINT + BAR_WIDTH + 40]
    role = player_role(int(state.turn))
    return [one_die(f"die-{i}", (at[i], HEIGHT / 2), 60, shown[i], role) for i in range(2)]
