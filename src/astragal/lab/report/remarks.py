"""Remarks on experiments and works, written by hand, apart from what was found: a file each, `NAME.md`.

A reason why something disagrees is a line of its own. It is *tested*, by an experiment that is named with its n, or a
*conjecture*:

    Tested (mcms-noise, n = 400 states): of 25 searches the most frequent move has half the regret of exact search.
    Conjecture: the authors' searches had fewer nodes.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from pathlib import Path

from astragal.base.errors import SpecError

REASON = re.compile(r"^(?:Tested \((?P<by>[\w-]+), (?P<n>n = [^)]+)\)|(?P<guess>Conjecture)): (?P<why>.+)$")


@dataclass(frozen=True)
class Reason:
    """Why something may be as it is, and the experiment that has tested it, if any has."""

    text: str
    tested_by: str = ""
    n: str = ""

    @property
    def words(self) -> str:
        how = f"**tested** ({self.tested_by}, {self.n})" if self.tested_by else "**conjecture**"
        return f"{how}: {self.text}"


@dataclass(frozen=True)
class Remarks:
    """What was written about an experiment, a work or the whole."""

    text: str = ""
    reasons: tuple[Reason, ...] = ()

    @property
    def words(self) -> int:
        return len(self.text.split())


def read_remarks(notes: Path | None, name: str) -> Remarks:
    """What a file says, if there is one."""
    file = notes / f"{name}.md" if notes is not None else None
    if file is None or not file.is_file():
        return Remarks()
    told, reasons = [], []
    for line in file.read_text(encoding="utf-8").strip().splitlines():
        found = REASON.match(line)
        if found:
            reasons.append(Reason(found["why"], found["by"] or "", found["n"] or ""))
        elif line.startswith(("Tested", "Conjecture", "Reason")):
            forms = "'Tested (EXPERIMENT, n = NUMBER): ...' or 'Conjecture: ...'"
            raise SpecError(f"{file}: a reason is {forms}, not: {line}")
        else:
            told.append(line)
    return Remarks("\n".join(told).strip(), tuple(reasons))
