"""Contests that are played: the same games wherever and however often they are, whatever is killed meanwhile."""

from __future__ import annotations

import json
import multiprocessing
import os
import random
import signal
import subprocess
import threading
import time
from collections.abc import Iterable, Iterator
from concurrent.futures import BrokenExecutor, Future, ThreadPoolExecutor
from pathlib import Path
from pickle import UnpicklingError

import pytest

from astragal import AstragalError
from astragal.algorithms.limits import Limits
from astragal.arena.contest import Contest, GameRecord
from astragal.arena.referee import replayed
from astragal.arena.run import Plan, pairs_for, run_contest
from astragal.arena.statistics.sprt import Sprt
from astragal.arena.store.results_store import ResultsStore
from astragal.arena.summary import SprtWatch, Standing
from astragal.arena.workers import Processes, cluster_workers, hand_on, in_one_piece, local_workers
from support.arenas import (
    Caller,
    Scripted,
    coin_file,
    end_matches,
    games_in,
    kept,
    play,
    seat_players,
    start_match,
    timeless,
    wait_until,
)
from support.helpers import run_here

PIG = Contest.of("pig:goal=20", ["random", "hold:n=8"], seed=11)
SEARCHES = Contest.of("pig:goal=15", ["random", "uct"], Limits(nodes=40), seed=2)


@pytest.fixture(autouse=True)
def _nothing_left_running() -> Iterator[None]:
    yield
    end_matches()


def check_all(contest: Contest, records: list[GameRecord], games: int) -> None:
    """Whether these are exactly the games of a contest, each once and each as the rules and the dice say."""
    seatings = len(contest.seatings)
    assert [record.number for record in records] == [divmod(number, seatings) for number in range(games)]
    for record in records:
        replayed(contest, record)


# The same games by any workers


@pytest.fixture(scope="module")
def expected(tmp_path_factory) -> dict[Contest, list[GameRecord]]:
    """The games of both contests, played one after the other in this process."""
    folder = tmp_path_factory.mktemp("alone")
    return {
        contest: timeless(play(contest, games, folder / f"{contest.key}.db"))
        for contest, games in ((PIG, 60), (SEARCHES, 12))
    }


def test_games_are_kept_in_whole_pairs(tmp_path, expected):
    check_all(PIG, expected[PIG], 60)
    assert len(play(PIG, 7, tmp_path / "r.db")) == 8
    three = Contest.of("focus:players=3", ["random", "random"])
    assert [pairs_for(three, games) for games in (1, 6, 7)] == [1, 1, 2]


@pytest.mark.slow
@pytest.mark.parametrize("contest", [SEARCHES, PIG], ids=["searches", "pig"])
def test_two_processes_play_the_same_games_as_one(contest, tmp_path, expected):
    games = expected[contest]
    assert timeless(play(contest, len(games), tmp_path / "r.db", jobs=2)) == games


def test_any_executor_will_do(tmp_path, expected):
    with ResultsStore(tmp_path / "r.db") as store:
        assert run_contest(PIG, Plan(60, 3), store, lambda: ThreadPoolExecutor(3))
        assert timeless(kept(store)) == expected[PIG]


def test_more_games_are_played_beside_those_that_are_there(tmp_path, expected):
    file = tmp_path / "r.db"
    first = play(PIG, 10, file)
    assert play(PIG, 10, file) == first
    assert play(PIG, 4, file) == first
    more = play(PIG, 60, file)
    assert more[:10] == first
    assert timeless(more) == expected[PIG]
    with ResultsStore(file) as store:
        assert len(store.sessions(1)) == 2  # those in which games were played


def test_a_gap_is_filled(tmp_path, expected):
    file = tmp_path / "r.db"
    play(PIG, 60, file)
    with ResultsStore(file) as store:
        store.connection.execute("DELETE FROM games WHERE (match * 7 + game) % 5 = 0")
        assert len(kept(store)) < 50
    assert timeless(play(PIG, 60, file)) == expected[PIG]


