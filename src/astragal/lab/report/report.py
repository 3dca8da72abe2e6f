"""The report, written as a paper is: two pages in front, then a section for each experiment.

A section has its set-up in a table, the work's beside ours, what was found, what becomes of the claims, the reasons
that were tested or guessed, and the lines that play each row again. It is made from a notebook alone. Nothing in it is
played anew, and nothing of a work stands in our columns.
"""

from __future__ import annotations

import subprocess
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache, cached_property
from pathlib import Path

from astragal.base.errors import AstragalError
from astragal.lab.experiment import Experiment, Publication, experiments
from astragal.lab.findings import Judgement, Section
from astragal.lab.laboratory import Laboratory
from astragal.lab.notebook import ExperimentRun, Notebook
from astragal.lab.report.document import (
    DETAILS,
    EARLIER,
    EARLIER_FILE,
    Details,
    Document,
    Grid,
    Heading,
    Listing,
    Paragraph,
    Picture,
    cells,
)
from astragal.lab.report.figures import draw
from astragal.lab.report.remarks import read_remarks
from astragal.lab.rows import full_settings
from astragal.lab.size import SCALES


@dataclass(frozen=True)
class Reported:
    """An experiment, the run of it that is reported, and what it found."""

    work: Publication
    experiment: Experiment
    run: ExperimentRun
    sections: list[Section]
    earlier: frozenset[str] = frozenset()  # the versions of the searches, other than today's, that numbers are by

    @cached_property
    def judgements(self) -> list[Judgement]:
        return [judged for section in self.sections for judged in section.judgements]

    @cached_property
    def verdicts(self) -> Counter[str]:
        """How often our numbers, and what they say of its claims, agree with the work."""
        found = Counter(judged.verdict for judged in self.judgements if not judged.ours)
        for section in self.sections:
            found.update(entry.verdict for table in section.tables for entry in table.entries.values() if entry.verdict)
        return found

    @cached_property
    def own_verdicts(self) -> Counter[str]:
        """The same of our own hypotheses."""
        return Counter(judged.verdict for judged in self.judgements if judged.ours)

    @property
    def is_as_planned(self) -> bool:
        """Whether its claims and margins are those that were written down when it was begun."""
        return self.run.plan == self.experiment.plan

    @property
    def link(self) -> str:
        """Where its section is."""
        return f"{EARLIER_FILE if self.earlier else ''}#{Heading(self.experiment.title, 3).anchor}"


@dataclass(frozen=True)
class Written:
    experiments: int
    figures: int


def write_report(notebook: Notebook, folder: Path, notes: Path | None = None, anew: bool = False) -> Written:
    """Write report.md with its two appendices, index.html and the figures into a folder; with `anew` all that was
    worked out is so again.

    Experiments that were run by earlier versions of the searches are in an appendix. So are the commands of all rows.
    A page has everything.
    """
    from astragal.lab.jobs import RUNS
    from astragal.lab.report.front import front_pages

    reported = [read_run(notebook, *found, anew=anew) for found in best_runs(notebook)]
    present = [each for each in reported if not each.earlier]
    figures = folder / "figures"
    paper, earlier = Document("Four works, run again"), Document("Experiments by earlier versions of the searches")
    runs = [experiments()[name][1] for name in RUNS if name in experiments()]
    try:
        figures.mkdir(parents=True, exist_ok=True)
        count = front_pages(paper, reported, figures, notes, runs)
        count += add_sections(paper, present, figures, notes)
        earlier.add(Paragraph("They are to be run again, and count apart in [the report](report.md)."))
        count += add_sections(earlier, [each for each in reported if each.earlier], figures, notes)
        rows = ["# Players and commands of all rows", *paper.details(), *earlier.details()]
        page = Document(paper.title, [*paper.blocks, Heading(earlier.title, 2), *earlier.blocks]).page()
        texts = {"report.md": paper.markdown(), EARLIER_FILE: earlier.markdown(), "index.html": page}
        for name, text in (texts | {DETAILS: "\n\n".join(rows) + "\n"}).items():
            (folder / name).write_text(text, encoding="utf-8")
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


def read_run(
    notebook: Notebook, work: Publication, experiment: Experiment, run: ExperimentRun, anew: bool = False
) -> Reported:
    lab = Laboratory(notebook, run.seed, anew=anew)
    sections = experiment.carry_out(lab, run.size)
    return Reported(work, experiment, run, sections, frozenset(lab.earlier.values()))


def work_title(work: Publication) -> str:
    return f"{work.title} ({work.authors})" if work.authors else work.title


