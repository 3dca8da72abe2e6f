"""Our games as environments of PettingZoo: its own tests, rewards, seeds and what is illegal."""

from __future__ import annotations

import numpy as np
import pytest

from astragal.base.errors import AstragalError
from astragal.games import game_names

pytest.importorskip("pettingzoo")

from pettingzoo.test import api_test, seed_test

from astragal.adapters.pettingzoo import GameEnv, pettingzoo_env

GAMES = [*game_names(), "focus:players=3", "cant_stop:players=1", "tic_tac_toe.kif", "rock_paper_scissors.kif"]
MINE = pytest.mark.filterwarnings("ignore:Observation", "ignore:Your observation", "ignore:Action space")


@MINE
@pytest.mark.parametrize("game", GAMES)
def test_the_librarys_own_tests_pass(game, capsys):
    api_test(pettingzoo_env(game), num_cycles=20)
    seed_test(lambda: pettingzoo_env(game), num_cycles=5)


def play(env, seed):
    """All that is seen and got in a random game."""
    env.reset(seed=seed)
    chooser, seen, total = np.random.default_rng(seed), [], dict.fromkeys(env.possible_agents, 0.0)
    for agent in env.agent_iter():
        observation, reward, over, cut, _ = env.last()
        total[agent] += reward
        legal = np.flatnonzero(observation["action_mask"])
        env.step(None if over or cut else int(chooser.choice(legal)))
        seen.append((agent, observation["observation"].tobytes()))
    return seen, total


@pytest.mark.parametrize("game", ["pig", "ewn", "focus:players=3", "cant_stop:players=1"])
def test_what_agents_get_is_the_games_utilities(game):
    env = GameEnv(game)
    seen, total = play(env, 5)
    assert env.position.is_terminal
    assert tuple(total.values()) == env.position.utilities()
    assert play(GameEnv(game), 5) == (seen, total)
    assert play(GameEnv(game), 6)[0] != seen


def test_only_the_agent_to_move_has_legal_actions():
    env = GameEnv("pig")
    env.reset(seed=1)
    masks = {agent: env.observe(agent)["action_mask"].sum() for agent in env.agents}
    assert sorted(masks.values()) == [0, 2]
    assert env.observation_space("player_1").contains(env.observe("player_1"))


def test_an_illegal_action_loses_and_a_long_game_is_cut():
    env = pettingzoo_env("tic_tac_toe")
    env.reset(seed=1)
    env.step(0)
    env.step(8)  # eight squares are left: places 0 to 7
    assert env.rewards["player_2"] == -1.0
    assert all(env.terminations.values())
    cut = GameEnv("tic_tac_toe", max_steps=2)
    cut.reset(seed=1)
    cut.step(0)
    cut.step(0)
    assert all(cut.truncations.values())
    assert not any(cut.terminations.values())


def test_choices_made_at_once_are_not_seen():
    env = GameEnv("rock_paper_scissors.kif")
    env.reset(seed=1)
    first = [env.observe("player_2")["observation"]]
    for action in (0, 1, 2):
        env.reset(seed=1)
        env.step(action)
        first.append(env.observe("player_2")["observation"])
    assert all((one == first[1]).all() for one in first[1:])


def test_nothing_is_played_outside_an_episode():
    env = GameEnv("tic_tac_toe")
    with pytest.raises(AstragalError, match=r"call reset\(\) before step\(\)"):
        env.step(0)
    env.reset(seed=1)
    for agent in env.agent_iter():
        *_, over, cut, _ = env.last()
        env.step(None if over or cut else int(np.flatnonzero(env.observe(agent)["action_mask"])[0]))
    with pytest.raises(AstragalError, match=r"call reset\(\) before step\(\)"):
        env.step(0)
