"""`astragal cache`: what is stored on disk, and how to remove it."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path
from typing import Annotated

import typer

from astragal.base.folders import cache_folder
from astragal.cli.options import Json, print_json
from astragal.compiler.kernel_files import (
    DAYS,
    MEGABYTES,
    KeptFile,
    kept_files,
    kernel_folder,
    limit,
    remove,
    trim_kernels,
)


def show(json: Json = False) -> None:
    """Show what is stored on disk: compiled kernels and solved games.

    Kernels are removed when they have not been used for 90 days, or beyond 1000 megabytes;
    ASTRAGAL_CACHE_DAYS and ASTRAGAL_CACHE_MEGABYTES set other limits, ASTRAGAL_CACHE another folder.
    """
    tell(None, json)


def trim(json: Json = False) -> None:
    """Remove compiled kernels that are beyond the limits."""
    tell(trim_kernels(), json)


def clear(
    solutions: Annotated[
        bool, typer.Option("--solutions", help="Remove solved games too, which may take long to solve again.")
    ] = False,
    json: Json = False,
) -> None:
    """Remove all compiled kernels."""
    tell(remove(kept_files(kernel_folder()) + (kept_files(solved_folder()) if solutions else [])), json)


def solved_folder() -> Path:
    return cache_folder() / "solutions"


def tell(removed: list[KeptFile] | None, json: bool) -> None:
    """The contents of the cache now, and what was removed."""
    kinds = {"kernels": kept_files(kernel_folder()), "solutions": kept_files(solved_folder())}
    if json:
        sizes = {kind: {"files": len(files), "bytes": total(files)} for kind, files in kinds.items()}
        limits = {"megabytes": limit(MEGABYTES), "days": limit(DAYS)}
        print_json({"folder": str(cache_folder()), **sizes, "limits": limits, "removed": len(removed or [])})
        return
    print(f"Folder     {cache_folder()}")
    for kind, files in kinds.items():
        print(f"{kind.capitalize():10} {len(files)} files, {total(files) / 1e6:.1f} MB")
    print(f"Limits     {limit(MEGABYTES):g} MB of kernels, {limit(DAYS):g} days without use")
    if removed is not None:
        print(f"Removed    {len(removed)} files, {total(removed) / 1e6:.1f} MB")


def total(files: Iterable[KeptFile]) -> int:
    return sum(file.bytes for file in files)
