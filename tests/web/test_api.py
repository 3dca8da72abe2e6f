"""The server of the web page: what it answers, what it refuses, and that searches end when they are not wanted."""

from __future__ import annotations

import ast
import json
import os
import re
import signal
import socket
import subprocess
import sys
from contextlib import ExitStack, suppress
from itertools import islice

import pytest

pytest.importorskip("fastapi")
pytest.importorskip("uvicorn")
pytest.importorskip("httpx")

import httpx
import numpy as np

import astragal
from astragal.algorithms.limits import Limits
from astragal.arena.contest import Contest
from astragal.arena.run import Plan, run_contest
from astragal.arena.store.results_store import ResultsStore
from astragal.arena.workers import local_workers
from astragal.base.arrays import write_arrays
from astragal.base.errors import AstragalError, SpecError
from astragal.games import game_names, sheet_names
from astragal.learn.model import shipped_models
from astragal.web import results as web_results
from astragal.web import reviewing, safety
from astragal.web.app import STATIC
from astragal.web.caps import Caps
from astragal.web.safety import own_names
from astragal.web.server import listen
from astragal.web.state import make_state
from support.helpers import EXAMPLE, TESTS
from support.web_servers import PATIENCE, serving, until

LONG = 60.0  # seconds that a search may take which a test ends


@pytest.fixture(scope="module")
def served():
    with serving((f"{EXAMPLE}:MyGame:track=30",)) as server:
        yield server


@pytest.fixture(scope="module")
def small():
    """A server on which little is allowed."""
    with serving(seconds=0.2, default_seconds=0.1, searches=1, waiting=1, sessions=3, trees=2, steps=4) as server:
        yield server


# What there is


def test_all_games_are_listed_with_what_their_records_say(served):
    games = {game["id"]: game for game in served.get("/api/games").json()["games"]}
    assert list(games) == [*game_names(), *sheet_names(), "MyGame"]
    assert [game["id"] for game in games.values() if game["own"]] == ["MyGame"]
    (goal, *_) = games["pig"]["parameters"]
    assert (goal["name"], goal["kind"], goal["default"], goal["low"], goal["high"]) == ("goal", "int", "100", 2, 1000)
    (track,) = games["MyGame"]["parameters"]
    assert track["default"] == "30"  # as the command line gave it


def test_learned_evaluations_are_listed_with_those_of_a_folder(served, tmp_path, monkeypatch):
    shipped = served.get("/api/models").json()
    assert shipped["folder"] is None
    assert [each["name"] for each in shipped["models"]] == list(shipped_models())
    monkeypatch.setattr(served.state, "models", tmp_path)
    facts = {"game": "pig", "curve": [{"games": 5, "share": 0.5, "error": 0.1}]}
    write_arrays(tmp_path / "mine.checkpoint.npz", {"facts": np.array(json.dumps(facts))})
    first, *others = served.get("/api/models").json()["models"]
    assert (first["kind"], first["name"], first["games"]) == ("checkpoint", "mine", 5)
    assert others == shipped["models"]


def test_a_folder_of_models_that_is_none_is_refused(tmp_path):
    with pytest.raises(SpecError, match="is not a folder"):
        make_state(models=tmp_path / "missing")


def test_a_game_with_settings_is_described_or_refused(served):
    facts = served.get("/api/game", game="focus:players=3").json()
    assert (facts["game"], facts["players"], facts["chance"]) == ("focus:players=3", 3, False)
    assert "Focus" in facts["rules"]
    assert served.get("/api/game", game="MyGame").json()["game"] == "MyGame:track=30"
    assert served.get("/api/game", game="MyGame:track=40").json()["game"] == "MyGame:track=40"
    refused = served.get("/api/game", game="focus:players=30")
    assert refused.status_code == 422
    assert refused.json() == {"error": "focus: players=30 is too large; the most is 4"}


def test_players_are_listed_with_their_settings_for_the_game_and_why_some_do_not_fit(served):
    players = {row["name"]: row for row in served.get("/api/players", game="kalah").json()["players"]}
    assert list(players) == list(astragal.player_classes())
    assert players["alphabeta"]["fits"]
    assert players["alphabeta"]["tree"]
    assert players["uct_h"]["parameters"][3]["name"] == "c"
    assert players["uct_h"]["parameters"][3]["default"] == "2.5"  # the paper's for Kalah
    assert not players["hold"]["fits"]
    assert players["hold"]["why"] == "hold only plays pig, not kalah"
    assert not any(row["name"] in ("keep", "check") for row in players["star2"]["parameters"])


# Games under way


PLAYED = [
    *game_names(),
    "focus:players=4",
    "cant_stop:players=1",
    "MyGame",
    "three_way.kif",
    "pig.kif",
    "knights_tour.kif",
]


@pytest.mark.few(1)
@pytest.mark.parametrize("game", PLAYED)
def test_a_game_can_be_played_to_its_end_and_taken_back(served, game):
    view = served.session(game, seed=3)
    place, start = f"/api/sessions/{view['id']}", view["start"]
    seen = [view["position"]["text"]]
    while view["position"]["kind"] != "end" and view["ply"] < 30:
        position = view["position"]
        if position["kind"] == "chance":
            view = served.post(f"{place}/deal", ply=view["ply"]).json()
        else:
            action = position["actions"][(7 * view["ply"]) % len(position["actions"])]
            view = served.post(f"{place}/play", action=action["number"], ply=view["ply"]).json()
            assert view["last"]["name"] == action["name"]
            picture, number = position["picture"], str(action["number"])
            assert view["last_keys"] == picture.get("ways", {}).get(number, picture["moves"][number])
        seen.append(view["position"]["text"])
    assert (view["verdict"] is None) == (view["position"]["kind"] != "end")
    assert [step["ply"] for step in view["steps"]] == list(range(1, view["ply"] + 1))
    middle = view["ply"] // 2
    there = served.get(f"{place}/at", ply=middle).json()
    back = served.post(f"{place}/undo", ply=middle).json()
    assert back["position"] == there
    again = served.post("/api/sessions", game=game, position=back["link"]["position"]).json()
    assert again["position"]["text"] == there["text"]
    assert again["position"]["actions"] == there["actions"]
    assert served.post(f"{place}/position", position=start).json()["steps"] == []


