"""Exact values of single positions: Kalah by alpha-beta with a table, EinStein würfelt nicht! with few cubes."""

from __future__ import annotations

import csv
import json
from collections.abc import Iterator
from fractions import Fraction
from functools import cache
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from astragal import AstragalError, Limits, Position, load_game, load_player, start
from astragal.games.ewn import solver as ewn
from astragal.games.kalah import solver as kalah
from astragal.games.kalah.solver_table import kept_entries
from astragal.solvers.exact import exact_values
from astragal.solvers.exact import solve as solve_exactly
from astragal.solvers.solution import Solution, solve_position
from support.helpers import DATA, random_positions, run_here, solutions_in

RULES = ("paper", "irving", "standard")
with (DATA / "kalah_values.csv").open() as file:
    MARGINS = {
        (int(row["m"]), int(row["n"]), row["rules"]): int(row["first_player_margin"]) for row in csv.DictReader(file)
    }
with (DATA / "ewn_endgames.csv").open() as file:
    ENDGAMES = list(csv.DictReader(file))
EWN = load_game("ewn")
ENDGAMES = [row for row in ENDGAMES if ewn.solves(Position.parse(EWN, row["position"]))]
seeds = st.integers(0, 2**32)


@pytest.fixture(autouse=True)
def elsewhere(tmp_path):
    """A folder of solutions with nothing in it."""
    ewn.last_solved.clear()
    with solutions_in(tmp_path) as folder:
        yield folder


# Kalah


def sizes_and_rules() -> Iterator[Any]:
    """Small boards; the others in the slow run, since each is a compile of its own."""
    for rules in ("irving", "standard", "paper"):
        for pits in range(1, 7):
            for stones in range(1, 4):
                marks = () if pits * stones <= 4 else pytest.mark.slow
                yield pytest.param((pits, stones), rules, marks=marks, id=f"{rules}-{pits}-{stones}")


@pytest.mark.parametrize(("size", "rules"), list(sizes_and_rules()))
def test_every_board_up_to_six_pits_with_three_stones_has_its_published_margin(size, rules):
    position = start(f"kalah:pits={size[0]},stones={size[1]},rules={rules}")
    assert kalah.Margins(position.game).lead(position) == MARGINS[(*size, rules)]


@pytest.mark.slow
@pytest.mark.parametrize("rules", RULES)
def test_six_pits_with_four_stones_have_their_published_margin(rules):
    position = start(f"kalah:rules={rules}")
    assert kalah.Margins(position.game).lead(position) == MARGINS[(6, 4, rules)]


def test_of_a_full_table_what_took_longest_is_kept():
    position = start("kalah:pits=3,stones=2")
    margins = kalah.Margins(position.game)
    margins.lead(position)
    efforts = margins.table["effort"].ravel()
    most = int((efforts > 3).sum()) + 1
    kept = kept_entries(margins.table, most)
    assert sorted(kept["effort"]) == sorted(efforts[efforts > 3])
    assert (kept["low"] <= kept["high"]).all()
    again = kalah.Margins(position.game, kept)
    assert again.knows(position)
    assert again.lead(position) == margins.lead(position)


def test_a_table_of_one_bucket_forgets_but_errs_not(monkeypatch):
    monkeypatch.setattr(kalah, "LARGEST_TABLE", 0)
    for position in (start("kalah:pits=3,stones=2"), start("kalah:pits=2,stones=3,rules=irving")):
        assert kalah.Margins(position.game).lead(position) == best_lead(position)


@cache
def best_lead(position: Position) -> int:
    """The first player's final margin by the definition."""
    if position.is_terminal:
        return int(position._rules.lead(position._state, 0))
    leads = [best_lead(position.play(action)) for action in position.actions()]
    return max(leads) if position.turn == 0 else min(leads)


