"""Drawings of search trees: where nodes go (`layout`), and the picture as SVG (`svg`). Positions are in `pictures`."""

LIMIT = 3000  # nodes drawn, unless asked for more
