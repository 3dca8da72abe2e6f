"""Long matches: what stays of a game is a few bytes, and all else is read again where it is kept."""

from __future__ import annotations

import gc
import pickle
import random
import tracemalloc
from dataclasses import replace
from itertools import islice

import pytest

from astragal import match
from astragal.arena.contest import Contest, GameRecord, SearchStats
from astragal.arena.run import Plan, missing_games, run_contest
from astragal.arena.statistics.sprt import Sprt
from astragal.arena.store.game_numbers import GameNumbers, Numbers
from astragal.arena.store.results_store import ResultsStore
from astragal.arena.summary import SprtWatch, Standing
from astragal.arena.workers import InProcessExecutor
from astragal.base.errors import AstragalError

CONTEST = Contest.of("pig:goal=10", ["random", "hold:n=5"])
GAMES = 2000


def game(number: int, plies: int = 40) -> GameRecord:
    """A game that was never played, with as much in it as one that was."""
    dice, (pair, seating) = random.Random(number), divmod(number, 2)
    steps = tuple(dice.randrange(1000, 9000) for _ in range(plies))
    searches = tuple(SearchStats(dice.random(), 60, 3, dice.random(), 0.0, None, i % 2) for i in range(plies // 2))
    won = dice.choice((1.0, -1.0))
    return GameRecord(pair, seating, ((0, 1), (1, 0))[seating], number, steps, searches, (won, -won))


def held_by(add: object, first: int, last: int) -> int:
    """Bytes that stay after games have been added."""
    gc.collect()
    before = tracemalloc.get_traced_memory()[0]
    for begin in range(first, last, 50):
        add([game(number) for number in range(begin, begin + 50)])  # type: ignore[operator]
    gc.collect()
    return tracemalloc.get_traced_memory()[0] - before


def test_what_stays_of_a_game_is_small():
    standing = Standing(CONTEST)
    tracemalloc.start()
    try:
        held_by(standing.add, 0, 200)
        assert held_by(standing.add, 200, GAMES) < 200 * (GAMES - 200)  # a record has some 10,000 bytes
    finally:
        tracemalloc.stop()
    assert standing.games == GAMES
    assert standing.decisions == 20 * GAMES


@pytest.mark.slow
@pytest.mark.interpreted
def test_a_match_keeps_no_records(tmp_path):
    """Of those that it plays, and of those that were in the file before."""
    tracemalloc.start()
    try:
        held = []
        for games in (200, 200, 1400, 1400):
            gc.collect()
            tracemalloc.reset_peak()
            before = tracemalloc.get_traced_memory()[0]
            result = match("pig:goal=30", ["random", "random"], games=games, db=tmp_path / "r.db")
            assert result.games == games
            held.append(tracemalloc.get_traced_memory()[1] - before)
        assert max(held[2:]) - max(held[:2]) < 1200 * 500
    finally:
        tracemalloc.stop()


def test_numbers_are_those_that_were_put():
    dice, numbers, plain = random.Random(1), GameNumbers(3, 4), {}
    for _ in range(200):
        pair, game, values = dice.randrange(40), dice.randrange(3), [dice.random() for _ in range(4)]
        numbers.put(pair, game, values)
        plain.setdefault(pair, {})[game] = values[1:3]
        assert numbers.count == sum(map(len, plain.values()))
    found = Numbers(numbers, 1, 2)
    assert found == plain
    assert list(found) == list(plain)
    assert {pair: list(games) for pair, games in found.items()} == {pair: sorted(each) for pair, each in plain.items()}
    numbers.keep(lambda pair: pair % 3 == 0)
    assert Numbers(numbers, 1, 2) == {pair: games for pair, games in plain.items() if pair % 3 == 0}
    numbers.put(1, 2, [5.0] * 4)
    assert Numbers(numbers, 0, 4)[1] == {2: [5.0] * 4}
    numbers.keep(lambda pair: False)
    assert (len(Numbers(numbers, 1, 2)), numbers.count) == (0, 0)
    assert numbers.of_all(0).tolist() == []


@pytest.mark.parametrize("seed", range(20))
def test_missing_games_are_those_that_were_not_played(seed):
    dice, size, pairs = random.Random(seed), len(CONTEST.seatings), 12
    every = [(pair, game) for pair in range(pairs + 5) for game in range(size)]
    played = sorted(dice.sample(every, dice.randrange(len(every))))
    assert list(missing_games(CONTEST, pairs, played)) == [
        each for each in every if each[0] < pairs and each not in played
    ]


def test_games_that_are_there_are_read_one_by_one(tmp_path):
    with ResultsStore(tmp_path / "r.db") as store:
        number = store.enter(CONTEST)
        session = store.begin_session(number, "")
        store.add(number, session, map(game, range(60)))
        seen = []

        def report(records):
            assert not isinstance(records, list)
            seen.extend(record.number for record in islice(records, 10))
            return True

        assert run_contest(CONTEST, Plan(60), store, InProcessExecutor, report=report)
        assert seen == [divmod(i, 2) for i in range(10)]
        assert store.found == {number: 60}
        store.add(number, session, [game(99)])  # nothing that is still read is in the way


@pytest.mark.parametrize("size", [1, 7, 400])
def test_a_sequential_test_decides_the_same_however_games_come(size):
    whole, parts = Standing(CONTEST), Standing(CONTEST)
    records = [replace(game(i), utilities=(1.0, -1.0) if i % 5 else (-1.0, 1.0)) for i in range(400)]
    watches = [SprtWatch(each, Sprt(0.0, 200.0)) for each in (whole, parts)]
    whole.add(records)
    watches[0].decided()
    for first in range(0, 400, size):
        parts.add(iter(records[first : first + size]))
        watches[1].decided()
    assert watches[0].decision == watches[1].decision
    assert watches[0].pairs == watches[1].pairs
    for standing, watch in zip((whole, parts), watches, strict=True):
        standing.keep_first(watch.pairs)
    assert whole.as_dict() == parts.as_dict()


def test_records_are_read_where_they_are_kept(tmp_path):
    file = tmp_path / "r.db"
    kept, lost = (match("pig:goal=10", ["random", "hold:n=5"], games=4, db=db) for db in (file, None))
    match("pig:goal=10", ["random", "hold:n=5"], games=8, db=file)
    assert [record.number for record in kept.records] == [divmod(i, 2) for i in range(4)]
    folder = lost.kept.folder.path
    assert folder.is_dir()
    again = pickle.loads(pickle.dumps(lost))
    assert (again.records, again.kept.folder) == (lost.records, None)
    assert again.rows() == lost.rows()
    del lost
    gc.collect()
    assert not folder.exists()
    gone = match("pig:goal=10", ["random", "hold:n=5"], games=4, db=file)
    file.unlink()
    with pytest.raises(AstragalError, match="there is no results file"):
        _ = gone.records
    with ResultsStore(file):
        pass
    with pytest.raises(AstragalError, match=r"are not in .* any more|holds no results yet"):
        _ = gone.records
