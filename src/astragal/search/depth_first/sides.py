"""Values as the mover sees them: those of the searched player, or their negatives where the mover minimises them."""

# mypy: ignore-errors
from __future__ import annotations

from astragal.game.kernel import kernel


@kernel(inline=True)
def mirrored(value, minimises):
    """The searched player's value as the mover's, or back.

    Not a product with a sign, which takes three times as long: what comes next waits for it.
    """
    return -value if minimises else value