@pytest.mark.slow
def test_contests_in_one_file_do_not_mix(tmp_path, expected):
    file = tmp_path / "r.db"
    play(PIG, 4, file)
    play(SEARCHES, 12, file)
    play(PIG, 60, file)
    with ResultsStore(file) as store:
        assert timeless(kept(store, 1)) == expected[PIG]
        assert timeless(kept(store, 2)) == expected[SEARCHES]


def test_what_does_not_fit_is_said_before_any_game(tmp_path):
    contest = Contest.of("pig", ["star1", "star1"], Limits(sims=10))
    with (
        ResultsStore(tmp_path / "r.db") as store,
        pytest.raises(AstragalError, match="star1 has no simulations to limit"),
    ):
        run_contest(contest, Plan(4), store, lambda: local_workers(1))


def test_a_strict_run_stops_at_a_fault_and_keeps_what_was_played(tmp_path, monkeypatch):
    def failing_late(position, result):
        if len(asked.asked) > 40:
            raise RuntimeError("tired")
        return result

    asked = Scripted(failing_late)
    seat_players(monkeypatch, asked, Scripted())
    contest = Contest.of("tic_tac_toe", ["random", "random"])
    with ResultsStore(tmp_path / "r.db") as store:
        monkeypatch.setattr("astragal.arena.dispatch.MAX_TOGETHER", 1)
        with pytest.raises(AstragalError, match=r"random in seat . of game .* failed: RuntimeError: tired"):
            run_contest(contest, Plan(100, strict=True), store, lambda: local_workers(1))
        assert 5 <= len(kept(store)) < 20


# What is killed


def children(pid: int) -> list[int]:
    """The processes that a process has started."""
    try:
        return [int(child) for child in Path(f"/proc/{pid}/task/{pid}/children").read_text().split()]
    except OSError:
        return []


def is_running(pid: int) -> bool:
    try:
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] != "Z"
    except OSError:
        return False


def kill_while_playing(running: subprocess.Popen[str], file: Path, games: int, later: float) -> None:
    """Kill a coordinator some seconds after it has kept more than this many games; its workers end with it."""
    wait_until(lambda: games_in(file) > games or running.poll() is not None)
    time.sleep(later)
    workers = children(running.pid)
    running.kill()
    running.communicate(timeout=30)  # which waits for the workers too: they share its output
    wait_until(lambda: not any(map(is_running, workers)), 10.0)


def kill_and_resume(file: Path, times: int, games: int) -> None:
    """Kill the coordinator at random moments, then let the same command finish."""
    dice = random.Random(times)
    contest = Contest.of("pig:goal=40", ["random", "hold:n=8"])
    command = ["pig:goal=40", "random", "hold:n=8", "--games", games, "--db", file]
    before: dict[tuple[int, int], GameRecord] = {}
    for number in range(times):
        running = start_match(*command, "--jobs", 1 + number % 2)
        starting = number % 3 == 2  # killed at any moment of its start
        kill_while_playing(running, file, -1 if starting else len(before), dice.random() * (1.0 if starting else 0.3))
        with ResultsStore(file) as store:
            after = {record.number: record for record in kept(store)}
        assert before.items() <= after.items()  # nothing that was kept is lost
        before = after
    assert 0 < len(before) < games, "it was not killed while it played"
    ran = start_match(*command, "--jobs", 2)
    out, err = ran.communicate(timeout=120)
    assert (ran.returncode, err) == (0, "")
    assert f"{games} games, {games // 2} pairs" in out
    with ResultsStore(file) as store:
        records = kept(store)
        assert store.connection.execute("PRAGMA integrity_check").fetchone() == ("ok",)
    check_all(contest, records, games)


@pytest.mark.slow
def test_a_run_that_is_killed_again_and_again_goes_on_where_it_was(tmp_path):
    kill_and_resume(tmp_path / "r.db", 7, 2500)


