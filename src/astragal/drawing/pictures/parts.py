"""What several pictures are made of: squares with their names at the rim, panels, buttons, pieces, dice."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from astragal.drawing.pictures.vocabulary import Circle, Die, Item, Point, Rect, Text
from astragal.rules.position import Position

MOST_BUTTONS = 6  # actions that are buttons of a picture
BUTTONS = 64.0  # height of a row of them


@dataclass(frozen=True)
class Grid:
    """Squares in rows from the top, with letters for columns below them and numbers for rows beside."""

    columns: int
    rows: int
    cell: float  # side of a square
    left: float = 36.0
    top: float = 4.0

    @property
    def width(self) -> float:
        return self.left + self.columns * self.cell + 4

    @property
    def height(self) -> float:
        return self.top + self.rows * self.cell + 36

    def at(self, row: int, column: int) -> Point:
        """The middle of a square."""
        return self.left + (column + 0.5) * self.cell, self.top + (row + 0.5) * self.cell

    def name(self, row: int, column: int) -> str:
        return f"{'abcdefgh'[column]}{self.rows - row}"

    def frame(self, rim: float = 8.0) -> Item:
        """The board below the squares."""
        wide, high = self.columns * self.cell, self.rows * self.cell
        x, y = self.left + wide / 2, self.top + high / 2
        return Rect(key="board", x=x, y=y, w=wide + rim, h=high + rim, r=12, fill="board", layer=-1)

    def names(self) -> list[Item]:
        """The letters and numbers at the rim."""
        size = 20.0
        below = self.top + self.rows * self.cell + 24
        beside = [
            Text(key=f"row-{self.rows - row}", x=14, y=self.at(row, 0)[1], text=str(self.rows - row), size=size)
            for row in range(self.rows)
        ]
        letters = ["abcdefgh"[column] for column in range(self.columns)]
        under = [
            Text(key=f"column-{letter}", x=self.at(0, i)[0], y=below, text=letter, size=size)
            for i, letter in enumerate(letters)
        ]
        return [*beside, *under]


def panel(key: str, corner: Point, w: float, h: float, label: str, active: bool) -> Rect:
    """A place for what belongs to a player, by its top left corner; with a rim if the player is to move."""
    x, y = corner[0] + w / 2, corner[1] + h / 2
    rim = "accent" if active else None
    return Rect(key=key, x=x, y=y, w=w, h=h, r=14, fill="panel", stroke=rim, line=4, label=label, layer=-1)


def write(key: str, x: float, y: float, text: str, size: float, **more: Any) -> Text:
    """A text that begins at a place."""
    return Text(key=key, x=x, y=y, text=text, size=size, **({"anchor": "start"} | more))


def one_die(key: str, place: Point, w: float, value: int, fill: str = "die") -> Die:
    """A die with a face up, or none yet."""
    label, stroke = f"die: {value}" if value else "die, not rolled", "faint" if fill == "die" else "edge"
    return Die(key=key, x=place[0], y=place[1], w=w, value=value, fill=fill, stroke=stroke, line=3, label=label)


def button(
    key: str, x: float, y: float, text: str, label: str, w: float = 150, h: float = 52, active: bool = True
) -> Rect:
    """Something to click that is no part of the board; pale while it cannot be."""
    return Rect(
        key=key,
        x=x,
        y=y,
        w=w,
        h=h,
        r=10,
        fill="button",
        stroke="faint",
        text=text,
        size=min(24.0, 0.46 * h),
        weight="bold",
        label=label,
        opacity=1.0 if active else 0.4,
        layer=2,
    )


def action_buttons(
    position: Position, left: float, width: float, top: float
) -> tuple[list[Item], dict[int, list[str]]]:
    """A button for each action side by side, as high as `BUTTONS`, and what to click for each; for few actions."""
    actions = position.actions()
    room = width / max(1, len(actions))
    wide, y = min(170.0, room - 8), top + BUTTONS / 2
    made: list[Item] = []
    for i, action in enumerate(actions):
        name = position.action_name(action)
        made.append(button(f"action-{action}", left + room * (i + 0.5), y, name, name, wide, 48))
    return made, {action: [f"action-{action}"] for action in actions}


def piece(key: str, place: Point, r: float, player: int, layer: int = 3, **more: Any) -> Circle:
    """A round piece of a player."""
    return Circle(
        key=key,
        x=place[0],
        y=place[1],
        r=r,
        fill=player_role(player),
        stroke="edge",
        line=max(2.0, r / 10),
        layer=layer,
        size=r,
        weight="bold",
        **more,
    )


def player_role(player: int) -> str:
    """The palette's role of a player, who are counted from 0."""
    return f"player{player + 1}"
