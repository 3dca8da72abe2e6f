"""Long loops in methods of users' games: machine code leaves them where a search was stopped and goes on."""

from __future__ import annotations

import os
import signal
import threading
import time

import pytest

from astragal import load_game, load_player, start
from astragal.algorithms.limits import Limits
from astragal.base import interruptible
from astragal.base.errors import GameError, Stopped
from astragal.base.interruptible import Switch, helping_thread, run_interruptible, stoppable_by
from astragal.base.leaving import LEAVING, end_work, is_leaving, leave_loops
from test_user_mistakes import AT, SOURCE

WAITING = """
    def wait(self, state):
        total = 0
        for _ in range(9_000_000):
            total = max(total, self.rest(state))
        return total

    def rest(self, state):
        total = state.total
        for i in range(9_000_000):
            total = total * 1103515245 + i
        return total

    def heuristic(self, state, player):
        return 0.0
"""  # two loops of two methods, each counted by itself, so that it takes hours until ten million rounds are over

METHODS = {  # where a game waits -> what it does then, and a player that gets there
    "turn(self, state)": ("return 1", "uct"),
    "actions(self, state, out)": ("return 1", "star2:depth=40"),
    "play(self, state, action)": ("state.total += 1", "uct"),
    "utility(self, state, player)": ("return 1.0", "uct"),
    "heuristic(self, state, player)": ("return 1.0", "star2:depth=40"),
}
LATE = rf"a loop went on after the search was to stop {AT} \(game\.py line \d+, .*in "


def game_that_waits(folder, method):
    """A game of which a method does not come to an end, as soon as the total is 3."""
    then, _ = METHODS[method]
    source, heading = SOURCE + WAITING, f"    def {method}:\n"
    assert source.count(heading) == 1
    waiting = f"        if state.total > 2 and self.wait(state) == 7:\n            {then}\n"
    file = folder / "game.py"
    file.write_text(source.replace(heading, heading + waiting), encoding="utf-8")
    return load_game(str(file))


@pytest.mark.slow
@pytest.mark.parametrize("method", METHODS)
def test_a_limit_on_time_and_ctrl_c_end_a_method_that_does_not(method, tmp_path):
    rules = game_that_waits(tmp_path, method)
    player, sentence = load_player(METHODS[method][1], rules), LATE + method.partition("(")[0]
    with pytest.raises(GameError, match=sentence):
        player.search(start(rules), 0, Limits(time=0.2))
    timer = threading.Timer(0.5, os.kill, (os.getpid(), signal.SIGINT))  # compiled by now
    timer.start()
    with pytest.raises(Stopped, match=f"interrupted: {sentence}"):
        player.search(start(rules), 0, Limits(depth=40) if "star" in METHODS[method][1] else Limits(sims=10**9))
    assert LEAVING.value == 0


@pytest.mark.slow
def test_other_searches_go_on_meanwhile(tmp_path):
    """They leave no loop, although theirs look whether they are to."""
    rules, sound = game_that_waits(tmp_path, "play(self, state, action)"), tmp_path / "sound.py"
    short = WAITING.replace("9_000_000", "300")
    waiting = "        if self.wait(state) == 7:\n            state.total += 1\n"
    heading = "    def play(self, state, action):\n"
    sound.write_text((SOURCE + short).replace(heading, heading + waiting), encoding="utf-8")
    other = load_game(str(sound))
    player = load_player("uct", other)
    alone = player.search(start(other), 3, Limits(sims=50))

    errors = []

    def stuck():
        with pytest.raises(GameError, match=LATE) as error:
            load_player("uct", rules).search(start(rules), 0, Limits(time=0.01))
        errors.append(error)

    thread = threading.Thread(target=stuck)
    thread.start()
    while thread.is_alive():
        assert player.search(start(other), 3, Limits(sims=50)).value == alone.value
    assert errors


def until_it_is_to_leave(then=None):
    def task():
        while not is_leaving():
            time.sleep(0.001)
        if then is not None:
            raise then
        return "left"

    return task


@pytest.fixture
def impatient(monkeypatch):
    monkeypatch.setattr(interruptible, "PATIENCE_SECONDS", 0.01)
    monkeypatch.setattr(interruptible, "LOOK_SECONDS", 0.01)


def test_a_task_that_does_not_stop_in_time_is_to_leave_its_loops(impatient):
    stops = []
    assert run_interruptible(until_it_is_to_leave(), lambda: stops.append(1), 0.01) == "left"
    assert stops
    assert LEAVING.value == 0


def test_a_task_that_a_switch_does_not_stop_is_to_leave_its_loops(impatient):
    switch = Switch()
    threading.Timer(0.02, switch.stop).start()
    with stoppable_by(switch):
        assert run_interruptible(until_it_is_to_leave(), lambda: None, 1e6, partial=True) == "left"
    assert LEAVING.value == 0


@pytest.mark.parametrize(("error", "kind"), [(GameError("at a state"), Stopped), (None, KeyboardInterrupt)])
def test_ctrl_c_says_which_method_went_on(impatient, monkeypatch, error, kind):
    def interrupted(*_):
        raise KeyboardInterrupt

    monkeypatch.setattr(interruptible, "is_done_before", interrupted)
    with pytest.raises(kind, match="interrupted: at a state" if error else None):
        run_interruptible(until_it_is_to_leave(error), lambda: None, 9.0)
    assert LEAVING.value == 0


def test_a_thread_that_is_to_leave_is_the_one_asked_or_helps_it():
    done, seen = threading.Event(), {}
    asked, go = [], threading.Event()

    def work():
        helper = helping_thread(lambda: seen.update(helper=is_leaving()))
        go.wait(10)
        helper.start()
        helper.join()
        seen["own"] = is_leaving()

    thread = threading.Thread(target=work)
    thread.start()
    leave_loops(thread, done)
    asked.append((LEAVING.value, is_leaving()))
    go.set()
    thread.join()
    end_work(thread, done)
    leave_loops(thread, done)  # too late
    assert (asked, seen, LEAVING.value) == ([(1, False)], {"helper": True, "own": True}, 0)
