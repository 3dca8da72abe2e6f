"""Playing on the page in tests: waiting for it, and clicking moves together."""

from __future__ import annotations

import random
import time
from typing import Any

PATIENCE = 90_000  # milliseconds; kernels may have to be compiled first, on a busy machine


def settled(page: Any) -> Any:
    """The game, once a person is to move or it is over."""
    table = page.locator(".play-view[data-turn=person], .play-view[data-turn=end]")
    table.wait_for()
    return table


def play_by_clicking(page: Any, most: int = 300) -> str:
    """Click together moves at random until the game is over; what the page says of it."""
    dice = random.Random(5)
    for _ in range(most):
        table = settled(page)
        if table.get_attribute("data-turn") == "end":
            return page.locator(".status").inner_text()
        ply = table.get_attribute("data-ply")
        while page.locator(f".play-view[data-turn=person][data-ply='{ply}'] .board .item.can").count():
            keys = page.locator(".board .item.can").evaluate_all("items => items.map((item) => item.dataset.key)")
            page.locator(f".board .item[data-key='{dice.choice(keys)}']").click()
        page.locator(f".play-view:not([data-ply='{ply}'])").wait_for()
    raise AssertionError("the game does not end")


def wait_until(page: Any, expression: str, value: object = None) -> None:
    """Ask the page until it says yes. (Playwright's own way evaluates a text, which the page's policy forbids.)"""
    end = time.monotonic() + PATIENCE / 1000
    while not page.evaluate(expression, value):
        assert time.monotonic() < end, expression
        time.sleep(0.05)
