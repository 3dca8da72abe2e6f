"""What stands in front of a report: what each work says, what came out, a picture of each, and what is left to run."""

from __future__ import annotations

import tempfile
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import Path

from astragal.lab.budget import EQUAL_NODES, EQUAL_TIME
from astragal.lab.estimators import COLUMNS
from astragal.lab.experiment import Experiment
from astragal.lab.findings import AGREES, DISAGREES, EQUAL, TOO_WIDE, UNDECIDED, Table
from astragal.lab.jobs import SCALE
from astragal.lab.laboratory import Laboratory
from astragal.lab.notebook import Notebook
from astragal.lab.parts.duels import Duels
from astragal.lab.parts.estimation import Estimation
from astragal.lab.report.document import EARLIER, EARLIER_FILE, Document, Grid, Heading, Listing, Paragraph, Picture
from astragal.lab.report.pictures import Panel, panel_of, plot_bar_panels, plot_curve_panels, plot_dot_panels
from astragal.lab.report.remarks import read_remarks
from astragal.lab.report.report import Reported, work_title
from astragal.lab.rows import Row

WHOLE = "report"  # the file with remarks on all of it
HOW = (
    "Each of our numbers has its 95% interval in brackets and n in parentheses. A printed number agrees where its "
    "distance is no more than the errors of both allow and ours is narrow. A claim agrees or disagrees where our "
    "interval says so; it is about equal where the interval shows less than a margin that was written down before, and "
    "open otherwise. Every number and every sentence of a work counts once. Our own hypotheses count apart. "
    f"{EARLIER} marks numbers by earlier versions of the searches, which are to be run again: they count apart. Their "
    f"experiments are in [an appendix]({EARLIER_FILE})."
)
FIGURE_1 = (  # the pairings that the work shows; the last tree is its better one in each game
    "expss - exp",
    "star1ss - star1",
    "star2ss - star2",
    "star1 - {tree}",
    "star1ss - {tree}",
    "star2ss - {tree}",
    "star1ss - expss",
    "star2ss - star1ss",
)
PANELS = {"pig": ("Pig", "mcts"), "ewn": ("EWN", "mcts"), "cant-stop": ("Can't Stop", "dpw"), "ra": ("Ra", "dpw")}


def front_pages(
    document: Document,
    reported: Sequence[Reported],
    figures: Path,
    notes: Path | None,
    runs: Sequence[Experiment],
) -> int:
    """Add the pages in front, with what is left of the long runs; how many pictures they have."""
    document.add(Paragraph(HOW), summary(reported))
    tables = {figure.name: figure.table for each in reported for section in each.sections for figure in section.figures}
    tables |= {each.experiment.name: table for each in reported for table in each.sections[0].tables[:1]}
    found = {name: table for name, table in tables.items() if table is not None and table.entries}
    count = 0
    for work in dict.fromkeys(each.work for each in reported):
        drawn = [picture for draw in PICTURES.get(work.name, ()) if (picture := draw(found, figures)) is not None]
        if any(each.earlier for each in reported if each.work is work):
            drawn = [replace(each, caption=f"{each.caption} {EARLIER}") for each in drawn]
        said = read_remarks(notes, work.name).text
        if said or drawn:
            document.add(Heading(f"{work.title}: what it says, and what came out", 2))
            document.add(*([Paragraph(said)] if said else []), *drawn)
        count += len(drawn)
    whole = read_remarks(notes, WHOLE).text
    document.add(Heading("At a glance", 2), overview(reported), *([Paragraph(whole)] if whole else []))
    document.add(Heading("Still to be run", 2), still_to_run(reported, runs))
    document.add(Heading("Contents", 2), contents([each for each in reported if not each.earlier]))
    return count


def counts(found: Counter[str]) -> list[str]:
    """Verdicts by kind; what is undecided, or too wide to say, is open."""
    still_open = found[UNDECIDED] + found[TOO_WIDE]
    return [str(number) for number in (found.total(), found[AGREES], found[DISAGREES], found[EQUAL], still_open)]


KINDS = ["numbers and claims", AGREES, DISAGREES, EQUAL, "open"]


def summary(reported: Sequence[Reported]) -> Grid:
    """Verdicts by work, and on our own hypotheses; those by earlier versions of the searches apart."""
    rows = [["work", *KINDS]]
    for mark in ("", f" {EARLIER}"):
        some = [each for each in reported if bool(each.earlier) == bool(mark)]
        for work in dict.fromkeys(each.work for each in some):
            found = sum((each.verdicts for each in some if each.work is work), Counter[str]())
            if found:
                rows.append([work_title(work) + mark, *counts(found)])
        if own := sum((each.own_verdicts for each in some), Counter[str]()):
            rows.append([f"our own hypotheses{mark}", *counts(own)])
    return Grid(rows, "Verdicts")


