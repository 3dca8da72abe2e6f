"""Playing with others by the protocol of general game playing: a player that listens, and a game manager that asks."""
