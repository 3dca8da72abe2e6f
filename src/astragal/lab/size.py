"""How large an experiment is: as published, or smaller, and then in which respects."""

from __future__ import annotations

from dataclasses import dataclass, field, fields
from typing import Any

SCALES = ("quick", "standard", "paper")  # about two minutes on two cores, about ten, and the published size


def measured(what: str, default: float = 0) -> Any:
    """A number that may be made smaller; 0 where an experiment has no use for it."""
    return field(default=default, metadata={"what": what})


@dataclass(frozen=True)
class Size:
    """The numbers that are made smaller, in the order in which that is done."""

    games: int = measured("games a pairing")
    candidates: int = measured("candidates of a tuning")
    states: int = measured("states")
    runs: int = measured("runs a state")
    time: float = measured("seconds a move")
    sims: int = measured("simulations a move")
    depth: int = measured("decisions looked ahead by the deepest opponent")
    finisher: int = measured("decisions looked ahead by those who finish games")

    def smaller_than(self, published: Size) -> list[str]:
        """What is smaller here than it should be, in words."""
        words = []
        for each in fields(self):
            mine, theirs = getattr(self, each.name), getattr(published, each.name)
            if mine != theirs:
                words.append(f"{each.metadata['what']}: {mine:g} instead of {theirs:g}")
        return words


@dataclass(frozen=True)
class Sizes:
    """An experiment at each scale."""

    quick: Size
    standard: Size
    paper: Size

    def at(self, scale: str) -> Size:
        size: Size = getattr(self, scale)
        return size