@pytest.mark.few(1)
@pytest.mark.parametrize("rules", RULES)
@settings(max_examples=6)
@given(seed=seeds)
def test_the_margin_of_any_position_is_its_definition(rules, seed):
    game = load_game(f"kalah:pits=3,stones=2,setup=random,rules={rules}")
    margins = kalah.Margins(game)
    for position in random_positions(game, seed):
        assert margins.lead(position) == best_lead(position)


def test_moves_are_worth_what_they_lead_to_and_the_best_one_loses_nothing():
    position = start("kalah:pits=3,stones=2").play("A3")
    exact = exact_values(position)
    values = exact.action_values(position)
    sign = 1 if position.turn == 0 else -1
    assert max(values.values()) == pytest.approx(sign * exact.value(position))
    assert exact.regret(position, exact.best_action(position)) == 0
    assert load_player("optimal").search(position).value == pytest.approx(max(values.values()))


def test_with_wins_for_a_score_a_margin_is_a_win():
    position = start("kalah:pits=2,stones=5,score=win,rules=irving")
    assert exact_values(position).value(position) == 100.0


@pytest.mark.compiled
def test_what_was_found_is_kept_and_taken_up_again(elsewhere):
    position = start("kalah:pits=5,stones=2")
    first = solve_exactly(position)
    assert not first.kept_before
    assert first.file.parent.parent == elsewhere
    kalah.read_margins.cache_clear()
    second = solve_exactly(position)
    assert second.kept_before
    assert second.values.value(position) == first.values.value(position)
    assert second.values.facts(position)["nodes"] < 1.1 * first.values.facts(position)["nodes"]
    other = position.play("A2")
    third = solve_exactly(other)
    assert third.values.value(other) == kalah.Margins(position.game).value(other)
    assert solve_exactly(position).kept_before
    assert not solve_exactly(position, again=True).kept_before


def test_a_broken_file_is_solved_anew():
    position = start("kalah:pits=3,stones=2")
    file = solve_exactly(position).file
    file.write_bytes(b"not what was kept")
    assert not solve_exactly(position).kept_before


# EinStein würfelt nicht!


@pytest.mark.compiled
@pytest.mark.parametrize("row", ENDGAMES, ids=[row["name"] for row in ENDGAMES])
def test_endgames_have_their_known_values(row):
    position = Position.parse(EWN, row["position"])
    assert exact_values(position).value(position) == pytest.approx(200 * float(Fraction(row["chance"])) - 100, abs=1e-9)


def test_a_value_says_how_likely_the_first_player_is_to_win():
    for text in ("...../.2.../..5../.c.../....e 1", "...../.2.../..5../.c.../....e 2"):
        position = Position.parse(EWN, text)
        values = ewn.solve_position(position)
        assert 0.0 < values.win_chance(position) < 1.0
        assert 100.0 * (2.0 * values.win_chance(position) - 1.0) == pytest.approx(values.value(position))


FEW = ["1.3../...../..5../..d../..b.f 2", "...../.2.../..5../.c.../....e 1", "...../16.../..d../b..../..... 2"]


@pytest.mark.compiled
@pytest.mark.parametrize("text", FEW[1:])
def test_endgames_are_what_value_iteration_finds(text):
    position = Position.parse(EWN, text)
    exact, iterated = ewn.solve_position(position), solve_position(position)
    assert isinstance(iterated, Solution)
    for seed in range(20):
        for here in filter(iterated.covers, play_on(position, seed)):  # no win is passed up there
            assert exact.value(here) == pytest.approx(iterated.value(here), abs=1e-7)


def play_on(position: Position, seed: int) -> list[Position]:
    from astragal.rules.dice import Dice

    dice, path = Dice(seed), [position]
    while not path[-1].is_terminal:
        here = path[-1]
        path.append(here.sample(dice) if here.is_chance else here.play(here.actions()[dice.below(len(here.actions()))]))
    return path


