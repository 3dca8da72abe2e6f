"""Our rule sheets say what they should: twins of hand-written games move by move, and known counts and results."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from itertools import product
from typing import Any

import pytest

from astragal import Position, load_game, start
from astragal.games import SHEETS, game_name, game_spec, sheet_names
from astragal.gdl.playability import random_game, scan
from astragal.gdl.reading.reader import load_sheet
from astragal.gdl.reading.rules import RANDOM, Sheet, Term
from astragal.gdl.reasoning.evaluation import Evaluation, Knowledge
from astragal.gdl.reasoning.interpreter import Interpreter, State
from astragal.gdl.reasoning.network_reasoner import NetworkReasoner
from astragal.gdl.reasoning.tables import Terms
from astragal.rules.decorator import defines
from astragal.rules.dice import Dice
from astragal.rules.protocol import OWN
from astragal.solvers.solution import solve
from support.gdl_reasoners import Reasoner, counts
from support.helpers import EXAMPLE

REASONERS: dict[str, Callable[[Sheet], Reasoner]] = {"interpreter": Interpreter, "network": NetworkReasoner}


def sheet(name: str) -> Sheet:
    return load_sheet(SHEETS / f"{name}.kif")


def interpreter(name: str) -> Interpreter:
    return Interpreter(sheet(name))


# --- Every sheet


@pytest.mark.few(3)
@pytest.mark.parametrize("name", sheet_names())
def test_a_sheet_can_be_played_and_nothing_in_it_is_doubtful(name: str) -> None:
    read = load_sheet(SHEETS / name)
    assert read.warnings == ()
    found = scan(Interpreter(read), games=8)
    assert (found.error, found.warnings) == ("", ())


@pytest.mark.few(2)
@pytest.mark.parametrize("name", ["tic_tac_toe", "three_way", "breakthrough"])
def test_what_a_sheet_says_of_facts_and_moves_beforehand_is_right(name: str) -> None:
    read = sheet(name)
    said = Evaluation(Knowledge(read.rules, ("base", "input"), Terms()), {})
    base, inputs = ({*said.whole(relation).rows} for relation in ("base", "input"))
    game = Interpreter(read)
    dice = Dice(1)
    for _ in range(5):
        for state in random_game(game, dice).states:
            assert {(fact,) for fact in state} <= base
            assert {(role, move) for role in game.roles for move in game.legal(state, role)} <= inputs


def test_the_example_is_won_by_leaving_a_multiple_of_four() -> None:
    read = load_sheet(EXAMPLE.parent / "countdown.kif")
    assert read.warnings == ()
    game = Interpreter(read)

    def wins(heap: int) -> bool:
        state = frozenset({("heap", str(heap)), ("turn", "left")})
        if game.is_terminal(state):
            return game.goals(state, "left") == [100]
        taken = [int(str(move[1])) for move in game.legal(state, "left")]
        return any(not wins(heap - n) for n in taken)

    assert [heap for heap in range(11) if not wins(heap)] == [0, 4, 8]
    assert scan(game).error == ""


# --- Twins of games written by hand


@dataclass(frozen=True)
class Twin:
    """How to compare a sheet with a game: what a position's facts are, and what a move is called there."""

    spec: str
    facts: Callable[[Position], State]
    follow: Callable[[Position, Term], Position]
    moves: Callable[[Position], set[Term]]


def tic_tac_toe_facts(position: Position) -> State:
    rows = position.text.split("/")
    marks = {"x": "x", "o": "o", ".": "blank"}
    cells = {("cell", str(i + 1), str(j + 1), marks[rows[i][j]]) for i in range(3) for j in range(3)}
    return frozenset({*cells, ("turn", "x" if position.text.count("x") == position.text.count("o") else "o")})


def tic_tac_toe_move(name: str) -> Term:
    return "mark", str(4 - int(name[1])), str("abc".index(name[0]) + 1)


def connect_four_facts(position: Position) -> State:
    rows = position.text.split("/")[::-1]
    players = {"x": "red", "o": "yellow"}
    facts: set[Term] = set()
    for column in range(7):
        discs = "".join(row[column] for row in rows).rstrip(".")
        facts |= {("disc", str(column + 1), str(i + 1), players[disc]) for i, disc in enumerate(discs)}
        if len(discs) < 6:
            facts.add(("free", str(column + 1), str(len(discs) + 1)))
    return frozenset({*facts, ("turn", "red" if position.text.count("x") == position.text.count("o") else "yellow")})


def connect_four_move(name: str) -> Term:
    return "drop", str("abcdefg".index(name) + 1)


def board_twin(spec: str, facts: Callable[[Position], State], move: Callable[[str], Term]) -> Twin:
    """A twin whose only moves are those of the player whose turn it is."""

    def follow(position: Position, chosen: Term) -> Position:
        return next(position.play(name) for name in position.action_names() if move(name) == chosen)

    return Twin(spec, facts, follow, lambda position: set(map(move, position.action_names())))


