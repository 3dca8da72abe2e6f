"""Solving small games in Python, which is through with them before a compiler is."""

from __future__ import annotations

from functools import partial

import pytest

from astragal.compiler.interpreted import run_interpreted
from astragal.solvers import graph, matrix_game, value_iteration

KERNELS = (
    (graph, "reindex"),
    (graph, "add_root"),
    (graph, "expand_states"),
    (value_iteration, "sweep"),
    (value_iteration, "sweep_stages"),
    (matrix_game, "solve_matrix"),
)


def solve_uncompiled(monkeypatch: pytest.MonkeyPatch) -> None:
    """Run the solver's kernels by Python from here on."""
    for module, name in KERNELS:
        monkeypatch.setattr(module, name, partial(run_interpreted, getattr(module, name)))