@pytest.mark.slow
def test_games_of_killed_workers_are_played_again(tmp_path, expected):
    kills = 0

    def report(records: list[GameRecord]) -> bool:
        nonlocal kills
        workers = multiprocessing.active_children()
        if records and workers and kills < 2:
            kills += 1
            workers[0].kill()
        return False

    with ResultsStore(tmp_path / "r.db") as store:
        assert run_contest(PIG, Plan(60, 2), store, lambda: local_workers(2), report=report)
        assert timeless(kept(store)) == expected[PIG]
    assert kills == 2


@pytest.mark.slow
def test_a_game_that_kills_its_worker_each_time_is_named_and_the_others_are_played(tmp_path):
    file = coin_file(tmp_path, misdeed="if state.plies == 1 and state.named[0] == 1: __import__('os')._exit(3)")
    contest = Contest.of(str(file), ["random", "random"], seed=1)
    with ResultsStore(tmp_path / "r.db") as store:
        with pytest.raises(AstragalError) as raised:
            run_contest(contest, Plan(4, 2), store, lambda: local_workers(2))
        played = {record.number for record in kept(store)}
        lost = {(m, g) for m in range(2) for g in range(2)} - played
        assert played
        assert lost
        names = ", ".join(f"game {pair + 1}.{game + 1}" for pair, game in sorted(lost))
        assert str(raised.value) == (
            f"the worker died each time that one of these was tried (out of memory?): {names}; "
            "all others that were done are kept"
        )


# Ctrl-C


def interrupt(running: subprocess.Popen[str]) -> None:
    """What Ctrl-C in a terminal does: the signal goes to every process of the group."""
    os.killpg(running.pid, signal.SIGINT)


@pytest.mark.few(1)
@pytest.mark.parametrize("jobs", [1, 2])
def test_ctrl_c_stops_after_the_games_under_way_and_the_same_command_goes_on(tmp_path, jobs):
    file, games = tmp_path / "r.db", 1_000_000  # more than are played before the signal comes
    command = ["pig:goal=60", "random", "hold", "--seed", 3, "--games", games, "--jobs", jobs, "--db", file]
    running = start_match(*command)
    wait_until(lambda: games_in(file) > 3)
    interrupt(running)
    out, err = running.communicate(timeout=60)
    assert running.returncode == 130
    waits = "stopping after the games under way; Ctrl-C again ends at once"
    assert err == f"{waits}\nastragal: stopped; the same command goes on from here\n"
    stopped = games_in(file)
    assert 3 < stopped < games
    assert f"pig:goal=60: {stopped} games" in out
    again = start_match(*command[:-5], stopped + 4, *command[-4:])
    out, err = again.communicate(timeout=60)
    assert (again.returncode, err) == (0, "")
    wanted = stopped + 4 + stopped % 2
    with ResultsStore(file) as store:
        check_all(store.contests()[0].contest, kept(store), wanted)


@pytest.mark.slow
@pytest.mark.parametrize("jobs", [1, 2])
def test_every_game_that_was_begun_before_ctrl_c_is_kept(tmp_path, jobs):
    log = tmp_path / "begun"
    note = f"open({str(log)!r}, 'a').write('x')"
    game = coin_file(tmp_path, misdeed=f"if state.plies == 1: {note}; __import__('time').sleep(0.2)")
    contest = Contest.of(str(game), ["random", "random"])

    def report(records: Iterable[GameRecord]) -> bool:
        if any(True for _ in records) and not interrupted:
            interrupted.append(True)
            os.kill(os.getpid(), signal.SIGINT)
        return False

    interrupted: list[bool] = []
    with ResultsStore(tmp_path / "r.db") as store:
        assert not run_contest(contest, Plan(100, jobs), store, lambda: local_workers(jobs), report=report)
        assert jobs <= len(kept(store)) == len(log.read_text()) < 10


