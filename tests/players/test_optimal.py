"""`optimal` loses nothing: by a solved game, or by a best move that `prove` shows within its nodes; else it refuses."""

from __future__ import annotations

import pytest

from astragal import AstragalError, Limits, Position, load_game, load_player, match, search, start
from astragal.algorithms.result import SearchResult
from astragal.players import optimal
from astragal.players.player import Player
from astragal.solvers.exact import exact_values
from astragal.solvers.solution import solve_position, solved
from support.helpers import by_python, random_positions, solutions_in
from support.simultaneous_games import Pennies
from support.tree_games import LIMIT, low, random_tree, top, tree

NEAR = 1e-7


@pytest.fixture(autouse=True)
def nothing_is_solved(tmp_path):
    with solutions_in(tmp_path):
        yield


def found_or_none(player: Player, here: Position) -> SearchResult | None:
    """What it plays; None where it says that its nodes show no best move."""
    try:
        return player.search(here)
    except AstragalError as error:
        said = str(error)
    assert f"({optimal.NODES:,} nodes of prove do not show a best move here)" in said
    return None


@pytest.mark.parametrize("seeds", by_python(range(4), range(200)))
@pytest.mark.parametrize("nodes", [6, 10_000])
def test_in_worlds_that_are_not_solved_it_loses_nothing(seeds, nodes, monkeypatch):
    """With few nodes some best moves are proven and some are not; with enough all are."""
    monkeypatch.setattr(optimal, "NODES", nodes)
    played = refused = 0
    for seed in seeds:
        begin = random_tree(seed, layers=5, breadth=4, ends=15)
        truth = solved(begin)  # which is not kept
        player = load_player("optimal", begin.game)
        for number in range(len(begin.game.links)):
            here = Position.parse(begin.game, f"node={number}")
            if here.turn < 0 or not truth.covers(here):
                continue
            answer = found_or_none(player, here)
            if answer is None:
                refused += 1
                continue
            played += 1
            values = truth.action_values(here)
            assert values[answer.action_number] >= max(values.values()) - NEAR
            assert answer.interval.lower - NEAR <= max(values.values()) <= answer.interval.upper + NEAR
    assert played > 10
    assert (refused > 0) == (nodes == 6)


@pytest.mark.parametrize(
    ("spec", "seeds"),
    [
        pytest.param("pig:goal=20,dice=1", range(20), marks=pytest.mark.slow),
        pytest.param("tic_tac_toe", range(30), marks=pytest.mark.slow),
        pytest.param("kalah:pits=3,stones=2,rules=standard", range(10), marks=pytest.mark.slow),
    ],
)
def test_in_games_it_loses_nothing(spec, seeds, monkeypatch):
    rules = load_game(spec)
    truth, player = solved(Position.start(rules)), load_player("optimal", rules)
    for seed in seeds:
        for here in random_positions(rules, seed):
            if here.turn < 0:
                continue
            values = truth.action_values(here)
            answer = player.search(here)
            assert values.get(answer.action_number, min(values.values())) >= max(values.values()) - NEAR


def test_a_best_move_is_played_while_its_value_is_open():
    """One move wins; the other may go round for ever, so it cannot be better."""
    there = low()
    there.children.append(low(there))
    here = tree(top(there, LIMIT))
    answer = search(here, "optimal")
    assert answer.action_number == here.actions()[1]
    assert (answer.player, answer.best_proven) == ("optimal", True)
    assert "the best action is proven best" in str(answer)


def test_a_game_that_was_solved_is_looked_up():
    rules = load_game("tic_tac_toe")
    here = Position.parse(rules, "xo./.x./..o")
    unsolved = search(here, "optimal")
    assert unsolved.nodes > 0
    solve_position(here)
    answer = search(here, "optimal")
    assert (answer.bound, answer.nodes, answer.best_proven) == ("exact", 0, None)
    values = exact_values(here).action_values(here)
    assert values[unsolved.action_number] == max(values.values())


def test_the_same_is_found_whatever_limit_is_given(monkeypatch):
    monkeypatch.setattr(optimal, "NODES", 400)
    here = Position.parse(load_game("pig:goal=20,dice=1"), "12 17 5 1 decide")
    answers = [search(here, "optimal", limits=limits) for limits in (None, Limits(time=1e-4), Limits(nodes=1))]
    assert len({(each.nodes, each.interval, each.action) for each in answers}) == 1


def test_where_neither_a_solution_nor_a_proof_is_found_it_says_so(monkeypatch):
    monkeypatch.setattr(optimal, "NODES", 50)
    with pytest.raises(
        AstragalError,
        match=r"^pig is not solved yet: run astragal solve pig "
        r"\(50 nodes of prove do not show a best move here\)$",
    ):
        search(Position.parse(load_game("pig"), "0 0 8 1 decide"), "optimal")


@pytest.mark.parametrize("begin", [lambda: Position.start(Pennies(2)), lambda: start("rock_paper_scissors.kif")])
def test_where_nothing_can_be_proven_the_sentence_is_as_before(begin):
    with pytest.raises(AstragalError, match=r"is not solved yet: run astragal solve [^()]*$"):
        search(begin(), "optimal")


def test_three_players_are_refused():
    with pytest.raises(AstragalError, match="solve needs one or two players"):
        search(start("focus:players=3"), "optimal")


@pytest.mark.slow
def test_a_contest_from_a_position_near_the_end_needs_no_solution():
    found = match("pig:goal=15,dice=1", ["optimal", "random"], games=20, seed=3, db=None)
    assert not any(row["forfeit"] for row in found.rows())
