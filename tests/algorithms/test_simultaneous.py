"""Simultaneous choices: each is hidden from the others, every search is pessimistic, decoupled selection is not."""

from __future__ import annotations

import math
import re
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from astragal.algorithms.limits import Limits
from astragal.algorithms.request import SearchRequest
from astragal.algorithms.result import SearchResult
from astragal.algorithms.tree.answer import RootAction, choose
from astragal.algorithms.tree.steps.compose import steps_for
from astragal.arena.contest import Contest
from astragal.arena.referee import play_game
from astragal.base.errors import AstragalError, SpecError
from astragal.cli.arena import pessimism_among
from astragal.cli.play import Table
from astragal.games import load_game
from astragal.players import load_player
from astragal.players.player import Player
from astragal.rules.checks import check_game
from astragal.rules.decorator import game
from astragal.rules.dice import Dice
from astragal.rules.position import History, Position
from astragal.solvers.exact import solve
from support import simultaneous_games
from support.every_search import searches, small_limits
from support.helpers import by_python, fewer, solutions_in
from support.simulations import Grown, grow, same_tree
from support.simultaneous_games import (
    EQUILIBRIUM,
    WORTH,
    Auction,
    AuctionForThree,
    OpenSquares,
    Pennies,
    bids_at,
    chosen,
)

FILE = Path(simultaneous_games.__file__)
GAMES = [Pennies(3), Auction(), AuctionForThree()]


def search(here: Position, player: str, seed: int = 0, **limits: Any) -> SearchResult:
    return load_player(player, here.game).search(here, seed, Limits(**limits))


def middle(rules: Any, rounds: int = 1, choices: int = 1) -> Position:
    """After `rounds` of first and last actions, and then further choices."""
    position = Position.start(rules)
    for number in range(rounds * rules.players + choices):
        actions = position.actions()
        position = position.play(actions[-(number % 2)]).settled(1)
    return position


# What is known


@pytest.mark.parametrize("rules", [*GAMES, OpenSquares()], ids=lambda rules: type(rules).__name__)
def test_the_games_keep_their_promises(rules):
    assert [check for check in check_game(rules, games=6) if not check.passed] == []


def test_the_known_position_has_nothing_chosen_and_its_player_first():
    here = middle(AuctionForThree(), 1, 2)
    known = here.known()
    assert (here.turn, here.hidden) == (2, 2)
    assert (known.turn, known.hidden) == (2, 0)
    assert known.actions() == here.actions()
    seats = []
    while known.turn >= 0 and len(seats) < 5:
        seats.append(known.turn)
        known = known.play(known.actions()[0])
    assert seats == [2, 0, 1, 2, 0]


def test_a_game_without_secrets_is_known_as_it_is():
    here = Position.start(load_game("tic_tac_toe"))
    assert here.known() is here
    assert here.hidden == 0
    rolled = Position.start(load_game("pig"), 1)
    assert rolled.is_chance
    assert rolled.known() is rolled


@pytest.mark.parametrize("name", [*(name for name in searches() if name != "prove"), "random", "greedy"])
def test_no_player_sees_what_is_hidden(name):
    """The whole answer is the same whatever the others have chosen: values, counts and all."""
    player = load_player(name, Auction())
    answers = []
    for action in Position.start(Auction()).actions():
        here = chosen(Auction(), action)
        result = player.search(here, 3, small_limits(player))
        assert result.action_number in here.actions()
        answers.append(replace(result, seconds=0.0))
    assert answers == [answers[0]] * 3


def test_a_player_that_could_exploit_the_choice_before_wins_no_more_than_its_share():
    """A search of the whole round would win nine of ten rounds in the second seat if it saw heads."""
    contest = Contest.of(f"{FILE}:Pennies", ["random", "star2"], Limits(depth=2), seed=5)
    games = 80
    wins = sum(play_game(contest, pair, 0).utilities[1] for pair in range(games))
    # It plays tails, and player 0 wins 0.1 and 0.5 of the rounds. Knowing, it would win 0.9 and 0.7.
    assert wins / games == pytest.approx(0.7 - 0.3, abs=5 * math.sqrt(0.84 / games))


def test_a_known_history_hides_nothing():
    asked: list[SearchRequest] = []

    class Asking(Player):
        def answer(self, request: SearchRequest) -> SearchResult:
            asked.append(request)
            return request.answer(request.position.actions()[0])

    here = chosen(Pennies(), 1)
    Asking().search(here, history=History(Position.start(Pennies()), (1,)))
    Asking().search(Position.start(Pennies()), history=History(Position.start(Pennies())))
    assert [request.position.hidden for request in asked] == [0, 0]
    assert asked[0].history is None
    assert asked[1].history == History(Position.start(Pennies()))


