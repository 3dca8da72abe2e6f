"""Many games at once: steps are the games' actions under fixed numbers, and the environment is Gymnasium's."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pytest

pytest.importorskip("gymnasium")

from gymnasium.error import ResetNeeded
from gymnasium.vector import VectorEnv
from gymnasium.wrappers.vector import RecordEpisodeStatistics

from astragal import AstragalError, Position, game_names, load_game
from astragal.adapters.vector import vector_env
from astragal.compiler.interpreted import interpreted
from astragal.learn import from_fields, inputs_of
from astragal.rules.decorator import keeps_secrets
from astragal.rules.dice import Dice
from astragal.rules.steps import numbered_actions, steps_of
from support.helpers import random_positions

ROOT = Path(__file__).parents[2]
BENCHMARK = ROOT / "benchmarks" / "vector.py"


@pytest.fixture(autouse=True)
def _few_samples(monkeypatch):
    monkeypatch.setattr(from_fields, "SAMPLES", 200)
    monkeypatch.setattr("astragal.adapters.vector.STARTS", 4)


def decisions(game: Any, seed: int, plies: int) -> list[Position]:
    return [position for position in random_positions(game, seed, plies) if position.turn >= 0]


def legal_steps(game: Any, state: Any, made: int) -> list[int]:
    mask = [0] * steps_of(game).size
    count = interpreted(steps_of(game)).write_legal(game._twin_, state, made, mask)
    legal = [number for number, is_legal in enumerate(mask) if is_legal]
    assert count == len(legal)
    return legal


def after_step(game: Any, position: Position, made: int, step: int) -> tuple[Position, int]:
    after = position.copy()
    with np.errstate(over="ignore"):  # as kernels have it
        made = interpreted(steps_of(game)).take(game._twin_, after._state, made, step)
    return after, made


@pytest.mark.parametrize("name", [name for name in game_names() if name != "backgammon"])
def test_steps_are_the_actions_under_numbers_of_their_own(name):
    game = load_game(name)
    for position in decisions(game, 1, 40)[-8:]:
        steps = legal_steps(game, position._state, 0)
        results = [after_step(game, position, 0, step) for step in steps]
        assert all(made == 0 for _, made in results)
        assert {after for after, _ in results} == {position.follow(action) for action in position.actions()}
        assert len(steps) == len(position.actions())


def test_the_numbers_of_a_cube_are_the_same_for_both_players_wherever_it_stands():
    game = load_game("ewn:setup=fixed")
    first = Position.parse(game, "123../45.../6...f/...ed/..cba 1 3")
    second = Position.parse(game, "123../45.../6...f/...ed/..cba 2 3")
    assert legal_steps(game, first._state, 0) == legal_steps(game, second._state, 0) == [6, 7, 8]


def test_actions_have_their_numbers_in_python_too():
    position = Position.parse(load_game("ewn:setup=fixed"), "123../45.../6...f/...ed/..cba 1 3")
    named = {number: position.action_name(action) for number, action in numbered_actions(position).items()}
    assert named == {6: "3-d5", 7: "3-c4", 8: "3-d4"}
    with pytest.raises(AstragalError, match="a step of Backgammon is a part of an action"):
        numbered_actions(decisions(load_game("backgammon"), 1, 10)[0])


def turns(game: Any, position: Position, made: int = 0) -> set[Position]:
    """The positions after all turns that can be made step by step."""
    found: set[Position] = set()
    for step in legal_steps(game, position._state, made):
        after, count = after_step(game, position, made, step)
        if count and not after.is_terminal and legal_steps(game, after._state, count):
            found |= turns(game, after, count)
            continue
        if count:
            interpreted(steps_of(game)).end_turn(game._twin_, after._state)
        found.add(after)
    return found


@pytest.mark.parametrize("seed", range(3))
def test_half_moves_make_the_same_turns_as_backgammons_actions(seed):
    game = load_game("backgammon")
    found = decisions(game, seed, 400)
    doubles = [position for position in found if position.state.dice[0] == position.state.dice[1]]
    for position in [*found[:: max(1, len(found) // 12)], *doubles[-2:]]:
        results = {position.follow(action) for action in position.actions()}
        made = turns(game, position)
        if not made:  # a forced pass, which is no step
            assert len(results) == 1
        else:
            assert made == results, position.text


# The environment


def legal_actions(info: dict[str, Any], dice: Dice) -> Any:
    return np.array([int(np.flatnonzero(mask)[dice.below(int(mask.sum()))]) for mask in info["action_mask"]])


@pytest.mark.parametrize("name", ["ewn", "backgammon", "tic_tac_toe", "cant_stop:players=3"])
def test_games_are_played_to_their_ends_and_begin_anew(name):
    game, dice = load_game(name), Dice(5)
    env = vector_env(game, 3)
    observed, info = env.reset(seed=1)
    inputs = inputs_of(game)
    ended = 0
    for _ in range(30 if name != "tic_tac_toe" else 12):
        before = info["player"]
        over = env.status != 0
        observed, rewards, terminated, truncated, info = env.step(legal_actions(info, dice))
        assert env.observation_space.contains(observed)
        assert not truncated.any()
        for i in range(3):
            position = Position(game, env.states[i : i + 1].copy())
            if terminated[i]:
                assert position.utilities() == tuple(info["rewards"][i])
                assert rewards[i] == info["rewards"][i, before[i]]
                assert not over[i]
                ended += 1
            else:
                assert (position.turn, rewards[i]) == (info["player"][i], 0.0)
                assert (observed[i] == inputs.vectors([position])[0]).all()
    assert ended or name not in ("tic_tac_toe", "ewn")


def played(seed: int) -> list[Any]:
    env, dice = vector_env("ewn", 4), Dice(3)
    found, info = env.reset(seed=seed)
    steps = [found]
    for _ in range(6):
        found, *_, info = env.step(legal_actions(info, dice))
        steps.append(found)
    return steps


def test_the_same_seed_is_the_same_games():
    assert all((one == other).all() for one, other in zip(played(7), played(7), strict=True))
    assert any((one != other).any() for one, other in zip(played(7), played(8), strict=True))


def test_it_is_a_vectorised_environment_of_gymnasium():
    env = RecordEpisodeStatistics(vector_env("tic_tac_toe", 3))
    assert isinstance(env.unwrapped, VectorEnv)
    _, info = env.reset(seed=1)
    dice, lengths = Dice(2), []
    for _ in range(14):
        _, rewards, terminated, truncated, info = env.step(legal_actions(info, dice))
        assert [each.shape for each in (rewards, terminated, truncated)] == [(3,)] * 3
        if "episode" in info:
            lengths += info["episode"]["l"][info["_episode"]].tolist()
    assert lengths
    assert all(5 <= length <= 9 for length in lengths)
    env.close()


def test_an_illegal_step_ends_the_game_with_the_least_utility():
    env = vector_env("tic_tac_toe", 2)
    _, info = env.reset(seed=1)
    env.step(np.array([0, 0]))
    _, rewards, terminated, _, info = env.step(np.array([0, 9]))
    assert (rewards.tolist(), terminated.tolist(), info["illegal"].tolist()) == ([-1.0, -1.0], [True] * 2, [True] * 2)
    _, rewards, terminated, _, info = env.step(np.array([5, 5]))
    assert (rewards.tolist(), terminated.any(), info["illegal"].any()) == ([0.0, 0.0], False, False)
    assert info["action_mask"].sum() == 18


def test_long_games_are_truncated():
    env, dice = vector_env("ewn", 2, max_steps=3), Dice(1)
    _, info = env.reset(seed=1)
    cut = []
    for _ in range(8):
        *_, truncated, info = env.step(legal_actions(info, dice))
        cut.append(bool(truncated.all()))
    assert cut == [False, False, True, False] * 2


def test_what_does_not_fit_is_refused():
    with pytest.raises(AstragalError, match="num_envs is a number of games from 1 to 1,048,576, not 0"):
        vector_env("ewn", 0)
    with pytest.raises(AstragalError, match="actions is how many"):
        vector_env("ewn", 1, actions=0)
    env = vector_env("ewn", 2)
    with pytest.raises(ResetNeeded, match="call reset"):
        env.step([0, 0])
    env.reset(seed=1)
    with pytest.raises(AstragalError, match="an action for each of the 2 games"):
        env.step([0])
    with pytest.raises(AstragalError, match=r"ewn has an action with number .*, and 6 action numbers are expected"):
        vector_env("ewn", 2, actions=6).reset(seed=1)


def test_games_with_secrets_are_refused():
    secret = [name for name in game_names() if keeps_secrets(load_game(name))]
    for name in secret:
        with pytest.raises(AstragalError, match="hides choices"):
            vector_env(name, 2)


@pytest.mark.slow
def test_the_benchmark_runs():
    line = [sys.executable, BENCHMARK, "--games", "8", "--seconds", "0.01", "--no-openspiel", "tic_tac_toe"]
    ran = subprocess.run(line, capture_output=True, text=True, check=False)
    assert (ran.returncode, "| tic_tac_toe |" in ran.stdout) == (0, True), ran.stderr
