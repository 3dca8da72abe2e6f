"""Settings found by elimination, beside those of a work, which they then meet."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import combinations

from astragal.arena.meeting import meeting_seed
from astragal.arena.space import parse_space
from astragal.arena.statistics.estimates import win_rate
from astragal.arena.tuning import Meet, Tuner, find_settings, winner_of
from astragal.games import load_game
from astragal.lab.budget import limited, limits_of, work_limits
from astragal.lab.findings import Entry, Section, Table
from astragal.lab.laboratory import Laboratory
from astragal.lab.size import Size
from astragal.players import load_player


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
        candidates = meeting_seed(seed, "candidates", game, self.player)  # others in each game
        return Tuner(default, rules, parse_space(type(default), self.settings), size.candidates, seed=candidates)

    def check(self, size: Size) -> None:
        for game in self.games:
            self.tuner(game, size, 0).entrants(0)

    def carry_out(self, lab: Laboratory, size: Size) -> Section:
        table = Table("Score of the settings found against those of the work", "game", "settings")
        section = Section(self.title, [table])
        for game in self.games:
            tuner = self.tuner(game, size, lab.seed)
            limits = limits_of(size) if size.time else work_limits(self.player, game, size)
            tuned = find_settings("elimination", tuner, lab.meeting(game, limits, size.games))
            section.notes.append(f"{game}: found {tuned.choice}; the work has {tuned.default}.")
            if tuned.confirmation is not None:
                estimate = tuned.confirmation.estimate
                found = Entry(estimate.mean, estimate.low, estimate.high, tuned.confirmation.games)
                table.entries[game, self.player] = found
        return section


@dataclass(frozen=True)
class Consistency:
    """Whether an elimination or a round robin of the same candidates chooses the same one when it is repeated.

    The round robin has fewer games a pairing, so that both have about as many in all.
    """

    title: str
    player: str
    games: Sequence[str]
    settings: Sequence[str]
    repetitions: int = 6

    def check(self, size: Size) -> None:
        Tuning(self.title, self.player, self.games, self.settings).check(size)

    def carry_out(self, lab: Laboratory, size: Size) -> Section:
        table = Table("Repetitions that choose the favourite, in percent", "method", "game")
        section = Section(self.title, [table])
        tuning = Tuning(self.title, self.player, self.games, self.settings)
        for game in self.games:
            entrants = tuning.tuner(game, size, lab.seed).entrants(0)
            players = [limited(player, game, size) for player in entrants]
            fewer = max(2, round(2 * size.games / len(players)))  # n (n - 1) / 2 meetings in place of n - 1
            for method, choose, games in (("elimination", winner_of, size.games), ("round robin", most_points, fewer)):
                meet = lab.meeting(game, limits_of(size), games)
                chosen = Counter(choose(players, meet, f"{method} {number}") for number in range(self.repetitions))
                (favourite, times), *_ = chosen.most_common()
                estimate = win_rate([1.0] * times + [0.0] * (self.repetitions - times))
                table.entries[method, game] = Entry(estimate.mean, estimate.low, estimate.high, self.repetitions)
                section.notes.append(f"{game}, {method}: {times} of {self.repetitions} chose {favourite}.")
        return section


def most_points(players: list[str], meet: Meet, occasion: str) -> str:
    """The winner of a round robin."""
    points = dict.fromkeys(players, 0.0)
    for first, second in combinations(players, 2):
        mean = meet(first, second, occasion).estimate.mean
        points[first] += mean
        points[second] += 1.0 - mean
    return max(points, key=lambda player: points[player])