def test_the_same_dice_come_again_after_undo_and_for_the_same_seed(served):
    def rolls(view, count):
        place = f"/api/sessions/{view['id']}"
        for _ in range(count):
            chance = view["position"]["kind"] == "chance"
            view = (served.post(f"{place}/deal") if chance else served.post(f"{place}/play", action="roll")).json()
        return view

    first = rolls(served.post("/api/sessions", game="pig", seed=8).json(), 9)
    other = rolls(served.post("/api/sessions", game="pig", seed=8).json(), 9)
    assert first["steps"] == other["steps"]
    back = served.post(f"/api/sessions/{first['id']}/undo", ply=2).json()
    assert rolls(back, 7)["steps"] == first["steps"]


def test_undo_goes_back_to_the_person(served):
    view = served.session("tic_tac_toe", seats=["person", "random"])
    place = f"/api/sessions/{view['id']}"
    before = served.post(f"{place}/play", action=view["position"]["actions"][0]["number"]).json()
    assert before["to_move"] == {"seat": 2, "person": False, "player": "random", "roller": None}
    events = served.events(f"{place}/move")
    assert names_of(events) == ["begin", "result", "moved"]
    after = events[-1][1]["session"]
    assert after["to_move"]["person"]
    assert after["steps"][1]["thought"]["player"] == "random"
    back = served.post(f"{place}/undo").json()
    assert (back["ply"], back["position"]["text"]) == (0, view["position"]["text"])
    refused = served.post(f"{place}/undo")
    assert (refused.status_code, refused.json()["error"]) == (409, "there is nothing to undo")


def test_an_outcome_can_be_chosen(served):
    view = served.post("/api/sessions", game="ewn:setup=fixed").json()
    place = f"/api/sessions/{view['id']}"
    assert served.post(f"{place}/deal", outcome=view["position"]["outcomes"][4]["name"]).json()["last"]["number"] == 4
    assert served.post(f"{place}/deal", outcome=1).status_code == 409
    served.post(f"{place}/undo", ply=0)
    assert served.post(f"{place}/deal", outcome=77).status_code == 422


@pytest.mark.parametrize(
    ("path", "body", "status", "sentence"),
    [
        ("play", {"action": 99}, 422, "99 is not a legal action here"),
        ("play", {"action": "nonsense"}, 422, "'nonsense' is not a legal action here"),
        ("play", {"action": 0, "ply": 7}, 409, "the game has gone on"),
        ("play", {}, 422, "action: field required"),
        ("play", {"action": 1, "more": 1}, 422, "more: extra inputs are not permitted"),
        ("deal", {}, 409, "a player is to move, not chance"),
        ("undo", {"ply": 5}, 409, "the game has not 5 steps to go back to"),
        ("position", {"position": "nonsense"}, 422, "'nonsense' is not a position of TicTacToe"),
        ("seats", {"seats": ["person"]}, 422, "tic_tac_toe has 2 seats, not 1"),
        ("seats", {"seats": ["person", "hold"]}, 422, "hold only plays pig"),
        ("seats", {"seats": ["person", "../x"]}, 422, "there is no player '../x'"),
        ("move", {}, 409, "a person plays in seat 1"),
        ("move", {"player": "star2:check=on"}, 422, "check=on cannot be stopped"),
        ("analyse", {"players": []}, 422, "players: list should have at least 1 item"),
        ("analyse", {"players": ["uct"] * 4}, 422, "at most 3 players"),
        ("analyse", {"players": ["uct:sims=0"]}, 422, "sims=0 is too small"),
        ("analyse", {"players": ["uct"], "seconds": -1}, 422, "seconds: input should be greater than 0"),
    ],
)
def test_wrong_requests_get_a_sentence_and_change_nothing(served, path, body, status, sentence):
    view = served.session("tic_tac_toe")
    answer = served.post(f"/api/sessions/{view['id']}/{path}", **body)
    assert answer.status_code == status
    assert sentence in answer.json()["error"]
    assert "\n" not in answer.json()["error"]
    assert served.get(f"/api/sessions/{view['id']}").json() == view


def test_no_file_is_read_for_a_request(served, tmp_path):
    """Neither a game nor a player is loaded from a path, whatever it holds."""
    trap = tmp_path / "trap.py"
    trap.write_text(f"open({str(tmp_path / 'sprung')!r}, 'w')\n")
    for game in (str(trap), f"{trap}:Trap", f"{EXAMPLE}:MyGame", "../pig", "pig.py", "astragal.games.pig"):
        assert served.post("/api/sessions", game=game).status_code == 422
        assert served.get("/api/players", game=game).status_code == 422
    assert served.post("/api/sessions", game="pig", seats=["person", str(trap)]).status_code == 422
    assert not (tmp_path / "sprung").exists()


def test_choices_of_a_round_are_hidden_until_all_have_chosen(served):
    """Neither the page of a person who is to choose nor the thoughts of a player show what another one has chosen."""
    view = served.session("rock_paper_scissors.kif", seats=["uct:sims=50", "person"])
    place = f"/api/sessions/{view['id']}"
    events = served.events(f"{place}/move")
    assert names_of(events) == ["begin", "moved"]
    secret = events[-1][1]
    assert (secret["action"], secret["name"]) == (None, "(hidden)")
    chosen = served.state.sessions.find(view["id"]).steps[0].name
    assert chosen in ("rock", "paper", "scissors")
    shown = secret["session"]
    assert shown["position"]["hidden"]
    assert shown["steps"][0]["number"] is None
    assert shown["to_move"] == {"seat": 2, "person": True, "player": None, "roller": None}
    assert served.get(f"{place}/at", ply=1).json() == shown["position"]
    events = served.events(f"{place}/analyse", players=["uct:sims=50"])
    assert found(events, "begin")[0]["position"] == shown["position"]["text"]
    after = served.post(f"{place}/play", action="rock").json()
    assert [step["name"] for step in after["steps"]] == [chosen, "rock"]
    assert not after["position"]["hidden"]


def test_rule_sheets_take_no_settings_from_requests(served):
    assert served.get("/api/game", game="tic_tac_toe.kif").json()["roles"] == ["x", "o"]
    refused = served.get("/api/game", game="tic_tac_toe.kif:seconds=9999")
    assert (refused.status_code, refused.json()["error"]) == (422, "tic_tac_toe.kif has no settings here")


# Searches


def names_of(events):
    """What events were, but for compiles: a kernel may be in the cache or not."""
    return [name for name, _ in events if name != "compile"]


def found(events, name):
    return [facts for kind, facts in events if kind == name]


