"""MP-MCTS-Solver: who is proven to win, with any number of players, by each update rule (Nijssen & Winands 2010).

Trees worked by hand; then, for games from their rules and at random, that a proof is what the update rule's definition
says of the whole game, that every node is proven as soon as its children prove it, and that in the end all that can be
proven is. Players are numbered from 0 here. Two opponents are the subject of `test_solver_bounds.py`.
"""

from __future__ import annotations

from functools import cache
from typing import Any

import pytest

from astragal.algorithms.result import PROVEN, SearchResult
from astragal.algorithms.tree.store import TreeSession
from astragal.rules.decorator import TERMINAL
from astragal.rules.dice import Dice
from astragal.rules.position import Position
from support.helpers import by_python, fewer, slow_but
from support.solver_trees import Grown, grow, grown
from support.spots import (
    RULES,
    Nim,
    NimForFour,
    NimSpots,
    PairTree,
    TreeSpots,
    Winner,
    choice,
    drawn,
    nim,
    nim_positions,
    party,
    random_party,
    won,
)
from support.tree_games import LIMIT, Node, roll

EVERY_RULE = pytest.mark.parametrize("rule", RULES)
pytestmark = pytest.mark.compiled  # a few kernels do it all


def solve(here: Position, rule: str, sims: int = 400, **settings: Any) -> tuple[SearchResult, Grown]:
    result = grow(here, sims, solver=rule, **settings)
    spots = TreeSpots(here)
    return result, grown(result, spots, spots.start)


def winner_of(root: Node, rule: str, **settings: Any) -> int | None:
    """Who is proven to win at the root of a tree."""
    result, tree = solve(party(root), rule, **settings)
    words = None if tree.winner is None else f"player {tree.winner + 1} wins"
    assert result.proven == words
    assert result.complete == (words is not None)
    return tree.winner


# By hand


def test_the_three_rules_differ_on_one_tree():
    """Player 0 searches. The first move lets player 1 choose between wins of 0 and 2, the second likewise player 2
    between wins of 0 and 1. Paranoid: neither lets 0 win. First winner: 2 comes after 1, and 0 after 2."""
    here = party(choice(0, choice(1, won(2), won(0)), choice(2, won(1), won(0))))
    result, tree = solve(here, "standard")
    assert (tree.winner, tree.after(0).winner, tree.after(1).winner) == (None, None, None)
    assert [end.winner for end in (*tree.after(0).children, *tree.after(1).children)] == [2, 0, 1, 0]
    assert result.proven is None
    assert result.simulations == 400

    result, tree = solve(here, "paranoid")  # 2 and 1 win: opponents of 0 both, so nothing is proven of the root
    assert (tree.winner, tree.after(0).winner, tree.after(1).winner) == (None, 2, 1)
    assert [row.bound for row in result.actions] == [PROVEN, PROVEN]
    assert [row.value for row in result.actions] == [-LIMIT, -LIMIT]

    result, tree = solve(here, "first_winner")
    assert (tree.winner, tree.after(1).winner) == (0, 0)
    assert result.proven == "player 1 wins"
    assert result.action_number == tree.after(1).spot
    assert result.value == LIMIT


def test_paranoid_proves_one_winner_and_first_winner_another():
    """Player 1 has only moves to the same decision of player 2, whose moves are wins of 0, who searches, and of 1."""
    below = choice(1, choice(2, won(0), won(1)), choice(2, won(1), won(0)))
    here = choice(0, below)
    proven = {}
    for rule in RULES:
        _, tree = solve(party(here), rule)
        proven[rule] = [tree.winner, tree.after(0).winner, tree.after(0, 0).winner, tree.after(0, 1).winner]
    assert proven["standard"] == [None, None, None, None]
    assert set(proven["paranoid"][:2]) == {1}
    assert set(proven["first_winner"]) == {0}
    assert 1 in proven["paranoid"][2:]  # one of the two is enough for player 1


@pytest.mark.parametrize("searcher", [0, 1, 2])
def test_paranoid_takes_the_player_at_the_root_off_the_list(searcher):
    """Player 1 lets 0 or 2 win; the searching player does not; if that is player 1, nothing is proven."""
    below = choice(1, won(0), won(2))
    _, tree = solve(party(choice(searcher, below, drawn())), "paranoid")
    assert tree.after(0).winner == {0: 2, 1: None, 2: 0}[searcher]


