"""`astragal lab`: the experiments of published works, run again and reported."""

from __future__ import annotations

import sys
import tempfile
import time as clock
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from astragal.cli.arena import Cluster, Jobs, this_command
from astragal.cli.options import Seed
from astragal.errors import AstragalError, SpecError

if TYPE_CHECKING:
    from astragal.lab.experiment import Experiment
    from astragal.lab.findings import Section
    from astragal.lab.notebook import Notebook
    from astragal.lab.size import Size

DEFAULT_NOTEBOOK = Path("lab.db")
DEFAULT_REPORT = Path("lab-report")
DEFAULT_EXPORTS = Path("lab-data")
lab = typer.Typer(
    help="Run the experiments of published works again, and set our numbers beside theirs.",
    epilog="Example: astragal lab run multiplayer-table1 --scale quick",
    no_args_is_help=True,
    rich_markup_mode=None,
)
NotebookFile = Annotated[Path, typer.Option("--db", help="The notebook: a results file for games and searches.")]
ScaleText = Annotated[
    str,
    typer.Option("--scale", help="quick, standard (about 10 minutes on two cores), equivalent (by work), or paper."),
]


@lab.command("list", epilog="Example: astragal lab list")
def list_experiments() -> None:
    """List all experiments by the work they are from."""
    from astragal.lab.experiment import experiments

    heading = ""
    widest = max(map(len, experiments()))
    for name, (work, experiment) in experiments().items():
        if work.title != heading:
            heading = work.title
            print(f"\n{work.title}{f' ({work.authors})' if work.authors else ''}: astragal lab run {work.name}")
        print(f"  {name:<{widest}}  {experiment.title}")


@lab.command("run", epilog="Example: astragal lab run tradeoffs-figure4 --scale quick")
def run(
    names: Annotated[
        list[str], typer.Argument(metavar="NAME...", help="Experiments, a work's name, or all.", show_default=False)
    ],
    scale: ScaleText = "quick",
    seed: Seed = 0,
    jobs: Jobs = None,
    db: NotebookFile = DEFAULT_NOTEBOOK,
    cluster: Cluster = None,
    size_text: Annotated[
        str, typer.Option("--size", metavar="NAME=NUMBER,...", help="Another size than the scale's: games=100,runs=5.")
    ] = "",
    taken: Annotated[
        list[Path] | None,
        typer.Option("--from", help="Take games from another notebook, an export, or a folder of exports first."),
    ] = None,
) -> None:
    """Run experiments and print what they show beside what their works report.

    Every game and search is kept in the notebook. The same command again goes on where it stopped, and a larger scale
    takes up what a smaller one has that is the same. Ctrl-C stops after what is under way.
    """
    from astragal.arena.live import live_meeting
    from astragal.arena.playing import warn_if_busy, workers_for
    from astragal.arena.workers import PersistentWorkers
    from astragal.lab.experiment import check_scale, find_experiments
    from astragal.lab.exports import take
    from astragal.lab.laboratory import BusyLaboratory
    from astragal.lab.notebook import Notebook
    from astragal.search.limits import Limits
    from astragal.terminal import overwrite

    check_scale(scale)
    sizes = {each.name: each.sizes.at(scale).changed(size_text) for each in find_experiments(names)}
    chosen = [each for each in find_experiments(names) if can_run(each, sizes[each.name], each.name in names)]
    make_workers, count = workers_for(cluster, jobs)
    with Notebook(db) as notebook, notebook.alone(), PersistentWorkers(make_workers) as workers:
        for path in taken or ():
            take(notebook, path)
        for experiment in chosen:
            size = notebook.seen_before(experiment.name, scale, sizes[experiment.name], seed)
            if size.time and cluster is None:
                warn_if_busy(Limits(time=size.time), count)
            busy = BusyLaboratory(notebook, seed, jobs=count, workers=workers, command=this_command())
            busy.listener, busy.tell, busy.show = live_meeting, tell, overwrite
            print_heading(experiment, scale, size)
            number = notebook.begin_experiment(experiment.name, scale, size, seed, count, this_command())
            started = clock.perf_counter()
            sections = experiment.carry_out(busy, size, before=lambda title: tell(f" {title}"))
            seconds = clock.perf_counter() - started
            notebook.end_experiment(number, seconds)
            for section in sections:
                print_section(section)
            print(
                f"\n{experiment.name}: {seconds / 60:.1f} minutes; all of it is in {db} (astragal lab report --db {db})"
            )


