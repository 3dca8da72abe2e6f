"""Players against each other: what their games say about who is better, and how surely."""
