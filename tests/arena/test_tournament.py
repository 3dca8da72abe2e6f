"""Tournaments: who meets whom, what is played and kept, ratings, and the picture of them."""

from __future__ import annotations

import json
import multiprocessing
import os
import signal
import sys
from concurrent.futures import ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool

import numpy as np
import pytest

from astragal import AstragalError
from astragal.algorithms.limits import Limits
from astragal.arena.meeting import Meeting, Meetings, Quiet, meeting_seed
from astragal.arena.plots import check_plot, plot_ratings
from astragal.arena.run import Plan
from astragal.arena.statistics.estimates import expected_score, holm, paired
from astragal.arena.statistics.ratings import bradley_terry
from astragal.arena.statistics.sprt import Sprt
from astragal.arena.store.results_store import ResultsStore
from astragal.arena.tournament import bracket, play_tournament
from astragal.arena.workers import InProcessExecutor, PersistentWorkers, local_workers
from astragal.base.errors import Stopped
from astragal.rules.dice import Dice
from support.helpers import add_up, run_here

GAME = "pig:goal=40,dice=1"
WEAK, FAIR, GOOD = "hold:n=3", "hold:n=8", "hold:n=20"  # the others win 6% and 26% of their games against the last


def meeting(first: str, second: str, *scores: tuple[float, ...]) -> Meeting:
    return Meeting((first, second), scores)


def by_name(first: str, second: str) -> Meeting:
    """The player whose name comes first in the alphabet wins everything."""
    won = 1.0 if first < second else 0.0
    return meeting(first, second, (won, won))


def by_strength(elo: dict[str, float], games: int, seed: int):
    """Players that win by their Elo, and no draws."""

    def meet(first: str, second: str) -> Meeting:
        dice = Dice(meeting_seed(seed, "", first, second))
        share = expected_score(elo[first] - elo[second])
        scores = [float(dice.bits() / 2**64 < share) for _ in range(games)]
        return meeting(first, second, *zip(scores[::2], scores[1::2], strict=True))

    return meet


def meetings_in(path, games: int = 8, jobs: int = 1, game: str = GAME, **more) -> Meetings:
    return Meetings(
        game, Limits(), more.pop("seed", 0), Plan(games, jobs), ResultsStore(path), lambda: local_workers(jobs), **more
    )


def kept_games(path) -> dict[tuple[str, ...], int]:
    with ResultsStore(path, must_exist=True) as store:
        return {stored.contest.kinds: stored.games for stored in store.contests()}


# Who meets whom


def pairs(format: str, players: str) -> list[list[str]]:
    return [["".join(m.players) for m in played] for played in play_tournament(format, players, by_name).rounds]


def test_a_round_robin_has_every_pair_once():
    assert pairs("round-robin", "abcd") == [["ab", "ac", "ad", "bc", "bd", "cd"]]


def test_a_gauntlet_is_the_first_against_all_others():
    assert pairs("gauntlet", "cabd") == [["ca", "cb", "cd"]]


def test_a_bracket_keeps_the_first_seeds_apart_for_as_long_as_possible():
    assert bracket(1) == [0]
    assert bracket(2) == [0, 1]
    assert bracket(8) == bracket(5) == [0, 7, 3, 4, 1, 6, 2, 5]
    for size in (16, 32):
        places = bracket(size)
        assert sorted(places) == list(range(size))
        for block in (2, 4, 8, size):  # of the places that meet up to a round, one belongs to the first seeds
            for start in range(0, size, block):
                assert min(places[start : start + block]) < size // block


@pytest.mark.parametrize("count", range(2, 20))
def test_an_elimination_ends_with_the_best_and_everyone_else_loses_once(count):
    players = [chr(ord("a") + (7 * i + 3) % count) if count % 7 else chr(ord("a") + i) for i in range(count)]
    played = play_tournament("elimination", players, by_name)
    losers = [m.players[1 - m.winner] for m in played.meetings]
    assert played.champion == "a"
    assert sorted([*losers, "a"]) == sorted(players)
    assert len(played.rounds) == (count - 1).bit_length()
    for m in played.meetings:
        assert players.index(m.players[0]) < players.index(m.players[1])


def test_the_first_seeds_skip_the_first_round_where_the_bracket_is_not_full():
    assert pairs("elimination", "abcde") == [["de"], ["ad", "bc"], ["ab"]]


