"""Table 1 of Lanctot et al. 2013: searches as estimators of exact values, over the states of games between them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache

from astragal.games import load_game
from astragal.lab.budget import limited, limits_of
from astragal.lab.claims import Above, Claim, Ours, judged
from astragal.lab.estimators import OfStates, differences, mean_entry, properties, share_entry
from astragal.lab.exact import exact_for
from astragal.lab.findings import Figure, Paper, Section, Table
from astragal.lab.laboratory import Laboratory
from astragal.lab.rows import Row, of_study
from astragal.lab.size import Size
from astragal.lab.states import observed_states
from astragal.lab.study import Searches, Study
from astragal.rules.position import Position
from astragal.rules.protocol import Game
from astragal.solvers.exact import lost_by

GAMES_A_MEETING = 2  # one pair: 56 games between eight players have some 1,600 states; the work had 2,470


@dataclass(frozen=True)
class Compared:
    """That one search has more of something, a column, than another, or less; within a margin they are about equal.
    Without a sentence nothing is claimed, and the differences are reported."""

    sentence: str
    row: str
    other: str
    column: str
    below: bool = False
    margin: float = 0.0
    ours: bool = False  # whether it is our own hypothesis

    @property
    def name(self) -> str:
        return f"{self.row} less {self.other}"

    @property
    def claim(self) -> Claim:
        above = Above(self.sentence, self.name, self.column, 0.0, self.below, self.margin)
        return Ours(above) if self.ours else above


@dataclass(frozen=True)
class Estimation:
    """MSE, variance, bias and regret of players."""

    title: str
    game: str  # as it is searched
    players: Mapping[str, str]  # row -> player
    observed: tuple[str, Sequence[str]]  # the game and the players whose games states are taken from
    paper: Mapping[str, Sequence[Paper | None]] = field(default_factory=dict)  # row -> MSE, variance, bias, regret
    claims: tuple[Claim, ...] = ()
    compared: Sequence[Compared] = ()  # on the same states
    certain: Sequence[str] = ()  # rows of searches that answer the same again, unless a clock stops them
    occasion: str = ""  # another one has other games
    games: int = GAMES_A_MEETING
    all_states: bool = False  # of as few games as it takes, as in the work, in place of a lot from all games
    difference_claims: tuple[Claim, ...] = ()  # about several of those compared

    def check(self, size: Size) -> None:
        game, players = self.observed
        for player in players:
            Study.of(game, limited(player, game, size))
        for player in self.players.values():
            Study.of(self.game, limited(player, self.game, size))

    def planned_rows(self, lab: Laboratory, size: Size) -> list[Row]:
        """Its rows before any search is made."""
        rows = []
        for row, player in self.players.items():
            study = Study.of(self.game, limited(player, self.game, size), limits_of(size), lab.seed)
            rows.append(of_study(row, study, {}, size.states * self.runs_of(row, size)))
        return rows

    def runs_of(self, row: str, size: Size) -> int:
        """How often each state is searched: once where every search says the same."""
        return 1 if row in self.certain and not size.time else size.runs

    def carry_out(self, lab: Laboratory, size: Size) -> Section:
        limits = limits_of(size)
        game, players = self.observed
        observed = [limited(player, game, size) for player in players]
        whole = self.all_states
        states = observed_states(lab, game, observed, limits, self.games, size.states, self.occasion, whole)
        table = Table("Properties over states", "search", "property", percent=False, digits=2)
        section = Section(self.title, [table], notes=[f"{len(states)} states."])
        of_states: dict[str, OfStates] = {}
        for row, player in self.players.items():
            study = Study.of(self.game, limited(player, self.game, size), limits, lab.seed)
            runs = self.runs_of(row, size)
            searches = lab.measure(study, list(states), runs)
            section.rows.append(of_study(row, study, searches, len(states) * runs))
            games = [states[state] for state, found in searches.items() if found]
            if games:
                of_states[row] = OfStates.of(*against_exact(searches, game), games)
                entries = properties(of_states[row]).by_column(self.paper.get(row, ()))
                table.entries |= {(row, column): entry for column, entry in entries.items()}
                if version := lab.earlier_of(study):
                    table.earlier |= {(row, column): version for column in entries}
        section.judgements = judged(self.claims, table)
        self.add_differences(section, of_states, table)
        return section

    def add_differences(self, section: Section, of_states: Mapping[str, OfStates], of: Table) -> None:
        """What pairs of searches differ by on the same states, and what that says of the claims about them."""
        table = Table("Differences on the same states", "searches", "property", percent=False, digits=2)
        for each in self.compared:
            mine, theirs = of_states.get(each.row), of_states.get(each.other)
            if mine is not None and theirs is not None and mine.games == theirs.games:
                entries = differences(mine, theirs).by_column()
                table.entries |= {(each.name, column): entry for column, entry in entries.items()}
                versions = of.versions((row, column) for row in (each.row, each.other) for column in entries)
                if versions != {""}:
                    told = " and ".join(sorted(version or "now" for version in versions))
                    table.earlier |= {(each.name, column): told for column in entries}
        if table.entries:
            section.tables.append(table)
        section.judgements += judged(
            [*(each.claim for each in self.compared if each.sentence), *self.difference_claims], table
        )


def against_exact(searches: Searches, game: str) -> tuple[list[list[float]], list[float], list[list[float]]]:
    """The values of the runs of each state, its exact value, and the regret of each run's move, all the mover's."""
    values, truths, regrets = [], [], []
    for text, runs in searches.items():
        if not runs:
            continue
        position, of_actions = exact_actions(game, text)
        best = max(of_actions.values())
        values.append([run.value for run in runs if run.value is not None])
        truths.append(best)
        regrets.append([lost_by(of_actions, position, run.action) for run in runs if run.action is not None])
    return values, truths, regrets


@cache
def game_of(text: str) -> Game:
    """A game, made once: its methods as Python calls them are made for each instance."""
    made: Game = load_game(text)
    return made


@cache
def exact_actions(game: str, text: str) -> tuple[Position, dict[int, float]]:
    """A position and what each of its actions is worth: every row of a table looks at the same."""
    position = Position.parse(game_of(game), text)
    return position, exact_for(game).action_values(position)


@dataclass(frozen=True)
class Regrets:
    """What players' moves lose against exact values, and how often they lose nothing."""

    title: str
    game: str
    players: Mapping[str, str]
    observed: Sequence[str]  # players whose games states are taken from

    def check(self, size: Size) -> None:
        for player in (*self.observed, *self.players.values()):
            Study.of(self.game, limited(player, self.game, size))

    def carry_out(self, lab: Laboratory, size: Size) -> Section:
        limits = limits_of(size)
        observed = [limited(player, self.game, size) for player in self.observed]
        states = observed_states(lab, self.game, observed, limits, GAMES_A_MEETING, size.states)
        lost = Table("Regret of moves in utility", "player", "states", percent=False, digits=3)
        best = Table("Moves that lose nothing, in percent", "player", "states")
        section = Section(self.title, [lost, best], notes=[f"{len(states)} states of games between the players."])
        for row, player in self.players.items():
            study = Study.of(self.game, limited(player, self.game, size), limits, lab.seed)
            searches = lab.measure(study, list(states), size.runs)
            _, _, regrets = against_exact(searches, self.game)
            if regrets:
                at = row, self.game
                lost.entries[at] = mean_entry([sum(runs) / len(runs) for runs in regrets], least=0.0)
                best.entries[at] = share_entry([sum(each <= 1e-9 for each in runs) / len(runs) for runs in regrets])
        return section