def can_run(experiment: Experiment, size: Size, asked_for: bool) -> bool:
    """Whether an experiment can be run here. One that needs a package is left out, unless it was asked for itself."""
    try:
        experiment.check(size)
    except SpecError:
        raise
    except AstragalError as error:
        if asked_for:
            raise
        print(f"astragal: warning: {experiment.name} is left out: {error}", file=sys.stderr)
        return False
    return True


def tell(line: str) -> None:
    """What is being done, apart from what came of it."""
    print(line, file=sys.stderr, flush=True)


def print_heading(experiment: Experiment, scale: str, size: Size) -> None:
    print(f"{experiment.title}\n{experiment.about}")
    smaller = size.smaller_than(experiment.sizes.paper)
    if smaller:
        print(f"scale {scale}: {'; '.join(smaller)}")
    sys.stdout.flush()


def print_section(section: Section) -> None:
    from astragal.lab.text import plain_table

    print(f"\n{section.title}")
    for table in section.tables:
        print(plain_table(table))
    for judged in section.judgements:
        print(f"  {judged.verdict}: {judged.sentence}: {judged.because}")
    for note in section.notes:
        print(f"  {note}")


SourceFiles = Annotated[
    list[Path] | None,
    typer.Option(
        "--db",
        help="A notebook, an export, or a folder of exports; several are merged game by game.",
        show_default=str(DEFAULT_NOTEBOOK),
    ),
]


@contextmanager
def opened(sources: list[Path]) -> Iterator[Notebook]:
    """What notebooks and exports hold, as one notebook, which must have experiments."""
    from astragal.lab.exports import take
    from astragal.lab.notebook import Notebook

    with ExitStack() as stack:
        if len(sources) == 1 and sources[0].is_file() and not sources[0].name.endswith(".xz"):
            notebook = stack.enter_context(Notebook(sources[0], must_exist=True))
        else:
            folder = stack.enter_context(tempfile.TemporaryDirectory(prefix="astragal-"))
            notebook = stack.enter_context(Notebook(Path(folder, "merged.db")))
            for source in sources:
                take(notebook, source)
        if not notebook.runs():
            raise AstragalError(f"{sources[0]} has no experiments yet: astragal lab run --db {sources[0]} NAME")
        yield notebook


@lab.command("report", epilog="Example: astragal lab report --db lab.db --out report")
def report(
    db: SourceFiles = None,
    out: Annotated[Path, typer.Option("--out", help="The folder to write to, made if need be.")] = DEFAULT_REPORT,
    notes: Annotated[
        Path | None,
        typer.Option("--notes", metavar="FOLDER", help="Remarks to include: a file NAME.md for each experiment."),
    ] = None,
) -> None:
    """Write a report of the largest run of each experiment that is in the notebooks, as a page and as Markdown.

    Nothing is played: the report says what is missing of a run that was broken off.
    """
    from astragal.lab.report import write_report

    with opened(db or [DEFAULT_NOTEBOOK]) as notebook:
        if notes is not None and not notes.is_dir():
            raise SpecError(f"there is no folder {notes} with remarks")
        written = write_report(notebook, out, notes)
    print(
        f"experiments: {written.experiments}, figures: {written.figures}; {out / 'report.md'} and {out / 'index.html'}"
    )


@lab.command("export", epilog="Example: astragal lab export --db lab.db --out data")
def export(
    db: SourceFiles = None,
    out: Annotated[Path, typer.Option("--out", help="The folder to write to, made if need be.")] = DEFAULT_EXPORTS,
) -> None:
    """Write what each experiment is reported from as a small compressed file, to be kept, merged and gone on from.

    `astragal lab report --db FOLDER` makes the same report of it; `astragal lab run --from FOLDER` goes on from there.
    """
    from astragal.lab.exports import SUFFIX, write_export
    from astragal.lab.report import best_runs

    with opened(db or [DEFAULT_NOTEBOOK]) as notebook:
        try:
            out.mkdir(parents=True, exist_ok=True)
            for _, experiment, run in best_runs(notebook):
                path = out / f"{experiment.name}{SUFFIX}"
                write_export(notebook, experiment, run, path)
                print(f"{path}: {path.stat().st_size / 1000:.1f} kB")
        except OSError as error:
            raise AstragalError(f"cannot write to {out}: {error.strerror}") from None
