"""Drawings of search trees: where nodes go (`layout`), and the picture as SVG (`svg`)."""