def test_an_analysis_tells_of_every_move_as_it_goes_on(served):
    view = served.session("ewn:setup=fixed", seed=2)
    events = served.events(f"/api/sessions/{view['id']}/analyse", players=["uct:sims=100", "star2:depth=2", "random"])
    assert [name for name in names_of(events) if name != "report"] == ["begin", "result"] * 3 + ["end"]
    numbers = {action["number"] for action in view["position"]["actions"]}
    for index in (0, 1):
        reports = [facts for facts in found(events, "report") if facts["index"] == index]
        assert len(reports) > 1
        for facts in reports:
            assert {row["number"] for row in facts["actions"]} == numbers
            assert facts["best"] == facts["actions"][0]["name"]
            assert facts["line"][0] == facts["best"]
    uct, star, _ = found(events, "result")
    assert uct["simulations"] == 100
    assert sum(row["visits"] for row in uct["actions"]) <= 100
    assert sum(row["share"] for row in uct["actions"]) == pytest.approx(1)
    low, high = served.get("/api/game", game="ewn").json()["utility_range"]
    for row in uct["actions"]:
        assert row["error"] == pytest.approx(((high - row["value"]) * (row["value"] - low) / row["visits"]) ** 0.5)
    assert {row["bound"] for row in star["actions"]} <= {f"depth {star['depth']}", "at most", "not searched"}
    assert served.get(f"/api/sessions/{view['id']}").json() == view


def test_an_analysis_is_the_same_as_the_search_of_the_package(served):
    view = served.session("ewn:setup=fixed", seed=2)
    events = served.events(f"/api/sessions/{view['id']}/analyse", players=["uct:sims=100"], seed=5)
    (result,) = found(events, "result")
    position = astragal.Position.parse(astragal.load_game("ewn:setup=fixed"), view["position"]["text"])
    own = astragal.search(position, "uct:sims=100", seed=5)
    assert (result["best"], result["value"]) == (own.action, own.value)
    assert [row["visits"] for row in result["actions"]] == [row.visits for row in own.actions]


@pytest.mark.slow
def test_what_is_compiled_for_a_search_is_told(tmp_path):
    """In a process of its own, with nothing compiled before."""
    script = """
import sys
sys.path.insert(0, sys.argv[1])
from support.web_servers import serving
with serving() as served:
    view = served.session("tic_tac_toe")
    for _ in range(2):
        events = served.events(f"/api/sessions/{view['id']}/analyse", players=["mcs:sims=10"])
        print([(name, facts.get("what")) for name, facts in events if name != "report"])
"""
    environment = os.environ | {"ASTRAGAL_CACHE": str(tmp_path)}
    ran = subprocess.run([sys.executable, "-c", script, str(TESTS)], env=environment, capture_output=True, text=True)
    first, second = map(ast.literal_eval, ran.stdout.splitlines())
    assert first[1] == ("compile", "Monte Carlo search: TicTacToe, Steps")
    assert [name for name, _ in second] == ["begin", "result", "end"]
    assert ran.stderr == ""


def test_a_player_that_fails_does_not_keep_the_others_from_thinking(served):
    view = served.post("/api/sessions", game="pig").json()  # chance is to move
    events = served.events(f"/api/sessions/{view['id']}/analyse", players=["hold", "star2:depth=1"])
    assert "nothing to decide" in found(events, "failed")[0]["error"]
    assert found(events, "result")[0]["index"] == 1


def test_players_play_a_whole_game(served):
    view = served.session("tic_tac_toe", seats=["alphabeta:depth=2", "uct:sims=20"])
    while view["position"]["kind"] != "end":
        view = served.events(f"/api/sessions/{view['id']}/move")[-1][1]["session"]
    assert all(step["thought"]["nodes"] > 0 for step in view["steps"])
    assert served.post(f"/api/sessions/{view['id']}/move").status_code == 409


def test_stopping_a_search_gets_its_answer(served):
    view = served.session("ewn", seats=["uct", "star2"])
    place = f"/api/sessions/{view['id']}"
    with served.stream(f"{place}/move", player=f"uct:time={LONG}") as events:
        assert next(events)[0] == "begin"
        assert next(events)[0] == "report"
        assert served.get(place).json()["searching"]
        assert served.post(f"{place}/stop").json() == {"stopped": True}
        rest = list(events)
    (result,) = found(rest, "result")
    assert result["stopped"]
    assert result["seconds"] < LONG
    (moved,) = found(rest, "moved")
    assert moved["session"]["last"]["name"] == result["best"]
    assert served.post(f"{place}/stop").json() == {"stopped": False}


def test_the_player_under_way_can_be_stopped_alone(served):
    view = served.session("ewn")
    place = f"/api/sessions/{view['id']}"
    with served.stream(f"{place}/analyse", players=[f"uct:time={LONG}", "star2:depth=1", f"uct:time={LONG}"]) as events:
        next(event for event in events if event[0] == "report")
        served.post(f"{place}/stop", all=False)
        next(event for event in events if event[0] == "report" and event[1]["index"] == 2)
        served.post(f"{place}/stop")
        rest = list(events)
    assert [facts["index"] for facts in found(rest, "result")] == [2]
    assert rest[-1] == ("end", {})


def test_one_search_of_a_game_at_a_time(served):
    view = served.session("ewn")
    place = f"/api/sessions/{view['id']}"
    with served.stream(f"{place}/analyse", players=[f"uct:time={LONG}"]) as events:
        next(events)
        refused = served.post(f"{place}/analyse", players=["star2"])
        assert (refused.status_code, refused.json()["error"][:36]) == (409, "a search of this game is already run")
        other = served.session("tic_tac_toe")  # another game is another matter
        assert served.events(f"/api/sessions/{other['id']}/analyse", players=["random"])[-1][0] == "end"


def test_closing_the_page_ends_its_search(served):
    view = served.session("ewn", seats=[f"star2:time={LONG}", "random"])
    session = served.state.sessions.find(view["id"])
    with served.stream(f"/api/sessions/{view['id']}/move") as events:
        assert next(events)[0] == "begin"
        assert session.is_searching
    until(lambda: not session.is_searching)
    assert served.get(f"/api/sessions/{view['id']}").json()["ply"] == view["ply"]  # nothing was played
    assert served.events(f"/api/sessions/{view['id']}/analyse", players=["random"])[-1][0] == "end"


def test_a_change_of_the_game_ends_its_search(served):
    view = served.session("tic_tac_toe", seats=["person", "person"])
    place = f"/api/sessions/{view['id']}"
    with served.stream(f"{place}/analyse", players=[f"uct:time={LONG}"]) as events:
        next(events)
        served.post(f"{place}/play", action=view["position"]["actions"][0]["number"])
        assert "end" not in [name for name, _ in events]
    assert served.events(f"{place}/analyse", players=["random"])[-1][0] == "end"
    with served.stream(f"{place}/move", player=f"uct:time={LONG}") as events:
        next(events)
        served.post(f"{place}/undo")
        assert "moved" not in [name for name, _ in events]
    assert served.get(place).json()["ply"] == 0


