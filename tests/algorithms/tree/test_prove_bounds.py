"""The solver for two opponents: bounds of the value that always hold, and meet in the end at what brute force finds.

MCTS-Solver's wins and losses are the case in which they meet at an end of the range. The truth is the definition of
minimax and expectimax over the whole game, for random trees with chance, tic-tac-toe and the last moves of Connect
Four; and for EinStein würfelt nicht the chances that a solver with exact fractions found.
"""

from __future__ import annotations

from fractions import Fraction
from functools import cache
from typing import Any

import pytest

from astragal.algorithms.result import PROVEN, SearchResult
from astragal.algorithms.tree.store import TreeSession
from astragal.games import load_game
from astragal.rules.decorator import CHANCE, TERMINAL
from astragal.rules.dice import Dice
from astragal.rules.position import Position
from support.helpers import random_positions, slow_but
from support.solver_trees import Grown, grow, grown
from support.spots import RULES, Spot, TreeSpots
from support.star_searches import position, read_rows
from support.tree_games import LIMIT, Node, Tree, leaf, low, random_tree, roll, top, tree

TOLERANCE = 1e-7
BACKUPS = pytest.mark.parametrize("backup", slow_but(["average", "minimax"], ["average", "minimax", "minimum"]))
pytestmark = pytest.mark.compiled  # a few kernels do most of it
FINALS = ("visits", "mean")


class Worth:
    """What a spot is worth to player 0 with best play, by definition."""

    def __init__(self, spots: Any) -> None:
        self.spots = spots
        self.known: dict[Any, float] = {}

    def of(self, spot: Spot) -> float:
        if spot not in self.known:
            turn = self.spots.turn(spot)
            if turn == TERMINAL:
                self.known[spot] = self.spots.utilities(spot)[0]
            else:
                values = [self.of(after) for after in self.spots.moves(spot).values()]
                chances = self.spots.chances(spot) if turn == CHANCE else None
                self.known[spot] = combined(turn, values, chances)
        return self.known[spot]


def combined(turn: int, values: list[float], chances: list[float] | None) -> float:
    if turn == CHANCE:
        assert chances is not None
        return sum(chance * value for chance, value in zip(chances, values, strict=True))
    return max(values) if turn == 0 else min(values)


LINES = ("012", "345", "678", "036", "147", "258", "048", "246")


class TicTacToeSpots:
    """Tic-tac-toe once more: a spot is the nine squares as a text."""

    players = 2

    def turn(self, spot: Spot) -> int:
        return TERMINAL if self.row(spot) or "." not in spot else spot.count("x") - spot.count("o")

    def row(self, spot: Spot) -> str | None:
        return next((spot[int(a)] for a, b, c in LINES if spot[int(a)] == spot[int(b)] == spot[int(c)] != "."), None)

    def moves(self, spot: Spot) -> dict[int, Spot]:
        mark = "xo"[spot.count("x") - spot.count("o")]
        return {i: spot[:i] + mark + spot[i + 1 :] for i in range(9) if spot[i] == "."}

    def utilities(self, spot: Spot) -> list[float]:
        row = self.row(spot)
        return [0.0, 0.0] if row is None else [1.0, -1.0] if row == "x" else [-1.0, 1.0]

    def winner(self, spot: Spot) -> int | None:
        row = self.row(spot)
        return None if row is None else "xo".index(row)


class PositionSpots:
    """Any game without chance, by its positions."""

    players = 2

    def turn(self, spot: Spot) -> int:
        return int(spot.turn)

    def moves(self, spot: Spot) -> dict[int, Spot]:
        return {action: spot.play(action) for action in spot.actions()}

    def utilities(self, spot: Spot) -> list[float]:
        return list(spot.utilities())

    def winner(self, spot: Spot) -> int | None:
        raise NotImplementedError


@cache
def random_trees(count: int, layers: int = 4) -> list[tuple[Position, Worth]]:
    found = []
    for seed in range(count):
        here = random_tree(seed, layers=layers, breadth=5 + seed % 4, ends=15, rolls=15 * (seed % 3))
        found.append((here, Worth(TreeSpots(here))))
    return found


def grown_tree(result: SearchResult) -> Grown:
    return grown(result, TreeSpots(result.tree.position), 0)


