"""The referee: dice that depend on no player, budgets that hold, faults that lose, and games that can be checked."""

from __future__ import annotations

import time
from dataclasses import replace

import pytest

from astragal import AstragalError
from astragal.algorithms.limits import Limits
from astragal.algorithms.star.search import StarSearch
from astragal.arena.contest import Contest, Finish, GameRecord
from astragal.arena.referee import play_game, player_of, replayed
from astragal.base.errors import SpecError
from astragal.players import load_player
from astragal.rules.position import Position
from support.arenas import Scripted, seat_players, timeless

PIG = Contest.of("pig:goal=30", ["random", "hold:n=8"], seed=3)
TIC_TAC_TOE = Contest.of("tic_tac_toe", ["random", "random"], seed=3)

SPARE = 18  # children of one node of EWN, by which a search may pass its limit


def outcomes(contest: Contest, record: GameRecord) -> list[int]:
    positions = replayed(contest, record)
    return [step for position, step in zip(positions, record.steps, strict=False) if position.is_chance]


# Dice and repeatability


def dice_of_a_pair(contest: Contest, pair: int) -> list[list[int]]:
    return [outcomes(contest, play_game(contest, pair, game)) for game in range(len(contest.seatings))]


@pytest.mark.few(2)
@pytest.mark.parametrize("pair", range(5))
def test_the_games_of_a_pair_have_the_same_dice(pair):
    ewn = Contest.of("ewn", ["random", "greedy"])
    contests = [ewn, Contest.of("ewn", ["greedy", "star1"], Limits(nodes=50))]
    games = [dice for contest in contests for dice in dice_of_a_pair(contest, pair)]
    shortest = min(map(len, games))
    assert shortest > 3
    assert len({tuple(dice[:shortest]) for dice in games}) == 1
    starts = {Position.start(contest.rules, contest.pair_seed(pair)).text for contest in contests}
    assert len(starts) == 1


def test_matches_have_different_dice_and_positions():
    contest = Contest.of("ewn", ["random", "random"])
    records = [play_game(contest, pair, 0) for pair in range(8)]
    assert len({tuple(outcomes(contest, record)[:6]) for record in records}) == 8
    assert len({replayed(contest, record)[0].text for record in records}) > 4


def test_what_players_draw_does_not_move_the_dice(monkeypatch):
    def wasteful(position, result):
        load_player("mcs").search(position, seed=result.seed, limits=Limits(sims=7))
        return result

    plain = play_game(PIG, 4, 0)
    seat_players(monkeypatch, Scripted(wasteful), load_player("hold:n=8"))
    assert timeless([play_game(PIG, 4, 0)]) == timeless([plain])


@pytest.mark.parametrize("kinds", [["random", "greedy"], ["uct", "mcs"], ["star1", "star2"]])
def test_a_game_is_the_same_whenever_it_is_played(kinds):
    contest = Contest.of("pig:goal=10", kinds, Limits(nodes=30), seed=9)
    first = play_game(contest, 1, 1)
    play_game(contest, 0, 0)
    assert timeless([play_game(contest, 1, 1)]) == timeless([first])
    assert first.forfeit is None
    assert first.number == (1, 1)
    assert first.seats == contest.seatings[1]


def test_three_players_and_their_shares():
    contest = Contest.of("focus:players=3", ["random", "greedy", "random"])
    record = play_game(contest, 0, 3)
    assert len(record.utilities) == 3
    assert sum(record.score_of(kind) for kind in range(3)) == pytest.approx(1.0)
    replayed(contest, record)


def test_the_search_behind_each_decision_is_noted():
    contest = Contest.of("pig:goal=20", ["star1", "uct"], Limits(nodes=80))
    record = play_game(contest, 0, 0)
    decisions = [position for position in replayed(contest, record)[:-1] if not position.is_chance]
    assert len(record.searches) == len(decisions)
    assert max(stats.nodes for stats in record.searches) > 40
    for stats in record.searches:
        assert stats.nodes <= 80 + SPARE
        assert stats.value is not None
        assert stats.budget is None
        assert stats.over == 0.0
        assert 0.0 <= stats.seconds <= record.seconds