def add_sections(document: Document, reported: Sequence[Reported], figures: Path, notes: Path | None) -> int:
    """A section for each experiment under its work's heading; how many figures they have."""
    heading, count = None, 0
    for each in reported:
        if each.work is not heading:
            heading = each.work
            document.add(Heading(work_title(each.work), 2))
        count += add_experiment(document, each, figures, notes)
    return count


def add_experiment(document: Document, each: Reported, figures: Path, notes: Path | None) -> int:
    """Set-up, what was found, verdicts, reasons and how to play it again; how many figures it has."""
    remarks = read_remarks(notes, each.experiment.name)
    document.add(Heading(each.experiment.title, 3), Paragraph(each.experiment.about), setup(each))
    count = 0
    for section in each.sections:
        if len(each.sections) > 1:
            document.add(Heading(section.title, 4))
        document.add(*(Grid(cells(table), table.caption) for table in section.tables if table.entries))
        for figure in section.figures:
            drawn = draw(figure, figures)
            document.add(Picture(f"{figures.name}/{drawn.name}", figure.caption))
            count += 1
        for title, judged in (("Verdicts", theirs(section)), ("Our own hypotheses", ours(section))):
            if judged:
                document.add(Grid([[title, "verdict", "by"], *judged]))
        said = [f"{section.missing} games or searches of this scale are missing."] if section.missing else []
        if said or section.notes:
            document.add(Listing([*said, *section.notes]))
        if section.rows:
            document.add(Details(f"{each.experiment.name}: {section.title}", lines_of(section)))
    if remarks.text:
        document.add(Paragraph(remarks.text))
    if remarks.reasons:
        document.add(Listing([reason.words for reason in remarks.reasons]))
    document.add(Listing(circumstances(each)))
    return count


def theirs(section: Section) -> list[list[str]]:
    return [[judged.sentence, judged.verdict, judged.because] for judged in section.judgements if not judged.ours]


def ours(section: Section) -> list[list[str]]:
    return [[judged.sentence, judged.verdict, judged.because] for judged in section.judgements if judged.ours]


def setup(each: Reported) -> Grid:
    """The work's set-up beside ours."""
    rows = [list(row) for row in each.run.size.beside(each.experiment.sizes.paper)]
    rows += [[departure.what, departure.work, departure.ours] for departure in each.experiment.departures]
    margins = sorted({getattr(part, "margin", 0.0) for part in each.experiment.parts} - {0.0})
    if margins:
        rows.append(["margin of about equal", "", " or ".join(f"{100 * margin:g} points" for margin in margins)])
    return Grid([["set-up", "work", "ours"], *(rows or [["size", "as published", "as published"]])])


def lines_of(section: Section) -> list[str]:
    """Every player of the section's rows once, with all settings, then each row with what a node took and its line."""
    players = dict.fromkeys(
        full_settings(player, row.line.split()[2]) for row in section.rows for player in row.players
    )
    lines = [*players, ""]
    for row in section.rows:
        lines += [f"{row.name}: {row.done} of {row.planned}{f'; {row.cost}' if row.cost else ''}", f"  {row.line}"]
    return lines


def circumstances(each: Reported) -> list[str]:
    """The command, the program, the machine, and what was written down when."""
    run = each.run
    change = run.size.change_from(each.experiment.sizes.at(run.scale))
    size = f" --size {change}" if change else ""
    told = [f"Command: `astragal lab run {run.name} --scale {run.scale}{size} --seed {run.seed} --jobs {run.jobs}`"]
    version = f"astragal {run.version}{commit_in_words(run.commit_hash)}"
    seconds = sum(row.seconds for section in each.sections for row in section.rows)
    spent = f"; {seconds:,.0f} seconds of games and searches" if seconds else ""
    ended = f"ended {run.ended}" if run.ended else "broken off"
    machine = run.machine.partition(", ")[2]
    told.append(f"{version}, Python {run.python}, Numba {run.numba}, {machine}; begun {run.started}, {ended}{spent}.")
    if each.earlier:
        by = "; ".join(sorted(each.earlier))
        told.append(f"{EARLIER} By earlier versions of the searches ({by}): today's play other games. To be run again.")
    if not each.is_as_planned and each.judgements:
        told.append("Claims or margins were changed, or first written down, after this run was begun.")
    return told


@cache
def commit_in_words(commit: str | None) -> str:
    """A commit, and whether the repository that this is read in has it, where it is one."""
    if not commit:
        return ""
    here = Path(__file__).parent

    def asked(*words: str) -> bool:
        try:
            return subprocess.run(["git", *words], cwd=here, capture_output=True, check=False).returncode == 0
        except OSError:
            return False

    lost = asked("rev-parse", "HEAD") and not asked("cat-file", "-e", f"{commit}^{{commit}}")
    return f" at {commit[:10]}{', a commit that the repository does not have' if lost else ''}"
