"""Files of named arrays, such as models and checkpoints: written whole or not at all, and checked when read.

Reading such a file runs nothing and unpacks no more than the reader expects; a damaged file is a `ValueError`.
"""

from __future__ import annotations

import json
import zipfile
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from astragal.base.errors import AstragalError

LARGEST = 1 << 29  # bytes of a file's arrays
LARGEST_TEXT = 1 << 26  # bytes of its facts, where only they are read


def read_arrays(path: Path, most: int = LARGEST) -> dict[str, npt.NDArray[Any]]:
    """The arrays of a file; ValueError if it is damaged or would unpack to more than `most` bytes."""
    return unpacked(path, None, most)


def read_facts_of(path: Path, most: int = LARGEST_TEXT) -> Any:
    """The JSON text among a file's arrays, parsed; the other arrays are not unpacked."""
    return parsed_facts(unpacked(path, "facts", most))


def parsed_facts(arrays: dict[str, npt.NDArray[Any]]) -> Any:
    try:
        return json.loads(str(arrays["facts"]))
    except (KeyError, RecursionError) as error:
        raise ValueError("the file has no facts that can be read") from error


def unpacked(path: Path, only: str | None, most: int) -> dict[str, npt.NDArray[Any]]:
    try:
        with zipfile.ZipFile(path) as archive:  # which never unpacks more of an array than it lists here
            wanted = [each for each in archive.infolist() if only in (None, each.filename.removesuffix(".npy"))]
            if sum(each.file_size for each in wanted) > most:
                raise ValueError(f"the arrays have more than {most} bytes")
        with np.load(path, allow_pickle=False) as arrays:
            return {name: arrays[name] for name in ([only] if only else arrays.files)}
    except OSError:
        raise
    except Exception as error:  # a damaged file fails in many ways: zlib.error, KeyError, MemoryError, ...
        raise ValueError(f"{path} is not a file of arrays") from error


def write_arrays(path: Path, arrays: dict[str, Any]) -> None:
    """Write a file of arrays under a temporary name, then rename it."""
    part = path.with_name(f"{path.name}.part")
    try:
        try:
            with part.open("wb") as file:
                np.savez_compressed(file, **arrays)
            part.replace(path)
        finally:
            part.unlink(missing_ok=True)  # there only if something went wrong, as on a full disk
    except OSError as error:
        raise AstragalError(f"cannot write to {path}: {error.strerror}") from None
