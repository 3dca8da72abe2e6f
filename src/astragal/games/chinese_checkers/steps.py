"""Fixed action numbers of Chinese Checkers: the game's own."""

from astragal.rules.steps import OwnNumbers

STEPS = OwnNumbers(65537)
