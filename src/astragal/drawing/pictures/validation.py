"""Whether a picture can be drawn and clicked: one sentence for what is wrong with a game's own picture."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import pairwise

from astragal.base.errors import GameError
from astragal.drawing.pictures.palette import ROLES
from astragal.drawing.pictures.vocabulary import Item, Picture


def refuse_invalid(picture: Picture, game: str) -> None:
    """Raise an error with the first fault of a game's picture, if there is one."""
    for fault in faults(picture):
        raise GameError(f"game {game}: its picture {fault}")


def faults(picture: Picture) -> Iterator[str]:
    """What is wrong with a picture, each as the end of a sentence."""
    by_key: dict[str, Item] = {}
    for item in picture.items:
        if item.key in by_key:
            yield f"has two items with the key '{item.key}'"
        by_key[item.key] = item
        yield from wrong_roles(item)
    for item in picture.items:
        if item.acts is not None and item.acts not in by_key:
            yield f"has an item '{item.key}' that acts as '{item.acts}', which is not there"
    for action, keys in picture.moves.items():
        for key in keys:
            if key not in by_key:
                yield f"has no item '{key}' to click for action {action}"
            elif not by_key[key].label:
                yield f"has an item '{key}' to click that has no label"
    for action, keys in picture.ways.items():
        for key in keys:
            if key not in by_key:
                yield f"has no item '{key}' on the way of action {action}"
    yield from ambiguous({action: keys for action, keys in picture.moves.items() if keys})


def wrong_roles(item: Item) -> Iterator[str]:
    for role in (item.fill, item.stroke, item.ink):
        if role is not None and role not in ROLES and not (role == "edge" and role == item.stroke):
            yield f"has an item '{item.key}' in '{role}', which is not a role of the palette ({', '.join(ROLES)})"


def ambiguous(moves: dict[int, Sequence[str]]) -> Iterator[str]:
    """Sequences of clicks that are the beginning of another, or the same."""
    ordered = sorted((list(keys), action) for action, keys in moves.items())
    for (keys, action), (others, other) in pairwise(ordered):
        if others[: len(keys)] == keys:
            yield f"has the same clicks at the beginning of actions {action} and {other}"
