"""The scripted players of Can't Stop: decisions by hand, and how they fare in thousands of games."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
import pytest

from astragal import Position, load_game, load_player, start
from astragal.base.errors import AstragalError
from astragal.compiler.intrinsics.native import assign, local_copy
from astragal.compiler.kernel import kernel
from astragal.games.cant_stop.rule28 import GLENN, RULE_OF_28, PointsRule
from astragal.games.cant_stop.rules import STOP
from astragal.rules.decorator import CHANCE, TERMINAL
from astragal.rules.dice import Dice
from astragal.rules.random import next_word, upper
from support.helpers import random_position

GAME = load_game("cant_stop")


def answer(player: str, text: str, settings: str = "") -> str | None:
    game = load_game(f"cant_stop:{settings}" if settings else "cant_stop")
    return load_player(player, game).search(Position.parse(game, text)).action


@pytest.mark.parametrize(
    ("player", "text", "action"),
    [
        ("rule28", "- - 2:3,12:3 1 decide", "roll"),  # a runner is free
        ("rule28", "- - 6:5,7:4,8:4 1 decide", "roll"),  # 12 + 5 + 10 = 27
        ("rule28", "- - 6:5,7:5,8:4 1 decide", "stop"),  # 12 + 6 + 10 = 28
        ("rule28", "6:2 - 6:7,7:4,8:4 1 decide", "roll"),  # a marker was there
        ("rule28", "- - 2:1,3:1,7:1 1 decide", "stop"),  # 12 + 10 + 2, all low + 4
        ("rule28", "- - 7:1,11:1,12:1 1 decide", "stop"),  # the same, all high
        ("rule28", "- - 3:1,6:1,7:6 1 decide", "roll"),  # 10 + 4 + 7 = 21, all low + 4
        ("rule28", "- - 2:1,4:1,6:1 1 decide", "roll"),  # 12 + 8 + 4, all low + 4, all even - 2
        ("rule28", "- - 3:1,5:1,9:2 1 decide", "roll"),  # 10 + 6 + 9, all odd + 2
        ("rule28", "- - 3:1,5:1,9:3 1 decide", "stop"),
        ("rule28:threshold=27", "- - 3:1,5:1,9:2 1 decide", "stop"),
        ("rule28", "2:3,12:3 - 7:13 1 decide", "stop"),  # wins
        ("rule28", "- 2:3,12:3 7:13 1 decide", "roll"),
        ("rule28", "- - 6:1,10:1 1 2345", "6+8"),  # 6 + 2 against 6 for 5 or 9 and 3 for 7 + 7
        ("rule28", "- - - 1 1166", "2+12"),
        ("rule28", "- - 2:1,12:1 1 2336", "5"),  # 6, as 9 has; 6 and 8 have 4 + 2
        ("glenn", "- - 2:1,3:1,7:1 1 decide", "stop"),  # 14 + 14 + 2, all low + 5
        ("glenn", "- - 6:4,7:7,8:4 1 decide", "roll"),  # 10 + 8 + 10 = 28
        ("glenn", "- - 6:4,7:8,8:4 1 decide", "stop"),
        ("glenn", "- - 4:2,6:3,8:4 1 decide", "roll"),  # 9 + 8 + 10, all even + 1
        ("glenn", "- - 4:2,6:3,8:5 1 decide", "stop"),
        ("glenn", "- - 2:1,12:1 1 2336", "6"),  # 8 - 1, as 8 has, against nothing for 5 or 9
        ("glenn", "- - - 1 1256", "6+8"),  # 16 - 12 against 9 - 6 for 7 + 7
    ],
)
def test_decisions_made_by_hand(player, text, action):
    assert answer(player, text) == action


def test_no_runner_waits_where_all_open_columns_have_one():
    board = "sides=2,shortest=9,goal=2"
    assert answer("rule28", "2:9 - 3:5,4:8 1 decide", board) == "roll"  # 6 + 18
    assert answer("rule28", "2:9 - 3:9,4:8 1 decide", board) == "stop"  # 10 + 18
    assert answer("rule28", "- - 3:9,4:8 1 decide", board) == "roll"


@pytest.mark.few(6)
@pytest.mark.parametrize("rule", [RULE_OF_28, GLENN], ids=["rule28", "glenn"])
@pytest.mark.parametrize("seed", range(30))
def test_choices_are_scored_as_by_definition(rule, seed):
    """The score of a choice is that of the position after it: points, less adjustment, less six for each runner."""
    position = random_position(GAME, seed, decision=True)
    while "+" not in (names := position.action_names())[0] and not names[0].isdecimal():
        position = position.play("roll").settled(Dice(seed))
    weights = {c: rule.choice[abs(c - 7)] for c in range(2, 13)}

    def score(name: str) -> tuple[int, tuple[int, ...]]:
        state = position.play(name).state
        advanced = {c: state.climbed >> 5 * (c - 2) & 31 for c in range(2, 13) if state.placed >> c - 2 & 1}
        total = sum((spaces + 1) * weights[c] for c, spaces in advanced.items()) - 6 * len(advanced)
        if len(advanced) == 3:
            total -= rule.odd * all(c % 2 for c in advanced) + rule.even * all(c % 2 == 0 for c in advanced)
            total -= rule.low * (max(advanced) <= 7) + rule.high * (min(advanced) >= 7)
        return -total, tuple(map(int, name.split("+")))

    player = "rule28" if rule is RULE_OF_28 else "glenn"
    assert load_player(player, GAME).search(position).action == min(position.action_names(), key=score)


def test_they_play_nothing_else_and_decide_where_there_is_something_to_decide():
    with pytest.raises(AstragalError, match="rule28 only plays cant_stop, not pig"):
        load_player("rule28", load_game("pig"))
    with pytest.raises(AstragalError, match=r"glenn has nothing to decide .* chance moves next"):
        load_player("glenn", GAME).search(start(GAME))


# Thousands of games


@kernel(entry="games by a points rule")
def games_by_rule(game: Any, rule: Any, root: Any, seed: Any, results: Any) -> None:
    """Play a game for each row of results: turns, busts, rolls, and player 0's utility."""
    generator = np.uint64(seed)
    state = local_copy(root[0])
    for i in range(len(results)):
        assign(state, root[0])
        turns, busts, rolls = 0, 0, 0
        while game.turn(state) != TERMINAL:
            if game.turn(state) == CHANCE:
                generator, word = next_word(generator)
                game.deal(state, game.draw(state, upper(word)))
                rolls += 1
                busts += game.turn(state) == CHANCE
            else:
                action = rule.action(game, state)
                turns += action == STOP
                game.play(state, action)
        results[i, 0], results[i, 1], results[i, 2] = turns + busts, busts, rolls
        results[i, 3] = game.utility(state, 0)


