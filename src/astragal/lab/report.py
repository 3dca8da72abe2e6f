"""The report: what each experiment found beside what its work printed, with figures, as a page and as Markdown.

It is made from notebooks alone. Nothing in it is played anew, and nothing of a work stands in our columns.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from astragal.errors import AstragalError
from astragal.lab.document import Document, Grid, Heading, Listing, Paragraph, Picture
from astragal.lab.experiment import Experiment, Publication, experiments
from astragal.lab.figures import draw
from astragal.lab.findings import AGREES, DISAGREES, UNDECIDED, Section
from astragal.lab.laboratory import Laboratory
from astragal.lab.notebook import ExperimentRun, Notebook
from astragal.lab.size import SCALES
from astragal.lab.text import cells

TITLE = "Four works, run again"


@dataclass(frozen=True)
class Reported:
    """An experiment, the run of it that is told of, and what it found."""

    work: Publication
    experiment: Experiment
    run: ExperimentRun
    sections: list[Section]

    @property
    def verdicts(self) -> Counter[str]:
        """How often our numbers and the work's claims agree."""
        found: Counter[str] = Counter()
        for section in self.sections:
            found.update(judged.verdict for judged in section.judgements)
            found.update(entry.verdict for table in section.tables for entry in table.entries.values() if entry.verdict)
        return found


@dataclass(frozen=True)
class Written:
    experiments: int
    figures: int


def write_report(notebooks: Sequence[Notebook], folder: Path, notes: Path | None = None) -> Written:
    """Write report.md, index.html and the figures into a folder."""
    reported = [read_run(*found) for found in best_runs(notebooks)]
    figures = folder / "figures"
    try:
        figures.mkdir(parents=True, exist_ok=True)
        document, count = compose(reported, figures, notes)
        (folder / "report.md").write_text(document.markdown(), encoding="utf-8")
        (folder / "index.html").write_text(document.page(), encoding="utf-8")
    except OSError as error:
        raise AstragalError(f"the report cannot be written to {folder}: {error.strerror}") from None
    return Written(len(reported), count)


def best_runs(notebooks: Sequence[Notebook]) -> list[tuple[Notebook, Publication, Experiment, ExperimentRun]]:
    """Of each experiment the largest run that was ended, or, where there is none, the largest that was begun.

    Of several as large it is the latest.
    """
    best: dict[str, tuple[Notebook, ExperimentRun]] = {}
    for notebook in notebooks:
        for run in notebook.runs():
            if run.name not in best or rank(run) >= rank(best[run.name][1]):
                best[run.name] = notebook, run
    known = experiments().items()
    return [(best[name][0], work, experiment, best[name][1]) for name, (work, experiment) in known if name in best]


def rank(run: ExperimentRun) -> tuple[bool, int, str]:
    return run.ended is not None, SCALES.index(run.scale), run.started


def read_run(notebook: Notebook, work: Publication, experiment: Experiment, run: ExperimentRun) -> Reported:
    return Reported(work, experiment, run, experiment.carry_out(Laboratory(notebook, run.seed), run.size))


def compose(reported: Sequence[Reported], figures: Path, notes: Path | None) -> tuple[Document, int]:
    """The document, and how many figures were drawn for it."""
    document, count = Document(TITLE), 0
    document.add(
        Paragraph(
            "Each number of ours comes with its 95% interval. A number of a work agrees with ours where their distance "
            "is no more than the errors of both allow; a claim agrees or disagrees where our intervals say so, and is "
            "undecided otherwise. The commands named make all of it anew."
        ),
        overview(reported),
    )
    heading = None
    for each in reported:
        if each.work is not heading:
            heading = each.work
            authors = f" ({each.work.authors})" if each.work.authors else ""
            document.add(Heading(f"{each.work.title}{authors}", 2))
        count += add_experiment(document, each, figures, notes)
    return document, count


def overview(reported: Sequence[Reported]) -> Grid:
    rows = [["experiment", "scale", AGREES, UNDECIDED, DISAGREES, "minutes of the last run", "on"]]
    for each in reported:
        counts = [str(each.verdicts[verdict]) for verdict in (AGREES, UNDECIDED, DISAGREES)]
        minutes = f"{each.run.seconds / 60:.1f}" if each.run.seconds is not None else "broken off"
        rows.append([each.experiment.name, each.run.scale, *counts, minutes, each.run.started[:10]])
    return Grid(rows)


def add_experiment(document: Document, each: Reported, figures: Path, notes: Path | None) -> int:
    """Add what is to be told of an experiment; how many figures it has."""
    document.add(Heading(each.experiment.title, 3), Paragraph(each.experiment.about), Listing(circumstances(each)))
    count = 0
    for section in each.sections:
        if len(each.sections) > 1:
            document.add(Heading(section.title, 4))
        document.add(*(Grid(cells(table), table.caption) for table in section.tables if table.entries))
        for figure in section.figures:
            svg, png = draw(figure, figures)
            shown = svg if figure.picture is None else png  # of a tree the whole
            document.add(Picture(f"{figures.name}/{shown.name}", figure.caption))
            count += 1
        remarks = [f"{judged.verdict}: {judged.sentence}. {judged.because}." for judged in section.judgements]
        if section.missing:
            remarks.append(f"{section.missing} games or searches of this scale are missing.")
        if remarks or section.notes:
            document.add(Listing([*remarks, *section.notes]))
    told = notes / f"{each.experiment.name}.md" if notes is not None else None
    if told is not None and told.is_file():
        document.add(Paragraph(told.read_text(encoding="utf-8").strip()))
    return count


def circumstances(each: Reported) -> list[str]:
    run = each.run
    told = [f"Command: `astragal lab run {run.name} --scale {run.scale} --seed {run.seed} --jobs {run.jobs}`"]
    smaller = run.size.smaller_than(each.experiment.sizes.paper)
    told.append(f"Smaller than published: {'; '.join(smaller)}." if smaller else "As large as published.")
    version = f"astragal {run.version}" + (f" at {run.commit_hash[:10]}" if run.commit_hash else "")
    ended = f"ended {run.ended}" if run.ended else "broken off"
    told.append(f"{version}, Python {run.python}, Numba {run.numba}; begun {run.started}, {ended}.")
    return told
