"""Bounds of chance nodes by the table and the game change how much is searched, never what is found."""

from __future__ import annotations

import numpy as np
import pytest

from astragal import Limits, Position, game, load_game, load_player
from astragal.algorithms.star.outcomes import merged_outcomes
from astragal.compiler.interpreted import run_interpreted
from astragal.rules.dice import Dice
from support.helpers import fewer
from support.star_searches import TOLERANCE, Job, position, positions, random_step
from support.tree_games import random_tree

EWN_START = "123../45.../6...f/...ed/..cba 1 3"
KNOWN = {"table": "values", "chances": True, "ceilings": True}


def best(here: Position, values: list[float]) -> float:
    return min(values) if here.turn == 1 else max(values)


@pytest.mark.few(1)
@pytest.mark.parametrize(
    ("name", "depth", "count"),
    [
        ("tree", 5, 6),
        pytest.param("tree", 5, 12, marks=pytest.mark.slow),
        pytest.param("ewn", 4, 12, marks=pytest.mark.slow),
        pytest.param("pig", 3, 12, marks=pytest.mark.slow),
    ],
)
@pytest.mark.parametrize("players", [("exp", "star"), ("expss", "starss")], ids=["exact", "sampled"])
@pytest.mark.parametrize("prune_above", [0, 1, 2])
def test_informed_searches_find_the_same_values(name, depth, count, players, prune_above):
    full, informed = players
    for number, here in enumerate(positions(name, count)):
        options = {"seed": number, "width": "5-3-2", "merge": False, "memory": 0.01}
        expected = Job(here, full, depth, **options).root()
        found = Job(here, informed, depth, prune_above=prune_above, **options).root()
        assert best(here, found) == pytest.approx(best(here, expected), abs=TOLERANCE)


def test_expectimax_too_may_know_chance_nodes():
    for number, here in enumerate(positions("tree", 8)):
        plain = Job(here, "exp", 4, seed=number).root()
        assert Job(here, "exp", 4, seed=number, **KNOWN).root() == pytest.approx(plain, abs=TOLERANCE)


def test_every_node_of_an_informed_search_is_what_the_definition_says():
    for spec, text, depth in [("ewn", EWN_START, 2), ("pig:goal=30", "12 15 6 1 decide", 2)]:
        here = position(spec, text)
        for player in ("star", "starss:width=3"):
            chosen = load_player(f"{player}{',' if ':' in player else ':'}check=on", here.game)
            result = chosen.search(here, 1, Limits(depth=depth))
            assert result.counts["checks"] > 0
            assert result.counts["disagreements"] == 0


def test_in_ewn_an_evaluation_before_the_roll_is_that_after_it_so_star_finds_what_exp_finds():
    game = load_game("ewn")
    assert load_player("star", game).leaf == load_player("starss", game).leaf == "afterstate"
    for here in positions("ewn", 6):
        found, expected = (load_player(name, game).search(here, 1, Limits(depth=2)) for name in ("star", "exp"))
        assert found.value == pytest.approx(expected.value, abs=TOLERANCE)
        assert here.is_terminal or found.nodes < expected.nodes


def test_star_evaluates_before_the_roll_where_evaluations_do_not_look_at_it_and_in_ra():
    before, after = "afterstate", "decision"
    for spec, leaf, sampled in [
        ("ewn", before, before),
        ("backgammon", before, before),
        ("pig", after, after),
        ("ra", before, after),
    ]:
        game = load_game(spec)
        assert (load_player("star", game).leaf, load_player("starss", game).leaf) == (leaf, sampled)
        assert load_player("star2", game).leaf == "decision"
        assert str(load_player("star", game)) == f"star:leaf={leaf}"
        assert load_player("star", game).text_for(game) == "star"