def test_forgetting_a_game_ends_its_search(served):
    view = served.session("ewn")
    search = None
    with served.stream(f"/api/sessions/{view['id']}/analyse", players=[f"uct:time={LONG}"]) as events:
        next(events)
        search = served.state.sessions.find(view["id"]).search
        assert served.client.delete(f"/api/sessions/{view['id']}").status_code == 204
        list(events)
    until(search.ended.is_set)
    gone = served.get(f"/api/sessions/{view['id']}")
    assert (gone.status_code, gone.json()["error"]) == (404, "this game is not here any more; begin a new one")


def test_a_second_page_does_not_disturb_the_first(served):
    first, second = served.session("pig", seed=1), served.session("pig", seed=2)
    served.post(f"/api/sessions/{second['id']}/play", action="roll")
    assert served.get(f"/api/sessions/{first['id']}").json() == first


# Caps


def test_budgets_are_capped():
    game = astragal.load_game("ewn")
    caps = Caps(seconds=2.0)
    uct = caps.player(astragal.load_player("uct:time=1000,memory=60000,threads=200,rollouts=1000000", game))
    assert (uct.time, uct.memory, uct.rollouts) == (2.0, caps.memory / 4, 1000)
    assert uct.threads <= (os.cpu_count() or 1)
    assert caps.limits(uct) == Limits(time=2.0)
    assert caps.limits(uct, 1e6) == Limits(time=2.0)
    assert caps.limits(astragal.load_player("uct:sims=10", game)) == Limits(time=2.0, sims=10)
    assert caps.limits(astragal.load_player("uct", game)) == Limits(time=0.2)


def test_a_search_ends_at_the_cap(small):
    view = small.session("ewn")
    events = small.events(f"/api/sessions/{view['id']}/analyse", players=["star2:time=1000"], seconds=1000)
    assert found(events, "begin")[0]["player"] == "star2:time=0.2"
    assert found(events, "result")[0]["seconds"] < 100


def test_the_game_idle_longest_makes_way_for_a_new_one(small):
    views = [small.session("tic_tac_toe") for _ in range(3)]
    small.get(f"/api/sessions/{views[0]['id']}")
    views.append(small.session("tic_tac_toe"))
    statuses = [small.get(f"/api/sessions/{view['id']}").status_code for view in views]
    assert statuses == [200, 404, 200, 200]


def test_a_game_has_an_end_to_its_steps(small):
    last = small.post("/api/sessions", game="pig")
    place = f"/api/sessions/{last.json()['id']}"
    while last.is_success:
        kind = last.json()["position"]["kind"]
        last = small.post(f"{place}/deal") if kind == "chance" else small.post(f"{place}/play", action="roll")
    assert last.json()["error"].startswith("the game has gone on for 4 steps")


def test_searches_wait_for_each_other_and_not_too_many_do():
    with serving(searches=1, waiting=1) as served:
        views = [served.session("ewn") for _ in range(3)]
        places = [f"/api/sessions/{view['id']}" for view in views]
        with served.stream(f"{places[0]}/analyse", players=[f"uct:time={LONG}"]) as first:
            next(event for event in first if event[0] == "report")
            with served.stream(f"{places[1]}/analyse", players=["star2:depth=1"]) as second:
                assert next(second) == ("wait", {"index": 0})
                until(lambda: served.state.slots.waiting == 1)
                refused = served.post(f"{places[2]}/analyse", players=["random"])
                assert (refused.status_code, refused.json()["error"][:17]) == (429, "too many searches")
                served.post(f"{places[0]}/stop")
                assert found(list(second), "result")[0]["depth"] == 1
        assert served.events(f"{places[2]}/analyse", players=["random"])[-1][0] == "end"


def test_sessions_expire_and_their_searches_end(monkeypatch):
    with serving() as served:
        view = served.session("ewn")
        with served.stream(f"/api/sessions/{view['id']}/analyse", players=[f"uct:time={LONG}"]) as events:
            next(events)
            session = served.state.sessions.find(view["id"])
            session.used -= 10_000
            served.state.sessions.forget_expired()
            assert list(events)[-1][0] != "end"
        until(lambda: not session.is_searching)
        assert served.get(f"/api/sessions/{view['id']}").status_code == 404


def test_what_takes_room_is_let_go_after_a_while():
    """A tree that is reused is kept from move to move, one that is not is gone with its search."""
    with serving() as served:
        view = served.session("tic_tac_toe", seats=["uct:sims=20,reuse=on", "uct:sims=20"])
        place = f"/api/sessions/{view['id']}"
        session = served.state.sessions.find(view["id"])
        served.events(f"{place}/move")
        served.events(f"{place}/move")
        assert list(session.kept) == [0]
        served.events(f"{place}/analyse", players=["uct:sims=20"], tree=True)
        assert session.trees
        served.state.sessions.forget_expired()
        assert session.kept
        session.used -= 2000
        served.state.sessions.forget_expired()
        assert not session.kept
        assert not session.trees
        assert served.get(place).status_code == 200


def test_a_player_that_solves_what_it_meets_can_be_stopped(monkeypatch, tmp_path):
    monkeypatch.setenv("ASTRAGAL_CACHE", str(tmp_path))
    with serving(seconds=0.001) as served:
        view = served.session("kalah", seats=["optimal", "person"])
        events = served.events(f"/api/sessions/{view['id']}/move")
        assert names_of(events) == ["begin", "failed"]
        assert events[-1][1]["error"] == "it was stopped before it was done"


# Trees and exact values


