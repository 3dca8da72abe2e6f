"""Our rules against OpenSpiel's, move by move over random games. Skipped where OpenSpiel is not installed."""

import random
import re

import pytest

from astragal import Position, load_game

pyspiel = pytest.importorskip("pyspiel", reason="OpenSpiel is not installed (pip install astragal[openspiel])")


def ewn_board(state):
    """OpenSpiel's board in our letters: black (b) is our first player at the top left, white (w) our second."""
    squares = re.findall(r"\|(..)\|", str(state))
    letters = ["." if s == "__" else s[1] if s[0] == "b" else "abcdef"[int(s[1]) - 1] for s in squares]
    return "/".join("".join(letters[5 * row : 5 * row + 5]) for row in range(5))


def after(state, action):
    child = state.clone()
    child.apply_action(action)
    return ewn_board(child)


@pytest.mark.parametrize("seed", range(15))
def test_ewn_has_the_same_moves_and_ends(seed):
    chooser = random.Random(seed)
    game = load_game("ewn")
    state = pyspiel.load_game("einstein_wurfelt_nicht").new_initial_state()
    while not state.is_terminal():
        if state.is_chance_node():
            state.apply_action(chooser.choice(state.chance_outcomes())[0])
            continue
        mover = state.current_player() + 1
        # The die is not in OpenSpiel's text: a die is right if it allows the same moves.
        theirs = {after(state, action) for action in state.legal_actions()}
        ours = []
        for die in range(1, 7):
            position = Position.parse(game, f"{ewn_board(state)} {mover} {die}")
            ours.append({position.play(action).text.split()[0] for action in position.actions()})
        assert theirs in ours
        state.apply_action(chooser.choice(state.legal_actions()))
    winner = max(range(2), key=lambda player: state.returns()[player])
    final = Position.parse(game, f"{ewn_board(state)} {2 - winner}")
    assert final.is_terminal
    assert final.utilities()[winner] == 100.0


@pytest.mark.parametrize("seed", range(20))
def test_one_die_pig_has_the_same_scores_and_end(seed):
    """OpenSpiel's Pig lets a player hold at once; ours must roll first, so the first roll is forced on both."""
    chooser = random.Random(seed)
    position = Position.start(load_game("pig:dice=1"))
    state = pyspiel.load_game("pig").new_initial_state()
    while not position.is_terminal:
        if position.is_chance:
            if not state.is_chance_node():
                state.apply_action(0)  # roll
            face = chooser.randint(1, 6)
            state.apply_action(face - 1)
            position = position.deal(str(face))
        else:
            action = chooser.choice(["roll", "roll", "hold"])
            state.apply_action(0 if action == "roll" else 1)
            position = position.play(action)
        mine = position.state
        theirs = [int(number) for number in re.findall(r"\d+", str(state))[:3]]
        assert [mine.score[0], mine.score[1], mine.pot] == theirs
    assert state.is_terminal()
    assert [value / 100 for value in position.utilities()] == state.returns()


def random_moves(name, seed):
    """The states of a random game of OpenSpiel's, each with the action played next, and the last with None."""
    chooser = random.Random(seed)
    state = pyspiel.load_game(name).new_initial_state()
    while not state.is_terminal():
        action = chooser.choice(state.legal_actions())
        yield state.clone(), action
        state.apply_action(action)
    yield state, None


@pytest.mark.parametrize("seed", range(30))
@pytest.mark.parametrize("name", ["tic_tac_toe", "connect_four"])
def test_boards_have_the_same_moves_and_ends(name, seed):
    """Squares and columns have the same numbers."""
    position = Position.start(load_game(name))
    for state, action in random_moves(name, seed):
        assert position.text == "/".join(str(state).strip().splitlines())
        assert position.turn == (state.current_player() if action is not None else -2)
        assert sorted(position.actions()) == state.legal_actions()
        if action is not None:
            position = position.play(action)
    assert list(position.utilities()) == state.returns()


@pytest.mark.parametrize("seed", range(50))
def test_kalah_has_the_same_moves_and_ends(seed):
    """OpenSpiel numbers player 2's store 0, player 1's pits 1 to 6 and store 7, player 2's pits 8 to 13."""
    position = Position.start(load_game("kalah:rules=standard,score=win"))
    for state, action in random_moves("mancala", seed):
        first, second, _ = position.text.split()
        ours = [int(count) for side in (first, second) for count in side.replace("/", ",").split(",")]
        if action is None:
            break  # where OpenSpiel leaves the last stones in the pits
        second_store, *theirs = [int(count) for count in state.observation_tensor(0)[:14]]
        assert ours == [*theirs, second_store]
        assert position.turn == state.current_player()
        assert sorted(pit + 1 + 7 * position.turn for pit in position.actions()) == state.legal_actions()
        position = position.play(action - 1 - 7 * position.turn)
    assert position.is_terminal
    assert [value / 100 for value in position.utilities()] == state.returns()


def chinese_checkers_turns(state):
    """Where every whole turn of OpenSpiel's leads, whose actions are single hops: (from, to) -> the state after it."""
    mover, turns = state.current_player(), {}

    def go_on(here, first):
        for action in here.legal_actions():
            text, after = here.action_to_string(action), here.clone()
            after.apply_action(action)
            ends = re.findall(r"\d+", text)
            if not ends:
                continue  # the end of a chain, or a pass
            begin, to = int(ends[0]) if first is None else first, int(ends[1])
            stopped = after.clone()
            if after.current_player() == mover and not after.is_terminal():
                stop = [a for a in after.legal_actions() if not re.search(r"\d", after.action_to_string(a))]
                stopped.apply_action(stop[0])
                go_on(after, begin)
            turns.setdefault((begin, to), stopped)

    go_on(state, None)
    return turns


def chinese_checkers_board(state):
    """OpenSpiel's board in our notation."""
    rows = [line.replace(" ", "") for line in str(state).splitlines()[:17]]
    return "/".join(rows)


@pytest.mark.parametrize("players", [2, 3, 4, 6])
@pytest.mark.parametrize("seed", range(3))
def test_chinese_checkers_has_the_same_moves(players, seed):
    """Cells have the same numbers, from the top left."""
    chooser = random.Random(seed)
    position = Position.start(load_game(f"chinese_checkers:star=full,players={players}"))
    names = [f"{row}.{k}" for row, cells in enumerate(position.text.split()[0].split("/")) for k in range(len(cells))]
    state = pyspiel.load_game(f"chinese_checkers(players={players})").new_initial_state()
    for _ in range(80):
        assert position.text.split()[0] == chinese_checkers_board(state)
        assert position.turn == state.current_player()
        turns = chinese_checkers_turns(state)
        assert {f"{names[here]}-{names[to]}" for here, to in turns} == set(position.action_names())
        here, to = chooser.choice(sorted(turns))
        position, state = position.play(f"{names[here]}-{names[to]}"), turns[here, to]
