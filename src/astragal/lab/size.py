"""How large an experiment is: as published, or smaller, and then in which respects."""

from __future__ import annotations

from dataclasses import dataclass, field, fields, replace
from typing import Any

from astragal.base.errors import SpecError, suggest
from astragal.base.parameters import split_settings

# About two minutes on two cores, about ten, the work of the published size counted in nodes, and that size itself.
SCALES = ("quick", "standard", "equivalent", "paper")


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
    nodes: int = measured("nodes a move in Pig")  # see `astragal.lab.budget`, also for simulations
    sims: int = measured("simulations a move")
    depth: int = measured("decisions looked ahead by the deepest opponent")
    finisher: int = measured("decisions looked ahead by those who finish games")
    reach: float = measured("half an interval at which a pairing without claims ends")  # 0: each has all its games
    again: int = measured("times it was made larger after its claims had been seen")  # see `astragal.lab.sequential`

    def extends(self, other: Size) -> bool:
        """Whether this is the other size with more games of the same players."""
        return self.games > other.games and self == replace(other, games=self.games, reach=self.reach, again=self.again)

    def changed(self, text: str) -> Size:
        """Another size, by a text such as ``games=100,runs=5``."""
        numbers: dict[str, Any] = {}
        for name, number in split_settings(text, "--size").items():
            known = {each.name: each for each in fields(self)}
            if name not in known:
                raise SpecError(f"there is no size '{name}' (sizes: {', '.join(known)}){suggest(name, known)}")
            kind = float if name in ("time", "reach") else int
            try:
                numbers[name] = kind(number)
            except ValueError:
                raise SpecError(f"{name} is a number, not '{number}'") from None
            if not 0 <= numbers[name] < 10**9:
                raise SpecError(f"{name} is a number from 0 on, not {number}")
        return replace(self, **numbers)

    def change_from(self, other: Size) -> str:
        """The text that changes another size to this one."""
        changed = [each.name for each in fields(self) if getattr(self, each.name) != getattr(other, each.name)]
        return ",".join(f"{name}={getattr(self, name)!r}" for name in changed)

    def smaller_than(self, published: Size) -> list[str]:
        """What is smaller here than it should be, in words."""
        return [f"{what}: {ours} instead of {theirs}" for what, theirs, ours in self.beside(published)]

    def beside(self, published: Size) -> list[tuple[str, str, str]]:
        """What is not as large here as published: its name, theirs, and ours."""
        rows = []
        by_work = bool(published.time and not self.time)
        if by_work:
            limits = {"nodes in Pig": self.nodes, "simulations": self.sims}
            work = " or ".join(f"{number:,} {name}" for name, number in limits.items() if number)
            rows.append(("limit of a move", f"{published.time:g} seconds", work or "the players' own"))
        for each in fields(self):
            mine, theirs = getattr(self, each.name), getattr(published, each.name)
            if mine == theirs or each.name == "again" or (by_work and each.name in ("time", "nodes", "sims")):
                continue
            if not theirs and each.name in ("time", "nodes", "sims"):  # a column that is ours alone
                continue
            if each.name == "reach":
                rows.append(("end of a pairing", "all games", f"claims decided; without claims ±{100 * mine:g} points"))
            else:
                rows.append((each.metadata["what"], f"{theirs:g}", f"{mine:g}"))
        return rows


@dataclass(frozen=True)
class Sizes:
    """An experiment at each scale. One that has no `equivalent` scale has the standard one in its place."""

    quick: Size
    standard: Size
    paper: Size
    equivalent: Size | None = None

    def at(self, scale: str) -> Size:
        size: Size | None = getattr(self, scale)
        return self.standard if size is None else size
