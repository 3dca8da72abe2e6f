"""Connect Four: the rules are in `rules.py`."""

from __future__ import annotations

from astragal.games.connect_four.rules import ConnectFour

__all__ = ["ConnectFour"]
