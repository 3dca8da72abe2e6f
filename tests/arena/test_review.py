"""Reviews: what moves lost and what luck rolls brought, against what can be worked out by hand."""

from __future__ import annotations

import pytest

from astragal.algorithms.limits import Limits
from astragal.algorithms.result import EXACT
from astragal.arena.judging import ByTable
from astragal.arena.review import Decision, Review, Reviewer, Roll, luck_by_evaluation
from astragal.arena.review_words import row_text
from astragal.games import load_game
from astragal.players import load_player
from astragal.players.analyst import most_error
from astragal.rules.dice import Dice
from astragal.rules.position import Position
from support.plain_values import PlainValues, all_positions, steps_of
from support.spots import PairTree
from support.tree_games import QuietTree, Tree, random_tree


def reviewed(game: str, player: str, steps: list[str], **limits: int) -> Review:
    """A review of a game that is played by names from its start."""
    rules = load_game(game)
    positions, numbers = [Position.start(rules, 1)], []
    for name in steps:
        before = positions[-1]
        numbers.append(before.find_action(name))
        positions.append(before.follow(numbers[-1]))
    found = Review(rules)
    found.rows += Reviewer(load_player(player, rules), Limits(**limits)).rows(positions, numbers)
    return found


@pytest.mark.parametrize(("player", "limits"), [("alphabeta", {"depth": 5}), ("exp", {"depth": 3})])
def test_a_win_that_is_missed_and_a_loss_that_is_allowed(player, limits):
    """Player 1 has two in a row and plays elsewhere: all was lost that a win is worth beyond what is left."""
    found = reviewed("tic_tac_toe", player, ["a1", "a3", "b1", "b3", "a2"], **limits)
    missed = found.rows[-1]
    assert isinstance(missed, Decision)
    assert (missed.ply, missed.player, missed.best) == (5, 1, "c1")
    assert missed.lost == pytest.approx(2 * max(found.game.utility_range))  # now the other one wins at once
    assert found.worst is missed
    assert found.of(1)["accuracy"] < 1.0


@pytest.mark.slow
@pytest.mark.interpreted
def test_the_best_moves_lose_nothing():
    found = reviewed("tic_tac_toe", "alphabeta", ["b2", "a1", "c3"], depth=9)
    assert [row.lost for row in found.decisions] == [0.0, 0.0, 0.0]
    assert found.worst is None
    assert found.of(1)["accuracy"] == 1.0


def test_luck_is_none_on_average():
    """Over all outcomes the luck of a roll is 0 for everybody."""
    position = Position.parse(load_game("pig:goal=20"), "5 3 4 1 roll")
    for seat in range(2):
        total = 0.0
        for outcome in position.outcomes():
            total += outcome.probability * luck_by_evaluation(position, outcome.number)[seat]
        assert total == pytest.approx(0.0, abs=1e-9)


# Against exact values, in small games of two with chance anywhere


def grown(seed: int, kind: type = Tree) -> Position:
    return random_tree(seed, layers=4, breadth=4, ends=12, rolls=35, kind=kind)


def choices(start: Position) -> list[Position]:
    return [here for here in all_positions(start) if len(here.actions()) > 1]


@pytest.mark.parametrize(
    ("player", "kind"),
    [("exp", Tree), ("star1", Tree), ("star2", Tree), ("star1:table=off", Tree), ("alphabeta", QuietTree)],
)
def test_what_a_decision_lost_by_a_search_is_the_exact_regret(player, kind):
    """Of either player, also where the search has only a bound of the move, and where chance follows it."""
    movers, after = set(), set()
    for seed in range(4):
        start = grown(seed, kind)
        exact, reviewer = PlainValues(start.game), Reviewer(load_player(player, start.game), Limits(depth=8))
        for here in choices(start):
            for action in here.actions():
                row = reviewer.decision(1, here, action)
                assert row.value == pytest.approx(exact.action_values(here)[exact.best_action(here)])
                assert row.lost == pytest.approx(exact.regret(here, action)), (seed, here.text, action)
                assert row.lost > 0.0 or row.best == row.played
                movers.add(row.player)
                after.add((here.turn, here.play(action).turn))
    assert movers == {1, 2}
    assert after >= {(player, turn) for player in range(2) for turn in range(-1 if kind is Tree else 0, 2)}


