"""Positions: what they say, that they never change, and how they are written and read."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from astragal import CHANCE, TERMINAL, AstragalError, Dice, Position, load_game, start
from astragal.base.errors import IllegalAction, PositionError
from support.helpers import EXAMPLE, random_position, random_positions
from support.tree_games import roll, tree

PIG = load_game("pig")
EWN = load_game("ewn:setup=fixed")
BONES = load_game(f"{EXAMPLE}:MyGame")
GAMES = [PIG, load_game("pig:dice=1,goal=20"), EWN, load_game("ewn"), BONES]
seeds = st.integers(0, 2**32)


def test_turn_is_chance_then_a_player_then_terminal():
    position = start("pig:goal=10")
    assert position.turn == CHANCE
    assert position.is_chance
    position = position.deal("12")
    assert (position.turn, position.is_chance, position.is_terminal) == (0, False, False)
    position = position.play("hold")
    assert (position.turn, position.is_terminal) == (TERMINAL, True)


def test_actions_have_names_in_the_same_order():
    position = start("pig").deal("8")
    assert position.actions() == [0, 1]
    assert position.action_names() == ["hold", "roll"]


def test_there_are_no_actions_unless_a_player_is_to_move():
    assert start("pig").actions() == []
    assert Position.parse(PIG, "100 0 0 2 roll").actions() == []


@pytest.mark.parametrize("action", ["hold", " HOLD ", 0])
def test_an_action_is_played_by_name_or_number(action):
    assert start("pig").deal("8").play(action).text == "8 0 0 2 roll"


@pytest.mark.parametrize("outcome", ["8", 9])
def test_an_outcome_is_dealt_by_name_or_number(outcome):
    assert start("pig").deal(outcome).text == "0 0 8 1 decide"


def test_outcomes_have_names_and_probabilities():
    outcomes = start("pig").outcomes()
    assert {o.name: round(36 * o.probability, 9) for o in outcomes} == {
        "1": 10, "double-1": 1, "4": 1, "5": 2, "6": 3, "7": 4, "8": 5, "9": 4, "10": 3, "11": 2, "12": 1,
    }  # fmt: skip
    assert start("pig").deal("8").outcomes() == []


def test_an_illegal_action_names_the_legal_ones_and_the_nearest():
    position = Position.parse(EWN, "123../45.../6...f/...ed/..cba 1 6")
    with pytest.raises(IllegalAction, match=r"'6-b9' is not a legal action here; legal: 6-b2, 6-a2, 6-b3; did you"):
        position.play("6-b9")
    with pytest.raises(IllegalAction, match=r"^77 is not a legal action here; legal: 6-b2, 6-a2, 6-b3$"):
        position.play(77)
    with pytest.raises(IllegalAction, match=r"'rol' .* legal: hold, roll; did you mean 'roll'"):
        start("pig").deal("8").play("rol")


def test_an_illegal_outcome_names_the_legal_ones():
    with pytest.raises(IllegalAction, match="'7' is not a legal outcome here; legal: 1, 2, 3, 4, 5, 6"):
        start("ewn").deal("7")


def test_what_the_turn_does_not_allow_is_refused_in_a_sentence():
    chance, decision, over = start("pig"), start("pig").deal("8"), Position.parse(PIG, "100 0 0 2 roll")
    with pytest.raises(IllegalAction, match="no action can be played: chance moves next"):
        chance.play("roll")
    with pytest.raises(IllegalAction, match="no action can be played: the game is over"):
        over.play("roll")
    with pytest.raises(IllegalAction, match="no outcome can be dealt: a player is to move"):
        decision.deal("8")
    with pytest.raises(IllegalAction, match="no outcome can be dealt: the game is over"):
        over.deal("8")
    with pytest.raises(IllegalAction, match="no outcome can be drawn"):
        decision.draw(1)
    with pytest.raises(AstragalError, match="the game is not over"):
        decision.utilities()


@pytest.mark.parametrize("game", GAMES, ids=repr)
@settings(max_examples=20)
@given(seed=seeds)
def test_a_sample_is_the_same_for_a_seed(game, seed):
    position = start(game, seed)
    if position.is_chance:
        assert position.sample(seed) == position.sample(seed) == position.deal(position.draw(Dice(seed)))


def test_samples_over_seeds_follow_the_probabilities():
    position, seeds_drawn = start("pig"), 9_000
    drawn = [position.draw(seed) for seed in range(seeds_drawn)]
    for outcome in position.outcomes():
        error = (outcome.probability * (1 - outcome.probability) / seeds_drawn) ** 0.5
        assert abs(drawn.count(outcome.number) / seeds_drawn - outcome.probability) < 5 * error


WORDS = 600  # as far from each other


@pytest.mark.parametrize(
    "position",
    [
        tree(roll(1, 2, 3, 4, weights=(5, 1, 3, 1))),  # by the list of its outcomes, as games do that have no `draw`
        start("pig"),
        start("pig:rolls=36"),
        start("ewn:setup=fixed"),
        start("cant_stop"),
        start("ra").follow(0),
    ],
    ids=["a list", "pig", "pig by dice", "ewn", "cant_stop", "ra"],
)
def test_random_words_draw_every_outcome_by_its_probability(position):
    drawn = [position.rules.draw(position.state, (2 * i + 1) * 2**31 // WORDS) for i in range(WORDS)]
    for outcome in position.outcomes():
        assert drawn.count(outcome.number) / WORDS == pytest.approx(outcome.probability, abs=1.5 / WORDS)


def test_dice_go_on_where_they_are_while_a_seed_starts_anew():
    dice = Dice(5)
    assert len({start("pig").draw(dice) for _ in range(50)}) > 5
    assert len({start("pig").draw(5) for _ in range(50)}) == 1


@settings(max_examples=30)
@given(seed=seeds)
def test_settled_draws_only_what_chance_decides_first(seed):
    position = start("pig").settled(seed)
    assert not position.is_chance
    assert position.settled(seed + 1) == position


def test_utilities_at_the_end_are_the_evaluations_too():
    won = Position.parse(PIG, "51 104 0 1 roll")
    assert won.utilities() == won.evaluations() == (-100.0, 100.0)
    assert Position.parse(PIG, "20 35 10 1 decide").evaluations() == (-5.0, 5.0)


def test_the_picture_shows_the_position():
    lines = str(Position.parse(EWN, "1.2.5/..4../...../...a./..... 1 3")).splitlines()
    assert lines == [
        "5  1 . 2 . 5", "4  . . 4 . .", "3  . . . . .", "2  . . . a .", "1  . . . . .",
        "   a b c d e", "player 1 (123456) rolled 3",
    ]  # fmt: skip
    picture = str(Position.parse(PIG, "34 51 12 2 decide"))
    assert "34" in picture.splitlines()[0]
    assert "51 + 12 this turn" in picture.splitlines()[1]
    assert str(start(BONES)) == start(BONES).text
    assert repr(start(BONES)) == "<MyGame square=0,0 turn=0 bones=0>"


@pytest.mark.parametrize("game", GAMES, ids=repr)
@settings(max_examples=6)
@given(seed=seeds)
def test_every_position_of_a_game_is_read_back_from_its_text(game, seed):
    for position in random_positions(game, seed, 60):
        again = Position.parse(game, position.text)
        assert again == position
        assert hash(again) == hash(position)
        assert again.memory.tobytes() == position.memory.tobytes()


@pytest.mark.parametrize("game", GAMES, ids=repr)
@settings(max_examples=15)
@given(seed=seeds)
def test_playing_and_dealing_leave_the_position_as_it_was(game, seed):
    position = random_position(game, seed)
    before = position.text, hash(position), position.memory.tobytes()
    for action in position.actions():
        assert position.play(action) != position
    for outcome in position.outcomes():
        position.deal(outcome.number)
    position.evaluations()
    assert (position.text, hash(position), position.memory.tobytes()) == before


def test_playing_and_dealing_give_a_new_position():
    first = start("pig")
    second = first.deal("8")
    third = second.play("hold")
    assert [position.text for position in (first, second, third)] == ["0 0 0 1 roll", "0 0 8 1 decide", "8 0 0 2 roll"]


def test_the_state_and_memory_handed_out_are_copies():
    position = start("pig").deal("8")
    position.state.pot = 50
    position.memory["pot"] = 50
    assert position.text == "0 0 8 1 decide"


def test_a_copy_is_equal_and_another_object():
    position = start("pig").deal("8")
    copy = position.copy()
    assert copy == position
    assert copy is not position
    assert len({position, copy, position.play("hold")}) == 2


def test_positions_of_other_games_and_other_things_are_not_equal():
    assert start("pig") != start("pig:goal=50")
    assert start("pig") != start("ewn")
    assert start("pig") != "0 0 0 1 roll"


def test_a_game_without_a_notation_is_written_by_its_fields():
    position = start(BONES).play("two").deal(1)
    assert position.text == "square=4,0 turn=1 bones=0"
    assert Position.parse(BONES, "bones=0 turn=1 square=4,0") == position
    assert Position.parse(BONES, "square=4,0 turn=1") == position  # what is left out is 0


@pytest.mark.parametrize(
    ("text", "complaint"),
    [
        ("squares=1,2", "the names are square, turn, bones; did you mean 'square'"),
        ("turn", "write fields as name=value"),
        ("_gap6=1", "the names are"),
        ("square=1", "square has 2 values, not 1"),
        ("turn=1,0", "turn has 1 values, not 2"),
        ("turn=one", "one"),
        ("turn=", "invalid"),
        ("turn=200", "200"),
        ("square=70000,0", "70000"),
        ("turn=5", ""),
        ("turn=-1", ""),
    ],
)
def test_a_malformed_text_of_fields_is_refused(text, complaint):
    with pytest.raises(PositionError, match=f"'{text}' is not a position of MyGame: .*{complaint}"):
        Position.parse(BONES, text)


@pytest.mark.parametrize(
    "text",
    ["", "nonsense", "1 2 3", "-1 0 0 1 roll", "0 0 0 3 roll", "0 0 0 0 roll", "0 0 5 1 think", "0 0 0 1 decide",
     "0 0 1 1 decide", "100 100 0 1 roll", "9999 0 0 1 roll", "0 0 9999 1 decide", "1.5 0 0 1 roll",
     "0 0 0 1 roll again"],
)  # fmt: skip
def test_a_malformed_text_of_pig_is_refused(text):
    with pytest.raises(PositionError, match="is not a position of Pig: "):
        Position.parse(PIG, text)


@pytest.mark.parametrize(
    ("text", "complaint"),
    [
        ("", "write rows player"),
        ("123../45.../6...f/...ed/..cba", "write rows player"),
        ("123../45.../6...f/...ed/..cba 3 1", "write rows player"),
        ("123../45.../6...f/...ed/..cba 1 7", "write rows player"),
        ("123../45.../6...f/...ed 1 1", "five rows of five"),
        ("123.../45.../6...f/...ed/..cba 1 1", "five rows of five"),
        ("123../45.../6...f/...ed/..cbg 1 1", "squares are 1 to 6"),
        ("123../45.../6...f/...ed/..cbb 1 1", "only once"),
        ("a.1../...../...../...../..... 2 1", "won cannot be the one to move"),
        ("a.1../...../...../...../..... 1 1", "the game is over"),
        ("1..../...../...../...../..... 1 -", "won cannot be the one to move"),
        ("...../...../...../...../..... 1 -", "won cannot be the one to move"),
    ],
)
def test_a_malformed_text_of_ewn_is_refused(text, complaint):
    with pytest.raises(PositionError, match=f"is not a position of EWN: .*{complaint}"):
        Position.parse(EWN, text)


def test_a_text_may_leave_out_what_follows_from_the_rest():
    assert Position.parse(PIG, "34 51 12 1").text == "34 51 12 1 decide"
    assert Position.parse(PIG, "34 51 0 1").text == "34 51 0 1 roll"
    assert Position.parse(EWN, "123../45.../6...f/...ed/..cba 1") == start(EWN)


def test_the_start_is_given_by_text_or_game():
    assert start("pig:goal=50") == start(load_game("pig:goal=50")) == Position.start(load_game("pig:goal=50"))


def test_a_list_of_actions_is_the_callers_own():
    position = start("tic_tac_toe")
    position.actions().clear()
    assert len(position.actions()) == 9
    assert len(position.play(position.actions()[0]).actions()) == 8
