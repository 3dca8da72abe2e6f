"""Skeleton: a game in a folder of its own. Its rules are in `rules.py`, its picture in `picture.py`.

More files are found by their names, if you write them:

- `players.py`: players for this game only, classes under `@player` of `astragal.players.player`;
- `solver.py`: exact values by your own method, as `OwnSolver` of `astragal.solvers.exact` describes it;
- `steps.py`: fixed action numbers for policies, `STEPS` of `astragal.rules.steps`;
- `model.npz`: a learned evaluation, which `astragal learn FILE --out FILE/model.npz` makes; players use it by
  `evaluation=learned`.

`astragal check FILE` and all other commands take the folder's name.
"""

# mypy: allow-untyped-defs, allow-untyped-calls

from .rules import Skeleton

__all__ = ["Skeleton"]