@pytest.mark.few(1)
@pytest.mark.parametrize("player", ["uct:sims=60", "star2:depth=2", "mcs:sims=300,levels=1", "alphabeta:depth=4"])
def test_a_kept_tree_is_told_from_its_root_down(served, player):
    game = "tic_tac_toe" if player.startswith("alphabeta") else "ewn:setup=fixed"
    view = served.session(game, seed=1)
    place = f"/api/sessions/{view['id']}"
    (result,) = found(served.events(f"{place}/analyse", players=[player], tree=True), "result")
    assert result["tree"]
    tree = served.get(f"{place}/tree", limit=300).json()
    rows = {row["id"]: row for row in tree["rows"]}
    assert tree["shown"] == len(rows) == min(300, tree["nodes"])
    assert rows[0]["parent"] is None
    assert all(row["parent"] in rows for row in tree["rows"][1:])
    line = [rows[number] for number in tree["line"]]
    assert [row["parent"] for row in line] == [None, *tree["line"][:-1]]
    assert line[1]["name"] == result["best"]
    assert rows[0]["children"] >= len(view["position"]["actions"]) - rows[0]["left_out"]
    some = tree["rows"][len(rows) // 2]
    children = served.get(f"{place}/tree/{some['parent']}/children").json()
    assert some in children["rows"]
    assert [row["weight"] for row in children["rows"]] == sorted((r["weight"] for r in children["rows"]), reverse=True)
    shown = served.get(f"{place}/tree/{some['id']}").json()
    assert shown["node"] == some
    assert shown["line"][-1].strip("()") == some["name"]
    assert shown["position"]["kind"] in ("decision", "chance", "end")
    assert served.get(f"{place}/tree/{len(rows) + 10**7}").status_code == 404
    assert served.get(f"{place}/tree", index=1).status_code == 404
    assert served.get(f"{place}/tree", limit=5001).status_code == 422


def test_a_tree_is_told_while_it_grows(served):
    view = served.session("tic_tac_toe")
    place = f"/api/sessions/{view['id']}"
    sizes = []
    with served.stream(f"{place}/analyse", players=["uct:sims=1000000,time=30"], tree=True) as events:
        for name, told in events:
            if name == "report" and told.get("tree"):
                sizes.append(served.get(f"{place}/tree", limit=10).json()["nodes"])
            if len(sizes) == 2:
                served.post(f"{place}/stop")
    assert sizes[0] < sizes[1]
    assert served.get(f"{place}/tree", limit=10).json()["nodes"] >= sizes[1]


def test_only_so_many_trees_are_kept(small):
    view = small.session("tic_tac_toe")
    place = f"/api/sessions/{view['id']}"
    players = ["uct:sims=10", "uct:sims=20", "uct:sims=30"]
    small.events(f"{place}/analyse", players=players, tree=True)
    assert [small.get(f"{place}/tree", index=index).status_code for index in range(3)] == [404, 200, 200]
    small.events(f"{place}/analyse", players=["random"])
    assert small.get(f"{place}/tree", index=2).status_code == 404


@pytest.mark.compiled
def test_the_exact_value_stands_beside_the_estimate(served):
    from astragal.solvers.exact import solve

    game = astragal.load_game("pig:goal=20")
    exact = solve(astragal.Position.start(game)).values
    view = served.session("pig:goal=20", seed=4)
    facts = served.get(f"/api/sessions/{view['id']}/exact").json()
    position = astragal.Position.parse(game, view["position"]["text"])
    own = exact.action_values(position)
    assert {row["number"]: row["value"] for row in facts["actions"]} == own
    assert facts["value"] == pytest.approx(max(own.values()))
    other = served.session("kalah")
    unknown = served.get(f"/api/sessions/{other['id']}/exact")
    assert unknown.status_code == 200  # of most positions there is none
    assert (unknown.json()["value"], unknown.json()["actions"]) == (None, [])
    assert "astragal solve kalah" in unknown.json()["why"]


# Results and the report


@pytest.fixture(scope="module")
def results(tmp_path_factory):
    path = tmp_path_factory.mktemp("results") / "results.db"
    with ResultsStore(path) as store:
        for width in (1, 3):
            contest = Contest.of("tic_tac_toe", [f"mm:depth={width}", "random"], seed=1)
            run_contest(contest, Plan(8), store, lambda: local_workers(1), f"astragal match --games 8 # {width}")
    return path


def test_results_are_told(results):
    with serving(results=results) as served:
        contests = served.get("/api/results").json()["contests"]
        assert [(row["number"], row["games"], row["wanted"]) for row in contests] == [(1, 8, 8), (2, 8, 8)]
        first = served.get("/api/results/1").json()
        assert first["standing"]["players"][0]["rate"] == contests[0]["rate"]
        assert first["sessions"][0]["command"].startswith("astragal match")
        games = served.get("/api/results/1/games", limit=5, offset=4).json()
        assert (games["total"], len(games["games"])) == (8, 4)
        (table,) = served.get("/api/results/crosstable").json()["tables"]
        assert table["players"] == ["mm:depth=1", "random", "mm:depth=3"]
        assert table["cells"][0][1]["rate"] == pytest.approx(1 - table["cells"][1][0]["rate"])
        assert table["cells"][0][0] is None
        curves = served.get("/api/results/curves").json()
        assert curves["setting"] == "depth"
        assert [point["x"] for point in curves["series"][0]["points"]] == [1, 3]
        assert served.get("/api/results/curves", over="nonsense").status_code == 422
        assert curves["why"] is None
        for path in ("9", "1/games/99/1", "9/games/1/1"):
            assert served.get(f"/api/results/{path}").status_code == 404


def test_a_game_is_replayed_with_what_players_thought(results):
    with serving(results=results) as served:
        game = served.get("/api/results/1/games/1/2").json()
        assert game["seats"] == ["random", "mm:depth=1"]
        texts = []
        for ply in range(game["positions"]):
            there = served.get("/api/results/1/games/1/2/at", ply=ply).json()
            texts.append(there["position"]["text"])
            assert there["step"] == (game["steps"][ply - 1] if ply else None)
        assert there["position"]["utilities"] == game["utilities"]
        thoughts = [step["thought"] for step in game["steps"] if step["kind"] == "mm:depth=1"]
        assert all(thought["nodes"] > 0 for thought in thoughts)
        assert served.get("/api/results/1/games/1/2/at", ply=len(texts)).status_code == 404


def test_a_running_contest_is_told_about_live(monkeypatch, tmp_path):
    monkeypatch.setattr(web_results, "LOOK_SECONDS", 0.05)
    path = tmp_path / "live.db"
    with serving(results=path) as served:
        assert served.get("/api/results").json()["error"] == "there is no results file live.db yet"
        with served.client.stream("GET", "/api/results/live") as answer:
            from support.web_servers import events_of

            events = events_of(answer)
            assert next(events) == ("progress", {"contests": []})
            contest = Contest.of("tic_tac_toe", ["random", "greedy"], seed=1)
            with ResultsStore(path) as store:
                run_contest(contest, Plan(4), store, lambda: local_workers(1), "")
                counts = [row["games"] for row in next(e for e in events if e[1]["contests"])[1]["contests"]]
                if counts != [4]:  # looked at while it was played, perhaps more than once
                    later = (event[1]["contests"][0]["games"] for event in islice(events, 4))
                    assert 4 in later
                run_contest(contest, Plan(8), store, lambda: local_workers(1), "")
                growing = next(e[1]["contests"][0] for e in events if e[1]["contests"][0]["games"] > 4)
                assert growing["active"]


def test_there_is_no_results_file(served):
    for path in ("", "/1", "/live", "/crosstable", "/curves"):
        assert served.get(f"/api/results{path}").json()["error"].startswith("no results file was given")


@pytest.mark.slow
@pytest.mark.interpreted
def test_a_results_file_may_be_yet_to_come_but_not_another_kind_of_file(tmp_path):
    with serving(results=tmp_path / "yet.db") as served:
        assert served.get("/api/results").status_code == 404
    (tmp_path / "new.db").touch()  # just being made
    with ResultsStore(tmp_path / "one.db") as store:
        run_contest(Contest.of("tic_tac_toe", ["random", "mm:depth=1"]), Plan(2), store, lambda: local_workers(1), "")
    with serving(results=tmp_path / "new.db"), serving(results=tmp_path / "one.db") as served:
        assert served.get("/api/results/curves").json()["why"].startswith("nothing varies")
    (tmp_path / "other.db").write_text("no results")
    with pytest.raises(AstragalError, match="cannot be used as a results file"), serving(results=tmp_path / "other.db"):
        pass


def test_nothing_outside_the_reports_folder_is_shown(tmp_path):
    (tmp_path / "secret.html").write_text("secret")
    report = tmp_path / "report"
    report.mkdir()
    (report / "index.html").write_text("<h1>the report</h1>")
    (report / ".hidden.html").write_text("secret")
    (report / "store.db").write_text("secret")
    (report / "id_rsa").write_text("secret")
    (report / "link.html").symlink_to(tmp_path / "secret.html")
    with serving(report=report) as served:
        shown = served.get("/report/")
        assert shown.text == "<h1>the report</h1>"
        assert "script-src" not in shown.headers["content-security-policy"]
        ways = ("../secret.html", "%2e%2e/secret.html", "..%2fsecret.html", "//secret.html", ".hidden.html", "store.db")
        for way in (*ways, "id_rsa", "link.html", "%00", "x" * 3000):
            answer = raw_get(served, f"/report/{way}")
            assert " 404 " in answer.splitlines()[0], way
            assert "secret" not in answer
    with pytest.raises(SpecError, match=r"has no index\.html"), serving(report=tmp_path):
        pass


def raw_get(served, path):
    """A request as it is written, without a client that tidies its path."""
    with socket.create_connection(("127.0.0.1", served.port)) as connection:
        request = f"GET {path} HTTP/1.1\r\nHost: 127.0.0.1:{served.port}\r\nConnection: close\r\n\r\n"
        connection.sendall(request.encode())
        return b"".join(iter(lambda: connection.recv(65536), b"")).decode()


# Who may ask


def test_other_sites_are_refused(served):
    about, sessions = f"{served.url}/api/about", f"{served.url}/api/sessions"
    outside = httpx.Client()
    for headers in (
        {"Origin": "http://evil.example"},
        {"Origin": "null"},
        {"Origin": "http://["},
        {"Origin": f"http://127.0.0.1:{served.port + 1}"},
        {"Host": "evil.example"},
        {"Host": f"evil.example:{served.port}"},
        {"Sec-Fetch-Site": "cross-site"},
        {"Sec-Fetch-Site": "same-site", "Sec-Fetch-Mode": "navigate"},
    ):
        assert outside.get(about, headers=headers).status_code == 403, headers
        assert outside.post(sessions, json={"game": "pig"}, headers=headers).status_code == 403
    for headers in ({"Origin": served.url}, {"Host": f"localhost:{served.port}"}, {"Sec-Fetch-Site": "same-origin"}):
        assert outside.get(about, headers=headers).status_code == 200, headers


def test_what_a_form_of_another_site_could_send_is_refused(served):
    for kind in ("text/plain", "application/x-www-form-urlencoded", "multipart/form-data", ""):
        answer = httpx.post(f"{served.url}/api/sessions", content='{"game": "pig"}', headers={"Content-Type": kind})
        assert answer.status_code == 415


def test_requests_have_a_size(served):
    place = f"{served.url}/api/sessions"
    assert served.post("/api/sessions", game="pig", position="x" * 70_000).status_code == 413

    def slowly():
        for _ in range(70):
            yield b" " * 1000

    assert httpx.post(place, content=slowly(), headers={"Content-Type": "application/json"}).status_code == 413
    deep = httpx.post(place, content=b"[" * 50_000, headers={"Content-Type": "application/json"})
    assert deep.status_code in (400, 422)  # by how deep Python reads
    assert served.post("/api/sessions", game="x" * 600).status_code == 422
    broken = httpx.post(place, content=b'{"game": ', headers={"Content-Type": "application/json"})
    assert (broken.status_code, broken.json()["error"]) == (422, "the request is not JSON")


@pytest.mark.few(1)
@pytest.mark.parametrize("started", [b"", b"GET / HT", b"GET / HTTP/1.1\r\nHost: x\r\nX: "])
def test_a_request_whose_head_does_not_come_is_hung_up_on(served, monkeypatch, started):
    monkeypatch.setattr(safety, "HEAD_SECONDS", 0.2)
    with ExitStack() as open_until_here:
        for again in (False, True):  # also after a request that was answered
            slow = open_until_here.enter_context(socket.create_connection(("127.0.0.1", served.port), PATIENCE))
            if again:
                slow.sendall(f"GET /api/nothing HTTP/1.1\r\nHost: 127.0.0.1:{served.port}\r\n\r\n".encode())
                assert b"404" in slow.recv(65536)
            slow.sendall(started or (b"G" if again else b""))
            assert served.get("/api/games").status_code == 200
            with suppress(ConnectionResetError):
                while slow.recv(65536):  # until it is hung up on; this socket's patience is longer
                    pass


def test_a_head_has_a_size(served):
    with socket.create_connection(("127.0.0.1", served.port), PATIENCE) as long, suppress(OSError):
        long.sendall(b"GET / HTTP/1.1\r\n")
        for _ in range(100):
            long.sendall(b"X: " + b"y" * 10_000 + b"\r\n")
        assert b"200 OK" not in long.recv(65536)
    assert served.get("/api/games").status_code == 200


def test_browsers_are_told_what_to_refuse(served):
    for path in ("/api/about", "/api/nothing", "/palette.css"):
        headers = served.get(path).headers
        assert headers["content-security-policy"].startswith("default-src 'none'; script-src 'self';")
        assert "unsafe" not in headers["content-security-policy"]
        assert headers["x-content-type-options"] == "nosniff"
        assert "access-control-allow-origin" not in headers


def test_a_token_is_asked_for_and_taken_over_by_a_cookie():
    with serving(token="a-long-token") as served:
        assert served.get("/api/about").status_code == 401
        assert served.get("/api/about", token="a-long-token").status_code == 401  # only the page's address has it
        assert served.get("/", token="another-token").status_code == 401
        assert httpx.get(f"{served.url}/api/about", headers={"Authorization": "Bearer a-long-token"}).status_code == 200
        assert httpx.get(f"{served.url}/api/about", headers={"Cookie": "astragal=a-long-toke"}).status_code == 401
        let_in = served.get("/", token="a-long-token")
        assert (let_in.status_code, let_in.headers["location"]) == (303, "/")
        assert "HttpOnly" in let_in.headers["set-cookie"]
        assert "SameSite=Lax" in let_in.headers["set-cookie"]
        assert served.get("/api/about").status_code == 200
        again = served.get("/", token="a-long-token")  # nor does it stay in the address of who has the cookie already
        assert (again.status_code, again.headers["location"]) == (303, "/")
        assert served.get("/", token="another-token").status_code == 200


def test_other_addresses_than_loopback_need_a_token():
    for host, wanted in (("127.0.0.1", False), ("localhost", False), ("0.0.0.0", True)):
        address = listen(host, 0)
        address.socket.close()
        assert (address.token is not None) == wanted
        assert (own_names(host, 80) is None) == wanted
    with pytest.raises(SpecError, match="8 or more"):
        listen("127.0.0.1", 0, "short")


# Starting and stopping


def test_a_port_in_use_is_a_sentence():
    address = listen("127.0.0.1", 0)
    with pytest.raises(AstragalError, match="the port is in use; choose another with --port"):
        listen("127.0.0.1", address.port)
    address.socket.close()


@pytest.mark.slow
@pytest.mark.skipif(os.name != "posix", reason="signals")
def test_ctrl_c_ends_the_server_and_its_searches():
    command = [sys.executable, "-m", "astragal", "web", "--port", "0", "--no-browser"]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) as process:
        url = process.stdout.readline().split()[4]
        with httpx.Client(base_url=url, timeout=60) as client:
            view = client.post("/api/sessions", json={"game": "tic_tac_toe"}).json()
            wanted = {"players": [f"uct:time={LONG}"]}
            with client.stream("POST", f"/api/sessions/{view['id']}/analyse", json=wanted) as answer:
                lines = answer.iter_lines()
                next(line for line in lines if line == "event: report")
                process.send_signal(signal.SIGINT)
                assert "event: end" not in list(lines)
        out, err = process.communicate(timeout=60)
    assert (process.returncode, out, err) == (0, "", "")


