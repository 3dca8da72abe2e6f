"""Damaged and hostile files of models and checkpoints: one sentence each, and kernels never read outside them."""

from __future__ import annotations

import json
import zipfile

import numpy as np
import pytest

from astragal import load_game
from astragal.base.arrays import read_arrays, write_arrays
from astragal.base.errors import AstragalError, SpecError
from astragal.learn import from_fields, training
from astragal.learn.beginning import LearnSettings, new_model
from astragal.learn.curves import curves_of_folder
from astragal.learn.derived import with_model
from astragal.learn.model import model_for, read_model, write_model
from astragal.learn.training import Training
from support.helpers import EXAMPLE, random_positions

SMALL = LearnSettings(hidden=8, games=4, matches=10, rounds=1)
VALUES = (-(1 << 62), -7, -3, -1, 0, 1, 2, 3, 5, 24, 64, 1 << 20, 1 << 24, 1 << 31, 1 << 40, (1 << 63) - 1)


@pytest.fixture(autouse=True)
def _few_samples(monkeypatch):
    monkeypatch.setattr(from_fields, "SAMPLES", 200)
    monkeypatch.setattr(training, "STARTS", 4)


def facts_of(arrays):
    return json.loads(str(arrays["facts"]))


def with_facts(arrays, **changes):
    return {**arrays, "facts": np.array(json.dumps(facts_of(arrays) | changes))}


@pytest.fixture(scope="module")
def example(tmp_path_factory):
    """A game whose inputs are made of its fields, and the arrays of a model of it."""
    file, game = tmp_path_factory.mktemp("model") / "model.npz", load_game(str(EXAMPLE))
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(from_fields, "SAMPLES", 200)
        write_model(new_model(game, 8, seed=0), file)
    return game, read_arrays(file)


@pytest.mark.parametrize("name", from_fields.NUMBER.names)
def test_no_table_makes_kernels_read_or_write_outside(example, tmp_path, name):
    game, arrays = example
    file = tmp_path / "model.npz"
    refused = 0
    for row in range(len(arrays["table"])):
        for value in VALUES[row % 3 :: 3]:
            table = arrays["table"].copy()
            table[name][row] = value
            write_arrays(file, {**arrays, "table": table})
            try:
                model = model_for(game, str(file))
            except SpecError:
                refused += 1
                continue
            rules = with_model(game, model)._twin_
            for position in random_positions(game, 1, 4):
                listed = [0] * model.most
                count = rules.features(position._state, 0, listed)  # an IndexError where it reads outside the state
                assert 0 <= count <= model.most
                assert 0 <= min(listed) <= max(listed) < model.inputs
    assert refused > 2


def test_a_table_is_for_a_game_without_inputs_of_its_own(example, tmp_path):
    game, arrays = example
    file = tmp_path / "model.npz"
    longer = np.r_[arrays["weights"], arrays["weights"][-1:]]
    facts = facts_of(arrays)
    write_arrays(file, with_facts({**arrays, "weights": longer}, inputs=facts["inputs"] + 1))
    with pytest.raises(SpecError, match="other states"):
        model_for(game, str(file))
    of_ewn = {"game": "ewn:setup=fixed", "state": str(load_game("ewn").state)}
    write_arrays(file, with_facts(arrays, **of_ewn))
    with pytest.raises(SpecError, match="was learned for"):
        model_for(load_game("ewn"), str(file))


@pytest.mark.parametrize(
    "changes",
    [
        {"inputs": -1},
        {"inputs": float("inf")},
        {"inputs": 10**30},
        {"most": 0},
        {"most": float("inf")},
        {"hidden": -8},
        {"game": 5},
        {"game": ["pig"]},
        {"notes": [1]},
        {"notes": None},
        {"results": "abc"},
        {"results": [float("nan"), 1]},
        {"state": 5},
        {"format": 9},
    ],
    ids=str,
)
def test_wrong_facts_of_a_model_get_a_sentence_and_are_left_out_of_lists(example, tmp_path, changes):
    file = tmp_path / "model.npz"
    write_arrays(file, with_facts(example[1], **changes))
    with pytest.raises(SpecError, match=r"model\.npz: the file is"):
        read_model(file)
    json.dumps(curves_of_folder(tmp_path), allow_nan=False)


def test_wrong_arrays_of_a_model_get_a_sentence(example, tmp_path):
    arrays, file = example[1], tmp_path / "model.npz"
    for name, value in (
        ("facts", np.array("[" * 100_000)),
        ("facts", np.array("5")),
        ("weights", np.array("x")),
        ("weights", arrays["weights"].astype(complex)),
        ("weights", arrays["weights"] * np.float16("nan")),
        ("table", np.zeros(0, from_fields.NUMBER)),
        ("table", np.zeros((), from_fields.NUMBER)),
        ("table", np.zeros((1, 1), from_fields.NUMBER)),
    ):
        write_arrays(file, {**arrays, name: value})
        with pytest.raises(SpecError, match=r"model\.npz: the file is"):
            read_model(file)
        assert len(curves_of_folder(tmp_path)) == (name != "facts")


