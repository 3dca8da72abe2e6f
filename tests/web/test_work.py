"""Work that the page starts: what may be ordered, the queue, and that commands go on with its games."""

from __future__ import annotations

import subprocess
import sys
from functools import partial
from pathlib import Path

import pytest

pytest.importorskip("fastapi")
pytest.importorskip("uvicorn")
pytest.importorskip("httpx")

import astragal
from astragal.arena.store.results_store import ResultsStore
from astragal.base.errors import AstragalError
from astragal.web.caps import Caps
from astragal.web.requests import Conflict, Missing, NewLearning, NewMatch, NewStrength, NewTournament, TooMany
from astragal.web.state import make_state
from astragal.web.work import queue as queue_module
from astragal.web.work.orders import learn_order, match_order, strong_order, tournament_order
from astragal.web.work.queue import Order, WorkQueue
from support.helpers import EXAMPLE, run_here
from support.web_servers import serving, until

PIG = "pig:goal=10"
SLEEPS = "import time\nfor i in range(3000): print(i, flush=True); time.sleep(0.02)"
ENDS = "print('it is over')"
FAILS = "import sys; print('astragal: it is wrong'); sys.exit(2)"


@pytest.fixture
def state(tmp_path):
    return make_state((f"{EXAMPLE}:MyGame",), tmp_path / "results.db", models=tmp_path, may_work=True)


@pytest.fixture
def queue(monkeypatch):
    """A queue whose commands are little programs."""

    def start(words):
        return subprocess.Popen(
            [sys.executable, "-S", "-c", words[0]], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True
        )

    monkeypatch.setattr(queue_module, "start_command", start)
    made = WorkQueue(Caps(work_waiting=2))
    yield made
    made.close()
    until(lambda: made.runner is None)


def order(program: str, name: str = "") -> Order:
    return Order("match", name, (program,))


def is_over(work) -> bool:
    return not work.is_going


# Orders


def test_the_games_of_a_match_are_those_that_the_command_plays(state, tmp_path):
    """The contest that the page looks for is the one that the same words make elsewhere, and the other way round."""
    wanted = NewMatch(game=PIG, players=["hold:n=5", "random"], games=4, seed=3)
    made = match_order(state, wanted)
    assert made.command[:4] == ("match", PIG, "hold:n=5", "random")
    astragal.match(PIG, ["hold:n=5", "random"], games=4, seed=3, db=tmp_path / "results.db")
    with ResultsStore(tmp_path / "results.db") as store:
        assert [each.games for each in store.contests_by_key(made.contests)] == [4]
        assert store.contests_by_key(["another"]) == []


@pytest.mark.parametrize("format", ["round-robin", "gauntlet"])
@pytest.mark.parametrize("game", [PIG, "cant_stop:players=1,sides=3,shortest=2"])
def test_the_meetings_of_a_tournament_are_found(state, tmp_path, game, format):
    players = ["random", "greedy", "hold:n=5"] if game == PIG else ["random", "rule28"]
    if game == PIG:
        players[1] = "hold:n=7"
    made = tournament_order(state, NewTournament(game=game, players=players, games=2, format=format))
    astragal.tournament(game, players, 2, format, db=tmp_path / "results.db")
    with ResultsStore(tmp_path / "results.db") as store:
        there = store.contests()
        assert {each.contest.key for each in there} == set(made.contests)
        if game == PIG:
            assert sum(each.games for each in there) == made.games


def test_a_sequential_test_is_watched(state):
    wanted = NewMatch(game=PIG, players=["hold:n=5", "random"], games=20, sprt=(0, 20))
    made = match_order(state, wanted)
    assert made.line.endswith("--sprt 0:20")
    astragal.match(PIG, ["hold:n=5", "random"], games=20, db=state.results)
    (score,) = state.reader.scores_of(made.contests, made.sprt)
    assert score["sprt"]["pairs"] == 10
    assert score["sprt"]["lower"] < score["sprt"]["llr"] < score["sprt"]["upper"]
    assert score["games"] == 20
    assert score["low"] < score["rate"] < score["high"]