@pytest.mark.parametrize("mover", [0, 1, 2])
@pytest.mark.parametrize("searcher", [0, 1, 2])
def test_first_winner_counts_from_the_mover(mover, searcher):
    after, last = (mover + 1) % 3, (mover + 2) % 3
    _, tree = solve(party(choice(searcher, choice(mover, won(last), won(after)), drawn())), "first_winner")
    assert tree.after(0).winner == after


@EVERY_RULE
def test_an_only_winner_needs_no_rule(rule):
    """Even the player at the root, when there is no other."""
    assert winner_of(choice(0, choice(1, won(2), won(2)), choice(2, won(1), won(2))), rule) == 2
    assert winner_of(choice(0, choice(1, won(0), won(0)), drawn()), rule) == 0
    assert winner_of(choice(1, won(0), won(0)), rule) == 0


@EVERY_RULE
@pytest.mark.parametrize("mover", [0, 1, 2])
def test_a_mover_takes_a_win(rule, mover):
    others = [player for player in range(3) if player != mover]
    ends = [won(others[0]), won(others[1]), drawn(), won(mover)]
    here = party(choice(mover, *ends))
    result, tree = solve(here, rule)
    assert tree.winner == mover
    assert result.action_number == tree.after(3).spot
    assert result.simulations < 20
    below = choice(mover, *ends)
    _, tree = solve(party(choice((mover + 1) % 3, below, drawn())), rule)
    assert tree.after(0).winner == mover


@EVERY_RULE
def test_several_moves_in_a_row(rule):
    """Player 0 moves twice, and so does player 1, who need not let 2 win."""
    lost = choice(1, choice(1, won(1), won(2)), won(2))
    here = choice(0, choice(0, lost, won(2)), choice(0, won(1), choice(0, won(1), won(0))))
    result, tree = solve(party(here), rule)
    assert tree.winner == 0
    assert result.action_number == tree.after(1).spot
    assert (tree.after(1).winner, tree.after(1, 1).winner) == (0, 0)
    assert winner_of(choice(0, choice(0, lost, won(1)), won(1)), rule) == 1


@EVERY_RULE
def test_an_end_that_nobody_wins_alone_proves_nothing(rule):
    for end in (drawn(), drawn(0), drawn(1), won(0, 1), won(1, 2), won(0, 1, 2), won()):
        result, tree = solve(party(choice(0, end)), rule)
        assert tree.winner is None
        assert tree.after(0).winner is None
        assert result.actions[0].value == end.value
        assert winner_of(choice(1, end, won(0), won(0)), rule) is None
        assert winner_of(choice(1, end, won(0), won(2)), rule) is None
        assert winner_of(roll(end, won(0)), rule) is None


@EVERY_RULE
def test_chance_is_proven_if_all_outcomes_are_wins_of_one_player(rule):
    assert winner_of(roll(won(1), won(1), won(1)), rule) == 1
    assert winner_of(roll(won(1), choice(0, won(1), won(1)), roll(won(1), won(1)), weights=(7, 2, 1)), rule) == 1
    for outcomes in ((won(1), won(2)), (won(1), won(1), won(0)), (won(0), drawn()), (won(2), roll(won(2), won(1)))):
        assert winner_of(roll(*outcomes), rule) is None
        assert winner_of(choice(0, roll(*outcomes)), rule) is None


@EVERY_RULE
def test_chance_is_not_proven_while_an_outcome_is_missing(rule):
    """An outcome of one in ten thousand: for a time, all that was seen are wins of one player."""
    here = party(choice(0, roll(won(0), won(0), won(1), weights=(6000, 3999, 1))))
    missed, met = 0, 0
    for sims in (2, 3, 5, 10, 50, 1000, 100_000):
        _, tree = solve(here, rule, sims=sims)
        assert tree.winner is None
        missed += len(tree.after(0).children) == 2
        met += len(tree.after(0).children) == 3
    assert missed
    assert met
    here = party(choice(0, roll(won(0), won(0), won(0), weights=(600, 399, 1))))
    for sims in (2, 3, 5, 10, 50, 100_000):
        _, tree = solve(here, rule, sims=sims)
        assert (tree.winner == 0) == (len(tree.after(0).children) == 3)
    assert tree.winner == 0


