"""Kalah, the best-known mancala: the rules are in `rules.py`."""

from __future__ import annotations

from astragal.games.kalah.rules import Kalah

__all__ = ["Kalah"]
