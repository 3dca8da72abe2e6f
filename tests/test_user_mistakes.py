"""Mistakes that people make in games of their own: what `check`, two searches and a match say of each."""

from __future__ import annotations

import subprocess
import sys
import threading
import time

import numpy as np
import pytest

from astragal import AstragalError, load_game, load_player, match, start
from astragal.algorithms.limits import Limits
from astragal.algorithms.request import SearchRequest
from astragal.algorithms.search import READY, Search
from astragal.base import interruptible
from astragal.base.errors import EndlessLoop, GameError
from astragal.base.overdue import Overdue, ended_when_overdue
from astragal.compiler.records import strictly
from astragal.rules import checks
from astragal.rules.checks import check_game, quick
from astragal.rules.decorator import MOST_BYTES
from support.broken_games import Sound

SOURCE = """
import random

import numpy as np

from astragal import CHANCE, TERMINAL, game

GOAL = 30
TABLE = np.arange(4)
NAMES = {1: 1, 2: 2}


@game
class Mine:
    state = np.dtype([("total", "i2"), ("turn", "i1"), ("tossing", "i1"), ("marks", "i2", 3)])
    max_actions = 2
    max_outcomes = 2

    def turn(self, state):
        if state.tossing:
            return CHANCE
        return TERMINAL if state.total >= GOAL else state.turn

    def actions(self, state, out):
        out[0], out[1] = 1, 2
        return 2

    def play(self, state, action):
        state.total += action
        state.tossing = 1

    def outcomes(self, state, out):
        out[0], out[1] = 0, 1
        return 2

    def probability(self, state, outcome):
        return 0.75 if outcome else 0.25

    def deal(self, state, outcome):
        state.total += outcome
        state.tossing = 0
        state.turn = 1 - state.turn

    def utility(self, state, player):
        return -1.0 if state.turn == player else 1.0
"""

PLAY, NEXT, ADD = "state.tossing = 1\n", "state.turn = 1 - state.turn", "state.total += action"
LIST = "        out[0], out[1] = 1, 2\n        return 2"
UTILITY = "        return -1.0 if state.turn == player else 1.0"
AT, PLACE = r"at 'total=\d+ turn=\d+ tossing=\d marks=\S+'", r"\(game\.py line \d+, in "

