"""Pictures of results, drawn by Matplotlib. Each function writes a file and returns the figure.

This module decides only how things look: the numbers come from `curves`, `trace`, `ratings` or the caller. Colours are
those of Okabe and Ito, which colour-blind people can distinguish, and each series has a marker of its own. The
same numbers give the same file, byte for byte: no date is written into it.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from functools import wraps
from itertools import pairwise
from pathlib import Path
from typing import Any, ParamSpec

from astragal.arena.curves import Point
from astragal.arena.space import as_number
from astragal.arena.statistics.ratings import Points, Ratings, rated
from astragal.arena.tuning import Trace
from astragal.base.errors import AstragalError, SpecError
from astragal.base.parameters import spell

SUFFIXES = (".svg", ".png", ".pdf")
COLOURS = ("#0072B2", "#D55E00", "#009E73", "#CC79A7", "#E69F00", "#56B4E9", "#000000")
MARKERS = "osD^vPX"
STYLE = {
    "font.size": 9.0,
    "axes.titlesize": 10.0,
    "axes.spines.top": False,
    "axes.spines.right": False,
    "legend.frameon": False,
    "errorbar.capsize": 2.5,
    "lines.markersize": 4.5,
    "savefig.dpi": 200,
    "savefig.bbox": "tight",
    "svg.hashsalt": "astragal",  # names within the file, which are drawn by chance otherwise
}
UNDATED = {".svg": {"Date": None}, ".pdf": {"CreationDate": None}, ".png": {}}
LETTERS_BELOW = 50  # as many fit side by side below an axis
MAX_TICKS = 8  # as many different numbers can each be written below an axis
LETTER = 0.085  # inches
PANEL = 2.6  # inches that each part of a tuning run is wide
LONG_NAME = 36  # letters: of longer names no two fit side by side
LIGHT = 0.3  # how far from even a score is before dark numbers cannot be read on its colour
HOLLOW = {"facecolors": "white", "edgecolors": COLOURS[1], "zorder": 4}

Value = tuple[float, float, float]  # a mean and its interval
P = ParamSpec("P")


def check_plot(path: Path) -> None:
    """Say what would keep a picture from being drawn, before hours of games."""
    if path.suffix not in SUFFIXES:
        raise SpecError(f"a picture is written to {', '.join(SUFFIXES)}, not to {path}")
    if not path.parent.is_dir():
        raise SpecError(f"there is no folder {path.parent} for the picture")
    matplotlib()


def matplotlib() -> Any:
    """The library, or a sentence where it is missing."""
    try:
        import matplotlib
        from matplotlib import figure, ticker  # noqa: F401
    except ImportError:
        raise AstragalError('a picture needs Matplotlib: pip install "astragal[plots]"') from None
    return matplotlib


def in_style(draw: Callable[P, Any]) -> Callable[P, Any]:
    """All of a picture is drawn and written in our style, whatever the user's is."""

    @wraps(draw)
    def drawn(*arguments: P.args, **named: P.kwargs) -> Any:
        library = matplotlib()
        with library.rc_context():
            library.rcdefaults()
            library.rcParams.update(STYLE)
            return draw(*arguments, **named)

    return drawn


def new_figure(width: float, height: float) -> Any:
    return matplotlib().figure.Figure(figsize=(width, height), layout="constrained")


def write(made: Any, path: Path) -> Any:
    try:
        made.savefig(path, metadata=UNDATED[path.suffix])
    except OSError as error:
        raise AstragalError(f"{path} cannot be written: {error.strerror}") from None
    return made


def reaches(values: Sequence[Value]) -> list[list[float]]:
    """How far intervals reach below and above their means."""
    return [[max(0.0, mean - low) for mean, low, _ in values], [max(0.0, high - mean) for mean, _, high in values]]


def in_percent(axis: Any) -> None:
    axis.set_major_formatter(lambda share, _: f"{100 * share:g}%")


