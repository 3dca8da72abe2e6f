"""From the first look at the page to the review of a game, in a real browser."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from support.pages import settled, wait_until

pytest.importorskip("fastapi", reason="the web page is not installed (pip install astragal[web])")
playwright = pytest.importorskip("playwright.sync_api", reason="Playwright is not installed")
expect = playwright.expect

ALONE = "#/play?game=tic_tac_toe&seats=person&seats=person"


def move(page: Any, number: int = 0) -> None:
    """Make a move by the list, and wait until it is made."""
    ply = settled(page).get_attribute("data-ply")
    page.locator(".moves button").nth(number).click()
    page.locator(f".play-view:not([data-ply='{ply}'])").wait_for()


# First contact


def test_from_the_cards_to_a_game(visit):
    page = visit()
    expect(page.locator(".card", has_text="EinStein")).to_contain_text("2 players")
    page.locator(".card", has_text="Tic-tac-toe").first.click()
    expect(page.get_by_role("radio", name="Easy")).to_be_checked()
    page.get_by_text("The opponent", exact=True).click()
    page.get_by_role("button", name="Play", exact=True).click()
    expect(page.locator(".play-view[data-turn=person]")).to_have_attribute("data-ply", "1")
    expect(page.locator(".seats li").first).to_contain_text("easy")
    expect(page.locator(".seats li").nth(1)).to_contain_text("you")
    expect(page.locator(".event")).to_contain_text("Player 1 played")
    page.get_by_role("link", name="Astragal").click()
    page.get_by_role("link", name="Go on with your game").click()
    expect(page.locator(".play-view[data-turn=person]")).to_have_attribute("data-ply", "1")


def test_watching_two_play(visit):
    page = visit("#/new?game=tic_tac_toe")
    page.get_by_text("Easy", exact=True).click()
    page.get_by_role("button", name="Watch two play").click()
    page.locator(".play-view[data-turn=end]").wait_for()
    expect(page.locator(".seats li", has_text="easy")).to_have_count(2)


def test_the_dice_wait_for_a_click_and_what_happened_stays(visit):
    page = visit("#/play?game=pig:goal=20&position=0+0+0+1+roll&seats=person&seats=person", waiting=True)
    expect(page.locator(".play-view")).to_have_attribute("data-waits", "true")
    expect(page.locator(".status")).to_contain_text("to roll")
    page.locator(".board .item[data-key='die-1']").click()
    page.locator(".play-view:not([data-ply='0'])").wait_for()
    page.get_by_text("Options").click()
    page.get_by_label("I roll the dice myself").check()
    page.get_by_label("Notation of the position").fill("0 0 12 1 roll")
    page.get_by_role("button", name="Set").click()
    page.locator(".moves button", has_text="bust").or_(page.locator(".moves button").first).first.click()
    expect(page.locator(".event")).to_contain_text("12 points lost")
    expect(page.locator(".steps")).to_contain_text("12 points lost")


def test_an_early_click_on_play_starts_nothing(visit):
    """The button is off until the levels are there."""
    page = visit()
    page.route("**/api/players*", lambda route: None)  # never answered
    page.locator(".card", has_text="Tic-tac-toe").first.click()
    expect(page.get_by_role("button", name="Play", exact=True)).to_be_disabled()


def test_an_unknown_view_is_reported(visit):
    page = visit("#/nonsense")
    expect(page.locator("#problems")).to_contain_text("there is no view")
    expect(page.locator(".card").first).to_be_visible()


def test_a_game_under_way_is_dropped_only_after_a_question(visit):
    page = visit(ALONE)
    move(page)
    page.get_by_role("button", name="New game").click()
    expect(page.locator(".say")).to_contain_text("Drop this game")
    page.get_by_role("button", name="No", exact=True).click()
    expect(page.locator(".play-view")).to_have_attribute("data-ply", "1")
    page.get_by_role("button", name="New game").click()
    page.get_by_role("button", name="Yes").click()
    expect(page.locator(".play-view[data-turn=person]")).to_have_attribute("data-ply", "0")


# While playing


def test_a_hint_and_why(visit):
    page = visit(ALONE)
    settled(page)
    page.get_by_role("button", name="Hint").click()
    expect(page.locator(".hint-words")).to_contain_text("Hint:")
    expect(page.locator(".pointer.best")).to_have_count(1)
    page.get_by_role("button", name="Why?").click()
    expect(page.locator(".pointer")).to_have_count(3)
    expect(page.locator(".pointer text").first).to_contain_text("%")
    expect(page.locator(".found-view")).to_contain_text("chance to win")
    move(page)
    expect(page.locator(".pointer.best")).to_have_count(0)
    expect(page.locator(".hint")).to_be_hidden()


def test_a_move_under_the_pointer_is_shown_on_the_board(visit):
    page = visit("#/play?game=ewn&seats=person&seats=person")
    settled(page)
    page.locator(".moves button").first.hover()
    expect(page.locator(".pointer.hover")).to_have_count(1)
    page.locator("h1").hover()
    expect(page.locator(".pointer")).to_have_count(0)


def test_a_piece_is_dragged(visit):
    page = visit("#/play?game=ewn&seats=person&seats=person")
    ply = settled(page).get_attribute("data-ply")
    source = page.locator(".board .item.can").first
    source.click()
    target = page.locator(".board .item.can").first.get_attribute("data-key")
    page.keyboard.press("Escape")
    page.mouse.move(0, 0)
    box, there = source.bounding_box(), page.locator(f".board .item[data-key='{target}']").bounding_box()
    middle = [(each["x"] + each["width"] / 2, each["y"] + each["height"] / 2) for each in (box, there)]
    page.mouse.move(*middle[0])
    page.mouse.down()
    page.mouse.move(*middle[1], steps=4)
    page.mouse.up()
    page.locator(f".play-view:not([data-ply='{ply}'])").wait_for()
    expect(page.locator("#problems")).to_be_empty()


def test_who_is_ahead_is_shown_and_the_graph_leads_back(visit):
    page = visit(ALONE)
    settled(page)
    page.get_by_role("button", name="Evaluation").click()
    for _ in range(2):
        expect(page.locator(".evaluation")).to_contain_text("to win")
        ply = int(page.locator(".play-view").get_attribute("data-ply"))
        wait_until(page, "(ply) => document.querySelectorAll('.graph circle').length >= ply", ply + 1 if ply else 0)
        move(page)
    graph = page.locator("svg.graph")
    expect(graph.locator("text", has_text="50 %")).to_have_count(1)
    graph.click(position={"x": 2, "y": 40})
    expect(page.locator(".status")).to_have_text("After step 0 of 2.")


def test_asking_before_a_move_resigning_and_another_game(visit):
    page = visit(ALONE)
    settled(page)
    page.get_by_text("Options").click()
    page.get_by_label("Ask before a move is made").check()
    page.locator(".moves button").first.click()
    page.get_by_role("button", name="No", exact=True).click()
    expect(page.locator(".play-view")).to_have_attribute("data-ply", "0")
    page.locator(".moves button").first.click()
    page.get_by_role("button", name="Yes").click()
    expect(page.locator(".play-view")).to_have_attribute("data-ply", "1")
    page.get_by_role("button", name="Resign").click()
    page.get_by_role("button", name="Yes").click()
    expect(page.locator(".status")).to_have_text("Player 2 resigned.")
    page.get_by_role("button", name="Rematch").click()
    expect(page.locator(".play-view[data-turn=person]")).to_have_attribute("data-ply", "0")


# Keeping it


def test_a_reload_and_a_link_keep_the_history(visit):
    page = visit("#/play?game=ewn&seats=person&seats=person")
    for _ in range(3):
        move(page)
    settled(page)
    told = page.locator(".steps").inner_text()
    page.reload()
    settled(page)
    assert page.locator(".steps").inner_text() == told
    other = visit("#" + page.url.split("#")[1])
    settled(other)
    assert other.locator(".steps").inner_text() == told
    other.get_by_role("button", name="Undo").click()
    expect(other.locator(".steps button")).not_to_have_count(page.locator(".steps button").count())


def test_a_game_is_saved_and_loaded(visit, tmp_path):
    page = visit(ALONE)
    for _ in range(3):
        move(page)
    with page.expect_download() as saved:
        page.get_by_role("button", name="Save game").click()
    file = tmp_path / "game.json"
    saved.value.save_as(file)
    assert [step["player"] for step in json.loads(file.read_text())["steps"]] == [1, 2, 1]
    notation = page.get_by_label("Notation of the position").input_value()
    other = visit("#/play?game=ewn&seats=person&seats=person")
    settled(other)
    other.get_by_label("A game's file").set_input_files(file)
    expect(other.get_by_label("Notation of the position")).to_have_value(notation)
    expect(other.locator(".steps button")).to_have_count(3)
    file.write_text("no game")
    other.get_by_label("A game's file").set_input_files(file)
    expect(other.locator("#problems p")).to_contain_text("is not a game")


@pytest.mark.parametrize(("kind", "head"), [("SVG", b"<svg"), ("PNG", b"\x89PNG")])
def test_a_position_as_a_picture(visit, tmp_path, kind, head):
    page = visit(ALONE)
    settled(page)
    with page.expect_download() as saved:
        page.get_by_role("button", name=f"Save the picture as {kind}").click()
    saved.value.save_as(tmp_path / "picture")
    assert Path(tmp_path / "picture").read_bytes().startswith(head)


# After the game


def test_a_review_finds_the_mistake_and_leads_to_it(visit):
    page = visit(f"{ALONE}&steps=0.3.1.4")  # now 2 wins; instead the other wins
    for number in (8, 5):
        settled(page)
        page.locator(f".moves button[data-number='{number}']").click()
    page.locator(".play-view[data-turn=end]").wait_for()
    page.get_by_role("button", name="Review the game").click()
    worst = page.locator(".review .worst").first  # the biggest mistake
    expect(worst).to_contain_text("step 5, c1")
    expect(page.locator(".review")).to_contain_text("accuracy")
    assert page.locator(".review tbody tr").count() == 6
    worst.click()
    expect(page.locator(".status")).to_contain_text("After step")
    assert worst.is_visible()
    assert page.locator(".board .pointers").count() == 1  # the played and the better move are drawn
    expect(page.locator(".review .graph circle.mistake").first).to_be_visible()
    expect(page.locator(".review")).to_contain_text("Accuracy is the share of decisions without a mistake")


def test_a_review_proves_what_moves_lost(visit):
    page = visit(f"{ALONE}&steps=0.3.1.4")
    for number in (8, 5):
        settled(page)
        page.locator(f".moves button[data-number='{number}']").click()
    page.locator(".play-view[data-turn=end]").wait_for()
    page.get_by_role("button", name="Prove the losses").click()
    review = page.locator(".review")
    expect(review).to_contain_text("bounds are proven", timeout=60_000)
    expect(review.locator("tbody tr").nth(4)).to_contain_text("100.00%; best c3")
    expect(review.locator("tbody tr").nth(4)).to_contain_text("player 1 wins, proven")
    expect(review.locator(".mistakes li").first).to_contain_text("c3 was better by 100.00%")


def test_an_analysis_shows_proven_intervals(visit):
    page = visit("#/analyse?game=pig%3Agoal%3D20%2Cdice%3D1&position=12+14+2+1+decide&players=prove%3Anodes%3D200")
    page.get_by_role("button", name="Search", exact=True).click()
    found = page.locator(".found-view[data-final=true]")
    expect(found).to_contain_text("player 1 wins between", timeout=60_000)
    expect(found.locator("tbody tr").first).to_contain_text("between")


def test_a_game_of_the_arena_is_reviewed(visit):
    page = visit("#/results?contest=3&pair=1&game=1")
    page.get_by_role("button", name="Review the game").click()
    expect(page.locator(".review")).to_contain_text("Reviewed by")
    page.locator(".review tbody button").last.click()
    expect(page.locator(".status")).not_to_contain_text("Step 0")


# How it looks


@pytest.mark.parametrize("view", ["", "new?game=focus", "play?game=pig&seats=person&seats=random"])
def test_the_new_views_fit_a_phone_and_all_has_a_name(visit, view):
    page = visit(f"#/{view}", viewport={"width": 360, "height": 740})
    page.locator(".card, .new-view form, .play-view[data-turn=person]").first.wait_for()
    assert page.evaluate("document.documentElement.scrollWidth") <= 360
    unnamed = """() => [...document.querySelectorAll("button, a, input, select, [role=button]")].filter((each) =>
        !(each.getAttribute("aria-label") || each.textContent.trim() || each.labels?.length || each.title)).length"""
    assert page.evaluate(unnamed) == 0


# Backgammon, whose moves have parts


def test_a_man_moves_with_each_die_and_a_half_is_taken_back(visit):
    page = visit("#/play?game=backgammon&seats=person&seats=person&position=4HPwATDgc%2FABMA+1+31&new=1")
    settled(page)

    def men(point: int) -> int:
        return page.locator(f".play-view .board [data-acts='point-{point}']").count()

    def press(point: int) -> None:
        page.locator(f".play-view .board [data-key='point-{point}']").focus()
        page.keyboard.press("Enter")

    press(6)
    press(5)
    assert (men(8), men(6), men(5)) == (3, 4, 1)
    page.get_by_role("button", name="Undo half").click()
    assert (men(8), men(6), men(5)) == (3, 5, 0)
    press(8)
    press(5)
    press(6)
    press(5)  # in the other order it is the same play
    page.locator(".play-view[data-ply='2']").wait_for()
    expect(page.locator(".steps")).to_contain_text("8/5,6/5")


def test_a_bad_link_says_so_and_begins_no_other_game(visit):
    page = visit("#/play?game=ewn&position=nonsense")
    expect(page.locator("#problems")).to_contain_text("is not a position of EWN")
    expect(page.get_by_role("heading", name="This link leads to no game")).to_be_visible()
    assert page.locator(".board").count() == 0
