"""What random games tell, on a board that is solved: from deeper positions, and through averages or best children.

Ramanujan & Selman 2011 say that random games get more accurate the deeper they begin, and confirm Coulom 2006: with
random games the average is the better estimate of a node that was visited few times, the best child of one that was
visited often. Both are measured here against exact values, as win, draw or loss. Nothing is kept in the notebook: the
same seed gives the same numbers again.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from astragal.game.dice import Dice
from astragal.game.position import Position
from astragal.games import load_game
from astragal.lab.claims import Claim, judged
from astragal.lab.estimators import mean_entry, share_entry
from astragal.lab.exact import exact_for
from astragal.lab.findings import Figure, Section, Table
from astragal.lab.laboratory import Laboratory
from astragal.lab.size import Size
from astragal.lab.states import random_states
from astragal.players import load_player
from astragal.search.limits import Limits
from astragal.search.plain_tree import PlainTree

BOARDS = 60  # games that positions are taken from
PLAYOUTS = 20  # random games from a position
EVERY = 3  # plies
TREES, SIMS = 20, 2000  # that are grown, and how far at most: exact values of all their nodes take seconds
FEW, MANY = 64, 512  # visits: fewer and more than which a node has few or many


def sign(value: float) -> float:
    return float(np.sign(value))


@dataclass(frozen=True)
class Playouts:
    """How often random games from a position tell who wins it, by the ply at which they begin."""

    title: str
    name: str
    game: str
    claims: tuple[Claim, ...] = ()

    def check(self, size: Size) -> None:
        load_game(self.game)

    def carry_out(self, lab: Laboratory, size: Size) -> Section:
        exact, told = exact_for(self.game), dict[int, list[float]]()
        boards = min(BOARDS, size.games)
        for number in range(boards):
            dice = Dice(Dice(lab.seed).bits() + number)
            position, ply = Position.start(load_game(self.game), dice.bits()), 0
            while not position.is_terminal:
                truth = sign(max(exact.action_values(position).values())) if ply % EVERY == 0 else 0.0
                if truth:
                    told.setdefault(ply, []).append(float(sign(mean_result(position, dice)) == truth))
                position, ply = random_step(position, dice), ply + 1
        table = Table("Winners that random games tell, in percent of positions", "by", "ply")
        for ply, right in sorted(told.items()):
            if len(right) >= boards // 4:
                table.entries["random games", str(ply)] = share_entry(right)
        section = Section(self.title, [table], judgements=judged(self.claims, table))
        section.notes.append(f"{PLAYOUTS} random games from each position of {boards} games of {self.game}.")
        if table.entries:
            section.figures.append(Figure(self.name, self.title, table=table))
        return section


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
class Coulom:
    """How far the average and the best child of nodes lie from the truth, by how often a node was visited."""

    title: str
    name: str
    game: str
    player: str  # its ends count a point, so that values are those of win, draw and loss
    claims: tuple[Claim, ...] = ()

    def check(self, size: Size) -> None:
        load_player(self.player, load_game(self.game))

    def carry_out(self, lab: Laboratory, size: Size) -> Section:
        table = Table("Squared error of a node's value, win or loss being 1", "estimate", "visits", False, 3)
        found: dict[tuple[str, str], list[float]] = {}
        rules = load_game(self.game)
        keeping: Any = load_player(self.player, rules)
        player = replace(keeping, keep=True)
        for number, text in enumerate(random_states(self.game, min(TREES, size.games), lab.seed)):
            limits = Limits(sims=min(SIMS, size.sims))
            result = player.search(Position.parse(rules, text), seed=number, limits=limits)
            for at, error in errors_in(result.tree, self.game).items():
                found.setdefault(at, []).extend(error)
        for at in sorted(found, key=lambda at: (int(at[1]), at[0])):
            table.entries[at] = mean_entry(found[at])
        section = Section(self.title, [table], judgements=judged(self.claims, table))
        section.notes.append(f"Few visits are fewer than {FEW}, many at least {MANY}; columns are powers of two.")
        return section


def errors_in(tree: PlainTree, game: str) -> dict[tuple[str, str], list[float]]:
    """Squared errors of both estimates at the decisions of a tree, by row and by visits rounded down to a power of two.

    A node's value is that of whoever chose it; the best child's is its mover's, so they differ in sign where the mover
    is another.
    """
    exact, rules = exact_for(game), load_game(game)
    visits = np.asarray(tree.visits)
    positions: dict[int, Position] = {0: tree.position}
    chose: dict[int, int] = {0: tree.position.turn}
    best: dict[int, float] = {}
    for node in range(1, len(tree)):
        above = int(tree.parent[node])
        if visits[node] == 0 or above not in positions:
            continue
        best[above] = max(best.get(above, -np.inf), float(tree.value[node]))
        if visits[node] >= 8:
            positions[node] = positions[above].follow(int(tree.step[node]))
            chose[node] = positions[above].turn
    found: dict[tuple[str, str], list[float]] = {}
    for node, position in positions.items():
        count = int(visits[node])
        kind = "few" if count < FEW else "many" if count >= MANY else "between"
        if position.is_terminal or node not in best:
            continue
        mover = position.turn
        truth = sign(max(exact.action_values(position).values()))
        mine = 1.0 if chose[node] == mover else -1.0
        for name, value in (("average", mine * float(tree.value[node])), ("best child", best[node])):
            error = (value / rules.point - truth) ** 2
            found.setdefault((f"{kind}: {name}", str(1 << count.bit_length() - 1)), []).append(error)
    return found