def test_on_equal_points_the_higher_seed_goes_on():
    tied = play_tournament("elimination", "cba", lambda first, second: meeting(first, second, (1.0, 0.0)))
    assert tied.champion == "c"


# What it says


def test_ratings_and_p_values_are_those_of_the_points():
    played = play_tournament("round-robin", "abc", by_strength({"a": 0, "b": 60, "c": 200}, 40, 3))
    ab, ac, bc = played.meetings
    points = np.array(
        [[0, ab.points[0], ac.points[0]], [ab.points[1], 0, bc.points[0]], [ac.points[1], bc.points[1], 0]]
    )
    assert played.ratings == bradley_terry(points, "abc")
    assert played.p_values == holm([paired(m.scores).p_value() for m in (ab, ac, bc)])
    assert played.champion is None
    facts = played.as_dict()
    assert [row["p_holm"] for row in facts["rounds"][0]] == list(played.p_values)
    assert json.loads(json.dumps(facts))["ratings"][2]["player"] == "c"


@pytest.mark.few(1)
@pytest.mark.parametrize("format", ["round-robin", "gauntlet", "elimination"])
def test_ratings_come_near_the_truth(format):
    truth = {"a": 150.0, "b": 50.0, "c": -50.0, "d": -150.0}
    inside = []
    for seed in range(40):
        played = play_tournament(format, list(truth), by_strength(truth, 400, seed))
        for rating in played.ratings.players[1:]:
            number = list(truth).index(rating.player)
            difference, error = played.ratings.difference(0, number)
            inside.append(abs(difference - (truth["a"] - truth[rating.player])) < 1.96 * error)
    assert 0.88 < np.mean(inside) < 0.995


def test_one_match_says_nothing():
    alone = meeting("a", "b", (1.0, 1.0))
    assert alone.p_value == 1.0
    assert alone.estimate.mean == 1.0
    assert alone.points == (2.0, 0.0)


# Meetings


def test_every_pair_and_occasion_has_dice_of_its_own():
    seeds = {
        meeting_seed(seed, occasion, first, second)
        for seed in (0, 1)
        for occasion in ("", "again")
        for first, second in [("a", "b"), ("b", "a"), ("a", "c")]
    }
    assert len(seeds) == 12


def test_a_tournament_is_played_kept_and_rated_in_order(tmp_path):
    meetings = meetings_in(tmp_path / "a.db", games=40)
    played = play_tournament("round-robin", [WEAK, GOOD, FAIR], meetings.meet)
    weak, good, fair = (rating.elo for rating in played.ratings.players)
    assert weak < fair < good
    assert kept_games(tmp_path / "a.db") == {(WEAK, GOOD): 40, (WEAK, FAIR): 40, (GOOD, FAIR): 40}


def test_nothing_is_played_twice(tmp_path):
    file = tmp_path / "a.db"
    first = play_tournament("round-robin", [WEAK, GOOD], meetings_in(file).meet)

    def refuse():
        raise AssertionError("a game was to be played")

    again = meetings_in(file)
    again.workers = refuse
    assert play_tournament("gauntlet", [WEAK, GOOD], again.meet).meetings == first.meetings
    play_tournament("round-robin", [WEAK, GOOD, FAIR], meetings_in(file).meet)
    assert kept_games(file) == {(WEAK, GOOD): 8, (WEAK, FAIR): 8, (GOOD, FAIR): 8}


def test_games_beyond_those_asked_for_do_not_count(tmp_path):
    few = meetings_in(tmp_path / "a.db", games=8).meet(WEAK, GOOD)
    many = meetings_in(tmp_path / "a.db", games=20).meet(WEAK, GOOD)
    assert many.scores[:4] == few.scores
    assert meetings_in(tmp_path / "a.db", games=8).meet(WEAK, GOOD) == few


def test_a_stopped_tournament_goes_on_to_the_same_end(tmp_path):
    class Impatient(Quiet):
        def hear(self, records):
            os.kill(os.getpid(), signal.SIGINT)
            return super().hear(records)

    players = [WEAK, GOOD, FAIR]
    whole = play_tournament("elimination", players, meetings_in(tmp_path / "whole.db").meet)
    stops = 0
    for _ in range(20):
        try:
            resumed = play_tournament("elimination", players, meetings_in(tmp_path / "a.db", listener=Impatient).meet)
            break
        except (Stopped, KeyboardInterrupt):
            stops += 1
    resumed = play_tournament("elimination", players, meetings_in(tmp_path / "a.db").meet)
    assert stops > 1
    assert resumed == whole
    assert kept_games(tmp_path / "a.db") == kept_games(tmp_path / "whole.db")