def show_names(made: Any, drawn: Sequence[Any]) -> None:
    """A legend below everything, where there is more than one thing to name."""
    if len(drawn) > 1:
        longest = max(len(each.get_label()) for each in drawn)
        made.legend(handles=drawn, loc="outside lower center", ncols=1 if longest > LONG_NAME else min(3, len(drawn)))


def lie_by_factors(numbers: Sequence[float]) -> bool:
    """Whether numbers are spread more evenly by their logarithms than by themselves."""
    different = sorted(set(numbers))
    if len(different) < 3 or different[0] <= 0:
        return False
    return max(gaps([math.log(number) for number in different])) < max(gaps(different))


def gaps(ordered: Sequence[float]) -> list[float]:
    """The distances of neighbours, as shares of the whole."""
    return [(b - a) / (ordered[-1] - ordered[0]) for a, b in pairwise(ordered)]


def number_axis(axes: Any, numbers: Sequence[float], log: bool, inches: float) -> None:
    """The numbers themselves below the axis, or where they are too many or too near each other round ones."""
    different = sorted(set(numbers))
    if log:
        if different[0] <= 0:
            raise SpecError(f"a logarithmic axis cannot show {different[0]:g}")
        axes.set_xscale("log")
        decades = math.log10(different[-1] / different[0])
        axes.xaxis.set_major_locator(matplotlib().ticker.LogLocator(subs=(1.0, 2.0, 5.0) if decades < 3 else (1.0,)))
        axes.xaxis.set_major_formatter(lambda number, _: f"{number:g}")
        axes.set_xticks([], minor=True)
    names, shown = [f"{number:g}" for number in different], [math.log(n) for n in different] if log else different
    if len(different) <= MAX_TICKS and min(gaps(shown), default=1.0) * inches > LETTER * max(map(len, names)):
        axes.set_xticks(different, names)


@in_style
def plot_curves(
    series: Mapping[str, Sequence[Point]],
    path: Path,
    xlabel: str,
    ylabel: str,
    title: str,
    log: bool = False,
    reference: float | None = None,
    percent: bool = False,
    published: Sequence[tuple[float, float]] = (),
) -> Any:
    """A line for each series, with an interval at each point; the reference is a level to compare with. Hollow markers
    are what a paper has published."""
    made, drawn = new_figure(6.0, 3.8 + 0.1 * len(series)), []
    axes = made.subplots()
    if reference is not None:
        axes.axhline(reference, color="grey", linewidth=0.6, linestyle=":")
    for number, (name, points) in enumerate(series.items()):
        ordered = sorted(points)
        values = [(mean, low, high) for _, mean, low, high in ordered]
        line = axes.errorbar(
            [x for x, *_ in ordered],
            [mean for mean, _, _ in values],
            yerr=reaches(values),
            label=name,
            color=COLOURS[number % len(COLOURS)],
            marker=MARKERS[number % len(MARKERS)],
            linestyle="-" if number < len(COLOURS) else "--",
            linewidth=1.2,
            elinewidth=0.8,
        )
        drawn.append(line)
    if published:
        drawn += axes.plot(
            *zip(*published, strict=True), "D", color="black", markerfacecolor="white", label="published"
        )
    number_axis(axes, [x for points in series.values() for x, *_ in points], log, inches=5.0)
    if percent:
        in_percent(axes.yaxis)
    axes.set(xlabel=xlabel, ylabel=ylabel, title=title)
    show_names(made, drawn)
    return write(made, path)


def name_groups(axes: Any, names: Sequence[str]) -> None:
    """Names below groups of bars, aslant where they would not fit side by side."""
    fit = max(map(len, names)) * len(names) <= LETTERS_BELOW
    aslant: dict[str, Any] = {} if fit else {"rotation": 35, "ha": "right", "rotation_mode": "anchor"}
    axes.set_xticks(range(len(names)), names, **aslant)


