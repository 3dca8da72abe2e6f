"""Experiments run small, in this process, for tests."""

from __future__ import annotations

from dataclasses import asdict
from pathlib import Path

from astragal.arena.workers import local_workers
from astragal.lab.experiment import Experiment, experiments
from astragal.lab.findings import Section
from astragal.lab.laboratory import BusyLaboratory, Laboratory
from astragal.lab.luck import FEWEST
from astragal.lab.notebook import Notebook
from astragal.lab.size import Size


def tiny_size(experiment: Experiment) -> Size:
    """Just enough to see that everything runs; where scores are luck-adjusted, enough games to estimate luck."""
    quick = asdict(experiment.sizes.quick)
    luckless = any(getattr(part, "score", "") in ("exact", "learned") for part in experiment.parts)
    games = 2 * FEWEST if luckless else 2
    least = asdict(Size(games=games, candidates=2, states=2, runs=2, time=0.002, nodes=50, sims=8, depth=4, finisher=2))
    return Size(**{name: min(quick[name], least[name]) for name in quick})


def run_tiny(name: str, file: Path) -> list[Section]:
    """Run an experiment just large enough to see that everything runs, and note that."""
    _, experiment = experiments()[name]
    size = tiny_size(experiment)
    experiment.check(size)
    with Notebook(file) as notebook, notebook.alone():
        lab = BusyLaboratory(notebook, 1, jobs=1, workers=lambda: local_workers(1))
        number = notebook.begin_experiment(name, "quick", size, 1, 1, "a test")
        sections = experiment.carry_out(lab, size)
        notebook.end_experiment(number, 1.0)
    return sections


def read_tiny(name: str, file: Path) -> list[Section]:
    """The same from what was kept."""
    _, experiment = experiments()[name]
    with Notebook(file, must_exist=True) as notebook:
        return experiment.carry_out(Laboratory(notebook, 1), tiny_size(experiment))
