"""Monte Carlo Search: a few decisions in full, then random games, on the nodes of tree search."""
