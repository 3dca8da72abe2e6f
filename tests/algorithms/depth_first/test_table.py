"""The transposition table: every depth of a state is remembered, and what is taken from it is true."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import pytest

from astragal import Limits, Position, load_player, solve
from astragal.algorithms.depth_first.entries import EXACT, LOWER, NO_MOVE, NOTHING, look_up_value, move_at, store
from astragal.algorithms.depth_first.table import KeptTable, attach, begin_era, new_table, remember, share_filled
from astragal.algorithms.depth_first.work import new_work
from astragal.algorithms.star.variant import variant_for
from astragal.base.errors import AstragalError
from astragal.compiler.interpreted import interpreted
from astragal.compiler.records import State
from astragal.games import load_game
from astragal.rules.decorator import CHANCE, TERMINAL, game
from astragal.rules.dice import Dice
from support.tree_games import Node, leaf, low, roll, top, tree

look_up_value, move_at, store, remember = (interpreted(kernel) for kernel in (look_up_value, move_at, store, remember))
KEEPING = ("exp:table=values", "star1:table=values,chances=on", "star2:table=values,prune_above=0", "star")
OPEN = -100.0, 100.0


@game
@dataclass(frozen=True)
class Race:
    """The README's game, shorter: throw a die to run, or rest to be sure of two steps. One can stand still."""

    goal: int = 7
    back: int = -2

    state = np.dtype([("at", "i2", 2), ("turn", "i1"), ("throwing", "i1")])
    max_actions, max_outcomes = 2, 3

    def turn(self, state):
        if max(state.at[0], state.at[1]) >= self.goal:
            return TERMINAL
        return CHANCE if state.throwing else state.turn

    def actions(self, state, out):
        out[0], out[1] = 0, 1
        return 2

    def play(self, state, action):
        state.throwing = action == 0
        if action == 1:
            self.step(state, 2)

    def outcomes(self, state, out):
        for face in range(3):
            out[face] = face
        return 3

    def probability(self, state, outcome):
        return 1 / 3

    def deal(self, state, outcome):
        state.throwing = 0
        self.step(state, (self.back, 2, 4)[outcome])

    def step(self, state, steps):
        state.at[state.turn] = max(0, state.at[state.turn] + steps)
        state.turn = 1 - state.turn

    def utility(self, state, player):
        return 1.0 if state.at[player] >= self.goal else -1.0


def world(seed: int) -> Position:
    """A random graph: states come back at several depths, some for ever, and evaluations are wrong."""
    dice = Dice(seed)
    layers: list[list[Node]] = [
        [(top, low, roll)[dice.below(3)](value=dice.below(9) - 4.0) for _ in range(3)] for _ in "12345"
    ]
    layers.append([leaf(float(dice.below(11) - 5)) for _ in range(4)])
    layers[0][0] = top(value=0.0)
    for number, layer in enumerate(layers[:-1]):
        for node in layer:
            for _ in range(2 + dice.below(2)):
                back = dice.below(12) == 0
                to = dice.below(number + 1) if back else number + 1 + dice.below(min(2, len(layers) - number - 1))
                child = layers[to][dice.below(len(layers[to]))]
                if all(child is not known for known in node.children):
                    node.children.append(child)
            node.weights = [1.0 + dice.below(3) for _ in node.children] if node.turn == CHANCE else []
    return tree(layers[0][0], f"world {seed}")


@pytest.mark.parametrize("player", KEEPING)
def test_a_search_that_knows_the_whole_game_is_right(player):
    """Without the horizon bit, a value from an earlier iteration is taken for the end of the game."""
    complete = 0
    for seed in range(8):
        here = world(seed)
        result = load_player(player, here.game).search(here, limits=Limits(depth=9))
        if result.complete:
            complete += 1
            assert result.value == pytest.approx(solve(here).value, abs=1e-9)
    assert complete > 2


