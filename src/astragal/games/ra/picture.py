"""Ra: the tracks and the bag above, both players' suns and tiles below; tiles and suns are clicked to take and to bid.

Every kind of tile has its place in a player's panel, pale while there is none. Above them stands what the end of the
epoch would bring, and what for.
"""

# mypy: disable-error-code="no-untyped-call"
from __future__ import annotations

from dataclasses import replace
from typing import Any

from astragal.drawing.pictures.parts import button, panel, piece, write
from astragal.drawing.pictures.vocabulary import Circle, Item, Picture, Point, Rect
from astragal.drawing.pictures.words import broken, whose_turn
from astragal.games.ra.rules import DRAW, INVOKE, LAST_RA, PASS, SPACES, STOP
from astragal.games.ra.scoring import EPOCHS, KINDS_POINTS
from astragal.games.ra.tiles import (
    CIVILISATIONS,
    DISASTERS,
    FLOOD,
    GOD,
    GOLD,
    MONUMENTS,
    NAMES,
    NILE,
    PHARAOH,
    RA,
    suns_in,
    tiles_of,
)
from astragal.rules.position import Position

MOVES = 95  # decisions of all players in a game, on average: the page says it (docs/web.md)
WIDTH = 680.0
TRACK, TILE_W, TILE_H = 96.0, 158.0, 62.0
BUTTONS = 272.0
PANEL_TOP, PANEL = 322.0, 340.0
DUE_LETTERS = 58  # in a line of what the end of the epoch would bring
CHIP_W, CHIP_H = 124.0, 48.0  # large enough for fingers
ROWS = (  # of a player's panel
    (GOD, GOLD, PHARAOH, NILE, FLOOD),
    tuple(range(CIVILISATIONS, MONUMENTS)),
    tuple(range(MONUMENTS, MONUMENTS + 4)),
    tuple(range(MONUMENTS + 4, PHARAOH)),
)
ROLES = {GOD: "gold", GOLD: "orange", FLOOD: "blue", PHARAOH: "green", NILE: "teal", RA: "rose"}


def role_of(kind: int) -> str:
    """The colour of a kind of tile."""
    if kind in ROLES:
        return ROLES[kind]
    return "violet" if kind < MONUMENTS else "sand" if kind < PHARAOH else "red"


def draw(position: Position, last: int | None) -> Picture:
    items = [*head(position), *track(position), *controls(position)]
    for player in range(2):
        items += side(position, player)
    moves = {action: [clicked(position, action)] for action in position.actions()}
    return Picture(WIDTH, PANEL_TOP + 2 * PANEL, items, moves, note(position, last))


def note(position: Position, last: int | None) -> str:
    if position.is_terminal:
        return whose_turn(position)
    drawn = f"A tile was drawn: {NAMES[last]}. " if last is not None else ""
    words = str(position.rules.what_next(position.state))
    return f"{drawn}{words[0].upper()}{words[1:]}."


def clicked(position: Position, action: int) -> str:
    """The item that stands for an action."""
    what, which = position.decode(action)
    if which is None:
        return "bag" if what == "draw" else str(what)
    if what == "bid":
        return f"sun-{which}"
    return f"track-{NAMES[which]}-1" if what == "take" else f"hand-{position.turn + 1}-{NAMES[which]}"


def head(position: Position) -> list[Item]:
    """The epoch, the Ra track and the sun on the board."""
    state: Any = position.state
    counted = f"{state.ra} of {LAST_RA} Ra tiles"
    items: list[Item] = [
        write("epoch", 8, 28, f"Epoch {state.epoch} of {EPOCHS}", 26, weight="bold"),
        write("ra-name", WIDTH - 410, 28, "Ra", 26, anchor="end", label=counted),
    ]
    for i in range(LAST_RA):
        rim = "danger" if i == LAST_RA - 1 else "faint"
        space = Rect(key=f"ra-space-{i + 1}", x=WIDTH - 376.0 + 42 * i, y=28, w=36, h=40, r=6, fill="panel", stroke=rim)
        items.append(space)
        if i < state.ra:
            drawn = replace(space, key=f"ra-{i + 1}", fill=role_of(RA), stroke="edge", layer=1, origin=bag_place())
            items.append(replace(drawn, text="Ra", weight="bold"))
    items.append(write("board-name", WIDTH - 70, 28, "Sun", 26, anchor="end"))
    items.append(sun(int(state.board), (WIDTH - 32, 28.0), "gold", label=f"sun {state.board} on the board"))
    return items