@in_style
def plot_bars(
    groups: Mapping[str, Mapping[str, Value]],
    path: Path,
    ylabel: str,
    title: str,
    published: Mapping[str, Mapping[str, float]] | None = None,
    reference: float | None = None,
    percent: bool = False,
) -> Any:
    """Bars side by side in groups, with their intervals; a hollow marker where a paper has published a value."""
    names = list(dict.fromkeys(name for group in groups.values() for name in group))
    room, drawn = 0.8 / len(names), []
    made = new_figure(max(4.0, 1.2 + 0.3 * len(names) * len(groups)), 3.8)
    axes = made.subplots()
    if reference is not None:
        axes.axhline(reference, color="grey", linewidth=0.6, linestyle=":")
    for number, name in enumerate(names):
        shift = (number - (len(names) - 1) / 2) * room
        there = [(place + shift, group[name]) for place, group in enumerate(groups.values()) if name in group]
        bars = axes.bar(
            [x for x, _ in there],
            [value[0] for _, value in there],
            width=0.9 * room,
            yerr=reaches([value for _, value in there]),
            label=name,
            color=COLOURS[number % len(COLOURS)],
            error_kw={"elinewidth": 0.8},
        )
        drawn.append(bars)
    marked = [
        (place + (names.index(name) - (len(names) - 1) / 2) * room, value)
        for place, group in enumerate(groups)
        for name, value in (published or {}).get(group, {}).items()
        if name in names
    ]
    if marked:
        drawn += axes.plot(*zip(*marked, strict=True), "D", color="black", markerfacecolor="white", label="published")
    name_groups(axes, list(groups))
    if percent:
        in_percent(axes.yaxis)
    axes.set(ylabel=ylabel, title=title)
    show_names(made, drawn)
    return write(made, path)


@in_style
def plot_crosstable(points: Points, path: Path, title: str) -> Any:
    """What each player (row) scored against each other (column), and in how many games; the best at the top."""
    best_first = sorted(rated(points).players, key=lambda rating: -rating.elo)
    names = [rating.player for rating in best_first]
    share = [[mean_score(points, name, other) for other in names] for name in names]
    labels = [f"{rating.player}  {rating.elo:+.0f}  {number}" for number, rating in enumerate(best_first, 1)]
    size = 0.5 * len(names)
    made = new_figure(0.6 + size + LETTER * max(map(len, labels)), 1.1 + size)
    axes = made.subplots()
    axes.imshow(share, cmap="PuOr_r", vmin=0.0, vmax=1.0)
    for row, name in enumerate(names):
        for column, other in enumerate(names):
            score = share[row][column]
            if not math.isnan(score):
                dark = abs(score - 0.5) > LIGHT
                text = f"{score:.0%}\n{len(points[name, other])}"
                axes.text(column, row, text, ha="center", va="center", fontsize=7, color="white" if dark else "black")
    axes.set_yticks(range(len(names)), labels)
    axes.set_xticks(range(len(names)), [str(number) for number in range(1, len(names) + 1)])
    axes.tick_params(length=0)
    axes.spines[:].set_visible(False)
    axes.set(title=title, xlabel="against (below each score its games; beside each player its Elo)")
    return write(made, path)


def mean_score(points: Points, name: str, other: str) -> float:
    scores = points.get((name, other)) if name != other else None
    return sum(scores) / len(scores) if scores else math.nan


@in_style
def plot_ratings(ratings: Ratings, path: Path, title: str) -> Any:
    """Each player's rating with its interval, the best at the top."""
    best_last = sorted(ratings.players, key=lambda rating: rating.elo)
    made = new_figure(7.0, 1.2 + 0.35 * len(best_last))
    axes = made.subplots()
    axes.axvline(0.0, color="grey", linewidth=0.6, linestyle=":")
    axes.errorbar(
        [rating.elo for rating in best_last],
        range(len(best_last)),
        xerr=reaches([(rating.elo, rating.low, rating.high) for rating in best_last]),
        fmt="o",
        color=COLOURS[0],
    )
    axes.set_yticks(range(len(best_last)), [rating.player for rating in best_last])
    axes.set_xlabel("Elo, with 95% interval")
    axes.set_title(title)
    return write(made, path)


