"""An experiment: what a published work did, as a specification of parts, each of which gives a section of a report."""

from __future__ import annotations

import pkgutil
from collections.abc import Callable
from dataclasses import dataclass
from functools import cache
from hashlib import sha256
from importlib import import_module
from typing import Protocol

from astragal.base.errors import SpecError, suggest
from astragal.lab.findings import Section
from astragal.lab.laboratory import Incomplete, Laboratory
from astragal.lab.size import SCALES, Size, Sizes


@dataclass(frozen=True)
class Publication:
    """A published work, or what we add to them."""

    name: str  # how its experiments' names begin
    title: str
    authors: str = ""


class Part(Protocol):
    """One table or figure."""

    @property
    def title(self) -> str: ...

    def check(self, size: Size) -> None:
        """Refuse players, games and settings that there are not, in a sentence."""

    def carry_out(self, lab: Laboratory, size: Size) -> Section:
        """Ask a laboratory for the games and searches of this part, and say what they show."""


@dataclass(frozen=True)
class Departure:
    """Something of the set-up: what the work has, and what we have."""

    what: str
    work: str
    ours: str


@dataclass(frozen=True)
class Experiment:
    """What is varied, who plays, how much of it, and what the work reported, in parts."""

    name: str
    title: str
    about: str
    sizes: Sizes
    parts: tuple[Part, ...]
    departures: tuple[Departure, ...] = ()

    @property
    def plan(self) -> str:
        """A hash of what is claimed, with which margins: what is written down before a run is not changed after it."""
        said = [(part.title, getattr(part, "margin", 0.0), claims_of(part)) for part in self.parts]
        return sha256(repr(said).encode()).hexdigest()[:12]

    def check(self, size: Size) -> None:
        for part in self.parts:
            try:
                part.check(size)
            except SpecError as error:
                raise SpecError(f"{self.name}, {part.title}: {error}") from None

    def carry_out(
        self, lab: Laboratory, size: Size, before: Callable[[str], None] = lambda title: None
    ) -> list[Section]:
        """All parts in turn, each announced before. One that depends on what is not there says so."""
        sections = []
        for part in self.parts:
            before(part.title)
            missing = lab.missing
            try:
                section = part.carry_out(lab, size)
            except Incomplete as error:
                section = Section(part.title, notes=[f"Not complete: {error}."])
            section.missing = lab.missing - missing
            sections.append(section)
        return sections


def claims_of(part: Part) -> list[object]:
    """What is claimed of a part, of all its tables."""
    names = ("claims", "compared", "switch_claims", "difference_claims")
    return [claim for name in names for claim in getattr(part, name, ())]


@cache
def experiments() -> dict[str, tuple[Publication, Experiment]]:
    """All experiments by name: every file or package of `lab/experiments/` has those of one work."""
    from astragal.lab import experiments as package

    found: dict[str, tuple[Publication, Experiment]] = {}
    modules = [import_module(f"{package.__name__}.{each.name}") for each in pkgutil.iter_modules(package.__path__)]
    for module in sorted(modules, key=lambda module: module.RANK):
        for experiment in module.EXPERIMENTS:
            assert experiment.name not in found, experiment.name
            found[experiment.name] = module.PUBLICATION, experiment
    return found


def find_experiments(names: list[str]) -> list[Experiment]:
    """The experiments of these names; a work's name stands for all of its, and `all` for everything."""
    known = experiments()
    chosen: dict[str, Experiment] = {}
    for name in names:
        matching = [each for each, (work, _) in known.items() if name in ("all", each, work.name)]
        if not matching:
            choices = [*known, *dict.fromkeys(work.name for work, _ in known.values())]
            raise SpecError(f"there is no experiment '{name}' (astragal lab list){suggest(name, choices)}")
        chosen |= {each: known[each][1] for each in matching}
    return list(chosen.values())


def check_scale(scale: str) -> str:
    if scale not in SCALES:
        raise SpecError(f"there is no scale '{scale}' (scales: {', '.join(SCALES)}){suggest(scale, SCALES)}")
    return scale
