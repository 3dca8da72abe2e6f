"""One seat of a game as an environment of Gymnasium: its checker, masks, seeds, rewards."""

from __future__ import annotations

import numpy as np
import pytest

from astragal.base.errors import AstragalError
from astragal.games import game_names

gymnasium = pytest.importorskip("gymnasium")

from gymnasium.utils.env_checker import check_env  # noqa: E402

from astragal.adapters.gymnasium import gymnasium_env  # noqa: E402


@pytest.mark.filterwarnings("error")
@pytest.mark.parametrize("game", [*game_names(), "focus:players=3", "tic_tac_toe.kif"])
def test_the_librarys_own_checker_is_content(game):
    made = gymnasium.make(
        "astragal.adapters.gymnasium:astragal/Game-v0", game=game, opponent="random", disable_env_checker=True
    )
    check_env(made.unwrapped, skip_render_check=True)


def play(env, seed):
    observation, info = env.reset(seed=seed)
    chooser, seen, over = np.random.default_rng(seed), [observation.tobytes()], False
    while not over:
        assert (env.action_masks() == info["action_mask"]).all()
        assert info["action_mask"].sum() == len(info["actions"])
        observation, reward, over, _, info = env.step(chooser.choice(np.flatnonzero(info["action_mask"])))
        seen.append(observation.tobytes())
    return seen, reward


@pytest.mark.parametrize(("game", "opponent"), [("pig", "hold:n=20"), ("ewn", "random"), ("focus:players=3", "random")])
@pytest.mark.few(2)
def test_a_seed_gives_the_same_game_again(game, opponent):
    for seat in (1, 2):
        env = gymnasium_env(game, opponent, seat)
        seen, reward = play(env, 3)
        assert reward == env.position.utilities()[seat - 1]
        assert play(gymnasium_env(game, opponent, seat), 3) == (seen, reward)
        assert play(env, 4)[0] != seen


def test_a_strong_opponent_is_not_beaten_at_random():
    env = gymnasium_env("tic_tac_toe", "alphabeta:depth=9", seat=2)
    assert all(play(env, seed)[1] <= 0 for seed in range(1))


def test_an_illegal_action_loses():
    env = gymnasium_env("tic_tac_toe", render_mode="ansi")
    env.reset(seed=1)
    env.step(0)
    _, reward, over, cut, info = env.step(8)
    assert (reward, over, cut, info["illegal"]) == (-1.0, True, False, 8)
    assert "x" in env.render()


@pytest.mark.parametrize(
    ("game", "opponent", "seat"), [("pig", "nobody", 1), ("no", "random", 1), ("pig", "random", 3)]
)
def test_what_does_not_fit_is_refused(game, opponent, seat):
    with pytest.raises(AstragalError):
        gymnasium_env(game, opponent, seat)


def test_nothing_is_played_outside_an_episode():
    env = gymnasium_env("tic_tac_toe", render_mode="ansi")
    for asked in (lambda: env.step(0), env.action_masks, env.render):
        with pytest.raises(gymnasium.error.ResetNeeded, match=r"no episode has begun; call reset\(\) first"):
            asked()
    env.reset(seed=1)
    *_, info = env.step(99)
    assert (info["action_mask"].any(), info["actions"], env.action_masks().any()) == (False, [], False)
    with pytest.raises(gymnasium.error.ResetNeeded, match=r"the episode is over; call reset\(\) before step\(\)"):
        env.step(0)
    env.reset(seed=1)
    assert env.action_masks().any()
    over = False
    while not over:
        *_, over, _, info = env.step(np.flatnonzero(env.action_masks())[0])
    assert not info["action_mask"].any()
    with pytest.raises(gymnasium.error.ResetNeeded):
        env.step(0)
