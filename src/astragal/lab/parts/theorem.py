"""Theorem 1 of Lanctot et al. 2013: the error of sparse sampling, measured, and the bound on it."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from astragal.algorithms.star.theory import theorem1_error
from astragal.games import load_game
from astragal.lab.findings import AGREES, DISAGREES, REACH, Entry, Figure, Judgement, Section, Table
from astragal.lab.laboratory import Laboratory
from astragal.lab.size import Size
from astragal.lab.states import random_states
from astragal.lab.study import Searches, Study

CONFIDENCE = 0.95
WAYS = {"with replacement": "", "without replacement": ",sampling=distinct"}
WIDTHS = (1, 2, 4, 8, 16, 32, 64, 128)


@dataclass(frozen=True)
class Theorem:
    """How near expSS comes to expectimax of the same depth, over width and depth."""

    title: str
    name: str
    game: str

    def check(self, size: Size) -> None:
        Study.of(self.game, "expss")

    def carry_out(self, lab: Laboratory, size: Size) -> Section:
        states = random_states(self.game, size.states, lab.seed)
        game = load_game(self.game)
        v_max = max(map(abs, game.utility_range))
        kept = Table(f"Error that {CONFIDENCE:.0%} of searches keep", "depth", "width", percent=False, digits=2)
        for depth in range(1, size.depth + 1):
            truth = lab.measure(Study.of(self.game, f"exp:depth={depth},deepening=off", seed=lab.seed), states, 1)
            for width in WIDTHS:
                for how, setting in WAYS.items():
                    player = f"expss:depth={depth},deepening=off,width={width}{setting}"
                    searches = lab.measure(Study.of(self.game, player, seed=lab.seed), states, size.runs)
                    errors = errors_of(searches, truth)
                    if errors:
                        kept.entries[f"{how}, d = {depth}", str(width)] = quantile_entry(errors, CONFIDENCE)
                if errors:
                    bound = theorem1_error(width, depth, game.max_actions, CONFIDENCE, v_max)
                    kept.entries[f"bound, d = {depth}", str(width)] = Entry.exactly(bound, len(errors))
        section = Section(self.title, [kept])
        if kept.entries:
            caption = f"{self.title}: error of expSS against expectimax of the same depth, and Theorem 1's bound"
            section.figures.append(Figure(self.name, caption, table=kept, log=True, fair=None))
            section.judgements += [judge(kept, how) for how in WAYS]
        return section


def errors_of(searches: Searches, truth: Searches) -> list[float]:
    """How far each run's value lies from the exact one of the same depth."""
    exact = {state: runs[0].value for state, runs in truth.items() if runs}
    return [
        abs((run.value or 0.0) - (exact[state] or 0.0))
        for state, runs in searches.items()
        for run in runs
        if state in exact
    ]


def quantile_entry(values: Sequence[float], share: float) -> Entry:
    """The value that this share of all does not exceed; its interval is that of the share, were all independent."""
    ordered, count = np.sort(values), len(values)
    reach = REACH * math.sqrt(share * (1.0 - share) / count)
    low, middle, high = (
        float(np.quantile(ordered, min(max(part, 0.0), 1.0))) for part in (share - reach, share, share + reach)
    )
    return Entry(middle, low, high, count)


def judge(table: Table, how: str) -> Judgement:
    """Whether the bound holds wherever it was looked at. Its proof is for samples drawn with replacement."""
    pairs = [
        (at, entry, table.entries["bound" + at[0][len(how) :], at[1]])
        for at, entry in table.entries.items()
        if at[0].startswith(f"{how}, ")
    ]
    broken = [f"{row}, width {width}" for (row, width), found, bound in pairs if found.low > bound.mean]
    because = f"not for {'; '.join(broken)}" if broken else f"in all {len(pairs)} cases"
    ours = how != next(iter(WAYS))
    return Judgement(f"The bound holds for samples {how}", DISAGREES if broken else AGREES, because, ours=ours)
