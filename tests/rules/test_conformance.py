"""The conformance suite passes sound games, and says in a sentence what is wrong with each broken one."""

from __future__ import annotations

import re
from dataclasses import dataclass

import numpy as np
import pytest

from astragal import AstragalError, Position, game, game_names, load_game, start
from astragal.base.errors import GameError
from astragal.rules.checks import check_game
from support.broken_games import BROKEN, Sound
from support.helpers import EXAMPLE, slow_but

SPECS = [
    *game_names(),
    "pig:dice=1,goal=20",
    "pig:evaluation=tanh",
    "ewn:setup=fixed",
    "kalah:rules=standard,pits=8,stones=7,setup=random",
    "kalah:rules=irving,pits=2,stones=2,score=win",
    EXAMPLE,
    f"{EXAMPLE}:MyGame:track=5",
]


@pytest.mark.compiled
@pytest.mark.parametrize("spec", slow_but(["tic_tac_toe"], SPECS), ids=lambda spec: str(spec).rpartition("/")[2])
def test_the_games_keep_their_promises(spec):
    results = list(check_game(load_game(str(spec)), games=2))
    assert [result for result in results if not result.passed] == []
    assert len(results) == 6


def test_the_game_that_the_broken_ones_vary_is_sound():
    assert all(result.passed for result in check_game(Sound(), games=4))


def case(cls, sentence):
    compiled = cls.__name__ in ("OnlyPython", "Wraps") or cls.__name__.startswith("Rarely")  # seen in machine code only
    return pytest.param(cls, sentence, id=cls.__name__, marks=pytest.mark.compiled if compiled else ())


@pytest.mark.parametrize(("cls", "sentence"), [case(*broken) for broken in BROKEN])
def test_a_broken_game_fails_with_the_right_sentence(cls, sentence):
    *before, last = check_game(cls(), games=4)
    assert all(result.passed for result in before)
    assert not last.passed
    assert re.search(sentence, last.detail), last.detail


def test_the_check_is_the_same_for_a_seed_of_any_size():
    for seed in (-1, 2**70):
        details = [[result.detail for result in check_game(Sound(), 2, seed)] for _ in range(2)]
        assert details[0] == details[1]
        assert len(details[0]) == 6


def test_a_declared_bound_that_is_too_small_is_named():
    three = next(cls for cls, _ in BROKEN if cls.__name__ == "ThreeActions")
    with pytest.raises(AstragalError, match="game ThreeActions lists more than max_actions = 2"):
        start(three()).actions()


# What is wrong when the class is defined


def variant(**changes):
    """Define a game like Sound with some of its attributes changed or, given None, left out."""
    attributes = {name: value for name, value in vars(Sound).items() if not name.startswith("_")} | changes
    kept = {name: value for name, value in attributes.items() if value is not None}
    return game(type("Mine", (), {"__module__": __name__, "__qualname__": "Mine"} | kept))


def test_a_sound_definition_passes():
    assert Position.start(variant()()).turn == 0


@pytest.mark.parametrize("method", ["turn", "actions", "play", "utility"])
def test_a_missing_method_is_named_with_its_arguments(method):
    with pytest.raises(GameError, match=rf"game Mine lacks {method}\(self, state"):
        variant(**{method: None})


@pytest.mark.parametrize("method", ["outcomes", "probability", "deal"])
def test_chance_needs_all_of_its_methods(method):
    with pytest.raises(GameError, match=rf"game Mine lacks {method}\(self, state"):
        variant(**{method: None})


def test_a_game_without_chance_needs_none_of_them():
    def play(self, state, action):
        state.total += action
        state.turn = 1 - state.turn

    assert start(variant(outcomes=None, probability=None, deal=None, max_outcomes=None, play=play)()).play(1).turn == 1


@pytest.mark.parametrize(
    ("method", "function", "count"),
    [("turn", lambda self: 0, 1), ("play", lambda self, state: None, 2), ("show", lambda self, state, more: "", 3)],
)
def test_a_method_with_other_arguments_is_refused(method, function, count):
    with pytest.raises(GameError, match=rf"game Mine: {method} takes {count} arguments, but \(self, state"):
        variant(**{method: function})


@pytest.mark.parametrize(
    ("changes", "sentence"),
    [
        ({"max_actions": None}, "game Mine must declare max_actions"),
        ({"max_outcomes": None}, "game Mine has chance outcomes and must declare max_outcomes"),
        ({"state": None}, "game Mine must declare its state, such as"),
        ({"state": [("total", "i2")]}, "game Mine must declare its state, such as"),
        ({"state": np.dtype("i4")}, "game Mine: a state is a structured dtype"),
    ],
)
def test_a_missing_declaration_is_named(changes, sentence):
    with pytest.raises(GameError, match=sentence):
        variant(**changes)


def test_a_dataclass_that_can_change_is_refused():
    with pytest.raises(GameError, match="game Thawed: its dataclass must be frozen"):

        @game
        @dataclass
        class Thawed:
            goal: int = 3


def test_a_game_may_be_decorated_as_a_frozen_dataclass_or_not():
    @dataclass(frozen=True)
    class Frozen(Sound):
        step: int = 1

    assert game(Frozen)(step=2).step == 2


def test_what_is_left_out_has_defaults():
    bare = variant()()
    assert (bare.players, bare.zero_sum, bare.utility_range) == (2, True, (-1.0, 1.0))
    position = start(bare)
    assert position.action_names() == ["1", "2"]
    assert position.evaluations() == (0.0, 0.0)
    assert position.play(1).outcomes()[1].name == "1"


def test_a_game_may_add_chance_to_one_without():
    @game
    class Sown(load_game("tic_tac_toe").__class__):
        """Tic-tac-toe in which chance marks the second square."""

        max_outcomes = 8
        decided = load_game("tic_tac_toe").__class__.turn

        def turn(self, state):
            return -1 if state.turn == 1 and state.mine == 0 else self.decided(state)

        def outcomes(self, state, out):
            return self.actions(state, out)

        def probability(self, state, outcome):
            return 1 / 8

        def deal(self, state, outcome):
            self.play(state, outcome)

    assert [result for result in check_game(Sown(), games=4) if not result.passed] == []
