"""What the experiments of Lanctot et al. 2013 share: who plays, which games, and how much they may search."""

from __future__ import annotations

EXACT = ("exp", "star1", "star2")
SAMPLED = ("expss", "star1ss", "star2ss")
PLAYERS = ("mcts", "dpw", *EXACT, *SAMPLED)
GAMES = ("pig", "ewn", "cant_stop", "ra")
SECONDS = 0.2  # a move
NODES, SIMS = 30_000, 10_000  # what that was in Pig: see `mcms-calibration`
