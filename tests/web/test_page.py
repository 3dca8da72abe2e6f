"""The page in a real browser: Playwright drives Chromium. Skipped where either is missing."""

from __future__ import annotations

import json
import re
import subprocess
import sys
import urllib.error
import urllib.parse
import urllib.request
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from astragal.arena.contest import Contest
from astragal.base.arrays import write_arrays
from astragal.learn.model import shipped_models
from support.arenas import play
from support.pages import play_by_clicking, settled, wait_until

pytest.importorskip("fastapi", reason="the web page is not installed (pip install astragal[web])")
playwright = pytest.importorskip("playwright.sync_api", reason="Playwright is not installed")
expect = playwright.expect


# Playing


@pytest.mark.parametrize(
    ("game", "player"),
    [
        ("pig:goal=20", "star1:depth=1"),
        ("ewn", "star1:depth=1"),
        ("kalah:stones=2", "mm:depth=1"),
        ("tic_tac_toe", "random"),
    ],
)
def test_a_whole_game_by_clicking(visit, game, player):
    page = visit(f"#/play?game={game}&seats=person&seats={player}")
    assert re.search(r"win|draw", play_by_clicking(page), re.IGNORECASE)
    assert page.locator(".steps button").count() >= 5
    expect(page.locator("#problems")).to_be_empty()


def test_a_game_in_motion(visit):
    """The same with all animations."""
    page = visit("#/play?game=ewn&seats=person&seats=random", reduced_motion="no-preference")
    assert "win" in play_by_clicking(page)


@pytest.mark.parametrize("motion", ["reduce", "no-preference"])
@pytest.mark.parametrize("game", ["kalah", "ewn", "focus"])
def test_the_board_shows_what_the_picture_says_and_nothing_else(visit, game, motion):
    """Whatever was there before is gone once the pieces stand still."""
    page = visit(f"#/play?game={game}&seats=person&seats=person", reduced_motion=motion)
    for _ in range(4):
        ply = settled(page).get_attribute("data-ply")
        page.locator(".moves button").first.click()
        page.locator(f".play-view[data-turn=person]:not([data-ply='{ply}'])").wait_for()
    page.wait_for_timeout(1500 if motion == "no-preference" else 100)
    notation = page.get_by_label("Notation of the position").input_value()
    said = page.evaluate(
        """async ([game, position]) => {
        const body = JSON.stringify({ game, position });
        const asked = { method: "POST", headers: { "Content-Type": "application/json" }, body };
        return (await (await fetch("/api/sessions", asked)).json()).position.picture.items.map((item) => item.key);
    }""",
        [game, notation],
    )
    drawn = page.locator(".board > g:not(.pointers)")
    shown = drawn.evaluate_all("items => items.map((item) => item.dataset.key ?? 'a ghost')")
    assert sorted(shown) == sorted(said)


def test_a_game_by_keys_alone(visit):
    page = visit("#/play?game=tic_tac_toe&seats=person&seats=person")
    for _ in range(9):
        table = settled(page)
        if table.get_attribute("data-turn") == "end":
            break
        ply = table.get_attribute("data-ply")
        tab_to_board(page)
        page.keyboard.press("ArrowRight")
        page.keyboard.press("Enter")
        page.locator(f".play-view:not([data-ply='{ply}'])").wait_for()
        expect(page.locator("#announcements")).to_contain_text("Player")
    assert table.get_attribute("data-turn") == "end"


def tab_to_board(page: Any) -> None:
    for _ in range(40):
        if page.evaluate("document.activeElement.closest('.board .item') !== null"):
            return
        page.keyboard.press("Tab")
    raise AssertionError("Tab does not lead to the board")


