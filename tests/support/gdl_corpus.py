"""Where public rule sheets and faulty ones lie that tests read and the repository does not hold."""

from __future__ import annotations

import os
from pathlib import Path

import pytest


def corpus() -> Path | None:
    """The folder named by ASTRAGAL_GDL_CORPUS, or `shared/gdl` beside the repository's folder."""
    named = os.environ.get("ASTRAGAL_GDL_CORPUS")
    if named:
        return Path(named)
    folder = Path(__file__).resolve().parents[3] / "shared" / "gdl"
    return folder if folder.is_dir() else None


def sheets(kind: str) -> list[Path]:
    """The sheets in a folder of the corpus, `kif` or `bad`; none where there is no corpus."""
    folder = corpus()
    return sorted((folder / kind).glob("*.kif")) if folder else []


needs_corpus = pytest.mark.skipif(corpus() is None, reason="no corpus of rule sheets; ASTRAGAL_GDL_CORPUS can name it")