def test_what_a_decision_lost_by_proof_lies_between_two_bounds():
    start = grown(2)
    exact = PlainValues(start.game)
    for nodes in (4, 10**6):
        reviewer = Reviewer(load_player("prove:tolerance=0", start.game), Limits(nodes=nodes))
        for here in choices(start):
            for action in here.actions():
                row = reviewer.decision(1, here, action)
                truth = exact.regret(here, action)
                assert row.between is not None
                assert row.between.lower - 1e-12 <= truth <= row.between.upper + 1e-12
                assert row.lost == row.between.lower
                shown = row_text(row, Review(start.game))
                assert "lost between" in shown or row.between.width < 1e-9


def test_without_opposed_interests_nothing_follows_from_what_the_other_player_has():
    """Where values of both need not add up to the same, a loss is known only of moves that the search looked at."""
    known = set()
    for seed in range(5):
        start = grown(seed, PairTree)
        reviewer = Reviewer(load_player("uct", start.game), Limits(sims=2))
        for here in choices(start):
            found = reviewer.player.search(here, 0, reviewer.limits)
            looked_at = {row.number for row in found.actions if row.value is not None}
            for action in here.actions():
                row = reviewer.decision(1, here, action)
                assert (row.kind != "not known") == (action in looked_at)
                known.add(row.kind != "not known")
    assert known == {True, False}


def test_with_exact_values_losses_and_luck_are_all_that_a_game_brings(monkeypatch):
    """Luck of both players adds up to 0; it is 0 on average; and with losses it makes up what the end was worth."""
    games = 0
    for seed in range(12):
        start = grown(seed)
        exact = PlainValues(start.game)
        monkeypatch.setattr("astragal.arena.review.kept_values", lambda here, exact=exact: exact)
        dice, path, steps = Dice(seed), [start], []
        while not path[-1].is_terminal:
            there = steps_of(path[-1])
            steps.append(there[dice.below(len(there))])
            path.append(path[-1].follow(steps[-1]))
        found = Review(start.game, list(Reviewer(load_player("random"), Limits()).rows(path, steps)))
        assert {row.kind for row in found.rows} <= {EXACT}
        assert all((row.lost == 0.0) == (row.best == row.played) for row in found.decisions)
        one, other = found.of(1), found.of(2)
        assert one["luck"] == pytest.approx(-other["luck"])
        assert exact.value(start) + one["luck"] - one["lost"] + other["lost"] == pytest.approx(path[-1].utilities()[0])
        games += one["luck"] != 0.0
    assert games > 6


@pytest.mark.parametrize("by", ["exact", "exp", "uct"])
def test_luck_is_the_others_bad_luck_and_none_on_average(monkeypatch, by):
    rolls = 0
    for seed in range({"exact": 12, "exp": 3, "uct": 1}[by]):
        start = grown(seed)
        exact = PlainValues(start.game)
        if by == "exact":
            monkeypatch.setattr("astragal.arena.review.kept_values", lambda here, exact=exact: exact)
        limits = Limits(sims=100) if by == "uct" else Limits(depth=8)
        reviewer = Reviewer(load_player("random" if by == "exact" else by, start.game), limits)
        for here in all_positions(start):
            rows = [(o.probability, reviewer.roll(1, here, o.number)) for o in here.outcomes()]
            if len(rows) == 1:
                assert rows[0][1] is None  # no luck
            elif rows:
                assert all(sum(row.luck) == pytest.approx(0.0) for _, row in rows)
                for seat in range(2):
                    assert sum(chance * row.luck[seat] for chance, row in rows) == pytest.approx(0.0, abs=1e-6)
                for o, (_, row) in zip(here.outcomes(), rows, strict=True):
                    truth = exact.value(here.follow(o.number)) - exact.value(here)
                    assert row.luck[0] == pytest.approx(truth, abs=row.error + 1e-9)
                assert by == "uct" or {row.kind for _, row in rows} == {EXACT}
                rolls += any(row.luck[0] > 0.0 for _, row in rows)
    assert rolls > (10 if by == "exact" else 0)


