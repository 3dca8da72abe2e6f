"""Fixed action numbers of Focus: the game's own."""

from astragal.rules.steps import OwnNumbers

STEPS = OwnNumbers(3456)
