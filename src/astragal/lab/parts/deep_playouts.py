"""Random games on a solved board: how often they are right from deeper positions, by averages or minimax values.

Ramanujan & Selman 2011 say that random games get more accurate the deeper they begin, and confirm Coulom 2006: with
random games averages are the better values of nodes that were visited few times, minimax values of those that were
visited often. Both are measured here against exact values, as win, draw or loss. Nothing is kept in the notebook: the
same seed gives the same numbers again.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from astragal.algorithms.limits import Limits
from astragal.algorithms.plain_tree import PlainTree
from astragal.games import load_game
from astragal.lab.claims import Claim, judged
from astragal.lab.estimators import mean_entry, share_entry
from astragal.lab.exact import exact_for
from astragal.lab.findings import Figure, Section, Table
from astragal.lab.laboratory import Laboratory
from astragal.lab.size import Size
from astragal.lab.states import random_states
from astragal.lab.study import Study
from astragal.players import load_player
from astragal.rules.dice import Dice
from astragal.rules.position import Position
from astragal.solvers.exact import Exact

BOARDS = 150  # games that positions are taken from
PLAYOUTS = 20  # random games from a position
EVERY = 3  # plies
TREES, SIMS = 100, 2000  # that are grown, and how far at most
AVERAGE, BEST_CHILD, MINIMAX = "average", "best child's average", "minimax value"
LEAST = 8  # visits of a node that counts
FEW_OR_MANY = {"few": (LEAST, 64), "between": (64, 512), "many": (512, SIMS + 1)}
POWERS_OF_TWO = {str(visits): (visits, 2 * visits) for visits in (8, 16, 32, 64, 128, 256, 512, 1024)}


def sign(value: float) -> float:
    return float(np.sign(value))


def outcome(exact: Exact, position: Position) -> float:
    """What perfect play brings the player to move: 1, 0 or -1."""
    return sign(exact.value(position)) * (1.0 if position.turn == 0 else -1.0)


@dataclass(frozen=True)
class Playouts:
    """How often random games from a position are right about its winner, by the ply at which they begin."""

    title: str
    name: str
    game: str
    claims: tuple[Claim, ...] = ()

    def check(self, size: Size) -> None:
        load_game(self.game)

    def carry_out(self, lab: Laboratory, size: Size) -> Section:
        boards = min(BOARDS, size.games)
        blank = Table("Winners that random games predict, in percent of positions", "by", "ply")
        key = f"random games of {self.game}, {PLAYOUTS} from each position of {boards} games, seed {lab.seed}"
        (table,) = lab.tables(key, lambda: [self.fill(lab, boards, blank)], [blank])
        section = Section(self.title, [table], judgements=judged(self.claims, table))
        section.notes.append(f"{PLAYOUTS} random games from each position of {boards} games of {self.game}.")
        if table.entries:
            section.figures.append(Figure(self.name, self.title, table=table))
        return section

    def fill(self, lab: Laboratory, boards: int, table: Table) -> Table:
        exact, told = exact_for(self.game), dict[int, list[float]]()
        for number in range(boards):
            dice = Dice(Dice(lab.seed).bits() + number)
            position, ply = Position.start(load_game(self.game), dice.bits()), 0
            while not position.is_terminal:
                truth = outcome(exact, position) if ply % EVERY == 0 else 0.0
                if truth:
                    told.setdefault(ply, []).append(float(sign(mean_result(position, dice)) == truth))
                position, ply = random_step(position, dice), ply + 1
        for ply, right in sorted(told.items()):
            if len(right) >= boards // 4:
                table.entries["random games", str(ply)] = share_entry(right)
        return table


def random_step(position: Position, dice: Dice) -> Position:
    actions = position.actions()
    return position.play(actions[dice.below(len(actions))]).settled(dice)


def mean_result(position: Position, dice: Dice) -> float:
    """Of random games, for the player to move."""
    mover, total = position.turn, 0.0
    for _ in range(PLAYOUTS):
        end = position
        while not end.is_terminal:
            end = random_step(end, dice)
        total += sign(end.utilities()[mover])
    return total


@dataclass(frozen=True)
class NodeErrors:
    """Squared errors of a node's values, by kind."""

    tree: str
    visits: int
    errors: Mapping[str, float]