def overview(reported: Sequence[Reported]) -> Grid:
    """The same by experiment, and by which version of the searches."""
    rows = [["experiment", *KINDS, "ours", "searches of"]]
    for each in reported:
        own = f"{each.own_verdicts[AGREES]} of {each.own_verdicts.total()}" if each.own_verdicts else ""
        by = EARLIER if each.earlier else "today"
        rows.append([f"[{each.experiment.name}]({each.link})", *counts(each.verdicts), own, by])
    return Grid(rows, "Verdicts by experiment; of our hypotheses how many hold")


def contents(reported: Sequence[Reported]) -> Listing:
    items = []
    for work in dict.fromkeys(each.work for each in reported):
        links = [f"[{each.experiment.title}]({each.link})" for each in reported if each.work is work]
        items.append(f"[{work.title}](#{Heading(work_title(work), 2).anchor}): {', '.join(links)}")
    return Listing(items)


DECISIONS = {"pig": 33, "ewn": 18, "cant_stop": 129, "ra": 170, "kalah": 37}  # of a game on average, in the data


def still_to_run(reported: Sequence[Reported], runs: Sequence[Experiment]) -> Grid:
    """The long runs in their order, how much of each is there by today's searches, and at most what the rest costs."""
    there = {each.experiment.name: each for each in reported}
    rows = [["run", "games or searches", "of at most", "the rest, core-hours at most"]]
    for experiment in runs:
        each = there.get(experiment.name)
        known = [row for section in each.sections for row in section.rows] if each is not None else []
        found = {row.name: row for row in known} if each is not None and not each.earlier else {}
        is_whole = each is not None and each.run.size == experiment.sizes.at(SCALE) and each.run.ended is not None
        if found and is_whole and each is not None and each.is_as_planned:
            continue
        planned = planned_rows(experiment)
        wanted = [replace(found.get(row.name, row), planned=row.planned) for row in planned] or list(found.values())
        done, most = (sum(getattr(row, name) for row in wanted) for name in ("done", "planned"))
        hours = price_of(wanted, known) / 3600
        rows.append([experiment.name, f"{done:,}", f"{most:,}" if most else "", f"{hours:.2g}" if hours else "unknown"])
    command = "`astragal lab job --data docs/results/data` goes on with the first of them for 20 minutes"
    how = "a row that was not begun costs as much as the others of its experiment, or as by earlier versions"
    return Grid(rows, f"{command}; pairings end before their games do where claims about them are decided; {how}")


def planned_rows(experiment: Experiment) -> list[Row]:
    """What an experiment asks for at its size, as far as that is known before a run."""
    with tempfile.TemporaryDirectory(prefix="astragal-") as made, Notebook(Path(made, "none.db")) as nothing:
        lab, size = Laboratory(nothing), experiment.sizes.at(SCALE)
        parts = [part for part in experiment.parts if isinstance(part, Duels | Estimation)]
        return [row for part in parts for row in part.planned_rows(lab, size)]


def price_of(rows: Sequence[Row], known: Sequence[Row]) -> float:
    """Seconds of a core that the rest of some rows takes, by what is there or is known of others; 0 if by neither."""
    units = [unit_price(row) for row in rows]
    prices = [unit for unit in units if unit] or [unit for row in known if (unit := unit_price(row))]
    mean = sum(prices) / len(prices) if prices else 0.0
    return sum((unit or mean) * max(0, row.planned - row.done) for row, unit in zip(rows, units, strict=True))


def unit_price(row: Row) -> float | None:
    """Seconds of a core that a game or search takes: by what is there, or by its limit on time; None if by neither."""
    if row.done and row.seconds:
        return row.seconds / row.done
    words = row.line.split()
    if "--time" in words:
        moves = DECISIONS.get(words[2].partition(":")[0], 0) if words[1] == "match" else 1
        return moves * float(words[words.index("--time") + 1]) or None
    return None


Tables = dict[str, Table]