def test_samples_that_belong_to_a_path_are_not_taken_from_the_table():
    """A chance node met again on another path has other samples, so the table must not answer for it."""
    for options in ({"key": "path"}, {"common": True}):
        for number in range(8):
            here = random_tree(number, breadth=6, ends=10, loops=True)
            job = {"seed": number, "width": "2", "merge": False} | options
            expected = Job(here, "expss", 4, **job).root()
            assert best(here, Job(here, "starss", 4, **job).root()) == pytest.approx(best(here, expected), abs=1e-9)


@pytest.mark.slow
def test_chance_nodes_in_the_table_and_ceilings_save_nodes():
    here = position("ewn", EWN_START)
    nodes = {
        settings: load_player(f"star2:table=values,merge=off,{settings}", here.game)
        .search(here, 1, Limits(depth=5))
        .nodes
        for settings in ("chances=off", "chances=on", "chances=on,ceilings=on,prune_above=1")
    }
    off, on, bounded = nodes.values()
    assert bounded < on < off


@game
class Climb:
    """Two players take turns with a die; a step up is worth a point. What a value can become is known exactly."""

    state = np.dtype([("height", "i1"), ("die", "i1"), ("turn", "i1"), ("left", "i1")])
    max_actions = 2
    max_outcomes = 3
    utility_range = (-20.0, 20.0)

    def start(self, state, dice):
        state.left = 9

    def turn(self, state):
        return -2 if state.left == 0 else -1 if state.die == 0 else state.turn

    def actions(self, state, out):
        out[0], out[1] = 0, 1
        return 2

    def play(self, state, action):
        step = state.die if action == 0 else state.die - 2
        state.height += step if state.turn == 0 else -step
        state.die = 0
        state.turn = 1 - state.turn
        state.left -= 1

    def outcomes(self, state, out):
        for i in range(3):
            out[i] = i + 1
        return 3

    def probability(self, state, outcome):
        return 1 / 3

    def deal(self, state, outcome):
        state.die = outcome

    def utility(self, state, player):
        return float(state.height if player == 0 else -state.height)

    def heuristic(self, state, player):
        return self.utility(state, player)

    def ceiling(self, state, player, decisions):
        own = decisions + (state.turn == player) >> 1
        return min(20.0, self.utility(state, player) + 3.0 * own + 1.0 * (decisions - own))


def test_a_game_of_ones_own_may_bound_its_values():
    here = Position.start(Climb(), 1)
    plain, bounded = (
        load_player(f"star1:table=off,ceilings={on},prune_above=0", here.game).search(here, 1, Limits(depth=4))
        for on in ("off", "on")
    )
    assert bounded.value == pytest.approx(plain.value, abs=TOLERANCE)
    assert bounded.nodes < 0.8 * plain.nodes
    assert bounded.counts["ceiling_cuts"] > 0


def test_no_value_of_ewn_rises_above_its_ceiling():
    rules = load_game("ewn")
    reached = 0
    for number in range(60):
        dice = Dice(number)
        here = Position.start(rules, number)
        for _ in range(dice.below(50)):
            if not here.is_terminal:
                here = random_step(here, dice)
        if here.is_terminal:
            continue
        bounds = [[rules._twin_.ceiling(here._state, player, left) for left in range(7)] for player in range(2)]
        made = 0
        while made <= 6 and not here.is_terminal:
            for player in range(2):
                for left in range(made, 7):
                    assert rules._twin_.heuristic(here._state, player) <= bounds[player][left]
                    reached += rules._twin_.heuristic(here._state, player) == bounds[player][left]
            made += not here.is_chance
            here = random_step(here, dice)
        if here.is_terminal and made <= 6:
            for player in range(2):
                assert all(here.utilities()[player] <= bounds[player][left] for left in range(made, 7))
    assert reached > 20  # it is no looser than it need be


@game
class Backwards(Climb):
    """The same with the better action last: what is cut wrongly is missed."""

    def actions(self, state, out):
        out[0], out[1] = 1, 0
        return 2


