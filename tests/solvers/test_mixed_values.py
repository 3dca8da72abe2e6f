"""Where two players choose at once: matrix games, the values of games made of them, and play by them."""

from __future__ import annotations

from functools import cache
from typing import Any

import numpy as np
import pytest

from astragal import AstragalError, Position, load_game, load_player
from astragal.algorithms.limits import Limits
from astragal.rules.checks import check_game
from astragal.rules.decorator import CHANCE, TERMINAL, game
from astragal.rules.dice import drawn
from astragal.solvers.exact import Exact, exact_values, solve
from astragal.solvers.matrix_game import mixed
from support.helpers import solutions_in
from support.simulations import grow
from support.simultaneous_games import EQUILIBRIUM, WORTH, Auction, AuctionForThree, Pennies, chosen
from support.stages import AGAIN, Again, Goofspiel, OshiZumo
from support.uncompiled_solving import solve_uncompiled


@pytest.fixture(autouse=True)
def uncompiled(request, tmp_path, monkeypatch):
    """The quick tests' games are small: Python is through with them before a compiler is."""
    if not request.node.get_closest_marker("slow"):
        solve_uncompiled(monkeypatch)
    with solutions_in(tmp_path):
        yield


def solved(rules: Any, **fields: Any) -> tuple[Exact, Position]:
    start = Position.start(rules)
    if fields:
        start = Position.parse(rules, " ".join(f"{name}={value}" for name, value in fields.items()))
    return solve(start).values, start


def by_linear_program(matrix: Any) -> float:
    """The value of a matrix game for the player who chooses rows."""
    from scipy.optimize import linprog

    payoffs = np.array(matrix, float)
    rows, columns = payoffs.shape
    found = linprog(
        np.r_[np.zeros(rows), -1.0],
        A_ub=np.c_[-payoffs.T, np.ones(columns)],
        b_ub=np.zeros(columns),
        A_eq=[[1.0] * rows + [0.0]],
        b_eq=[1.0],
        bounds=[(0, None)] * rows + [(None, None)],
    )
    return -float(found.fun)


# Matrix games


@pytest.mark.few(15)
@pytest.mark.parametrize("seed", range(40))
def test_a_matrix_game_is_worth_what_the_linear_program_says(seed):
    dice = np.random.default_rng(seed)
    shape = dice.integers(1, 9, 2)
    matrix = dice.integers(-3, 4, shape).astype(float) if seed % 2 else dice.normal(size=shape) * 10.0**seed
    found = mixed(matrix)
    size = np.abs(matrix).max() + 1.0
    assert found.first.sum() == pytest.approx(1.0)
    assert found.second.sum() == pytest.approx(1.0)
    assert min(found.first.min(), found.second.min()) >= 0.0
    assert found.least == pytest.approx((found.first @ matrix).min(), abs=1e-12 * size)
    assert found.most == pytest.approx((matrix @ found.second).max(), abs=1e-12 * size)
    assert found.most - found.least <= 1e-11 * size  # no player gains by another choice
    assert found.least / size == pytest.approx(by_linear_program(matrix / size), abs=1e-8)


def test_known_matrix_games():
    signs = mixed([[0, -1, 1], [1, 0, -1], [-1, 1, 0]])
    assert [*signs.first, *signs.second] == pytest.approx([1 / 3] * 6)
    saddle = mixed([[3, 1], [4, 2]])
    assert (list(saddle.first), list(saddle.second), saddle.least, saddle.most) == ([0, 1], [0, 1], 2, 2)
    alike = mixed([[7.0] * 3] * 2)
    assert (alike.least, alike.most) == (7.0, 7.0)


# Games of stages


@pytest.mark.slow
@pytest.mark.parametrize("rules", [Goofspiel(3), OshiZumo(), Again()], ids=lambda rules: type(rules).__name__)
def test_the_games_keep_their_promises(rules):
    assert [check for check in check_game(rules, games=4) if not check.passed] == []


