"""Outcomes shared out among threads: who follows which, and that each is followed as often as it is drawn."""

from __future__ import annotations

import numpy as np
import pytest

from astragal.algorithms.tree.sharing import BLOCK, MOST_TICKETS, MUCH, VISITS_A_TICKET, apportions, draw_apportioned
from astragal.algorithms.tree.work import APPORTIONED
from astragal.compiler.interpreted import interpreted
from astragal.compiler.records import State
from astragal.games import load_game
from astragal.rules.checks.promise import random_game
from astragal.rules.position import Position
from support.simulations import Grown

NODE = 5
MANY = MOST_TICKETS * VISITS_A_TICKET  # visits from which on as many tickets wait as may
pytestmark = pytest.mark.filterwarnings("ignore:overflow:RuntimeWarning")


class Threads:
    """Threads that come to chance nodes of one tree, one after the other, run by Python."""

    def __init__(self, here: str | Position, threads: int, merge: str = "off") -> None:
        position = Position.start(load_game(here)) if isinstance(here, str) else here
        assert position.is_chance
        self.grown = Grown(position, f"uct:threads={threads},merge={merge}", 0, shared=True)
        self.chances = {outcome.number: outcome.probability for outcome in position.outcomes()}
        self.game, self.steps = position.game._twin_, self.grown.run.steps._twin_
        self.state, self.tree = State(position.memory), State(self.grown.store.tree)
        self.works = [State(work) for work in self.grown.run.works]

    def draw(self, thread: int, node: int = NODE, seen: int = MANY) -> int:
        work = self.works[thread]
        outcome, work.generator = interpreted(draw_apportioned)(
            self.game, self.steps, self.state, self.tree, np.uint32(node), seen, np.uint64(work.generator), work
        )
        return int(outcome)

    @property
    def handed_over(self) -> int:
        return int(self.grown.store.shares["tickets"].sum())

    @property
    def waiting(self) -> int:
        """Tickets that are left, with threads and handed over."""
        return self.handed_over + sum(int(work["tickets"].sum()) for work in self.grown.run.works)


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
    """Within what this many draws differ by, and the tickets that are left."""
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


@pytest.mark.parametrize("visits", [MUCH, 2 * MUCH, MANY, 100 * MANY])
def test_few_tickets_wait_where_there_are_few_visits(visits):
    """For a thread that never comes."""
    table = Threads("ewn", 2)
    handed = [table.handed_over for _ in range(300) if table.draw(0, seen=visits) >= 0]
    assert 0 < max(handed) <= min(MOST_TICKETS, visits // VISITS_A_TICKET)


def test_a_node_whose_place_is_taken_draws_as_if_alone():
    """For every thread, whichever of them came to the other node first."""
    table = Threads("ewn", 2)
    assert {table.draw(0) % 2 for _ in range(50)} == {0}
    before = table.waiting
    for thread in range(2):
        assert {table.draw(thread, NODE + APPORTIONED) for _ in range(100)} == set(table.chances)
    assert table.waiting == before


def test_outcomes_that_stand_for_others_are_one_threads():
    """Cubes that were taken move others, so several faces of the die are one outcome."""
    game = load_game("ewn")
    here = next(
        position
        for seed in range(50)
        for position in random_game(game, seed)
        if position.is_chance and len(representatives(position)) < 5
    )
    table = Threads(here, 2, merge="on")
    assert table.steps.merge
    drawn = [table.draw(thread) for _ in range(400) for thread in range(2)]
    for outcome, chance in representatives(here).items():
        assert drawn.count(outcome) == pytest.approx(chance * 800, abs=4 * np.sqrt(800 * chance) + table.waiting)
    assert set(drawn) == set(representatives(here))


def representatives(position: Position) -> dict[int, float]:
    """The outcomes that stand for all, and how likely those are together."""
    found: dict[int, float] = {}
    for outcome in position.outcomes():
        chosen = int(position._rules.representative(position._state, outcome.number))
        found[chosen] = found.get(chosen, 0.0) + outcome.probability
    return found


@pytest.mark.parametrize(
    ("threads", "gathering", "apportioned", "expected"),
    [(2, 3, 0, True), (1, 3, 0, False), (2, 2, 0, False), (2, 3, 1, False)],
)
def test_only_the_first_much_visited_chance_node_of_a_path_is_apportioned(threads, gathering, apportioned, expected):
    table = Threads("ewn", threads)
    work = table.works[0]
    work.gathering, work.apportioned = gathering, apportioned
    assert interpreted(apportions)(table.steps, 3, work) == expected


@pytest.mark.interpreted
def test_every_simulation_of_a_thread_follows_its_outcomes():
    table = Threads("ewn", 2)
    nodes, work = table.grown.store.nodes, table.grown.run.works[1]
    nodes[0]["visits"], work["sim_limit"] = MANY, 12
    table.grown.work = work
    table.grown.interpreted()
    followed = [int(nodes[child]["action"]) for child in table.grown.children(0)]
    assert len(followed) > 1
    assert {outcome % 2 for outcome in followed} == {1}


@pytest.mark.parametrize("renumbered", ["make room", "another search"])
def test_a_tree_whose_nodes_have_other_numbers_begins_anew(renumbered):
    grown = Grown(Position.start(load_game("ewn")), "uct:threads=2", 1, shared=True, megabytes=0.01)
    shares, works = grown.store.shares, grown.run.works
    grown.store.forward = np.zeros(len(grown.store.nodes), np.uint32)
    shares["node"], shares["tickets"], works[1]["tickets"] = 99, 5, 7
    if renumbered == "make room":
        grown.store.tree["full"] = 1
        grown.run.make_room(grown.store)
    else:
        grown.run.run()
    assert not any(each.any() for each in (shares["node"], shares["tickets"], works[1]["tickets"]))


@pytest.mark.compiled
@pytest.mark.few(1)
@pytest.mark.parametrize(("spec", "threads"), [("pig", 4), ("pig", 2), ("ewn", 8)])
def test_threads_grow_a_tree_in_which_outcomes_have_their_share(spec, threads):
    """Also where there are more threads than outcomes, and where an outcome is more likely than others."""
    sims = 20 * MUCH
    here = Position.start(load_game(spec))
    grown = Grown(here, f"uct:threads={threads}", sims, shared=True, megabytes=64.0)
    grown.run.run()
    assert grown.nodes[0]["visits"] == sims
    assert grown.store.shares["node"][0] == 1
    visits = {int(grown.nodes[child]["action"]): int(grown.nodes[child]["visits"]) for child in grown.children(0)}
    for outcome in here.outcomes():
        expected = sims * outcome.probability
        error = 5 * np.sqrt(expected) + (MOST_TICKETS + 2 * BLOCK) * outcome.probability
        assert visits[outcome.number] == pytest.approx(expected, abs=error)