@pytest.mark.slow
@pytest.mark.interpreted
def test_a_sequential_test_stops_a_meeting_and_counts_the_same_matches_with_any_workers(tmp_path):
    test = Sprt(-50.0, 50.0)
    alone = meetings_in(tmp_path / "a.db", games=400, sprt=test).meet(WEAK, GOOD)
    assert alone.decision == "accept H0"
    assert alone.games < 100
    with PersistentWorkers(lambda: local_workers(2)) as workers:
        together = meetings_in(tmp_path / "b.db", games=400, jobs=2, sprt=test)
        together.workers = workers
        assert together.meet(WEAK, GOOD) == alone
        kept = workers.workers
        together.plan = Plan(20, 2)
        assert together.meet(WEAK, GOOD, to_the_end=True).games == 20
        assert together.meet(FAIR, GOOD, to_the_end=True).decision is None
        assert workers.workers is kept  # the same processes all along
    assert meetings_in(tmp_path / "b.db", games=400, sprt=test).meet(WEAK, GOOD) == alone


def test_searches_with_a_node_budget_and_a_seed_meet_with_the_same_result(tmp_path):
    def play(file, **more):
        meetings = meetings_in(tmp_path / file, games=4, game="pig:goal=20", **more)
        meetings.limits = Limits(nodes=200)
        return meetings.meet("star2", "exp")

    assert play("a.db") == play("b.db")
    seeds = [[stored.contest.seed for stored in ResultsStore(tmp_path / "a.db").contests()]]
    play("a.db", seed=1)
    seeds.append([stored.contest.seed for stored in ResultsStore(tmp_path / "a.db").contests()])
    assert len(seeds[0]) == 1
    assert len(set(seeds[1])) == 2


def test_three_seats_are_shared_by_two_kinds_in_mixed_seatings(tmp_path):
    source = (
        add_up()
        .replace("1 - state.turn", "(state.turn + 1) % 3")
        .replace("max_actions", "players = 3\n    max_actions")
    )
    (tmp_path / "three.py").write_text(source)
    meetings = meetings_in(tmp_path / "a.db", games=7, game=f"{tmp_path / 'three.py'}:AddUp")
    met = meetings.meet("random", "random")
    assert met.games == 12
    assert all(len(pair) == 6 for pair in met.scores)


def test_a_whole_tournament_is_played_under_one_lock(tmp_path):
    file = tmp_path / "a.db"
    with ResultsStore(file) as other, ResultsStore(file) as store, store.alone():
        meetings = meetings_in(file)
        meetings.store = store
        meetings.meet(WEAK, GOOD)
        with pytest.raises(AstragalError, match="another command is playing games"), other.alone():
            pass
        meetings.meet(WEAK, FAIR)
    with ResultsStore(file) as other, other.alone():
        pass


# Workers that are kept


def die() -> None:
    os._exit(1)


def test_workers_that_died_are_replaced_and_others_are_kept():
    made = []

    def make():
        made.append(ProcessPoolExecutor(1, multiprocessing.get_context("spawn")))
        return made[-1]

    with PersistentWorkers(make) as kept:
        lent = kept()
        with pytest.raises(BrokenProcessPool):
            lent.submit(die).result()
        lent.shutdown(wait=True)
        lent = kept()
        assert lent.submit(os.getpid).result() != os.getpid()
        lent.shutdown(wait=True, cancel_futures=True)
        assert kept().submit(abs, -2).result() == 2
    assert len(made) == 2
    with pytest.raises(RuntimeError):
        made[1].submit(abs, -2)


def test_workers_that_nobody_needs_are_not_made():
    with PersistentWorkers(lambda: pytest.fail("made")):
        pass
    with PersistentWorkers(InProcessExecutor) as kept:
        assert kept().submit(abs, -3).result() == 3


# The command