@pytest.mark.parametrize("place", [".board .item.can", ".moves button"])
def test_keys_stay_where_they_are_while_a_player_moves(visit, place):
    """Who plays by keys has not to begin at the top of the page after every move."""
    page = visit("#/play?game=tic_tac_toe&seats=person&seats=random")
    settled(page)
    page.locator(place).first.focus()
    for _ in range(5):
        table = settled(page)
        if table.get_attribute("data-turn") == "end":
            break
        wait_until(page, f"document.activeElement.matches('{place}')")
        ply = int(table.get_attribute("data-ply"))
        page.keyboard.press("Enter")
        page.locator(f".play-view:not([data-ply='{ply}']):not([data-ply='{ply + 1}']), [data-turn=end]").wait_for()
    assert table.get_attribute("data-turn") == "end"
    undo = page.get_by_role("button", name="Undo")
    while undo.is_enabled():
        ply = page.locator(".play-view").get_attribute("data-ply")
        undo.focus()
        page.keyboard.press("Enter")
        page.locator(f".play-view:not([data-ply='{ply}'])").wait_for()
    wait_until(page, "document.activeElement.matches('.board .item.can')")


def test_moves_by_the_list_and_undo(visit):
    page = visit("#/play?game=tic_tac_toe&seats=person&seats=person")
    settled(page)
    before = page.get_by_label("Notation of the position").input_value()
    page.locator(".moves button").nth(2).click()
    page.locator(".play-view[data-ply='1']").wait_for()
    assert page.get_by_label("Notation of the position").input_value() != before
    page.get_by_role("button", name="Undo").click()
    page.locator(".play-view[data-ply='0']").wait_for()
    assert page.get_by_label("Notation of the position").input_value() == before
    expect(page.get_by_role("button", name="Undo")).to_be_disabled()


def test_undo_against_a_player_gives_the_same_dice_again(visit):
    page = visit("#/play?game=ewn&seats=person&seats=random")
    settled(page)
    before = page.get_by_label("Notation of the position").input_value()
    page.locator(".moves button").first.click()
    page.locator(".play-view[data-turn=person]:not([data-ply='1'])").wait_for()
    page.get_by_role("button", name="Undo").click()
    expect(page.get_by_label("Notation of the position")).to_have_value(before)


def test_the_link_restores_the_position(visit):
    page = visit("#/play?game=connect_four&seats=person&seats=person")
    for column in (3, 3, 2):
        ply = settled(page).get_attribute("data-ply")
        page.locator(".moves button").nth(column).click()
        page.locator(f".play-view:not([data-ply='{ply}'])").wait_for()
    notation = page.get_by_label("Notation of the position").input_value()
    other = visit("#" + page.url.split("#")[1])
    settled(other)
    assert other.get_by_label("Notation of the position").input_value() == notation
    assert other.locator(".seats li").nth(1).inner_text().split()[-1] == "person"


def test_a_pasted_notation(visit):
    page = visit("#/play?game=tic_tac_toe&seats=person&seats=person")
    settled(page)
    page.locator(".moves button").first.click()
    page.locator(".play-view[data-ply='1']").wait_for()
    notation = page.get_by_label("Notation of the position").input_value()
    page.get_by_role("button", name="New game").click()
    page.get_by_role("button", name="Yes").click()
    page.locator(".play-view[data-ply='0']").wait_for()
    page.get_by_label("Notation of the position").fill(notation)
    page.get_by_role("button", name="Set").click()
    expect(page.locator(".moves button")).to_have_count(8)
    page.get_by_label("Notation of the position").fill("no such position")
    page.get_by_role("button", name="Set").click()
    expect(page.locator("#problems p")).not_to_be_empty()
    expect(page.get_by_label("Notation of the position")).to_have_value("no such position")  # to be put right


def test_a_link_to_nowhere_is_answered_with_a_sentence(visit):
    expect(visit("#/%E0%A4%A").locator(".card").first).to_be_visible()
    for place in ("#/play?game=no_such_game", "#/play?game=pig&position=x"):
        page = visit(place)
        expect(page.locator("#problems p")).not_to_be_empty()
        assert page.url.endswith(place)  # so that it can be mended
    page = visit("#/analyse?game=pig&position=x")
    expect(page.locator("#problems p")).not_to_be_empty()
    expect(page.locator(".board .item").first).to_be_visible()  # a position that there is