def figure_1(tables: Tables, figures: Path) -> Picture | None:
    """Playing strength in four games, as the first work shows it."""
    panels = {}
    for name, (heading, tree) in PANELS.items():
        pairings = [each.format(tree=tree) for each in FIGURE_1]
        entries = [
            (column + label, pairing, tables[experiment].entries[pairing, column])
            for experiment, label in ((f"mcms-strength-{name}", ""), (f"mcms-strength-{name}-published", ", 200 ms"))
            if experiment in tables
            for column in (EQUAL_TIME, EQUAL_NODES)
            for pairing in pairings
            if (pairing, column) in tables[experiment].entries
        ]
        if entries:
            panels[heading] = panel_of(entries)
    caption = "Figure 1: games won by the first of each pairing, with the bars whose height the work prints"
    return pictured(panels, figures, "front-mcms-figure1", caption, plot_bar_panels, 0.5)


def table_1(tables: Tables, figures: Path) -> Picture | None:
    """Table 1 as dots: with 36 throws where that has been run, else with the eleven sums."""
    name = next((name for name in ("mcms-table1", "mcms-table1-sums") if name in tables), None)
    if name is None:
        return None
    table = tables[name]
    panels = {
        column: panel_of([("ours", row, entry) for row in table.rows for at, entry in table.row(row) if at == column])
        for column in COLUMNS
    }
    sums = "" if name == "mcms-table1" else ", with the eleven sums of two dice: 36 throws are still to be run"
    return pictured(panels, figures, "front-mcms-table1", f"Table 1: ours and printed{sums}", plot_dot_panels)


CURVES = {  # of the second work: figure -> the rows that show it, and what they are called
    "tradeoffs-figure4": (
        "Figure 4: UCT_H against MM-8",
        {"UCT_H, good order": "good order", "UCT_H, poor order": "poor order"},
    ),
    "tradeoffs-figure8": ("Figure 8: complete games", {"uctmax_h": "UCTMAX_H"}),
    "tradeoffs-figure9": ("Figure 9: partial games", {"uctmax_h": "UCTMAX_H"}),
    "tradeoffs-figure10": (
        "Figure 10: UCTMAX_H against MM-k",
        {"complete, good order": "complete, good order", "partial, good order": "partial, good order"},
    ),
}


def curves(tables: Tables, figures: Path) -> Picture | None:
    """Win rates of the second work over what it varies."""
    panels = {}
    for name, (heading, rows) in CURVES.items():
        if name in tables:
            table = tables[name]
            entries = [(label, column, entry) for row, label in rows.items() for column, entry in table.row(row)]
            panels[heading] = table.columns_are, panel_of(entries)
    if not panels:
        return None
    caption = "Shares of boards; the work prints no numbers for its curves, but that 500 iterations are on a par"
    path = figures / "front-tradeoffs.svg"
    plot_curve_panels(panels, path, "Win rates of the second work", 0.5)
    return Picture(f"{figures.name}/{path.name}", caption)


def rates(tables: Tables, figures: Path) -> Picture | None:
    """The tables of the third work: ours and printed, by number of players."""
    panels: dict[str, Panel] = {}
    for number, game in ((1, "Focus"), (2, "Chinese Checkers"), (3, "solver, Focus")):
        table = tables.get(f"multiplayer-table{number}", Table(""))
        for column in table.columns:
            entries = [("ours", row, entry) for (row, at), entry in table.entries.items() if at == column]
            panels[f"{game}, {column}"] = panel_of(entries)
    caption = "Tables of the third work: win rates, ours and printed"
    return pictured(panels, figures, "front-multiplayer", caption, plot_dot_panels, 0.5, True)


def sheets(tables: Tables, figures: Path) -> Picture | None:
    """The chapter's tree search against others on rule sheets."""
    table = tables.get("ggp-others")
    if table is None:
        return None
    panels = {sheet: panel_of([("ours", column, entry) for column, entry in table.row(sheet)]) for sheet in table.rows}
    caption = "Scores of the chapter's tree search on rule sheets; the chapter prints none"
    return pictured(panels, figures, "front-ggp", caption, plot_dot_panels, 0.5, True)


def pictured(
    panels: dict[str, Panel], figures: Path, name: str, caption: str, plot: Callable[..., object], *more: object
) -> Picture | None:
    """A picture of panels, if there are any."""
    if not panels:
        return None
    path = figures / f"{name}.svg"
    plot(panels, path, caption, *more)
    return Picture(f"{figures.name}/{path.name}", caption)


PICTURES: dict[str, tuple[Callable[[Tables, Path], Picture | None], ...]] = {
    "mcms": (figure_1, table_1),
    "tradeoffs": (curves,),
    "multiplayer": (rates,),
    "ggp": (sheets,),
}