def test_a_learning_run_lies_in_the_folder_of_models(state, tmp_path):
    made = learn_order(state, NewLearning(game="MyGame", name="mine", minutes=0.5, settings="hidden=8"))
    words = [str(tmp_path / "mine.npz"), "--minutes", "0.5", "--settings", "hidden=8"]
    assert list(made.command) == ["learn", f"{EXAMPLE}:MyGame", "--out", *words]


def test_a_game_of_the_users_is_made_strong_and_no_other(state):
    made = strong_order(state, NewStrength(game="MyGame:track=30", minutes=2, games=10))
    words = ["--make", "--minutes", "2", "--games", "10", "--jobs", "1"]
    assert list(made.command) == ["best", f"{EXAMPLE}:MyGame:track=30", *words]
    assert made.title == "MyGame:track=30"
    with pytest.raises(AstragalError, match="comes with Astragal"):
        strong_order(state, NewStrength(game=PIG))


@pytest.mark.parametrize(
    ("players", "limits", "why"),
    [
        (["engine:command=touch started", "random"], {}, "runs other programs"),
        (["star1:evaluation=/etc/passwd", "random"], {}, "not a file"),
        (["star1:evaluation=../x.npz", "random"], {}, "not a file"),
        (["star1:check=on", "random"], {}, "cannot be stopped"),
        (["uct:time=100", "random"], {}, "time is at most 60"),
        (["uct:memory=4000", "random"], {}, "memory is at most 1024"),
        (["uct", "random"], {"time": 61}, "at most 60 seconds"),
        (["uct", "--db=x"], {}, "no player '--db=x'"),
        (["uct", "random", "greedy"], {}, "has 2 seats"),
        (["uct", "random"], {"games": 10**8}, "at most 1,000,000 games"),
        (["uct", "random"], {"sprt": (20, 0)}, "elo0 must be below"),
    ],
)
def test_what_is_no_work_for_the_page(state, monkeypatch, tmp_path, players, limits, why):
    monkeypatch.chdir(tmp_path)
    with pytest.raises(AstragalError, match=why):
        match_order(state, NewMatch(game=PIG, players=players, **limits))
    assert not Path("started").exists()


def test_a_model_of_the_folder_may_play(state, tmp_path):
    state.caps.refuse_for_work(astragal.load_player(f"star1:evaluation={tmp_path}/mine.npz"), state.models)


def test_orders_need_places_for_their_results():
    bare = make_state(may_work=True)
    with pytest.raises(Conflict, match="--db"):
        match_order(bare, NewMatch(game=PIG, players=["random", "random"]))
    with pytest.raises(Conflict, match="--models"):
        learn_order(bare, NewLearning(game=PIG, name="x"))


def test_learning_in_several_threads_is_for_the_operator_to_allow(state):
    with pytest.raises(AstragalError, match="jobs is at most 1"):
        learn_order(state, NewLearning(game=PIG, name="x", settings="jobs=2"))


# The queue


def test_one_command_runs_at_a_time_and_the_next_follows(queue):
    first, second = queue.add(order(SLEEPS)), queue.add(order(ENDS))
    until(lambda: first.printed)
    assert (first.state, second.state) == ("running", "waiting")
    queue.stop(first.number)
    until(partial(is_over, second))
    assert (first.state, second.state) == ("stopped", "done")
    assert list(second.printed) == ["it is over"]
    assert second.ran > 0
    assert queue.all() == [second, first]


def test_what_stopped_goes_on_and_what_waits_can_be_taken_out(queue):
    first, second = queue.add(order(SLEEPS)), queue.add(order(ENDS))
    queue.stop(second.number)
    assert second.state == "stopped"
    queue.resume(second.number)
    assert second.state == "waiting"
    queue.remove(second.number)
    until(lambda: first.printed)
    with pytest.raises(Conflict, match="stop it before"):
        queue.remove(first.number)
    queue.stop(first.number)
    until(partial(is_over, first))
    queue.resume(first.number)
    until(lambda: first.state == "running" and first.printed)
    with pytest.raises(Missing):
        queue.stop(second.number)


