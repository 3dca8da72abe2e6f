"""Docstrings that users read: listings, help, and the rules of a game.

Python leaves them out with ``-OO`` or ``PYTHONOPTIMIZE=2``. They are read from the source then.
"""

from __future__ import annotations

import ast
import inspect
import sys
import textwrap
from types import ModuleType
from typing import Any

STRIPPED = 2  # the level of optimisation at which Python has no docstrings


def docstring(item: Any) -> str:
    """The docstring of a module, a class or a function; nothing if it has none."""
    if sys.flags.optimize < STRIPPED:
        return inspect.getdoc(item) or ""
    try:
        tree = ast.parse(textwrap.dedent(inspect.getsource(item)))
    except (OSError, TypeError, SyntaxError):  # it has no source
        return inspect.getdoc(item) or ""
    owner: Any = tree if isinstance(item, ModuleType) else tree.body[0]
    return ast.get_docstring(owner) or ""


def rules_of(cls: type) -> str:
    """The rules of a game: the docstring of its module, or its own."""
    module = inspect.getmodule(cls)
    return (module and docstring(module)) or docstring(cls)
