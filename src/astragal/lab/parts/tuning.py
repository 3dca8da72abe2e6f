"""Settings found by elimination, beside those of a work, which they then meet."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from astragal.arena.space import parse_space
from astragal.arena.tuning import Tuner, find_settings
from astragal.games import load_game
from astragal.lab.findings import Entry, Section, Table
from astragal.lab.laboratory import Laboratory
from astragal.lab.size import Size
from astragal.players import load_player
from astragal.search.limits import Limits


@dataclass(frozen=True)
class Tuning:
    """A player is tuned on each of some games; its default settings are those of the work."""

    title: str
    player: str
    games: Sequence[str]
    settings: Sequence[str]  # what may be tried, as `astragal tune --param` takes it

    def tuner(self, game: str, size: Size, seed: int) -> Tuner:
        rules = load_game(game)
        default = load_player(self.player, rules)
        return Tuner(default, rules, parse_space(type(default), self.settings), size.candidates, seed=seed)

    def check(self, size: Size) -> None:
        for game in self.games:
            self.tuner(game, size, 0).entrants(0)

    def carry_out(self, lab: Laboratory, size: Size) -> Section:
        table = Table("Score of the settings found against those of the work", "game", "settings")
        section = Section(self.title, [table])
        for game in self.games:
            tuner = self.tuner(game, size, lab.seed)
            tuned = find_settings("elimination", tuner, lab.meeting(game, Limits(time=size.time), size.games))
            section.notes.append(f"{game}: found {tuned.choice}; the work has {tuned.default}.")
            if tuned.confirmation is not None:
                estimate = tuned.confirmation.estimate
                found = Entry(estimate.mean, estimate.low, estimate.high, tuned.confirmation.games)
                table.entries[game, self.player] = found
        return section
