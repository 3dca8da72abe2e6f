"""At every decision of a solved game `optimal` plays and loses nothing, by values found by another program.

That program follows every action from the start, straight from the rules, and sweeps through all positions until lower
and upper values meet.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

import numpy as np
import pytest

from astragal import AstragalError, Position, load_game, load_player, match
from astragal.algorithms.limits import Limits
from astragal.arena.review import EXACT, Decision, Reviewer
from astragal.lab.parts.estimation import against_exact
from astragal.lab.study import Study, search_positions
from astragal.players import optimal
from astragal.solvers import graph
from astragal.solvers.exact import exact_values, solve
from astragal.solvers.graph import Graph
from astragal.solvers.solution import Solution, find_solution, solution_path
from support.gdl_sheets import NIM
from support.helpers import random_positions, run_here, solutions_in
from support.simultaneous_games import Pennies
from support.stages import OshiZumo
from support.tree_games import LIMIT, QuietTree, Tree, low, random_tree, top, tree

pytestmark = pytest.mark.filterwarnings("error:.*is solved anew")  # but where that is tested
NEAR = 3e-9  # values are exact to 1e-9
WORLD = {"layers": 9, "breadth": 10, "ends": 25}  # most of these have certain wins to pass up
UNKNOWN = "cannot be reached from where the game was solved, or only by passing up a certain win, so its value is not"
PASSED = "x../.xo/..."  # x has passed up nothing yet: o moves, and x may win in two ways


@pytest.fixture(autouse=True)
def private(tmp_path) -> Iterator[None]:
    with solutions_in(tmp_path):
        yield


class Plain:
    """Lower and upper values of all that can be reached, for player 0, by sweeps over every action and outcome.

    With `winning`, decisions at which an action wins at once are not followed: for games without an end of positions.
    """

    def __init__(self, start: Position, winning: bool = False) -> None:
        self.positions, self.number = [start], {start: 0}
        low, high = start.game.utility_range
        self.children: list[list[int]] = []
        self.bounds: list[list[float]] = []
        for position in self.positions:  # grows
            after = [position.follow(step) for step in steps_of(position)]
            best = [low, high][position.turn == 0]
            won = winning and position.turn >= 0 and any(p.is_terminal and p.utilities()[0] == best for p in after)
            known = position.utilities()[0] if position.is_terminal else best
            self.bounds.append([known, known] if position.is_terminal or won else [low, high])
            for child in after if not won else []:
                if child not in self.number:
                    self.number[child] = len(self.positions)
                    self.positions.append(child)
            self.children.append([self.number[child] for child in after] if not won else [])
        self.chances = [[o.probability for o in position.outcomes()] for position in self.positions]
        self.turns = [position.turn for position in self.positions]
        changed = 1.0
        while changed > 1e-13:
            changed = max(map(self.improve, reversed(range(len(self.positions)))))

    def improve(self, i: int) -> float:
        changed = 0.0
        for side in range(2) if self.children[i] else ():
            worth = [self.bounds[child][side] for child in self.children[i]]
            if self.turns[i] < 0:
                value = sum(p * v for p, v in zip(self.chances[i], worth, strict=True))
            else:
                value = min(worth) if self.turns[i] == 1 else max(worth)
            changed = max(changed, abs(value - self.bounds[i][side]))
            self.bounds[i][side] = value
        return changed

    def value(self, position: Position) -> float | None:
        """The value of a position; None where the players may be able to play for ever."""
        least, most = self.bounds[self.number[position]]
        return least if most - least < NEAR else None

    def decisions(self) -> list[Position]:
        return [position for position in self.positions if position.turn >= 0]


def steps_of(position: Position) -> list[int]:
    return [outcome.number for outcome in position.outcomes()] if position.is_chance else position.actions()


def check_decision(position: Position, plain: Plain) -> None:
    """Every action has the value that the other program gives it, and `optimal` plays without losing any."""
    sign = -1.0 if position.turn == 1 else 1.0
    truth = {action: plain.value(position.follow(action)) for action in position.actions()}
    worth = plain.value(position)
    assert worth is not None
    answer = load_player("optimal", position.game).search(position)
    assert answer.value == pytest.approx(sign * worth, abs=NEAR)
    assert answer.actions[0].number == answer.action_number
    assert plain.value(position.follow(answer.action_number)) == pytest.approx(worth, abs=NEAR)
    assert {row.number for row in answer.actions} == set(truth)
    for row in answer.actions:
        if row.bound == "exact":
            assert row.value == pytest.approx(sign * truth[row.number], abs=NEAR)
        else:
            assert row.bound == "at most"
            assert truth[row.number] is None
    exact = exact_values(position)
    assert exact.value(position) == pytest.approx(worth, abs=NEAR)
    assert exact.regret(position, answer.action_number) <= NEAR
    for action, value in truth.items():
        if value is not None:
            assert exact.regret(position, action) == pytest.approx(abs(worth - value), abs=2 * NEAR)


def plays_only_what_is_proven(position: Position, plain: Plain) -> bool:
    """Where no solution covers a position, `optimal` plays a move that no other can be better than, or none."""
    answer, said = None, ""
    try:
        answer = load_player("optimal", position.game).search(position)
    except AstragalError as refused:
        said = str(refused)
    if answer is None:
        assert re.search(f"{UNKNOWN}.* nodes of prove do not show a best move here", said)
        return False
    sign = -1.0 if position.turn == 1 else 1.0
    bounds = {action: plain.bounds[plain.number[position.follow(action)]] for action in position.actions()}
    least = {action: min(sign * bound for bound in pair) for action, pair in bounds.items()}
    most = {action: max(sign * bound for bound in pair) for action, pair in bounds.items()}
    chosen = answer.action_number
    assert all(most[action] <= least[chosen] + NEAR for action in least if action != chosen)
    return True


def solved(start: Position) -> Solution:
    found = solve(start).values
    assert isinstance(found, Solution)
    return found


# Every decision of small games


@pytest.mark.few(8)
@pytest.mark.parametrize("kind", [Tree, QuietTree])
@pytest.mark.parametrize("seed", range(30))
def test_random_worlds(seed, kind):
    """Certain wins are common there, and often passed up."""
    start = random_tree(seed, **WORLD, kind=kind)
    solution, plain = solved(start), Plain(start)
    assert solution.whole
    assert len(solution.values) == len(plain.positions)
    for position in plain.decisions():
        check_decision(position, plain)


@pytest.mark.few(3)
@pytest.mark.parametrize("seed", range(20))
def test_exchanging_the_players_changes_the_sign_in_random_worlds(seed):
    start = random_tree(seed, **WORLD, kind=QuietTree if seed % 2 else Tree)
    other = exchanged(start)
    mine, theirs = solved(start), solved(other)
    for position in Plain(start).decisions():
        there = Position(other.game, position.memory)
        assert there.turn == 1 - position.turn
        assert theirs.action_values(there) == pytest.approx(mine.action_values(position), abs=NEAR)


def exchanged(start: Position) -> Position:
    """The same world with the players' sides exchanged."""
    rules = type(start.game)(f"{start.game.name} exchanged", [])
    links, numbers = start.game.links.copy(), start.game.numbers.copy()
    decided = links[:, 0] >= 0
    links[decided, 0] = 1 - links[decided, 0]
    numbers[:, 0] *= -1.0
    object.__setattr__(rules, "links", links)
    object.__setattr__(rules, "numbers", numbers)
    return Position.start(rules)


