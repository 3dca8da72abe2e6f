"""No view has a fault that axe-core calls serious. Skipped where axe-playwright-python, which brings it, is missing."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

axe = pytest.importorskip("axe_playwright_python", reason="axe-playwright-python is not installed")
RUN = """axe.run().then((found) => JSON.stringify(found.violations
    .filter((each) => ["serious", "critical"].includes(each.impact))
    .map((each) => [each.id, ...each.nodes.map((node) => node.html)])))"""
VIEWS = {  # what is there once a view is complete
    "": ".cards .card",
    "#/new?game=pig": ".new-view .choices input",
    "#/work": ".work-players select",
    "#/work?kind=tournament": ".work-players select",
    "#/work?kind=learn": ".work-form input[type=text]",
    "#/results": ".contests a",
}


@pytest.mark.parametrize("place", VIEWS)
@pytest.mark.parametrize(("size", "scheme"), [((1440, 900), "light"), ((390, 844), "dark")])
def test_no_view_has_a_serious_fault(visit, place, size, scheme):
    page = visit(place, viewport={"width": size[0], "height": size[1]}, color_scheme=scheme)
    page.locator(VIEWS[place]).first.wait_for()
    developer = page.context.new_cdp_session(page)  # the page's policy allows no script but its own
    script = Path(axe.__file__).with_name("axe.min.js").read_text(encoding="utf-8")
    developer.send("Runtime.evaluate", {"expression": script})
    asked = {"expression": RUN, "awaitPromise": True, "returnByValue": True}
    assert json.loads(developer.send("Runtime.evaluate", asked)["result"]["value"]) == []