def test_uneven_pennies():
    for rounds in (1, 3):
        values, start = solved(Pennies(rounds))
        assert values.value(start) == pytest.approx(WORTH, abs=1e-9)
        stage = values.stage(start)
        assert (stage.mix[0], stage.other[0]) == pytest.approx(EQUILIBRIUM)
        assert list(stage.worth.values()) == pytest.approx([WORTH] * 2)
        after = values.stage(start.play(1))  # the first player's choice, hidden from the second
        assert (after.mix[0], after.other[0]) == pytest.approx(EQUILIBRIUM[::-1])
        assert list(after.worth.values()) == pytest.approx([-WORTH] * 2)
        assert values.facts(start)["error"] < 1e-12


def test_rock_paper_scissors_from_its_rule_sheet():
    values, start = solved(load_game("rock_paper_scissors.kif"))
    assert values.value(start) == pytest.approx(0.0, abs=1e-9)
    assert list(values.stage(start).mix.values()) == pytest.approx([1 / 3] * 3)


@pytest.mark.parametrize("cards", [3, pytest.param(4, marks=pytest.mark.slow), pytest.param(5, marks=pytest.mark.slow)])
def test_goofspiel_is_fair(cards):
    values, start = solved(Goofspiel(cards))
    assert values.value(start) == pytest.approx(0.0, abs=1e-9)


@cache
def goofspiel(one: frozenset[int], other: frozenset[int], left: frozenset[int], prize: int) -> float:
    """What is still to be won with a prize turned up, or with 0 of them before the next one."""
    if not prize:
        return sum(goofspiel(one, other, left - {card}, card) for card in left) / len(left) if left else 0.0
    return by_linear_program(
        [
            [prize * np.sign(a - b) + goofspiel(one - {a}, other - {b}, left, 0) for b in sorted(other)]
            for a in sorted(one)
        ]
    )


@pytest.mark.few(1)
@pytest.mark.parametrize(("one", "other", "left"), [(0b0111, 0b1110, 0b1011), (0b1011, 0b0111, 0b0111)])
def test_uneven_goofspiel_is_worth_what_linear_programs_say(one, other, left):
    values, start = solved(Goofspiel(4), lead=2, hand=f"{one},{other}", left=left, prize=0, choice="0,0", first=0)
    cards = [frozenset(card + 1 for card in range(4) if held >> card & 1) for held in (one, other, left)]
    truth = 2 + goofspiel(*cards, 0)
    assert abs(truth - 2) > 0.1
    assert values.value(start) == pytest.approx(truth, abs=1e-7)
    for number in (0, 1):
        here = start.deal(number)
        truth = 2 + goofspiel(cards[0], cards[1], cards[2] - {number + 1}, number + 1)
        assert values.value(here) == pytest.approx(truth, abs=1e-7)
        asked_second = here.play(here.actions()[0])
        assert values.value(asked_second) == pytest.approx(truth, abs=1e-7)


@cache
def oshi_zumo(place: int, one: int, other: int) -> float:
    if abs(place) > 1 or one + other == 0:
        return float(np.sign(place))
    bids = [range(min(coins, 1), coins + 1) for coins in (one, other)]
    return by_linear_program(
        [[oshi_zumo(place + int(np.sign(a - b)), one - a, other - b) for b in bids[1]] for a in bids[0]]
    )


@pytest.mark.parametrize(("one", "other", "place"), [(4, 4, 0), (4, 3, 0), (3, 5, 1)])
def test_oshi_zumo_is_worth_what_linear_programs_say(one, other, place):
    values, start = solved(OshiZumo(), place=place, coins=f"{one},{other}", choice="0,0", first=0)
    assert values.value(start) == pytest.approx(oshi_zumo(place, one, other), abs=1e-7)
    assert values.win_chance(start) == pytest.approx((1 + oshi_zumo(place, one, other)) / 2, abs=1e-7)


def test_a_game_that_may_go_on_has_the_value_of_its_equation():
    values, start = solved(Again())
    assert values.value(start) == pytest.approx(AGAIN, abs=2e-9)
    facts = values.facts(start)
    assert 0.0 < facts["error"] <= 1e-9
    assert facts["sweeps"] > 5