def test_a_tree_is_found_again_a_round_later():
    """Seat 2 searches the positions in which it is first, in every round."""
    rules = Auction()
    player = load_player("uct:c=140,reuse=on", rules)
    session = player.new_session()
    here = chosen(rules, 1)
    player.search(here, 1, Limits(sims=400), session=session)
    later = here.play(2).play(0)
    again = player.search(later, 1, Limits(sims=1), session=session)
    assert again.simulations == 1
    assert sum(row.visits or 0 for row in again.actions) > 10


# A person


def played(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], seat: int, typed: list[str]) -> str:
    lines = iter(typed)
    monkeypatch.setattr("builtins.input", lambda prompt: next(lines))
    start = Position.start(Pennies(2))
    Table(start, load_player("random", start.game), seat, Dice(1)).run()
    return capsys.readouterr().out


def test_a_person_is_told_of_a_choice_when_their_own_is_made(monkeypatch, capsys):
    said = played(monkeypatch, capsys, 1, ["p", "heads", "u", "tails", "heads"])
    first, rest = said.split("1) heads", 1)
    assert "plays" not in first
    assert "chosen --" in first
    assert "choice=0,0" in rest
    assert re.search(r"player 1 plays (heads|tails)\n   chance: (won|lost)", rest)
    assert said.count("player 1 plays") == 3  # once more after undo
    assert not re.search(r"chosen [ht]", said)
    watched = played(monkeypatch, capsys, -1, [])
    assert [line.split()[1] for line in watched.splitlines() if "plays" in line] == ["1", "2", "1", "2"]


# Pessimistic searches


def depth_of(name: str) -> dict[str, int]:
    return {"sims": 10**6} if name == "mcs" else {"depth": 9}


@pytest.mark.few(6)
@pytest.mark.parametrize("rounds", [0, 1])
@pytest.mark.parametrize("name", ["mcs:levels=9", "alphabeta", "exp", "star1", "star2", "maxn", "paranoid"])
def test_searches_of_two_players_are_the_worst_over_joint_moves(name, rounds):
    for choices in (0, 1):
        here = middle(Auction(), rounds, choices)
        result = search(here, name, **depth_of(name.partition(":")[0]))
        defined = bids_at(here.known()).pessimistic(here.turn)
        assert result.value == max(defined.values())
        exact = {row.number: row.value for row in result.actions if not row.is_bound}
        assert exact.items() <= defined.items()
        if here.at_once:  # others see choices that are hidden from them
            assert not result.complete
            assert {result.bound, *(row.bound for row in result.actions)}.isdisjoint({"exact", "proven"})
        assert result.action_number in [bid for bid, value in defined.items() if value == result.value]
        if name.startswith(("mcs", "exp", "maxn")):
            assert exact == defined


@pytest.mark.parametrize("name", ["mcs:levels=9", "paranoid"])
def test_searches_of_three_players_are_the_worst_over_joint_moves(name):
    for choices in (0, 1, 2):
        here = middle(AuctionForThree(), 1, choices)
        result = search(here, name, **depth_of(name.partition(":")[0]))
        assert result.value == max(bids_at(here.known()).pessimistic(choices).values())


@pytest.mark.slow
@pytest.mark.parametrize("rules", [Auction(), AuctionForThree()], ids=lambda rules: type(rules).__name__)
def test_monte_carlo_search_probes_behind_the_worst_joint_move(rules):
    """With a level for each of the others it is the book's: the least over joint moves of the mean of random games."""
    here = middle(rules, 0, rules.players - 1)
    result = search(here, f"mcs:levels={rules.players - 1}", 1, sims=200_000)
    bids = bids_at(here.known())
    for row in result.actions:
        worst = min(bids.after(joint).at_random(here.turn) for joint in bids.joint_moves(here.turn, row.number))
        assert row.value == pytest.approx(worst, abs=0.1)


# Decoupled selection

MIXED = "uct:c=0.7,unit=utility,simultaneous=decoupled"


