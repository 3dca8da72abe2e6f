"""Searches for any number of players that go depth first: max^n, and paranoid search, which is Star1 with sides."""
