"""Our games and players for other libraries: OpenSpiel, PettingZoo, Gymnasium. Each is optional."""