@pytest.mark.compiled
@pytest.mark.parametrize("seed", range(3))
@pytest.mark.parametrize("player", [0, 1])
def test_decoupled_selection_comes_to_mixed_strategies(player, seed):
    here = chosen(Pennies(), *[0] * player).known()
    sims = 40_000
    mixed = grow(here, MIXED, sims, seed)
    assert mixed.actions[0].visits / sims == pytest.approx(EQUILIBRIUM[player], abs=0.08)
    assert mixed.root_mean == pytest.approx(WORTH if player == 0 else -WORTH, abs=0.05)


@pytest.mark.few(1)
@pytest.mark.parametrize("player", [0, 1])
@pytest.mark.parametrize("sims", by_python(1000, 40_000))
def test_selection_against_answers_comes_to_a_pure_strategy(player, sims):
    here = chosen(Pennies(), *[0] * player).known()
    answered = grow(here, MIXED.replace("decoupled", "answer"), sims, 1)
    assert answered.actions[0].visits / sims < max(0.01, 40 / sims)  # tails is the best that others can answer
    assert answered.root_mean == pytest.approx(-0.4 if player == 0 else 0.0, abs=max(0.03, 60 / sims))


@pytest.mark.compiled
def test_everybody_mixes():
    """The second player's strategy is what it selects at all nodes after the first one's choices taken together."""
    grown = grow(chosen(Pennies()), MIXED, 40_000, 1)
    nodes = grown.store.nodes
    heads = sum(int(nodes[grown.children(child)[0]]["visits"]) for child in grown.children(0))
    assert heads / 40_000 == pytest.approx(EQUILIBRIUM[1], abs=0.08)


def cousins(grown: Grown, at: int, plies: int) -> list[int]:
    """The visited nodes this many plies below one."""
    if plies == 0:
        return [at]
    below = [child for child in grown.children(at) if grown.store.nodes[child]["visits"]]
    return [cousin for child in below for cousin in cousins(grown, child, plies - 1)]


def test_cousins_are_one_decision_to_their_player():
    """Of three who choose at once: each action of the third is tried once over all nodes before any is tried twice."""
    grown = grow(chosen(AuctionForThree()), "uct:c=140,simultaneous=decoupled", 120, 1)
    nodes = grown.store.nodes
    for plies in (1, 2):
        same = cousins(grown, 0, plies)
        assert len(same) == 3**plies
        tried = [sum(int(nodes[grown.children(node)[i]]["visits"]) for node in same) for i in range(3)]
        assert sum(tried) == sum(int(nodes[node]["visits"]) - 1 for node in same)  # the first visit ends there
    early = grow(chosen(AuctionForThree()), "uct:c=140,simultaneous=decoupled", 25, 1)
    same = [node for node in cousins(early, 0, 2) if early.store.nodes[node]["first"]]
    first = [[int(early.store.nodes[child]["visits"]) for child in early.children(node)] for node in same]
    total = [sum(column) for column in zip(*first, strict=True)]
    assert sum(total) >= 3
    assert min(total) > 0


@pytest.mark.compiled
@pytest.mark.parametrize(
    ("rules", "more"),
    [
        (Pennies(), ""),
        pytest.param(Pennies(3), "", marks=pytest.mark.slow),
        pytest.param(AuctionForThree(), "", marks=pytest.mark.slow),
        pytest.param(AuctionForThree(), ",history=3,widening=on,c2=1,alpha=0.3", marks=pytest.mark.slow),
    ],
    ids=["two players", "with chance", "three players", "three players, widened"],
)
def test_compiled_and_interpreted_trees_are_the_same(rules, more):
    here = middle(rules, 0, rules.players - 1).known()
    trees = [Grown(here, f"uct:simultaneous=decoupled{more}", 150, 2) for _ in range(2)]
    assert same_tree(trees[0].compiled(), trees[1].interpreted())
    assert trees[0].store.used > 10


@pytest.mark.few(1)
@pytest.mark.parametrize("settings", ["uct", "dpw:history=3"])
def test_where_nothing_is_hidden_it_changes_nothing(settings):
    decoupled = settings + ("," if ":" in settings else ":") + "simultaneous=decoupled"
    here = Position.start(OpenSquares())
    one, other = (grow(here, spec, fewer(3000, 30), 4) for spec in (settings, decoupled))
    assert same_tree(one, other)
    assert one.run.steps is not other.run.steps
    plain = load_game("tic_tac_toe")
    assert steps_for(plain, load_player(settings, plain)) is steps_for(plain, load_player(decoupled, plain))


