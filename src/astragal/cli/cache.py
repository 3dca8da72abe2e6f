"""`astragal cache`: what is kept on disk, and how to be rid of it."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Annotated

import typer

from astragal.cli.options import Json, print_json
from astragal.errors import SpecError
from astragal.folders import cache_folder
from astragal.game.kernel_files import kernel_folder
from astragal.game.trimming import DAYS, MEGABYTES, KeptFile, kept_files, limit, remove, trim_kernels


def cache(
    trim: Annotated[bool, typer.Option("--trim", help="Remove compiled kernels that are beyond the limits.")] = False,
    clear: Annotated[bool, typer.Option("--clear", help="Remove all compiled kernels.")] = False,
    solutions: Annotated[
        bool, typer.Option("--solutions", help="With --clear: remove solved games too, which may take long to solve.")
    ] = False,
    json: Json = False,
) -> None:
    """Show what is kept on disk: compiled kernels and solved games; or remove it.

    Kernels are removed by themselves when they were not used for 90 days, or beyond 1000 megabytes;
    ASTRAGAL_CACHE_DAYS and ASTRAGAL_CACHE_MEGABYTES set other limits, ASTRAGAL_CACHE another folder.
    """
    if trim and clear:
        raise SpecError("--trim and --clear do not go together")
    if solutions and not clear:
        raise SpecError("--solutions goes with --clear")
    solved = cache_folder() / "solutions"
    removed: list[KeptFile] = []
    if trim:
        removed = trim_kernels()
    if clear:
        removed = remove(kept_files(kernel_folder()) + (kept_files(solved) if solutions else []))
    kinds = {"kernels": kept_files(kernel_folder()), "solutions": kept_files(solved)}
    if json:
        sizes = {kind: {"files": len(files), "bytes": total(files)} for kind, files in kinds.items()}
        limits = {"megabytes": limit(MEGABYTES), "days": limit(DAYS)}
        print_json({"folder": str(cache_folder()), **sizes, "limits": limits, "removed": len(removed)})
        return
    print(f"Folder     {cache_folder()}")
    for kind, files in kinds.items():
        print(f"{kind.capitalize():10} {len(files)} files, {total(files) / 1e6:.1f} MB")
    print(f"Limits     {limit(MEGABYTES):g} MB of kernels, {limit(DAYS):g} days without use")
    if trim or clear:
        print(f"Removed    {len(removed)} files, {total(removed) / 1e6:.1f} MB")


def total(files: Iterable[KeptFile]) -> int:
    return sum(file.bytes for file in files)
