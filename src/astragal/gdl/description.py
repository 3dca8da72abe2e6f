"""What a game of a rule sheet says of itself, where other games go by their class (see `astragal.rules.defaults`)."""

# mypy: allow-untyped-defs, allow-untyped-calls
from __future__ import annotations

from hashlib import sha256
from pathlib import Path
from typing import TYPE_CHECKING, Any

from astragal.gdl.layouts.layout import LAYOUTS

if TYPE_CHECKING:

    class Rest:
        """What the other parts of the game's class have."""

        __identity__: Any
        address: Any
        settings: Any
        sheet: Any
else:
    Rest = object


class SheetDescription(Rest):
    """Python only. The game has its layout's ``address``, and ``sheet`` and ``settings`` as its user wrote them."""

    def __reduce__(self):
        """Pickled as its sheet: classes of shapes and addresses of networks are of this process only."""
        from astragal.gdl.sheets import game_again

        return game_again, (LAYOUTS[self.address].sheet, self.settings, self.sheet)

    def own_title(self):
        return Path(self.sheet).name

    def own_spec(self):
        return ":".join(part for part in (self.sheet, self.settings) if part)

    def own_identity(self):
        """Sheets of one shape have their class in common, so their text and network count too."""
        layout: Any = LAYOUTS[self.address]
        digest = sha256(f"{type(self).__identity__} {layout.sheet.text}".encode())
        for name in ("heads", "inputs", "goals", "initial"):
            digest.update(layout.arrays[name].tobytes() if name in layout.arrays else b"")
        digest.update(layout.code.text.encode() if layout.is_called else b"")
        return digest.hexdigest()[:16]

    def own_source(self):
        return sha256(LAYOUTS[self.address].sheet.text.encode()).hexdigest()[:16]

    def own_roles(self):
        """The roles that players have, in the order of seats; `random` is none of them."""
        return LAYOUTS[self.address].players

    def own_drawing(self):
        return "astragal.gdl.picture"

    def own_checks(self, games, seed):
        from astragal.gdl.agreement import check_sheet

        return check_sheet(self, games, seed)

    def why_not_zero_sum(self):
        return "is not known to be (if it is, set zero_sum=on)"
