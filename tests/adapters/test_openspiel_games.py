"""OpenSpiel's games searched here, and our games and players there. Skipped where OpenSpiel is not installed."""

from __future__ import annotations

import pickle
import random
import re

import numpy as np
import pytest

from astragal import Limits, Position, load_game, load_player
from astragal.arena.contest import Contest
from astragal.arena.referee import play_game
from astragal.base.errors import PositionError, SpecError
from astragal.games import game_names, game_spec
from support.helpers import run_here, slow_but

pyspiel = pytest.importorskip("pyspiel")

from astragal.adapters.openspiel import openspiel_bot, openspiel_game, register_games  # noqa: E402
from astragal.base.errors import AstragalError  # noqa: E402
from astragal.games.openspiel.library import their_names  # noqa: E402


def walk(position, seed):
    """The positions of a random game."""
    chooser = random.Random(seed)
    while not position.is_terminal:
        yield position
        steps = [o.number for o in position.outcomes()] if position.is_chance else position.actions()
        position = position.follow(chooser.choice(steps))
    yield position


MISERE = "misere(game=tic_tac_toe())"


def ended(position):
    """The games that are over after one more step."""
    children = [position.follow(action) for action in position.actions()]
    return [child for child in children if child.is_terminal]


# Theirs here


@pytest.mark.parametrize("name", ["backgammon", "breakthrough", "pig(winscore=20)", "mnk(m=4,n=4,k=3)"])
def test_a_position_is_openspiels_state(name):
    game = load_game(f"openspiel:{name}")
    state = pyspiel.load_game(name).new_initial_state()
    previous = None
    for position in walk(Position.start(game), 3):
        if previous is not None:
            state.apply_action(int(position.text.rpartition(",")[2]))
        assert position.is_terminal == state.is_terminal()
        assert position.is_chance == state.is_chance_node()
        if position.turn >= 0:
            assert (position.turn, position.actions()) == (state.current_player(), state.legal_actions())
            assert position.find_action(position.action_names()[-1]) == position.actions()[-1]
        if position.is_chance:
            assert {o.number: o.probability for o in position.outcomes()} == dict(state.chance_outcomes())
        assert Position.parse(game, position.text) == position
        previous = position
    assert list(previous.utilities()) == state.returns()
    assert pickle.loads(pickle.dumps(previous)) == previous
    assert load_game(game_spec(game)) == game


PLAYERS = ["uct:sims=20", "mcts:sims=20", "dpw:sims=20", "mcs:sims=20", "exp:depth=2", "star1:depth=2", "star2:depth=2"]
PLAYERS += ["star2ss:depth=2", "maxn:depth=2", "greedy", "random"]


@pytest.mark.compiled  # though nothing is: a game that cannot be compiled is run by Python wherever others are compiled
@pytest.mark.parametrize("player", PLAYERS)
def test_every_search_searches_them_as_they_are(player):
    position = Position.start(load_game("openspiel:pig(winscore=12)")).settled(1)
    result = load_player(player, position.game).search(position)
    assert result.action_number in position.actions()


@pytest.mark.compiled
@pytest.mark.parametrize(("piles", "wins"), [("1;2;3", False), ("1;2;4", True), ("2;2", False), ("1;1;1", False)])
def test_nim_is_solved(piles, wins):
    """Who takes the last one loses; the theory of Nim says who wins."""
    position = Position.start(load_game(f"openspiel:nim(pile_sizes={piles})"))
    result = load_player("alphabeta", position.game).search(position, limits=Limits(depth=20))
    assert (result.complete, result.value) == (True, 1.0 if wins else -1.0)


@pytest.mark.compiled
@pytest.mark.parametrize("text", ["4,0", "0,1", "0,4,8", "4,1,0"])
def test_values_are_those_of_our_own_tic_tac_toe(text):
    ours = Position.start(load_game("tic_tac_toe"))
    for step in [] if text == "start" else map(int, text.split(",")):
        ours = ours.follow(step)
    theirs = Position.parse(load_game("openspiel:tic_tac_toe"), text)
    found = [load_player("alphabeta").search(p, limits=Limits(depth=9)).value for p in (ours, theirs)]
    assert found[0] == found[1]


@pytest.mark.parametrize(
    ("spec", "sentence"),
    [
        ("openspiel:backgamon", "did you mean 'backgammon'"),
        ("openspiel:kuhn_poker", "it has hidden information"),
        ("openspiel:matrix_rps", "its players choose at once"),
        ("openspiel:stones_and_gems", "how likely"),
        ("openspiel:mnk(z=1)", "cannot make 'mnk"),
        ("openspiel:go(board_size=99)", "cannot make 'go(board_size=99)': The current Go implementation supports"),
        ("openspiel:go(", "Missing closing bracket"),
        ("openspiel:TIC_TAC_TOE", "did you mean 'tic_tac_toe'"),
        ("openspiel:", "has no game ''"),
        ("openspiel:misere(game=kuhn_poker())", "it has hidden information"),
    ],
)
def test_what_cannot_be_searched_is_refused(spec, sentence, capfd):
    """In one sentence: OpenSpiel's C++ writes another one to standard error, past Python."""
    with pytest.raises(SpecError, match=re.escape(sentence)):
        load_game(spec)
    ran = run_here(capfd, "search", spec)
    assert (ran.code, ran.err.count("\n")) == (2, 1)


def test_a_game_within_a_game_is_what_it_makes_of_it():
    """Tic-tac-toe in which a line loses: legal as before, and worth the opposite."""
    text = "4,0,8,1,2,3"  # x: 4, 8, 2 and o: 0, 1, 3; a line of three, at 5 or 6, ends it
    plain, turned = (Position.parse(load_game(f"openspiel:{name}"), text) for name in ("tic_tac_toe", MISERE))
    assert plain.actions() == turned.actions()
    assert [child.utilities() for child in ended(plain)] == [(1.0, -1.0), (1.0, -1.0)]
    assert [child.utilities() for child in ended(turned)] == [(-1.0, 1.0), (-1.0, 1.0)]