@pytest.mark.few(4)
@pytest.mark.parametrize("kind", [Tree, QuietTree])
@pytest.mark.parametrize("seed", range(30))
def test_worlds_that_one_may_return_in(seed, kind):
    """What has a value is played by it; what has none, since the players may go on for ever, only if it is proven."""
    start = random_tree(seed, layers=6, breadth=5, ends=25, loops=True, kind=kind)
    plain = Plain(start)
    if plain.value(start) is None:
        pytest.skip("no value can be proven at the start")
    if any(plain.value(position) is None for position in Plain(start, winning=True).positions):
        with pytest.raises(AstragalError, match="players may be able to play for ever"):
            solved(start)
        return
    solved(start)
    for position in plain.decisions():
        if plain.value(position) is not None:
            check_decision(position, plain)
        else:
            plays_only_what_is_proven(position, plain)


def test_an_endless_way_off_a_certain_win():
    """Player 1 may win, or walk in circles with player 2 for ever: there is a value where a player can win."""
    there = low()
    there.children.append(low(there))
    start = tree(top(LIMIT, there))
    solution, (win, walk) = solved(start), start.actions()
    assert not solution.whole
    assert solution.action_values(start) == {win: LIMIT}
    answer = load_player("optimal", start.game).search(start)
    assert [(row.number, row.value, row.bound) for row in answer.actions] == [
        (win, LIMIT, "exact"),
        (walk, LIMIT, "at most"),
    ]
    with pytest.raises(
        AstragalError, match="is not known: it passes up a certain win, and what follows was not solved"
    ):
        solution.regret(start, walk)
    with pytest.raises(AstragalError, match=f"'node=2' {UNKNOWN}"):
        solution.value(start.play(walk))


@pytest.mark.parametrize("place", range(3))
def test_of_equal_wins_the_one_that_ends_the_game_is_played(place):
    after = [low(LIMIT), top(LIMIT)]
    start = tree(top(*after[:place], LIMIT, *after[place:]))
    solved(start)
    answer = load_player("optimal", start.game).search(start)
    assert {row.value for row in answer.actions} == {LIMIT}
    assert answer.action_number == start.actions()[place] == exact_values(start).best_action(start)


