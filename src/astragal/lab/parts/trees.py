"""Figures 2 and 3 of Ramanujan & Selman 2011: the trees that searches of one position grow, drawn around their root."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np

from astragal.algorithms.limits import Limits
from astragal.arena.plots import plot_tree
from astragal.drawing.layout import radial
from astragal.drawing.svg import draw_tree
from astragal.games import load_game
from astragal.lab.claims import Claim, judged
from astragal.lab.findings import Entry, Figure, Section, Table
from astragal.lab.laboratory import Laboratory
from astragal.lab.size import Size
from astragal.players import load_player
from astragal.rules.position import Position


@dataclass(frozen=True)
class Trees:
    """The tree of one player to a depth, and those of others with as many nodes."""

    title: str
    game: str
    first: tuple[str, str, str]  # file, row, player; it looks ahead as far as the size says
    others: Sequence[tuple[str, str, str]]
    claims: tuple[Claim, ...] = ()

    def check(self, size: Size) -> None:
        for _, _, player in (self.first, *self.others):
            load_player(player, load_game(self.game))

    def carry_out(self, lab: Laboratory, size: Size) -> Section:
        position = Position.start(load_game(self.game), lab.seed)
        table = Table("Shape of the tree", "search", "nodes and depths", percent=False, digits=1)
        section = Section(self.title, [table], notes=[f"The position is {position.text}."])
        first = tree_of(position, self.first[2], Limits(depth=size.depth))
        grown = [(self.first, first)]
        for other in self.others:
            grown.append((other, tree_of(position, other[2], Limits(nodes=len(first)))))
        for (name, row, player), tree in grown:
            table.entries |= {(row, column): Entry.exactly(number) for column, number in shape_of(tree).items()}
            caption = f"{row}: {len(tree):,} nodes on {position.text}"
            picture = partial(draw, tree, f"{player} on {self.game}")
            section.figures.append(Figure(name, caption, picture=picture))
        section.judgements = judged(self.claims, table)
        return section


def tree_of(position: Position, player: str, limits: Limits) -> Any:
    """The tree that a player's search of a position leaves, as plain arrays."""
    keeping: Any = load_player(player, position.game)
    return replace(keeping, keep=True).search(position, limits=limits).tree


def shape_of(tree: Any) -> dict[str, float]:
    depth = np.asarray(tree.depth)
    return {"nodes": len(depth), "mean depth": float(depth.mean()), "deepest": int(depth.max())}


def draw(tree: Any, title: str, path: Path) -> None:
    """As PNG the shape of the whole tree; as SVG its most important nodes, with what is known of each on hover."""
    if path.suffix == ".svg":
        path.write_text(draw_tree(tree, title, limit=1000).text, encoding="utf-8")
    else:
        places = radial(tree.parent, tree.depth)
        plot_tree(places.x.tolist(), places.y.tolist(), tree.parent.tolist(), path)
