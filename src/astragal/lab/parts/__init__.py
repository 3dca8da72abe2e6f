"""The kinds of parts that experiments are made of."""
