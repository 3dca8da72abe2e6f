"""Astragal: searching games with dice, chance and more than two players."""

__version__ = "0.1.0"
