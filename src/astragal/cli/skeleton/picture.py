"""The picture of Skeleton: what to draw, and what to click for a move. docs/pictures.md explains its parts."""

# mypy: allow-untyped-defs, allow-untyped-calls

from astragal.drawing.pictures import Circle, Picture, Rect

from .rules import RUN, WALK

WIDTH, LANE, MARGIN, RADIUS = 600, 70, 30, 20
COLOURS = 6  # player1 to player6


def draw(position, last=None):
    """A lane for each player, and a button for each move. `last` is the outcome of chance that led here, if one did."""
    game, state = position.game, position.state
    begin, end = MARGIN + RADIUS, WIDTH - MARGIN - RADIUS
    items: list[Rect | Circle] = []
    for player in range(game.players):
        y = MARGIN + LANE * (player + 0.5)
        done = min(1.0, state.square[player] / game.squares)
        items.append(Rect(key=f"lane-{player}", x=WIDTH / 2, y=y, w=WIDTH - 2 * MARGIN, h=LANE - 16, r=8, fill="cell"))
        items.append(
            Circle(
                key=f"man-{player}",
                x=begin + (end - begin) * done,
                y=y,
                r=RADIUS,
                fill=f"player{player % COLOURS + 1}",
                layer=1,
                label=f"player {player + 1} on square {state.square[player]}",
            )
        )
    y = MARGIN + LANE * game.players + 40
    for i, name in enumerate(("run", "walk")):
        items.append(
            Rect(key=name, x=200 + 200 * i, y=y, w=160, h=50, r=8, fill="button", stroke="faint", text=name, label=name)
        )
    return Picture(WIDTH, y + 25 + MARGIN, items, {RUN: ["run"], WALK: ["walk"]})
