"""Three games in the plainest way, to read beside a rule book and to compare the fast ones with.

Each is a class with the same methods: `text` is the position as the game writes it, `mover` a player from 0,
``CHANCE`` or ``OVER``; actions and outcomes are the names that the game gives them.
"""

CHANCE, OVER = "chance", "over"