@pytest.mark.slow
@pytest.mark.compiled
def test_a_position_is_worth_what_its_rolls_and_moves_are():
    position = Position.parse(EWN, FEW[0])
    exact = ewn.solve_position(position)
    for here in play_on(position, 3)[:-1]:
        if here.is_chance:
            mean = sum(outcome.probability * exact.value(here.deal(outcome.number)) for outcome in here.outcomes())
        else:
            mean = (1 if here.turn == 0 else -1) * max(exact.action_values(here).values())
        assert exact.value(here) == pytest.approx(mean, abs=1e-9)


@pytest.mark.slow
def test_a_search_to_the_end_finds_the_same():
    position = Position.parse(EWN, "...../...1./..5../.c.../....e 1")
    found = load_player("star2:table=values").search(position, limits=Limits(depth=30))
    assert found.complete
    assert exact_values(position).value(position) == pytest.approx(found.value, abs=1e-9)


@pytest.mark.compiled
def test_one_solution_serves_the_whole_game_that_follows():
    position = Position.parse(EWN, FEW[1])
    first = exact_values(position)
    for here in play_on(position, 1)[1:-1]:
        assert exact_values(here) is first


@pytest.mark.compiled
def test_what_cannot_follow_is_not_covered():
    exact = ewn.solve_position(Position.parse(EWN, FEW[1]))
    for text in (
        "...../12.../..5../.c.../....e 1",
        "...../.3.../..5../.c.../....e 1",
        "...../...../2.5../.c.../....e 1",
    ):
        other = Position.parse(EWN, text)
        assert not exact.covers(other)
        with pytest.raises(AstragalError, match="cannot follow"):
            exact.value(other)


@pytest.mark.compiled
def test_solve_takes_a_position(capsys):
    ran = run_here(capsys, "solve", "ewn", "--position", FEW[1], "--json")
    facts = json.loads(ran.out)
    assert ran.code == 0
    assert not facts["kept"]
    assert facts["position"].startswith("...../.2...")
    again = json.loads(run_here(capsys, "solve", "ewn", "--position", FEW[1], "--json").out)
    assert again["kept"]
    assert again["value"] == facts["value"]
    small = run_here(capsys, "solve", "ewn", "--position", FEW[1], "--again", "--max-states", 10)
    assert small.code == 2
    assert "raise --max-states" in small.err


def test_solve_prints_the_margin_of_kalah(capsys):
    ran = run_here(capsys, "solve", "kalah:pits=2,stones=5,rules=irving")
    assert ran.code == 0
    assert "margin of the first player  +6" in ran.out
    facts = json.loads(run_here(capsys, "solve", "kalah:pits=2,stones=5,rules=irving", "--json").out)
    assert facts["margin"] == 6
    assert facts["kept"]


@pytest.mark.compiled
def test_solve_says_when_there_is_too_much(capsys):
    ran = run_here(capsys, "solve", "ewn", "--max-states", 1000)
    assert ran.code == 2
    advice = "take a position with up to three cubes a side"
    assert ran.err.endswith(f"ewn has more than 1,000 reachable states; {advice}, or raise --max-states\n")


@pytest.mark.compiled
def test_other_positions_are_solved_by_value_iteration(capsys):
    ran = run_here(capsys, "solve", "pig:goal=20,dice=1", "--position", "10 12 4 1 decide", "--json")
    whole = json.loads(run_here(capsys, "solve", "pig:goal=20,dice=1", "--json").out)
    facts = json.loads(ran.out)
    assert facts["states"] < whole["states"]
    position = Position.parse(load_game("pig:goal=20,dice=1"), "10 12 4 1 decide")
    assert facts["value"] == pytest.approx(exact_values(position).value(position), abs=1e-8)


@pytest.mark.compiled
def test_a_kept_position_serves_what_follows_it(capsys):
    run_here(capsys, "solve", "pig:goal=20,dice=1", "--position", "10 12 4 1 decide")
    here = Position.parse(load_game("pig:goal=20,dice=1"), "14 12 5 2 decide")
    assert exact_values(here).covers(here)
    earlier = Position.parse(load_game("pig:goal=20,dice=1"), "4 12 5 2 decide")
    with pytest.raises(AstragalError, match="not solved yet"):
        exact_values(earlier)
