"""The rules of Focus for two, three and four players: counts, hand-made positions, symmetries and random play."""

from __future__ import annotations

import json

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from astragal import Dice, Position, load_game, start
from astragal.base.errors import AstragalError
from astragal.rules.perft import count_sequences
from support.helpers import DATA, countable, random_position, random_positions
from support.ordered_play import ordered_games

# Sequences of 1, 2, 3, ... actions, counted by two other programs (diagonals by one).
PERFT = {
    "players=2": [68, 4460, 299912, 19521582],
    "players=3": [16, 240, 3360, 162960, 7712978],
    "players=3,extra=reserve": [98, 9504, 893500],
    "players=3,extra=none": [46, 2062, 85878, 3858905],
    "players=3,colours=diag": [16, 240, 3360],
    "players=3,colours=diag,extra=reserve": [98, 9482, 887280],
    "players=3,colours=diag,extra=none": [46, 2040, 83024],
    "players=4": [44, 1895, 80983, 3387764],
}
VARIANTS = ["", "rules=long", "no_move=out", "players=3", "players=3,extra=reserve,no_move=out", "players=4"]
VARIANTS += ["players=4,no_move=out,rules=long", "players=3,extra=none,rules=long"]
POSITIONS = json.loads((DATA / "focus_positions.json").read_text())
ROWS = (range(2, 6), range(1, 7), *[range(8)] * 4, range(1, 7), range(2, 6))  # columns of each row, from the top
SQUARES = ["abcdefgh"[column] + str(8 - row) for row in range(8) for column in ROWS[row]]
MEN = {2: 18, 3: 13, 4: 13}
seeds = st.integers(0, 2**32)


def focus(settings: str, text: str) -> Position:
    return Position.parse(load_game(f"focus:{settings}" if settings else "focus"), text)


def text_of(stacks: dict[str, str], reserve=None, captured=None, player: int = 1, players: int = 2) -> str:
    """Our notation of stacks given by their squares; the ply does not matter."""
    squares = iter([stacks.get(square, "-") for square in SQUARES])
    rows = "/".join(",".join(next(squares) for _ in columns) for columns in ROWS)
    reserves = ",".join(map(str, reserve or [0] * players))
    captures = "/".join(",".join(map(str, row)) for row in captured or [[0] * players] * players)
    return f"{rows} {reserves} {captures} {player}"


def stacks_of(text: str) -> dict[str, str]:
    men = text.split()[0].replace("/", ",").split(",")
    return {square: stack for square, stack in zip(SQUARES, men, strict=True) if stack != "-"}


def numbers(word: str) -> list[list[int]]:
    return [[int(number) for number in row.split(",")] for row in word.split("/")]


# Counts and hand-made positions


@pytest.mark.parametrize("settings", PERFT)
def test_perft_from_the_start(settings):
    known = countable(PERFT[settings])
    assert [count_sequences(start(f"focus:{settings}"), plies + 1) for plies in range(len(known))] == known


@pytest.mark.parametrize("case", POSITIONS, ids=[f"{case['id']}: {case['desc']}" for case in POSITIONS])
def test_positions_made_by_hand(case):
    players = case["players"]
    before = focus(
        f"players={players}",
        text_of(case["stacks_bottom_to_top"], case["reserve"], case["captured"], case["to_move"], players),
    )
    assert sorted(before.action_names()) == sorted(case["legal"])
    assert before.turn == case["to_move"] - 1
    if "action" not in case:
        return
    after, expected = before.play(case["action"]), case["after"]
    _, reserves, captures, player, plies = after.text.split()
    assert stacks_of(after.text) == expected["stacks"]
    assert numbers(reserves) == [expected["reserve"]]
    assert numbers(captures) == expected["captured"]
    assert (int(player), plies) == (expected["to_move"], "1")
    assert sorted(after.action_names()) == sorted(expected["legal_next"])
    if expected["result"] is None:
        assert not after.is_terminal
    else:
        winner = expected["result"][1] - 1
        assert after.utilities() == tuple(100.0 if seat == winner else -100.0 for seat in range(players))


def test_long_rules_do_not_count_captures():
    before = focus("rules=long", text_of({"d4": "1", "d5": "22222", "h4": "2"}).replace("0,0/0,0", "-"))
    after = before.play("d4-d5")
    assert after.turn == 1
    assert stacks_of(after.text) == {"d5": "22221", "h4": "2"}
    assert after.text.split()[2] == "-"


