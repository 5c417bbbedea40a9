"""The figures as pictures: SVG, the same bytes for the same figures."""

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import matplotlib as mpl
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from bench.artifacts import BASELINE_AS_SHIPPED, BASELINE_COMPILED, OURS
from bench.figures import Figures

OURS_COLOUR, BASELINE_COLOUR, OTHER_COLOUR = "#0b7a75", "#b9bec7", "#8a93a1"
BARS, LINES = (8, 2.4), (8, 3.6)
STYLE: dict[Any, Any] = {
    "font.family": "sans-serif",
    "svg.fonttype": "none",
    "svg.hashsalt": "orderdesk",
    "axes.spines.top": False,
    "axes.spines.right": False,
    "figure.facecolor": "white",
}

type Bar = tuple[str, float, str]


def draw(figures: Figures, folder: Path) -> None:
    """Write every chart into a folder."""
    folder.mkdir(parents=True, exist_ok=True)
    with mpl.rc_context(STYLE):
        _cold(figures, folder / "cold-imports.svg")
        _functions(figures, folder / "functions.svg")
        _buys(figures, folder / "buys.svg")
        _contention(figures, folder / "contention.svg")
        _reads(figures, folder / "reads.svg")


def _cold(figures: Figures, file: Path) -> None:
    bars = [
        (BASELINE_AS_SHIPPED, BASELINE_COLOUR),
        (BASELINE_COMPILED, BASELINE_COLOUR),
        (OURS, OURS_COLOUR),
    ]
    drawn = [(name, figures.cold_of(name).cpu.median_ms, colour) for name, colour in bars]
    _bars(drawn, "Cold import of createOrder, ms of CPU", file)


def _functions(figures: Figures, file: Path) -> None:
    ours = [each for each in figures.cold if each.contestant == OURS]
    drawn = [(e.function.removesuffix("Function"), e.cpu.median_ms, OURS_COLOUR) for e in ours]
    _bars(drawn, "Cold import of each function, ms of CPU", file)


def _buys(figures: Figures, file: Path) -> None:
    cpu, whole = figures.cpu_ratio(), figures.end_to_end_ratio()
    drawn = [
        ("CPU, baseline", cpu.baseline_ms, BASELINE_COLOUR),
        ("CPU, orderdesk", cpu.ours_ms, OURS_COLOUR),
        ("DynamoDB Local, baseline", whole.baseline_ms, BASELINE_COLOUR),
        ("DynamoDB Local, orderdesk", whole.ours_ms, OURS_COLOUR),
    ]
    _bars(drawn, "A warm buy, ms", file)


def _contention(figures: Figures, file: Path) -> None:
    runs = figures.model.contention
    head = {run.rate_per_second: run.requests_mean for name, run in runs.items() if "head" in name}
    ours = {run.rate_per_second: run.requests_mean for name, run in runs.items() if "," not in name}
    figure, axes = _plot("Requests a buy over 100 traders, by orders a second (model)")
    for drawn, label, colour in (
        (head, "always the head", OTHER_COLOUR),
        (ours, "orderdesk", OURS_COLOUR),
    ):
        rates = sorted(drawn)
        axes.plot(rates, [drawn[rate] for rate in rates], "o-", label=label, color=colour)
    axes.axhline(2, color=BASELINE_COLOUR, linestyle=":", label="the least there can be")
    axes.set_ylim(bottom=0)
    axes.legend(frameon=False)
    _save(figure, file)


def _reads(figures: Figures, file: Path) -> None:
    figure, axes = _plot("Index queries of a match, by traders online, 5 % fitting (model)")
    for ending, colour in (("by chance", OURS_COLOUR), ("always the same ones", OTHER_COLOUR)):
        runs = [run for name, run in figures.model.reads.items() if ending in name]
        axes.plot(
            [run.traders for run in runs],
            [run.queries_mean for run in runs],
            "o-",
            label=f"who fits: {ending}",
            color=colour,
        )
    axes.set_xscale("log")
    axes.set_ylim(bottom=0)
    axes.legend(frameon=False)
    _save(figure, file)


def _bars(bars: Sequence[Bar], title: str, file: Path) -> None:
    figure = Figure(figsize=(BARS[0], 0.8 + 0.4 * len(bars)), layout="constrained")
    axes = figure.add_subplot()
    drawn = axes.barh([b[0] for b in bars], [b[1] for b in bars], color=[b[2] for b in bars])
    axes.bar_label(drawn, fmt="%.1f", padding=4)
    axes.invert_yaxis()
    axes.set_title(title, loc="left")
    axes.xaxis.set_visible(False)
    axes.spines["bottom"].set_visible(False)
    axes.margins(x=0.12)
    _save(figure, file)


def _plot(title: str) -> tuple[Figure, Axes]:
    figure = Figure(figsize=LINES, layout="constrained")
    axes = figure.add_subplot()
    axes.set_title(title, loc="left")
    return figure, axes


def _save(figure: Figure, file: Path) -> None:
    figure.savefig(file, format="svg", metadata={"Date": None})