def test_a_link_with_players_that_are_not_there_or_too_many(visit):
    page = visit("#/analyse?game=pig&players=random&players=nobody&players=random&players=random")
    expect(page.locator("#problems p")).to_contain_text("nobody")
    expect(page.locator(".column")).to_have_count(3)
    expect(visit("#/tree?game=pig&player=random").locator("#problems p")).to_contain_text("random")  # it has no tree


def test_coming_back_to_a_game(visit):
    page = visit("#/play?game=tic_tac_toe&seats=person&seats=person")
    for ply in ("0", "1"):
        page.locator(f".play-view[data-ply='{ply}'] .moves button").first.click()
    page.locator(".play-view[data-ply='2']").wait_for()
    page.locator("nav a[data-view=report]").click()
    page.locator("iframe").wait_for()
    page.go_back()
    page.locator(".play-view[data-ply='2']").wait_for()  # with its steps, and not only its position
    page.get_by_role("button", name="Undo").click()
    page.locator(".play-view[data-ply='1']").wait_for()


def test_leaving_a_view_before_it_is_there(visit):
    page = visit("#/play?game=ewn")
    for view in ("analyse?game=kalah", "tree?game=pig", "play?game=tic_tac_toe&seats=person&seats=person"):
        page.evaluate("(view) => { location.hash = `#/${view}` }", view)
    settled(page)
    page.wait_for_timeout(500)
    assert "tic_tac_toe" in page.url
    expect(page.locator("main h1")).to_have_text("Tic-tac-toe")


def test_a_second_tab_does_not_disturb_the_first(visit):
    first = visit("#/play?game=tic_tac_toe&seats=person&seats=person")
    second = visit("#/play?game=tic_tac_toe&seats=person&seats=person")
    for page, moves in ((first, 2), (second, 1), (first, 1)):
        for _ in range(moves):
            ply = settled(page).get_attribute("data-ply")
            page.locator(".moves button").first.click()
            page.locator(f".play-view:not([data-ply='{ply}'])").wait_for()
    expect(first.locator(".play-view")).to_have_attribute("data-ply", "3")
    expect(second.locator(".play-view")).to_have_attribute("data-ply", "1")
    second.close()
    first.locator(".moves button").first.click()
    expect(first.locator(".play-view")).to_have_attribute("data-ply", "4")


def test_a_new_game_with_other_settings_and_seats(visit):
    page = visit("#/play?game=tic_tac_toe&seats=person&seats=person")
    settled(page)
    page.get_by_text("Game and players").click()
    page.get_by_label("Game", exact=True).select_option("focus")
    page.locator(".setup").get_by_label("players").fill("3")
    page.locator(".setup").get_by_label("players").press("Tab")
    page.locator(".setup fieldset").nth(2).wait_for()
    for seat in (2, 3):
        page.locator(".setup").get_by_label(f"Player {seat}").select_option("random")
    page.get_by_role("button", name="Start").click()
    expect(page.locator(".seats li")).to_have_count(3)
    expect(page.locator(".play-view")).to_have_attribute("data-turn", "person")
    assert "focus" in page.url


def test_players_among_themselves_can_be_paused(visit):
    page = visit("#/play?game=pig:goal=500&seats=random&seats=random")
    page.get_by_role("button", name="Pause").click()
    page.wait_for_timeout(400)
    before = page.locator(".play-view").get_attribute("data-ply")
    page.wait_for_timeout(400)
    assert page.locator(".play-view").get_attribute("data-ply") == before
    page.get_by_role("button", name="Pause").click()
    expect(page.locator(".play-view")).not_to_have_attribute("data-ply", before)


