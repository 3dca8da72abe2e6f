"""Tuning: the search space and its sentences, candidates, both methods against a known optimum, and the command."""

from __future__ import annotations

import json
import math
import sys
from functools import cache

import pytest

from astragal import AstragalError, load_game, load_player, player_classes
from astragal.algorithms.star.settings import Widths
from astragal.arena.meeting import Meeting, meeting_seed
from astragal.arena.space import Choices, Range, Space, parse_space
from astragal.arena.statistics.estimates import estimated
from astragal.arena.store.results_store import ResultsStore
from astragal.arena.tuning import Tuner, by_elimination, find_settings, tuning_trace
from astragal.rules.dice import Dice
from support.arenas import contest, standing, without_tally
from support.helpers import run_here

GAME = "pig:goal=60,dice=1"
HOLD, MCTS, STAR2SS = (player_classes()[name] for name in ("hold", "mcts", "star2ss"))


# Search space


def dimension(text: str, player: type = MCTS) -> Range | Choices:
    return parse_space(player, [text]).dimensions[0]


def test_what_to_try_is_read_by_the_players_own_types():
    assert dimension("n=1..40", HOLD) == Range("n", 1, 40, whole=True, log=False)
    assert dimension("c=10..200:log") == Range("c", 10.0, 200.0, whole=False, log=True)
    assert dimension("policy=uniform|order") == Choices("policy", ("uniform", "order"))
    assert dimension("widening=on|off") == Choices("widening", (True, False))
    assert dimension("rollout=none|0|10") == Choices("rollout", (None, 0, 10))
    assert dimension("width=1..40", STAR2SS) == Range("width", 1, 40, whole=True, log=False)
    assert dimension("width=5|20-10-5", STAR2SS).values == (Widths("5"), Widths("20-10-5"))
    assert dimension(" alpha = 0.1 .. 0.5 ") == Range("alpha", 0.1, 0.5, whole=False, log=False)


@pytest.mark.parametrize(
    ("texts", "sentence"),
    [
        ([], "there is nothing to tune"),
        (["c"], "'c' names no values to try; write"),
        (["c="], "'c=' names no values to try"),
        (["polcy=uniform|order"], r"mcts has no setting 'polcy' \(it has: .*\); did you mean 'policy'\?"),
        (["time=0.1..1"], "time is a limit"),
        (["c=ten..200"], "mcts: c=ten is not a number"),
        (["rollout=1.5..3"], "mcts: rollout=1.5 is not a whole number"),
        (["c=-1..200"], "mcts: c=-1.0 is too small; the least is 0"),
        (["alpha=0.1..7"], "mcts: alpha=7.0 is too large"),
        (["c=1..nan"], "mcts: c=nan is not a number"),
        (["rollout=none..3"], "'rollout=none..3' is not a range"),
        (["c=200..10"], "'c=200..10' is not a range; it goes from a smaller number to a larger one"),
        (["c=10..200:square"], "can end in :log only, not in :square"),
        (["c=0..200:log"], "starts at 0, but a range by :log starts above 0"),
        (["policy=a..b"], r"policy has no range; write policy=uniform\|order\|evaluation"),
        (["widening=0..1"], r"widening has no range; write widening=on\|off"),
        (["policy=uniform|ordr"], "policy=ordr is not one of uniform, order, evaluation; did you mean 'order'?"),
        (["policy=order"], "needs at least two values, all different"),
        (["policy=order|order"], "needs at least two values, all different"),
        (["widening=on|1"], "needs at least two values, all different"),
        (["c=1..2", "c=3..4"], "the values of 'c' are given twice"),
    ],
)
def test_what_does_not_fit_the_player_is_said_in_a_sentence(texts, sentence):
    with pytest.raises(AstragalError, match=sentence):
        parse_space(MCTS, texts)


def test_widths_that_differ_by_level_are_no_range():
    with pytest.raises(AstragalError, match=r"'width=20-10\.\.40' is not a range"):
        dimension("width=20-10..40", STAR2SS)
    with pytest.raises(AstragalError, match="star2ss: width=0 is not a whole number from 1 to 1000000"):
        dimension("width=0..40", STAR2SS)


