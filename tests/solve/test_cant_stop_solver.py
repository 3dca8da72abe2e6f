"""Exact values in Can't Stop: one turn against its definition, the solitaire against published values."""

from __future__ import annotations

import json
import re
from functools import cache

import pytest

from astragal import Position, load_game, load_player, start
from astragal.errors import AstragalError
from astragal.game.dice import Dice
from astragal.games.cant_stop.rules import STOP
from astragal.solve.cant_stop import (
    MEASURES,
    Solitaire,
    TurnSolution,
    find_solitaire,
    find_turn,
    solve_solitaire,
    solve_turn,
)
from astragal.solve.exact import exact_values
from support.helpers import by_python, random_position, run_here, slow_but, solutions_in

# The least expected number of turns with n-sided dice and shortest column k; to three digits also in Glenn, Fang and
# Kruskal 2006.
KNOWN = {(2, 1): 1.297948, (2, 2): 1.347282, (2, 3): 1.400180, (3, 1): 1.480253, (3, 2): 1.722401, (3, 3): 1.890481}
SMALL = [(2, 1), (2, 2)]


@pytest.fixture(autouse=True)
def _own_folder(tmp_path):
    with solutions_in(tmp_path):
        yield


@cache
def solitaire(sides: int, shortest: int) -> Solitaire:
    return solve_solitaire(load_game(f"cant_stop:players=1,sides={sides},shortest={shortest}"))


# One turn


class ByDefinition:
    """What a turn is worth, straight from the definition: all rolls of each position, and all actions."""

    def __init__(self, root: Position, measure: str) -> None:
        self.player, self.measure = mover(root), measure
        self.nothing = lost(root)
        self.known: dict[Position, float] = {}

    def gain(self, position: Position) -> float:
        """What stopping here gains."""
        if self.measure == "points":
            return climbed_points(position)
        return position.play("stop").evaluations()[self.player] - self.nothing.evaluations()[self.player]

    def value(self, position: Position) -> float:
        if position not in self.known:
            self.known[position] = self.new_value(position)
        return self.known[position]

    def new_value(self, position: Position) -> float:
        if position.is_chance:
            after = [(o.probability, position.follow(o.number)) for o in position.outcomes()]
            return sum(p * self.value(rolled) for p, rolled in after if not rolled.is_chance)
        return max(self.action_value(position, action) for action in position.actions())

    def action_value(self, position: Position, action: int) -> float:
        return self.gain(position) if action == STOP else self.value(position.follow(action))


def mover(position: Position) -> int:
    return int(position.text.split()[-2]) - 1 if position.game.players > 1 else 0


def lost(position: Position) -> Position:
    """The position after a bust."""
    *markers, _, player, _ = position.text.split()
    after = int(player) % position.game.players + 1 if position.game.players > 1 else int(player) + 1
    return Position.parse(position.game, " ".join([*markers, "-", str(after), "roll"]))


def climbed_points(position: Position) -> float:
    *markers, runners, _, _ = position.text.split()
    before = dict(spot.split(":") for spot in markers[mover(position)].split(",") if spot != "-")
    middle = position.game.sides + 1
    total = 0
    for spot in runners.split(",") if runners != "-" else []:
        column, space = spot.split(":")
        total += (int(space) - int(before.get(column, 0)) + 1) * (abs(int(column) - middle) + 1)
    return total


@pytest.mark.few(1)
@pytest.mark.parametrize("measure", MEASURES)
@pytest.mark.parametrize("board", ["sides=2,shortest=3,goal=2", "sides=3,shortest=1", "players=3,sides=3,goal=2"])
@pytest.mark.parametrize("seed", slow_but([0], range(3)))
def test_a_turn_is_worth_what_its_definition_says(board, measure, seed):
    position = random_position(load_game(f"cant_stop:{board}"), seed)
    solution, definition = solve_turn(position, measure), ByDefinition(position, measure)
    assert solution.value(position) == pytest.approx(definition.value(position))
    checked = 0
    for reached in list(definition.known):
        if reached.actions():
            values = solution.action_values(reached)
            assert values == pytest.approx({a: definition.action_value(reached, a) for a in reached.actions()})
            assert values[solution.best_action(reached)] == max(values.values())
            checked += 1
    assert checked >= 1