def test_a_game_goes_on_from_where_the_server_is(visit):
    """A request that the page broke off may be served after the page has asked how the game stands."""
    page = visit("#/play?game=pig:goal=500&seats=random&seats=random")
    sessions = []
    page.on("request", lambda request: sessions.extend(re.findall(r"/api/sessions/([^/]+)/", request.url)))
    page.get_by_role("button", name="Pause").click()
    page.locator(".play-view[data-turn]").wait_for()
    page.wait_for_timeout(400)
    before = page.locator(".play-view").get_attribute("data-ply")
    page.evaluate(
        """async (id) => {
            const ask = (what) => fetch(`/api/sessions/${id}/${what}`, { method: "POST", body: "{}", headers });
            const headers = { "Content-Type": "application/json" };
            if (!(await ask("deal")).ok) await (await ask("move")).text();
        }""",
        sessions[-1],
    )
    page.get_by_role("button", name="Pause").click()
    wait_until(page, "(ply) => Number(document.querySelector('.play-view').dataset.ply) > ply + 2", int(before))


def test_dice_rolled_by_hand(visit):
    page = visit("#/play?game=ewn&seats=person&seats=person")
    settled(page)
    page.get_by_text("Options", exact=True).click()
    page.get_by_label("I roll the dice myself").check()
    page.locator(".moves button").first.click()
    page.locator(".play-view[data-turn=chance]").wait_for()
    expect(page.locator(".moves button")).to_have_count(6)
    page.locator(".moves button", has_text="4").click()
    expect(page.locator(".note")).to_contain_text("rolled 4")


@pytest.mark.parametrize(
    "game",
    [
        "rock_paper_scissors.kif&seats=person&seats=random",
        "chinese_checkers:players=6&seats=person" + "&seats=random" * 5,
    ],
)
def test_games_of_other_kinds(visit, game):
    """Choices at the same time, from a rule sheet; and six seats."""
    page = visit(f"#/play?game={game}")
    for _ in range(5):
        ply = settled(page).get_attribute("data-ply")
        page.locator(".moves button").first.click()
        page.locator(f".play-view:not([data-turn=player], [data-turn=chance], [data-ply='{ply}'])").wait_for()
    expect(page.locator("#problems")).to_be_empty()


def test_an_earlier_position_is_looked_at_and_left(visit):
    page = visit("#/play?game=tic_tac_toe&seats=person&seats=person")
    for number in range(3):
        settled(page)
        page.locator(".moves button").first.click()
        page.locator(f".play-view[data-ply='{number + 1}']").wait_for()
    notation = page.get_by_label("Notation of the position")
    last = notation.input_value()
    page.locator(".steps button").first.click()
    expect(page.locator(".status")).to_have_text("After step 1 of 3.")
    expect(page.locator(".board .item.can")).to_have_count(0)
    first = notation.input_value()
    assert first != last
    assert urllib.parse.quote_plus(first) in page.get_by_role("link", name="Look inside").last.get_attribute("href")
    page.keyboard.press("ArrowRight")
    expect(page.locator(".status")).to_have_text("After step 2 of 3.")
    page.keyboard.press("ArrowLeft")
    page.keyboard.press("ArrowLeft")
    expect(page.locator(".status")).to_have_text("After step 0 of 3.")
    page.get_by_role("button", name="Back to the game").click()
    expect(page.locator(".board .item.can")).to_have_count(6)


def test_what_a_player_thought_goes_with_its_move(visit):
    page = visit("#/play?game=tic_tac_toe&seats=person&seats=mm:depth=1")
    settled(page)
    page.locator(".moves button").first.click()
    page.locator(".play-view[data-turn=person][data-ply='2']").wait_for()
    thoughts = page.locator(".play-view .found-view")
    expect(thoughts).to_be_visible()
    page.locator(".steps button").first.click()
    expect(thoughts).to_have_count(0)
    page.locator(".steps button").nth(1).click()
    expect(thoughts).to_be_visible()
    page.get_by_role("button", name="Undo").click()
    page.locator(".play-view[data-ply='0']").wait_for()
    expect(thoughts).to_have_count(0)


def test_another_game_keeps_a_player_for_an_opponent(visit):
    page = visit("#/play?game=tic_tac_toe&seats=person&seats=alphabeta:depth=1")
    settled(page)
    page.get_by_text("Game and players").click()
    page.get_by_label("Game", exact=True).select_option("ewn")  # which alpha-beta cannot play
    expect(page.locator(".setup").get_by_label("Player 1")).to_have_value("person")
    expect(page.locator(".setup").get_by_label("Player 2")).not_to_have_value("alphabeta")
    expect(page.locator(".setup").get_by_label("Player 2")).not_to_have_value("person")