def assert_bounds(tree: Grown, worth: Worth, limit: float = LIMIT) -> None:
    """Every node's value lies within its bounds, and they are what its children's bounds make them."""
    for node in tree:
        lower, upper = node.bounds
        assert lower - TOLERANCE <= worth.of(node.spot) <= upper + TOLERANCE
        if node.is_end and node.visits:
            assert lower == upper
        elif not node.children:
            assert (lower, upper) == (-limit, limit)
        else:
            for number, unseen in ((0, -limit), (1, limit)):
                values = [child.bounds[number] for child in node.children]
                chances = [child.chance for child in node.children] if node.turn == CHANCE else None
                if chances is not None and not node.is_whole:
                    values, chances = [*values, unseen], [*chances, 1.0 - sum(chances)]
                assert node.bounds[number] == pytest.approx(combined(node.turn, values, chances), abs=TOLERANCE)


def is_settled(node: Grown) -> bool:
    return node.bounds[1] - node.bounds[0] <= TOLERANCE


def in_words(value: float, limit: float = LIMIT) -> str:
    if abs(value) < TOLERANCE:
        return "a draw"
    if abs(value) > limit - TOLERANCE:
        return "player 1 wins" if value > 0 else "player 2 wins"
    return f"worth {value:+.6f} to player 1"


def for_mover(here: Position, value: float) -> float:
    """A value of player 0 as the player to move sees it, and player 0 where chance moves."""
    return -value if here.turn == 1 else value


# Bounds


@pytest.mark.few(1)
@BACKUPS
@pytest.mark.parametrize("count", slow_but([30], [30, 60]))
def test_bounds_hold_at_any_moment(backup, count):
    for seed, (here, worth) in enumerate(random_trees(count)):
        for sims in (1, 2, 3, 5, 10, 30, 100, 1000):
            assert_bounds(grown_tree(grow(here, sims, seed, backup=backup)), worth)


@pytest.mark.parametrize("count", slow_but([80], [80, 200]))
def test_in_the_end_they_meet_at_the_value(count):
    inside = 0
    for seed, (here, worth) in enumerate(random_trees(count)):
        result = grow(here, 100_000, seed, c=1000.0)
        root = grown_tree(result)
        assert is_settled(root)
        assert root.bounds[0] == pytest.approx(worth.of(0), abs=TOLERANCE)
        assert result.proven == in_words(worth.of(0))
        assert result.complete
        assert result.value == pytest.approx(for_mover(here, worth.of(0)), abs=TOLERANCE)
        assert result.simulations < 100_000
        inside += 0 < abs(worth.of(0)) < LIMIT
    assert inside > count // 4


def test_the_update_rules_make_no_difference():
    for seed, (here, _) in enumerate(random_trees(60)):
        results = [grow(here, 200, seed, solver=rule) for rule in RULES]
        assert len({(result.tree.nodes.tobytes(), result.tree.extra.tobytes()) for result in results}) == 1
        assert len({(result.action_number, result.value, result.proven) for result in results}) == 1


def test_bounds_by_hand():
    """A chance event with outcomes of 1/2, 1/4 and 1/4: what is missing counts as the ends of the range."""
    here = tree(top(roll(leaf(6.0), leaf(-2.0), low(4.0, 8.0), weights=(2, 1, 1))))
    seen = {}
    for sims in range(2, 60):
        event = grown_tree(grow(here, sims, seed=3)).after(0)
        seen[tuple(child.spot for child in event.children if is_settled(child))] = event.bounds
    event = grown_tree(grow(here, 1000)).after(0)
    half, quarter, below = (child.spot for child in event.children)
    expected = {
        (): (-10.0, 10.0),
        (half,): (3 - 5, 3 + 5),
        (quarter,): (-0.5 - 7.5, -0.5 + 7.5),
        (half, quarter): (2.5 - 2.5, 2.5 + 2.5),
        (half, quarter, below): (3.5, 3.5),
    }
    assert len(set(seen) & set(expected)) >= 3
    for settled, bounds in seen.items():
        if settled in expected:
            upper = expected[settled][1]
            assert bounds[0] == pytest.approx(expected[settled][0])
            assert upper - 1.5 - TOLERANCE <= bounds[1] <= upper + TOLERANCE  # player 1 may have one of two replies
    assert event.bounds == (3.5, 3.5)


