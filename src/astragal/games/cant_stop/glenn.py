"""The Rule of 28 of Can't Stop with weights tuned for few turns.

J. Glenn and C. Aloi, A Generalized Heuristic for Can't Stop, FLAIRS 2009.
"""

from __future__ import annotations

from astragal.games.cant_stop.rule28 import PointsRule

GLENN = PointsRule((1, 2, 2, 3, 7, 7), (3, 4, 0, 2, 0, 7), odd=7, even=1, high=6, low=5, marker=6, threshold=29)
