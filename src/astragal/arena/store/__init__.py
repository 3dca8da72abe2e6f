"""Games that are kept: the results file, its parts and numbers, and a game as a file."""