@pytest.mark.parametrize("back", [1, -2])
def test_a_race_is_known_to_its_end_or_not_at_all(back):
    """States come back at many depths; where a throw may lead back, the game can go on for ever."""
    here = Position.start(Race(4, back))
    truth, found = solve(here).value, []
    for depth in range(1, 9):
        result = load_player("star:leaf=decision", here.game).search(here, limits=Limits(depth=depth))
        found.append(result.complete)
        assert not result.complete or result.value == pytest.approx(truth, abs=1e-9)
    assert found[-1] == (back > 0)


def test_pig_near_its_end_is_known_or_not_at_all():
    here = Position.parse(load_game("pig:goal=10,dice=1"), "8 9 0 1 roll")
    for depth in range(1, 7):
        result = load_player("star", here.game).search(here, limits=Limits(depth=depth))
        assert not result.complete or result.value == pytest.approx(solve(here).value, abs=1e-9)


@pytest.mark.parametrize("player", ["star", "starss:width=2", "star2:table=values,null=1,prune_above=0"])
def test_values_hold_for_the_search_where_every_iteration_finds_the_same(player):
    work, variant = table_of(1.0), variant_for(load_player(player))
    begin_era(work, variant.lasting)
    kept = State(work)
    remember(kept, key(1), 4, 7, 2.5, EXACT, 0)
    begin_era(work, variant.lasting)
    assert look_up_value(kept, key(1), 4, *OPEN) == ((EXACT, 2.5, 7) if player == "star" else (NOTHING, 0.0, 7))


# Entries


def key(number: int) -> np.uint64:
    return np.uint64(number * 0x9E3779B97F4A7C15 % 2**64)


def table_of(megabytes: float) -> np.ndarray:
    """A work record with a table of values, which lives as long as it."""
    work = new_work(*OPEN)
    work["table_values"] = 1
    TABLES.append(new_table(megabytes))
    attach(work, TABLES[-1])
    begin_era(work, True)
    return work


TABLES: list[KeptTable] = []


def test_each_depth_of_a_state_has_its_own_entry_and_the_move_of_the_depth_below():
    work = State(table_of(1.0))
    for depth in range(2, 40):
        assert look_up_value(work, key(3), depth, *OPEN)[2] == (NO_MOVE if depth == 2 else depth - 1)
        store(work, key(3), depth, depth, depth / 8, EXACT, 1)
    for depth in range(2, 40):
        assert look_up_value(work, key(3), depth, *OPEN) == (EXACT, depth / 8, depth)
    assert look_up_value(work, key(4), 5, *OPEN) == (NOTHING, 0.0, NO_MOVE)


def test_what_met_no_horizon_holds_at_every_greater_depth_and_nothing_else_does():
    work = State(table_of(1.0))
    store(work, key(1), 3, 7, 0.5, EXACT, 0)
    store(work, key(2), 3, 7, 0.5, EXACT, 1)
    for depth in (4, 5, 6):  # iterations deepen by one
        assert look_up_value(work, key(1), depth, *OPEN) == (EXACT, 0.5, 7)
        assert look_up_value(work, key(2), depth, *OPEN)[0] == NOTHING
    assert work.trusted == 0
    assert look_up_value(work, key(1), 2, *OPEN)[0] == NOTHING
    assert look_up_value(work, key(2), 3, *OPEN)[0] == EXACT
    assert work.trusted == 1


@pytest.mark.parametrize("column", range(4))
def test_a_torn_entry_is_about_no_state(column):
    """One of its words is that of another entry."""
    record = table_of(0.001)
    work = State(record)
    store(work, key(1), 3, 7, 0.5, EXACT, 0)
    words = TABLES[-1].entries.view(np.uint64).reshape(-1, 4)
    row = np.flatnonzero(words[:, 3])[0]
    assert look_up_value(work, key(1), 3, *OPEN)[0] == EXACT
    words[row, column] ^= np.uint64(1 << 33)
    assert look_up_value(work, key(1), 3, *OPEN) == (NOTHING, 0.0, NO_MOVE)


