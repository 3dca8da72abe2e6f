"""A search tree as a picture: SVG, with a shape for each node and its facts on hover.

Colours show who is to move, squares are chance nodes, the blue square is the root, and size grows with visits (or with
the nodes searched below, where a search goes depth first). Where something was cut, a short line leads nowhere. Of a
large tree the heaviest nodes are drawn, and the drawing says so.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable
from dataclasses import dataclass

import numpy as np

from astragal.base.errors import SpecError
from astragal.drawing import LIMIT, escape
from astragal.drawing.layout import LAYOUTS, Array, Layout
from astragal.drawing.nodes import CHANCE_NODE, END, LEAF, NodeFacts, Tree

PLAYERS = ("#e4572e", "#2a9d8f", "#8e5ea2", "#577590", "#d81b60", "#7a8b2a")
ROOT, CHANCE, DARK = "#1d4ed8", "#f4b942", "#22262b"
CUT, TABLE, THINNED = "#22262b", "#8a2be2", "#6f7782"  # of the lines that lead nowhere
RADIUS = 480  # of the outermost circle
LEAF_WIDTH, LEAST_WIDTH, MAX_WIDTH = 16, 900, 8000  # of a layered drawing
NODE_WIDTH, LABELLED_WIDTH = 24, 2200  # the same with names, if it is no wider than that
MARGIN, HEAD, LINE, FOOT = 24, 84, 18, 44
LETTER, TITLE_LETTER = 7.0, 12.0  # widths, on average
LABELLED, LABEL = 80, 8  # on circles, at most this many nodes have names; letters of a name


@dataclass(frozen=True)
class Drawing:
    """A picture of a tree, and how much of the tree is in it."""

    text: str
    nodes: int  # of the tree
    drawn: int
    note: str  # what was left out, by which rule; empty if nothing was


@dataclass(frozen=True)
class Canvas:
    """The places of the nodes in the picture, and the sizes that fit them."""

    layout: Layout
    width: float
    height: float
    step: float  # from a level to the next
    gaps: Array  # room of a node across, on the level of each
    least: float  # radius of the smallest node
    most: float
    labelled: bool


def draw_tree(tree: Tree, title: str, layout: str = "radial", limit: int | None = LIMIT) -> Drawing:
    """A drawing of a tree, radial or layered, with at most this many nodes; None draws all."""
    if layout not in LAYOUTS:
        raise SpecError(f"there is no layout '{layout}' (layouts: {', '.join(LAYOUTS)})")
    chosen = tree.heaviest(limit)
    parent, depth = renumbered(tree, chosen), tree.depth[chosen]
    rows = tree.described(chosen)
    canvas = canvas_for(layout, parent, depth, min(LABEL, max(len(row.name) for row in rows)))
    hidden = not_drawn(tree, chosen)
    note = what_is_left_out(tree, len(chosen))
    parts = [
        head(canvas, tree, title, note),
        edges(canvas, parent),
        stubs(canvas, rows, hidden),
        shapes(canvas, tree, chosen, rows, hidden),
        labels(canvas, rows) if canvas.labelled else "",
        legend(canvas, tree, rows, hidden),
        "</svg>\n",
    ]
    return Drawing("\n".join(part for part in parts if part), tree.node_count, len(chosen), note)


def renumbered(tree: Tree, chosen: Array) -> Array:
    """The parent of each chosen node, by its place among them."""
    place = np.full(len(tree) + 1, -1)  # the last one is the root's parent, -1
    place[chosen] = np.arange(len(chosen))
    return place[tree.parent[chosen]]


def not_drawn(tree: Tree, chosen: Array) -> Array:
    """How many nodes below each chosen one are not drawn, nor are they below another chosen one."""
    drawn = np.zeros(len(tree), bool)
    drawn[chosen] = True
    tops = np.flatnonzero(~drawn & drawn[tree.parent])
    hidden = np.zeros(len(tree), np.int64)
    np.add.at(hidden, tree.parent[tops], tree.size[tops])
    return hidden[chosen]


def what_is_left_out(tree: Tree, drawn: int) -> str:
    """The rule by which nodes were left out, in a sentence."""
    parts = []
    if drawn < len(tree):
        parts.append(f"drawn are {drawn:,}, {tree.rule}")
    if len(tree) < tree.node_count:
        parts.append(f"there was room for the first {len(tree):,} nodes")
    if not tree.finished:
        parts.append("the search was stopped before the tree was finished")
    return "; ".join(parts)


# Sizes


def canvas_for(name: str, parent: Array, depth: Array, longest: int) -> Canvas:
    """Lay a tree out, in pixels, for names of at most this many letters."""
    in_level = np.bincount(depth)
    make = radial_canvas if name == "radial" else layered_canvas
    return make(LAYOUTS[name](parent, depth), depth, in_level, max(1, len(in_level) - 1), longest)


def radial_canvas(plain: Layout, depth: Array, in_level: Array, deepest: int, longest: int) -> Canvas:
    """Circles in a square; nodes are as large as the fullest circle allows, within reason."""
    labelled = len(depth) <= LABELLED
    step, side = RADIUS / deepest, MARGIN + (LETTER * longest if labelled else 0)
    gaps = 2 * np.pi * step * np.arange(1, len(in_level)) / in_level[1:]
    least = least_radius(float(gaps.min(initial=step)), step)
    middle_x, middle_y = side + RADIUS, HEAD + MARGIN + RADIUS
    places = Layout(middle_x + step * plain.x, middle_y + step * plain.y, plain.down_x, plain.down_y)
    width, height = 2 * (side + RADIUS), middle_y + RADIUS + MARGIN + FOOT
    return Canvas(places, width, height, step, np.r_[step, gaps][depth], least, most_radius(least, step), labelled)


def layered_canvas(plain: Layout, depth: Array, in_level: Array, deepest: int, longest: int) -> Canvas:
    """Lines below each other; nodes are as large as leaves side by side can be, within reason."""
    leaves = 2 * float(plain.x[0])  # the root is in the middle of them
    named = LETTER * longest + NODE_WIDTH  # of a leaf with its name
    labelled = leaves * named <= LABELLED_WIDTH
    inner = float(np.clip(leaves * (named if labelled else LEAF_WIDTH), LEAST_WIDTH, MAX_WIDTH))
    apart, step = inner / leaves, float(np.clip(900 / deepest, 24, 110))
    least = least_radius(apart, step)
    top = HEAD + 2 * MARGIN
    places = Layout(MARGIN + apart * plain.x, top + step * plain.y, plain.down_x, plain.down_y)
    width, height = inner + 2 * MARGIN, top + step * deepest + 2 * MARGIN + FOOT
    return Canvas(places, width, height, step, (inner / in_level)[depth], least, most_radius(least, step), labelled)


def least_radius(across: float, step: float) -> float:
    """The radius of the smallest nodes, where neighbours and levels are so far apart."""
    return float(np.clip(min(0.3 * across, 0.2 * step), 0.7, 4.5))


def most_radius(least: float, step: float) -> float:
    """That of the largest; these are near the root, where there is more room."""
    return max(min(3.2 * least, 10.0), min(0.3 * step, 6.0))


def radii(canvas: Canvas, weight: Array) -> Array:
    """Areas grow with weight; the root, which has all of it, does not set the scale."""
    most = max(1, int(weight[1:].max(initial=1)))
    return canvas.least + (canvas.most - canvas.least) * np.sqrt(np.minimum(weight / most, 1.0))


# Parts of the picture


def head(canvas: Canvas, tree: Tree, title: str, note: str) -> str:
    """The opening, the styles and what the picture is of."""
    width, height = f"{canvas.width:.0f}", f"{canvas.height:.0f}"
    room = canvas.width - 2 * MARGIN
    said = f"{tree.node_count:,} nodes" + (f"; {note}" if note else "")
    return "\n".join(
        [
            f'<svg xmlns="http://www.w3.org/2000/svg" width="{width}" height="{height}" '
            f'viewBox="0 0 {width} {height}" role="img">',
            f"<title>{escape(title)}</title>",
            f"<style>{styles(canvas)}</style>",
            '<rect width="100%" height="100%" fill="#fff"/>',
            text(MARGIN, MARGIN + 12, shortened(title, room / TITLE_LETTER), "title"),
            text(MARGIN, MARGIN + 12 + LINE + 4, shortened(f"position {tree.position.text}", room / LETTER)),
            text(MARGIN, MARGIN + 12 + 2 * LINE + 4, shortened(said, room / LETTER), "quiet"),
        ]
    )


def styles(canvas: Canvas) -> str:
    """How each kind of shape looks; lines are finer where nodes are smaller."""
    line = canvas.least / 3
    rules = {
        "text": "font:12px system-ui,'Segoe UI',Helvetica,Arial,sans-serif;fill:#22262b",
        ".title": "font-size:20px;font-weight:600",
        ".quiet": "fill:#5f6670",
        "#edges": f"fill:none;stroke:#8d949e;stroke-opacity:.7;stroke-width:{np.clip(line, 0.3, 1):.2f}",
        ".stub": f"fill:none;stroke-width:{np.clip(line, 0.35, 1.1):.2f}",
        "#nodes": f"stroke-width:{np.clip(line, 0.2, 1):.2f}",
        **{f".p{i}": f"fill:{colour};stroke:{colour}" for i, colour in enumerate(PLAYERS, 1)},
        ".chance": f"fill:{CHANCE};stroke:#a87400",
        ".end": f"fill:{DARK};stroke:{DARK}",
        ".root": f"fill:{ROOT};stroke:#fff",
        **{f".p{i}.leaf": f"fill:{pale(colour)}" for i, colour in enumerate(PLAYERS, 1)},
        ".chance.leaf": f"fill:{pale(CHANCE)}",
        ".probe": f"fill:#fff;stroke-width:{np.clip(line, 0.6, 1):.2f}",
        "#legend *": "stroke-width:1",
        "#legend text": "stroke-width:0",
        "#nodes :hover": "stroke:#000;stroke-width:2",
        "#labels text": "font-size:11px;paint-order:stroke;stroke:#fff;stroke-width:3px",
    }
    return "".join(f"{name}{{{style}}}" for name, style in rules.items())


def pale(colour: str) -> str:
    """The same with more white than colour; not see-through, or lines would show."""
    return "#" + "".join(f"{round(0.4 * int(colour[i : i + 2], 16) + 0.6 * 255):02x}" for i in (1, 3, 5))


def shortened(line: str, letters: float) -> str:
    return line if len(line) <= letters else f"{line[: int(letters) - 1]}…"


def text(x: float, y: float, words: str, kind: str = "") -> str:
    style = f' class="{kind}"' if kind else ""
    return f'<text x="{x:.1f}" y="{y:.1f}"{style}>{escape(words)}</text>'


def edges(canvas: Canvas, parent: Array) -> str:
    """A line from each node to its parent; one shape for all of them."""
    x, y = canvas.layout.x, canvas.layout.y
    lines = (f"M{x[p]:.1f} {y[p]:.1f}L{x[i]:.1f} {y[i]:.1f}" for i, p in enumerate(parent.tolist()) if p >= 0)
    return f'<path id="edges" d="{"".join(lines)}"/>'


def stubs(canvas: Canvas, rows: list[NodeFacts], hidden: Array) -> str:
    """Short lines that lead nowhere, at nodes where something was pruned, was in the table, or is not drawn."""
    longest = min(0.3 * canvas.step, 16)
    found: dict[str, list[str]] = defaultdict(list)
    for i, row in enumerate(rows):
        length = max(min(1.5 * canvas.gaps[i], longest), 2.5 * canvas.least)
        if row.from_table:
            found["table"].append(stub(canvas, i, 0.0, length, bar=True))
        elif row.left_out and not row.probe:
            found["cut"].append(stub(canvas, i, 0.6, length, bar=True))
        if hidden[i]:
            found["more"].append(stub(canvas, i, -0.6, length, bar=False))
    colours = {"table": TABLE, "cut": CUT, "more": THINNED}
    dots = {"table": "", "cut": "", "more": ' stroke-dasharray="1 1.2"'}
    made = (
        f'<path class="stub {kind}" stroke="{colours[kind]}"{dots[kind]} d="{"".join(lines)}"/>'
        for kind, lines in found.items()
    )
    return f'<g id="stubs">{"".join(made)}</g>'


def stub(canvas: Canvas, i: int, turned: float, length: float, bar: bool) -> str:
    """A line away from the root, turned a little, that ends in a bar or not."""
    place = canvas.layout
    cos, sin = np.cos(turned), np.sin(turned)
    dx = float(place.down_x[i] * cos - place.down_y[i] * sin) * length
    dy = float(place.down_x[i] * sin + place.down_y[i] * cos) * length
    line = f"M{place.x[i]:.1f} {place.y[i]:.1f}l{dx:.1f} {dy:.1f}"
    return f"{line}m{-0.3 * dy:.1f} {0.3 * dx:.1f}l{0.6 * dy:.1f} {-0.6 * dx:.1f}" if bar else line


def shapes(canvas: Canvas, tree: Tree, chosen: Array, rows: list[NodeFacts], hidden: Array) -> str:
    """A shape for each node, grouped by how they look; large ones first, so that none is hidden behind another."""
    weight = tree.weight[chosen]
    radius = radii(canvas, weight)
    groups: dict[str, list[str]] = defaultdict(list)
    for i in np.argsort(-weight, kind="stable").tolist():
        row = rows[i]
        look = look_of(row)
        size = max(1.3 * canvas.most, 4.0) if i == 0 else float(radius[i])
        told = escape("\n".join(words_for(tree, row, int(hidden[i]))))
        groups[look].append(shape(look, canvas.layout.x[i], canvas.layout.y[i], size, f"<title>{told}</title>"))
    order = sorted(groups, key=lambda look: (look == "root", "leaf" not in look))
    return "\n".join(['<g id="nodes">', *(f'<g class="{look}">{"".join(groups[look])}</g>' for look in order), "</g>"])


def look_of(row: NodeFacts) -> str:
    """The classes of a node's shape."""
    if row.number == 0:
        return "root"
    if row.kind in (CHANCE_NODE, END):
        return row.kind + (" leaf" if row.kind == CHANCE_NODE and row.evaluated else "")
    return f"p{row.turn % len(PLAYERS) + 1}" + (" leaf" if row.kind == LEAF else " probe" if row.probe else "")