@pytest.mark.slow
@pytest.mark.skipif(not Path("/proc/self").exists(), reason="needs /proc to find the workers")
def test_ctrl_c_twice_ends_at_once(tmp_path):
    file = tmp_path / "r.db"
    running = start_match("pig", "star2", "star2", "--time", 60, "--games", 4, "--jobs", 2, "--db", file)
    wait_until(lambda: len(children(running.pid)) >= 2)
    time.sleep(1.0)
    workers = children(running.pid)
    interrupt(running)
    with pytest.raises(subprocess.TimeoutExpired):
        running.wait(timeout=1.0)
    interrupt(running)
    _, err = running.communicate(timeout=20)
    assert running.returncode == 130
    assert "Traceback" not in err
    wait_until(lambda: not any(map(is_running, workers)), 10.0)
    assert games_in(file) == 0


def test_killed_workers_leave_cancelled_tasks_alone(monkeypatch):
    problems = []
    monkeypatch.setattr(threading, "excepthook", problems.append)
    workers = Processes(1)
    tasks = [workers.submit(time.sleep, 60) for _ in range(8)]
    wait_until(tasks[1].running)  # now the pool waits for a process
    cancelled = [task for task in tasks if task.cancel()]
    workers.kill()
    wait_until(tasks[0].done)  # the pool has noticed
    workers.shutdown(wait=True, cancel_futures=True)
    assert cancelled
    assert not problems


# Dask


@pytest.mark.slow
def test_a_cluster_plays_the_same_games_and_survives_the_death_of_a_worker(tmp_path, expected, capsys):
    distributed = pytest.importorskip("distributed")
    contest = Contest.of("pig:goal=60", ["random", "hold:n=8"])
    quiet = {"silence_logs": 50, "dashboard_address": None}
    with distributed.LocalCluster(n_workers=2, processes=True, threads_per_worker=1, **quiet) as cluster:
        address = cluster.scheduler_address
        with ResultsStore(tmp_path / "same.db") as store:
            executor, threads = cluster_workers(address)
            assert threads == 2
            assert run_contest(SEARCHES, Plan(12, threads), store, lambda: executor)
            assert timeless(kept(store)) == expected[SEARCHES]

        with distributed.Client(address) as client:
            pids = list(client.run(os.getpid).values())
        killed: list[int] = []
        reports = 0

        def kill_one(records: list[GameRecord]) -> bool:
            nonlocal reports
            reports += 1
            if reports == 3:
                killed.append(pids[0])
                os.kill(pids[0], signal.SIGKILL)
            return False

        with ResultsStore(tmp_path / "killed.db") as store:
            executor, threads = cluster_workers(address)
            assert run_contest(contest, Plan(300, threads), store, lambda: executor, report=kill_one)
            assert killed
            check_all(contest, kept(store), 300)

        command = ["match", "pig:goal=20", "random", "hold:n=8", "--seed", 11, "--games", 60]
        ran = run_here(capsys, *command, "--cluster", address, "--db", tmp_path / "cli.db")
        assert (ran.code, ran.err) == (0, "")
        with ResultsStore(tmp_path / "cli.db") as store:
            assert timeless(kept(store)) == expected[PIG]


def test_what_a_cluster_says_of_a_game_is_handed_on():
    class KilledWorker(Exception):
        """As Dask's is called."""

    for problem, kind in ((KilledWorker("x"), BrokenExecutor), (ValueError("y"), ValueError), (None, None)):
        done, future = Future(), Future()
        if problem is None:
            done.set_result(in_one_piece(int, "5"))
        else:
            done.set_exception(problem)
        hand_on(done, future)
        assert type(future.exception()) is (kind or type(None))
    assert future.result() == 5
    done, future = Future(), Future()
    done.set_result(b"of another version")
    hand_on(done, future)
    assert isinstance(future.exception(), UnpicklingError)  # rather than a game that never ends
    gone, future = Future(), Future()
    gone.cancel()
    hand_on(gone, future)
    assert str(future.exception()) == "the Dask scheduler is gone; the same command goes on from here"


