"""Meetings: which games count, whatever else was played, and dice that are new at each occasion."""

from __future__ import annotations

from itertools import combinations
from pathlib import Path

import pytest

from astragal.algorithms.limits import Limits
from astragal.arena.contest import Contest, GameRecord
from astragal.arena.meeting import Meetings, meeting_of, occasion_of
from astragal.arena.run import Plan
from astragal.arena.statistics.sprt import Sprt, tally
from astragal.arena.store.results_store import ResultsStore
from astragal.arena.summary import SprtWatch, Standing
from astragal.arena.workers import local_workers
from astragal.rules.dice import Dice

TEST = Sprt(-60.0, 60.0)
CONTEST = Contest.of("tic_tac_toe", ["random", "mm"])


def played(pair: int, game: int, dice: Dice) -> GameRecord:
    """A game that either player wins, or neither, now and then because the other one forfeits."""
    score = dice.below(3) - 1.0
    seats = CONTEST.seatings[game]
    forfeit = dice.below(2) if dice.below(4) == 0 else None
    if forfeit is not None:
        score = -1.0 if forfeit == 0 else 1.0
    steps = tuple(dice.below(9) for _ in range(3))
    return GameRecord(pair, game, seats, 0, steps, (), (score, -score), forfeit, "" if forfeit is None else "a fault")


@pytest.mark.parametrize("seed", range(3))
def test_a_meeting_that_a_test_has_ended_has_just_the_pairs_that_the_test_counted(seed):
    """Games come in any order, many of them after the decision: neither they nor their forfeits count."""
    dice, records = Dice(seed), []
    for first in range(0, 80, 8):
        block = [played(pair, game, dice) for pair in range(first, first + 8) for game in range(2)]
        dice.shuffle(block)
        records += block
    standing = Standing(CONTEST)
    watch = SprtWatch(standing, TEST)
    for begin in range(0, len(records), 5):
        standing.add(records[begin : begin + 5])
        watch.decided()
    made, counted = meeting_of(standing, watch), [record for record in records if record.pair < watch.pairs]
    assert made.decision == watch.decision is not None
    assert (len(made.scores), made.games) == (watch.pairs, len(counted))
    assert made.games < len(records)
    decisions = [TEST.decision(tally(made.scores[:pairs])) for pairs in range(1, watch.pairs + 1)]
    assert decisions == [None] * (watch.pairs - 1) + [made.decision]
    assert made.points[0] == sum(record.score_of(0) for record in counted)
    forfeits = [record.seats[record.forfeit] for record in counted if record.forfeit is not None]
    assert made.forfeits == (forfeits.count(0), forfeits.count(1))


def seeds(path: Path, game: str, players: list[str]) -> dict[tuple[str, tuple[str, ...]], int]:
    """Of all contests of meetings on some occasions, each asked for twice: the seed by occasion and players."""
    occasions = ["", "round 1", "round 2"]
    with ResultsStore(path) as store:
        meetings = Meetings(game, Limits(), 7, Plan(2), store, lambda: local_workers(1), command="play")
        for occasion in occasions * 2:
            for first, second in combinations(players, 2):
                meetings.meet(first, second, occasion)
        contests = [(each.contest, store.sessions(each.id)[0]["command"]) for each in store.contests()]
    found = {(occasion_of(command), contest.kinds): contest.seed for contest, command in contests}
    assert len(found) == len(contests)
    return found


def test_two_players_have_other_dice_on_every_occasion(tmp_path):
    """So have any two others, and the same two have the same ones again."""
    found = seeds(tmp_path / "r.db", "pig:goal=8", ["random", "hold", "hold:n=3"])
    assert len(set(found.values())) == len(found) == 9


def test_those_who_play_alone_have_the_same_dice_on_one_occasion_and_others_on_another(tmp_path):
    found = seeds(tmp_path / "r.db", "cant_stop:players=1,sides=2,shortest=2,goal=1", ["random", "random:"])
    by_occasion = [{seed for (other, _), seed in found.items() if other == occasion} for occasion, _ in found]
    assert all(len(each) == 1 for each in by_occasion)
    assert len(set.union(*by_occasion)) == 3
