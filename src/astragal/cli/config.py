"""`astragal config`: what is installed, where things are stored, and the environment variables."""

from __future__ import annotations

import os
import platform
import sys
from importlib.metadata import PackageNotFoundError, version
from importlib.util import find_spec
from typing import Any

from astragal import __version__
from astragal.base.folders import cache_folder
from astragal.cli.options import Json, print_json

VARIABLES = {
    "ASTRAGAL_CACHE": "the folder of compiled kernels and solved games",
    "ASTRAGAL_CACHE_DAYS": "kernels not used for this many days are removed (90)",
    "ASTRAGAL_CACHE_MEGABYTES": "the most megabytes of kernels (1000)",
    "ASTRAGAL_COMPILER": "plain: compile by Numba's own pipeline, which takes longer; fast: never do so by itself",
    "ASTRAGAL_QUICK_CHECK": "off: search a new game of your own without a look at random games first",
    "ASTRAGAL_SAFE": "1: check indices and loops in the package's games too, as --safe does; 0: not in your own either",
    "ASTRAGAL_DEBUG": "1: show tracebacks of errors",
    "OMP_NUM_THREADS": "the most threads that threads=auto takes",
    "SLURM_CPUS_PER_TASK": "the same",
    "NO_COLOR": "any value: no colours in the terminal",
    "NUMBA_DISABLE_JIT": "1: compile nothing; everything runs in Python, very slowly",
}
PACKAGES = ("numba", "numpy", "typer")
EXTRAS = {
    "web": "fastapi",
    "openspiel": "pyspiel",
    "pettingzoo": "pettingzoo",
    "gymnasium": "gymnasium",
    "frames": "pandas",
    "plots": "matplotlib",
    "parquet": "pyarrow",
    "tune": "optuna",
    "cluster": "distributed",
}


def config(json: Json = False) -> None:
    """Show versions, folders, optional packages and environment variables."""
    facts: dict[str, Any] = {
        "version": __version__,
        "python": platform.python_version(),
        "program": sys.executable,
        "system": platform.platform(),
        "cores": os.cpu_count(),
        "cache": str(cache_folder()),
        "packages": {name: installed_version(name) for name in PACKAGES},
        "extras": {extra: find_spec(module) is not None for extra, module in EXTRAS.items()},
        "environment": {name: os.environ.get(name) for name in VARIABLES},
    }
    if json:
        print_json(facts)
        return
    packages = ", ".join(f"{name} {found}" for name, found in facts["packages"].items())
    print(f"astragal {__version__}, Python {facts['python']} ({facts['program']}), {packages}")
    print(f"{facts['system']}, {facts['cores']} cores")
    print(f'cache in {facts["cache"]}\n\noptional packages (pip install "astragal[NAME]")')
    for extra, there in facts["extras"].items():
        print(f"  {extra:<12} {'installed' if there else '-'}")
    print("\nenvironment")
    for name, about in VARIABLES.items():
        value = facts["environment"][name]
        print(f"  {name:<25} {'-' if value is None else value:<12} {about}")


def installed_version(package: str) -> str:
    try:
        return version(package)
    except PackageNotFoundError:
        return "not found"