# Keeping and reviewing


def test_a_game_as_a_file_a_picture_and_steps_that_come_again(served):
    wanted = {"game": "pig:goal=20", "seats": ["person", "person"], "seed": 4}
    view = served.post("/api/sessions", **wanted).json()
    place = f"/api/sessions/{view['id']}"
    for _ in range(3):
        served.post(f"{place}/deal") if view["position"]["kind"] == "chance" else served.post(
            f"{place}/play", action="roll"
        )
        view = served.get(place).json()
    told = served.get(f"{place}/file").json()
    assert (told["format"], told["game"], told["start"]) == ("astragal game", "pig:goal=20", view["start"])
    numbers = [step["number"] for step in told["steps"]]
    assert numbers == [step["number"] for step in view["steps"]]
    again = served.post("/api/sessions", **wanted, position=told["start"], steps=numbers).json()
    assert again["steps"] == view["steps"]
    assert again["position"] == view["position"]
    kinds = {view["id"]: None, again["id"]: None}  # what comes next is the same too
    for id in kinds:
        after = served.get(f"/api/sessions/{id}").json()
        while after["position"]["kind"] != "chance":
            after = served.post(f"/api/sessions/{id}/play", action="roll").json()
        kinds[id] = served.post(f"/api/sessions/{id}/deal").json()["last"]
    assert kinds[view["id"]] == kinds[again["id"]]
    assert served.get(f"{place}/picture.svg", theme="dark").text.startswith("<svg")
    assert served.get(f"{place}/picture.svg", theme="red").status_code == 422
    refused = served.post("/api/sessions", game="pig:goal=20", seats=["person", "person"], steps=[77777])
    assert refused.status_code == 422


