"""Players of a game for one: what each scores on the same seeds."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass

from astragal.arena.contest import Contest
from astragal.arena.summary import Standing
from astragal.lab.estimators import mean_entry
from astragal.lab.findings import Section, Table
from astragal.lab.laboratory import Laboratory
from astragal.lab.size import Size


@dataclass(frozen=True)
class Alone:
    """Mean scores; there are no wins."""

    title: str
    game: str
    players: Callable[[Size], Mapping[str, str]]  # row -> player

    def check(self, size: Size) -> None:
        for player in self.players(size).values():
            Contest.of(self.game, [player])

    def carry_out(self, lab: Laboratory, size: Size) -> Section:
        table = Table("Score", "player", "game", percent=False)
        for row, player in self.players(size).items():
            contest = lab.contest(self.game, [player])
            standing = Standing(contest)
            standing.add(lab.games(contest, size.games))
            scores = [pair[0][0] for pair in standing.whole_pairs(standing.utilities)]
            if scores:
                table.entries[row, self.game] = mean_entry(scores)
        return Section(self.title, [table])
