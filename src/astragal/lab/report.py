"""The report: what each experiment found beside what its work printed, with figures, as a page and as Markdown.

It is made from a notebook alone. Nothing in it is played anew, and nothing of a work stands in our columns.
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
from astragal.lab.findings import AGREES, DISAGREES, EQUAL, TOO_WIDE, UNDECIDED, Section
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

    @property
    def needs(self) -> list[float]:
        """How many times as many games would decide each thing that is undecided, were the numbers to stay where they
        are."""
        judged = [judgement.needs for section in self.sections for judgement in section.judgements]
        entries = [entry for section in self.sections for table in section.tables for entry in table.entries.values()]
        return [need for need in (*judged, *(entry.needs for entry in entries)) if need is not None]

    @property
    def anchor(self) -> str:
        return Heading(self.experiment.title, 3).anchor


@dataclass(frozen=True)
class Written:
    experiments: int
    figures: int


def write_report(notebook: Notebook, folder: Path, notes: Path | None = None) -> Written:
    """Write report.md, index.html and the figures into a folder."""
    reported = [read_run(notebook, *found) for found in best_runs(notebook)]
    figures = folder / "figures"
    try:
        figures.mkdir(parents=True, exist_ok=True)
        document, count = compose(reported, figures, notes)
        (folder / "report.md").write_text(document.markdown(), encoding="utf-8")
        (folder / "index.html").write_text(document.page(), encoding="utf-8")
    except OSError as error:
        raise AstragalError(f"the report cannot be written to {folder}: {error.strerror}") from None
    return Written(len(reported), count)


def best_runs(notebook: Notebook) -> list[tuple[Publication, Experiment, ExperimentRun]]:
    """Of each experiment the largest run that was ended, or, where there is none, the largest that was begun.

    Of several as large it is the latest.
    """
    best: dict[str, ExperimentRun] = {}
    for run in notebook.runs():
        if run.name not in best or rank(run) >= rank(best[run.name]):
            best[run.name] = run
    return [(work, experiment, best[name]) for name, (work, experiment) in experiments().items() if name in best]


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
            "is no more than the errors of both allow and ours is narrow. A claim agrees or disagrees where our "
            "intervals say so. Where instead they show that a difference is less than four points, whichever way it "
            "goes, it is about equal: the claim may be true, but of too little to matter. Otherwise it is undecided. "
            "The commands named make all of it anew."
        ),
        *headlines(notes),
        Heading("At a glance", 2),
        overview(reported, notes),
        *([Paragraph(told)] if (told := remarks(notes, WHOLE)) else []),
        Heading("Contents", 2),
        contents(reported),
    )
    heading = None
    for each in reported:
        if each.work is not heading:
            heading = each.work
            document.add(Heading(work_title(each.work), 2))
        count += add_experiment(document, each, figures, notes)
    return document, count


def work_title(work: Publication) -> str:
    return f"{work.title} ({work.authors})" if work.authors else work.title


def headlines(notes: Path | None) -> list[Listing]:
    """What each work says above all, and our verdict: remarks under the work's name, whether it was run or not."""
    works = dict.fromkeys(work.name for work, _ in experiments().values())
    told = [" ".join(text.split()) for work in works if (text := remarks(notes, work))]
    return [Listing(told)] if told else []


def remarks(notes: Path | None, name: str) -> str:
    """What was written about an experiment, a work or the whole, nothing where nobody has."""
    file = notes / f"{name}.md" if notes is not None else None
    return file.read_text(encoding="utf-8").strip() if file is not None and file.is_file() else ""


WHOLE = "report"  # the file with remarks on all of it, below the table at the top
REASON = "Reason: "  # how the line begins that says why something disagrees


def reason(notes: Path | None, name: str) -> str:
    lines = remarks(notes, name).splitlines()
    return next((line.removeprefix(REASON) for line in lines if line.startswith(REASON)), "")


def contents(reported: Sequence[Reported]) -> Listing:
    items = []
    for work in dict.fromkeys(each.work for each in reported):
        links = [f"[{each.experiment.title}](#{each.anchor})" for each in reported if each.work is work]
        items.append(f"[{work.title}](#{Heading(work_title(work), 2).anchor}): {', '.join(links)}")
    return Listing(items)


def overview(reported: Sequence[Reported], notes: Path | None) -> Grid:
    """How much of each experiment is decided, how, and what it would take to decide the rest."""
    titles = "decided", AGREES, DISAGREES, EQUAL, "for the reason that", UNDECIDED, "it would take", "minutes"
    rows = [["experiment", *titles]]
    total: Counter[str] = Counter()
    for each in reported:
        found = each.verdicts
        total += found
        still_open = found[UNDECIDED] + found[TOO_WIDE]
        minutes = f"{each.run.seconds / 60:.1f}" if each.run.seconds is not None else "broken off"
        rows.append(
            [
                f"[{each.experiment.name}](#{each.anchor})",
                decided_of(found),
                str(found[AGREES]),
                str(found[DISAGREES]),
                str(found[EQUAL]),
                reason(notes, each.experiment.name) if found[DISAGREES] + found[EQUAL] else "",
                str(still_open),
                more_work(each) if still_open else "",
                minutes,
            ]
        )
    open_ones = total[UNDECIDED] + total[TOO_WIDE]
    numbers = [str(total[verdict]) for verdict in (AGREES, DISAGREES, EQUAL)]
    rows.append(["all", decided_of(total), *numbers, "", str(open_ones), "", ""])
    return Grid(rows)


def decided_of(found: Counter[str]) -> str:
    decided = found[AGREES] + found[DISAGREES] + found[EQUAL]
    return f"{decided} of {found.total()}" if found else "no claims"


MOST_TIMES = 100  # from there on numbers are too close for any run to tell them apart


def more_work(each: Reported) -> str:
    """What would decide the rest, in games and in hours of one core, but for what is too close."""
    within_reach = [need for need in each.needs if need <= MOST_TIMES]
    too_close = len(each.needs) - len(within_reach)
    close = f"{too_close} too close for {MOST_TIMES} times the games" if too_close else ""
    times = max(within_reach, default=1.0)
    if not within_reach:
        return close or "the rest of its games"
    told = f"{times:.1f} times the games"
    if each.run.seconds is not None:
        told += f", some {times * each.run.seconds * each.run.jobs / 3600:.2g} core-hours like those of this run"
    return f"{told}; {close}" if close else told


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
        said = [f"{judged.verdict}: {judged.sentence}. {judged.because}." for judged in section.judgements]
        if section.missing:
            said.append(f"{section.missing} games or searches of this scale are missing.")
        if said or section.notes:
            document.add(Listing([*said, *section.notes]))
    told = remarks(notes, each.experiment.name)
    if told:
        document.add(Paragraph(told))
    return count


def circumstances(each: Reported) -> list[str]:
    run = each.run
    change = run.size.change_from(each.experiment.sizes.at(run.scale))
    size = f" --size {change}" if change else ""
    told = [f"Command: `astragal lab run {run.name} --scale {run.scale}{size} --seed {run.seed} --jobs {run.jobs}`"]
    smaller = run.size.smaller_than(each.experiment.sizes.paper)
    told.append(f"Smaller than published: {'; '.join(smaller)}." if smaller else "As large as published.")
    version = f"astragal {run.version}" + (f" at {run.commit_hash[:10]}" if run.commit_hash else "")
    ended = f"ended {run.ended}" if run.ended else "broken off"
    told.append(f"{version}, Python {run.python}, Numba {run.numba}; begun {run.started}, {ended}.")
    return told