def test_what_is_not_followed_is_bounded_or_refused(monkeypatch):
    """Where too much follows passed-up wins: a win is known and bounds the actions beside it."""
    monkeypatch.setattr(Graph, "pass_up_wins", lambda self, report: False)
    monkeypatch.setattr(optimal, "NODES", 5)
    bounds, refused = 0, 0
    for seed in range(6):
        start = random_tree(seed, **WORLD, kind=QuietTree)
        solution, plain, player = solved(start), Plain(start), load_player("optimal", start.game)
        for position in plain.decisions():
            if not solution.covers(position):
                refused += not plays_only_what_is_proven(position, plain)
                continue
            sign = -1.0 if position.turn == 1 else 1.0
            truth = {action: sign * plain.value(position.follow(action)) for action in position.actions()}
            answer = player.search(position)
            assert (answer.value, answer.bound) == (pytest.approx(max(truth.values())), "exact")
            assert truth[answer.action_number] == pytest.approx(answer.value, abs=NEAR)
            for row in answer.actions:
                bounds += row.is_bound
                assert row.bound == ("exact" if row.number in solution.action_values(position) else "at most")
                assert row.is_bound or row.value == pytest.approx(truth[row.number], abs=NEAR)
                assert truth[row.number] - NEAR <= row.value <= answer.value
    assert bounds > 0
    assert refused > 10


def test_as_many_states_again_are_followed_and_a_few(monkeypatch):
    """A start with a win at once has two states, and the rest of the game follows when it is passed up."""
    start = Position.parse(load_game("tic_tac_toe"), "xx./oo./...")
    states = len(Plain(start).positions)
    for more, whole in ((states - 2, True), (states - 3, False)):
        monkeypatch.setattr(graph, "MORE", more)
        found = solve(start, again=True).values
        assert (found.whole, len(found.values)) == (whole, states if whole else 2)


@pytest.mark.compiled
def test_pig_where_rolls_have_no_end():
    """The player who has won already may roll on for ever; there the values of the other program count."""
    start = Position.start(load_game("pig:goal=9,dice=1"))
    assert not solved(start).whole
    plain, beyond = Plain(start, winning=True), 0

    def worth(position: Position) -> float:
        if position in plain.number or position.is_terminal:
            return plain.value(position) if position in plain.number else position.utilities()[0]
        if position.is_chance:
            return sum(outcome.probability * worth(position.follow(outcome.number)) for outcome in position.outcomes())
        beyond_goal = position.play("hold")  # the only decision that is not found: with the game in hand
        assert beyond_goal.is_terminal
        return beyond_goal.utilities()[0]

    for seed in range(25):
        for position in random_positions(start.game, seed, 60):
            if position.turn >= 0:
                beyond += position not in plain.number
                sign = -1.0 if position.turn == 1 else 1.0
                answer = load_player("optimal", start.game).search(position)
                assert answer.value == pytest.approx(sign * worth(position), abs=4e-7)
                assert {row.action for row in answer.actions} == {"hold", "roll"}
                for row in answer.actions:
                    assert row.value == pytest.approx(sign * worth(position.follow(row.number)), abs=4e-7)
    assert beyond > 10


# Rule sheets


@pytest.mark.few(3)
@pytest.mark.parametrize("seed", range(12))
def test_heaps_by_rule_sheet(seed, tmp_path):
    """Nim in which one may also win at once by a claim, when the heap has this many left."""
    claim = 1 + seed % 5
    extra = f"""
(<= (legal ?r claim) (true (turn ?r)) (true (heap {claim})))
(<= (next (heap 0)) (does ?r claim))
"""
    sheet = tmp_path / "heap.kif"
    sheet.write_text(NIM + extra)
    start = Position.start(load_game(f"{sheet}:zero_sum=on"))
    solution, plain = solved(start), Plain(start)
    assert solution.whole
    for position in plain.decisions():
        check_decision(position, plain)


@pytest.mark.slow
def test_tic_tac_toe_by_its_rule_sheet():
    start = Position.start(load_game("tic_tac_toe.kif"))
    solution = solved(start)
    assert (solution.whole, len(solution.values)) == (True, 5478)
    decisions = [each for seed in range(60) for each in random_positions(start.game, seed) if each.turn >= 0]
    for position in decisions:
        assert set(solution.action_values(position)) == set(position.actions())
        assert load_player("optimal", start.game).search(position).complete


# Tic-tac-toe


