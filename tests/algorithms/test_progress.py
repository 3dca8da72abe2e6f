"""The reports of a running search, and how another thread ends it."""

from __future__ import annotations

import os
import signal
import threading

import pytest

import astragal
from astragal.algorithms.depth_first.deepening import DepthFirstSearch
from astragal.algorithms.limits import Limits
from astragal.algorithms.progress import Paced, next_report
from astragal.base.errors import Stopped
from astragal.base.interruptible import Switch, answered_when_interrupted, stoppable_by
from astragal.solvers.exact import solve

SEARCHES = ("star2:depth=3", "alphabeta:depth=4", "paranoid:depth=3", "uct:sims=4000", "mcs:sims=4000")
UCT = ("uct:sims=4000,final=robust", "uct:sims=4000,reuse=on")


def compiled_uct(default, players):
    """All but the default ones are slow; those that simulate report little in the time that Python takes."""
    marks = {True: [pytest.mark.compiled], False: []}
    return [
        pytest.param(player, marks=marks[player.startswith("uct")] + [pytest.mark.slow] * (player not in default))
        for player in players
    ]


def position_for(player):
    game = "tic_tac_toe" if player.startswith(("alphabeta", "paranoid")) else "ewn"
    return astragal.start(game).settled(3)


@pytest.mark.parametrize("player", compiled_uct(["star2:depth=3", "uct:sims=4000"], SEARCHES))
def test_the_last_thing_told_is_the_answer_or_less(player):
    position, told = position_for(player), []
    chosen = astragal.load_player(player, position.game)
    result = chosen.search(position, progress=told.append)
    assert told
    assert all(found.player == chosen.text_for(position.game) and found.position == position.text for found in told)
    assert all({row.number for row in found.actions} == set(position.actions()) for found in told)
    assert [found.nodes for found in told] == sorted(found.nodes for found in told)
    assert all(found.tree is None for found in told)
    assert told[-1].depth <= result.depth
    if told[-1].nodes == result.nodes:
        assert (told[-1].action, told[-1].value, told[-1].actions) == (result.action, result.value, result.actions)


@pytest.mark.parametrize("player", compiled_uct(["star2:depth=3", UCT[0]], (*SEARCHES, *UCT)))
def test_who_looks_on_changes_nothing(player):
    position = position_for(player)
    chosen = astragal.load_player(player, position.game)
    alone = chosen.search(position, seed=5)
    watched = chosen.search(position, seed=5, progress=Paced(lambda found: None, 0.001))
    for name in ("action", "value", "actions", "nodes", "simulations", "line"):
        assert getattr(alone, name) == getattr(watched, name)


def test_reports_come_at_the_pace_asked_for_and_never_later_than_doubled():
    paced = Paced(lambda found: None, 0.25)
    assert next_report(paced, 1000, 1.0) == 1250
    assert next_report(paced, 1000, 0.01) == 2000
    assert next_report(paced, 1, 100.0) == 2
    assert next_report(print, 1000, 1.0) == 2000
    assert next_report(None, 0, 0.0) == 1


def test_nodes_are_counted_between_iterations():
    """A paced listener receives the last iteration again, with more nodes, as long as the next one takes."""
    position, switch, told = astragal.start("ewn").settled(3), Switch(), []
    chosen = astragal.load_player("star1", position.game)

    def hear(found):
        told.append(found)
        if len(told) > 2 and told[-1].depth == told[-2].depth == told[-3].depth:
            switch.stop()

    with stoppable_by(switch):
        chosen.search(position, limits=Limits(time=86400.0), progress=Paced(hear, 0.05))
    *_, first, second, third = told[: 1 + next(i for i in range(2, len(told)) if told[i].depth == told[i - 2].depth)]
    assert first.actions == second.actions == third.actions
    assert first.nodes < second.nodes < third.nodes
    assert first.seconds < second.seconds < third.seconds


@pytest.mark.parametrize("player", compiled_uct(["star2", "uct"], ["star2", "uct", "mcs", "hybrid"]))
def test_another_thread_ends_a_search_and_gets_its_answer(player):
    """Without the switch each of these would go on for a day."""
    position = astragal.start("kalah" if player == "hybrid" else "ewn").settled(3)
    chosen, switch, answers = astragal.load_player(player, position.game), Switch(), []
    begun = threading.Event()

    def search():
        with stoppable_by(switch):
            answers.append(chosen.search(position, limits=Limits(time=86400.0), progress=lambda found: begun.set()))

    thread = threading.Thread(target=search)
    thread.start()
    if player != "hybrid":  # whose first part reports nothing
        assert begun.wait(300)
    switch.stop()
    thread.join(300)
    assert answers
    assert answers[0].action_number in position.actions()


def test_a_solver_that_is_stopped_has_no_answer(monkeypatch, tmp_path):
    """Nor does it keep what it had, which is no solution."""
    monkeypatch.setenv("ASTRAGAL_CACHE", str(tmp_path))
    for game in ("tic_tac_toe", "kalah:pits=3"):
        position, switch = astragal.start(game), Switch()
        switch.stop()
        with stoppable_by(switch), pytest.raises(Stopped):
            solve(position)
    assert not list(tmp_path.rglob("*.npz"))


def test_a_switch_that_is_off_ends_a_search_before_it_begins():
    position, switch = astragal.start("ewn").settled(3), Switch()
    switch.stop()
    with stoppable_by(switch):
        stopped = astragal.search(position, "star2:time=3600")
        few = astragal.search(position, "uct:sims=300,rollout=1")
    assert stopped.depth == 0
    assert few.simulations is not None
    assert few.simulations < 300
    assert astragal.search(position, "uct:sims=300,rollout=1").simulations == 300


# Ctrl-C


class CtrlC:
    """Presses Ctrl-C once, at the first report of a search."""

    pressed = False

    def __call__(self, _found):
        if not self.pressed:
            self.pressed = True
            os.kill(os.getpid(), signal.SIGINT)


@pytest.mark.parametrize("player", compiled_uct(["star2", "uct"], ["star2", "star1ss", "uct", "mcs"]))
def test_ctrl_c_is_answered_with_what_was_found_where_that_is_asked_for(player):
    position = astragal.start("ewn").settled(3)
    chosen = astragal.load_player(player, position.game)
    with answered_when_interrupted():
        result = chosen.search(position, limits=Limits(time=600), progress=CtrlC())
    assert result.interrupted
    assert result.action_number in position.actions()
    assert result.value is not None
    with pytest.raises(KeyboardInterrupt):
        chosen.search(position, limits=Limits(time=600), progress=CtrlC())


def test_ctrl_c_before_anything_is_known_raises(monkeypatch):
    position = astragal.start("ewn").settled(3)
    chosen = astragal.load_player("star2", position.game)
    chosen.search(position, limits=Limits(nodes=10))  # compiled
    monkeypatch.setattr(DepthFirstSearch, "deepen", lambda self: signal.raise_signal(signal.SIGINT))
    with answered_when_interrupted(), pytest.raises(KeyboardInterrupt):
        chosen.search(position, limits=Limits(nodes=10))
