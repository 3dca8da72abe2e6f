"""Learning curves of models and checkpoints, as they are read for drawing."""

from __future__ import annotations

import os

import numpy as np
import pytest

from astragal import load_game
from astragal.learn import from_fields, training
from astragal.learn.beginning import LearnSettings
from astragal.learn.curves import MOST_POINTS, checkpoint_of, curves_of_folder, curves_of_package, thinned
from astragal.learn.model import shipped_models, write_model
from astragal.learn.training import Training


@pytest.fixture
def learned(monkeypatch, tmp_path):
    """A folder in which two rounds were learned, and what learned them."""
    monkeypatch.setattr(from_fields, "SAMPLES", 200)
    monkeypatch.setattr(training, "STARTS", 4)
    made = Training(load_game("pig:goal=12"), LearnSettings(hidden=8, games=4, matches=10, rounds=3))
    made.run(lambda latest: None, checkpoint_of(tmp_path / "pig.npz"))
    return tmp_path, made


def test_a_checkpoint_tells_its_curve_while_it_grows_and_the_model_afterwards(learned):
    folder, made = learned
    (found,) = curves_of_folder(folder)
    assert (found["kind"], found["name"], found["hidden"], found["games"]) == ("checkpoint", "pig", 8, 12)
    assert [point["games"] for point in found["points"]] == [4, 8, 12]
    assert [point["share"] for point in found["points"]] == [round(each.rival.share, 4) for each in made.history]
    assert found["against"] == "its own evaluation"
    write_model(made.found, folder / "pig.npz")
    (model,) = curves_of_folder(folder)
    assert (model["kind"], model["game"], model["points"]) == ("file", "pig:goal=12", found["points"])
    later = (folder / "pig.npz").stat().st_mtime + 5
    os.utime(checkpoint_of(folder / "pig.npz"), (later, later))  # it goes on
    assert [each["kind"] for each in curves_of_folder(folder)] == ["checkpoint", "file"]


def test_files_that_are_neither_are_passed_over(tmp_path):
    (tmp_path / "empty.npz").write_bytes(b"")
    (tmp_path / "words.npz").write_text("not a model")
    np.savez(tmp_path / "numbers.npz", weights=np.zeros(3))
    np.savez(tmp_path / "facts.npz", facts=np.array("[1, 2]"))
    assert curves_of_folder(tmp_path) == []
    assert curves_of_folder(tmp_path / "missing") == []


def test_the_models_of_the_package_are_listed():
    assert [each["name"] for each in curves_of_package()] == list(shipped_models())
    assert all(each["strength"] and each["games"] > 0 for each in curves_of_package())


@pytest.mark.parametrize("count", [0, 1, MOST_POINTS, MOST_POINTS + 1, 1000])
def test_long_curves_are_thinned_and_keep_their_end(count):
    points = [{"games": float(i)} for i in range(count)]
    kept = thinned(points)
    assert len(kept) <= MOST_POINTS
    assert kept[-1:] == points[-1:]
    assert kept == sorted(kept, key=lambda each: each["games"])