def test_a_decision_is_proven_without_all_its_moves():
    """A win is enough, and so is a sure 4 where nothing else can be more."""
    result = grow(tree(low(top(10.0, 3.0), -10.0, roll(3.0, 10.0))), 1000)
    assert result.proven == "player 2 wins"
    assert result.simulations < 20
    little = roll(leaf(-10.0), top(leaf(10.0), top(leaf(2.0))), weights=(9, 1))  # at most -8
    root = grown_tree(grow(tree(top(4.0, little)), 1000))
    assert root.bounds == (4.0, 4.0)
    assert not is_settled(root.after(1))


def endless(turn: int, value: float) -> Node:
    """A player's moves in a circle: never settled, and evaluated alike every time."""
    node = Node(turn, value)
    node.children = [node]
    return node


@BACKUPS
def test_what_can_give_no_more_is_not_searched_again(backup):
    """A lost move, or one that gives what is sure already; for either player."""
    for moves in (top(-10.0, 0.0, endless(0, -8.0)), low(10.0, 0.0, endless(1, 8.0))):
        root = grown_tree(grow(tree(moves), 300, backup=backup))
        assert [child.visits for child in root.children] == [1, 1, 297]


def test_what_is_sure_is_passed_up_where_simulations_find_less():
    """Player 0 may have a draw; looking for more finds losses, which do not count against it."""
    root = grown_tree(grow(tree(top(top(leaf(0.0), endless(0, -8.0)), low(top(-1.0), top(-2.0)))), 400))
    assert root.after(0).bounds[0] == 0.0
    assert root.after(0).visits > 300
    assert root.after(0).sum / root.after(0).visits > -0.1


@pytest.mark.few(1)
@BACKUPS
def test_a_mirrored_game_is_searched_alike(backup):
    """Players changed over and values negated: the same tree with the same visits, and bounds the other way round."""
    for seed, (here, _) in enumerate(random_trees(60)):
        if here.turn == CHANCE:
            continue  # counted as player 0's
        one = grow(here, 150, seed, backup=backup)
        other = grow(mirrored(here), 150, seed, backup=backup)
        for node, image in zip(grown_tree(one), grown_tree(other), strict=True):
            assert (node.spot, node.visits) == (image.spot, image.visits)
            assert node.sum == pytest.approx(image.sum, abs=TOLERANCE)
            assert node.bounds == pytest.approx((-image.bounds[1], -image.bounds[0]), abs=TOLERANCE)
        assert one.action_number == other.action_number


def mirrored(here: Position) -> Position:
    spots = TreeSpots(here)
    nodes = [
        Node({0: 1, 1: 0}.get(spots.turn(spot), spots.turn(spot)), -spots.utilities(spot)[0])
        for spot in range(len(spots.links))
    ]
    for spot, node in enumerate(nodes):
        node.children = [nodes[child] for child in spots.moves(spot)]
        node.weights = spots.chances(spot) if node.turn == CHANCE else []
    return Position.start(Tree(here.game.name, nodes))


# Which move is played


@BACKUPS
@pytest.mark.parametrize("final", FINALS)
@pytest.mark.parametrize("count", slow_but([60], [60, 150]))
def test_what_is_proven_decides_the_move(backup, final, count):
    counted = {"won": 0, "lost": 0, "best": 0}
    for seed, (here, worth) in enumerate(random_trees(count)):
        if here.turn == CHANCE:
            continue
        for sims in (10, 40, 200):
            result = grow(here, sims, seed, backup=backup, final=final)
            root = grown_tree(result)
            moves = {
                child.spot: tuple(sorted(for_mover(here, bound) for bound in child.bounds)) for child in root.children
            }
            least, most = moves[result.action_number]
            sure = max(bounds[0] for bounds in moves.values())
            assert most >= sure - TOLERANCE  # never one that is proven to be worse than another
            if sure >= LIMIT - TOLERANCE:
                assert least >= LIMIT - TOLERANCE  # a win is played
                counted["won"] += len(moves) > 1
            if any(upper > -LIMIT + TOLERANCE for _, upper in moves.values()):
                assert most > -LIMIT + TOLERANCE  # a loss is not
                counted["lost"] += any(upper <= -LIMIT + TOLERANCE for _, upper in moves.values())
            assert result.value is not None
            assert (
                result.value >= max([-LIMIT, *(row.value for row in result.actions if row.bound == PROVEN)]) - TOLERANCE
            )
            for row in result.actions:
                if row.visits:
                    assert moves[row.number][0] - TOLERANCE <= row.value <= moves[row.number][1] + TOLERANCE
                    assert (row.bound == PROVEN) == (moves[row.number][1] - moves[row.number][0] < TOLERANCE)
            if result.proven:
                assert worth.of(result.action_number) == pytest.approx(worth.of(0), abs=TOLERANCE)
                counted["best"] += len(moves) > 1
    assert min(counted.values()) > count // 8