def test_the_time_over_the_limit_is_noted():
    contest = Contest.of("ewn", ["star1", "star1"], Limits(time=0.02))
    record = play_game(contest, 0, 0, grace=60.0)
    assert record.forfeit is None
    assert all(stats.over == pytest.approx(stats.seconds - 0.02) for stats in record.searches)


def test_by_the_clock_of_the_processor_a_stopped_search_has_its_time_all_the_same(monkeypatch):
    """Other programs are played by a wait that uses no processor: by the wall it would be most of the time."""
    contest = Contest.of("ewn", ["star1", "star1"], Limits(time=0.02), clock="processor")
    run = StarSearch.run

    def run_late(search):
        time.sleep(0.04)
        run(search)

    monkeypatch.setattr(StarSearch, "run", run_late)
    record = play_game(contest, 0, 0, grace=60.0)
    assert record.forfeit is None
    assert max(stats.nodes for stats in record.searches) > 20
    for stats in record.searches:
        assert stats.seconds > 0.04
        assert stats.over == pytest.approx(stats.processor - 0.02)


def test_players_that_count_their_own_seconds_are_refused_the_clock_of_the_processor(monkeypatch):
    monkeypatch.setattr(type(load_player("uct")), "keeps_time", True)
    for limits in (Limits(time=1.0), None):  # without any, a player thinks for some time
        with pytest.raises(SpecError, match="uct counts its seconds by the clock on the wall"):
            Contest.of("pig", ["uct", "random"], limits, clock="processor")
    assert Contest.of("pig", ["uct:sims=10", "random"], clock="processor").clock == "processor"
    with pytest.raises(SpecError, match="not 'sun'"):
        Contest.of("pig", ["random", "random"], clock="sun")


def test_a_contest_by_the_wall_has_the_key_it_had_before_there_were_clocks():
    contest = Contest.of("pig", ["random", "random"], Limits(time=1.0))
    assert "clock" not in contest.to_json()
    other = replace(contest, clock="processor")
    assert other.key != contest.key
    assert Contest.from_json(other.to_json()) == other


# Faults


def failing(position, result):
    raise ZeroDivisionError("bad luck")


def forgetful(position, result):
    raise MemoryError


def illegal(position, result):
    return replace(result, action_number=99, action="fly")


def undecided(position, result):
    return replace(result, action_number=None, action=None)


def late(position, result):
    time.sleep(0.5)
    return result


def a_little_late(position, result):
    time.sleep(0.05)
    return result


FAULTS = {
    failing: "failed: ZeroDivisionError: bad luck",
    forgetful: "ran out of memory",
    illegal: "chose 'fly', which is not legal at '",
    undecided: "chose None, which is not legal at '",
    late: " s where 0.001 s were allowed",
}


@pytest.mark.parametrize("fault", FAULTS, ids=lambda fault: fault.__name__)
@pytest.mark.parametrize("game", [0, 1])
def test_a_player_at_fault_loses_by_forfeit(fault, game, monkeypatch):
    contest = Contest.of("tic_tac_toe", ["random", "random"], Limits(time=0.001))

    def after_a_while(position, result):
        return fault(position, result) if len(position.actions()) < 6 else result

    seat_players(monkeypatch, Scripted(after_a_while), Scripted())
    record = play_game(contest, 0, game, grace=0.4)
    seat = contest.seatings[game].index(0)
    assert record.forfeit == seat
    assert FAULTS[fault] in record.fault
    assert record.utilities == tuple(-1.0 if each == seat else 1.0 for each in range(2))
    assert (record.score_of(0), record.score_of(1)) == (0.0, 1.0)
    assert len(record.steps) == len(record.searches) >= 3
    replayed(contest, record)


@pytest.mark.parametrize("fault", FAULTS, ids=lambda fault: fault.__name__)
def test_a_strict_referee_stops_at_a_fault(fault, monkeypatch):
    contest = Contest.of("tic_tac_toe", ["random", "random"], Limits(time=0.001))
    seat_players(monkeypatch, Scripted(), Scripted(fault))
    with pytest.raises(AstragalError) as raised:
        play_game(contest, 2, 0, strict=True, grace=0.4)
    assert str(raised.value).startswith("random in seat 2 of game 3.1 ")
    assert FAULTS[fault] in str(raised.value)