def test_numbers_lie_in_their_range_and_every_part_of_it_is_as_likely():
    shares = [(i + 0.5) / 10_000 for i in range(10_000)]
    whole = [Range("n", 3, 6, whole=True, log=False).at(share) for share in shares]
    assert {n: whole.count(n) for n in (3, 4, 5, 6)} == dict.fromkeys((3, 4, 5, 6), 2500)
    by_log = [Range("c", 10.0, 1000.0, whole=False, log=True).at(share) for share in shares]
    assert min(by_log) >= 10.0
    assert max(by_log) <= 1000.0
    assert sum(c < 100 for c in by_log) == pytest.approx(5000, abs=2)
    whole_log = [Range("n", 1, 64, whole=True, log=True).at(share) for share in shares]
    assert set(whole_log) == set(range(1, 65))
    assert whole_log.count(1) == pytest.approx(10_000 * math.log(3) / math.log(129), abs=2)


def test_numbers_are_short_enough_to_read():
    assert Range("c", 10.0, 200.0, whole=False, log=False).fit(123.456789) == 123.5
    assert Range("c", 0.001, 200.0, whole=False, log=True).fit(0.00123456) == 0.001235
    assert Range("c", 1000.1, 1000.2, whole=False, log=False).fit(1000.1234567) == 1000.1235
    assert str(Range("n", 1, 9, whole=True, log=False).fit(3.7)) == "4"


def test_candidates_are_a_latin_hypercube():
    space = parse_space(MCTS, ["c=0..100", "alpha=0.1..1:log", "policy=uniform|order"])
    drawn = space.drawn(20, Dice(1))
    assert sorted(int(each["c"] / 5.0) for each in drawn) == list(range(20))
    assert sorted(int(20 * math.log10(each["alpha"] / 0.1)) for each in drawn) == list(range(20))
    assert [each["policy"] for each in drawn].count("order") == 10
    assert space.drawn(20, Dice(1)) == drawn
    assert space.drawn(20, Dice(2)) != drawn


def test_candidates_are_all_different_and_at_most_all_there_are():
    space = parse_space(HOLD, ["n=1..10:log"])
    assert [each["n"] for each in space.drawn(10, Dice(0))] == list(range(1, 11))
    assert [each["n"] for each in space.drawn(50, Dice(0))] == list(range(1, 11))
    assert len({each["n"] for each in space.drawn(9, Dice(0))}) == 9
    narrow = Space((Range("c", 1.0, 1.0001, whole=False, log=True),))
    assert 1 <= len(narrow.drawn(8, Dice(0))) < 8  # ends nevertheless


# Candidates


def tuner(player: str, *texts: str, game: str = GAME, **more) -> Tuner:
    rules = load_game(game)
    default = load_player(player, rules)
    return Tuner(default, rules, parse_space(type(default), texts), **more)


def test_candidates_keep_the_other_settings_and_those_of_the_game():
    made = tuner("mcts:final=mean", "c=10..200:log", game="ewn", candidates=4)
    for text in made.entrants(0):
        player = load_player(text)
        assert 10.0 <= player.c <= 200.0
        assert player.final == "mean"
        assert player.rollout == load_player("mcts", load_game("ewn")).rollout
        assert str(load_player(text, load_game("ewn"))) == text


def test_values_of_every_type_become_settings():
    widths = {load_player(text).width for text in tuner("star2ss", "width=3|9-2").entrants(0)}
    assert widths == {Widths("3"), Widths("9-2")}
    assert {load_player(text).width for text in tuner("star2ss", "width=3..5").entrants(0)} == {(3,), (4,), (5,)}
    rollouts = {load_player(text).rollout for text in tuner("mcts", "rollout=none|0", game="ewn").entrants(0)}
    assert rollouts == {None, 0}


