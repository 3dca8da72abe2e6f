"""Table 1 of Lanctot et al. 2013: searches as estimators of exact values, over the states of games between them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from astragal.game.position import Position
from astragal.games import load_game
from astragal.lab.claims import Claim, judged
from astragal.lab.estimators import mean_entry, properties, share_entry
from astragal.lab.exact import exact_for
from astragal.lab.findings import Section, Table
from astragal.lab.laboratory import Laboratory, Searches
from astragal.lab.size import Size
from astragal.lab.states import observed_states
from astragal.lab.study import Study
from astragal.search.limits import Limits

GAMES_A_MEETING = 2  # one pair: 56 games between eight players give about as many states as the work had


@dataclass(frozen=True)
class Estimation:
    """MSE, variance, bias and regret of players."""

    title: str
    game: str  # as it is searched
    players: Mapping[str, str]  # row -> player
    observed: tuple[str, Sequence[str]]  # the game and the players whose games states are taken from
    paper: Mapping[str, Sequence[float]] = field(default_factory=dict)  # row -> MSE, variance, bias, regret
    claims: tuple[Claim, ...] = ()

    def check(self, size: Size) -> None:
        game, players = self.observed
        for player in players:
            Study.of(game, player)
        for player in self.players.values():
            Study.of(self.game, player)

    def carry_out(self, lab: Laboratory, size: Size) -> Section:
        limits = Limits(time=size.time)
        game, players = self.observed
        states = observed_states(lab, game, players, limits, GAMES_A_MEETING, size.states)
        table = Table("Properties over states", "search", "property", percent=False, digits=2)
        section = Section(self.title, [table], notes=[f"{len(states)} states."])
        for row, player in self.players.items():
            searches = lab.measure(Study.of(self.game, player, limits, lab.seed), states, size.runs)
            found = properties(*against_exact(searches, game)) if any(searches.values()) else None
            if found is not None:
                entries = found.by_column(self.paper.get(row, ()))
                table.entries |= {(row, column): entry for column, entry in entries.items()}
        section.judgements = judged(self.claims, table)
        return section


def against_exact(searches: Searches, game: str) -> tuple[list[list[float]], list[float], list[list[float]]]:
    """The values of the runs of each state, its exact value, and the regret of each run's move, all the mover's."""
    rules, exact = load_game(game), exact_for(game)
    values, truths, regrets = [], [], []
    for text, runs in searches.items():
        if not runs:
            continue
        position = Position.parse(rules, text)
        of_actions = exact.action_values(position)
        best = max(of_actions.values())
        values.append([run.value for run in runs if run.value is not None])
        truths.append(best)
        regrets.append([best - of_actions[run.action] for run in runs if run.action is not None])
    return values, truths, regrets


@dataclass(frozen=True)
class Regrets:
    """What players' moves lose against exact values, and how often they lose nothing."""

    title: str
    game: str
    players: Mapping[str, str]
    observed: Sequence[str]  # players whose games states are taken from

    def check(self, size: Size) -> None:
        for player in (*self.observed, *self.players.values()):
            Study.of(self.game, player)

    def carry_out(self, lab: Laboratory, size: Size) -> Section:
        limits = Limits(time=size.time)
        states = observed_states(lab, self.game, self.observed, limits, GAMES_A_MEETING, size.states)
        lost = Table("Regret of moves in utility", "player", "states", percent=False, digits=3)
        best = Table("Moves that lose nothing, in percent", "player", "states")
        for row, player in self.players.items():
            searches = lab.measure(Study.of(self.game, player, limits, lab.seed), states, size.runs)
            _, _, regrets = against_exact(searches, self.game)
            if regrets:
                at = row, self.game
                lost.entries[at] = mean_entry([sum(runs) / len(runs) for runs in regrets], least=0.0)
                best.entries[at] = share_entry([sum(each <= 1e-9 for each in runs) / len(runs) for runs in regrets])
        return Section(self.title, [lost, best], notes=[f"{len(states)} states of games between the players."])