@pytest.mark.parametrize("spec", ["tic_tac_toe", "pig", "ra:score=margin", "backgammon", "rock_paper_scissors.kif"])
def test_a_mistake_loses_more_than_a_hundredth_of_the_range_and_than_its_error(spec):
    found = Review(load_game(spec))
    low, high = found.game.utility_range
    for share, error, mistake in (
        (0.009, None, False),
        (0.011, None, True),
        (0.5, 0.49, True),
        (0.5, 0.51, False),
        (0.009, 0.001, False),
    ):
        width = high - low
        row = Decision(1, 1, "a", "b", low, share * width, error and error * width, "estimate")
        assert found.is_mistake(row) == mistake


def test_the_error_of_a_loss_in_a_table_is_that_of_a_difference():
    """Of two independent means: errors add up in squares. An interval of 95% has two of them on each side."""
    here = Position.start(load_game("pig:goal=20"), 1).deal("5")
    judge = ByTable(load_player("uct", here.game), Limits(sims=40))
    found = judge.search(here, judge.limits)
    played = next(number for number in here.actions() if number != found.action_number)
    error = judge.decision(here, played).error
    errors = [most_error(each, here.game.utility_range) for each in found.actions]
    assert error == pytest.approx(2 * sum(each**2 for each in errors) ** 0.5)


def test_an_evaluation_that_ignores_the_roll_says_nothing_of_luck():
    """EinStein würfelt nicht! values a position alike whatever is rolled: luck is by a search or is left out."""
    here = Position.start(load_game("ewn"), 1)
    assert here.is_chance
    assert luck_by_evaluation(here, 0) == [0.0, 0.0]
    reviewer = Reviewer(load_player("random"), Limits())
    assert reviewer.roll(1, here, 0) is None


def test_totals_of_chances_are_by_decision_and_by_roll_and_of_points_by_game():
    """Chances to win do not add up: ten losses of 30% are not 300% of anything."""
    for spec, by_each in (("pig", True), ("backgammon", False), ("kalah", False)):
        found = Review(load_game(spec))
        lost = 0.3 * found.span
        found.rows += [Decision(ply, 1, "a", "b", 0.0, lost, 0.0, EXACT) for ply in range(10)]
        found.rows += [Roll(ply, "6", [lost, -lost], EXACT) for ply in range(5)]
        of = found.of(1)
        assert of["lost_each"] == pytest.approx(0.3 if by_each else 10 * lost / found.game.point)
        assert of["luck_each"] == pytest.approx(0.3 if by_each else 5 * lost / found.game.point)


def test_mistakes_are_listed_by_size():
    found = Review(load_game("tic_tac_toe"))
    for ply, lost, error in ((1, 0.5, 0.1), (2, 0.9, 1.0), (3, 0.8, 0.1), (4, 0.001, 0.0)):
        found.rows.append(Decision(ply, 1, "a", "b", 0.0, lost, error, "estimate"))
    assert [row.ply for row in found.mistakes] == found.as_dict()["mistakes"] == [3, 1]
    assert found.worst is found.mistakes[0]


@pytest.mark.parametrize(
    ("spec", "text"),
    [
        ("backgammon", "star:evaluation=learned"),
        ("ewn", "star:evaluation=learned"),
        ("kalah", "alphabeta:evaluation=learned"),
        ("kalah:pits=4,stones=3", "alphabeta"),
        ("connect_four", "uct"),
        ("focus:players=3", "uct"),
        ("rock_paper_scissors.kif", "uct"),
    ],
)
def test_the_usual_reviewer_has_a_learned_evaluation_where_there_is_one(spec, text):
    game = load_game(spec)
    reviewer = Reviewer.usual(game, Limits(time=0.1))
    wanted = load_player(text, game)
    assert reviewer.player == wanted
    assert (reviewer.ends is not None) == (spec == "connect_four")


def test_time_of_a_review_does_not_grow_with_the_game():
    from astragal.arena.review import SECONDS, seconds_for

    assert all(steps * seconds_for(steps) <= SECONDS for steps in range(1, 400))
    assert seconds_for(1) == seconds_for(5) == 0.3


def test_forced_moves_and_what_nobody_wants_any_more_are_left_out():
    rules = load_game("tic_tac_toe")
    start = Position.start(rules, 1)
    reviewer = Reviewer(load_player("alphabeta", rules), Limits(depth=1), is_over=lambda: True)
    assert list(reviewer.rows([start, start.follow(0)], [0])) == []