@pytest.mark.parametrize("final", FINALS)
def test_a_sure_draw_is_taken_before_anything_that_looks_worse(final):
    """The other move leads to many good-looking ends of which the opponent has the choice."""
    bad = low(top(9.0, 8.0), top(-3.0, -4.0), value=9.0)
    for moves in ((leaf(0.0), bad), (bad, leaf(0.0))):
        here = tree(top(*moves))
        result = grow(here, 300, final=final)
        assert (result.proven, result.value) == ("a draw", 0.0)
        assert result.action_number == here.actions()[moves.index(bad) ^ 1]


# Values


def test_with_minimax_backups_every_value_lies_within_its_bounds():
    for seed, (here, _) in enumerate(random_trees(60)):
        for sims in (10, 100, 1000):
            for node in grown_tree(grow(here, sims, seed, backup="minimax")):
                if node.visits:
                    lower, upper = sorted(bound if node.owner == 0 else -bound for bound in node.bounds)
                    assert lower - TOLERANCE <= node.sum <= upper + TOLERANCE


@pytest.mark.parametrize("backup", slow_but(["minimax"], ["average", "minimax", "minimum"]))
def test_values_are_no_further_from_the_truth_than_without_the_solver(backup):
    errors = {"off": 0.0, "standard": 0.0}
    for seed, (here, worth) in enumerate(random_trees(150)):
        for solver in errors:
            result = grow(here, 100, seed, backup=backup, solver=solver, keep=False)
            assert result.value is not None
            errors[solver] += abs(result.value - for_mover(here, worth.of(0)))
    assert errors["standard"] < 0.9 * errors["off"]


@pytest.mark.parametrize("backup", slow_but(["average"], ["average", "minimax", "minimum"]))
def test_where_nodes_are_recycled_bounds_and_values_hold(backup):
    """A node remembers what is proven of it when its children are forgotten."""
    for seed in range(30):
        here = random_tree(seed, layers=7, breadth=8, ends=10, rolls=25)
        worth = Worth(TreeSpots(here))
        result = grow(here, 2000, seed, backup=backup, memory=0.01, full="recycle")
        for node in grown_tree(result):
            assert node.bounds[0] - TOLERANCE <= worth.of(node.spot) <= node.bounds[1] + TOLERANCE
            if backup == "minimax" and node.visits:
                lower, upper = sorted(bound if node.owner == 0 else -bound for bound in node.bounds)
                assert lower - TOLERANCE <= node.sum <= upper + TOLERANCE
        if result.proven:
            assert result.proven == in_words(worth.of(0))


# Games


def tic_tac_toe(text: str) -> Position:
    return position("tic_tac_toe", text)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("text", "proven"),
    [
        (".../.../...", "a draw"),
        ("x../.../...", "a draw"),
        ("x../.o./...", "a draw"),  # the centre is the only reply to a corner
        ("xo./.../...", "player 1 wins"),
        ("x../..o/...", "player 1 wins"),
        ("xo./x../...", "player 1 wins"),  # o must block and x has a fork
        ("x.x/o.o/...", "player 1 wins"),  # at once
        ("xx./oo./.x.", "player 2 wins"),
        ("x.o/.x./o..", "player 1 wins"),
    ],
)
def test_named_positions_of_tic_tac_toe(text, proven):
    here = tic_tac_toe(text)
    spots, spot = TicTacToeSpots(), text.replace("/", "")
    worth = Worth(spots)
    assert in_words(worth.of(spot), 1.0) == proven
    result = grow(here, 3_000_000, memory=64)
    assert result.proven == proven
    assert result.simulations < 3_000_000
    assert worth.of(spots.moves(spot)[result.action_number]) == worth.of(spot)


def late_tic_tac_toe(count: int) -> list[str]:
    found: dict[str, None] = {}
    seed = 0
    while len(found) < count:
        seed += 1
        for here in random_positions(load_game("tic_tac_toe"), seed):
            if 2 <= here.text.count(".") <= 7 and not here.is_terminal:
                found[here.text] = None
    return list(found)[:count]