@pytest.mark.slow
def test_every_decision_of_tic_tac_toe():
    start = Position.start(load_game("tic_tac_toe"))
    solution, plain = solved(start), Plain(start)
    assert (solution.whole, len(solution.values), len(plain.positions)) == (True, 5478, 5478)
    decisions = plain.decisions()
    assert len(decisions) == 4520
    for position in decisions:
        check_decision(position, plain)
    contest = match("tic_tac_toe", ["optimal", "random"], games=200, seed=5, db=None)
    assert not any(row["forfeit"] for row in contest.rows())
    assert min(record.utility_of(0) for record in contest.records) >= 0.0


def test_a_position_of_tic_tac_toe_is_solved_with_all_that_may_follow(capsys):
    """x passes up two wins, and then again."""
    start = Position.parse(load_game("tic_tac_toe"), PASSED)
    solution, plain = solved(start), Plain(start)
    assert solution.whole
    assert len(solution.values) == len(plain.positions)
    for position in plain.decisions()[::4]:
        check_decision(position, plain)
    with pytest.raises(AstragalError, match=r"'x../.../...' cannot be reached from where the game was solved, so its"):
        solution.value(Position.parse(start.game, "x../.../..."))
    asked = ("search", "tic_tac_toe", "--position", "x../.xo/o..", "--player", "uct:sims=20", "--regret")
    assert "against the solved game" in run_here(capsys, *asked).out


def test_reviews_lose_what_is_lost():
    start = Position.parse(load_game("tic_tac_toe"), PASSED)
    solved(start)
    plain, reviewer = Plain(start), Reviewer(load_player("random", start.game), Limits())
    for names in (["a1", "b1", "b3", "a2", "c1"], ["c3", "b3", "a1"]):
        positions = [start]
        for name in names:
            positions.append(positions[-1].play(name))
        made = [before.find_action(name) for before, name in zip(positions, names, strict=False)]
        rows = list(reviewer.rows(positions, made))
        assert len(rows) == sum(len(before.actions()) > 1 for before in positions[:-1])
        for row, before, after in zip(rows, positions, positions[1:], strict=False):
            assert isinstance(row, Decision)
            assert row.kind == EXACT
            assert row.lost == pytest.approx(abs(plain.value(after) - plain.value(before)), abs=NEAR)


def test_regret_in_the_laboratory_is_what_is_lost(monkeypatch):
    start = Position.parse(load_game("tic_tac_toe"), PASSED)
    solution, plain = solved(start), Plain(start)
    monkeypatch.setattr("astragal.lab.parts.estimation.exact_for", lambda game: solution)
    states = [position for position in plain.decisions() if len(position.actions()) == 4]
    study = Study.of("tic_tac_toe", "random")
    searches = {each.text: search_positions(study, ((each.text, 0),)) for each in states}
    _, truths, regrets = against_exact(searches, "tic_tac_toe")
    assert len(regrets) == len(states)
    for position, truth, (regret,) in zip(states, truths, regrets, strict=True):
        sign = -1.0 if position.turn == 1 else 1.0
        ((run,),) = [searches[position.text]]
        assert truth == pytest.approx(sign * plain.value(position))
        assert regret == pytest.approx(truth - sign * plain.value(position.follow(run.action)))


@pytest.mark.parametrize("rules", [Pennies(2), OshiZumo()], ids=lambda rules: type(rules).__name__)
def test_where_two_choose_at_once_optimal_plays_everywhere(rules):
    start = Position.start(rules)
    assert solved(start).whole
    for position in Plain(start).decisions():
        answer = load_player("optimal", rules).search(position)
        assert {row.number for row in answer.actions} == set(position.actions())
        assert answer.action_number in position.actions()


# Solutions of earlier versions


def as_kept_by_an_earlier_version(start: Position) -> Solution:
    """A solution in a file without passed-up wins, and without a word of them."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(Graph, "pass_up_wins", lambda self, report: False)
        solve(start)
    path = solution_path(start.game)
    with np.load(path) as data:
        arrays = {name: data[name] for name in data}
    np.savez(path, **(arrays | {"facts": arrays["facts"][:4]}))
    found = find_solution(start.game)
    assert found is not None
    assert found.whole is None
    return found


def test_a_solution_of_an_earlier_version_is_used_and_solved_anew_where_it_falls_short():
    start = random_tree(0, **WORLD, kind=QuietTree)
    found, plain = as_kept_by_an_earlier_version(start), Plain(start)
    decisions = sorted(plain.decisions(), key=found.values_every_action, reverse=True)
    held = [position for position in decisions if found.values_every_action(position)]
    assert 0 < len(held) < len(decisions)
    for position in held:
        check_decision(position, plain)
    assert not solve(start).values.whole
    with pytest.warns(UserWarning, match="is solved anew: its solution of an earlier version has no passed-up wins"):
        check_decision(decisions[-1], plain)
    for position in decisions:
        check_decision(position, plain)
    assert solve(start).values.whole