def test_each_repetition_has_candidates_of_its_own_unless_all_are_named():
    drawn = tuner("hold", "n=1..1000", candidates=8)
    assert drawn.entrants(0) == drawn.entrants(0)
    assert not set(drawn.entrants(0)) >= set(drawn.entrants(1))
    named = tuner("hold", "n=" + "|".join(map(str, range(10, 90, 10))), candidates=8)
    assert set(named.entrants(0)) == set(named.entrants(1)) == {f"hold:n={n}" for n in range(10, 90, 10)}
    assert named.entrants(0) != named.entrants(1)


def test_settings_that_do_not_fit_together_are_left_out():
    with pytest.warns(UserWarning, match="1 of 4 candidates are left out; mcts: reuse=on needs one tree"):
        left = tuner("mcts:threads=2", "reuse=on|off", "parallel=tree|root", game="ewn").entrants(0)
    assert len(left) == 3
    with pytest.raises(AstragalError, match="reuse=on needs one tree"):
        tuner("mcts:reuse=on,parallel=root", "threads=2..9", game="ewn").entrants(0)


# Methods, with players that win by the true probabilities


@cache
def turn(score: int, hold: int, goal: int) -> tuple[tuple[int, float], ...]:
    """What a turn of Pig with one die adds, with probabilities."""
    adds, pots = {0: 0.0}, {0: 1.0}
    while pots:
        pot = min(pots)
        share = pots.pop(pot) / 6.0
        adds[0] += share
        for total in range(pot + 2, pot + 7):
            ends = adds if total >= hold or score + total >= goal else pots
            ends[total] = ends.get(total, 0.0) + share
    return tuple(adds.items())


@cache
def win_share(n: int, m: int, goal: int = 60) -> float:
    """How often hold:n wins against hold:m, each beginning half of the games."""

    @cache
    def both(mine: int, other: int) -> tuple[float, float]:
        """The mover's chances with me to move, and with the opponent to move."""

        def scored(score: int, hold: int, next_chance) -> tuple[float, float]:
            adds = dict(turn(score, hold, goal))
            stay = adds.pop(0)
            return sum(p * (1.0 - next_chance(score + add)) for add, p in adds.items()), stay

        a, p = scored(mine, n, lambda score: 0.0 if score >= goal else both(score, other)[1])
        b, q = scored(other, m, lambda score: 0.0 if score >= goal else both(mine, score)[0])
        chance = (a + p * (1.0 - b - q)) / (1.0 - p * q)
        return chance, b + q * (1.0 - chance)

    mine, others = both(0, 0)
    return (mine + 1.0 - others) / 2.0


def n_of(player: str) -> int:
    return load_player(player).n