def test_a_player_who_cannot_move_is_out_if_the_rules_say_so():
    """The stack whose top is his stays where it is and belongs to no player."""
    position = focus("players=3,no_move=out", text_of({"d4": "21", "e4": "3", "h5": "1"}, player=1, players=3))
    after = position.play("h5-h4")  # player 2 owns nothing and is left out
    assert after.turn == 2
    assert after.text.split()[1] == "0,x,0"
    uncovered = after.play("e4-e5").play("d4-c4")
    assert uncovered.turn == 2  # not player 2, although d4 has his man on top
    assert stacks_of(uncovered.text) == {"d4": "2", "c4": "1", "e5": "3", "h4": "1"}
    assert not any(name.startswith("d4") for name in uncovered.action_names())
    assert uncovered.evaluations()[1] < 0


def test_a_player_is_not_out_before_his_turn():
    position = focus("players=3,no_move=out", text_of({"d4": "21", "e4": "3", "h5": "1"}, player=1, players=3))
    after = position.play("d4-c4")  # uncovers a man of player 2
    assert after.turn == 1
    assert after.action_names() == ["d4-c4", "d4-e4", "d4-d5", "d4-d3"]


def test_the_13th_man_is_placed_on_an_empty_square_first():
    position = start("focus:players=3")
    empty = {f"@{square}" for square in set(SQUARES) - set(stacks_of(position.text))}
    assert position.text.split()[1] == "+,+,+"
    assert set(position.action_names()) == empty
    later = position.play("@a3").play("@h6").play("@d8")
    assert later.text.split()[1] == "0,0,0"
    assert len(stacks_of(later.text)) == 39
    assert all("@" not in name for name in later.action_names())


def test_after_so_many_plies_the_game_is_drawn():
    position = start("focus:cap=3").play("b7-c7").play("d7-c7").play("b5-c5")
    assert position.is_terminal
    assert position.utilities() == (0.0, 0.0)
    assert load_game("focus").max_plies == 500
    assert load_game("focus:rules=long").max_plies == 2000


# Order


def score(position: Position, name: str) -> int:
    """The static score of an action, from the stacks as they are written."""
    stacks, me = stacks_of(position.text), str(position.turn + 1)
    if name == "pass":
        return 0
    source, _, to = name.rpartition("-") if "-" in name else ("", "", name[1:])
    below = stacks.get(to, "")
    moved = 1 if not source else abs(ord(source[0]) - ord(to[0])) + abs(int(source[1]) - int(to[1]))
    leaving = below[: max(0, len(below) + moved - 5)]
    rest = stacks[source][:-moved] if source else ""
    covered = len(below) if below and below[-1] != me else 0
    lost = len(rest) if rest and rest[-1] != me else 0
    return 10 * sum(man != me for man in leaving) + 3 * leaving.count(me) + len(below) + moved + covered - lost


@pytest.mark.few(1)
@pytest.mark.parametrize("variant", VARIANTS)
@settings(max_examples=2)
@given(seed=seeds)
def test_actions_come_by_their_score_and_the_best_are_preferred(variant, seed):
    position = random_position(load_game(f"focus:{variant}" if variant else "focus"), seed)
    names = position.action_names()
    scores = [score(position, name) for name in names]
    assert scores == sorted(scores, reverse=True)
    best = {name for name, value in zip(names, scores, strict=True) if value == max(scores)}
    words = [(i + 0.5) / (2 * len(best)) for i in range(2 * len(best))]
    rules, state = position.rules, position.state
    preferred = {position.action_name(int(rules.prefer(state, int(word * 2**32)))) for word in words}
    assert preferred == best


# Invariants and symmetries


@pytest.mark.few(1)
@pytest.mark.parametrize("variant", VARIANTS)
@settings(max_examples=3)
@given(seed=seeds)
def test_men_are_neither_lost_nor_made(variant, seed):
    game = load_game(f"focus:{variant}" if variant else "focus")
    total = MEN[game.players] - ("none" in variant)
    for position in random_positions(game, seed, plies=60):
        state, stacks = position.state, stacks_of(position.text)
        board = "".join(stacks.values())
        assert all(1 <= len(stack) <= 5 for stack in stacks.values())
        for player in range(game.players):
            gone = sum(state.captured[other] >> 8 * player & 255 for other in range(game.players))
            left = board.count(str(player + 1)) + state.reserve[player] + gone
            assert left == total if game.by_captures else left <= total
            own = [square for square, stack in stacks.items() if stack[-1] == str(player + 1)]
            assert state.owned[player] == sum(1 << SQUARES.index(square) for square in own)
            assert state.held >> 8 * player & 255 == sum(len(stacks[square]) for square in own)


def few_men(game, dice: Dice) -> Position:
    """A position with a few stacks, of which some players may have none."""
    while True:
        stacks = {}
        for _ in range(2 + dice.below(game.players)):
            stacks[SQUARES[dice.below(52)]] = "".join(
                str(1 + dice.below(game.players)) for _ in range(1 + dice.below(3))
            )
        owners = sorted({int(stack[-1]) for stack in stacks.values()})
        if len(owners) > 1:
            text = text_of(stacks, player=owners[dice.below(len(owners))], players=game.players)
            return Position.parse(game, text if game.by_captures else text.replace(text.split()[2], "-"))