def test_a_little_lateness_is_forgiven(monkeypatch):
    contest = Contest.of("tic_tac_toe", ["random", "random"], Limits(time=0.001))
    seat_players(monkeypatch, Scripted(a_little_late), Scripted())
    record = play_game(contest, 0, 0, grace=30.0)
    assert record.forfeit is None
    assert max(stats.over for stats in record.searches) >= 0.049


def test_a_players_own_limits_count_where_the_contest_has_none(monkeypatch):
    seat_players(monkeypatch, Scripted(late, Limits(time=0.001)), Scripted())
    assert "where 0.001 s were allowed" in play_game(TIC_TAC_TOE, 0, 0, grace=0.4).fault


def test_the_others_share_the_win_of_a_forfeit(monkeypatch):
    contest = Contest.of("focus:players=3", ["random", "random", "random"])
    seat_players(monkeypatch, Scripted(failing), Scripted(), Scripted())
    record = play_game(contest, 0, 0)
    assert record.forfeit == 0
    assert [record.score_of(kind) for kind in range(3)] == [0.0, 0.5, 0.5]
    replayed(contest, record)


def test_a_session_that_cannot_begin_is_a_fault(monkeypatch):
    player = Scripted()
    player.new_session = lambda: failing(None, None)
    seat_players(monkeypatch, player, Scripted())
    assert "bad luck" in play_game(TIC_TAC_TOE, 0, 0).fault


def test_a_session_lasts_for_a_game_and_no_longer(monkeypatch):
    class Keeping(Scripted):
        begun = 0
        seen: tuple = ()

        def new_session(self):
            self.begun += 1
            return self.begun

        def search(self, position, seed=0, limits=None, session=None, history=None):
            self.seen += (session,)
            return super().search(position, seed, limits)

    player = Keeping()
    seat_players(monkeypatch, player, Scripted())
    play_game(TIC_TAC_TOE, 0, 0)
    play_game(TIC_TAC_TOE, 0, 1)
    assert player.begun == 2
    assert set(player.seen) == {1, 2}
    assert list(player.seen) == sorted(player.seen)


# Budgets


@pytest.mark.few(1)
@pytest.mark.parametrize(
    ("game", "matched", "opponent"),
    [("tic_tac_toe", "uct", "mm:depth=3"), ("kalah", "uct", "mm:depth=3"), ("pig:goal=15", "mcs", "star1:depth=2")],
)
@pytest.mark.parametrize("kind", [0, 1])
def test_a_matched_player_has_the_nodes_its_opponent_would_need(game, matched, opponent, kind):
    kinds = [matched, opponent] if kind == 0 else [opponent, matched]
    contest = Contest.of(game, kinds, matched=kind)
    player = load_player(opponent, contest.rules)
    budgets = []
    for number in range(2):
        record = play_game(contest, 0, number)
        assert record.forfeit is None
        decisions = [position for position in replayed(contest, record)[:-1] if not position.is_chance]
        for position, stats in zip(decisions, record.searches, strict=True):
            if record.seats[position.turn] == kind:
                assert stats.budget == player.search(position).nodes
                assert 0 < stats.nodes <= stats.budget + SPARE
                budgets.append(stats.budget)
            else:
                assert stats.budget is None
                assert stats.nodes == player.search(position).nodes
    assert len(set(budgets)) > 2  # it follows the position


def test_an_opponent_that_fails_when_its_need_is_measured_is_at_fault(monkeypatch):
    contest = Contest.of("tic_tac_toe", ["random", "random"], matched=0)
    seat_players(monkeypatch, Scripted(), Scripted(failing))
    for game, seat in ((0, 1), (1, 0)):
        record = play_game(contest, 0, game)
        assert (record.forfeit, record.score_of(0)) == (seat, 1.0)
        replayed(contest, record)


def test_limits_of_the_contest_come_before_a_players_own():
    contest = Contest.of("ewn", ["star1:nodes=500", "star1"], Limits(nodes=20))
    assert all(stats.nodes <= 20 + SPARE for stats in play_game(contest, 0, 0).searches)
    own = Contest.of("ewn", ["star1:nodes=500", "star1:nodes=20"])
    record = play_game(own, 0, 0)
    assert max(stats.nodes for stats in record.searches[0::2]) > 20 + SPARE
    assert max(stats.nodes for stats in record.searches[1::2]) <= 20 + SPARE


