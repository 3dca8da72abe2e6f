"""Golden play-throughs are what they were."""

from __future__ import annotations

import pytest

from astragal.games import game_names
from support.playthroughs import FOLDER, SPECS, file_of, written_out


@pytest.mark.parametrize("spec", SPECS)
def test_a_game_goes_as_it_went(spec, request):
    lines = list(written_out(spec))
    if request.config.getoption("--store-playthroughs"):
        FOLDER.mkdir(exist_ok=True)
        file_of(spec).write_text("\n".join(lines) + "\n")
    stored = file_of(spec).read_text().splitlines()
    for number, (now, then) in enumerate(zip(lines, stored, strict=False), 1):
        assert now == then, f"line {number} of {file_of(spec).name}"
    assert len(lines) == len(stored)


def test_every_game_has_a_play_through():
    assert {spec.partition(":")[0] for spec in SPECS} == set(game_names())
    assert {file_of(spec) for spec in SPECS} == set(FOLDER.iterdir())
