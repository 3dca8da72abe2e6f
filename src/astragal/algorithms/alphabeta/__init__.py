"""Alpha-beta, for games of two players without chance."""
