"""Monte Carlo tree search: one loop (`simulation`) whose steps are small functions, one file a step."""
