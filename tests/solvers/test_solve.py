"""Exact values: against published and independently computed ones, against their own definition, and kept on disk."""

from __future__ import annotations

import csv
import json
import re
import warnings
from functools import cache

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from astragal import AstragalError, Position, game, load_game, load_player, search, start
from astragal.solvers.solution import Solution, find_solution, save, solution_path, solve
from support.broken_games import GOAL, Sound
from support.gdl_sheets import NIM
from support.helpers import DATA, EXAMPLE, add_up, define, random_position, run_here, solutions_in

SMALL = "pig:goal=20"
pytestmark = pytest.mark.compiled  # two kernels for Pig do most of it
seeds = st.integers(0, 2**32)


@pytest.fixture(scope="module")
def private(tmp_path_factory):
    """A folder for the solutions of these tests."""
    with solutions_in(tmp_path_factory.mktemp("solved")) as folder:
        yield folder


@pytest.fixture(scope="module")
def two_dice(private) -> Solution:
    return solve(load_game("pig"))


@pytest.fixture(scope="module")
def small(private) -> Solution:
    return solve(load_game(SMALL))


@pytest.fixture
def elsewhere(tmp_path):
    """A folder of solutions with nothing in it."""
    with solutions_in(tmp_path) as folder:
        yield folder


def chance_to_win(solution: Solution, own: int, other: int, total: int) -> float:
    """The chance that the player to move wins, checked to be the same in both seats."""
    phase = "decide" if total else "roll"
    first = solution.value(Position.parse(solution.game, f"{own} {other} {total} 1 {phase}"))
    second = solution.value(Position.parse(solution.game, f"{other} {own} {total} 2 {phase}"))
    assert first == pytest.approx(-second, abs=4e-9)
    return (first + 100) / 200


def rows(name: str) -> list[dict[str, str]]:
    with (DATA / name).open() as file:
        return list(csv.DictReader(file))


# Pig


@pytest.mark.slow
def test_the_first_player_of_pig_with_one_die(private):
    solution = solve(load_game("pig:dice=1"))
    assert chance_to_win(solution, 0, 0, 0) == pytest.approx(0.530592725274, abs=1e-9)


@pytest.mark.slow
def test_the_first_player_of_pig_with_two_dice(two_dice):
    assert chance_to_win(two_dice, 0, 0, 0) == pytest.approx(0.519558893861, abs=1e-9)
    assert two_dice.start_value == pytest.approx(3.911778772, abs=1e-7)
    assert 0 < two_dice.error <= 1e-9


@pytest.mark.slow
def test_every_state_of_pig_is_reached(two_dice):
    """424,278 decisions and 9,409 forced rolls of each player; rolls during a turn and ends come on top."""
    assert len(two_dice.values) > 2 * (424_278 + 9_409)
    assert len(two_dice.values) == len(two_dice.hashes)


@pytest.mark.slow
@pytest.mark.parametrize(
    "row", rows("pig_values.csv"), ids=lambda row: f"{row['own']} {row['opp']} {row['turn_total']}"
)
def test_values_and_best_actions_of_pig(two_dice, row):
    own, other, total = (int(row[key]) for key in ("own", "opp", "turn_total"))
    assert chance_to_win(two_dice, own, other, total) == pytest.approx(float(row["p_win_mover"]), abs=1e-8)
    if total:
        position = Position.parse(two_dice.game, f"{own} {other} {total} 1 decide")
        values = two_dice.action_values(position)
        assert (values[0] + 100) / 200 == pytest.approx(float(row["q_hold_p"]), abs=1e-8)
        assert (values[1] + 100) / 200 == pytest.approx(float(row["q_roll_p"]), abs=1e-8)
        assert position.action_name(two_dice.best_action(position)) == row["best"]


@pytest.mark.slow
def test_where_holding_begins_in_pig(two_dice):
    """For a sample of scores: rolling is best below the first turn total at which holding is, and holding there."""
    checked = 0
    for row in rows("pig_hold_thresholds.csv"):
        own, other = int(row["own"]), int(row["opp"])
        if {own, other} & {1, 2, 3}:
            continue  # no score of two dice
        first = row["first_hold_turn_total(blank=roll to the end)"]
        last = int(first) if first else 99 - own
        for total in range(4, last + 1):
            position = Position.parse(two_dice.game, f"{own} {other} {total} 1 decide")
            wanted = "hold" if first and total == last else "roll"
            assert position.action_name(two_dice.best_action(position)) == wanted, position
            checked += 1
    assert checked > 3000


def test_the_hand_check_a_point_before_the_end(small):
    """Any roll of 4 or more wins; a single 1 changes seats; a double 1 leaves the other with 19 to 0 of 20."""
    ahead = chance_to_win(small, 19, 0, 0)
    assert chance_to_win(small, 16, 0, 0) == pytest.approx(ahead, abs=1e-10)
    by_hand = (25 / 36 + 10 / 36 + (1 - ahead) / 36) / (1 + 10 / 36)
    assert chance_to_win(small, 19, 19, 0) == pytest.approx(by_hand, abs=1e-10)


