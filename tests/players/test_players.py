"""Players: their settings as text, the papers' settings for each game, and what the scripted ones do."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from astragal import AstragalError, Limits, Position, game, load_game, load_player, player_classes, search, start
from astragal.algorithms.star.settings import Widths
from astragal.base.errors import SpecError
from astragal.base.parameters import parameter_fields
from support.broken_games import Sound
from support.helpers import EXAMPLE, random_position

PIG = load_game("pig")
STARS = ("exp", "star1", "star2", "expss", "star1ss", "star2ss")


def pig(text: str) -> Position:
    return Position.parse(PIG, text)


def test_every_player_is_listed_with_a_sentence_for_itself_and_each_setting():
    classes = player_classes()
    assert list(classes)[:8] == ["exp", "star", "star1", "star2", "expss", "star1ss", "star2ss", "starss"]
    assert {"random", "hold", "optimal"} < set(classes)
    for name, cls in classes.items():
        assert cls.player_name == name
        assert cls.__doc__
        for field in parameter_fields(cls):
            assert field.metadata["help"], f"{name}: {field.name}"


@pytest.mark.parametrize(
    ("game_name", "widths"), [("pig", (20, 25, 18)), ("ewn", (1, 1, 2)), (f"{EXAMPLE}:MyGame", (10, 10, 10))]
)
def test_the_papers_widths_are_the_defaults_of_its_games(game_name, widths):
    rules = load_game(game_name)
    assert tuple(load_player(name, rules).width[0] for name in ("expss", "star1ss", "star2ss")) == widths


def test_a_width_that_is_given_wins_over_the_papers():
    assert load_player("star2ss:width=7", PIG).width == Widths(7)
    assert load_player("star2ss:time=1", PIG).width == Widths(18)


@pytest.mark.parametrize("spec", ["star1", "star2ss:width=18", "star2ss:time=0.5,width=20-10-5", "hold:n=25", "random"])
def test_a_player_is_read_back_from_its_text(spec):
    assert str(load_player(spec)) == spec
    assert load_player(str(load_player(spec))) == load_player(spec)


texts = st.fixed_dictionaries(
    {},
    optional={
        "time": st.sampled_from(["0.5", "2"]),
        "nodes": st.integers(1, 10**15).map(str),
        "depth": st.integers(1, 64).map(str),
        "deepening": st.sampled_from(["on", "off"]),
        "unfinished": st.sampled_from(["previous", "better"]),
        "prune_above": st.integers(0, 64).map(str),
        "leaf": st.sampled_from(["decision", "afterstate"]),
        "table": st.sampled_from(["off", "moves", "values"]),
        "width": st.lists(st.integers(1, 99), min_size=1, max_size=4).map(lambda ws: "-".join(map(str, ws))),
        "sampling": st.sampled_from(["independent", "stratified", "antithetic", "distinct"]),
        "common": st.sampled_from(["on", "off"]),
        "control": st.sampled_from(["on", "off"]),
        "growth": st.sampled_from(["1", "1.5", "4"]),
        "key": st.sampled_from(["state", "path"]),
        "null": st.integers(0, 64).map(str),
        "multicut": st.integers(0, 6).map(str),
        "probcut": st.sampled_from(["0", "0.5", "2"]),
        "probcut_sigma": st.sampled_from(["0.25", "12"]),
    },
)


@given(settings=texts)
def test_any_settings_are_read_back_from_the_text(settings):
    player = load_player("star2ss:" + ",".join(f"{key}={value}" for key, value in settings.items()))
    again = load_player(str(player))
    assert again == player
    assert load_player(str(player), PIG) == player
    for name in settings.keys() & {"width", "leaf", "depth", "nodes"}:
        assert str(getattr(player, name)) == settings[name]


@pytest.mark.parametrize(
    ("spec", "sentence"),
    [
        ("star3", "there is no player 'star3' .*; did you mean 'star"),
        ("", "there is no player ''"),
        ("star2:dept=3", "star2 has no setting 'dept' .*; did you mean 'depth'"),
        ("star2:width=3", "star2 has no setting 'width'"),
        ("star2:depth=0", "star2: depth=0 is too small; the least is 1"),
        ("star2:depth=65", "star2: depth=65 is too large; the most is 64"),
        ("star2:time=0", "star2: time=0.0 is too small"),
        ("star2:time=soon", "star2: time=soon is not a number"),
        ("star2:nodes=-1", "star2: nodes=-1 is too small"),
        ("star2:table=all", "star2: table=all is not one of off, moves, values"),
        ("star2ss:width=0", "star2ss: width=0 is not a whole number from 1"),
        ("star2ss:width=3-", "star2ss: width=3- is not a whole number from 1"),
        ("star2ss:sampling=lots", "star2ss: sampling=lots is not one of independent, stratified, antithetic, distinct"),
        ("star2ss:growth=0.5", "star2ss: growth=0.5 is too small"),
        ("star2:control=on", "star2 has no setting 'control'"),
        ("star2ss:width=ten", "star2ss: width=ten is not a whole number from 1"),
        ("hold:n=0", "hold: n=0 is too small"),
        ("random:n=3", r"random has no setting 'n' \(it has: none\)"),
        ("star2:", None),
    ],
)
def test_a_bad_player_is_refused_in_a_sentence(spec, sentence):
    if sentence is None:
        assert load_player(spec) == load_player("star2")
    else:
        with pytest.raises(SpecError, match=sentence):
            load_player(spec)


def test_a_setting_that_is_the_general_default_but_not_the_games_is_written():
    player = load_player("star2ss:width=10", PIG)
    assert load_player(str(player), PIG) == player


def test_the_last_width_holds_for_all_deeper_levels():
    assert [Widths("20-10-5").at_level(level) for level in range(5)] == [20, 10, 5, 5, 5]


# Limits


def test_limits_given_to_a_search_take_the_place_of_the_players_own():
    position = pig("50 50 12 1 decide")
    player = load_player("star2:depth=2", PIG)
    assert player.limits == Limits(depth=2)
    assert player.search(position).depth == 2
    assert player.search(position, limits=Limits(depth=1)).depth == 1
    assert player.search(position, limits=Limits()).depth == 2
    assert search(position, "star2:depth=2", limits=Limits(depth=1)).depth == 1


def test_a_search_stays_within_its_nodes():
    for nodes in (100, 1000, 10_000):
        used = search(pig("50 50 12 1 decide"), f"star2:nodes={nodes}").nodes
        assert nodes <= used <= nodes + load_game("pig").max_outcomes


@pytest.mark.parametrize("limits", [{"time": 0}, {"time": -1.0}, {"nodes": 0}, {"depth": -3}])
def test_limits_are_more_than_nothing(limits):
    with pytest.raises(SpecError, match=f"{next(iter(limits))} must be more than 0"):
        Limits(**limits)


def test_a_limit_is_a_number():
    with pytest.raises(SpecError, match="time must be a number"):
        Limits(time=math.nan)


# Scripted players


@pytest.mark.parametrize(
    ("text", "n", "action"),
    [
        ("0 0 22 1 decide", 23, "roll"),
        ("0 0 23 1 decide", 23, "hold"),
        ("0 0 24 2 decide", 23, "hold"),
        ("95 0 4 1 decide", 23, "roll"),
        ("95 0 5 1 decide", 23, "hold"),  # wins
        ("95 0 5 2 decide", 23, "roll"),
        ("0 0 4 1 decide", 4, "hold"),
    ],
)
def test_hold_rolls_until_its_total_or_a_win(text, n, action):
    answer = load_player(f"hold:n={n}", PIG).search(pig(text), seed=5)
    assert (answer.action, answer.position, answer.seed) == (action, text, 5)
    assert answer.player == ("hold" if n == 23 else f"hold:n={n}")
    assert answer.action_number == pig(text).find_action(action)
    assert answer.value is None
    assert answer.actions == []


def test_random_plays_every_action_equally_often_and_the_same_for_a_seed():
    position = Position.parse(load_game("ewn"), "1..../.2.../..5../...../....a 1 4")
    player = load_player("random", position.game)
    played = [player.search(position, seed).action_number for seed in range(3000)]
    assert played[:50] == [player.search(position, seed).action_number for seed in range(50)]
    counts = [played.count(action) for action in position.actions()]
    expected = len(played) / len(counts)
    assert all(abs(count - expected) < 5 * math.sqrt(expected) for count in counts)


@settings(max_examples=25)
@given(seed=st.integers(0, 2**32))
def test_random_plays_legal_actions_in_any_game(seed):
    position = random_position(load_game("ewn"), seed, decision=True)
    assert load_player("random").search(position, seed).action in position.action_names()


@pytest.mark.parametrize("name", ["random", "hold"])
@pytest.mark.parametrize(
    ("text", "why"), [("0 0 0 1 roll", "chance moves next"), ("100 0 0 2 roll", "the game is over")]
)
def test_nothing_can_be_decided_where_nobody_is_to_move(name, text, why):
    with pytest.raises(AstragalError, match=f"{name} has nothing to decide at '{text}': {why}"):
        load_player(name, PIG).search(pig(text))


# Games that a player cannot play


def test_hold_refuses_another_game():
    with pytest.raises(AstragalError, match="hold only plays pig, not ewn"):
        load_player("hold", load_game("ewn"))
    with pytest.raises(AstragalError, match="hold only plays pig, not ewn"):
        load_player("hold").search(start("ewn").settled(1))


@game
class ForThree(Sound):
    """A game that the searches cannot play."""

    players = 3


@game
class ForBoth(Sound):
    """A game that is not zero-sum."""

    zero_sum = False


@pytest.mark.parametrize("name", STARS)
def test_the_searches_refuse_what_they_cannot_search(name):
    with pytest.raises(AstragalError, match=f"{name} needs one or two players; ForThree has 3; maxn, paranoid and uct"):
        load_player(name, ForThree())
    with pytest.raises(AstragalError, match=f"{name} needs a zero-sum game, which ForBoth is not"):
        load_player(name, ForBoth())
    with pytest.raises(AstragalError, match="needs one or two players"):
        search(start(ForThree()), f"{name}:depth=1")


def test_a_search_at_the_end_of_the_game_is_refused():
    with pytest.raises(AstragalError, match="the game is over at '100 0 0 2 roll': there is nothing to search"):
        search(pig("100 0 0 2 roll"), "star2")


def test_a_result_is_plain_data():
    import json

    result = search(pig("50 50 12 2 decide"), "star2:depth=2", seed=3)
    facts = json.loads(json.dumps(result.as_dict()))
    assert {"game", "player", "action", "value", "actions", "depth", "nodes", "seconds", "seed"} <= set(facts)
    assert facts["player_to_move"] == 2
    assert facts["game"] == "pig"
    assert facts["player"] == "star2:depth=2"
    assert {row["action"] for row in facts["actions"]} == {"hold", "roll"}
    assert facts["value"] == max(row["value"] for row in facts["actions"])
    assert facts["seed"] == 3
    assert not any(isinstance(value, np.generic) for value in result.as_dict().values())


@pytest.mark.parametrize("game", ["focus", "focus:players=4", "chinese_checkers:players=3,star=full"])
@pytest.mark.parametrize("player", ["uct", "mcts", "dpw", "mcs"])
def test_rollouts_follow_the_order_where_random_games_do_not_end(player, game):
    chosen = load_player(player, load_game(game))
    assert (chosen.policy, chosen.epsilon) == ("order", 0.05)
    assert load_player(f"{player}:policy=uniform", load_game(game)).policy == "uniform"
    assert load_player(player, load_game("kalah")).policy == "uniform"
    assert load_player("ggp", load_game(game)).policy == "uniform"


@pytest.mark.parametrize("seed", [1.5, "1", None])
def test_a_seed_is_a_whole_number(seed):
    for asked in (lambda: start("pig", seed), lambda: search(start("pig").settled(1), "random", seed)):
        with pytest.raises(AstragalError, match="a seed is a whole number, not "):
            asked()
    assert start("pig", np.int64(3)) == start("pig", 3)


@pytest.mark.parametrize("position", [None, "pig", PIG])
def test_a_search_takes_a_position(position):
    with pytest.raises(AstragalError, match=r"search takes a position, such as astragal.start\('pig'\), not "):
        search(position, "random")