def test_a_flipped_bit_anywhere_gets_a_sentence_or_changes_nothing_that_matters(example, tmp_path):
    file = tmp_path / "model.npz"
    write_arrays(file, example[1])
    whole = file.read_bytes()
    refused = 0
    for place in range(0, len(whole), max(1, len(whole) // 60)):
        data = bytearray(whole)
        data[place] ^= 4
        file.write_bytes(data)
        try:
            read_model(file)
        except SpecError:
            refused += 1
        curves_of_folder(tmp_path)
    assert refused > 40


def test_an_archive_is_not_unpacked_beyond_what_its_reader_expects(tmp_path):
    file = tmp_path / "model.npz"
    write_arrays(file, {"weights": np.zeros(1 << 20, np.uint8), "facts": np.array("{}")})
    assert read_arrays(file, 1 << 21)["weights"].nbytes == 1 << 20
    with pytest.raises(ValueError, match="not a file of arrays"):
        read_arrays(file, 1000)
    with zipfile.ZipFile(file, "w") as archive:  # a header of 4 TiB, and nothing behind it
        for name in ("weights.npy", "facts.npy"):
            with archive.open(name, "w") as part:
                np.lib.format.write_array_header_1_0(
                    part, {"descr": "<f4", "fortran_order": False, "shape": (1 << 40,)}
                )
    with pytest.raises(SpecError, match="is not a model"):
        read_model(file)


@pytest.mark.parametrize(
    "notes", [[1], "x", {"curve": 5}, {"curve": [{"games": "x"}]}, {"strength": {"a": 3}}], ids=str
)
def test_a_file_that_no_page_could_show_is_left_out_of_the_list(example, tmp_path, notes):
    write_arrays(tmp_path / "good.npz", example[1])
    write_arrays(tmp_path / "bad.npz", with_facts(example[1], notes=notes))
    write_arrays(tmp_path / "nan.npz", with_facts(example[1], hidden=float("nan")))
    assert [each["name"] for each in curves_of_folder(tmp_path)] == ["good"]


@pytest.fixture(scope="module")
def checkpoint(tmp_path_factory):
    """The arrays of a checkpoint."""
    file = tmp_path_factory.mktemp("checkpoint") / "pig.checkpoint.npz"
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(training, "STARTS", 4)
        made = Training(load_game("pig:goal=12"), SMALL)
        made.play_round()
        made.save(file)
    return read_arrays(file)


@pytest.mark.parametrize(
    "changes",
    [
        {"rate": None},
        {"rate": "x"},
        {"rate": float("nan")},
        {"rate": -1.0},
        {"round": -5},
        {"round": "x"},
        {"round": 7},
        {"history": [{"x": 1}]},
        {"history": "abc"},
        {"seconds": "x"},
        {"settings": 5},
        {"game": None},
    ],
    ids=str,
)
def test_edited_facts_of_a_checkpoint_get_a_sentence(checkpoint, tmp_path, changes):
    file = tmp_path / "x.checkpoint.npz"
    write_arrays(file, with_facts(checkpoint, **changes))
    refuse(file)


def test_wrong_arrays_of_a_checkpoint_get_a_sentence(checkpoint, tmp_path):
    file = tmp_path / "x.checkpoint.npz"
    for name, value in (
        ("best", np.zeros((2, 2), np.float32)),
        ("best", checkpoint["best"] * np.float32("nan")),
        ("weights", np.full_like(checkpoint["weights"], np.inf)),
        ("weights", checkpoint["weights"].astype("U8")),
        ("generator", np.zeros(7, np.uint64)),
        ("generator", np.array(["x"])),
        ("facts", np.array("[" * 100_000)),
    ):
        write_arrays(file, {**checkpoint, name: value})
        refuse(file)
    for name in checkpoint:
        write_arrays(file, {other: value for other, value in checkpoint.items() if other != name})
        refuse(file)


def refuse(file):
    """The sentence comes before anything of the training is changed."""
    made = Training(load_game("pig:goal=12"), SMALL)
    before = made.model.weights.copy(), made.work.copy(), made.round
    with pytest.raises(SpecError, match=r"is (not )?a checkpoint of"):
        made.resume(file)
    assert (made.model.weights == before[0]).all()
    assert (made.work == before[1]).all()
    assert made.round == before[2]


def test_what_cannot_be_written_leaves_nothing(tmp_path, monkeypatch):
    def full(*arguments, **arrays):
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(np, "savez_compressed", full)
    with pytest.raises(AstragalError, match="No space left"):
        write_arrays(tmp_path / "x.npz", {})
    assert list(tmp_path.iterdir()) == []