@in_style
def plot_tuning(trace: Trace, path: Path, title: str) -> Any:
    """The candidates' scores in the order met, and against each setting; the choice is ringed."""
    made = new_figure(1.0 + PANEL * (1 + len(trace.settings)), 3.6)
    panels = made.subplots(1, 1 + len(trace.settings), sharey=True, squeeze=False)[0]
    order = [candidate.order for candidate in trace.candidates]
    draw_candidates(panels[0], trace, [float(number) for number in order])
    panels[0].step(order, best_so_far(trace), where="post", color="grey", linewidth=0.8, label="best so far")
    panels[0].xaxis.set_major_locator(matplotlib().ticker.MaxNLocator(integer=True))
    panels[0].set(xlabel="candidates in the order met\n(later ones darker)", ylabel="score in all meetings")
    in_percent(panels[0].yaxis)
    for axes, setting in zip(panels[1:], trace.settings, strict=True):
        values = [candidate.settings[setting] for candidate in trace.candidates]
        numbers = [as_number(value) for value in values]
        if None in numbers:
            names = sorted(set(map(spell, values)))
            apart = [candidate.order / len(order) - 0.5 for candidate in trace.candidates]
            places = [names.index(spell(value)) + 0.6 * shift for value, shift in zip(values, apart, strict=True)]
            draw_candidates(axes, trace, places)
            axes.set_xticks(range(len(names)), names)
            axes.set_xlim(-0.5, len(names) - 0.5)
        else:
            known = [number for number in numbers if number is not None]
            draw_candidates(axes, trace, known)
            number_axis(axes, known, lie_by_factors(known), 0.8 * PANEL)
        axes.set_xlabel(setting)
    made.suptitle(title, fontsize=STYLE["axes.titlesize"])
    made.legend(*panels[0].get_legend_handles_labels(), loc="outside lower center", ncols=3)
    return write(made, path)


def draw_candidates(axes: Any, trace: Trace, places: Sequence[float]) -> None:
    """Each candidate's score where it belongs, later ones darker; the choice, and its score against the default."""
    values = [(c.estimate.mean, c.estimate.low, c.estimate.high) for c in trace.candidates]
    means = [mean for mean, _, _ in values]
    axes.axhline(0.5, color="grey", linewidth=0.6, linestyle=":")
    axes.errorbar(places, means, yerr=reaches(values), fmt="none", ecolor="silver", elinewidth=0.7, capsize=0)
    order, last = [c.order for c in trace.candidates], len(places)
    axes.scatter(places, means, c=order, vmin=-last, vmax=last, cmap="Blues", s=16, zorder=3)
    for place, candidate in zip(places, trace.candidates, strict=True):
        if candidate.player == trace.choice:
            ring = {"s": 90, "facecolors": "none", "edgecolors": COLOURS[1], "linewidths": 1.4, "zorder": 4}
            axes.scatter([place], [candidate.estimate.mean], label=f"choice: {trace.label}", **ring)
            if trace.confirmation is not None:
                axes.scatter(
                    [place], [trace.confirmation.mean], marker="D", s=24, label="choice against default", **HOLLOW
                )


def best_so_far(trace: Trace) -> list[float]:
    means = [candidate.estimate.mean for candidate in trace.candidates]
    return [max(means[: number + 1]) for number in range(len(means))]


@in_style
def plot_tree(x: Sequence[float], y: Sequence[float], parent: Sequence[int], path: Path) -> Any:
    """The shape of a tree whose nodes have been given places: thin lines, and a blue square for the root."""
    from matplotlib.collections import LineCollection

    made = new_figure(4.0, 4.0)
    axes = made.subplots()
    lines = [((x[above], y[above]), (x[node], y[node])) for node, above in enumerate(parent) if above >= 0]
    axes.add_collection(LineCollection(lines, colors="black", linewidths=0.15))
    axes.plot(x, y, ",", color="black")
    axes.plot(x[:1], y[:1], "s", color=COLOURS[0], markersize=5)
    axes.set_aspect("equal")
    axes.set_axis_off()
    return write(made, path)
