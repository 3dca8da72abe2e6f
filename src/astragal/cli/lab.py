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

from astragal.arena.playing import Playing, workers_for
from astragal.base.errors import AstragalError, SpecError
from astragal.cli.options import with_records

if TYPE_CHECKING:
    from astragal.lab.experiment import Experiment
    from astragal.lab.findings import Section
    from astragal.lab.notebook import Notebook
    from astragal.lab.size import Size

DEFAULT_NOTEBOOK = Path("lab.db")
DEFAULT_REPORT = Path("lab-report")
DEFAULT_EXPORTS = Path("lab-data")
lab = typer.Typer(
    help="Run the experiments of published works again, and report both results.",
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
@with_records
def run(
    names: Annotated[
        list[str], typer.Argument(metavar="NAME...", help="Experiments, a work's name, or all.", show_default=False)
    ],
    play: Annotated[Playing, "seed", "jobs", "cluster"],
    scale: ScaleText = "quick",
    db: NotebookFile = DEFAULT_NOTEBOOK,
    size_text: Annotated[
        str, typer.Option("--size", metavar="NAME=NUMBER,...", help="Change sizes of the scale: games=100,runs=5.")
    ] = "",
    taken: Annotated[
        list[Path] | None,
        typer.Option("--from", help="Take games from another notebook, an export, or a folder of exports first."),
    ] = None,
) -> None:
    """Run experiments and print their results beside the published ones.

    Every game and search is stored in the notebook. The same command, run again, continues where it stopped, and a
    larger scale uses the games of a smaller one. Ctrl-C stops after the games in progress.
    """
    from astragal.arena.tables import live_meeting
    from astragal.arena.workers import PersistentWorkers
    from astragal.base.terminal import overwrite
    from astragal.lab.experiment import check_scale, find_experiments
    from astragal.lab.exports import take
    from astragal.lab.laboratory import BusyLaboratory
    from astragal.lab.notebook import Notebook

    check_scale(scale)
    sizes = {each.name: each.sizes.at(scale).changed(size_text) for each in find_experiments(names)}
    chosen = [each for each in find_experiments(names) if can_run(each, sizes[each.name], each.name in names)]
    make_workers, count = workers_for(play.cluster, play.jobs)
    with Notebook(db) as notebook, notebook.alone(), PersistentWorkers(make_workers) as workers:
        for path in taken or ():
            take(notebook, path)
        for experiment in chosen:
            size = notebook.seen_before(experiment.name, scale, sizes[experiment.name], play.seed)
            busy = BusyLaboratory(notebook, play.seed, jobs=count, workers=workers, command=play.command)
            busy.listener, busy.tell, busy.show = live_meeting, tell, overwrite
            print_heading(experiment, scale, size)
            about = experiment.name, scale, size, play.seed, count, play.command, experiment.plan
            number = notebook.begin_experiment(*about)
            started = clock.perf_counter()
            sections = experiment.carry_out(busy, size, before=lambda title: tell(f" {title}"))
            seconds = clock.perf_counter() - started
            notebook.end_experiment(number, seconds)
            for section in sections:
                print_section(section)
            print(
                f"\n{experiment.name}: {seconds / 60:.1f} minutes; all of it is in {db} (astragal lab report --db {db})"
            )


@lab.command("job", epilog="Example: astragal lab job --data docs/results/data --minutes 20")
def job(
    names: Annotated[
        list[str] | None, typer.Argument(metavar="[NAME...]", help="Experiments; without any all long runs, in order.")
    ] = None,
    data: Annotated[Path, typer.Option("--data", help="The folder of exports to continue and to add to.")] = (
        DEFAULT_EXPORTS
    ),
    minutes: Annotated[float, typer.Option("--minutes", min=0.01, max=1440.0, help="Minutes to run.")] = 20.0,
    jobs: Annotated[int, typer.Option("--jobs", min=1, max=1024, help="Games played at a time.")] = 1,
) -> None:
    """Continue the next long run for some minutes at the lowest priority, and add its games to the data.

    It continues from the committed data. Benchmarks cannot run at the same time: both hold the same lock.
    """
    from astragal.lab.jobs import next_run, run_job

    experiment = next_run(data, names or [])
    if experiment is None:
        print("all of these runs have come to their end")
        return
    ended = run_job(experiment, data, minutes, jobs, tell, " ".join(["astragal", *sys.argv[1:]]))
    print(f"{experiment.name}: {'at its end' if ended else 'goes on with the next job'}; {data}")


@lab.command("replay", epilog="Example: astragal lab replay docs/results/data/ggp-levels.jsonl.xz --games 2")
def replay_games(
    file: Annotated[Path, typer.Argument(help="An export.", show_default=False)],
    games: Annotated[int, typer.Option("--games", min=1, max=10**6, help="Games of each pairing.")] = 2,
) -> None:
    """Play games of an export again, and report how many came out the same.

    A search that was limited by seconds is repeated with the nodes that it used. Games by other versions of the
    searches may differ. Exit code 1 means that some games differ.
    """
    from astragal.lab.replay import replay

    found = list(replay(file, games))
    for each in found:
        print(f"{each.same} of {each.games} the same: {each.contest.game}: {' - '.join(each.contest.kinds)}")
    games_in_all, same = sum(each.games for each in found), sum(each.same for each in found)
    print(f"{same} of {games_in_all} games are the same")
    if same < games_in_all:
        raise typer.Exit(1)


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
    from astragal.lab.report.document import plain_table

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
    out: Annotated[Path, typer.Option("--out", help="The folder to write to, created if needed.")] = DEFAULT_REPORT,
    notes: Annotated[
        Path | None,
        typer.Option("--notes", metavar="FOLDER", help="Remarks to include: a file NAME.md for each experiment."),
    ] = None,
    anew: Annotated[bool, typer.Option("--anew", help="Compute again what exports hold.")] = False,
) -> None:
    """Write a report of the largest run of each experiment that is in the notebooks, as a page and as Markdown.

    Nothing is played: if a run was interrupted, the report says what is missing. Results that take long to compute,
    such as the luck of the dice, are read from exports; --anew computes them again.
    """
    from astragal.lab.report.report import write_report

    with opened(db or [DEFAULT_NOTEBOOK]) as notebook:
        if notes is not None and not notes.is_dir():
            raise SpecError(f"there is no folder {notes} with remarks")
        written = write_report(notebook, out, notes, anew)
    print(
        f"experiments: {written.experiments}, figures: {written.figures}; {out / 'report.md'} and {out / 'index.html'}"
    )


@lab.command("export", epilog="Example: astragal lab export --db lab.db --out data")
def export(
    db: SourceFiles = None,
    out: Annotated[Path, typer.Option("--out", help="The folder to write to, created if needed.")] = DEFAULT_EXPORTS,
) -> None:
    """Write the data of each experiment's report as a small compressed file, to keep, merge or continue.

    `astragal lab report --db FOLDER` makes the same report; `astragal lab run --from FOLDER` continues from there.
    """
    from astragal.lab.data import write_checksums
    from astragal.lab.exports import SUFFIX, write_export
    from astragal.lab.report.report import best_runs

    with opened(db or [DEFAULT_NOTEBOOK]) as notebook:
        try:
            out.mkdir(parents=True, exist_ok=True)
            for _, experiment, run in best_runs(notebook):
                path = out / f"{experiment.name}{SUFFIX}"
                write_export(notebook, experiment, run, path)
                print(f"{path}: {path.stat().st_size / 1000:.1f} kB")
            write_checksums(out)
        except OSError as error:
            raise AstragalError(f"cannot write to {out}: {error.strerror}") from None
