"""Kalah: pits and stores with their stones and how many they are; the first player sits below."""

# mypy: disable-error-code="no-untyped-call"
from __future__ import annotations

from math import cos, pi, sin, sqrt

from astragal.drawing.pictures.parts import player_role
from astragal.drawing.pictures.vocabulary import Circle, Item, Picture, Point, Rect, Text
from astragal.drawing.pictures.words import whose_turn
from astragal.games.kalah.rules import unpacked
from astragal.rules.position import Position

MOVES = 35  # decisions of all players in a game, on average: the page says it (docs/web.md)
PIT, STORE = 118.0, 128.0  # across, with what is between them
RADIUS = 52.0
TOP, MIDDLE, BOTTOM = 108.0, 175.0, 242.0  # of the upper row, the stores and the lower row
HEIGHT = 350.0
STONE = 11.0
TURN = pi * (3 - sqrt(5))  # stones lie in a sunflower's spiral, which fills a disc evenly


def draw(position: Position, last: int | None) -> Picture:
    game, state = position.game, position.state
    rows, stores = position.rules.seen_by_first(state)
    width = game.pits * PIT + 2 * STORE
    items: list[Item] = [
        Rect(
            key="board",
            x=width / 2,
            y=HEIGHT / 2,
            w=width - 4,
            h=HEIGHT - 4,
            r=70,
            fill="board",
            stroke="edge",
            line=3,
            layer=-1,
        )
    ]
    for player in range(2):
        for pit, held in enumerate(unpacked(rows[player], game.pits)):
            items += one_pit(player, pit, int(held), game.pits)
        items += one_store(player, int(stores[player]), width)
    moves = {action: [position.action_name(action)] for action in position.actions()}
    return Picture(width, HEIGHT, items, moves, whose_turn(position))


def event(before: Position, number: int) -> str | None:
    """A capture, or another move."""
    after = before.follow(number)
    rows = [before.rules.seen_by_first(each.state)[1][before.turn] for each in (before, after)]
    gained = int(rows[1]) - int(rows[0])
    if after.is_terminal:
        return None
    if gained > 1:
        return f"captured {gained} stones"
    return "moves again: the last stone fell into the store" if after.turn == before.turn else None


def one_pit(player: int, pit: int, held: int, pits: int) -> list[Item]:
    """A pit with its stones, its number of stones and its name."""
    name = f"{'AB'[player]}{pit + 1}"
    column = pit if player == 0 else pits - 1 - pit
    x, y = STORE + (column + 0.5) * PIT, BOTTOM if player == 0 else TOP
    outwards = 1 if player == 0 else -1
    hole = Circle(key=name, x=x, y=y, r=RADIUS, fill="hole", stroke="edge", label=f"pit {name}, {stones(held)}")
    count = Text(
        key=f"count-{name}", x=x + 3, y=y + outwards * 76, text=str(held), size=32, weight="bold", anchor="start"
    )
    called = Text(key=f"name-{name}", x=x - 5, y=y + outwards * 76, text=name, size=22, opacity=0.75, anchor="end")
    places = [(x + dx, y + dy) for dx, dy in spiral(held, RADIUS - STONE - 4)]
    return [hole, count, called, *pebbles(name, places)]


def one_store(player: int, held: int, width: float) -> list[Item]:
    """A store, in which stones lie in rows from the bottom."""
    name = f"store-{player + 1}"
    x = width - STORE / 2 if player == 0 else STORE / 2
    w, h = STORE - 36, 208.0
    label = f"store of player {player + 1}, {stones(held)}"
    whole = Rect(key=name, x=x, y=MIDDLE, w=w, h=h, r=40, fill="hole", stroke=player_role(player), line=5, label=label)
    count = Text(key=f"count-{name}", x=x, y=MIDDLE + h / 2 + 26, text=str(held), size=34, weight="bold")
    called = Text(key=f"name-{name}", x=x, y=MIDDLE - h / 2 - 24, text=f"Player {player + 1}", size=22, opacity=0.75)
    places = [(x + dx, MIDDLE + dy) for dx, dy in rows_of(held, w - 20, h - 24)]
    return [whole, count, called, *pebbles(name, places)]


def pebbles(name: str, places: list[Point]) -> list[Item]:
    return [
        Circle(key=f"{name}-stone-{i}", x=x, y=y, r=STONE, fill="stone", stroke="edge", group="stone", layer=1)
        for i, (x, y) in enumerate(places)
    ]


def spiral(count: int, radius: float) -> list[Point]:
    """Places in a disc, close together while they are few."""
    spread = min(radius, 1.15 * STONE * sqrt(count)) if count > 1 else 0.0
    far = [spread * sqrt((i + 0.5) / count) if count > 1 else 0.0 for i in range(count)]
    return [(far[i] * cos(TURN * i), far[i] * sin(TURN * i)) for i in range(count)]


def rows_of(count: int, w: float, h: float) -> list[Point]:
    """Places in rows of a rectangle, from its bottom; rows come closer together when they are many."""
    across = max(1, int(w // (2 * STONE + 1)))
    rows = -(-count // across)
    step = min(2 * STONE + 1, (h - 2 * STONE) / max(1, rows - 1))
    places = []
    for i in range(count):
        row, column = divmod(i, across)
        places.append(((column - (across - 1) / 2) * (2 * STONE + 1), h / 2 - STONE - row * step))
    return places


def stones(count: int) -> str:
    return "1 stone" if count == 1 else f"{count} stones"