def test_a_cluster_that_is_not_there_gives_a_sentence(tmp_path, capsys, monkeypatch):
    distributed = pytest.importorskip("distributed")
    connect = distributed.Client
    monkeypatch.setattr(distributed, "Client", lambda address, timeout: connect(address, timeout=0.5))
    ran = run_here(
        capsys, "match", "pig", "random", "hold", "--cluster", "tcp://127.0.0.1:9", "--db", tmp_path / "r.db"
    )
    assert ran.code == 2
    assert "astragal: there is no Dask scheduler at tcp://127.0.0.1:9" in ran.err


# Sequential tests


def decided_by(jobs: int, file: Path, capsys: pytest.CaptureFixture[str], seed: int) -> dict:
    command = ["match", "pig:goal=20", "hold:n=8", "random", "--sprt", "0:60", "--seed", seed, "--jobs", jobs]
    ran = run_here(capsys, *command, "--db", file, "--json")
    assert (ran.code, ran.err) == (0, "")
    return json.loads(ran.out)


@pytest.mark.slow
def test_a_sequential_test_stops_at_the_same_match_whatever_the_number_of_jobs(tmp_path, capsys):
    one, two = (decided_by(jobs, tmp_path / f"{jobs}.db", capsys, seed=4) for jobs in (1, 2))
    assert one["sprt"]["decision"] == "accept H1"
    assert 3 < one["pairs"] == one["sprt"]["pairs"] < 400
    assert one["games"] == 2 * one["pairs"]
    for answer in (one, two):
        del answer["file"], answer["worst_overrun"], answer["new_games"]  # some were under way
    assert one == two
    again = decided_by(2, tmp_path / "1.db", capsys, seed=4)  # and it does the same when it runs again
    assert again["sprt"] == one["sprt"]
    with ResultsStore(tmp_path / "1.db") as store:
        assert len(store.sessions(1)) == 1


@pytest.mark.slow
def test_matches_count_in_their_order_and_not_as_they_come(tmp_path):
    records = play(PIG, 400, tmp_path / "r.db")
    sprt = Sprt(-60.0, 0.0)
    answers = []
    for order in (records, records[::-1], random.Random(1).sample(records, len(records))):
        standing = Standing(PIG)
        watch = SprtWatch(standing, sprt)
        for record in order:
            standing.add([record])
            if watch.decided():
                break
        answers.append((watch.decision, watch.pairs, watch.llr))
    assert len(set(answers)) == 1
    assert answers[0][0] == "accept H0"


# A player that wins with a known probability


@pytest.mark.slow
@pytest.mark.parametrize("chance", [30, 50])
def test_a_known_probability_is_in_its_interval_as_often_as_it_should(chance, tmp_path, monkeypatch):
    seat_players(monkeypatch, Caller(1), Caller(0))
    spec = f"{coin_file(tmp_path)}:chance={chance}"
    runs, covered, means = 80, 0, []
    with ResultsStore(tmp_path / "r.db") as store:
        for seed in range(runs):
            contest = Contest.of(spec, ["random", "random"], seed=seed)
            standing = Standing(contest)
            run_contest(contest, Plan(80), store, lambda: local_workers(1), report=standing_report(standing))
            estimate = standing.paired()
            covered += estimate.low <= chance / 100 <= estimate.high
            means.append(estimate.mean)
    assert 0.87 * runs <= covered <= runs
    spread = 4 * (0.25 / (runs * 40)) ** 0.5  # at most: the two games of a pair need not be independent
    assert abs(sum(means) / runs - chance / 100) < spread


def standing_report(standing: Standing):
    def report(records: list[GameRecord]) -> bool:
        standing.add(records)
        return False

    return report