def test_whose_roll_it_is_and_what_should_not_be_missed(served):
    wanted = {"game": "pig:goal=20", "seats": ["person", "person"], "position": "0 0 12 2 roll"}
    view = served.post("/api/sessions", **wanted).json()
    assert view["to_move"]["roller"] == 2
    after = served.post(f"/api/sessions/{view['id']}/deal", outcome=0).json()
    assert (after["last"]["of"], after["last"]["event"]) == (2, "rolled a 1: 12 points lost")


@pytest.mark.parametrize("first", [0, 1])
def test_who_wins_the_opening_roll_of_backgammon(served, first):
    """Both roll for who begins: before it the roll belongs to neither player, after it to the winner."""
    view = served.post("/api/sessions", game="backgammon", seats=["person", "random"]).json()
    assert view["to_move"]["roller"] is None
    begins = f"player-{1 + first}-begins"
    outcome = next(each["number"] for each in view["position"]["outcomes"] if each["name"].startswith(begins))
    after = served.post(f"/api/sessions/{view['id']}/deal", outcome=outcome).json()
    assert after["last"]["of"] == after["position"]["player"] == 1 + first
    assert after["last"]["event"].startswith("won the opening roll")


def test_the_first_view_takes_few_requests(served):
    """One style sheet, and the modules of the cards, which are named ahead; large answers are compressed."""
    text = served.get("/").text
    assert text.count('rel="stylesheet"') == 2  # the palette, and all others in one
    sheet = re.search(r'href="(kept/\w+/all\.css)"', text)
    assert sheet
    every = served.get(f"/{sheet[1]}")
    assert every.headers["Content-Encoding"] == "gzip"
    assert every.text.count("{") == sum(path.read_text().count("{") for path in (STATIC / "css").glob("*.css"))
    named = {re.sub(r".*?/js/", "", path) for path in re.findall(r'rel="modulepreload" href="([^"]+)"', text)}
    assert {"main.js", "views/welcome.js", "api.js"} <= named
    assert len(named) < len(list((STATIC / "js").rglob("*.js"))) / 3
    assert served.get("/api/cards").headers["Content-Encoding"] == "gzip"
    assert "Content-Encoding" not in served.get("/api/games").headers


