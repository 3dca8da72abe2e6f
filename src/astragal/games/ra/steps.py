"""Fixed action numbers of Ra: the game's own."""

from astragal.rules.steps import OwnNumbers

STEPS = OwnNumbers(128)
