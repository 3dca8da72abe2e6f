"""Looking inside searches on the page: step by step beside the code, in a real browser."""

from __future__ import annotations

import pytest

pytest.importorskip("fastapi", reason="the web page is not installed (pip install astragal[web])")
playwright = pytest.importorskip("playwright.sync_api", reason="Playwright is not installed")
expect = playwright.expect


def test_a_search_step_by_step(visit):
    page = visit("#/steps")
    told = page.locator(".told")
    runs = page.locator(".pseudo .runs")
    expect(told).to_contain_text("Max is to move")
    expect(runs).to_have_attribute("data-key", "a1")
    page.get_by_label("Search").select_option("star2")
    expect(page.locator(".pseudo")).to_contain_text("the probing phase")
    page.get_by_role("button", name="Forward").click()
    page.keyboard.press("ArrowRight")
    expect(told).to_contain_text("Chance: 6 outcomes")
    expect(page.locator(".closing")).to_be_visible()
    assert page.locator("svg.walk .node").count() == 2
    page.keyboard.press("ArrowLeft")
    expect(told).to_contain_text("Max tries")
    page.get_by_role("button", name="The next cut").click()
    expect(told).to_contain_text("Cut:")
    expect(page.locator("svg.walk .cut").first).to_be_attached()
    page.get_by_role("button", name="To the end").click()
    expect(told).to_contain_text("The search is over")
    page.get_by_role("button", name="Play", exact=True).click()
    expect(told).not_to_contain_text("The search is over")
    page.get_by_role("button", name="Pause").click()
    page.get_by_label("Search").select_option("uct")
    page.get_by_label("Simulations").fill("9")
    page.get_by_label("Simulations").press("Tab")
    expect(page.locator(".steps-view")).to_contain_text("uct:sims=9")
    page.get_by_role("button", name="The next simulation").click()
    expect(told).to_have_text("Simulation 2 begins at the root.")
    page.reload()
    expect(told).to_have_text("Simulation 2 begins at the root.")


def test_a_tree_grows_while_the_search_runs(visit):
    page = visit("#/tree?game=tic_tac_toe&player=uct:time=30")
    page.get_by_role("button", name="Search").click()
    page.locator("canvas.tree[data-shown]").wait_for()
    assert page.get_by_role("button", name="Stop").is_enabled()  # it is still searching
    expect(page.locator(".tree-panel .legend")).to_contain_text("best line")
    page.get_by_role("button", name="Stop").click()
    expect(page.locator(".tree-panel")).to_contain_text("300 drawn")
    page.get_by_role("button", name="Players").click()
    expect(page.locator(".tree-panel .legend")).not_to_contain_text("good for player")