@pytest.mark.slow
@pytest.mark.parametrize("final", FINALS)
def test_proofs_agree_with_brute_force_in_tic_tac_toe(final):
    spots, ends = TicTacToeSpots(), set()
    worth = Worth(spots)
    for seed, text in enumerate(late_tic_tac_toe(150)):
        spot = text.replace("/", "")
        for sims in (20, 100_000):
            result = grow(tic_tac_toe(text), sims, seed, final=final)
            if sims < 100:
                assert_bounds(grown(result, spots, spot), worth, 1.0)
        assert result.proven == in_words(worth.of(spot), 1.0)
        assert worth.of(spots.moves(spot)[result.action_number]) == worth.of(spot)
        ends.add(result.proven)
    assert ends == {"a draw", "player 1 wins", "player 2 wins"}


@pytest.mark.slow
@pytest.mark.parametrize(
    ("text", "proven", "action"),
    [
        ("......./......./......./......./..oo.../..xxx..", "player 1 wins", None),  # both ends of three are open
        ("......./......./......./......./.oo..../.oxxx..", "player 1 wins", "f"),
        ("......./......./......./o....../o..x.../oxxx...", "player 2 wins", "a"),
    ],
)
def test_named_positions_of_connect_four(text, proven, action):
    result = grow(position("connect_four", text), 200_000, memory=64)
    assert result.proven == proven
    assert action in (None, result.action)


@pytest.mark.slow
def test_proofs_agree_with_brute_force_on_late_positions_of_connect_four():
    spots, ends = PositionSpots(), set()
    worth, seed, tried = Worth(spots), 0, 0
    while tried < 25:
        seed += 1
        late = [here for here in random_positions(load_game("connect_four"), seed) if here.text.count(".") == 7]
        if not late or late[0].is_terminal:
            continue
        here, tried = late[0], tried + 1
        result = grow(here, 200_000, seed, memory=16)
        assert result.proven == in_words(worth.of(here), 1.0)
        assert worth.of(here.play(result.action_number)) == worth.of(here)
        ends.add(result.proven)
    assert ends == {"a draw", "player 1 wins", "player 2 wins"}


@pytest.mark.slow
def test_bounds_hold_in_einstein_endgames():
    settled = 0
    for row in read_rows("ewn_endgames.csv"):
        here = position("ewn", row["position"])
        value = float(200 * Fraction(row["chance"]) - 100)
        result = grow(here, 20_000, memory=16)
        lower, upper = (float(result.tree.extra[0][name]) for name in ("lower", "upper"))
        assert lower - TOLERANCE <= value <= upper + TOLERANCE
        if result.proven:
            assert result.value == pytest.approx(for_mover(here, value), abs=TOLERANCE)
            settled += abs(value) < 99
    assert settled


# Threads, and trees kept from move to move


@pytest.mark.parametrize("count", slow_but([50], [50, 100]))
def test_threads_that_share_a_tree_prove_what_is_true(count):
    for seed, (here, worth) in enumerate(random_trees(count)):
        for sims in (50, 100_000):
            result = grow(here, sims, seed, c=1000.0, threads=2)
            for node in grown_tree(result):
                assert node.bounds[0] - TOLERANCE <= worth.of(node.spot) <= node.bounds[1] + TOLERANCE
        assert result.proven == in_words(worth.of(0))


@pytest.mark.slow
def test_with_little_memory_a_kept_tree_still_knows_the_move():
    """Recycling forgets the moves below a proven position; when it comes up, they are found again."""
    spots, proofs = TicTacToeSpots(), 0
    worth = Worth(spots)
    for seed in range(40):
        session, dice, here = TreeSession(), Dice(seed), tic_tac_toe(".../.../...")
        while not here.is_terminal:
            spot = here.text.replace("/", "")
            if here.turn == seed % 2:
                settings = {"reuse": True, "full": "recycle", "memory": 0.02}
                result = grow(here, 4000, seed, session, **settings)
                if result.proven:
                    proofs += 1
                    assert result.proven == in_words(worth.of(spot), 1.0)
                    assert worth.of(spots.moves(spot)[result.action_number]) == worth.of(spot)
                here = here.play(result.action_number)
            else:
                here = here.play(here.actions()[dice.below(len(here.actions()))])
    assert proofs > 40
