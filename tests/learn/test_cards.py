"""The table of shipped models agrees with the notes in their files."""

from __future__ import annotations

import re
from dataclasses import asdict
from pathlib import Path

import pytest

from astragal.base.parameters import build, split_settings
from astragal.learn.beginning import LearnSettings
from astragal.learn.matches import Score
from astragal.learn.model import read_model, shipped_models

PAGE = Path(__file__).parents[2] / "docs" / "results" / "learning.md"
ROW = re.compile(r"\| [^|]+ \| `astragal learn (\w+) ?([^`]*)` \| ([\d,]+) \| ([\d,]+), (\d+) \| ([^|]*) \| ([^|]*) \|")
CARDS = {found.group(1): found.groups()[1:] for found in ROW.finditer(PAGE.read_text(encoding="utf-8"))}


def settings_of(options: str) -> dict[str, object]:
    """The settings that the options of a command give, those of its last stage."""
    words = re.findall(r"--(\w+) (\S+)", options)
    named = dict(words)
    given = split_settings(named.get("settings", ""), "--settings")
    found = build(LearnSettings, given | {k: named[k] for k in ("hidden", "seed") if k in named}, "learn")
    for changes in (value for name, value in words if name == "then"):
        found = found.then(changes)
    return asdict(found)


@pytest.mark.parametrize("game", shipped_models())
def test_a_card_is_of_the_model_that_is_shipped(game):
    options, games, inputs, hidden, random, own = CARDS[game]
    model = read_model(shipped_models()[game])
    assert asdict(LearnSettings()) | model.notes["settings"] == settings_of(options)
    assert (model.notes["games"], model.inputs, model.hidden) == tuple(
        int(text.replace(",", "")) for text in (games, inputs, hidden)
    )
    scores = {name: Score(**found) for name, found in model.notes["strength"].items()}
    assert random.startswith(str(scores["random moves"]))
    assert own.startswith(str(scores["its own evaluation"]))
