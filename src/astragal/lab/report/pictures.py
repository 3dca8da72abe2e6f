"""The pictures in front of a report: what each work found, beside what came out, in one picture each."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from astragal.arena.plots import COLOURS, MARKERS, Value, in_percent, in_style, name_groups, new_figure, reaches, write

PRINTED = "printed"
Panel = Mapping[str, Mapping[str, Value]]  # series -> row or column -> a number and its interval


def series_of(panels: Mapping[str, Panel]) -> list[str]:
    return list(dict.fromkeys(name for panel in panels.values() for name in panel))


def side_by_side(made: Any, panels: Mapping[str, Any]) -> Iterator[tuple[Any, tuple[str, Any]]]:
    """Axes for each panel, with what it shows."""
    return zip(made.subplots(1, len(panels), sharey=True, squeeze=False)[0], panels.items(), strict=True)


@in_style
def plot_bar_panels(panels: Mapping[str, Panel], path: Path, title: str, reference: float | None = None) -> Any:
    """Bars side by side, a panel for each game; what a work printed has hollow bars."""
    names = series_of(panels)
    made = new_figure(3.3 * len(panels), 4.2)
    for axes, (heading, panel) in side_by_side(made, panels):
        rows = list(dict.fromkeys(row for series in panel.values() for row in series))
        room = 0.84 / max(1, len(names))
        for number, name in enumerate(names):
            there = [(rows.index(row), value) for row, value in panel.get(name, {}).items()]
            if not there:  # nothing to draw, and no colour for the legend
                continue
            places = [place + (number - (len(names) - 1) / 2) * room for place, _ in there]
            values = [value for _, value in there]
            hollow = name == PRINTED
            look: dict[str, Any] = (
                {"facecolor": "none", "edgecolor": "black", "hatch": "///"}
                if hollow
                else {"color": COLOURS[number], "yerr": reaches(values)}
            )
            heights = [value[0] for value in values]
            axes.bar(places, heights, room * 0.92, label=name, error_kw={"elinewidth": 0.8}, **look)
        if reference is not None:
            axes.axhline(reference, color="grey", linewidth=0.7, linestyle=":")
        name_groups(axes, rows or [""])
        axes.set_title(heading)
        in_percent(axes.yaxis)
    return finish(made, path, title)


@in_style
def plot_dot_panels(
    panels: Mapping[str, Panel], path: Path, title: str, reference: float | None = None, percent: bool = False
) -> Any:
    """A row for each search or setting, a panel for each number; ours with its interval, what a work printed hollow."""
    rows = list(dict.fromkeys(row for panel in panels.values() for series in panel.values() for row in series))
    names, across = series_of(panels), len(panels)
    made = new_figure(1.6 + 2.1 * across, 1.4 + 0.24 * len(rows))
    for axes, (heading, panel) in side_by_side(made, panels):
        for number, name in enumerate(names):
            there = [(rows.index(row), value) for row, value in panel.get(name, {}).items()]
            if not there:
                continue
            values = [value for _, value in there]
            places = [-place - (0.0 if name == PRINTED else 0.16 * number) for place, _ in there]
            means = [value[0] for value in values]
            if name == PRINTED:
                axes.plot(means, places, "D", color="black", markerfacecolor="none", label=name)
            else:
                colour, marker = COLOURS[number % len(COLOURS)], MARKERS[number % len(MARKERS)]
                errors = reaches(values)
                axes.errorbar(means, places, xerr=errors, label=name, color=colour, fmt=marker, elinewidth=1.0)
        if reference is not None:
            axes.axvline(reference, color="grey", linewidth=0.7, linestyle=":")
        axes.set_yticks([-place for place in range(len(rows))], rows)
        axes.set_title(heading)
        if percent:
            in_percent(axes.xaxis)
    return finish(made, path, title)


@in_style
def plot_curve_panels(
    panels: Mapping[str, tuple[str, Panel]], path: Path, title: str, reference: float | None = None
) -> Any:
    """Curves over what each panel names, with the columns spread evenly; what a work printed hollow."""
    made = new_figure(3.5 * len(panels), 4.0)
    names = series_of({heading: panel for heading, (_, panel) in panels.items()})
    for axes, (heading, (xlabel, panel)) in side_by_side(made, panels):
        columns = sorted({column for series in panel.values() for column in series}, key=float)
        for name, series in panel.items():
            number = names.index(name)
            places, values = [columns.index(column) for column in series], list(series.values())
            means = [value[0] for value in values]
            if name == PRINTED:
                axes.plot(places, means, "D", color="black", markerfacecolor="none", label=name)
            else:
                look = {"color": COLOURS[number % len(COLOURS)], "marker": MARKERS[number % len(MARKERS)]}
                axes.errorbar(places, means, yerr=reaches(values), label=name, linewidth=1.2, elinewidth=0.8, **look)
        if reference is not None:
            axes.axhline(reference, color="grey", linewidth=0.7, linestyle=":")
        axes.set_xticks(range(len(columns)), columns)
        axes.set(title=heading, xlabel=xlabel)
        in_percent(axes.yaxis)
    return finish(made, path, title)


def finish(made: Any, path: Path, title: str) -> Any:
    """The title, one legend for all panels, and the file."""
    made.suptitle(title, fontsize=10)
    known: dict[str, Any] = {}
    for axes in made.axes:
        known |= {label: handle for handle, label in zip(*axes.get_legend_handles_labels(), strict=True)}
    made.legend(known.values(), known.keys(), loc="outside lower center", ncols=min(4, max(1, len(known))))
    return write(made, path)


def panel_of(entries: Sequence[tuple[str, str, Any]]) -> Panel:
    """Series from (series, row, entry), and what was printed of those entries as a series of its own."""
    panel: dict[str, dict[str, Value]] = {}
    for series, row, entry in entries:
        panel.setdefault(series, {})[row] = entry.mean, entry.low, entry.high
        if entry.paper is not None:
            panel.setdefault(PRINTED, {})[row] = (entry.paper.value,) * 3
    return panel