# Others finish the game


def test_others_finish_from_a_ply_on():
    kinds, finishers = ["random", "random"], ("mm:depth=2", "mm:depth=3")
    contest = Contest.of("tic_tac_toe", kinds, finish=Finish(finishers, ply=3))
    record = play_game(contest, 0, 0)
    assert record.finished_from == 3
    assert [stats.depth > 0 for stats in record.searches] == [n >= 3 for n in range(len(record.searches))]
    positions = replayed(contest, record)
    for ply in range(3, len(record.steps)):
        player = load_player(finishers[record.seats[positions[ply].turn]], contest.rules)
        seed = contest.search_seed(0, 0, ply)
        assert player.search(positions[ply], seed=seed).action_number == record.steps[ply]


def test_plies_are_counted_in_decisions_and_not_in_throws():
    contest = Contest.of("ewn", ["random", "random"], finish=Finish(("greedy", "greedy"), ply=4))
    record = play_game(contest, 0, 0)
    decisions = [number for number, position in enumerate(replayed(contest, record)[:-1]) if not position.is_chance]
    assert record.finished_from == decisions[4]


def test_a_game_that_is_over_before_is_finished_by_nobody():
    contest = Contest.of("tic_tac_toe", ["random", "random"], finish=Finish(("mm", "mm"), ply=9))
    assert play_game(contest, 0, 0).finished_from is None


@pytest.mark.parametrize("ratio", [0.05, 0.5])
def test_others_finish_when_the_opponents_searches_have_met_enough_ends(ratio):
    kinds = ["mm:depth=3", "mm:depth=4"]
    contest = Contest.of("tic_tac_toe", kinds, finish=Finish(("random", "random"), terminal_ratio=ratio))
    record = play_game(contest, 1, 0)
    positions = replayed(contest, record)
    ratios: dict[int, float] = {}
    expected = None
    for ply, position in enumerate(positions[:-1]):
        if ratios.get(1 - position.turn, 0.0) > ratio:
            expected = ply
            break
        ratios[position.turn] = load_player(kinds[position.turn], contest.rules).search(position).terminal_ratio
    assert record.finished_from == expected
    assert expected is not None
    assert all(stats.depth == 0 for stats in record.searches[expected:])


@pytest.mark.few(1)
@pytest.mark.parametrize("judge", [0, 1])
def test_the_ratio_of_one_player_alone_decides_when_others_finish(judge):
    """As in Ramanujan & Selman 2011, where it is Minimax's, for either mover."""
    kinds = ["mm:depth=6", "mm:depth=2"]  # the first sees the end long before the second
    finish = Finish(("random", "random"), terminal_ratio=0.05, judge=judge)
    contest = Contest.of("tic_tac_toe", kinds, finish=finish)
    record = play_game(contest, 0, 0)
    positions = replayed(contest, record)
    expected = None
    for ply, position in enumerate(positions[:-1]):
        kind = record.seats[position.turn]
        result = load_player(kinds[kind], contest.rules).search(position)
        if kind == judge and result.terminal_ratio > 0.05:
            expected = ply + 1
            break
    assert expected is not None
    assert record.finished_from == expected


def test_a_deeper_judge_hands_over_earlier():
    kinds = ["mm:depth=6", "mm:depth=2"]
    plies = [
        play_game(
            Contest.of("tic_tac_toe", kinds, finish=Finish(("random", "random"), terminal_ratio=0.05, judge=judge)),
            0,
            0,
        ).finished_from
        for judge in (0, 1)
    ]
    assert plies[0] < plies[1]


def test_expanded_nodes_may_be_those_inside_the_tree():
    kinds = ["uct:sims=1000", "mm:depth=3"]
    every, inside = (Contest.of("tic_tac_toe", kinds, matched=0, expanded=expanded) for expanded in ("all", "interior"))
    first = Position.start(every.rules, every.pair_seed(0))
    result = load_player("mm:depth=3", every.rules).search(first)
    assert result.interior_nodes == result.counts["decisions"]
    budgets = [play_game(contest, 0, 0).searches[0].budget for contest in (every, inside)]
    assert budgets == [result.nodes, result.interior_nodes]
    assert budgets[1] < budgets[0]


