"""What a user's class may have beside a game's methods: helpers and tables with an underscore, printed states."""

from __future__ import annotations

import numpy as np

from astragal import TERMINAL, game, start
from astragal.compiler.records import State, readable
from astragal.rules.checks.trace import compiled_trace, interpreted_trace


@game
class Underscores:
    """Count up by one or two in turn; who reaches the end wins. All that is not a rule begins with an underscore."""

    state = np.dtype([("hand", "i1", 3), ("turn", "i1")])
    max_actions = 2
    utility_range = (-1.0, 1.0)
    _end = 5
    _steps = np.array([1, 2])

    def _total(self, state):
        return state.hand[0] + state.hand[1]

    def __over(self, state):
        return self._total(state) >= self._end

    @property
    def _most(self):
        return 2

    def turn(self, state):
        return TERMINAL if self.__over(state) else state.turn

    def actions(self, state, out):
        for i in range(self._most):
            out[i] = i
        return self._most

    def play(self, state, action):
        state.hand[state.turn] += self._steps[action]
        state.turn = 1 - state.turn

    def utility(self, state, player):
        return -1.0 if player == state.turn else 1.0

    def show(self, state):
        return f"{state.hand} {self._total(state)} of {self._end}"


def test_helpers_with_an_underscore_in_python_and_in_python_only_methods():
    position = start(Underscores()).play(1)
    assert str(position) == "[2 0 0] 2 of 5"
    assert position.play(1).play(0).utilities() == (1.0, -1.0)


def test_helpers_with_an_underscore_in_machine_code():
    root = start(Underscores())
    for seed in range(5):
        fast, slow = (trace(root.game, root.memory, seed, 50) for trace in (compiled_trace, interpreted_trace))
        assert fast.tolist() == slow.tolist()
        assert fast["turn"][-1] == TERMINAL


def test_printing_a_state_shows_what_it_holds():
    state = start(Underscores()).play(1).state
    assert (str(state.hand), repr(state.hand)) == ("[2 0 0]", "array([2, 0, 0], dtype=int8)")
    assert str(state) == repr(state) == "State(hand=[2, 0, 0], turn=1)"
    nested = np.zeros(2, [("a", "i1"), ("b", "f8", 2)])
    assert str(readable(nested)) == str(nested)
    assert repr(State(nested[:1])) == "State(a=0, b=[0.0, 0.0])"
    assert repr(readable(np.array([[1, 2], [3, 4]]))) == repr(np.array([[1, 2], [3, 4]]))