@EVERY_RULE
@pytest.mark.parametrize("final", ["visits", "mean", "robust"])
def test_a_move_that_is_lost_is_not_chosen_unless_all_are(rule, final):
    trap = choice(1, drawn(0), drawn(0), choice(2, won(2)), won(1))  # looks good until it is proven
    for safe in (drawn(), roll(won(1), won(2), won(2), drawn(0)), won(1, 2)):
        result, tree = solve(party(choice(0, trap, safe, won(2))), rule, final=final)
        assert tree.after(0).winner == 1
        assert result.action_number == tree.after(1).spot
    result, tree = solve(party(choice(0, trap, won(2))), rule, final=final)
    assert [row.bound for row in result.actions] == [PROVEN, PROVEN]
    assert result.action_number in (tree.after(0).spot, tree.after(1).spot)


@EVERY_RULE
def test_a_move_that_is_lost_is_not_searched_again(rule):
    _, tree = solve(party(choice(0, won(1), won(2), drawn())), rule, 300)
    assert [child.visits for child in tree.children] == [1, 1, 297]


# What proofs are worth


@pytest.mark.few(1)
@EVERY_RULE
@pytest.mark.parametrize("count", by_python(5, 150))
def test_values_backed_up_from_best_children_are_those_proven(rule, count):
    """Max^n: a proven node is worth all to its winner and nothing to the others, whatever was thought of it before."""
    seen = 0
    for seed in range(count):
        here = random_party(seed)
        spots = TreeSpots(here)
        for sims in (20, fewer(2000)):
            tree = grown(grow(here, sims, seed, solver=rule, backup="minimax"), spots, 0)
            for node in tree:
                if node.winner is not None and node.visits:
                    assert node.sum == pytest.approx(LIMIT if node.winner == node.owner else -LIMIT)
                    seen += not node.is_end
    assert seen > count // 2


@pytest.mark.interpreted
@pytest.mark.parametrize("backup", ["average", "minimax"])
def test_those_who_do_not_win_keep_what_they_get_at_an_end(backup):
    """Player 0 has no win, and is second rather than last."""
    last, second = Node(TERMINAL, -LIMIT, others=(LIMIT, 0.0)), Node(TERMINAL, 4.0, others=(LIMIT, -LIMIT))
    result, tree = solve(party(choice(0, choice(0, last), choice(0, second), drawn())), "standard", 20, backup=backup)
    assert (tree.after(0, 0).winner, tree.after(1, 0).winner, tree.winner) == (1, 1, None)
    assert tree.after(1, 0).sum / (tree.after(1, 0).visits if backup == "average" else 1) == 4.0
    assert result.action_number == tree.after(2).spot


# By definition


def assert_proven(tree: Grown, truth: Winner) -> None:
    """No proof is wrong, and each node is proven if its children prove it."""
    for node in tree:
        if node.winner is not None:
            assert node.winner == truth.of(node.spot)
        if node.is_end:
            assert node.winner == (truth.of(node.spot) if node.visits else None)
        elif node.is_whole:
            assert node.winner == truth.among(node.turn, [child.winner for child in node.children])
        else:
            assert node.winner is None


@cache
def late_positions(count: int) -> list[tuple[tuple[int, ...], int, int]]:
    return nim_positions(count)


@pytest.mark.slow
@EVERY_RULE
def test_proofs_agree_with_brute_force_on_late_positions_of_nim(rule):
    """After some simulations what is proven is right, and after enough of them everything is."""
    spots, proven, count = NimSpots(3), 0, 1000
    for number, spot in enumerate(late_positions(count)):
        truth = Winner(spots, rule, searcher=spot[1])
        for sims in (60, 5000) if number % 4 == 0 else (5000,):
            result = grow(nim(*spot), sims, number, solver=rule, c=1000.0)
            assert_proven(grown(result, spots, spot), truth)
        expected = truth.of(spot)
        assert result.proven == (None if expected is None else f"player {expected + 1} wins")
        proven += expected is not None
        if expected == spot[1]:
            assert truth.of(spots.moves(spot)[result.action_number]) == expected
        elif any(truth.of(after) in (None, spot[1]) for after in spots.moves(spot).values()):
            assert truth.of(spots.moves(spot)[result.action_number]) is None
    assert count < 5 * proven < 4 * count


def test_the_rules_differ_on_late_positions_of_nim():
    found = {tuple(Winner(NimSpots(3), rule, spot[1]).of(spot) for rule in RULES) for spot in late_positions(250)}
    assert any(None is standard != paranoid != first is not None for standard, paranoid, first in found)
    assert any(paranoid == first is not None and standard is None for standard, paranoid, first in found)
    assert any(first is None and paranoid is not None for _, paranoid, first in found)


