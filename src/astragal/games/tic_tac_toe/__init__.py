"""Tic-tac-toe: the rules are in `rules.py`."""

from __future__ import annotations

from astragal.games.tic_tac_toe.rules import TicTacToe

__all__ = ["TicTacToe"]
