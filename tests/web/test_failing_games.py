"""A game of the user's that fails is a sentence on the page, with the place in its file; the server goes on."""

from __future__ import annotations

import pytest

pytest.importorskip("fastapi")
pytest.importorskip("uvicorn")
pytest.importorskip("httpx")

from support.web_servers import serving

GAMES = """
import numpy as np
from support.broken_games import Sound
from astragal import game


@game
class RaisesInActions(Sound):
    def actions(self, state, out):
        raise ValueError("no list")


@game
class RaisesInTurn(Sound):
    def turn(self, state):
        raise ValueError("no turn")


@game
class RaisesInPlay(Sound):
    def play(self, state, action):
        raise ValueError("no way")


@game
class RaisesLate(Sound):
    def play(self, state, action):
        if state.total > 5:
            raise ValueError("no way")
        state.total += action
        state.tossing = 1


@game
class NotANumber(Sound):
    def heuristic(self, state, player):
        return np.nan if state.total == 4 else 0.0


@game
class NameRaises(Sound):
    def action_name(self, state, action):
        return "ab"[action + 5]
"""
NAMES = [line.split()[1].partition("(")[0] for line in GAMES.splitlines() if line.startswith("class ")]
PLACE = "(failing.py line "


@pytest.fixture(scope="module")
def served(tmp_path_factory):
    file = tmp_path_factory.mktemp("games") / "failing.py"
    file.write_text(GAMES)
    with serving(tuple(f"{file}:{name}" for name in NAMES)) as server:
        yield server
        assert server.get("/api/games").status_code == 200


def is_sentence(answer, said):
    assert answer.status_code == 422, answer.text
    error = answer.json()["error"]
    assert said in error, error
    assert PLACE in error, error


@pytest.mark.parametrize(
    ("name", "said"),
    [("RaisesInActions", "ValueError: no list"), ("RaisesInTurn", "ValueError: no turn"), ("NameRaises", "IndexError")],
)
def test_a_game_that_cannot_be_shown_is_refused_with_what_is_wrong(served, name, said):
    is_sentence(served.post("/api/sessions", game=name), said)


def test_an_action_that_fails_leaves_the_game_as_it_was(served):
    view = served.session("RaisesInPlay")
    place = f"/api/sessions/{view['id']}"
    is_sentence(served.post(f"{place}/play", action=view["position"]["actions"][0]["number"]), "ValueError: no way")
    assert served.get(place).json()["position"] == view["position"]


@pytest.mark.parametrize(("name", "said"), [("RaisesLate", "ValueError: no way"), ("NotANumber", "is nan")])
@pytest.mark.parametrize("player", ["star2:nodes=3000", "uct_h:sims=300"])
def test_a_search_that_fails_says_so_and_ends(served, name, said, player):
    view = served.session(name)
    events = served.events(f"/api/sessions/{view['id']}/analyse", players=[player])
    (failed,) = [facts["error"] for event, facts in events if event == "failed"]
    assert said in failed
    assert PLACE in failed
    assert "result" not in [event for event, _ in events]


def test_a_player_whose_search_fails_does_not_move(served):
    view = served.session("RaisesLate", seats=["star2:nodes=3000", "person"])
    place = f"/api/sessions/{view['id']}"
    events = served.events(f"{place}/move")
    assert "ValueError: no way" in events[-1][1]["error"], events
    assert served.get(place).json()["position"] == view["position"]


@pytest.mark.slow
@pytest.mark.interpreted
@pytest.mark.filterwarnings("ignore:.* has no card")
def test_a_game_that_fails_has_a_card_without_a_picture(served):
    cards = {card["id"]: card for card in served.get("/api/cards").json()["cards"]}
    assert cards["RaisesInTurn"]["picture"] is None
    assert cards["pig"]["picture"]["items"]