@dataclass(frozen=True)
class Coulom:
    """How far averages and minimax values of nodes lie from the truth, by how often a node was visited."""

    title: str
    game: str
    player: str  # its ends count a point, so that values are those of win, draw and loss
    claims: tuple[Claim, ...] = ()  # about differences from averages

    def check(self, size: Size) -> None:
        load_player(self.player, load_game(self.game))

    def carry_out(self, lab: Laboratory, size: Size) -> Section:
        study = Study.of(self.game, self.player, Limits(sims=min(SIMS, size.sims)), lab.seed)
        trees = min(TREES, size.games)
        key = f"errors of nodes in {trees} trees of {study.key}"
        blank = [over_visits(title, [], {}) for title in ERRORS]
        errors, less = lab.tables(key, lambda: self.fill(lab, study.limits, trees), blank)
        section = Section(self.title, [errors, less], judgements=judged(self.claims, less))
        section.notes.append(f"{study.limits.sims} simulations from each of {trees} positions.")
        section.notes.append(
            "; ".join(f"{name}: {low} to {high - 1} visits" for name, (low, high) in FEW_OR_MANY.items())
        )
        return section

    def fill(self, lab: Laboratory, limits: Limits, trees: int) -> list[Table]:
        rules = load_game(self.game)
        keeping: Any = load_player(self.player, rules)
        player, nodes = replace(keeping, keep=True), list[NodeErrors]()
        for number, text in enumerate(random_states(self.game, trees, lab.seed)):
            result = player.search(Position.parse(rules, text), seed=number, limits=limits)
            nodes += errors_in(result.tree, self.game, str(number))
        all_errors, less = ERRORS
        return [over_visits(all_errors, nodes, POWERS_OF_TWO), over_visits(less, nodes, FEW_OR_MANY, AVERAGE)]


ERRORS = (
    "Squared error of a node's value, win or loss being 1",
    "Squared error less that of the average of the same node",
)


def over_visits(
    title: str, nodes: Sequence[NodeErrors], columns: Mapping[str, tuple[int, int]], less: str = ""
) -> Table:
    """Means over nodes by their visits; nodes of one tree are alike. Of one kind less another, if it is said which."""
    table = Table(title, "value", "visits", False, 3)
    for column, (low, high) in columns.items():
        there = [node for node in nodes if low <= node.visits < high]
        trees = [node.tree for node in there]
        if len(set(trees)) < 2:
            continue
        for kind in (AVERAGE, BEST_CHILD, MINIMAX):
            if kind != less:
                numbers = [node.errors[kind] - node.errors.get(less, 0.0) for node in there]
                table.entries[kind, column] = mean_entry(numbers, games=trees)
    return table


def errors_in(tree: PlainTree, game: str, name: str = "") -> list[NodeErrors]:
    """The errors of a tree's decisions that were visited often enough.

    A node's value in the tree is for the player who chose it, which differs in sign from its mover's if that is another
    player. A minimax value goes down to the leaves, each of which is worth its random game.
    """
    exact, rules = exact_for(game), load_game(game)
    visits = np.asarray(tree.visits).tolist()
    visited = [node for node in range(len(tree)) if visits[node]]
    positions = {0: tree.position}
    sides = {0: 1.0}  # whether a node's mover is who chose it
    for node in visited[1:]:
        before = positions[int(tree.parent[node])]
        positions[node] = before.follow(int(tree.step[node]))
        sides[node] = 1.0 if positions[node].turn == before.turn else -1.0
    best, minimax = dict[int, float](), dict[int, float]()  # of children, to their chooser
    for node in reversed(visited[1:]):
        above, value = int(tree.parent[node]), float(tree.value[node])
        deep = sides[node] * minimax[node] if node in minimax else value
        best[above] = max(best.get(above, -np.inf), value)
        minimax[above] = max(minimax.get(above, -np.inf), deep)
    found = []
    for node in visited:
        if visits[node] >= LEAST and node in best:
            truth = outcome(exact, positions[node])
            values = {AVERAGE: sides[node] * float(tree.value[node]), BEST_CHILD: best[node], MINIMAX: minimax[node]}
            errors = {kind: (value / rules.point - truth) ** 2 for kind, value in values.items()}
            found.append(NodeErrors(name, visits[node], errors))
    return found