def test_a_reload_asks_for_little(visit):
    """Files that have not changed are not asked for again."""
    page = visit("#/play?game=tic_tac_toe&seats=person&seats=person")
    settled(page)
    asked = []
    page.on("response", lambda answer: asked.append(answer.url) if not answer.from_service_worker else None)
    page.reload()
    settled(page)
    sizes = page.evaluate("performance.getEntriesByType('resource').filter((each) => each.transferSize > 0).length")
    assert sizes < 12


def test_every_game_is_drawn_and_can_be_moved_in(visit, server):
    page = visit()
    games = page.evaluate("fetch('/api/games').then((answer) => answer.json())")["games"]
    assert len(games) >= 9
    for game in games:
        page.goto(f"{server}/#/play?game={game['id']}&seats=person&seats=person")
        wait_until(page, "(id) => location.hash.includes(id) && document.querySelector('.play-view')", game["id"])
        settled(page)
        page.locator(".moves button").first.click()
        page.locator(".play-view:not([data-ply='0'])").wait_for()
        assert page.locator(".board .item").count() or page.locator("pre.show").count()
        expect(page.locator("#problems")).to_be_empty()


# Looking inside


def test_analysis_changes_while_it_runs_and_stops(visit):
    page = visit("#/analyse?game=connect_four&players=uct&seconds=30")
    page.get_by_role("button", name="Search").click()
    view = page.locator(".found-view")
    wait_until(page, "() => Number(document.querySelector('.found-view')?.dataset.reports ?? 0) >= 2")
    first = int(view.get_attribute("data-nodes"))
    wait_until(page, "(nodes) => Number(document.querySelector('.found-view').dataset.nodes) > nodes", first)
    assert view.get_attribute("data-final") == "false"
    assert page.locator("table.found tbody tr").count() == 7
    page.get_by_role("button", name="Stop").click()
    expect(view).to_have_attribute("data-final", "true")
    expect(page.get_by_role("button", name="Search")).to_be_enabled()


@pytest.mark.parametrize("view", ["play", "analyse", "tree", "results", "report"])
def test_no_view_asks_for_what_is_not_there(visit, view):
    page = visit("#/play?game=tic_tac_toe")
    settled(page)
    refused = []
    page.on("response", lambda answer: refused.append(answer.url) if answer.status >= 400 else None)
    page.evaluate("(view) => { location.hash = `#/${view}` }", view)
    page.locator(f"nav a[data-view={view}][aria-current=page]").wait_for()
    page.wait_for_load_state("networkidle" if view != "results" else "load")  # that one goes on listening
    page.wait_for_timeout(300)
    assert not refused


def test_two_players_side_by_side_with_the_exact_value_of_pig(visit):
    subprocess.run([sys.executable, "-m", "astragal", "solve", "pig:goal=20"], check=True, capture_output=True)
    place = "#/analyse?game=pig:goal=20&position=0+0+5+1+decide&players=star1:depth=2&players=uct:sims=500"
    page = visit(place)
    expect(page.locator(".panel", has_text="The exact value is").first).to_be_visible()
    page.get_by_role("button", name="Search").click()
    expect(page.locator(".found-view[data-final=true]")).to_have_count(2)
    expect(page.locator(".agreement")).to_contain_text(re.compile("They (dis)?agree"))
    for i in range(2):
        expect(page.locator(".found-view").nth(i).get_by_text("exact", exact=True).first).to_be_visible()
        assert page.locator(".found-view").nth(i).locator("tbody tr").count() == 2


# Trees