@settings(max_examples=40)
@given(seed=seeds)
def test_every_value_is_what_its_successors_say(small, seed):
    """The best action's for a decision, the mean over outcomes for chance."""
    position = random_position(small.game, seed)
    value = small.value(position)
    if position.is_chance:
        expected = sum(o.probability * small.value(position.deal(o.number)) for o in position.outcomes())
    else:
        values = [small.value(position.play(action)) for action in position.actions()]
        expected = max(values) if position.turn == 0 else min(values)
    assert value == pytest.approx(expected, abs=3e-9)


@settings(max_examples=40)
@given(seed=seeds)
def test_exchanging_the_players_changes_the_sign(small, seed):
    first, second, total, player, phase = random_position(small.game, seed).text.split()
    value, other = (
        small.value(Position.parse(small.game, text))
        for text in (
            f"{first} {second} {total} {player} {phase}",
            f"{second} {first} {total} {3 - int(player)} {phase}",
        )
    )
    assert value == pytest.approx(-other, abs=4e-9)


# Other games


@pytest.mark.interpreted
def test_a_game_that_ends_is_solved_as_recursion_solves_it(elsewhere):
    @cache
    def recursive(position: Position) -> float:
        if position.is_terminal:
            return position.utilities()[0]
        if position.is_chance:
            return sum(o.probability * recursive(position.deal(o.number)) for o in position.outcomes())
        return (min if position.turn else max)(recursive(position.play(action)) for action in position.actions())

    solution = solve(Sound())
    for total in range(GOAL + 2):
        for turn in (0, 1):
            for tossing in (0, 1):
                position = Position.parse(Sound(), f"total={total} turn={turn} tossing={tossing}")
                if solution._kept_value(position) is not None:
                    assert solution.value(position) == pytest.approx(recursive(position), abs=2e-9)
    assert solution.start_value == pytest.approx(recursive(start(Sound())), abs=2e-9)


@pytest.mark.interpreted
def test_a_search_of_the_whole_game_finds_the_solved_value(elsewhere):
    position = Position.parse(Sound(), "total=7")
    result = search(position, "exp:depth=20")
    assert result.complete
    assert result.value == pytest.approx(solve(Sound()).value(position), abs=2e-9)


def test_a_game_that_is_too_large_is_refused(elsewhere):
    with pytest.raises(AstragalError, match="pig has more than 1,000 reachable states; solve a smaller version"):
        solve(load_game("pig"), max_states=1000)


def test_a_game_of_more_players_or_with_common_interests_is_refused():
    three = game(type("Three", (Sound,), {"players": 3, "__module__": __name__}))
    both = game(type("Both", (Sound,), {"zero_sum": False, "__module__": __name__}))
    with pytest.raises(AstragalError, match=r"solve needs one or two players; Three has 3$"):
        solve(three())
    with pytest.raises(AstragalError, match="solve needs a zero-sum game, which Both is not"):
        solve(both())


@pytest.mark.interpreted
def test_a_game_that_can_go_on_for_ever_is_refused(elsewhere):
    """Each player may add nothing: no value is proved."""
    with pytest.raises(AstragalError, match="players may be able to play for ever"):
        solve(define(add_up("action"))["AddUp"]())


# Actions and regret


@settings(max_examples=40)
@given(seed=seeds)
def test_regret_is_what_an_action_loses_against_the_best(small, seed):
    position = random_position(small.game, seed, decision=True)
    values = small.action_values(position)
    best = small.best_action(position)
    assert small.regret(position, best) == 0.0
    for action, value in values.items():
        assert small.regret(position, action) == max(values.values()) - value
    assert small.value(position) == pytest.approx((1, -1)[position.turn] * values[best], abs=3e-9)


def test_there_is_no_regret_where_chance_decides(small):
    with pytest.raises(AstragalError, match="there is no regret at a chance node"):
        small.regret(start(small.game), None)


def test_a_state_that_play_cannot_reach_is_not_covered(small):
    with pytest.raises(AstragalError, match="'1 0 4 1 decide' cannot be reached from where the game was solved"):
        small.value(Position.parse(small.game, "1 0 4 1 decide"))


def test_a_win_passed_up_has_a_value_all_the_same(small):
    """The solver does not follow rolls where holding wins; their values follow from those it keeps."""
    position = Position.parse(small.game, "12 0 9 1 decide")
    values = small.action_values(position)
    assert values[0] == 100.0
    rolled = sum(
        o.probability * (100.0 if o.number > 1 else small.value(position.play("roll").deal(o.number)))
        for o in position.play("roll").outcomes()
    )
    assert values[1] == pytest.approx(rolled, abs=1e-8)


@settings(max_examples=40)
@given(seed=seeds)
def test_optimal_plays_without_regret(small, seed):
    position = random_position(small.game, seed, decision=True)
    answer = load_player("optimal", small.game).search(position)
    assert small.regret(position, answer.action_number) == 0.0
    assert answer.complete
    assert answer.value == answer.actions[0].value >= answer.actions[1].value
    assert {row.bound for row in answer.actions} == {"exact"}