def test_it_goes_with_threads_recycling_and_reuse():
    sims = fewer(3000, 100)
    for more in ("threads=2", "threads=2,parallel=root", "full=recycle,memory=0.02", "reuse=on"):
        player = load_player(f"uct:simultaneous=decoupled,{more}", AuctionForThree())
        session = player.new_session()
        for here in (middle(AuctionForThree(), 0, 2), middle(AuctionForThree(), 1, 2)):
            result = player.search(here, 1, Limits(sims=sims), session=session)
            assert result.simulations == sims
            assert result.action_number in here.actions()


@pytest.mark.parametrize(
    ("more", "sentence"),
    [
        ("backup=minimax", "simultaneous=decoupled needs backup=average: by backup=minimax the others answer"),
        ("backup=minimum", "simultaneous=decoupled needs backup=average: by backup=minimum the others answer"),
        ("solver=standard", "simultaneous=decoupled needs solver=off"),
    ],
)
def test_what_makes_no_sense_with_it_is_refused(more, sentence):
    with pytest.raises(SpecError, match=sentence):
        load_player(f"uct:simultaneous=decoupled,{more}", Pennies())


# Broken promises


def broken(**methods: Any) -> Any:
    return game(type("Broken", (Auction,), {"__module__": __name__, "__qualname__": "Broken"} | methods))()


def conceal_nothing(self, state):
    pass


def conceal_and_pass_on(self, state):
    self.clear(state)


def conceal_and_deal(self, state):
    state.first = self.chooser(state)
    self.clear(state)
    state.hand[state.first] = 1


def conceal_in_part(self, state):
    bid = state.choice[0] if state.choice[0] > state.choice[1] else state.choice[1]
    state.first = self.chooser(state)
    self.clear(state)
    state.score[2] = bid if bid > 0 else state.score[2]


def conceal_and_count(self, state):
    state.first = self.chooser(state)
    self.clear(state)
    state.score[2] += 1


def hide_two(self, state):
    return 2


def hide_always(self, state):
    return 0 if state.prize == 3 and state.choice[0] == 0 else 1


def first_bid_wins(self, state, player):
    sign = 1.0 if state.first == 0 else -1.0
    return sign if player == 0 else -sign


@pytest.mark.parametrize(
    ("methods", "sentence"),
    [
        ({"conceal": conceal_nothing}, r"after conceal, hidden is still 1 at '"),
        ({"conceal": conceal_and_pass_on}, r"conceal leaves player 1 to move at '"),
        ({"conceal": conceal_and_deal}, r"conceal changes what is legal at '"),
        ({"conceal": conceal_in_part}, r"what is left after conceal depends on what was hidden, at '"),
        ({"conceal": conceal_and_count}, r"conceal called twice is not the same as once at '"),
        ({"hidden": hide_two}, r"hidden is 2, which is not a number of decisions made before, at '"),
        ({"hidden": hide_always}, r"after conceal, hidden is still 1 at '"),
        ({"utility": first_bid_wins}, r"the order of simultaneous choices changes the result at '"),
    ],
    ids=lambda value: (
        "".join(f"{name} {method.__name__}" for name, method in value.items()) if isinstance(value, dict) else ""
    ),
)
def test_a_broken_promise_is_told(methods, sentence):
    *_, last = check_game(broken(**methods), games=4)
    assert not last.passed
    assert re.search(sentence, last.detail), last.detail


def test_one_method_needs_the_other():
    with pytest.raises(AstragalError, match=r"game Halved lacks conceal\(self, state\)"):
        game(type("Halved", (type(load_game("tic_tac_toe")),), {"__module__": __name__, "hidden": hide_two}))


# Notes, and moves drawn from a mix


@pytest.mark.parametrize(
    ("name", "noted"),
    [
        *(("star2", True), ("maxn", True), ("uct", True), ("mcs", True)),
        *(("uct:simultaneous=decoupled", False), ("random", False), ("greedy", False)),
    ],
)
def test_a_pessimistic_search_says_so(name, noted):
    player = load_player(name, Auction())
    found = player.search(middle(Auction()), 1, small_limits(player))
    assert (found.note is not None) == noted
    assert not noted or "simultaneous=decoupled" in found.note
    assert found.as_dict()["note"] == found.note


def test_nothing_is_said_where_players_take_turns():
    for rules in (OpenSquares(), load_game("tic_tac_toe.kif")):
        assert search(Position.start(rules), "star2", depth=1).note is None
        assert not Position.start(rules).at_once
    assert Position.start(load_game("rock_paper_scissors.kif")).at_once