def shape(look: str, x: float, y: float, radius: float, inside: str = "") -> str:
    """A circle, or a square for chance nodes and the root."""
    if look.split()[0] in ("root", "chance"):
        side = 1.8 * radius
        place = f'x="{x - side / 2:.1f}" y="{y - side / 2:.1f}" width="{side:.1f}" height="{side:.1f}"'
        return f"<rect {place}>{inside}</rect>"
    return f'<circle cx="{x:.1f}" cy="{y:.1f}" r="{radius:.1f}">{inside}</circle>'


def words_for(tree: Tree, row: NodeFacts, hidden: int) -> Iterable[str]:
    """The tooltip of a node."""
    yield "the root" if row.number == 0 else row.name
    if row.kind == END:
        yield "the game is over"
    else:
        yield "chance moves" if row.kind == CHANCE_NODE else f"player {row.turn + 1} to move"
    if row.value is not None:
        yield f"value {row.value:+.4g} for player {row.value_of + 1}" + (", a bound" if row.cut else "")
    if row.visits is not None:
        yield f"{row.visits:,} visits"
    elif row.below:
        yield f"{row.below:,} nodes below"
    if row.probe:
        yield "a probe"
    if row.from_table:
        yield "known from the transposition table"
    elif row.left_out:
        yield f"{row.left_out:,} {'outcomes' if row.kind == CHANCE_NODE else 'actions'} not searched"
    if hidden:
        yield f"{hidden:,} more not drawn"


