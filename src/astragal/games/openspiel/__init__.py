"""OpenSpiel's games, named and searched like our own; Python runs them, since there is nothing to compile."""
