"""Outcomes shared out among threads: who follows which, and that each is followed as often as it is drawn."""

from __future__ import annotations

import numpy as np
import pytest

from astragal.game.interpreted import interpreted
from astragal.game.position import Position
from astragal.game.state import State
from astragal.games import load_game
from astragal.search.tree.apportion import BLOCK, MOST_TICKETS, apportions, draw_apportioned, forget_tickets
from astragal.search.tree.gather import MUCH
from astragal.search.tree.work import APPORTIONED
from support.simulations import Grown

NODE = 5
pytestmark = pytest.mark.filterwarnings("ignore:overflow:RuntimeWarning")


class Threads:
    """Threads that come to chance nodes of one tree, one after the other, run by Python."""

    def __init__(self, spec: str, threads: int, merge: str = "off") -> None:
        position = Position.start(load_game(spec))
        assert position.is_chance
        self.grown = Grown(position, f"uct:threads={threads},merge={merge}", 0, shared=True)
        self.chances = {outcome.number: outcome.probability for outcome in position.outcomes()}
        self.game, self.steps = position.game._twin_, self.grown.run.steps._twin_
        self.state, self.tree = State(position.memory), State(self.grown.store.tree)
        self.works = [State(work) for work in self.grown.run.works]

    def draw(self, thread: int, node: int = NODE) -> int:
        work = self.works[thread]
        outcome, work.generator = interpreted(draw_apportioned)(
            self.game, self.steps, self.state, self.tree, np.uint32(node), np.uint64(work.generator), work
        )
        return int(outcome)

    @property
    def waiting(self) -> int:
        """Tickets that are left, with threads and handed over."""
        held = sum(int(work["tickets"].sum()) for work in self.grown.run.works)
        return held + int(self.grown.store.shares["tickets"].sum())


@pytest.mark.parametrize("spec", ["ewn", "pig"])
@pytest.mark.parametrize("threads", [2, 3])
def test_threads_that_come_equally_often_follow_outcomes_of_their_own(spec, threads):
    """Where parts are as likely; where they are not, others help with the likely one."""
    table = Threads(spec, threads)
    drawn = [(thread, table.draw(thread)) for _ in range(300) for thread in range(threads)]
    own = sum(outcome % threads == thread for thread, outcome in drawn)
    assert own > 0.95 * len(drawn) if spec == "ewn" else own > 0.6 * len(drawn)


@pytest.mark.parametrize("often", [(1, 1), (1, 9), (1, 0), (1, 1, 8), (5, 0, 1)])
def test_outcomes_are_followed_as_often_as_by_chance_whichever_thread_is_slow(often):
    """Within what so many draws differ by, and the tickets that are left."""
    table = Threads("pig", len(often))
    rounds = 3000 // sum(often)
    order = [thread for thread, times in enumerate(often) for _ in range(times)] * rounds
    counts = dict.fromkeys(table.chances, 0)
    for thread in order:
        counts[table.draw(thread)] += 1
    assert table.waiting <= len(often) * (MOST_TICKETS + 2 * BLOCK)
    for outcome, chance in table.chances.items():
        error = 4.0 * np.sqrt(len(order) * chance) + table.waiting * chance
        assert counts[outcome] == pytest.approx(len(order) * chance, abs=error)


def test_every_outcome_drawn_is_followed_or_waits():
    table = Threads("ewn", 3)
    for number in range(1, 1000):
        table.draw((number * number) % 7 % 3)
        assert (table.waiting + number) % BLOCK == 0


def test_a_node_whose_place_is_taken_draws_as_if_alone():
    table = Threads("ewn", 2)
    assert {table.draw(0) % 2 for _ in range(50)} == {0}
    before = table.waiting
    assert {table.draw(0, NODE + APPORTIONED) for _ in range(100)} == set(table.chances)
    assert table.waiting == before


def test_tickets_are_not_taken_by_another_node():
    """A thread to which the other has handed tickets at this place, for another node."""
    table = Threads("ewn", 2)
    table.draw(0)
    handed = int(table.grown.store.shares["tickets"].sum())
    assert handed > 0
    assert {table.draw(1, NODE + APPORTIONED) % 2 for _ in range(10)} == {1}
    assert int(table.grown.store.shares["tickets"].sum()) >= handed


def test_a_tree_whose_nodes_have_other_numbers_begins_anew():
    table = Threads("ewn", 2)
    table.draw(0), table.draw(1)
    forget_tickets(table.grown.store.shares, table.grown.run.works)
    assert table.waiting == 0
    assert not table.grown.store.shares["node"].any()
    assert not any(work["apportioned_node"].any() for work in table.grown.run.works)


def test_outcomes_that_stand_for_others_are_one_threads():
    table = Threads("ewn:setup=fixed", 2, merge="on")
    assert table.steps.merge
    assert all(table.draw(1) % 2 == 1 for _ in range(20))


@pytest.mark.parametrize(
    ("threads", "gathering", "parted", "expected"),
    [(2, 3, 0, True), (1, 3, 0, False), (2, 2, 0, False), (2, 3, 1, False)],
)
def test_only_the_first_much_visited_chance_node_of_a_path_is_apportioned(threads, gathering, parted, expected):
    table = Threads("ewn", threads)
    work = table.works[0]
    work.gathering, work.parted = gathering, parted
    assert interpreted(apportions)(table.game, table.steps, 3, work) == expected


@pytest.mark.compiled
@pytest.mark.parametrize("threads", [2, 3])
def test_threads_grow_a_tree_in_which_outcomes_have_their_share(threads):
    sims = 20 * MUCH
    grown = Grown(Position.start(load_game("ewn")), f"uct:threads={threads}", sims, shared=True, megabytes=64.0)
    grown.run.run()
    visits = grown.nodes[grown.children(0)]["visits"].astype(int)
    assert grown.nodes[0]["visits"] == sims
    assert visits == pytest.approx(sims / 6, abs=5 * np.sqrt(sims / 6) + MOST_TICKETS)