def test_the_tree_shows_as_many_nodes_as_the_server_said(visit):
    page = visit("#/tree?game=tic_tac_toe&player=uct:sims=3000&limit=300")
    answers = []  # requests while it grows count, too
    page.on("response", lambda answer: answers.append(answer) if "/tree?" in answer.url else None)
    page.get_by_role("button", name="Search").click()
    canvas = page.locator("canvas.tree")
    expect(page.locator(".tree-panel")).to_contain_text("300 drawn")
    expect(page.get_by_role("button", name="Search")).to_be_enabled()
    expect(canvas).to_have_attribute("data-shown", "300")
    said = answers[-1].json()
    assert said["shown"] == len(said["rows"]) == 300
    page.locator(".node-panel .board .item").first.wait_for()
    page.get_by_role("button", name="Fold", exact=True).first.click()
    folded = int(canvas.get_attribute("data-shown"))
    assert folded < 300
    page.locator(".tree-panel").get_by_role("button", name="Unfold").click()
    expect(canvas).to_have_attribute("data-shown", "300")
    page.get_by_role("button", name="Layered").click()
    expect(canvas).to_have_attribute("data-shown", "300")


def test_the_pointer_tells_of_the_node_below_it(visit):
    page = visit("#/tree?game=tic_tac_toe&player=uct:sims=500&limit=100")
    page.get_by_role("button", name="Search").click()
    box = page.locator("canvas.tree[data-shown]").bounding_box()
    heading = page.locator(".node-panel h2")
    expect(heading).to_have_text("the root")
    for step in range(40):  # from the middle outwards there are nodes
        page.mouse.move(box["x"] + box["width"] / 2, box["y"] + box["height"] * (0.5 - step / 80))
        if heading.inner_text() != "the root":
            break
    expect(heading).not_to_have_text("the root")
    expect(page.locator(".node-panel .board")).to_be_visible()
    expect(page.locator(".node-panel", has_text="visits")).to_be_visible()


def test_walking_the_tree_by_keys(visit):
    page = visit("#/tree?game=tic_tac_toe&player=uct:sims=500&limit=100")
    page.get_by_role("button", name="Search").click()
    canvas = page.locator("canvas.tree[data-shown]")
    canvas.focus()
    heading = page.locator(".node-panel h2")
    expect(heading).to_have_text("the root")
    canvas.press("ArrowDown")
    expect(heading).not_to_have_text("the root")
    shown = int(canvas.get_attribute("data-shown"))
    canvas.press("Enter")  # folds it, or asks for what was left out
    wait_until(page, "(shown) => Number(document.querySelector('canvas.tree').dataset.shown) !== shown", shown)
    canvas.press("Home")
    expect(heading).to_have_text("the root")


# Results


def test_contests_and_crosstables(visit):
    page = visit("#/results")
    expect(page.locator("table.contests tbody tr")).to_have_count(3)
    page.get_by_role("button", name="Crosstables").click()
    expect(page.locator("table.crosstable").first).to_be_visible()
    page.get_by_role("button", name="Curves").click()
    page.get_by_label("Setting").fill("n")
    page.get_by_role("button", name="Draw").click()
    expect(page.locator("svg.chart .series circle")).to_have_count(2)


def test_a_replay(visit):
    page = visit("#/results")
    page.get_by_role("link", name="mm:depth=2").click()
    expect(page.locator("table.games tbody tr")).to_have_count(6)
    page.get_by_role("link", name="Replay pair 1, game 1").click()
    status = page.locator(".status")
    expect(status).to_contain_text("Step 0")
    page.get_by_role("button", name="Forward").click()
    expect(status).to_contain_text("Step 1")
    page.get_by_role("button", name="Forward").click()
    expect(status).to_contain_text("Step 2")
    thoughts = page.locator(".facts")
    expect(thoughts).to_contain_text("depth")
    page.get_by_role("button", name="Last").click()
    expect(status).to_contain_text("Result")
    with page.expect_download() as saved:
        page.get_by_role("button", name="Save game").click()
    assert json.loads(Path(saved.value.path()).read_text())["game"] == "tic_tac_toe"
    again = visit("#" + page.url.split("#")[1])
    expect(again.locator(".status")).to_contain_text("Result")


def test_a_link_to_a_replay_from_when_pairs_were_called_matches(visit):
    page = visit("#/results?contest=3&match=1&game=1&ply=2")
    expect(page.locator(".status")).to_contain_text("Step 2")


