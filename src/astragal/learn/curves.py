"""Learning curves, from models and checkpoints, for drawing.

A checkpoint is written after every round of `astragal learn`, so reading it again follows what is being learned.
"""

from __future__ import annotations

import json
import time
from collections.abc import Iterable
from pathlib import Path
from typing import Any

from astragal.base.arrays import read_facts_of
from astragal.learn.model import shipped_models

CHECKPOINT = ".checkpoint.npz"  # how the name of one ends
MOST_POINTS = 40  # of a curve that are drawn


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
    """At most as many points as can be distinguished, the last among them."""
    step = -(-len(points) // MOST_POINTS) or 1
    return points[::-1][::step][::-1]


def read_facts(path: Path) -> dict[str, Any] | None:
    """The facts in a file; None if it is neither a model nor a checkpoint."""
    try:
        facts = read_facts_of(path)
        return facts if isinstance(facts, dict) and isinstance(facts.get("game"), str) else None
    except (OSError, ValueError):
        return None


def of_model(path: Path, facts: dict[str, Any]) -> dict[str, Any]:
    notes = facts.get("notes", {})
    strength = {rival: numbers_of(score, score) for rival, score in notes.get("strength", {}).items()}
    return {
        "name": path.stem,
        "game": notes.get("learned_for", facts["game"]),
        "hidden": facts.get("hidden"),
        "inputs": facts.get("inputs"),
        "games": notes.get("games"),
        "against": notes.get("against"),
        "strength": strength,
        "depth": notes.get("settings", {}).get("depth", 1),  # of the games that strength was measured in
        "points": points_of(notes),
    }


def of_checkpoint(path: Path, facts: dict[str, Any]) -> dict[str, Any]:
    points = points_of(facts)
    return {
        "name": model_of(path).stem,
        "game": facts["game"],
        "hidden": facts.get("settings", {}).get("hidden"),
        "games": points[-1]["games"] if points else 0,
        "against": facts.get("against"),
        "rate": facts.get("rate"),
        "processor_seconds": facts.get("seconds"),
        "points": points,
    }


def points_of(facts: dict[str, Any]) -> list[dict[str, float]]:
    return [numbers_of(each, ("games", "share", "error")) for each in thinned(list(facts.get("curve", [])))]


def numbers_of(record: dict[str, float], names: Iterable[str]) -> dict[str, float]:
    return {name: record[name] + 0 for name in names}  # a TypeError where one is no number


def curve_of(path: Path) -> dict[str, Any] | None:
    """The curve of a model or checkpoint; None where it is neither, or says what no page could show."""
    facts = read_facts(path)
    if facts is None:
        return None
    is_checkpoint = path.name.endswith(CHECKPOINT)
    try:
        made = of_checkpoint(path, facts) if is_checkpoint else of_model(path, facts)
        json.dumps(made, ensure_ascii=False, allow_nan=False).encode()
    except Exception:  # edited or damaged facts can be anything
        return None
    return {"kind": "checkpoint" if is_checkpoint else "file", **made}


def curves_of_folder(folder: Path) -> list[dict[str, Any]]:
    """The curves of a folder's models, and of what is being learned there, the latest first."""
    found = []
    for path in sorted(folder.glob("*.npz"), key=lambda each: -last_change(each)):
        is_checkpoint = path.name.endswith(CHECKPOINT)
        if is_checkpoint and last_change(path) <= last_change(model_of(path)):
            continue  # what was learned is in the model
        if made := curve_of(path):
            found.append({"age": round(max(0.0, time.time() - last_change(path)), 1), **made})
    return found


def last_change(path: Path) -> float:
    try:
        return path.stat().st_mtime
    except OSError:  # it is gone by now
        return 0.0


def curves_of_package() -> list[dict[str, Any]]:
    """The curves of the models that come with Astragal."""
    curves = ((name, curve_of(path)) for name, path in shipped_models().items())
    return [{**curve, "kind": "shipped", "name": name} for name, curve in curves if curve]