def test_optimal_without_a_solution_says_what_to_run(elsewhere):
    position = start("pig:goal=60").settled(1)
    with pytest.raises(AstragalError, match="pig:goal=60 is not solved yet: run astragal solve pig:goal=60"):
        search(position, "optimal")


# Kept on disk


def test_a_solution_is_read_back_as_it_was(small):
    again = find_solution(small.game)
    assert np.array_equal(again.hashes, small.hashes)
    assert np.array_equal(again.values, small.values)
    assert (again.error, again.sweeps, again.seconds) == (small.error, small.sweeps, small.seconds)


def test_solutions_of_other_parameters_are_kept_apart(elsewhere):
    games = [load_game(spec) for spec in (SMALL, "pig:goal=21", "pig:goal=20,dice=1", f"{EXAMPLE}:MyGame:track=20")]
    assert len({solution_path(each) for each in games}) == len(games)
    solve(games[0])
    assert find_solution(games[1]) is None


def test_an_edited_rule_sheet_does_not_find_the_solution_of_the_old_one(tmp_path):
    """Nor does another of the same name: such games can have the same class."""
    sheet = tmp_path / "nim.kif"
    paths = []
    for text in (NIM, NIM.replace("(init (heap 5))", "(init (heap 4))")):
        sheet.write_text(text)
        paths.append(solution_path(load_game(f"{sheet}:zero_sum=on")))
    assert paths[0] != paths[1]


def test_an_edited_game_does_not_find_the_solution_of_the_old_one():
    paths = {solution_path(define(add_up(f"action + {step}"))["AddUp"]()) for step in (1, 2)}
    assert len(paths) == 2


@pytest.mark.parametrize(
    "spoil",
    [
        lambda good: b"",
        lambda good: b"not a solution",
        lambda good: good[: len(good) // 2],
        lambda good: good[:-10],
        lambda good: good[:100] + b"\xff" * 50 + good[150:],
        lambda good: good[: len(good) // 2] + b"\xff" * 50 + good[len(good) // 2 + 50 :],
    ],
    ids=["empty", "text", "half", "cut short", "header", "middle"],
)
def test_a_broken_file_is_solved_anew(spoil, elsewhere, small, capsys):
    save(small)
    path = solution_path(small.game)
    path.write_bytes(spoil(path.read_bytes()))
    assert find_solution(small.game) is None
    facts = json.loads(run_here(capsys, "solve", SMALL, "--json").out)
    assert facts["kept"] is False
    assert find_solution(small.game) is not None


def test_a_folder_that_cannot_be_written_means_a_warning(tmp_path, small):
    (tmp_path / "file").write_text("not a folder")
    with solutions_in(tmp_path / "file"), pytest.warns(UserWarning, match="the solution cannot be kept"):
        solution = solve(small.game)
    assert solution.start_value == small.start_value


def test_nothing_is_left_behind_but_the_solution(elsewhere, small):
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        save(small)
    assert [path.suffix for path in (elsewhere / "solutions").iterdir()] == [".npz"]


# Commands


def test_solve_says_what_it_found_and_keeps_it(elsewhere, capsys):
    first = run_here(capsys, "solve", SMALL)
    assert first.code == 0
    assert "first player wins" in first.out
    assert "kept" not in first.out
    second = run_here(capsys, "solve", SMALL)
    assert "(kept from before)" in second.out
    assert second.out.splitlines()[1:] == first.out.splitlines()[1:]
    again = json.loads(run_here(capsys, "solve", SMALL, "--again", "--json").out)
    assert again["kept"] is False


def test_solve_prints_json(elsewhere, small, capsys):
    facts = json.loads(run_here(capsys, "solve", SMALL, "--json").out)
    assert facts["game"] == SMALL
    assert facts["value"] == small.start_value
    assert facts["first_player_wins"] == pytest.approx((small.start_value + 100) / 200, abs=1e-12)
    assert facts["states"] == len(small.values)
    assert facts["error"] <= 1e-9
    assert {"seconds", "sweeps", "kept", "file"} <= set(facts)


def test_a_search_is_asked_for_its_regret(elsewhere, small, capsys):
    save(small)
    position = Position.parse(small.game, "0 12 8 1 decide")
    for player in ("random", "optimal"):
        ran = run_here(capsys, "search", SMALL, "--position", position.text, "--player", player, "--regret", "--json")
        facts = json.loads(ran.out)
        assert facts["regret"] == small.regret(position, position.find_action(facts["action"]))
        if player == "optimal":
            assert facts["regret"] == 0
    ran = run_here(capsys, "search", SMALL, "--position", position.text, "--player", "optimal", "--regret")
    assert "regret      0.000000000 against the solved game" in ran.out


def test_regret_without_a_solution_is_proven_and_says_so(elsewhere, capsys):
    ran = run_here(capsys, "search", SMALL, "--player", "random", "--regret")
    assert (ran.code, ran.err) == (0, "")
    assert re.search(r"^regret .*proven.*\(the position is not solved\)$", ran.out, re.MULTILINE)
