"""Pure functions of scores: rates, intervals, Elo, ratings, the sequential test, games for one."""
