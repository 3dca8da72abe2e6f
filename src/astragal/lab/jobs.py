"""Long runs, in jobs that are short: each goes on from the data that is kept, and puts back what it has added.

A job has the lowest priority and holds the lock that benchmarks take too. Which runs there are, in which order, and
what is left of each, is `RUNS`; `front.py` prints their price.
"""

from __future__ import annotations

import os
import signal
import tempfile
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

from astragal.arena.workers import PersistentWorkers, local_workers
from astragal.base.errors import Stopped
from astragal.base.locks import measuring
from astragal.lab.data import write_checksums
from astragal.lab.experiment import Experiment, find_experiments
from astragal.lab.exports import SUFFIX, read_export, take_export, write_export
from astragal.lab.laboratory import BusyLaboratory
from astragal.lab.notebook import ExperimentRun, Notebook
from astragal.lab.size import Size

SCALE = "equivalent"
LOWEST = 19  # priority
RUNS = (  # in this order
    "mcms-table1",
    "mcms-strength-pig-published",
    "mcms-strength-pig",
    "mcms-strength-ewn",
    "mcms-strength-cant-stop",
    "mcms-strength-ra",
    "mcms-one-budget",
    "mcms-samples",
    "mcms-bounds",
    "mcms-evaluations",
    "tradeoffs-figure4",
    "tradeoffs-figures5-7",
    "tradeoffs-figures8-9",
    "tradeoffs-figure10",
    "tradeoffs-figure11",
    "tradeoffs-introduction",
    "tradeoffs-deeper",
    "multiplayer-table1",
    "multiplayer-table2",
    "multiplayer-table3",
    "multiplayer-divisor",
    "mcms-tuning",
    "mcms-sampling",
    "mcms-pruning",
    "mcms-time",
    "mcms-widening-ra",
    "ggp-levels",
    "own-table1",
    "own-strength",
    "own-outcomes",
)


def next_run(folder: Path, names: list[str]) -> Experiment | None:
    """The first of these experiments, or of all runs, that has not been run to its end as it is planned today."""
    chosen = find_experiments(names or list(RUNS))
    return next((each for each in chosen if not is_done(folder, each)), None)


def is_done(folder: Path, experiment: Experiment) -> bool:
    path = folder / f"{experiment.name}{SUFFIX}"
    if not path.is_file():
        return False
    run = next(read_export(path))["run"]
    wanted = experiment.sizes.at(SCALE)
    same = Size(**run["size"] | {"again": wanted.again}) == wanted
    return run["ended"] is not None and same and run.get("plan") == experiment.plan


def run_job(
    experiment: Experiment, folder: Path, minutes: float, jobs: int, tell: Callable[[str], None], command: str = ""
) -> bool:
    """Go on with an experiment for so long, and keep what was added. Whether it has come to its end."""
    os.nice(LOWEST)
    path, size = folder / f"{experiment.name}{SUFFIX}", experiment.sizes.at(SCALE)
    experiment.check(size)
    with (
        measuring(),
        tempfile.TemporaryDirectory(prefix="astragal-") as made,
        Notebook(Path(made, "job.db")) as notebook,
        notebook.alone(),
        PersistentWorkers(lambda: local_workers(jobs)) as workers,
    ):
        if path.is_file():
            take_export(notebook, path)
        number, spent = begun(notebook, experiment, size, jobs, command)
        busy = BusyLaboratory(notebook, 0, jobs=jobs, workers=workers, command=command)
        busy.tell = tell
        started, ended = time.perf_counter(), False
        try:
            with stopped_after(60.0 * minutes):
                experiment.carry_out(busy, size, before=tell)
                ended = True
        except (Stopped, KeyboardInterrupt):
            tell(f"{experiment.name}: stopped; the next job goes on from here")
        seconds = spent + time.perf_counter() - started
        if ended:
            notebook.end_experiment(number, seconds)
        run = next(run for run in notebook.runs() if run.id == number)  # not an older one that was ended
        folder.mkdir(parents=True, exist_ok=True)
        write_export(notebook, experiment, run, path)
        write_checksums(folder)
    return ended


def begun(notebook: Notebook, experiment: Experiment, size: Size, jobs: int, command: str) -> tuple[int, float]:
    """The number of the run that this job goes on with, or of a new one, and the seconds that it took so far."""
    for run in reversed(notebook.runs()):
        if goes_on(run, experiment, size):
            return run.id, run.seconds or 0.0
    return notebook.begin_experiment(experiment.name, SCALE, size, 0, jobs, command, experiment.plan), 0.0


def goes_on(run: ExperimentRun, experiment: Experiment, size: Size) -> bool:
    planned = run.name == experiment.name and run.plan == experiment.plan
    return planned and run.scale == SCALE and run.size == size and run.ended is None


@contextmanager
def stopped_after(seconds: float) -> Iterator[None]:
    """Within this block, what Ctrl-C does happens by itself after so long."""
    timer = threading.Timer(seconds, lambda: os.kill(os.getpid(), signal.SIGINT))
    timer.daemon = True
    timer.start()
    try:
        yield
    finally:
        timer.cancel()
