"""Pig, a race to 100 points with dice: the rules are in `rules.py`."""

from __future__ import annotations

from astragal.games.pig.rules import Pig

__all__ = ["Pig"]
