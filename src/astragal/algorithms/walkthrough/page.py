"""A search step by step as one HTML file: code, variables, tree and positions, to be sent or shown without a server."""

from __future__ import annotations

from typing import Any

from astragal.algorithms.limits import Limits
from astragal.algorithms.result import finite
from astragal.algorithms.walkthrough.pseudo_code import CODES
from astragal.algorithms.walkthrough.searches import Walkable, walkable
from astragal.base.errors import SpecError
from astragal.drawing.handout import Pictures, handout
from astragal.games import game_spec
from astragal.rules.position import Position

ALSO = {"mm": "alphabeta"}  # players that are the search of another name


def walk_of(player: str, limits: Limits) -> tuple[str, Walkable, int]:
    """The search to walk through for a player and limits: its name, what it is, and its size."""
    name = ALSO.get(player, player)
    search = walkable(name)
    size = limits.depth if search.size == "depth" else limits.sims
    if limits.time is not None or limits.nodes is not None:
        word = "--depth" if search.size == "depth" else "--sims"
        raise SpecError(f"--html shows a search of a fixed size: set {word}, not seconds or nodes")
    return name, search, search.usual if size is None else size


def walk_page(name: str, position: Position, size: int, seed: int = 0) -> str:
    """The text of the file."""
    search, code = walkable(name), CODES[name]
    walk = search.walk(position, size, seed)
    pictures = Pictures()
    places = [pictures.place(node.position) for node in walk.nodes]
    frames: list[dict[str, Any]] = []
    for event in walk.events:
        frames.append({"picture": places[event.node], "words": event.text} | event.as_dict())
    for frame in frames:
        del frame["text"]
    nodes = [
        {"id": i, "parent": None if node.parent < 0 else node.parent, "name": node.name}
        for i, node in enumerate(walk.nodes)
    ]
    went = "all of it" if walk.finished else f"the first {len(frames):,} steps of it"
    about = f"{search.player.format(size)} at {position.text}: {went}. Arrow keys step through the search."
    title = f"{code.title} in {game_spec(position.game)}"
    parts = finite({"about": about, "nodes": nodes, "code": code.lines, "source": code.source})
    return handout(title, pictures, finite(frames), **parts)
