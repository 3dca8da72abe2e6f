"""Proven intervals: what a position is worth at least and at most, by a best-first search of the game's graph."""
