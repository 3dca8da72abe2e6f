"""Learned evaluations: those of the package and of a folder, how they were learned, and what is being learned."""

from __future__ import annotations

from typing import Any

from fastapi import APIRouter

from astragal.learn.curves import curves_of_folder, curves_of_package
from astragal.web.state import State

router = APIRouter(prefix="/api/models")


@router.get("")
def models(state: State) -> dict[str, Any]:
    """Every model with its learning curve, those of the folder first."""
    of_folder = [] if state.models is None else curves_of_folder(state.models)
    return {
        "folder": None if state.models is None else state.models.resolve().name,
        "models": of_folder + curves_of_package(),
    }