def pig_facts(position: Position) -> State:
    state: Any = position.state
    first, second, pot = (str(min(30, int(points))) for points in (*state.score, state.pot))
    turn = ("turn", "second" if state.turn else "first")
    facts: set[Term] = {("score", "first", first), ("score", "second", second), ("pot", pot), turn}
    return frozenset(facts | ({"rolling"} if state.rolling else set()))


def pig_follow(position: Position, move: Term) -> Position:
    if isinstance(move, str):
        return position.play(move)
    face = int(str(move[1]))
    return position.deal(0 if face == 1 else face + 1)


def pig_moves(position: Position) -> set[Term]:
    if position.is_chance:
        return {("cast", str(face)) for face in range(1, 7)}
    return set(position.action_names())


TWINS = {
    "tic_tac_toe": board_twin("tic_tac_toe", tic_tac_toe_facts, tic_tac_toe_move),
    "connect_four": board_twin("connect_four", connect_four_facts, connect_four_move),
    "pig": Twin("pig:dice=1,goal=30", pig_facts, pig_follow, pig_moves),
}


def compare(reasoner: Reasoner, twin: Twin, games: int, seed: int = 1) -> None:
    """Play random games on both, and compare facts, moves, ends and results in every state."""
    dice = Dice(seed)
    players = [role for role in reasoner.roles if role != RANDOM]
    for _ in range(games):
        position, state = start(twin.spec), reasoner.initial()
        while not position.is_terminal:
            assert state == twin.facts(position)
            assert not reasoner.is_terminal(state)
            mover = RANDOM if position.is_chance else players[position.turn]
            legal = {role: reasoner.legal(state, role) for role in reasoner.roles}
            assert set(legal[mover]) == twin.moves(position)
            assert all(legal[role] == ["noop"] for role in reasoner.roles if role != mover)
            chosen = legal[mover][dice.below(len(legal[mover]))]
            state = reasoner.next(state, {role: chosen if role == mover else "noop" for role in reasoner.roles})
            position = twin.follow(position, chosen)
        assert state == twin.facts(position)
        assert reasoner.is_terminal(state)
        low, high = position.game.utility_range
        goals = [round(100 * (utility - low) / (high - low)) for utility in position.utilities()]
        assert [reasoner.goals(state, role) for role in players] == [[goal] for goal in goals]


@pytest.mark.few(1)
@pytest.mark.parametrize("reasoner", REASONERS)
@pytest.mark.parametrize(
    ("name", "games"), [("tic_tac_toe", 25), ("tic_tac_toe", 100), ("connect_four", 30), ("pig", 50)]
)
def test_a_sheet_agrees_with_the_game_written_by_hand(name: str, games: int, reasoner: str) -> None:
    compare(REASONERS[reasoner](sheet(name)), TWINS[name], games)


@pytest.mark.slow
@pytest.mark.parametrize("reasoner", REASONERS)
@pytest.mark.parametrize(("name", "games"), [("tic_tac_toe", 10_000), ("connect_four", 1_500)])
def test_a_sheet_agrees_with_the_game_written_by_hand_in_thousands_of_games(
    name: str, games: int, reasoner: str
) -> None:
    """Ten thousand of both in machine code are in `test_network`."""
    compare(REASONERS[reasoner](sheet(name)), TWINS[name], games, seed=2)


@pytest.mark.slow
def test_pig_has_the_value_of_the_game_written_by_hand() -> None:
    by_hand, by_sheet = solve(load_game("pig:dice=1,goal=30")), solve(load_game("pig.kif"))
    value = by_hand.value(start("pig:dice=1,goal=30"))
    assert by_sheet.value(start("pig.kif")) == pytest.approx(value, abs=1e-6)


# --- The others


@pytest.mark.few(3)
@pytest.mark.parametrize(
    ("name", "known"),
    [
        ("breakthrough", [16, 256]),  # so has the public sheet of the same rules, and a move generator in Python
        ("three_way", [16, 16 * 15]),
        ("rock_paper_scissors", [9, 81]),
        ("tic_tac_toe", [9, 72, 504]),
        ("connect_four", [7, 49, 343]),
        ("pig", [6, 6 + 10, 6 + 10 + 60]),  # after a 1 the other rolls; after another face there are two decisions
    ],
)
def test_sequences_of_moves_are_counted(name: str, known: list[int]) -> None:
    assert counts(interpreter(name), len(known)) == known


@pytest.mark.slow
def test_longer_sequences_of_breakthrough_are_counted() -> None:
    assert counts(interpreter("breakthrough"), 3) == [16, 256, 4308]


def after(game: Interpreter, *joint_moves: tuple[Term, ...]) -> State:
    state = game.initial()
    for moves in joint_moves:
        assert not game.is_terminal(state)
        assert all(move in game.legal(state, role) for role, move in zip(game.roles, moves, strict=True))
        state = game.next(state, dict(zip(game.roles, moves, strict=True)))
    return state


