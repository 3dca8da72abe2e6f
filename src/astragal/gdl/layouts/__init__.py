"""How a state of a rule sheet's game lies in memory, one way for each engine that plays it."""