def test_a_match_names_the_pessimists():
    note = pessimism_among(f"{FILE}:Pennies", ["star2", "uct:simultaneous=decoupled", "maxn", "random"])
    assert note is not None
    assert ", and star2, maxn search as if the others saw their choice; simultaneous=decoupled" in note
    assert pessimism_among(f"{FILE}:Pennies", ["random", "uct:simultaneous=decoupled"]) is None
    assert pessimism_among("pig", ["star2"]) is None


def test_a_move_is_drawn_by_visits():
    actions = [RootAction(3, 100, 0.5), RootAction(5, 0, 0.0), RootAction(7, 300, 0.4)]
    draws = [choose(actions, "mixed", seed) for seed in range(4000)]
    assert draws == [choose(actions, "mixed", seed) for seed in range(4000)]
    assert draws.count(1) == 0
    assert draws.count(0) / 4000 == pytest.approx(0.25, abs=5 * math.sqrt(0.25 * 0.75 / 4000))
    lost = [RootAction(3, 100, 0.5), RootAction(7, 300, -1.0, proven=True, lost=True)]
    assert {choose(lost, "mixed", seed) for seed in range(100)} == {0}


@pytest.mark.compiled
def test_a_mixed_move_has_its_share_and_the_value_of_the_mix():
    mixed = f"{MIXED},final=mixed"
    found = [search(chosen(Pennies()), mixed, seed, sims=4000) for seed in (1, 1, 2, 3, 4, 5, 6)]
    assert replace(found[0], seconds=0.0) == replace(found[1], seconds=0.0)
    assert {result.action for result in found} == {"heads", "tails"}
    for result in found:
        assert [row.share for row in result.actions] == [(row.visits or 0) / 3999 for row in result.actions]
        assert result.action == result.actions[0].action
        mean = sum((row.share or 0.0) * (row.value or 0.0) for row in result.actions)
        assert result.value == pytest.approx(mean, abs=0.001)  # but for the first simulation, which ends at the root


# Rule sheets


@pytest.mark.slow
def test_rock_paper_scissors_is_mixed_and_nobody_sees_the_others_sign():
    rules = load_game("rock_paper_scissors.kif")
    start = Position.start(rules)
    player = load_player("uct:simultaneous=decoupled,final=visits", rules)
    answers = [player.search(start.play(sign), 1, Limits(sims=6000)) for sign in start.actions()]
    assert len({(answer.position, answer.action, answer.value) for answer in answers}) == 1
    assert [(row.visits or 0) / 6000 for row in answers[0].actions] == pytest.approx([1 / 3] * 3, abs=0.05)
    assert answers[0].value == pytest.approx(0.0, abs=6.0)


@pytest.mark.parametrize("name", ["exp", "star2", "star", "maxn"])
def test_what_supposes_that_choices_are_known_is_not_called_exact(name):
    """The first of two rounds is worth -0.4 then, and -0.16 where choices are hidden."""
    result = search(Position.start(Pennies(2)), name, depth=4)
    assert result.value == pytest.approx(-0.4)
    assert not result.complete
    assert (result.bound, result.depth) == ("depth 4", 4)


@pytest.mark.parametrize("name", ["star", "alphabeta", "maxn"])
def test_where_nothing_is_hidden_values_are_exact(name):
    here = Position.start(OpenSquares())
    for square in (0, 1, 3, 4, 2, 6):
        here = here.follow(square)
    result = search(here, name, depth=9)
    assert (result.complete, result.bound) == (True, "exact")


@pytest.mark.parametrize("name", ["mcs:levels=4", "star2"])
def test_two_rounds_of_rock_paper_scissors_are_lost_against_those_who_know(name):
    rules = load_game("rock_paper_scissors.kif")
    for first in ("left", "right"):
        here = Position.parse(rules, f"(lead 5) (round 4) ; first {first}")
        limits = {"sims": 10} if name.startswith("mcs") else {"depth": 4}
        result = search(here, name, **limits)
        assert (result.value, result.complete) == (-40.0, False)  # 30 points against 70


@pytest.mark.slow
def test_a_sheet_whose_players_take_turns_is_solved_for_both(tmp_path):
    start = Position.start(load_game("tic_tac_toe.kif"))
    with solutions_in(tmp_path):
        solve(start)
        here = start
        while not here.is_terminal:
            here = here.play(search(here, "optimal").action_number)
    assert here.utilities() == (0.0, 0.0)