MISTAKES = {  # what is replaced in the source by what, and what is said
    "turn without the modulo": (NEXT, "state.turn = state.turn + 1", rf"turn is 2 {AT} {PLACE}turn\)"),
    "turn without a return": (
        "        return TERMINAL if",
        "        TERMINAL if",
        rf"turn returned nothing .*{PLACE}turn",
    ),
    "turn changes the state": (
        "        if state.tossing:",
        "        state.total += state.total == 9\n        if state.tossing:",
        rf"turn changed the state, which only play and deal may do, {AT} {PLACE}turn\)",
    ),
    "an index beyond an array": (
        PLAY,
        f"state.marks[state.total] = 1\n        {PLAY}",
        rf"IndexError: .* {AT} {PLACE}play",
    ),
    "an index beyond a table": (ADD, f"{ADD} + 0 * TABLE[state.total]", rf"IndexError: .* {AT} {PLACE}play"),
    "a field that is too small": (
        PLAY,
        f"state.marks[1] = 5000 * state.total\n        {PLAY}",
        rf"OverflowError: \d+ does not fit into a field of type i2 \(-32768 to 32767\) {AT} {PLACE}play",
    ),
    "a negative number in a field without sign": (
        ('("marks", "i2", 3)', PLAY),
        ('("marks", "u2", 3)', f"state.marks[1] = -state.total\n        {PLAY}"),
        r"OverflowError: -\d+ does not fit into a field of type u2",
    ),
    "probabilities of 1.2": ("0.75 if", "0.95 if", rf"probabilities sum to 1\.2 {AT} {PLACE}probability\)"),
    "NumPy's random numbers": (
        ADD,
        f"{ADD} + np.random.randint(9)",
        rf"play of action 2 {AT} led to two different states",
    ),
    "Python's random numbers": (ADD, f"{ADD} + random.randint(0, 9)", rf"play of action 2 {AT} led to two different"),
    "a utility without a return": (
        UTILITY,
        UTILITY.replace("return ", ""),
        rf"utility returned nothing .*{PLACE}utility",
    ),
    "utilities that do not cancel out": (
        "return -1.0 if",
        "return 0.0 if",
        rf"utility values do not cancel .*{PLACE}utility",
    ),
    "a utility out of range": (
        "-1.0 if state.turn == player else 1.0",
        "4.0 - 8 * (state.turn == player)",
        r"out of range",
    ),
    "a heuristic that does not cancel out": (
        "    def utility",
        "    def heuristic(self, state, player):\n        return state.total / 40\n\n    def utility",
        rf"heuristic values do not cancel out {AT} {PLACE}heuristic\); a game in which they need not says zero_sum",
    ),
    "a heuristic that is no number": (
        "    def utility",
        "    def heuristic(self, state, player):\n        return 'good'\n\n    def utility",
        rf"heuristic returned 'good', which is not a number {AT} {PLACE}heuristic",
    ),
    "a variable of the game": (
        PLAY,
        f"self.phase = 'run'\n        {PLAY}",
        rf"self\.phase cannot be set: .* {AT} {PLACE}play",
    ),
    "a text in a field": (
        "state.tossing = 1",
        "state.tossing = 'run'",
        rf"'run' is a text, and the fields .*{PLACE}play",
    ),
    "a field of text": (
        '("marks", "i2", 3)',
        '("marks", "U4")',
        r"the field marks of its state is a text; states hold numbers",
    ),
    "a state of 320 MB": (
        '("marks", "i2", 3)',
        '("marks", "i2", 160_000_000)',
        r"its state has 320,000,004 bytes, and 262,144",
    ),
    "a field misspelt": (
        "state.tossing = 1",
        "state.tosing = 1",
        rf"the state has no field 'tosing' .*{AT} {PLACE}play",
    ),
    "a method misspelt": (
        PLAY,
        f"self.advance(state)\n        {PLAY}",
        rf"no method or parameter 'advance' {AT} {PLACE}play",
    ),
    "a method that is missing": ("def play(", "def move(", r"game Mine lacks play\(self, state, action\)"),
    "an argument too few": ("def deal(self, state, outcome)", "def deal(self, state)", r"deal takes 2 arguments, but"),
    "no decorator": ("@game\n", "", r"defines no @game class"),
    "a list that is returned": (
        LIST,
        "        return [1, 2]",
        rf"actions returned \[1, 2\], which is not a whole .*{PLACE}actions",
    ),
    "more actions than declared": (
        LIST,
        "        for i in range(5):\n            out[i] = i\n        return 5",
        rf"lists more than max_actions = 2 {AT} {PLACE}actions\)",
    ),
    "no action": (LIST, "        return 0", rf"player 1 has no action {AT} {PLACE}actions"),
    "an action listed twice": ("out[0], out[1] = 1, 2", "out[0], out[1] = 1, 1", rf"an action is listed twice {AT}"),
    "an outcome that cannot happen": (
        "0.75 if outcome else 0.25",
        "1.0 if outcome else 0.0",
        r"an outcome has probability 0",
    ),
    "a division by zero": (ADD, f"{ADD} // (state.total - state.total)", rf"ZeroDivisionError: .*{PLACE}play"),
    "a game longer than it says": (
        "    max_actions",
        "    max_plies = 5\n    max_actions",
        r"lasted more than max_plies = 5 plies",
    ),
}
ONLY_COMPILED = {  # Python goes on; compiled code is refused
    "a table that is a dict": (
        ADD,
        "state.total += NAMES[action]",
        r"must be a NumPy array or a tuple .*line \d+, in play",
    ),
    "a table that is changed": (
        PLAY,
        f"TABLE[0] = 1\n        {PLAY}",
        r"an array of the module cannot be changed: .*in play",
    ),
    "a global variable": (
        PLAY,
        f"global GOAL\n        GOAL = 30\n        {PLAY}",
        r"a variable of the module cannot be changed: .*game\.py line \d+, in play",
    ),
    "a method that calls itself": (
        ("    def utility", PLAY),
        (
            "    def f(self, n):\n        return 0 if n <= 0 else self.f(n - 1)\n\n    def utility",
            "state.tossing = 1 + self.f(3)\n",
        ),
        r"calls itself, which compiled code cannot: use a loop \(game\.py line \d+, in f\)",
    ),
}
LATE = {  # what random games seldom show: machine code stops there
    "an index": (
        PLAY,
        f"if state.total > 29:\n            state.marks[1000 * state.total] += 1\n        {PLAY}",
        rf"IndexError: .* {AT} {PLACE}play of action \d\)",
    ),
    "an index from the end": (
        PLAY,
        f"if state.total > 29:\n            state.marks[-4 * state.total] += 1\n        {PLAY}",
        rf"IndexError: .* {AT} {PLACE}play of action \d\)",
    ),
    "a turn": (
        NEXT,
        "state.turn = state.turn + 1 if state.total > 24 else 1 - state.turn",
        rf"turn is 2, .*{AT} {PLACE}turn\)",
    ),
    "an endless loop": (
        PLAY,
        f"while state.total == 29:\n            state.turn = state.turn\n        {PLAY}",
        rf"a loop goes on for more than 10,000,000 rounds {AT} {PLACE}play of action \d\)",
    ),
    "loops in each other": (
        PLAY,
        f"for i in range((state.total // 29) * 9_000_000):\n            for j in range(9_000_000):\n"
        f"                state.turn ^= i * j & 0\n        {PLAY}",
        rf"a loop goes on for more than 10,000,000 rounds {AT} {PLACE}play of action \d\)",
    ),
    "loops in each other that may leave early": (
        PLAY,
        f"for i in range((state.total // 29) * 9_000_000):\n            for j in range(9_000_000):\n"
        f"                if state.total < j // (1 << 40):\n                    break\n        {PLAY}",
        rf"a loop goes on for more than 10,000,000 rounds {AT} {PLACE}play of action \d\)",
    ),
    "a long range": (
        PLAY,
        f"for i in range((state.total // 29) << 50):\n            state.turn ^= i & 0\n        {PLAY}",
        rf"a loop goes on for more than 10,000,000 rounds {AT} {PLACE}play of action \d\)",
    ),
}


