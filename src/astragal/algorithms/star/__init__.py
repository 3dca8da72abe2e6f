"""The *-Minimax family: expectimax, Star1 and Star2, exact and sampled. `definition` is the place to read first."""