def bag_place() -> Point:
    return 96.0, BUTTONS


def track(position: Position) -> list[Item]:
    """The eight spaces of the auction track, and the tiles that lie there."""
    counts = tiles_of(position.state.track)
    tiles = [(kind, i + 1) for kind in range(len(NAMES)) for i in range(counts[kind])]
    items: list[Item] = []
    for i in range(SPACES):
        x, y = TILE_W / 2 + 4 + (TILE_W + 11) * (i % 4), TRACK + 10 + (TILE_H + 12) * (i // 4)
        items.append(Rect(key=f"space-{i + 1}", x=x, y=y, w=TILE_W, h=TILE_H, r=8, fill="panel", stroke="grey"))
        if i < len(tiles):
            items.append(tile(*tiles[i], (x, y)))
    return items


def tile(kind: int, number: int, place: Point) -> Item:
    """A tile on the auction track; to click any of a kind is to click the first."""
    key = f"track-{NAMES[kind]}"
    return Rect(
        key=f"{key}-{number}",
        x=place[0],
        y=place[1],
        w=TILE_W - 6,
        h=TILE_H - 6,
        r=8,
        fill=role_of(kind),
        stroke="edge",
        text=NAMES[kind],
        size=25,
        weight="bold" if kind in DISASTERS else "normal",
        label=f"{NAMES[kind]} on the auction track",
        acts=f"{key}-1" if number > 1 else None,
        origin=bag_place(),
        layer=1,
    )


def controls(position: Position) -> list[Item]:
    """The bag to draw from, and what else is said rather than taken."""
    legal = position.actions()
    left = sum(tiles_of(position.state.bag))
    return [
        button("bag", 96, BUTTONS, f"Draw ({left})", f"draw a tile; {left} are in the bag", 184, 52, DRAW in legal),
        button("invoke", 286, BUTTONS, "Invoke Ra", "invoke Ra: start an auction", 180, 52, INVOKE in legal),
        button("pass", 448, BUTTONS, "Pass", "pass: do not bid", 128, 52, PASS in legal),
        button("stop", 598, BUTTONS, "Stop", "take no more tiles", 156, 52, STOP in legal),
    ]


def side(position: Position, player: int) -> list[Item]:
    """A player's fame, suns and tiles."""
    state: Any = position.state
    top = PANEL_TOP + PANEL * player
    mine = position.turn == player or (position.is_chance and state.caller == player)
    fame = int(state.fame[player])
    name = f"player-{player + 1}"
    items: list[Item] = [
        panel(name, (2, top + 2), WIDTH - 4, PANEL - 12, f"player {player + 1}: {fame} fame", mine),
        piece(f"{name}-colour", (30, top + 40), 14, player),
        write(f"{name}-name", 54, top + 40, f"Player {player + 1}", 26, weight="bold"),
        write(f"{name}-fame", 186, top + 40, f"{fame} fame", 26),
    ]
    for i, words in enumerate([] if position.is_terminal else broken(due_words(position, player), DUE_LETTERS)):
        items.append(write(f"{name}-due-{i + 1}", 20, top + 80 + 22 * i, words, 18, ink="faint"))
    items += [*suns(state, player, top + 40), *hand(position, player, top + 140)]
    return items


def due_words(position: Position, player: int) -> str:
    """What the end of the epoch would bring a player now, and what for."""
    due = due_points(position, player)
    return f"Epoch's end: {signed(sum(due.values()))} = {in_words(due)}"


def in_words(due: dict[str, int]) -> str:
    return ", ".join(f"{what} {signed(points)}" for what, points in due.items() if points) or "nothing"


def signed(points: int) -> str:
    return f"{points:+d}".replace("-", "−")


def due_points(position: Position, player: int) -> dict[str, int]:
    """What the end of the epoch would bring a player now, by what for; the last one counts monuments and suns too."""
    state, rules = position.state, position.rules
    mine, theirs = (tiles_of([state.tiles[seat, i] for i in range(3)]) for seat in (player, 1 - player))
    kinds = sum(mine[kind] > 0 for kind in range(CIVILISATIONS, MONUMENTS))
    lead = mine[PHARAOH] - theirs[PHARAOH]
    due = {
        "gods": 2 * mine[GOD],
        "gold": 3 * mine[GOLD],
        "Nile": mine[FLOOD] + mine[NILE] if mine[FLOOD] else 0,
        "civilisations": int(KINDS_POINTS[kinds]),
        "pharaohs": 5 if lead > 0 else -2 if lead < 0 else 0,
    }
    if state.epoch == EPOCHS:
        due["monuments"] = int(rules.monument_points(state, player))
        due["suns"] = int(rules.sun_points(state, player))
    return due


def event(before: Position, number: int) -> str | None:
    """The end of an epoch, with what it brought."""
    after = before.follow(number)
    if after.state.epoch == before.state.epoch and not after.is_terminal:
        return None
    gains = [int(after.state.fame[seat]) - int(before.state.fame[seat]) for seat in range(2)]
    told = "; ".join(
        f"player {seat + 1} {signed(gain)}{reasons(before, seat, gain)}" for seat, gain in enumerate(gains)
    )
    return f"ended epoch {before.state.epoch} by {before.step_name(number)}: {told}"


def reasons(before: Position, player: int, gain: int) -> str:
    """What a player's gain is made of, unless the step itself changed that by tiles that were won."""
    due = due_points(before, player)
    return f" ({in_words(due)})" if sum(due.values()) == gain else ""


def suns(state: Any, player: int, y: float) -> list[Item]:
    """Face-up suns in gold, then those that are face down."""
    up, down = suns_in(state.up[player]), suns_in(state.down[player])
    items: list[Item] = []
    for i, number in enumerate([*up, *down]):
        place = WIDTH - 40 - 64.0 * (len(up) + len(down) - 1 - i), y
        bid = state.bid == number
        label = f"sun {number} of player {player + 1}{', face down' if number in down else ', bid' if bid else ''}"
        items.append(sun(number, place, "gold" if number in up else "grey", label, bid))
    return items


def sun(number: int, place: Point, role: str, label: str, bid: bool = False) -> Item:
    return Circle(
        key=f"sun-{number}",
        x=place[0],
        y=place[1],
        r=28,
        fill=role,
        stroke="ink" if bid else "edge",
        line=6 if bid else 2,
        opacity=0.6 if role == "grey" else 1.0,
        text=str(number),
        size=28,
        weight="bold",
        label=label,
        layer=2,
    )


def hand(position: Position, player: int, top: float) -> list[Item]:
    """A player's tiles, each kind at its place with its number."""
    state: Any = position.state
    counts = tiles_of([state.tiles[player, i] for i in range(3)])
    items: list[Item] = []
    for row, kinds in enumerate(ROWS):
        for column, kind in enumerate(kinds):
            items.append(chip(player, kind, counts[kind], chip_place(column, row, top)))
    held = [kind for kind in DISASTERS if counts[kind]]  # until they are resolved
    items += [chip(player, kind, counts[kind], chip_place(4, 2 + i % 2, top)) for i, kind in enumerate(held)]
    return items


def chip_place(column: int, row: int, top: float) -> Point:
    return 14 + CHIP_W / 2 + (CHIP_W + 8) * column, top + 4 + (CHIP_H + 4) * row


def chip(player: int, kind: int, count: int, place: Point) -> Item:
    name = NAMES[kind]
    return Rect(
        key=f"hand-{player + 1}-{name}",
        x=place[0],
        y=place[1],
        w=CHIP_W,
        h=CHIP_H,
        r=7,
        fill=role_of(kind) if count else None,
        stroke="edge" if count else "grey",
        line=1.5,
        opacity=1.0 if count else 0.55,
        text=name,
        size=19,
        badge=str(count) if count > 1 else None,
        badge_size=18,
        label=f"player {player + 1}: {count} {name}",
        layer=1,
    )