def test_a_replay_by_keys_alone(visit):
    page = visit("#/results?contest=3")
    link = page.get_by_role("link", name="Replay pair 1, game 1")
    link.focus()
    page.keyboard.press("Enter")
    status = page.locator(".status")
    expect(status).to_contain_text("Step 0")
    wait_until(page, "document.activeElement.id === 'view'")  # not at the top of the page
    page.keyboard.press("ArrowRight")
    expect(status).to_contain_text("Step 1")
    page.keyboard.press("ArrowRight")
    expect(status).to_contain_text("Step 2")
    page.keyboard.press("ArrowLeft")
    expect(status).to_contain_text("Step 1")
    page.keyboard.press("Alt+ArrowLeft")  # the browser's own
    page.wait_for_timeout(300)
    expect(status).to_contain_text("Step 1")


def test_a_running_contest_is_seen_to_grow(visit, store):
    page = visit("#/results")
    row = page.locator("table.contests tbody tr").first
    expect(row).to_be_visible()
    cell = row.locator("td").nth(4)
    before = int(cell.inner_text().replace(",", ""))
    play(Contest.of("pig:goal=10", ["hold:n=5", "random"], seed=1), before + 10, store)
    rows = page.locator("table.contests tbody tr", has_text="hold:n=5")
    expect(rows.locator("td").nth(4)).to_have_text(str(before + 10))


def test_the_report(visit):
    page = visit("#/report")
    frame = page.frame_locator("iframe.report")
    expect(frame.locator("h1").first).to_be_visible()
    shade = "getComputedStyle(document.querySelector('iframe').contentDocument.body).backgroundColor"
    before = page.evaluate(shade)
    page.get_by_role("button", name="Switch to the dark theme").click()
    wait_until(page, f"before => {shade} != before", before)  # whatever the system says
    link = page.get_by_role("navigation", name="Contents of the report").get_by_role("link").last
    link.click()
    wait_until(page, "document.querySelector('iframe').contentWindow.scrollY > 0")
    assert "at=" in page.url


def learn_so_far(folder, rounds):
    """Write a checkpoint as learning does after this many rounds."""
    curve = [{"games": 1000 * (i + 1), "share": 0.5 + i / 20, "error": 0.03} for i in range(rounds)]
    facts = {"game": "pig:goal=12", "settings": {"hidden": 8}, "against": "its own evaluation", "curve": curve}
    write_arrays(folder / "mine.checkpoint.npz", {"facts": np.array(json.dumps(facts))})


def test_learning_curves_grow_while_they_are_learned(visit, models):
    learn_so_far(models, 2)
    page = visit("#/models")
    mine = page.locator("section[data-model=mine]")
    expect(mine).to_contain_text("is being learned")
    expect(mine.locator("circle")).to_have_count(2)
    mine.locator("summary").click()
    learn_so_far(models, 4)
    expect(mine.locator("circle")).to_have_count(4)
    expect(mine.locator("tbody tr")).to_have_count(4)  # the table stays open
    expect(mine.locator("tbody tr").last).to_be_visible()
    expect(page.locator("section[data-kind=shipped]")).to_have_count(len(shipped_models()))


# How it looks

VIEWS = (
    "play?game=ewn",
    "play?game=chinese_checkers",
    "analyse?game=pig",
    "tree?game=tic_tac_toe",
    "steps",
    "results",
    "models",
    "report",
)


@pytest.mark.parametrize("view", [*VIEWS, "results?contest=1", "results?contest=3&match=1&game=1"])
def test_a_phone_does_not_scroll_sideways(visit, view):
    page = visit(f"#/{view}", viewport={"width": 360, "height": 740})
    page.locator("main > *").first.wait_for()
    page.wait_for_timeout(500)
    assert page.evaluate("document.documentElement.scrollWidth") <= 360


