"""How far solving has come, on standard error."""

from __future__ import annotations

import sys

REPORTS = {
    "states": "{:>12,.0f} states",
    "error": "largest error {:.3e}",
    "margin": "the margin may be {:+.0f}",
}


class Reporter:
    """Progress on standard error: one line that is overwritten in a terminal, a few lines elsewhere."""

    def __init__(self) -> None:
        self.count = 0
        self.shown = 0

    def __call__(self, what: str, number: float) -> None:
        self.count += 1
        text = REPORTS[what].format(number)
        if sys.stderr.isatty():
            print(f"\r\x1b[K{text}", end="", file=sys.stderr, flush=True)
        elif self.count >= 2 * self.shown:
            self.shown = self.count
            print(text, file=sys.stderr, flush=True)
