"""Learning curves: what models and checkpoints say of how they were learned, for whoever draws them.

A checkpoint is written after every round of `astragal learn`, so reading it again follows what is being learned.
"""

from __future__ import annotations

import json
import time
import zipfile
from collections.abc import Iterable
from pathlib import Path
from typing import Any

import numpy as np

from astragal.learn.model import shipped_models

CHECKPOINT = ".checkpoint.npz"  # how the name of one ends
MOST_POINTS = 40  # of a curve that are drawn
LARGEST = 1 << 26  # bytes of a file that is read


def checkpoint_of(file: Path) -> Path:
    """Where the checkpoint of a model's file lies."""
    return file.with_suffix(CHECKPOINT)


def model_of(checkpoint: Path) -> Path:
    """The model's file that a checkpoint belongs to."""
    return checkpoint.with_name(f"{checkpoint.name.removesuffix(CHECKPOINT)}.npz")


def curve_points(history: Iterable[Any]) -> list[dict[str, float]]:
    """Rounds as points: games so far, the share of games against the rival, and half its interval."""
    return [
        {"games": each.games, "share": round(each.rival.share, 4), "error": round(each.rival.share_error, 4)}
        for each in history
    ]


def thinned(points: list[dict[str, float]]) -> list[dict[str, float]]:
    """No more points than can be told apart, the last among them."""
    step = -(-len(points) // MOST_POINTS) or 1
    return points[::-1][::step][::-1]


def read_facts(path: Path) -> dict[str, Any] | None:
    """What a file says of itself; None where it is neither a model nor a checkpoint."""
    try:
        if path.stat().st_size > LARGEST:
            return None
        with np.load(path, allow_pickle=False) as arrays:
            facts = json.loads(str(arrays["facts"]))
            return facts if isinstance(facts, dict) and isinstance(facts.get("game"), str) else None
    except (OSError, ValueError, KeyError, EOFError, zipfile.BadZipFile):
        return None


def of_model(path: Path, facts: dict[str, Any]) -> dict[str, Any]:
    notes = facts.get("notes", {})
    return {
        "name": path.stem,
        "game": notes.get("learned_for", facts["game"]),
        "hidden": facts.get("hidden"),
        "inputs": facts.get("inputs"),
        "games": notes.get("games"),
        "against": notes.get("against"),
        "strength": notes.get("strength", {}),
        "depth": notes.get("settings", {}).get("depth", 1),  # of the games that strength was measured in
        "points": thinned(notes.get("curve", [])),
    }


def of_checkpoint(path: Path, facts: dict[str, Any]) -> dict[str, Any]:
    points = facts.get("curve", [])
    return {
        "name": model_of(path).stem,
        "game": facts["game"],
        "hidden": facts.get("settings", {}).get("hidden"),
        "games": points[-1]["games"] if points else 0,
        "against": facts.get("against"),
        "rate": facts.get("rate"),
        "processor_seconds": facts.get("seconds"),
        "points": thinned(points),
    }


def curves_of_folder(folder: Path) -> list[dict[str, Any]]:
    """The curves of a folder's models, and of what is being learned there, the latest first."""
    found = []
    for path in sorted(folder.glob("*.npz"), key=lambda each: -last_change(each)):
        is_checkpoint = path.name.endswith(CHECKPOINT)
        if is_checkpoint and last_change(path) <= last_change(model_of(path)):
            continue  # what was learned is in the model
        if facts := read_facts(path):
            made = of_checkpoint(path, facts) if is_checkpoint else of_model(path, facts)
            age = max(0.0, time.time() - last_change(path))
            found.append({"kind": "checkpoint" if is_checkpoint else "file", "age": round(age, 1), **made})
    return found


def last_change(path: Path) -> float:
    try:
        return path.stat().st_mtime
    except OSError:  # it is gone by now
        return 0.0


def curves_of_package() -> list[dict[str, Any]]:
    """The curves of the models that come with Astragal."""
    read = ((path, read_facts(path)) for path in shipped_models().values())
    return [{"kind": "shipped", **of_model(path, facts)} for path, facts in read if facts]