class Coins:
    """Meetings of hold players decided by biased coins."""

    def __init__(self, games: int, seed: int) -> None:
        self.games, self.seed, self.met = games, seed, []

    def __call__(self, first: str, second: str, occasion: str, to_the_end: bool = False) -> Meeting:
        self.met.append((first, second, occasion, to_the_end))
        dice = Dice(meeting_seed(self.seed, occasion, first, second))
        share = win_share(n_of(first), n_of(second))
        scores = tuple(tuple(float(dice.bits() / 2**64 < share) for _ in range(2)) for _ in range(self.games // 2))
        return Meeting((first, second), scores, occasion=occasion)


def test_the_true_probabilities_are_those_of_the_game():
    assert win_share(20, 20) == pytest.approx(0.5)
    assert win_share(20, 8) + win_share(8, 20) == pytest.approx(1.0)
    best = max(range(1, 61), key=lambda n: win_share(n, 20))
    assert win_share(best, 20) < 0.53
    assert win_share(4, 20) < 0.1
    assert win_share(60, 20) < 0.36


def test_elimination_finds_a_good_setting():
    found = []
    for seed in range(5):
        made = tuner("hold:n=5", "n=1..60", candidates=16, seed=seed)
        tuned = find_settings("elimination", made, Coins(400, seed))
        found.append(win_share(n_of(tuned.choice), 20))
        assert tuned.confirmation is not None
        assert tuned.confirmation.estimate.low > 0.5
    assert min(found) > 0.44  # half of the range is worse than that
    assert sum(found) / len(found) > 0.47


def test_elimination_plays_each_round_out_and_then_the_winners():
    meet = Coins(100, 0)
    winners, choice = by_elimination(tuner("hold", "n=1..60", candidates=6, rounds=3), meet)
    occasions = [occasion for _, _, occasion, _ in meet.met]
    assert [occasions.count(f"round {number}") for number in (1, 2, 3)] == [5, 5, 5]
    assert occasions.count("last round") == len(set(winners)) - 1
    assert choice in winners


def test_the_choice_meets_the_default_with_fresh_dice_to_the_end():
    meet = Coins(100, 0)
    tuned = find_settings("elimination", tuner("hold:n=5", "n=20|21"), meet)
    assert meet.met[-1] == (tuned.choice, "hold:n=5", "confirmation", True)
    assert [to_the_end for *_, to_the_end in meet.met] == [False, True]
    same = find_settings("elimination", tuner("hold:n=20", "n=2|20"), meet)
    assert same.choice == same.default == "hold:n=20"
    assert same.confirmation is None
    assert same.as_dict()["confirmation"] is None


def test_optuna_finds_a_good_setting_and_lets_the_best_few_play_again():
    pytest.importorskip("optuna")
    meet = Coins(200, 1)
    made = tuner("hold:n=8", "n=1..60", candidates=15, seed=1)
    tuned = find_settings("optuna", made, meet)
    assert win_share(n_of(tuned.choice), 20) > 0.44
    again = {first: (occasion, to_the_end) for first, _, occasion, to_the_end in meet.met if occasion == "again"}
    assert again == dict.fromkeys(tuned.winners, ("again", True))
    lows = {player: meet(player, "hold:n=8", "again").estimate.low for player in tuned.winners}
    assert lows[tuned.choice] == max(lows.values())
    assert find_settings("optuna", made, Coins(200, 1)) == tuned


def test_optuna_tries_settings_of_every_kind_and_passes_over_those_that_do_not_fit():
    pytest.importorskip("optuna")

    def meet(first: str, second: str, occasion: str, to_the_end: bool = False) -> Meeting:
        player = load_player(first)
        won = float(player.policy == "order" and player.c < 50.0)
        return Meeting((first, second), ((won, won), (won, won)))

    texts = ["c=10..200:log", "policy=uniform|order", "rollout=none|0|10", "memory=1..64", "reuse=on|off"]
    tuned = find_settings("optuna", tuner("mcts:parallel=root,threads=2", *texts, game="ewn", candidates=25), meet)
    assert load_player(tuned.choice).policy == "order"
    assert load_player(tuned.choice).c < 50.0
    assert not load_player(tuned.choice).reuse


# The command


def kept_games(path) -> int:
    with ResultsStore(path, must_exist=True) as store:
        return sum(stored.games for stored in store.contests())


@pytest.mark.slow
@pytest.mark.interpreted
def test_the_command_finds_a_good_setting_and_plays_nothing_twice(capsys, tmp_path):
    file = tmp_path / "a.db"
    asked = ("tune", GAME, "hold:n=4", "--param", "n=2|21|41|60", "--candidates", 4, "--games", 40)
    asked += ("--jobs", 1, "--db", file)
    ran = run_here(capsys, *asked)
    assert ran.code == 0
    assert ran.err == ""
    lines = without_tally(ran.out)
    assert lines[-1] in ("tuned: hold:n=21", "tuned: hold:n=41")
    assert lines[-2].startswith("the best against hold:n=4, with fresh dice: ")
    assert [line.split(":")[0] for line in lines[:4]] == ["  round 1"] * 3 + ["  confirmation"]
    assert kept_games(file) == 4 * 40
    again = run_here(capsys, *asked).out
    assert without_tally(again) == lines
    assert f"0 new games, 160 from {file}" in again
    assert kept_games(file) == 4 * 40
    facts = json.loads(run_here(capsys, *asked, "--json").out)
    assert f"tuned: {facts['player']}" == lines[-1]
    assert facts["confirmation"]["low"] > 0.5
    assert [met["occasion"] for met in facts["meetings"]] == ["round 1"] * 3 + ["confirmation"]


@pytest.mark.slow
@pytest.mark.interpreted
def test_a_killed_run_goes_on_where_it_stopped(capsys, monkeypatch, tmp_path):
    asked = ("tune", "pig:goal=20,dice=1", "hold", "--param", "n=1..20", "--candidates", 4, "--games", 12, "--jobs", 1)
    whole = run_here(capsys, *asked, "--db", tmp_path / "whole.db")
    kept, left = ResultsStore.add, [3]

    def add(self, *arguments):
        left[0] -= 1
        if left[0] < 0:
            raise SystemExit(9)
        return kept(self, *arguments)

    with monkeypatch.context() as patch:
        patch.setattr(ResultsStore, "add", add)
        assert run_here(capsys, *asked, "--db", tmp_path / "a.db").code == 9
    assert 0 < kept_games(tmp_path / "a.db") < kept_games(tmp_path / "whole.db")
    resumed = run_here(capsys, *asked, "--db", tmp_path / "a.db")
    assert without_tally(resumed.out) == without_tally(whole.out)
    assert kept_games(tmp_path / "a.db") == kept_games(tmp_path / "whole.db")


@pytest.mark.slow
def test_a_search_is_tuned_the_same_for_a_seed_and_nodes(capsys, tmp_path):
    asked = ("tune", "pig:goal=20", "star2ss", "--param", "width=1..8", "--candidates", 3, "--nodes", 100)
    asked += ("--games", 8, "--sprt", "-200:200", "--jobs", 1)
    ran = run_here(capsys, *asked, "--db", tmp_path / "a.db")
    assert ran.code == 0
    assert ran.out.splitlines()[-1].startswith("tuned: star2ss:")
    assert without_tally(run_here(capsys, *asked, "--db", "none").out) == without_tally(ran.out)


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        (("hold",), "there is nothing to tune; write width=1..40, c=10..200:log or policy=uniform|order after --param"),
        (("hold", "--param", "m=1..3"), "hold has no setting 'm' (it has: n)"),
        (("hold", "--param", "n=0..3"), "hold: n=0 is too small; the least is 1"),
        (("random", "--param", "n=0..3"), "random has no setting 'n' (it has: none)"),
        (("hold", "--param", "n=1..3", "--method", "elimnation"), "did you mean 'elimination'?"),
        (("hold", "--param", "n=1..3", "--method", "optuna", "--rounds", 2), "rounds are for elimination"),
        (("hold", "--param", "n=1..3", "--sprt", "20"), "--sprt takes two Elo differences, such as 0:20, not '20'"),
        (("star2", "--param", "merge=on|off", "--sims", 9), "star2 has no simulations to limit"),
        (("glenn", "--param", "n=1..3"), "glenn only plays cant_stop, not pig"),
    ],
)
def test_bad_input_is_refused_in_a_sentence(arguments, sentence, capsys, tmp_path):
    ran = run_here(capsys, "tune", GAME, *arguments, "--jobs", 1, "--db", tmp_path / "a.db")
    assert ran.code == 2
    assert ran.err.count("\n") == 1
    assert sentence in ran.err


def test_optuna_is_asked_for_before_any_game(capsys, monkeypatch, tmp_path):
    monkeypatch.setitem(sys.modules, "optuna", None)
    ran = run_here(capsys, "tune", GAME, "hold", "--param", "n=1..9", "--method", "optuna", "--db", tmp_path / "a.db")
    assert ran.code == 2
    assert 'this method needs Optuna: pip install "astragal[tune]"' in ran.err
    assert not (tmp_path / "a.db").exists()


# What a results file says of a run


def test_the_default_that_all_candidates_met_is_none_of_them():
    good, even, bad = ([(score, score)] * 3 for score in (1.0, 0.5, 0.0))
    met = [("hold:n=5", even, "trial"), ("hold:n=8", good, "trial"), ("hold:n=8", bad, "again")]
    trace = tuning_trace([(standing(contest(who, "hold", "pig"), played), why) for who, played, why in met])
    assert {c.player: c.estimate.mean for c in trace.candidates} == {
        "hold:n=5": estimated(even).mean,
        "hold:n=8": estimated(good + bad).mean,
    }
