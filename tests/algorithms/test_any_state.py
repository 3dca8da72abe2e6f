"""States of random dtypes: sizes, gaps, arrays and nested records change no value, and every family plays with them."""

from __future__ import annotations

import random

import numpy as np
import pytest

from astragal import load_player
from astragal.learn import from_fields
from astragal.learn.beginning import LearnSettings, new_model
from astragal.learn.derived import with_model
from astragal.learn.training import Training
from astragal.rules.checks import check_game
from astragal.rules.position import Position, start_states
from support.helpers import define, random_positions, slow_but

KINDS = ("i1", "i2", "i4", "i8", "u1", "u2", "u4", "u8", "f4", "f8")
EXACT = ("exp:depth=3", "star1:depth=3", "star2:depth=3", "maxn:depth=3", "paranoid:depth=3")
WITH_CHANCE = (*EXACT, "star2ss:depth=2", "uct:sims=6", "uct_h:sims=6", "dpw:sims=4", "mcs:sims=2", "greedy", "random")
WITHOUT = ("alphabeta:depth=3", "maxn:depth=3", "mm:depth=2", "hybrid:nodes=20", "uct:sims=6")

GAME = '''
import numpy as np
from astragal import CHANCE, TERMINAL, game


@game
class Any:
    """Two players add to a total until it reaches the goal, and write it everywhere."""

    state = np.dtype({dtype})
    max_actions = 3
    max_outcomes = {outcomes}
    utility_range = (-1.0, 1.0)
    heuristic_range = (-1.0, 1.0)

    def turn(self, state):
        if state.total >= 9:
            return TERMINAL
        return CHANCE if state.rolling == 1 else np.int64(state.mover)

    def actions(self, state, out):
        for i in range(3):
            out[i] = i
        return 3

    def play(self, state, action):
        state.total += action + 1
        state.mover = 1 - state.mover
        state.rolling = {rolls}
{writes}

{deals}
    def utility(self, state, player):
        return -1.0 if np.int64(state.mover) == player else 1.0

    def heuristic(self, state, player):
        seen = 0.0
{reads}
        value = seen / 2000.0
        return value if player == 0 else -value
'''


DEALS = """
    def outcomes(self, state, out):
        out[0], out[1] = 0, 1
        return 2

    def probability(self, state, outcome):
        return 0.5

    def deal(self, state, outcome):
        state.total += outcome
        state.rolling = 0
"""


def random_fields(draw: random.Random) -> tuple[list[tuple], list[str]]:
    """The fields of a random dtype, and the places of numbers in a state."""
    fields, places = [], []
    for number in range(draw.randrange(1, 6)):
        name, shape = f"f{number}", draw.choice([(), (), (3,), (2, 2)])
        at = "".join(f"[{draw.randrange(size)}]" for size in shape) if len(shape) < 2 else "[1, 0]"
        if draw.random() < 0.3 and len(shape) < 2:
            inner = [(f"g{i}", draw.choice(KINDS)) for i in range(draw.randrange(1, 4))]
            fields.append((name, inner, *([shape] if shape else [])))
            places += [f"state.{name}{at}.{each}" for each, _ in inner]
        else:
            fields.append((name, draw.choice(KINDS), *([shape] if shape else [])))
            places.append(f"state.{name}{at}")
    fields += [(name, draw.choice(KINDS)) for name in ("total", "mover", "rolling")]
    draw.shuffle(fields)
    return fields, places


def widened(fields: list[tuple]) -> list[tuple]:
    """The same fields with eight bytes each, which leave no gap."""
    wide = [widened(kind) if isinstance(kind, list) else "i8" if kind[0] != "f" else "f8" for _, kind, *_ in fields]
    return [(each[0], kind, *each[2:]) for each, kind in zip(fields, wide, strict=True)]


def games(seed: int, chance: bool = True):
    """A game of a random dtype, and the same one with wide fields."""
    fields, places = random_fields(random.Random(seed))
    writes = [f"        {place} = state.total * {2 * i + 1} % 100" for i, place in enumerate(places)]
    reads = [f"        seen += {place}" for place in places]
    lines = {"writes": "\n".join(writes), "reads": "\n".join(reads), "rolls": int(chance), "outcomes": 2 * chance}
    lines["deals"] = DEALS if chance else ""
    return [define(GAME.format(dtype=repr(each), **lines))["Any"]() for each in (fields, widened(fields))]


@pytest.mark.parametrize("chance", [True, False])
@pytest.mark.parametrize("seed", slow_but([0, 1], range(6)))
def test_no_layout_of_a_state_changes_a_value(seed, chance):
    made, wide = games(seed, chance)
    one, other = (Position.start(each, seed) for each in (made, wide))
    for name in WITH_CHANCE if chance else WITHOUT:
        found, wanted = (load_player(name, each.game).search(each, seed=1) for each in (one, other))
        assert found.action in one.action_names()
        if name in EXACT or not chance:
            assert (found.action, found.value) == (wanted.action, wanted.value)


@pytest.mark.parametrize("seed", range(12))
def test_positions_are_written_and_read_back(seed):
    for position in random_positions(games(seed)[0], seed):
        assert Position.parse(position.game, position.text) == position


@pytest.mark.parametrize("seed", range(30))
def test_states_are_joined_as_they_are(seed):
    game = games(seed)[0]
    joined = start_states(game, range(5))
    assert joined.dtype == game.state
    assert joined.dtype.fields == game.state.fields
    assert joined.tobytes() == b"".join(Position.start(game, each).memory.tobytes() for each in range(5))


@pytest.mark.parametrize("seed", range(8))
def test_inputs_are_made_of_any_fields(seed, monkeypatch):
    monkeypatch.setattr(from_fields, "SAMPLES", 60)
    made, wide = games(seed)
    model, same = (new_model(each, 0, seed=0) for each in (made, wide))
    assert (model.inputs, model.most) == (same.inputs, same.most)
    names = [list(each.table[["kind", "least", "most", "first"]]) for each in (model, same)]
    positions = [list(random_positions(each, 2)) for each in (made, wide)]
    for one, other in zip(*positions, strict=True):
        listed = [features(each, position) for each, position in ((model, one), (same, other))]
        assert listed[0] == listed[1]
    assert names[0] == names[1]


def features(model, position):
    out = [0] * model.most
    return out[: with_model(position.game, model)._twin_.features(position._state, 0, out)]


@pytest.mark.slow
@pytest.mark.compiled
@pytest.mark.parametrize("seed", range(3))
def test_a_game_of_any_state_is_learned_and_checked(seed, monkeypatch):
    made = games(seed)[0]
    training_of = Training(made, LearnSettings(hidden=8, games=20, matches=10, rounds=1))
    training_of.play_round()
    assert np.isfinite(training_of.model.weights).all()
    assert all(report.passed for report in check_game(made))
