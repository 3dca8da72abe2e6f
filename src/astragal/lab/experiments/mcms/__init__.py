"""Lanctot et al. 2013: Monte Carlo *-Minimax Search, its tables and figures, and what it left as future work."""

from __future__ import annotations

from astragal.lab.experiment import Publication
from astragal.lab.experiments.mcms import estimates, future, settings, strength

RANK = 1
PUBLICATION = Publication(
    "mcms", "Monte Carlo *-Minimax Search", "Lanctot, Saffidine, Veness, Archibald & Winands 2013"
)
EXPERIMENTS = (
    *estimates.EXPERIMENTS,
    *strength.EXPERIMENTS,
    *settings.EXPERIMENTS,
    *future.EXPERIMENTS,
)