def test_rock_paper_scissors_counts_rounds_won() -> None:
    game = interpreter("rock_paper_scissors")
    won, lost, tied = ("rock", "scissors"), ("rock", "paper"), ("rock", "rock")
    for rounds, points in (([won] * 5, 100), ([lost] * 5, 0), ([won, tied, lost, tied, won], 60), ([tied] * 5, 50)):
        state = after(game, *rounds)
        assert game.is_terminal(state)
        assert game.goals(state, "left") == [points]
        assert game.goals(state, "right") == [100 - points]


def tour(path: list[tuple[int, int]]) -> list[tuple[int, int]] | None:
    """A knight's tour of 5x5 that goes on from a path, by backtracking."""
    if len(path) == 25:
        return path
    x, y = path[-1]
    for dx, dy in product((-2, -1, 1, 2), repeat=2):
        square = x + dx, y + dy
        if abs(dx) != abs(dy) and square not in path and all(1 <= place <= 5 for place in square):
            found = tour([*path, square])
            if found:
                return found
    return None


def test_a_whole_knights_tour_is_worth_a_hundred() -> None:
    game = interpreter("knights_tour")
    squares = tour([(1, 1)])
    assert squares is not None
    moves: list[tuple[Term, ...]] = [(("go", str(x), str(y)),) for x, y in squares[1:]]
    state = after(game, *moves)
    assert game.is_terminal(state)
    assert game.goals(state, "knight") == [100]
    assert game.goals(after(game, *moves[:9]), "knight") == [40]


def test_three_players_share_a_full_board_and_a_row_wins_all() -> None:
    game = interpreter("three_way")

    def played(*squares: tuple[int, int]) -> State:
        turns = []
        for i, (x, y) in enumerate(squares):
            moves: list[Term] = ["noop"] * 3
            moves[i % 3] = ("take", str(x), str(y))
            turns.append(tuple(moves))
        return after(game, *turns)

    state = played((1, 1), (1, 2), (1, 3), (2, 1), (2, 2), (2, 3), (3, 1))
    assert game.is_terminal(state)
    assert [game.goals(state, role) for role in game.roles] == [[100], [0], [0]]
    state = played((1, 1), (2, 1), (1, 3), (3, 1), (3, 2), (4, 4), (1, 4), (4, 3))
    assert game.is_terminal(state)
    assert [game.goals(state, role) for role in game.roles] == [[0], [100], [0]]


def test_pawns_capture_diagonally_only() -> None:
    game = interpreter("breakthrough")
    pawns = [("pawn", "3", "3", "white"), ("pawn", "3", "4", "black"), ("pawn", "4", "4", "black")]
    state = frozenset({*pawns, ("turn", "white")})
    assert game.legal(state, "white") == [("move", "3", "3", "2", "4"), ("move", "3", "3", "4", "4")]
    taken = game.next(state, {"white": ("move", "3", "3", "4", "4"), "black": "noop"})
    assert taken == frozenset({("pawn", "4", "4", "white"), ("pawn", "3", "4", "black"), ("turn", "black")})
    alone = frozenset({("pawn", "1", "3", "white"), ("turn", "black")})
    assert game.is_terminal(alone)
    assert [game.goals(alone, role) for role in game.roles] == [[100], [0]]
    through = frozenset({*pawns, ("pawn", "6", "1", "black"), ("turn", "white")})
    assert game.is_terminal(through)
    assert [game.goals(through, role) for role in game.roles] == [[0], [100]]


# --- What a sheet's game says of itself


def test_a_sheets_game_says_for_itself_what_other_games_leave_to_their_class() -> None:
    one, pig = load_game("tic_tac_toe.kif:zero_sum=off"), load_game("pig:goal=20")
    own = [member.name for member in OWN if member.name not in ("own_inputs", "own_results")]  # for learning
    assert [(defines(type(one), method), defines(type(pig), method)) for method in own] == [(True, False)] * len(own)
    assert (game_name(one), game_spec(one)) == ("tic_tac_toe.kif", "tic_tac_toe.kif:zero_sum=off")
    assert (game_name(pig), game_spec(pig), pig.own_title()) == ("pig", "pig:goal=20", "Pig")
    assert (one.own_roles(), pig.own_roles()) == (("x", "o"), ())
    assert pig.own_identity() == type(pig).__identity__[-16:]
    assert (one.own_source() != "", pig.own_source(), list(pig.own_checks(1, 1))) == (True, "", [])
    assert [check.passed for check in one.own_checks(1, 1)] == [True, True]


def test_sheets_of_one_shape_are_told_apart(tmp_path) -> None:
    """Their class is the same, but not what was solved of them, nor a contest in them."""
    other = tmp_path / "other.kif"
    other.write_text((SHEETS / "tic_tac_toe.kif").read_text() + "\n; edited\n")
    one, two = load_game("tic_tac_toe.kif"), load_game(str(other))
    assert type(one) is type(two)
    assert one.own_identity() != two.own_identity()
    assert one.own_source() != two.own_source()
    assert (two.own_title(), two.own_spec()) == ("other.kif", str(other))