@pytest.mark.slow
def test_turns_of_the_whole_game_are_solved():
    game = load_game("cant_stop")
    whole = solve_turn(start(game))
    assert len(whole) > 60_000
    assert whole.position in whole
    for seed in range(6):
        position = start(game)
        for step in range(4):  # what is solved from the middle of a turn is what was solved from its start
            position = position.settled(Dice(seed + step)) if position.is_chance else position
            if position not in whole:
                break
            part = solve_turn(position, keeping=False)
            assert len(part) <= len(whole)
            assert part.action_values(position) == pytest.approx(whole.action_values(position))
            position = position.play(whole.best_action(position))
            position = position.play("roll") if not position.is_chance and position in whole else position


@pytest.mark.slow
def test_with_all_runners_placed_going_on_is_worth_its_chance_and_more():
    position = Position.parse(load_game("cant_stop"), "- - 6:3,7:3,8:3 1 decide")
    values = {
        position.action_name(action): value for action, value in solve_turn(position).action_values(position).items()
    }
    assert values["stop"] == 8 + 4 + 8
    assert values["roll"] > (20 + 1) * 1192 / 1296  # a roll climbs at least one space, of at least a point
    high = Position.parse(load_game("cant_stop"), "- - 2:2,3:4,12:2 1 decide")
    assert solve_turn(high).best_action(high) == STOP


@pytest.mark.slow
@pytest.mark.interpreted
def test_a_turn_is_kept_and_other_positions_are_refused():
    game = load_game("cant_stop:sides=3")
    position = Position.parse(game, "3:1 - 2:1,4:2 1 decide")
    assert find_turn(position) is None
    solution = solve_turn(position)
    kept = find_turn(position)
    assert isinstance(kept, TurnSolution)
    assert kept.action_values(position) == solution.action_values(position)
    assert find_turn(position, "evaluation") is None
    other = Position.parse(game, "3:1 - 2:1,5:2 1 decide")
    assert other not in solution
    with pytest.raises(AstragalError, match="'3:1 - 2:1,5:2 1 decide' is not in the turn solved from '3:1 - 2:1,4:2"):
        solution.value(other)


@pytest.mark.parametrize(
    ("spec", "text", "measure", "sentence"),
    [
        ("pig", "0 0 0 1 roll", "points", "turns of Can't Stop can be solved, not of pig"),
        ("cant_stop", "- - - 1 roll", "spaces", "measured in points or evaluation, not in spaces"),
        ("cant_stop", "2:3,3:5,4:7 - - 1 over", "points", "the game is over at '2:3,3:5,4:7 - - 1 over'"),
    ],
)
def test_what_is_no_turn_is_refused_in_a_sentence(spec, text, measure, sentence):
    with pytest.raises(AstragalError, match=sentence):
        solve_turn(Position.parse(load_game(spec), text), measure)


# Solitaire


@pytest.mark.few(1)
@pytest.mark.parametrize("size", slow_but(SMALL, KNOWN), ids=lambda size: f"{size[0]} sides, shortest {size[1]}")
def test_small_solitaires_take_the_known_number_of_turns(size):
    solution = solitaire(*size)
    assert solution.turns[0] == pytest.approx(KNOWN[size], abs=6e-7)
    assert solution.turns_left(start(solution.game)) == pytest.approx(solution.turns[0], abs=1e-12)


@pytest.mark.few(1)
@pytest.mark.parametrize("size", by_python((2, 2), (3, 1)))
@pytest.mark.parametrize("seed", range(4))
def test_values_of_the_solitaire_agree_with_each_other(seed, size):
    """Each position's turns are those of its best action or the mean over rolls, and a turn more after stopping."""
    solution = solitaire(*size)
    position = random_position(solution.game, seed)
    for step in range(12):
        if position.is_terminal:
            break
        left = solution.turns_left(position)
        if position.is_chance:
            after = [(o.probability, position.follow(o.number)) for o in position.outcomes()]
            busts = 1 + solution.turns_left(lost(position))
            mean = sum(p * (busts if rolled.is_chance else solution.turns_left(rolled)) for p, rolled in after)
            assert left == pytest.approx(mean)
            position = position.sample(Dice(seed + step))
        else:
            values = {a: solution.turns_left(position.follow(a)) + (a == STOP) for a in position.actions()}
            after = {action: solution.value(position.follow(action)) for action in values}
            assert solution.action_values(position) == pytest.approx(after)
            assert after == pytest.approx({a: 100 - position.state.turn - value for a, value in values.items()})
            assert left == pytest.approx(min(values.values()))
            position = position.play(min(values, key=lambda a: values[a]))