def test_a_text_that_is_no_history_is_refused():
    game = load_game("openspiel:tic_tac_toe")
    for text in ("0,0", "9", "a", "0,3,1,4,2,5"):
        with pytest.raises(PositionError, match="is not a position of tic_tac_toe"):
            Position.parse(game, text)


def test_they_are_listed_and_told_of(capsys):
    listed = run_here(capsys, "games", "openspiel:").out.split()
    assert "openspiel:backgammon" in listed
    assert "openspiel:kuhn_poker" not in listed
    assert "2 players, at most 1352 actions" in run_here(capsys, "games", "openspiel:backgammon").out


@pytest.mark.slow
@pytest.mark.parametrize("name", sorted(set(their_names()) - {"efg_game"}))  # which needs a file
def test_all_of_them_can_be_searched(name):
    position = Position.start(load_game(f"openspiel:{name}")).settled(1)
    result = load_player("uct", position.game).search(position, limits=Limits(sims=2))
    assert result.action_number in position.actions()


def test_a_contest_of_theirs_is_played():
    contest = Contest.of("openspiel:tic_tac_toe", ["uct", "random"], Limits(sims=5), seed=2)
    one, again = (play_game(contest, 0, 0, strict=True) for _ in range(2))
    assert one.steps == again.steps
    assert one.forfeit is None


# Ours there

LARGE = ("chinese_checkers", "ra")  # long games, for the slow run
SHORT_CANT_STOP = "cant_stop:sides=3,shortest=1"  # theirs copy the whole history at each of a thousand steps
NAMES = [SHORT_CANT_STOP if name == "cant_stop" else name for name in game_names()]
SMALL = [*(name for name in NAMES if name not in LARGE), "focus:players=3", "pig:dice=1"]


@pytest.mark.slow
@pytest.mark.parametrize("spec", LARGE)
def test_openspiels_own_simulation_test_passes_on_long_games(spec):
    pyspiel.random_sim_test(openspiel_game(spec), num_sims=1, serialize=True, verbose=False)


@pytest.mark.parametrize("spec", SMALL)
def test_openspiels_own_simulation_test_passes(spec):
    pyspiel.random_sim_test(openspiel_game(spec), num_sims=1, serialize=True, verbose=False)


@pytest.mark.parametrize("spec", slow_but(["pig", "tic_tac_toe", "ewn"], NAMES))
def test_openspiels_playthrough_goes_to_the_end(spec):
    generate = pytest.importorskip("open_spiel.python.algorithms.generate_playthrough")
    text = generate.playthrough(str(openspiel_game(spec)), None, seed=1)
    assert "IsTerminal() = True" in text
    if spec in ("pig", "ewn"):
        assert text == generate.playthrough(str(openspiel_game(spec)), None, seed=1)


def test_games_have_names_there_and_seeds():
    assert "astragal_ewn" in register_games()
    assert pyspiel.load_game("astragal_pig").num_players() == 2
    starts = {str(openspiel_game("ewn", seed).new_initial_state()) for seed in range(4)}
    assert len(starts) > 1
    with pytest.raises(SpecError, match="choose at once"):
        openspiel_game("rock_paper_scissors.kif")
    with pytest.raises(SpecError, match="already"):
        openspiel_game("openspiel:chess")


@pytest.mark.parametrize("name", ["go(board_size=3)", "mnk(m=4,n=4,k=3)", MISERE, "tic_tac_toe"])
def test_a_bot_plays_the_variant_that_it_is_given(name):
    game = pyspiel.load_game(name)
    state = game.new_initial_state()
    assert openspiel_bot("uct:sims=3", game).step(state) in state.legal_actions()


def test_openspiel_lets_bots_of_ours_play_and_searches_our_games():
    mcts = pytest.importorskip("open_spiel.python.algorithms.mcts")
    game = openspiel_game("tic_tac_toe")
    theirs = mcts.MCTSBot(game, 1.4, 5, mcts.RandomRolloutEvaluator(1, np.random.RandomState(1)))
    returns = pyspiel.evaluate_bots(game.new_initial_state(), [openspiel_bot("alphabeta:depth=2", game), theirs], 3)
    assert sum(returns) == 0


def test_bots_play_ours_and_theirs():
    ours = openspiel_game("tic_tac_toe")
    theirs = pyspiel.load_game("tic_tac_toe")
    for game in (ours, theirs):
        bots = [openspiel_bot("alphabeta:depth=9", game), openspiel_bot("random", game, seed=5)]
        state = game.new_initial_state()
        while not state.is_terminal():
            state.apply_action(bots[state.current_player()].step(state))
        assert state.returns()[0] >= 0


def test_a_bot_refuses_states_of_another_game():
    ours, theirs = openspiel_game("tic_tac_toe"), pyspiel.load_game("tic_tac_toe")
    other = openspiel_game("connect_four").new_initial_state()
    with pytest.raises(AstragalError, match="this bot plays tic_tac_toe, not connect_four"):
        openspiel_bot("random", ours).step(other)
    with pytest.raises(AstragalError, match="this bot plays openspiel:tic_tac_toe, not openspiel:connect_four"):
        openspiel_bot("random", theirs).step(pyspiel.load_game("connect_four").new_initial_state())
    with pytest.raises(AstragalError, match="this bot plays tic_tac_toe, not openspiel:tic_tac_toe"):
        openspiel_bot("random", ours).step(theirs.new_initial_state())