def test_what_else_is_hidden_is_refused():
    with pytest.raises(AstragalError, match=r"solve needs one or two players; .*AuctionForThree has 3"):
        solve(Position.start(AuctionForThree()))
    forgetful = game(type("Forgetful", (Pennies,), {"__module__": __name__, "actions": by_what_was_chosen}))
    with pytest.raises(AstragalError, match="cannot see decisions before theirs; solve finds values where two"):
        solve(Position.start(forgetful()))


def by_what_was_chosen(self, state, out):
    """The second player's actions come in an order that gives away the first one's choice."""
    first = 1 if state.choice[0] == 2 else 0
    out[0], out[1] = first, 1 - first
    return 2


@pytest.mark.parametrize("weights", [(1.0, 2.0, 3.0), (0.0, 1.0, 0.0, 1.0), (4.0,), (0.0, 0.0)])
def test_choices_are_drawn_by_their_weights(weights):
    found = [drawn(weights, seed) for seed in range(1200)]
    shares = [weight / (sum(weights) or 1.0) for weight in weights] if any(weights) else [1.0, 0.0]
    assert [found.count(i) / 1200 for i in range(len(weights))] == pytest.approx(shares, abs=0.045)
    assert all(weights[i] > 0.0 for i in found) or not any(weights)


def test_a_stage_is_worth_the_same_whoever_is_asked_first():
    for place, coins in ((0, "2,3"), (0, "4,3"), (1, "3,4")):
        values, start = solved(OshiZumo(), place=place, coins=coins, choice="0,0", first=0)
        for action in start.actions():
            other = start.play(action).known()  # as the second player sees the same stage
            assert (other.turn, start.turn) == (1, 0)
            assert values.value(other) == pytest.approx(values.value(start), abs=1e-8)


def test_a_player_who_forgets_an_own_choice_is_refused():
    alone = game(type("Forgets", (Pennies,), {"__module__": __name__, "turn": one_player_chooses_twice}))
    with pytest.raises(AstragalError, match="decisions before theirs"):
        solve(Position.start(alone()))


def one_player_chooses_twice(self, state):
    return CHANCE if state.odds > 0 else TERMINAL if state.left == 0 else 0


# Play


def test_the_optimal_player_draws_from_the_mix():
    start = Position.start(Pennies())
    solve(start)
    player = load_player("optimal", Pennies())
    for here, share in ((start, EQUILIBRIUM[0]), (start.play(0), EQUILIBRIUM[1])):
        found = [player.search(here, seed) for seed in range(150)]
        heads = sum(result.action == "heads" for result in found)
        assert heads / 150 == pytest.approx(share, abs=5 * (share * (1 - share) / 150) ** 0.5)
        assert {row.action: row.share for row in found[0].actions}["heads"] == pytest.approx(share)
        assert player.search(here, 7) == player.search(here, 7)
        assert found[0].note is None
        assert exact_values(here).regret(here, 0) == pytest.approx(0.0, abs=1e-9)


@pytest.mark.slow
@pytest.mark.parametrize("bids", [(), (0, 2), (2, 0), (1, 2)])
def test_decoupled_tree_search_comes_to_the_mixed_value(bids):
    values, _ = solved(Auction())
    here = chosen(Auction(), *bids)
    grown = grow(here, "uct:simultaneous=decoupled,c=1,unit=utility", 30_000, 1)
    assert grown.root_mean == pytest.approx(values.value(here), abs=0.25)
    pessimistic = load_player("star2", Auction()).search(here, limits=Limits(depth=9))
    assert pessimistic.value <= values.value(here) + 1e-9


@pytest.mark.slow
def test_decoupled_tree_search_of_goofspiel_comes_to_the_mixed_value():
    rules = Goofspiel(4)
    values, start = solved(rules)
    here = start.deal(3).play(0).play(1).settled(1)
    assert abs(values.value(here)) > 0.5
    grown = grow(here, "uct:simultaneous=decoupled,c=1,unit=utility", 200_000, 1)
    assert grown.root_mean == pytest.approx(values.value(here), abs=0.3)
    pessimistic = load_player("star2", rules).search(here, limits=Limits(depth=9))
    assert pessimistic.value < values.value(here) - 0.3
