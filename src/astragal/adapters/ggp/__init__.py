"""The protocol of general game playing: a player that listens, and a game manager."""