def written(folder, old, new):
    """A file with a game in which something is replaced."""
    source = SOURCE
    for one, other in zip(*((old, new) if isinstance(old, tuple) else ([old], [new])), strict=True):
        assert source.count(one) == 1 or one in (PLAY, LIST), one
        source = source.replace(one, other, 1)
    file = folder / "game.py"
    file.write_text(source, encoding="utf-8")
    return str(file)


def check(file):
    for result in check_game(load_game(file)):
        if not result.passed:
            raise AstragalError(result.detail)


def search(player):
    def search_it(file):
        rules = load_game(file)
        load_player(player, rules).search(start(rules), 0, Limits(nodes=200))

    return search_it


WAYS = {
    "check": check,
    "star2": search("star2"),
    "uct": search("uct"),
    "match": lambda file: match(load_game(file), ["star2", "uct"], games=2, nodes=100),
}


@pytest.fixture
def looked_at(monkeypatch, tmp_path):
    """With the quick look at games before they are searched."""
    monkeypatch.delenv(quick.VARIABLE)
    monkeypatch.setattr(quick, "kernel_folder", lambda: tmp_path / "looked at")


@pytest.mark.parametrize("way", WAYS)
@pytest.mark.parametrize(("old", "new", "sentence"), MISTAKES.values(), ids=MISTAKES)
def test_a_mistake_is_a_sentence_wherever_it_is_met(old, new, sentence, way, tmp_path, looked_at):
    with pytest.raises(AstragalError, match=sentence):
        WAYS[way](written(tmp_path, old, new))


@pytest.mark.slow
@pytest.mark.parametrize("way", WAYS)
@pytest.mark.parametrize(("old", "new", "sentence"), ONLY_COMPILED.values(), ids=ONLY_COMPILED)
def test_what_compiled_code_cannot_do_is_a_sentence(old, new, sentence, way, tmp_path, looked_at):
    with pytest.raises(AstragalError, match=sentence):
        WAYS[way](written(tmp_path, old, new))


@pytest.mark.slow
@pytest.mark.parametrize("player", ["uct", "uct_h", "star2:depth=40", "exp:depth=40", "mcs"])
@pytest.mark.parametrize(("old", "new", "sentence"), LATE.values(), ids=LATE)
def test_machine_code_stops_where_the_quick_look_did_not_get(old, new, sentence, player, tmp_path):
    rules = load_game(written(tmp_path, old, new))
    position = start(rules)
    while position.turn < 0 or position._memory["total"][0] < 20:
        position = position.follow((position.actions() or [1])[-1])
    with pytest.raises(GameError, match=sentence):
        load_player(player, rules).search(position, 0, Limits(nodes=100_000))


def test_the_game_itself_is_sound_and_looked_at_once(tmp_path, looked_at, monkeypatch):
    looks = []
    monkeypatch.setattr(quick, "look_at", looks.append)
    rules = load_game(written(tmp_path, "GOAL = 30", "GOAL = 31"))
    assert all(result.passed for result in check_game(rules, games=2))
    for _ in range(2):
        load_player("uct", rules).search(start(rules), 0, Limits(sims=5))
        READY.clear()
        quick.looked_at.clear()  # as in another process
    assert looks == [rules]


