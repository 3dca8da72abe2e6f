"""Fixed action numbers of Can't Stop: the game's own."""

from astragal.rules.steps import OwnNumbers

STEPS = OwnNumbers(256)