@dataclass(frozen=True)
class Frequent:
    """The regret of the move that most of several searches of a state choose: with more of them, what is left is no
    longer noise."""

    title: str
    name: str
    game: str
    players: Mapping[str, str]
    observed: Sequence[str]  # players whose games states are taken from
    certain: Sequence[str] = ()  # rows of searches that answer the same again
    games: int = GAMES_A_MEETING

    def check(self, size: Size) -> None:
        for player in (*self.observed, *self.players.values()):
            Study.of(self.game, limited(player, self.game, size))

    def carry_out(self, lab: Laboratory, size: Size) -> Section:
        observed = [limited(player, self.game, size) for player in self.observed]
        states = observed_states(lab, self.game, observed, limits_of(size), self.games, size.states)
        table = Table("Regret of the move that most searches choose", "search", "searches", percent=False, digits=2)
        for row, player in self.players.items():
            study = Study.of(self.game, limited(player, self.game, size), limits_of(size), lab.seed)
            searches = lab.measure(study, list(states), 1 if row in self.certain else size.runs)
            games = [states[state] for state, found in searches.items() if found]
            _, _, regrets = against_exact(searches, self.game)
            for count in (1, 3, 5, 9, 25):
                if games and count <= min(map(len, regrets)):
                    lost = [of_most(runs, count) for runs in regrets]
                    means = [sum(groups) / len(groups) for groups in lost]
                    table.entries[row, str(count)] = mean_entry(means, least=0.0, games=games)
        figure = Figure(self.name, self.title, table=table, log=True, fair=None)
        return Section(self.title, [table], [figure] if table.entries else [], notes=[f"{len(states)} states."])


def of_most(regrets: Sequence[float], count: int) -> list[float]:
    """What the most frequent move of each group of searches loses; if two are as frequent, the better one."""
    groups = [regrets[start : start + count] for start in range(0, len(regrets) - count + 1, count)]
    return [max(sorted(set(group)), key=group.count) for group in map(list, groups)]
