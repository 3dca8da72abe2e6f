"""Pathology: whether looking further ahead makes worse decisions, where evaluations are true values with noise.

Nau et al. 2010, which Ramanujan & Selman 2011 ran again: a game is over after eight plies, and who has more stones then
has won. The evaluation of a node is its true value, backed up from there, with Gaussian noise added. Nau et al. also
changed the rules of sowing to make the tree more regular, but do not give them; here they are Kalah's. True values
are stones, or who has more of them. What keeps looking ahead from harm is that neighbours are alike (Nau 1982), so
there are also trees of the same shapes whose last values were shuffled, which leaves no likeness.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np
import numpy.typing as npt

from astragal.games import load_game
from astragal.lab.claims import Claim, judged
from astragal.lab.estimators import mean_entry, share_entry
from astragal.lab.findings import Figure, Section, Table
from astragal.lab.laboratory import Laboratory
from astragal.lab.sequential import again_note, stricter
from astragal.lab.size import Size
from astragal.lab.study import Searches, Study
from astragal.rules.position import Position

PLIES = 8  # after which the game is over
DEEPEST = 5  # plies looked ahead at most
MOST_LEAVES = 120 * 4**5  # of all boards of a size, at the last ply looked at: larger boards are fewer
DRAWS = 40  # of the noise, for each board
STONES, WINS = 4.0, 1.0  # the spread of the noise
ALIKE, DEEPER = "noise alike at every depth", "less noise the deeper"
MARGIN = 0.01  # one point of decisions: the smallest effect that was found in any row is two
POWERS = {ALIKE: 0, DEEPER: 2}  # of the depth, by which noise is divided
Values = npt.NDArray[np.float64]


@dataclass(frozen=True)
class Level:
    """The nodes of a board this many plies from its start."""

    positions: list[Position]
    parents: list[int]  # their numbers in the level above
    values: Values  # true ones, the first player's, in stones

    @cached_property
    def is_mine(self) -> npt.NDArray[np.bool_]:
        """Whether the first player is to move."""
        return np.array([position.turn == 0 for position in self.positions], bool)

    @cached_property
    def is_end(self) -> npt.NDArray[np.bool_]:
        return np.array([position.is_terminal for position in self.positions], bool)


@dataclass(frozen=True)
class Pathology:
    """How often MM-d finds a best move, by d."""

    title: str
    name: str
    boards: Mapping[str, str]  # row's beginning -> game
    claims: tuple[Claim, ...] = ()

    def check(self, size: Size) -> None:
        for game in self.boards.values():
            Study.of(game, f"mm:depth={PLIES}")

    def carry_out(self, lab: Laboratory, size: Size) -> Section:
        counts = {label: boards_of(game, size) for label, game in self.boards.items()}
        studies = [Study.of(game, f"mm:depth={PLIES}", seed=lab.seed) for game in self.boards.values()]
        kept = [found[1] if (found := lab.kept_study(study)) else study for study in studies]
        boards = " ".join(map(str, counts.values()))
        key = f"pathology, {DRAWS} draws, of {' '.join(study.key for study in kept)}, boards {boards}"
        table, less = lab.tables(key, lambda: self.fill(lab, counts), blank_tables())
        judgements = judged(self.claims, stricter(less, size.again))
        section = Section(self.title, [table, less] if table.entries else [], judgements=judgements)
        boards = ", ".join(f"{count} of {label}" for label, count in counts.items())
        section.notes.append(f"Boards: {boards}; {DRAWS} draws of noise for each depth.")
        section.notes += [again_note(size.again)] if size.again else []
        if table.entries:
            section.figures.append(Figure(self.name, self.title, table=table, fair=None))
        return section

    def fill(self, lab: Laboratory, counts: Mapping[str, int]) -> tuple[Table, Table]:
        table, less = blank_tables()
        for label, game in self.boards.items():
            for (values, noise), (spread, trees) in kinds_of(trees_of(lab, game, counts[label])).items():
                row, power = f"{label}, {values}, {noise}", POWERS[noise]
                right = {
                    depth: [
                        share_right(each, depth, spread / depth**power, number) for number, each in enumerate(trees)
                    ]
                    for depth in range(1, DEEPEST + 1)
                }
                for depth, shares in right.items():
                    table.entries[row, str(depth)] = share_entry(shares)
                    if depth > 1:
                        less.entries[row, str(depth)] = mean_entry(np.subtract(shares, right[1]))
        return table, less


def blank_tables() -> tuple[Table, Table]:
    table = Table("Decisions that are best, in percent", "board, values and noise", "plies looked ahead")
    return table, Table("Those of more plies less those of one, on the same boards", *table.axes, margin=MARGIN)


def boards_of(game: str, size: Size) -> int:
    """How many boards there are: those of the size, unless they have too many nodes."""
    pits: int = load_game(game).pits
    return min(size.games, MOST_LEAVES // int(pits**DEEPEST))


Tree = Sequence[Level]


def kinds_of(trees: Sequence[Tree]) -> dict[tuple[str, str], tuple[float, Sequence[Tree]]]:
    """What true values are, which noise there is, how much of it, and the trees with those values."""
    if not any(trees):
        return {}
    won = [[replace(level, values=np.sign(level.values)) for level in tree] for tree in trees]
    mixed = [shuffled(tree, number) for number, tree in enumerate(won)]
    return {
        ("stones", ALIKE): (STONES, trees),
        ("stones", DEEPER): (STONES, trees),
        ("who wins", ALIKE): (WINS, won),
        ("who wins, shuffled", ALIKE): (WINS, mixed),
    }


def shuffled(tree: Tree, seed: int) -> list[Level]:
    """A tree of the same shape whose last values have changed places, and true values above them."""
    levels = list(tree)
    levels[-1] = replace(levels[-1], values=np.random.default_rng(seed).permutation(levels[-1].values))
    for ply in range(len(levels) - 2, -1, -1):
        levels[ply] = replace(levels[ply], values=above(levels[ply], levels[ply + 1], levels[ply + 1].values))
    return levels


def trees_of(lab: Laboratory, game: str, count: int) -> list[list[Level]]:
    """The first plies of boards with the true values of all nodes; none where searches are missing."""
    rules = load_game(game)
    trees: list[list[Level]] = [[] for _ in range(count)]
    nodes = [[(Position.start(rules, 1000 * lab.seed + number), 0)] for number in range(count)]  # each with its parent
    for ply in range(DEEPEST + 1):
        there = [position for board in nodes for position, _ in board if not position.is_terminal]
        texts = list(dict.fromkeys(position.text for position in there))
        searched = lab.measure(Study.of(game, f"mm:depth={PLIES - ply}", seed=lab.seed), texts, 1)
        if not all(searched.values()):
            return []
        for tree, board in zip(trees, nodes, strict=True):
            positions = [position for position, _ in board]
            values = [first_players(position, searched) / rules.point for position in positions]
            tree.append(Level(positions, [place for _, place in board], np.array(values)))
        nodes = [children_of([position for position, _ in board]) for board in nodes]
    return trees


def first_players(position: Position, searched: Searches) -> float:
    """The true value of a position for the first player."""
    if position.is_terminal:
        return position.utilities()[0]
    value = searched[position.text][0].value or 0.0
    return value if position.turn == 0 else -value


def children_of(positions: Sequence[Position]) -> list[tuple[Position, int]]:
    return [
        (position.play(action), place)
        for place, position in enumerate(positions)
        if not position.is_terminal
        for action in position.actions()
    ]


def share_right(levels: Sequence[Level], depth: int, spread: float, seed: int) -> float:
    """How often a search so deep, with so much noise, chooses a move that is truly best."""
    mover = levels[0].positions[0].turn
    found = backed_up(levels, depth, spread, np.random.default_rng([seed, depth]))
    chosen = np.argmax(found if mover == 0 else -found, axis=1)
    return float(best_of(levels[1].values, mover)[chosen].mean())


def best_of(values: Values, mover: int) -> npt.NDArray[np.bool_]:
    best: npt.NDArray[np.bool_] = values == (values.max() if mover == 0 else values.min())
    return best


def backed_up(levels: Sequence[Level], depth: int, spread: float, generator: np.random.Generator) -> Values:
    """What minimax gives the root's children from noisy values at a depth, for each draw of the noise."""
    values = noisy(levels[depth], spread, generator)
    for ply in range(depth - 1, 0, -1):
        values = above(levels[ply], levels[ply + 1], values)
    return values


def above(level: Level, below: Level, values: Values) -> Values:
    """The minimax values of a level from those of the level below, of one draw or of each. An end is known for certain.

    Children stand in the order of their parents, and all but ends have some."""
    first_children = np.flatnonzero(np.diff(below.parents, prepend=-1))
    highest = np.maximum.reduceat(values, first_children, axis=-1)
    lowest = np.minimum.reduceat(values, first_children, axis=-1)
    inside = ~level.is_end
    found = np.broadcast_to(level.values, (*values.shape[:-1], len(level.values))).copy()
    found[..., inside] = np.where(level.is_mine[inside], highest, lowest)
    return found


def noisy(level: Level, spread: float, generator: np.random.Generator) -> Values:
    draws = generator.standard_normal((DRAWS, len(level.values)))
    values: Values = level.values + np.where(level.is_end, 0.0, spread * draws)
    return values
