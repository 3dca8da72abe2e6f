"""Files of `review --html` and `search --html` in a real browser without a network."""

from __future__ import annotations

import pytest

from astragal.algorithms.walkthrough.page import walk_page
from astragal.games import load_game
from astragal.rules.position import Position

pytest.importorskip("playwright.sync_api", reason="Playwright is not installed")


@pytest.mark.parametrize("width", [360, 1440])
def test_a_file_is_stepped_through_by_keys_and_buttons(browser, tmp_path, width):
    file = tmp_path / "walk.html"
    start = Position.start(load_game("tic_tac_toe"), 1)
    file.write_text(walk_page("uct", start, 5), encoding="utf-8")
    context = browser.new_context(offline=True, viewport={"width": width, "height": 800})
    page, problems = context.new_page(), []
    page.on("pageerror", lambda error: problems.append(str(error)))
    page.on("console", lambda said: problems.append(said.text))
    page.goto(file.as_uri())
    words = page.locator("#words")
    page.wait_for_function("document.getElementById('words').textContent !== ''")
    first = words.inner_text()
    assert page.locator("#board svg").count() == 1
    page.keyboard.press("ArrowRight")
    assert words.inner_text() != first
    page.get_by_role("button", name="Back").click()
    assert words.inner_text() == first
    page.keyboard.press("End")
    assert page.get_by_role("button", name="Forward").is_disabled()
    assert page.locator(".code .now").count() == 1
    assert page.locator(".tree .now").count() == 1
    assert page.evaluate("document.documentElement.scrollWidth") <= width
    assert not problems
    context.close()
