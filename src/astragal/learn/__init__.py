"""Learned evaluations: an evaluation for any game, found by self-play or trained elsewhere."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from astragal.learn.saving import Inputs, inputs_of, save_model

__all__ = ["Inputs", "inputs_of", "save_model"]


def __getattr__(name: str) -> Any:
    """A public name, on first use."""
    if name not in __all__:
        raise AttributeError(f"module 'astragal.learn' has no attribute '{name}'")
    from astragal.learn import saving

    return getattr(saving, name)
