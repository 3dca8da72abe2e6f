"""What the experiments of Lanctot et al. 2013 share: who plays, which games, and how much they may search."""

from __future__ import annotations

from astragal.lab.experiment import Departure

EXACT = ("exp", "star1", "star2")
SAMPLED = ("expss", "star1ss", "star2ss")
PLAYERS = ("mcts", "dpw", *EXACT, *SAMPLED)
GAMES = ("pig", "ewn", "cant_stop", "ra")
SECONDS = 0.2  # a move
NODES, SIMS = 100_000, 10_000  # columns of equal nodes: what takes some two milliseconds in Pig
EQUAL_SECONDS = 0.0125  # columns of equal time: what our sampled searches take for the nodes of Table 1
TABLE_1_NODES, TABLE_1_SIMS = 575_000, 80_000  # one budget for its eight rows, each throw an outcome of its own
# What ours do otherwise in all experiments of the work, and what that changes.
SHARED_DEPARTURES = (
    Departure("an unfinished iteration", "previous depth's move", "a better move, if it found one"),
    Departure("equal draws of a chance node", "searched each", "merged: same value, fewer nodes"),
    Departure("evaluations", "not stated", "the games' own"),
    Departure("table", "best moves", "best moves"),
    Departure("final move of MCTS", "best mean", "most visits"),
)