def test_themes(visit):
    def background(page: Any) -> tuple[int, ...]:
        return tuple(
            map(int, re.findall(r"\d+", page.evaluate("getComputedStyle(document.documentElement).backgroundColor")))
        )

    dark, light = visit("#/play", color_scheme="dark"), visit("#/play", color_scheme="light")
    assert sum(background(dark)) < 200 < 600 < sum(background(light))
    light.get_by_role("button", name="Switch to the dark theme").click()
    assert background(light) == background(dark)
    light.reload()
    assert background(light) == background(dark)  # it is remembered


def test_what_can_be_clicked_has_a_name(visit):
    page = visit("#/play?game=ewn&seats=person&seats=person")
    settled(page)
    unnamed = """() => [...document.querySelectorAll("button, a, input, select, [role=button]")].filter((each) =>
        !(each.getAttribute("aria-label") || each.textContent.trim() || each.labels?.length || each.title)).length"""
    assert page.evaluate(unnamed) == 0


# Parts


def test_choosing_by_clicks(visit):
    """The rule of the vocabulary: what a click means depends on what was clicked before."""
    page = visit("#/play")
    chosen = page.evaluate(
        """async () => {
        const { Choosing } = await import("/static/js/board/choosing.js");
        const choosing = new Choosing({ 1: ["a", "b"], 2: ["a", "c"], 3: ["d"], 4: [] });
        const found = [];
        for (const key of "aaaxadac") found.push([choosing.click(key), choosing.chosen.join("")]);
        return found;
    }"""
    )
    assert chosen == [
        *([None, "a"], [None, ""], [None, "a"], [None, ""]),
        *([None, "a"], [3, "d"], [None, "a"], [2, "ac"]),
    ]


def test_a_bound_is_no_bar(visit):
    """A value is drawn from 0; of a bound only the thin line of all it may be."""
    page = visit("#/play")
    drawn = page.evaluate(
        """async () => {
        const { barOf } = await import("/static/js/parts/bars.js");
        const kinds = (bound) => [...barOf({ value: 1, bound }, { low: -1, high: 1 }, {}).children]
            .map((part) => part.getAttribute("class"));
        return ["depth 3", "at most", "at least"].map(kinds);
    }"""
    )
    assert drawn == [["track", "value", "zero"], ["track", "open", "zero"], ["track", "open", "zero"]]


def test_marks_of_rules(visit):
    page = visit("#/play")
    text = "A *word* in ``code``, **strong**.\n\n- one\n  more\n- two\n\n    a table\n"
    made = page.evaluate(
        """async (text) => {
        const { prose } = await import("/static/js/parts/prose.js");
        return prose(text).map((each) => each.outerHTML);
    }""",
        text,
    )
    assert made == [
        "<p>A <em>word</em> in <code>code</code>, <strong>strong</strong>.</p>",
        "<ul><li>one more</li><li>two</li></ul>",
        "<pre>    a table</pre>",
    ]


def test_who_takes_whose_place(visit):
    """Pieces glide from where one of their group has gone; the others come from their origin, or fade."""
    page = visit("#/play")
    ways = page.evaluate(
        """async () => {
        const { transitions } = await import("/static/js/board/motion.js");
        const bar = { key: "bar", kind: "rect", x: 5, y: 0, h: 4 };
        const before = [{ ...bar, w: 10 },
            { key: "a", x: 0, y: 0 }, { key: "s1", group: "s", x: 1, y: 1 }, { key: "t", x: 5, y: 5 }];
        const after = [{ ...bar, w: 20 },
            { key: "a", x: 9, y: 0 }, { key: "s2", group: "s", x: 2, y: 2 }, { key: "n", x: 4, y: 4 },
            { key: "s3", group: "s", x: 3, y: 3, origin: [7, 7] }];
        const { coming, leaving } = transitions(before, after);
        return [Object.fromEntries(coming), leaving.map((item) => item.key)];
    }"""
    )
    assert ways == [
        {
            "bar": {"from": [5, 0], "size": [10, 4]},
            "a": {"from": [0, 0]},
            "s2": {"from": [1, 1]},
            "s3": {"from": [7, 7]},
            "n": {"fade": True},
        },
        ["t"],
    ]
