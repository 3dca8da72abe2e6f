"""Drawings of search trees: where nodes go (`layout`), and the picture as SVG (`svg`)."""

LIMIT = 3000  # nodes drawn, unless asked for more