@game
class Above(Backwards):
    """The same in a range from 0: the values of both add up to its ends, as `astragal check` asks."""

    utility_range = (0.0, 40.0)
    middle = 20.0

    def utility(self, state, player):
        return self.middle + (state.height if player == 0 else -state.height)

    def ceiling(self, state, player, decisions):
        own = decisions + (state.turn == player) >> 1
        return min(self.middle + 20.0, self.utility(state, player) + 3.0 * own + 1.0 * (decisions - own))


@game
class Below(Above):
    """The same in a range up to 0."""

    utility_range = (-40.0, 0.0)
    middle = -20.0


@pytest.mark.parametrize("rules", [Backwards(), Above(), Below()], ids=["around 0", "from 0", "up to 0"])
def test_what_a_window_is_answered_with_is_exact_or_a_bound_on_its_side(rules):
    """Fail-soft, also where what is known of a chance node ends its search; what one window stored serves the next."""
    low, high = rules.utility_range
    for seed in range(4):
        here = Position.start(rules, seed).settled(seed)
        true = Job(here, "exp", 3, seed).true_value()
        job = Job(here, "star", 3, seed, prune_above=0, **KNOWN)
        for start in np.linspace(low, high, 9)[:-1]:
            alpha, beta = start, start + (high - low) / 8
            found = job.window(alpha, beta)
            assert found >= beta or found >= true - TOLERANCE
            assert found <= alpha or found <= true + TOLERANCE


@pytest.mark.few(4)
@pytest.mark.parametrize("rules", [Backwards(), Above(), Below()], ids=["around 0", "from 0", "up to 0"])
@pytest.mark.parametrize("player", ["star", "starss:width=2", "starss:width=2,control=on", "star:keep=on"])
def test_bounds_never_change_a_value(rules, player):
    name, _, settings = player.partition(":")
    for seed in range(fewer(20)):
        here = Position.start(rules, seed).settled(seed)
        plain = {"star": "exp", "starss": "expss"}[name] + (f":{settings}" if settings else "")
        expected = load_player(plain, rules).search(here, seed, Limits(depth=4)).value
        assert load_player(player, rules).search(here, seed, Limits(depth=4)).value == pytest.approx(expected, abs=1e-9)


@game
class Alone(Climb):
    """The same for one player, of whom alone a ceiling can be asked."""

    players = 1
    zero_sum = False

    def play(self, state, action):
        state.height += state.die if action == 0 else state.die - 2
        state.die = 0
        state.left -= 1

    def ceiling(self, state, player, decisions):
        if player != 0:
            return -20.0  # no position: a search that uses this cuts everything
        return min(20.0, self.utility(state, 0) + 3.0 * decisions)


def test_a_ceiling_of_one_player_bounds_nobody_else():
    here = Position.start(Alone(), 1).settled(1)
    found = [load_player(name, here.game).search(here, 1, Limits(depth=4)).value for name in ("exp", "star")]
    assert found[0] == pytest.approx(found[1], abs=TOLERANCE)


@pytest.mark.parametrize("stands_for", [[0, 0, 2, 2, 0], [4, 1, 4, 1, 4], [0, 1, 2, 3, 4], [3, 3, 3, 3, 3]])
def test_outcomes_are_merged_whichever_stands_for_them(stands_for):
    class Listed:
        def representative(self, state, outcome):
            return stands_for[outcome]

    outcomes, chances = np.arange(5, dtype=np.uint32), np.array([0.1, 0.2, 0.3, 0.15, 0.25])
    before = chances.copy()
    left = run_interpreted(merged_outcomes, Listed(), None, outcomes, chances, 5)
    merged = dict(zip(outcomes[:left].tolist(), chances[:left], strict=True))
    assert set(merged) == set(stands_for)
    for outcome, chance in merged.items():
        expected = sum(before[i] for i in range(5) if stands_for[i] == outcome)
        assert chance == pytest.approx(expected)