def test_the_command_prints_table_ratings_and_differences(capsys, tmp_path):
    asked = ("tournament", GAME, WEAK, GOOD, FAIR, "--games", 40, "--jobs", 1, "--db", tmp_path / "a.db")
    ran = run_here(capsys, *asked)
    assert ran.code == 0
    assert ran.err == ""
    where, *lines = ran.out.splitlines()
    assert where == f"games are kept in {asked[-1]} (--db none keeps nothing)"
    assert lines[0].startswith(f"  {WEAK} - {GOOD}: ")
    assert lines[0].endswith("of 40 games")
    table = lines.index("points against each other")
    rows = [line.split() for line in lines[table:] if line.startswith((" 1 ", " 2 ", " 3 "))]
    assert [row[1] for row in rows] == [WEAK, GOOD, FAIR]
    rated = next(i for i, line in enumerate(lines) if line.startswith("ratings"))
    assert [line.split()[0] for line in lines[rated + 1 : rated + 4]] == [GOOD, FAIR, WEAK]
    assert f"  {WEAK} - {GOOD}: p = " in ran.out
    again = run_here(capsys, *asked).out.splitlines()
    assert again[:-1] == lines[:-1]
    assert again[-1] == f"0 new games, 120 from {asked[-1]} (astragal results list --db {asked[-1]})"

    facts = json.loads(run_here(capsys, *asked, "--json").out)
    assert facts["format"] == "round-robin"
    assert [row["players"] for row in facts["rounds"][0]] == [[WEAK, GOOD], [WEAK, FAIR], [GOOD, FAIR]]
    assert sum(sum(row["points"]) for row in facts["rounds"][0]) == 120

    knocked_out = run_here(capsys, *asked, "--format", "elimination")
    assert knocked_out.out.endswith(
        f"winner: {GOOD}\n0 new games, 80 from {asked[-1]} (astragal results list --db {asked[-1]})\n"
    )


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        (("random", "hold:n=23", "hold"), "hold is named twice"),
        (("random",), "a tournament needs at least two players"),
        (("random", "hold", "--format", "gauntlets"), "no format 'gauntlets' .* did you mean 'gauntlet'?"),
        (("random", "hld"), "there is no player 'hld'"),
        (("random", "rule28"), "rule28 only plays cant_stop, not pig"),
        (("random", "star2", "--sims", 5), "star2 has no simulations to limit"),
        (
            ("random", "hold", "--plot", "ratings.gif"),
            r"a picture is written to \.svg, \.png, \.pdf, not to ratings\.gif",
        ),
        (("random", "hold", "--plot", "nowhere/ratings.svg"), "there is no folder nowhere for the picture"),
    ],
)
def test_what_cannot_be_played_is_said_in_a_sentence(arguments, sentence, capsys, tmp_path):
    ran = run_here(capsys, "tournament", "pig", *arguments, "--jobs", 1, "--db", tmp_path / "a.db")
    assert ran.code == 2
    assert ran.err.count("\n") == 1
    with pytest.raises(AssertionError, match=sentence):
        raise AssertionError(ran.err)
    assert not (tmp_path / "a.db").exists() or not kept_games(tmp_path / "a.db")


# The picture


def test_a_picture_without_matplotlib_is_a_sentence_before_any_game(capsys, monkeypatch, tmp_path):
    monkeypatch.setitem(sys.modules, "matplotlib", None)
    file = tmp_path / "a.db"
    ran = run_here(capsys, "tournament", GAME, WEAK, GOOD, "--plot", tmp_path / "a.svg", "--db", file)
    assert ran.code == 2
    assert 'a picture needs Matplotlib: pip install "astragal[plots]"' in ran.err
    assert not file.exists()


def test_the_picture_shows_every_player(tmp_path):
    pytest.importorskip("matplotlib")
    ratings = bradley_terry([[0, 7], [3, 0]], ["star2", "random"])
    for name in ("a.svg", "a.png", "a.pdf"):
        check_plot(tmp_path / name)
        plot_ratings(ratings, tmp_path / name, "ewn")
        assert (tmp_path / name).stat().st_size > 1000
    drawn = (tmp_path / "a.svg").read_text()
    assert "<!-- star2 -->" in drawn
    assert "<!-- random -->" in drawn
    (tmp_path / "folder.svg").mkdir()
    with pytest.raises(AstragalError, match="cannot be written"):
        plot_ratings(ratings, tmp_path / "folder.svg", "ewn")
