"""What changes how games and kernels are compiled: environment variables, and the versions of Numba that were tested.

Methods of users' games are compiled with indices and loops checked; ``astragal --safe`` or ``ASTRAGAL_SAFE=1`` checks
the package's games too, and ``ASTRAGAL_SAFE=0`` none.
``ASTRAGAL_COMPILER=plain`` compiles by Numba's own pipeline, with guards around games' methods and little
else: the results are the same, and a compile takes several times as long. It is taken by itself, with a
warning, where the installed Numba is not among those that the fast pipeline was tested with, or lacks something that it
needs; ``ASTRAGAL_COMPILER=fast`` insists on the fast one.
"""

from __future__ import annotations

import functools
import os
import re
import warnings
from typing import Any

from astragal.base.errors import SpecError

SAFE, COMPILER = "ASTRAGAL_SAFE", "ASTRAGAL_COMPILER"
FAST, PLAIN = "fast", "plain"
OLDEST_TESTED, NEWEST_TESTED = (0, 62, 0), (0, 68, 1)  # versions of Numba that the fast pipeline was tested with


def checks_all() -> bool:
    """Whether indices and loops are checked in every game; worker processes find it in the environment."""
    return os.environ.get(SAFE, "") not in ("", "0")


def checks_users() -> bool:
    """Whether they are checked in users' games."""
    return os.environ.get(SAFE) != "0"


def be_safe() -> None:
    os.environ[SAFE] = "1"


def is_users(item: Any) -> bool:
    """Whether a function or class is a user's own."""
    return not (item.__module__ or "").startswith("astragal.")


@functools.cache
def pipeline() -> str:
    """By which pipeline this process compiles: "fast" or "plain"."""
    asked = os.environ.get(COMPILER, "")
    if asked not in ("", FAST, PLAIN):
        raise SpecError(f"{COMPILER} must be {FAST} or {PLAIN}, not '{asked}'")
    reason = reason_to_be_plain()
    if asked == PLAIN or not reason:
        return asked or FAST
    if asked == FAST and not missing():
        return FAST
    warnings.warn(f"kernels are compiled by Numba's own pipeline, which takes longer: {reason}", stacklevel=2)
    os.environ[COMPILER] = PLAIN  # workers need not say so again
    return PLAIN


def reason_to_be_plain() -> str:
    """Why the installed Numba should not be changed; nothing where it can be."""
    import numba

    if missing():
        return f"Numba {numba.__version__} lacks something ({missing()})"
    if OLDEST_TESTED <= version_of(numba.__version__) <= NEWEST_TESTED:
        return ""
    tested = " to ".join(".".join(map(str, version)) for version in (OLDEST_TESTED, NEWEST_TESTED))
    return (
        f"Numba {numba.__version__} is not among the versions tested, {tested} ({COMPILER}={FAST} tries the fast one)"
    )


def missing() -> str:
    """What the fast pipeline needs and the installed Numba does not have."""
    from astragal.compiler.numba_names import MISSING

    return str(MISSING)


def version_of(text: str) -> tuple[int, ...]:
    """The numbers of a version: ``0.69.0rc1`` is 0.69.0."""
    found = re.match(r"\d+(\.\d+)*", text)
    return tuple(map(int, found[0].split("."))) if found else ()