def test_a_solitaire_is_kept():
    game = load_game("cant_stop:players=1,sides=2,shortest=1")
    with pytest.raises(AstragalError, match="is not solved yet: run astragal solve cant_stop:players=1,sides=2"):
        load_player("best_turn:measure=turns", game).search(start(game).settled(Dice(1)))
    assert find_solitaire(game) is None
    reports: list[float] = []
    solution = solve_solitaire(game, report=lambda what, number: reports.append(number))
    assert reports == [16]
    kept = find_solitaire(game)
    assert kept is not None
    assert (kept.turns == solution.turns).all()
    assert kept.turns[-1] == 0
    assert (kept.turns[:-1] >= 1).all()


def test_what_is_no_small_solitaire_is_refused_in_a_sentence():
    with pytest.raises(AstragalError, match="the solitaire has one player; cant_stop:sides=3 has 2"):
        solve_solitaire(load_game("cant_stop:sides=3"))
    with pytest.raises(AstragalError, match="has 7,431,782,400 sets of markers, more than 2,000,000"):
        solve_solitaire(load_game("cant_stop:players=1"))
    with pytest.raises(AstragalError, match="was solved, not cant_stop:players=1,sides=3"):
        solitaire(2, 2).turns_left(start("cant_stop:players=1,sides=3"))


# The player


@pytest.mark.slow
@pytest.mark.interpreted
def test_the_player_takes_the_best_action_and_wins_where_it_can():
    game = load_game("cant_stop:sides=3,shortest=2")
    player = load_player("best_turn", game)
    session = player.new_session()
    position = Position.parse(game, "- - 2:1,4:2 1 decide")
    best = solve_turn(position, "evaluation").best_action(position)
    assert player.search(position, session=session).action_number == best
    assert position in session["turn"]
    assert player.search(position, session=session).action_number == best
    other = Position.parse(game, "2:1 - 2:2,4:2 1 decide")
    assert player.search(other, session=session).action_number == solve_turn(other, "evaluation").best_action(other)
    winning = Position.parse(game, "2:2,6:2 - 4:6 1 decide")
    assert player.search(winning).action == "stop"


@pytest.mark.slow
@pytest.mark.interpreted
def test_the_player_plays_the_solitaire():
    solution = solitaire(2, 2)
    solve_solitaire(solution.game)  # kept in this test's folder
    position = random_position(solution.game, 5, decision=True)
    values = solution.action_values(position)
    chosen = load_player("best_turn:measure=turns", solution.game).search(position).action_number
    assert values[chosen] == max(values.values())


# Commands


@pytest.mark.slow
@pytest.mark.compiled
def test_solve_says_how_many_turns_the_solitaire_takes(capsys):
    ran = run_here(capsys, "solve", "cant_stop:players=1,sides=3,shortest=2")
    assert ran.code == 0
    assert "fewest turns                1.722401" in ran.out
    facts = json.loads(run_here(capsys, "solve", "cant_stop:players=1,sides=3,shortest=2", "--json").out)
    assert facts["kept"]
    assert facts["turns"] == pytest.approx(1.722401, abs=1e-6)
    assert facts["value"] == pytest.approx(100 - facts["turns"])
    game = load_game("cant_stop:players=1,sides=3,shortest=2")
    position = random_position(game, 2, decision=True)
    best = load_player("optimal").search(position)
    assert best.value == pytest.approx(exact_values(position).value(position))


@pytest.mark.slow
def test_solve_finds_the_best_way_through_a_turn(capsys):
    text = "6:3,7:2 8:1 6:5,7:4,8:2 1 decide"
    ran = run_here(capsys, "solve", "cant_stop", "--turn", "points", "--position", text)
    assert ran.code == 0
    assert re.search(r"largest expected gain +[0-9.]+ points", ran.out)
    facts = json.loads(run_here(capsys, "solve", "cant_stop", "--turn", "points", "--position", text, "--json").out)
    solution = solve_turn(Position.parse(load_game("cant_stop"), text))
    assert facts["kept"]
    assert facts["gain"] == pytest.approx(solution.start_value)
    assert facts["actions"]["stop"] == pytest.approx(2 * 3 + 1 * 3 + 2 * 3)
    assert facts["gain"] == pytest.approx(max(facts["actions"].values()))


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        (("pig", "--turn", "points"), "turns of Can't Stop can be solved, not of pig"),
        (("cant_stop", "--turn", "gold"), "measured in points or evaluation, not in gold"),
    ],
)
def test_turns_that_cannot_be_solved_are_refused_in_a_sentence(capsys, arguments, sentence):
    ran = run_here(capsys, "solve", *arguments)
    assert ran.code == 2
    assert sentence in ran.err