def test_there_is_an_end_to_what_waits_and_nothing_waits_twice(queue):
    queue.add(order(SLEEPS))
    until(lambda: not queue.waiting)
    queue.add(order(ENDS, "a"))
    with pytest.raises(Conflict, match="already"):
        queue.add(order(ENDS, "a"))
    queue.add(order(ENDS, "b"))
    with pytest.raises(TooMany):
        queue.add(order(ENDS, "c"))


def test_work_is_stopped_after_the_time_that_the_operator_allows(queue):
    queue.caps = Caps(work_minutes=0.001)
    work = queue.add(order(SLEEPS))
    until(partial(is_over, work))
    assert work.state == "stopped"
    assert "0.001 minutes" in work.note


def test_a_command_that_fails_and_one_that_cannot_start(queue, monkeypatch):
    work = queue.add(order(FAILS))
    until(partial(is_over, work))
    assert work.state == "failed"
    monkeypatch.setattr(queue_module, "start_command", lambda words: subprocess.Popen([str(Path(__file__).parent)]))
    work = queue.add(order(ENDS))
    until(partial(is_over, work))
    assert work.state == "failed"
    assert "could not be started" in work.note


def test_a_server_that_ends_ends_its_work(queue):
    first, second = queue.add(order(SLEEPS)), queue.add(order(ENDS))
    until(lambda: first.printed)
    queue.close()
    until(lambda: queue.runner is None)
    assert (first.state, second.state) == ("stopped", "stopped")
    with pytest.raises(Conflict, match="stopping"):
        queue.resume(second.number)


# The server


def test_a_match_by_requests_and_the_command_goes_on_from_it(tmp_path):
    db = tmp_path / "results.db"
    with serving(results=db, work=True) as server:
        body = {"game": PIG, "players": ["hold:n=5", "random"], "games": 4}
        made = server.post("/api/work/match", **body).json()
        assert made["command"] == f"astragal match {PIG} hold:n=5 random --games 4 --jobs 1 --db {db}"
        until(lambda: server.get("/api/work").json()["work"][0]["state"] == "done")
        (row,) = server.get("/api/work").json()["work"]
        assert row["contests"][0]["games"] == 4
        assert row["printed"][-1].startswith("4 new games")
        assert server.post("/api/work/7/stop").status_code == 404
        assert server.post("/api/work/1/stop").status_code == 409
        assert server.post("/api/work/match", **body, sprt=["0"]).status_code == 422
        assert server.post("/api/work/learn", game=PIG, name="../x").status_code == 422
        assert server.client.request("DELETE", "/api/work/1", json={}).status_code == 200
        assert server.get("/api/work").json()["work"] == []
    again = astragal.match(PIG, ["hold:n=5", "random"], games=6, db=db)
    assert (again.tally.new, again.tally.found) == (2, 4)


def test_a_failed_command_says_why(tmp_path):
    (tmp_path / "mine.npz").write_text("no model")
    with serving(models=tmp_path, work=True) as server:
        server.post("/api/work/learn", game=PIG, name="mine")
        until(lambda: server.get("/api/work").json()["work"][0]["state"] == "failed")
        assert "is there already and is no model" in server.get("/api/work").json()["work"][0]["note"]


def test_a_server_that_starts_no_work():
    with serving() as server:
        assert server.get("/api/work").json()["allowed"] is False
        answer = server.post("/api/work/match", game=PIG, players=["random", "random"])
        assert answer.status_code == 403
        assert "--work" in answer.json()["error"]


@pytest.mark.parametrize(
    ("options", "allowed"),
    [
        ((), True),
        (("--no-work",), False),
        (("--host", "0.0.0.0"), False),
        (("--host", "0.0.0.0", "--work"), True),
    ],
)
def test_work_is_off_where_others_are_answered_unless_allowed(capsys, monkeypatch, options, allowed):
    served = []
    monkeypatch.setattr("astragal.web.server.serve", lambda state, address, ready: served.append((state, address)))
    run_here(capsys, "web", "--port", "0", "--no-browser", "--work-minutes", "7", "--work-jobs", "2", *options)
    ((state, address),) = served
    address.socket.close()
    assert (state.work is not None) == allowed
    assert (state.caps.work_minutes, state.caps.work_jobs) == (7.0, 2)
