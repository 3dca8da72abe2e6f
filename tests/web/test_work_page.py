"""Work started on the page in a real browser: a match is set up, watched, stopped and resumed."""

from __future__ import annotations

import pytest

from support.pages import PATIENCE

pytest.importorskip("fastapi", reason="the web page is not installed (pip install astragal[web])")
playwright = pytest.importorskip("playwright.sync_api", reason="Playwright is not installed")
expect = playwright.expect


@pytest.fixture
def worker(browser, tmp_path):
    """The Work view of a server of its own."""
    from support.web_servers import serving

    with serving(results=tmp_path / "results.db", work=True) as server:
        context = browser.new_context(viewport={"width": 1200, "height": 900}, reduced_motion="reduce")
        context.set_default_timeout(PATIENCE)
        page = context.new_page()
        problems = []
        page.on("pageerror", lambda error: problems.append(str(error)))
        page.goto(f"{server.url}/#/work?game=pig:goal=10")
        yield page
        context.close()
        assert not problems


def test_a_match_is_started_stopped_and_goes_on(worker):
    worker.locator(".work-players select.player").nth(0).select_option("hold")
    worker.locator(".work-players select.player").nth(1).select_option("random")
    worker.get_by_label("A move is limited by").select_option("")
    worker.get_by_label("Games", exact=True).fill("100000")
    worker.get_by_role("button", name="Start").click()
    worker.locator(".work[data-state=running] .interval").wait_for()
    worker.get_by_role("button", name="Stop").click()
    card = worker.locator(".work[data-state=stopped]")
    card.wait_for()
    expect(card.locator("tbody th")).to_have_text("hold – random")
    card.get_by_role("button", name="Go on").click()
    worker.locator(".work[data-state=running]").wait_for()
    worker.get_by_role("button", name="Stop").click()
    card.wait_for()
    card.get_by_role("link", name="hold – random").click()
    expect(worker.get_by_role("heading", level=1)).to_contain_text("hold – random")


def test_a_wrong_order_is_answered_by_a_sentence_and_learning_names_what_it_needs(worker):
    worker.get_by_label("How much").fill("1000")
    worker.get_by_role("button", name="Start").click()
    expect(worker.locator("#problems")).to_contain_text("at most 60 seconds")
    worker.get_by_role("button", name="Learning").click()
    expect(worker.locator(".work-view")).to_contain_text("astragal web --models .")


@pytest.mark.parametrize("width", [360, 768, 870])
def test_the_links_of_the_header_stand_beside_its_button(worker, width):
    worker.set_viewport_size({"width": width, "height": 900})
    button = worker.locator("#theme").bounding_box()
    for link in worker.locator("nav a").all():
        box = link.bounding_box()
        assert box["x"] >= 0
        assert box["x"] + box["width"] <= width
        assert box["y"] >= button["y"] + button["height"] or box["x"] + box["width"] <= button["x"]
