"""What a setting of a search saves: its variance, or its nodes, to those of the search without it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np

from astragal.lab.estimators import ratio_entry, share_entry
from astragal.lab.findings import Figure, Section, Table
from astragal.lab.laboratory import Laboratory
from astragal.lab.size import Size
from astragal.lab.states import random_states
from astragal.lab.study import Searches, Study


def variances(searches: Searches) -> list[float]:
    return [float(np.var([run.value or 0.0 for run in runs], ddof=1)) for runs in searches.values() if len(runs) > 1]


def nodes(searches: Searches) -> list[float]:
    return [float(np.mean([run.nodes for run in runs])) for runs in searches.values() if runs]


QUANTITIES = {"variance": variances, "nodes": nodes}


@dataclass(frozen=True)
class Ratios:
    """At a fixed depth, over the states of random games."""

    title: str
    quantity: str  # variance or nodes
    pairs: Mapping[str, Mapping[str, tuple[str, str]]]  # row -> game -> the player with the setting, and without it

    def check(self, size: Size) -> None:
        for of_games in self.pairs.values():
            for game, players in of_games.items():
                for player in players:
                    Study.of(game, player)

    def carry_out(self, lab: Laboratory, size: Size) -> Section:
        table = Table(
            f"Ratio of {self.quantity} to that without the setting", "setting", "game", percent=False, digits=3
        )
        moves = Table("Moves that are the same as without it, in percent", "setting", "game")
        for row, of_games in self.pairs.items():
            for game, players in of_games.items():
                states = random_states(game, size.states, lab.seed)
                runs = size.runs if self.quantity == "variance" else 1
                mine, theirs = (lab.measure(Study.of(game, player, seed=lab.seed), states, runs) for player in players)
                self.add(table, moves, (row, game), mine, theirs)
        section = Section(self.title, [table, moves])
        if table.entries:
            name = f"{self.title.lower().replace(' ', '-')}-{self.quantity}"
            section.figures.append(Figure(name, self.title, "bars", table, fair=1.0))
        return section

    def add(self, table: Table, moves: Table, at: tuple[str, str], mine: Searches, theirs: Searches) -> None:
        measured = QUANTITIES[self.quantity]
        numerators, denominators = measured(mine), measured(theirs)
        if len(numerators) != len(denominators) or not any(denominators):  # there is nothing to compare with
            return
        table.entries[at] = ratio_entry(numerators, denominators)
        pairs = [list(zip(runs, theirs[state], strict=False)) for state, runs in mine.items()]  # some may be missing
        same = [sum(one.action == other.action for one, other in runs) / len(runs) for runs in pairs if runs]
        moves.entries[at] = share_entry(same)