def labels(canvas: Canvas, rows: list[NodeFacts]) -> str:
    """The names of actions and outcomes beside their nodes, where there is room for them."""
    place, shift = canvas.layout, canvas.most + 3
    names = ((i, shortened(row.name, LABEL)) for i, row in enumerate(rows) if row.name)
    texts = (text(place.x[i] + shift, place.y[i] + 4, name) for i, name in names)
    return f'<g id="labels">{"".join(texts)}</g>'


def legend(canvas: Canvas, tree: Tree, rows: list[NodeFacts], hidden: Array) -> str:
    """What the shapes, colours and lines mean, of those that are there."""
    looks = {look_of(row) for row in rows}
    seats = sorted({row.turn for row in rows if row.turn >= 0})
    entries = [("root", "root")]
    entries += [(f"p{seat % len(PLAYERS) + 1}", f"player {seat + 1} to move") for seat in seats]
    entries += [("chance", "chance")] if any(look.startswith("chance") for look in looks) else []
    entries += [("end", "end of the game")] if "end" in looks else []
    leaf = next((look for look in sorted(looks) if "leaf" in look), None)
    probe = next((look for look in sorted(looks) if "probe" in look), None)
    entries += [(leaf, "pale: evaluated, not searched")] if leaf else []
    entries += [(probe, "hollow: a probe")] if probe else []
    lines = [(CUT, "pruned")] if any(row.left_out and not row.probe and not row.from_table for row in rows) else []
    lines += [(TABLE, "known from the table")] if any(row.from_table for row in rows) else []
    lines += [(THINNED, "more, not drawn")] if hidden.any() else []
    x, y = float(MARGIN), canvas.height - FOOT / 2
    parts = []
    for look, words in entries:
        parts += [f'<g class="{look}">{shape(look, x + 6, y - 4, 5)}</g>', text(x + 17, y, words)]
        x += 17 + 6.3 * len(words) + 16
    for colour, words in lines:
        path = f"M{x:.1f} {y - 4:.1f}h11" + ("m0 -4v8" if colour != THINNED else "")
        dots = ' stroke-dasharray="1 1.2"' if colour == THINNED else ""
        parts += [f'<path class="stub" stroke="{colour}"{dots} d="{path}"/>', text(x + 17, y, words)]
        x += 17 + 6.3 * len(words) + 16
    size = "size: visits" if tree.visits is not None else "size: nodes searched below"
    parts.append(text(x, y, size, "quiet"))
    return f'<g id="legend">{"".join(parts)}</g>'
