"""The player that asks OpenSpiel. What needs it is skipped where it is not installed."""

import importlib.util
import random
import sys

import pytest

from astragal import AstragalError, Limits, Position, load_game, load_player
from astragal.arena.contest import Contest
from astragal.arena.store.results_store import ResultsStore
from astragal.rules.position import History
from support.arenas import kept, play
from support.helpers import run_here

installed = pytest.mark.skipif(
    importlib.util.find_spec("pyspiel") is None, reason="OpenSpiel is not installed (pip install astragal[openspiel])"
)
GAMES = ["ewn", "kalah:rules=standard", "pig:dice=1", "connect_four", "tic_tac_toe"]


def histories(spec, seed):
    """A random game at each of its decisions: the position, and how it came about."""
    chooser, start, steps = random.Random(seed), Position.start(load_game(spec), seed), []
    position = start
    while not position.is_terminal:
        if position.is_chance:
            step = chooser.choice(position.outcomes()).number
        else:
            yield position, History(start, tuple(steps))
            step = chooser.choice(position.actions())
        steps.append(step)
        position = position.follow(step)


@installed
@pytest.mark.parametrize("spec", GAMES)
def test_it_answers_with_legal_actions_and_the_same_with_and_without_a_session(spec):
    player = load_player("openspiel:sims=20", load_game(spec))
    session = player.new_session()
    for position, history in histories(spec, 1):
        result = player.search(position, 7, session=session, history=history)
        assert result.action_number in position.actions()
        assert {row.number for row in result.actions} <= set(position.actions())
        fresh = player.search(position, 7, history=history)
        assert (result.actions, result.value) == (fresh.actions, fresh.value)
        low, high = position.game.utility_range
        assert low <= result.value <= high


@installed
@pytest.mark.parametrize("spec", ["ewn", "connect_four", "tic_tac_toe"])
def test_it_takes_a_win_and_knows_whose_it_is(spec):
    """From both seats: in EWN the players change places in OpenSpiel."""
    player, seats = load_player("openspiel:sims=3000", load_game(spec)), set()
    for seed in range(20):
        for position, history in histories(spec, seed):
            high = position.game.utility_range[1]
            after = {action: position.play(action) for action in position.actions()}
            wins = [a for a, then in after.items() if then.is_terminal and then.utilities()[position.turn] == high]
            if not wins or len(after) == 1:
                continue
            result = player.search(position, 3, history=history)
            assert result.action_number in wins
            assert (result.value, result.actions[0].bound, result.complete) == (high, "proven", True)
            seats.add(position.turn)
    assert seats == {0, 1}


@installed
def test_without_its_solver_it_proves_nothing_and_counts_its_simulations():
    position = Position.start(load_game("connect_four"))
    result = load_player("openspiel:sims=500,solve=off,rollouts=2,c=1").search(position, 1)
    assert result.simulations == result.nodes == 500
    assert sum(row.visits for row in result.actions) == 499  # the first one visits the root alone
    assert {row.bound for row in result.actions} == {"estimate"}
    assert result.actions[0].visits == max(row.visits for row in result.actions)


@installed
def test_the_shortest_search_has_an_answer():
    position = Position.start(load_game("tic_tac_toe"))
    player = load_player("openspiel")
    for limits in (Limits(sims=1), Limits(nodes=1), Limits(time=1e-9)):
        assert player.search(position, 1, limits).action_number in position.actions()


@installed
def test_a_match_can_be_played_and_taken_up_again(tmp_path, capsys):
    file = tmp_path / "results.db"
    asked = ["match", "ewn", "uct", "openspiel", "--games", "2", "--time", "0.02", "--db", str(file), "--jobs", "1"]
    assert run_here(capsys, *asked).code == 0
    asked[5] = "4"
    assert "openspiel" in run_here(capsys, *asked).out
    with ResultsStore(file) as store:
        games = kept(store)
    assert len(games) == 4
    assert [game.forfeit for game in games] == [None] * 4


@installed
def test_a_match_by_simulations_is_repeatable(tmp_path):
    contest = Contest.of("kalah:rules=standard", ["openspiel:sims=50", "random"], seed=3)
    once, again = (play(contest, 2, tmp_path / name) for name in ("1.db", "2.db"))
    assert [game.steps for game in once] == [game.steps for game in again]
    assert all(game.forfeit is None for game in once)


@installed
@pytest.mark.parametrize(
    ("spec", "text"),
    [
        ("ewn", "123../45.../6..f./...ed/..cba 1 3"),
        ("kalah:rules=standard", "4,4,0,5,5,5/1 4,4,4,4,4,4/0 1"),
        ("tic_tac_toe", "x../.o./..."),
    ],
)
def test_it_follows_a_game_from_its_beginning(spec, text):
    game = load_game(spec)
    position = Position.parse(game, text)
    with pytest.raises(AstragalError, match=r"OpenSpiel follows a game from its beginning, and .* cannot begin at"):
        load_player("openspiel", game).search(position)


@pytest.mark.parametrize(
    ("game", "sentence"),
    [
        ("focus", "openspiel only plays ewn and kalah and .*, not focus"),
        ("kalah", "OpenSpiel's rules are those of kalah:rules=standard, with 6 pits of 4 stones a side, not of kalah"),
        ("kalah:rules=standard,setup=random", "OpenSpiel's rules are those of kalah:rules=standard"),
        ("kalah:rules=standard,pits=5", "OpenSpiel's rules are those of kalah:rules=standard"),
        ("pig", "OpenSpiel's rules are those of pig:dice=1, not of pig"),
    ],
)
def test_it_refuses_games_that_openspiel_does_not_have(game, sentence):
    with pytest.raises(AstragalError, match=sentence):
        load_player("openspiel", load_game(game))


def test_it_says_where_openspiel_is_missing(monkeypatch):
    monkeypatch.setitem(sys.modules, "pyspiel", None)
    with pytest.raises(AstragalError, match=r'needs OpenSpiel: pip install "astragal\[openspiel\]"'):
        load_player("openspiel", load_game("ewn"))


@installed
def test_it_has_no_depth_to_limit():
    with pytest.raises(AstragalError, match="openspiel has no depth to limit"):
        load_player("openspiel").search(Position.start(load_game("tic_tac_toe")), limits=Limits(depth=2))