def test_a_table_grows_without_losing_anything():
    record = table_of(4.0)
    work, lines = State(record), set()
    for number in range(1100):
        store(work, key(number), 2 + number % 7, number, number / 4, EXACT, 1)
        lines.add(int(work.table_mask) + 1)
    assert lines == {1024, 2048}
    assert int(work.table_stored) == 1100
    known = [move_at(work, key(number), 2 + number % 7) == number for number in range(1100)]
    assert share_filled(record) == 1100 / 131072
    assert sum(known) == 1100  # five entries for the same two lines are rare


def test_entries_in_the_line_before_their_own_are_found_when_the_table_has_grown():
    """Four of one line, which stay there, and four that move up."""
    work, crowded = State(table_of(4.0)), [np.uint64(low + (k << 11)) for low in (100, 300 + 1024) for k in range(4)]
    assert work.table_mask == 1023
    for move, each in enumerate(crowded):
        store(work, each, 9, move, 0.0, EXACT, 1)
    for number in range(1100):
        store(work, np.uint64(400 + number % 600), 2 + number // 600, number, 0.0, EXACT, 1)
    assert work.table_mask == 2047
    assert [move_at(work, each, 9) for each in crowded] == list(range(8))


def test_what_is_stored_again_takes_the_place_of_what_was():
    work = State(table_of(0.001))
    for move in (7, 8):
        store(work, key(1), 3, move, move / 8, EXACT, 1)
        assert look_up_value(work, key(1), 3, *OPEN) == (EXACT, move / 8, move)
    assert np.count_nonzero(TABLES[-1].entries["era"]) == 1


def test_new_entries_find_a_place_in_a_full_table_and_deep_ones_stay():
    work = State(table_of(0.001))
    for number in range(200):
        store(work, key(number), 9 if number < 4 else 2, number, 0.0, EXACT, 1)
        assert move_at(work, key(number), 9 if number < 4 else 2) == number
    assert [move_at(work, key(number), 9) for number in range(4)] == [0, 1, 2, 3]
    assert int(work.table_mask) + 1 == 16


def test_a_bound_is_not_lost_to_a_probe_that_found_none():
    work = State(table_of(0.001))
    store(work, key(1), 3, 7, 0.5, LOWER, 1)
    store(work, key(1), 3, 8, 9.0, NOTHING, 1)
    assert look_up_value(work, key(1), 3, -1.0, 0.0) == (LOWER, 0.5, 7)


def test_an_era_does_not_wrap_and_an_older_search_leaves_nothing():
    table = new_table(0.001)
    for _ in range(2):
        work = new_work(*OPEN)
        work["table_values"] = 1
        attach(work, table)
        begin_era(work, True)
        assert look_up_value(State(work), key(1), 3, *OPEN) == (NOTHING, 0.0, NO_MOVE)
        store(State(work), key(1), 3, 7, 0.5, EXACT, 0)
        assert look_up_value(State(work), key(1), 3, *OPEN)[0] == EXACT
    assert work["table_era"].dtype == table.entries["era"].dtype == np.uint64


# Memory


def test_a_limit_that_the_machine_has_not_is_refused_in_a_sentence(monkeypatch):
    monkeypatch.setattr("astragal.algorithms.depth_first.table.machine_megabytes", lambda: 100.0)
    with pytest.raises(AstragalError, match="memory=101 is more than this machine has, 100 MB: set a smaller memory"):
        new_table(101)


def test_the_result_says_how_full_the_table_was():
    here = Position.start(Race())
    full = load_player("star:memory=0.001,leaf=decision", here.game).search(here, limits=Limits(depth=5))
    assert full.table_filled is not None
    assert 0.5 < full.table_filled <= 1.0
    assert "of its memory limit filled" in str(full)
    assert load_player("star2", here.game).search(here, limits=Limits(depth=3)).table_filled is None


def test_the_limit_is_a_part_of_the_text():
    assert "memory=64" in str(load_player("star:memory=64"))
    assert "memory" not in str(load_player("star"))
