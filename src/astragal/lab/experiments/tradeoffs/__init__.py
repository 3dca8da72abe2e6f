"""Ramanujan & Selman 2011: what makes UCT work in Kalah, in duplicate games from random boards.

Scores are shares of boards: a player takes a board if it wins one of its two games and does not lose the other, and all
other boards are set aside. Where a tree search meets MM-k it may add as many nodes as MM-k would expand at the same
position. That number depends on the order in which MM-k tries moves, which the work does not give. So these experiments
are made twice: with the pit next to the store first (a good order) and last (a poor one).

MM-16, which finishes games, is alpha-beta to the same depth with table and learned order: it gives the same values.

"All comparisons" of the work give UCT as many nodes as Minimax would expand "unless stated otherwise", which only
Figure 7 does. Figures 6, 8 and 9 vary the iterations themselves. "Expanded" may mean all nodes or those inside the
tree: Figure 10 is made with both.
"""

from __future__ import annotations

from astragal.lab.experiment import Publication
from astragal.lab.experiments.tradeoffs import backups, exploration, lookahead, minimax, playouts

RANK = 2
PUBLICATION = Publication("tradeoffs", "Trade-Offs in Sampling-Based Adversarial Planning", "Ramanujan & Selman 2011")
EXPERIMENTS = (
    *exploration.EXPERIMENTS,
    *playouts.EXPERIMENTS,
    *backups.EXPERIMENTS,
    *minimax.EXPERIMENTS,
    *lookahead.EXPERIMENTS,
)
