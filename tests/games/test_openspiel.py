"""Our rules against OpenSpiel's, move by move over random games. Skipped where OpenSpiel is not installed."""

import random
import re

import pytest

from astragal import Position, load_game
from astragal.players.programs.mirrors import Mirror, mirror_of
from astragal.rules.position import History

pyspiel = pytest.importorskip("pyspiel", reason="OpenSpiel is not installed (pip install astragal[openspiel])")


def ewn_board(state):
    """OpenSpiel's board turned round, in our letters: its white cubes (w) are our first player's."""
    squares = re.findall(r"\|(..)\|", str(state))[::-1]
    letters = ["." if s == "__" else s[1] if s[0] == "w" else "abcdef"[int(s[1]) - 1] for s in squares]
    return "/".join("".join(letters[5 * row : 5 * row + 5]) for row in range(5))


def pits_and_stores(position):
    first, second, _ = position.text.split()
    return [int(count) for side in (first, second) for count in side.replace("/", ",").split(",")]


def their_pits_and_stores(state):
    """OpenSpiel begins with player 2's store."""
    second_store, *others = [int(count) for count in state.observation_tensor(0)[:14]]
    return [*others, second_store]


def same_board(position, state):
    assert position.text == "/".join(str(state).strip().splitlines())


def same_cubes(position, state):
    assert position.text.split()[0] == ewn_board(state)


def same_stones(position, state):
    if not position.is_terminal:  # where OpenSpiel leaves the last stones in the pits
        assert pits_and_stores(position) == their_pits_and_stores(state)


def same_scores(position, state):
    mine, theirs = position.state, [int(number) for number in re.findall(r"\d+", str(state))[:3]]
    assert [mine.score[0], mine.score[1], mine.pot] == theirs


COMPARED = {
    "ewn": same_cubes,
    "ewn:setup=fixed": same_cubes,
    "kalah:rules=standard": same_stones,
    "pig:dice=1": same_scores,
    "pig:dice=1,goal=30": same_scores,
    "connect_four": same_board,
    "tic_tac_toe": same_board,
}


def their_player(mirror, player):
    """OpenSpiel's number of one of our players, who change places in EWN."""
    return 1 - player if mirror.rules.name == "einstein_wurfelt_nicht" else player


def legal(mirror):
    """Our actions in OpenSpiel's numbers. Who can win in Pig by holding may not roll in OpenSpiel."""
    position = mirror.position
    if mirror.rules.name == "pig" and position.play("hold").is_terminal:
        return [1]
    return sorted(mirror.actions())


@pytest.mark.parametrize("spec", COMPARED)
def test_the_mirrored_games_have_the_same_moves_and_ends(spec):
    for seed in range(50):
        chooser, mirror = random.Random(seed), Mirror(Position.start(load_game(spec), seed))
        while not mirror.position.is_terminal:
            position, state = mirror.position, mirror.state
            COMPARED[spec](position, state)
            if position.is_chance:
                mirror.follow(chooser.choice(position.outcomes()).number)
                continue
            assert their_player(mirror, position.turn) == state.current_player()
            assert legal(mirror) == state.legal_actions()
            mirror.follow(chooser.choice(position.actions()))
        COMPARED[spec](mirror.position, mirror.state)
        assert mirror.state.is_terminal()
        returns = mirror.state.returns()
        won = [(value > 0) - (value < 0) for value in mirror.position.utilities()]
        assert won == [returns[their_player(mirror, player)] for player in range(2)]


@pytest.mark.parametrize(
    "text", ["0 0 0 2 roll", "0 0 5 2 decide", "50 33 0 1 roll", "50 33 13 2 decide", "7 2 92 1 decide"]
)
def test_any_position_of_pig_can_be_reached(text):
    mirror = Mirror(Position.parse(load_game("pig:dice=1"), text))
    same_scores(mirror.position, mirror.state)
    assert mirror.state.current_player() == mirror.position.state.turn


def test_a_mirror_that_is_kept_goes_on_where_it_stands():
    game = load_game("kalah:rules=standard")
    start = Position.start(game)
    first = mirror_of(History(start, (2, 5)))
    longer = mirror_of(History(start, (2, 5, 1)), first)
    assert longer is first
    assert longer.position == start.play(2).play(5).play(1)
    other = mirror_of(History(start, (3,)), first)
    assert other is not first
    assert str(other.state) == str(mirror_of(History(start, (3,))).state)


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


@pytest.mark.few(4)
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