@pytest.mark.parametrize("variant", ["players=4", "players=4,rules=long", "players=3,extra=none"])
def test_who_cannot_move_never_has_the_turn_where_that_means_to_be_out(variant):
    """Also where several in a row cannot move, whose turn would come one after the other."""
    game, dice, most = load_game(f"focus:{variant},no_move=out"), Dice(1), 0
    for _ in range(60):
        here = few_men(game, dice)
        for _ in range(8):
            out = int(here.state.out).bit_count()
            actions = here.actions()
            assert here.is_terminal or (here.rules.can_act(here.state, here.turn) and "pass" not in here.action_names())
            here = here.play(actions[dice.below(len(actions))]) if actions else here
            most = max(most, int(here.state.out).bit_count() - out)
    assert most == game.players - 2  # as many as there can be at once in a game that goes on


def turned(text: str, players: int) -> str:
    """The board turned by 180 degrees (two players) or clockwise by 90 (four), each player in the place of the one
    before."""
    place, reserves, captures, player, plies = text.split()
    after = {str(seat + 1): str((seat + 1) % players + 1) for seat in range(players)}
    stacks = {}
    for square, stack in stacks_of(f"{place} {text}").items():
        column, rank = "abcdefgh".index(square[0]), int(square[1]) - 1
        column, rank = (7 - column, 7 - rank) if players == 2 else (rank, 7 - column)
        stacks["abcdefgh"[column] + str(rank + 1)] = "".join(after[man] for man in stack)
    seats = [(seat - 1) % players for seat in range(players)]
    reserve = [reserves.split(",")[seat] for seat in seats]
    captured = [[numbers(captures)[seat][victim] for victim in seats] for seat in seats]
    return f"{text_of(stacks, reserve, captured, int(after[player]), players)} {plies}"


@pytest.mark.few(1)
@pytest.mark.parametrize("players", [2, 4])
@settings(max_examples=2)
@given(seed=seeds)
def test_focus_looks_the_same_from_every_side(players, seed):
    position = random_position(load_game(f"focus:players={players}"), seed)
    other = Position.parse(position.game, turned(position.text, players))
    values = position.evaluations()
    assert other.evaluations() == pytest.approx((values[-1], *values[:-1]))
    assert count_sequences(other, 2) == count_sequences(position, 2)
    after = {turned(position.play(action).text, players) for action in position.actions()}
    assert {other.play(action).text for action in other.actions()} == after


def test_the_starts_look_the_same_from_every_side():
    for players in (2, 4):
        text = start(f"focus:players={players}").text
        assert turned(text, players).split()[0] == text.split()[0]
        assert start(f"focus:players={players}").evaluations() == (0.0,) * players


@pytest.mark.parametrize(
    ("settings", "captured", "value"),
    [
        ("", [[0, 2], [0, 0]], 85 * 2 / 6),
        ("players=3", [[0, 2, 0], [0, 0, 0], [0, 0, 0]], 85 * 2 / 6),
        ("players=3", [[0, 9, 0], [0, 0, 0], [0, 0, 0]], 85 * 5 / 6),
        ("players=4", [[0, 3, 1, 0], [0, 0, 0, 1], [0, 0, 0, 0], [0, 0, 0, 0]], 85 * 2 / 6),
    ],
)
def test_the_evaluation_counts_captures_still_needed(settings, captured, value):
    """Every player has one man left, so that only captures distinguish them."""
    players = len(captured)
    stacks = {square: str(seat + 1) for seat, square in enumerate(["a4", "d8", "h5", "e1"][:players])}
    position = focus(settings, text_of(stacks, None, captured, 1, players))
    assert position.evaluations()[0] == pytest.approx(value)


def test_the_evaluation_counts_men_in_ones_own_stacks_and_reserve():
    position = focus("", text_of({"a4": "21", "h5": "2"}, [3, 0]))
    assert position.evaluations() == pytest.approx((15 * (5 - 1) / 6, -15 * (5 - 1) / 6))


# Random play


@pytest.mark.slow
@pytest.mark.parametrize(("players", "plies", "error"), [(2, 30.9, 0.14), (3, 44.0, 0.15), (4, 48.2, 0.13)])
def test_games_by_the_order_have_the_known_length(players, plies, error):
    """Known lengths are from 10,000 games of another program."""
    played = ordered_games(start(f"focus:players={players}"), 10_000)
    assert played.agrees_with(plies, error)
    assert played.wins[-1] == 0  # no draw


@pytest.mark.slow
@pytest.mark.parametrize(("players", "plies", "error"), [(2, 1306.7, 6.3), (3, 1623.0, 11.8), (4, 846.8, 5.4)])
def test_uniform_games_have_the_known_length(players, plies, error):
    played = ordered_games(start(f"focus:players={players},cap=60000"), 1000, epsilon=1.0)
    assert played.agrees_with(plies, error)
    assert played.wins[-1] == 0