def test_a_review_is_told_row_by_row(served, monkeypatch):
    monkeypatch.setattr(reviewing, "seconds_for", lambda steps: 0.1)
    view = served.session("tic_tac_toe", seats=["person", "person"], steps=[0, 3, 1, 4, 8, 5])
    events = served.events(f"/api/sessions/{view['id']}/review")
    rows = found(events, "row")
    assert [row["ply"] for row in rows] == [1, 2, 3, 4, 5, 6]
    end = found(events, "end")[0]
    assert (end["worst"]["ply"], end["worst"]["best"]) == (5, "c3")
    assert end["mistakes"][0] == 5
    begin = found(events, "begin")[0]
    assert (begin["steps"], begin["players"], begin["measure"]) == (6, 2, "win")
    assert begin["result"] is None or sum(begin["result"]) == 0.0
    assert all(row["value"] is not None and row["chances"] for row in rows)
    assert [each["decisions"] for each in end["players"]] == [3, 3]


def test_a_review_proves_between_which_bounds_the_losses_lie(served, monkeypatch):
    """The end of the game of the test before, as `astragal review --player prove` finds it."""
    monkeypatch.setattr(reviewing, "seconds_for", lambda steps: 2.0)
    view = served.session("tic_tac_toe", seats=["person", "person"], position="xx./oo./...", steps=[8, 5])
    assert served.get("/api/game", game="tic_tac_toe").json()["proves"]
    events = served.events(f"/api/sessions/{view['id']}/review", prove=True)
    assert found(events, "begin")[0]["reviewer"].startswith("prove")
    first, last = found(events, "row")
    assert first["proven"].startswith("player 1 wins, proven")
    assert last["proven"].startswith("player 2 wins, proven")
    assert [(row["loss"], row["mistake"]) for row in (first, last)] == [("100.00%", True), (None, False)]
    assert (first["kind"], first["chances"]) == ("proven", True)
    assert found(events, "end")[0]["worst"]["ply"] == 1


def test_a_review_proves_nothing_where_nothing_can_be_proven(served):
    assert not served.get("/api/game", game="focus:players=3").json()["proves"]
    view = served.session("focus:players=3", seats=["person"] * 3)
    answer = served.post(f"/api/sessions/{view['id']}/review", prove=True)
    assert (answer.status_code, answer.json()["error"][:33]) == (422, "prove needs one or two players; f")


def test_the_intervals_of_an_analysis_are_in_words(served):
    view = served.session("pig:goal=20,dice=1", position="12 14 2 1 decide")
    (result,) = found(served.events(f"/api/sessions/{view['id']}/analyse", players=["prove:nodes=200"]), "result")
    assert re.fullmatch(r"player 1 wins between [\d.]+% and [\d.]+%, proven.*", result["proven"])
    assert result["between"] in result["proven"]
    for row in result["actions"]:
        assert re.fullmatch(r"between [\d.]+% and [\d.]+%|[\d.]+%", row["between"])
        least, most = row["interval"]
        assert -100.0 <= least <= row["value"] <= most <= 100.0
    (other,) = found(served.events(f"/api/sessions/{view['id']}/analyse", players=["uct:sims=20"]), "result")
    assert other["between"] is other["actions"][0]["between"] is None


@pytest.mark.slow
@pytest.mark.interpreted
def test_cards_and_levels(served):
    cards = {card["id"]: card for card in served.get("/api/cards").json()["cards"]}
    assert cards["focus"]["players"] == [2, 4]
    assert all(card["picture"]["items"] for card in cards.values())
    levels = served.get("/api/players", game="ewn").json()["levels"]
    names = [level["name"] for level in levels]  # how many there are, its ladder says
    assert (names[0], names[-1]) == ("easy", "strongest")
    assert [card["id"] for card in served.get("/api/cards", game="pig").json()["cards"]] == ["pig"]
    sheets = [card["id"] for card in served.get("/api/cards", sheets=True).json()["cards"]]
    assert sheets == [id for id in cards if id.endswith(".kif")]


# Searches step by step


def test_a_search_is_told_step_by_step(served):
    view = served.session("tic_tac_toe")
    place = f"/api/sessions/{view['id']}/steps"
    fitting = {row["name"]: row["why"] for row in served.get(f"{place}/searches").json()["searches"]}
    assert fitting["star1"] is None
    told = served.get(place, search="alphabeta", size=2).json()
    assert told["finished"]
    assert told["events"][-1]["nodes"] == len(told["nodes"])
    assert served.get(f"{place}/position", text=told["nodes"][5]["text"]).json()["picture"]
    assert served.get(place, search="alphabeta", size=99).json()["size"] == 6  # no deeper
    assert "cannot be walked through" in served.get(place, search="mtdf").json()["error"]
    three = served.session("cant_stop:players=3")
    place = f"/api/sessions/{three['id']}/steps"
    assert "needs one or two players" in served.get(place, search="star1").json()["error"]
    assert served.get(place, search="uct", size=3).json()["events"]


def test_a_tile_that_is_drawn_in_ra_belongs_to_who_drew_it(served):
    """Chance follows only some actions there. Where it follows all, as in Pig, the roll belongs to the next player."""
    view = served.post("/api/sessions", game="ra", seats=["person", "person"], seed=1).json()
    place = f"/api/sessions/{view['id']}"
    drawn = 0
    for _ in range(6):
        if view["position"]["kind"] == "chance":
            view = served.post(f"{place}/deal").json()
            continue
        names = [each["name"] for each in view["position"]["actions"]]
        mover = view["position"]["player"]
        view = served.post(f"{place}/play", action="draw" if "draw" in names else names[0]).json()
        if view["position"]["kind"] == "chance" and "draw" in names and len(names) > 1:
            view = served.post(f"{place}/deal").json()
            assert view["last"]["of"] == mover
            drawn += 1
    assert drawn > 0


def test_a_game_of_backgammon_goes_to_other_programs_and_back(served):
    view = served.post("/api/sessions", game="backgammon", seats=["person", "person"], seed=3).json()
    place = f"/api/sessions/{view['id']}"
    for _ in range(6):
        if view["position"]["kind"] == "chance":
            view = served.post(f"{place}/deal").json()
        else:
            view = served.post(f"{place}/play", action=view["position"]["actions"][0]["number"]).json()
    text = served.get(f"{place}/file", mat=True).text
    wanted = served.post("/api/sessions/mat", text=text).json()
    assert wanted["steps"] == [step["number"] for step in view["steps"]]
    again = served.post("/api/sessions", **wanted).json()
    assert again["position"]["text"] == view["position"]["text"]
    refused = served.post("/api/sessions/mat", text="no game")
    assert refused.status_code == 422
    assert "Game 1" in refused.json()["error"]
    pig = served.post("/api/sessions", game="pig", seats=["person", "person"]).json()
    assert served.get(f"/api/sessions/{pig['id']}/file", mat=True).status_code == 422