@pytest.mark.slow
@EVERY_RULE
def test_proofs_agree_with_brute_force_with_four_players(rule):
    """Where paranoid leaves two winners, it proves nothing."""
    spots = NimSpots(4)
    for number, spot in enumerate(nim_positions(100, players=4, seed=4)):
        truth = Winner(spots, rule, searcher=spot[1])
        tree = grown(grow(nim(*spot, NimForFour), 5000, number, solver=rule, c=1000.0), spots, spot)
        assert_proven(tree, truth)
        assert tree.winner == truth.of(spot)


@EVERY_RULE
@pytest.mark.parametrize("count", slow_but([40], [40, 100]))
def test_proofs_agree_with_brute_force_on_random_trees_with_chance(rule, count):
    ends = set()
    for seed in range(count):
        here = random_party(seed)
        spots = TreeSpots(here)
        truth = Winner(spots, rule, searcher=max(here.turn, 0))
        for sims in (5, 25, 100, 10_000):
            tree = grown(grow(here, sims, seed, solver=rule, c=1000.0), spots, 0)
            assert_proven(tree, truth)
        assert tree.winner == truth.of(0)
        ends.add(tree.winner)
    assert ends == {None, 0, 1, 2}


@pytest.mark.parametrize("count", by_python(6, 100))
def test_with_two_players_the_rules_are_one(count):
    """The same trees, draw for draw, and the proofs of plain MCTS-Solver: all children won by the one opponent."""
    for seed in range(count):
        here = random_party(seed, PairTree)
        spots = TreeSpots(here)
        grown_by = [grow(here, fewer(300, 5), seed, solver=rule) for rule in RULES]
        assert len({result.tree.nodes.tobytes() for result in grown_by}) == 1
        assert_proven(grown(grown_by[0], spots, 0), Winner(spots, "standard", 0))


def test_nim_is_the_same_game_in_both_forms():
    dice = Dice(5)
    for kind, players in ((Nim, 3), (NimForFour, 4)):
        spots = NimSpots(players)
        for spot in nim_positions(50, players):
            here = nim(*spot, kind)
            while not here.is_terminal:
                moves = spots.moves(spot)
                assert (here.turn, here.actions()) == (spots.turn(spot), list(moves))
                action = list(moves)[dice.below(len(moves))]
                here, spot = here.play(action), moves[action]
            assert spots.turn(spot) < 0
            best = [player for player, utility in enumerate(here.utilities()) if utility == 1.0]
            assert best == ([] if spots.winner(spot) is None else [spots.winner(spot)])


# Threads, several trees, and trees kept from move to move


@pytest.mark.slow
@EVERY_RULE
def test_threads_that_share_a_tree_prove_what_is_true(rule):
    spots = NimSpots(3)
    for number, spot in enumerate(late_positions(100)):
        truth = Winner(spots, rule, searcher=spot[1])
        tree = grown(grow(nim(*spot), 5000, number, solver=rule, c=1000.0, threads=2), spots, spot)
        assert all(node.winner in (None, truth.of(node.spot)) for node in tree)
        assert tree.winner == truth.of(spot)


@pytest.mark.slow
@EVERY_RULE
def test_a_proof_in_one_of_several_trees_is_a_proof(rule):
    """The search ends with it, although the other trees prove nothing."""
    spots = NimSpots(3)
    for number, spot in enumerate(late_positions(100)):
        expected = Winner(spots, rule, searcher=spot[1]).of(spot)
        for sims in (40, 4000):
            result = grow(nim(*spot), sims, number, solver=rule, threads=2, parallel="root")
            assert result.proven in (None, None if expected is None else f"player {expected + 1} wins")
    assert grow(nim((1, 0, 0), 2, 5), 10**6, threads=2, parallel="root", solver=rule).proven == "player 3 wins"


@pytest.mark.interpreted
def test_a_tree_kept_from_move_to_move_forgets_the_proofs_for_another_player():
    """Whom paranoid players do not let win is the one who searches."""
    root = choice(0, choice(1, choice(2, won(0), won(1)), choice(2, drawn(), won(0))), drawn())
    here = party(root)
    spots, session = TreeSpots(here), TreeSession()
    first = grow(here, 150, solver="paranoid", reuse=True, session=session)
    assert grown(first, spots, 0).after(0, 0).winner == 1
    after = here.play(here.actions()[0])
    second = grow(after, 150, solver="paranoid", reuse=True, session=session)
    tree = grown(second, spots, here.actions()[0])
    assert tree.after(0).winner == 0
    assert_proven(tree, Winner(spots, "paranoid", searcher=1))
    assert second.action_number == tree.after(1).spot