def test_contests_keep_the_key_they_had_before_there_was_a_judge():
    """A notebook of an older version goes on."""
    finish = Finish(("random", "random"), terminal_ratio=0.003)
    contest = Contest.of("tic_tac_toe", ["random", "mm:depth=2"], matched=0, finish=finish)
    words = contest.to_json()
    assert "judge" not in words
    assert "expanded" not in words
    assert Contest.from_json(words) == contest
    judged = replace(contest, finish=replace(finish, judge=1), expanded="interior")
    assert Contest.from_json(judged.to_json()) == judged
    assert judged.key != contest.key


@pytest.mark.parametrize(
    ("finish", "expanded", "sentence"),
    [
        (Finish(("random", "random"), terminal_ratio=0.1, judge=2), "all", "one of 2 players, not of player 3"),
        (Finish(("random", "random"), ply=3, judge=1), "all", "the terminal ratio is that of one of 2 players"),
        (None, "leaves", "nodes expanded are all or interior, not leaves"),
    ],
)
def test_judges_and_nodes_that_there_are_not(finish, expanded, sentence):
    with pytest.raises(AstragalError, match=sentence):
        Contest.of("tic_tac_toe", ["random", "random"], finish=finish, expanded=expanded)


def test_finishers_use_their_own_limits():
    contest = Contest.of(
        "tic_tac_toe", ["random", "random"], Limits(nodes=5), finish=Finish(("mm:depth=2", "mm:depth=2"), ply=1)
    )
    record = play_game(contest, 0, 0)
    assert max(stats.nodes for stats in record.searches) > 5


# Checking a kept game


RECORD = play_game(PIG, 0, 0)


@pytest.mark.parametrize(
    ("change", "sentence"),
    [
        ({"seed": RECORD.seed + 1}, "another seed"),
        ({"pair": 1}, "another seed"),
        ({"game": 1}, "other seats"),
        ({"game": 2}, "other seats"),
        ({"game": -1}, "other seats"),
        ({"seats": (1, 0)}, "other seats"),
        ({"utilities": RECORD.utilities[::-1]}, "does not end as its result says"),
        ({"forfeit": 0}, "does not end as its result says"),
        ({"steps": RECORD.steps[:-1]}, "does not end as its result says"),
        ({"steps": (*RECORD.steps, 0)}, "continues after its end"),
        ({"steps": (RECORD.steps[0] + 1, *RECORD.steps[1:])}, "the dice give outcome"),
        ({"steps": (RECORD.steps[0], 7, *RECORD.steps[2:])}, "action 7 is not legal at"),
        ({"searches": RECORD.searches[1:]}, "lacks a note for one"),
    ],
)
def test_a_changed_game_is_found_out(change, sentence):
    assert replayed(PIG, RECORD)[-1].is_terminal
    with pytest.raises(AstragalError, match=sentence):
        replayed(PIG, replace(RECORD, **change))


def test_every_changed_outcome_is_found_out():
    positions = replayed(PIG, RECORD)
    chance = [ply for ply, position in enumerate(positions[:-1]) if position.is_chance]
    for ply in chance:
        other = next(o.number for o in positions[ply].outcomes() if o.number != RECORD.steps[ply])
        steps = (*RECORD.steps[:ply], other, *RECORD.steps[ply + 1 :])
        with pytest.raises(AstragalError, match="the dice give"):
            replayed(PIG, replace(RECORD, steps=steps))


def test_a_changed_forfeit_is_found_out(monkeypatch):
    seat_players(monkeypatch, Scripted(failing), Scripted())
    record = play_game(TIC_TAC_TOE, 0, 0)
    replayed(TIC_TAC_TOE, record)
    for change in ({"forfeit": 1}, {"forfeit": None}, {"utilities": (0.0, 0.0)}):
        with pytest.raises(AstragalError, match="does not end as its result says"):
            replayed(TIC_TAC_TOE, replace(record, **change))


def test_players_are_loaded_once():
    assert player_of(PIG, 0, False) is player_of(PIG, 0, False)