def test_the_quick_look_can_be_left_out_and_spares_the_games_of_the_package(monkeypatch, looked_at):
    looks = []
    monkeypatch.setattr(quick, "look_at", looks.append)
    quick.quick_check(load_game("pig"))
    monkeypatch.setenv(quick.VARIABLE, "off")
    quick.quick_check(Sound())
    assert looks == []


ENDLESS = (PLAY, f"while state.total > 9:\n            state.turn = state.turn\n        {PLAY}")


def test_the_quick_look_leaves_endless_loops_to_machine_code(tmp_path, monkeypatch):
    monkeypatch.setattr(quick, "SECONDS", 0.02)
    quick.look_at(load_game(written(tmp_path, *ENDLESS)))


def test_check_names_the_line_of_an_endless_loop(tmp_path, monkeypatch):
    monkeypatch.setattr(checks, "LONG", 0.05)
    with pytest.raises(AstragalError, match=rf"an endless loop, or a very long one, {AT} \(game\.py line \d+, in play"):
        check(written(tmp_path, *ENDLESS))


@ended_when_overdue(0.01)
def go_on_for_ever():
    while True:
        pass


def test_a_thread_that_makes_progress_is_not_ended():
    steps = []

    def progress():
        steps.append(1)
        return len(steps)

    with ended_when_overdue(0.01, progress):
        while len(steps) < 5:
            time.sleep(0.001)
    with pytest.raises(Overdue):
        go_on_for_ever()
    assert issubclass(Overdue, EndlessLoop)
    assert not [thread for thread in threading.enumerate() if thread.name == "watch" and time.sleep(0.05)]


TRACED = """
import sys, threading
from astragal.base.overdue import ended_when_overdue

with ended_when_overdue(60):
    pass

def traced():
    sys.settrace(lambda *_: None)
    str.strip("")
    (lambda: 1)()
    print("done")

thread = threading.Thread(target=traced)
thread.start()
thread.join()
"""


def test_a_watch_that_is_over_leaves_nothing_behind():
    """While an exception counts as pending, CPython 3.11 never ends a traced call, and all others are slow."""
    ran = subprocess.run([sys.executable, "-c", TRACED], capture_output=True, text=True, timeout=60)
    assert ran.stdout == "done\n"


def test_what_fits_into_no_field_is_an_error_only_while_a_game_is_checked():
    state = start(Sound()).state
    state.total = 40_000
    assert state.total == 40_000 - 2**16
    with strictly(), pytest.raises(OverflowError, match="40000 does not fit into a field of type i2"):
        state.total = 40_000


def test_states_have_a_largest_size():
    from astragal import game

    fitting = np.dtype([("cells", "i1", MOST_BYTES - 8), ("turn", "i1")])
    game(type("Fits", (Sound,), {"__module__": __name__, "state": fitting}))
    with pytest.raises(GameError, match="262,144 are the most; tables that never change"):
        game(type("Large", (Sound,), {"__module__": __name__, "state": np.dtype([("cells", "i1", MOST_BYTES + 1)])}))


class Stubborn(Search):
    """A search that does not end when it is stopped."""

    kernels = "stubborn"
    refuse = make_ready = take_memory = stop = staticmethod(lambda *_: None)

    def __init__(self, request, ends):
        super().__init__(request, None)
        self.ends, self.returned = ends, 0

    def return_memory(self):
        self.returned += 1

    def run(self):
        self.ends.wait()

    def found(self, final=False):
        return self.request.answer(None)


@pytest.mark.parametrize("stubborn", [False, True])
def test_memory_that_a_kernel_still_writes_to_is_not_lent_again(monkeypatch, stubborn):
    def interrupted(*_):
        raise KeyboardInterrupt

    monkeypatch.setattr(interruptible, "GRACE_SECONDS", 0.05)
    monkeypatch.setattr(interruptible, "is_done_before", interrupted)
    ends = threading.Event()
    search = Stubborn(SearchRequest(start(Sound()), limits=Limits(time=9.0)), ends)
    if not stubborn:
        ends.set()
    with pytest.raises(KeyboardInterrupt):
        search.answer()
    assert search.returned == (0 if stubborn else 1)
    ends.set()


def test_searches_of_users_games_run_in_a_thread_of_their_own_and_so_hear_ctrl_c():
    threads = []
    for rules in (Sound(), load_game("pig")):
        search = Stubborn(SearchRequest(start(rules), limits=Limits(nodes=5)), threading.Event())
        search.run = lambda: threads.append(threading.current_thread().name)
        search.answer()
    assert threads[0] == "kernel"
    assert threads[1] != "kernel"