def played(spec: str, rule: PointsRule, games: int) -> Any:
    game = load_game(spec)
    results = np.zeros((games, 4))
    games_by_rule(game, rule, start(game).memory, 12345, results)
    return results.T


def close(samples: Any, known: float, error: float) -> bool:
    return bool(abs(samples.mean() - known) < 5 * (samples.var() / len(samples) + error**2) ** 0.5)


@pytest.mark.slow
@pytest.mark.parametrize(("rule", "known", "error"), [(RULE_OF_28, 10.630, 0.002), (GLENN, 9.22, 0.04)])
def test_turns_needed_alone(rule, known, error):
    turns, busts, rolls, utility = played("cant_stop:players=1", rule, 20_000)
    assert close(turns, known, error)
    assert (utility == 100 - turns).all()
    if rule is RULE_OF_28:
        assert busts.sum() / turns.sum() == pytest.approx(0.21, abs=0.01)
        assert rolls.sum() / turns.sum() == pytest.approx(3.25, abs=0.02)


@pytest.mark.slow
def test_other_thresholds_need_more_turns():
    rules = [replace(RULE_OF_28, threshold=threshold) for threshold in (24, 28, 32)]
    means = [played("cant_stop:players=1", rule, 20_000)[0].mean() for rule in rules]
    assert means[1] + 0.1 < min(means[0], means[2])


@pytest.mark.slow
def test_the_first_player_wins_more_games():
    turns, _, _, utility = played("cant_stop", RULE_OF_28, 20_000)
    assert close((utility + 100) / 200, 0.5606, 0.0005)
    assert close(turns, 18.31, 0.01)