@pytest.mark.slow
def test_the_first_of_two_players_wins_more_often():
    wins = ordered_games(start("focus"), 10_000, seed=2).wins
    assert abs(wins[0] - 5476) < 5 * (2 * 10_000 / 4) ** 0.5


# Texts


@pytest.mark.parametrize(
    ("setting", "sentence"),
    [
        ("players=5", "players=5 is too large; the most is 4"),
        ("colours=diag", "colours=diag is for three players; this game has 2"),
        ("players=4,extra=none", "extra=none is for three players; this game has 4"),
        ("rules=middle", "rules=middle is not one of short, long"),
        ("cap=0", "cap=0 is too small"),
    ],
)
def test_what_cannot_be_set_is_refused_in_a_sentence(setting, sentence):
    with pytest.raises(AstragalError, match=sentence):
        load_game(f"focus:{setting}")


GOOD = text_of({"d4": "21", "e4": "12"})


@pytest.mark.parametrize(
    ("settings", "text", "sentence"),
    [
        ("", "1,1 0,0 1", "write stacks reserves captures player plies"),
        ("", f"{GOOD} x", "write stacks reserves captures player plies"),
        ("", GOOD[:-1] + "3", "a number from 1 to 2, not '3'"),
        ("", f"{GOOD} 501", "drawn after 500 plies"),
        ("", GOOD.replace("/", ",", 1), "rows of 4, 6, 8, 8, 8, 8, 6 and 4 squares"),
        ("", GOOD.replace("21", "31"), "up to five men from the bottom, 1 to 2 each, not '31'"),
        ("", GOOD.replace("21", "212121"), "not '212121'"),
        ("", GOOD.replace("-", "", 1), "not '?'"),
        ("", GOOD.replace(" 0,0 ", " 0,0,0 "), "reserves of 2 players"),
        ("", GOOD.replace(" 0,0 ", " 0,+ "), "a man still to be placed"),
        ("players=3", start("focus:players=3").text.replace("+,+,+", "+,1,+"), "a man still to be placed"),
        ("", GOOD.replace(" 0,0 ", " 0,x "), "needs no_move=out"),
        ("", GOOD.replace(" 0,0 ", " 0,19 "), "no reserve can have 19"),
        ("", GOOD.replace(" 0,0 ", " 0,17 "), "player 2 has 19 men in play; the game has 18 for each"),
        ("rules=long", GOOD, "captures do not count; write - for them"),
        ("", GOOD.replace("0,0/0,0", "0,0/0"), "captures are 2 rows of 2 numbers"),
        ("", GOOD.replace("0,0/0,0", "1,0/0,0"), "own men are not captured"),
        ("", GOOD.replace("0,0/0,0", "0,19/0,0"), "no player can capture 19"),
        ("", GOOD.replace("0,0/0,0", "0,6/6,0"), "two players have captured enough"),
        ("", text_of({}), "no player can move"),
        ("players=3,no_move=out", text_of({"d4": "1", "e4": "3"}, player=2, players=3), "player 2 cannot move"),
    ],
)
def test_what_is_no_position_is_refused_in_a_sentence(settings, text, sentence):
    with pytest.raises(AstragalError, match=sentence.replace("?", r"\?")):
        focus(settings, text)


def test_a_finished_game_can_be_written_and_read_back():
    position = focus("", text_of({"d4": "1", "d5": "22222", "h4": "2"}, None, [[0, 5], [0, 0]])).play("d4-d5")
    assert focus("", position.text) == position
    assert focus("", text_of({"d4": "21"}, player=2)).utilities() == (100.0, -100.0)


def test_the_picture():
    position = focus("", text_of({"d4": "221", "c8": "1", "h3": "2"}, [0, 1], [[0, 4], [0, 0]], 2))
    assert str(position).splitlines() == [
        "8                  1     -     -     -",
        "7            -     -     -     -     -     -",
        "6      -     -     -     -     -     -     -     -",
        "5      -     -     -     -     -     -     -     -",
        "4      -     -     -   221     -     -     -     -",
        "3      -     -     -     -     -     -     -     2",
        "2            -     -     -     -     -     -",
        "1                  -     -     -     -",
        "       a     b     c     d     e     f     g     h",
        "player 1: 0 in reserve, captured 4 of player 2",
        "player 2: 1 in reserve, captured 0 of player 1",
        "player 2 to move",
    ]


def test_it_shows_that_the_short_rules_are_unverified():
    game = type(load_game("focus"))
    assert "unverified" in game.__doc__
    assert "unverified" in game.__dataclass_fields__["rules"].metadata["help"]
