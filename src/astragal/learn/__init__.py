"""Learned evaluations: an evaluation for any game, found by letting the game play against itself."""
