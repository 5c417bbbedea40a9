"""Draws the figures as SVG; the same figures result in the same bytes."""

import re
from collections.abc import Mapping, Sequence
from io import StringIO
from pathlib import Path
from typing import Any

import matplotlib as mpl
from matplotlib.figure import Figure

from bench.artifacts import BASELINE_AS_SHIPPED, BASELINE_COMPILED, OURS
from bench.figures import Figures

OURS_COLOUR, BASELINE_COLOUR, OTHER_COLOUR = "#0b7a75", "#b9bec7", "#8a93a1"
WIDTH, HEIGHT = 8, 3.6
STYLE: dict[Any, Any] = {
    "font.family": "sans-serif",
    "svg.fonttype": "none",
    "svg.hashsalt": "orderdesk",
    "axes.spines.top": False,
    "axes.spines.right": False,
}

type Bar = tuple[str, float]
type Points = Sequence[tuple[float, float]]


def draw(figures: Figures, folder: Path) -> None:
    """Write every chart into a folder."""
    folder.mkdir(parents=True, exist_ok=True)
    compared = (BASELINE_AS_SHIPPED, BASELINE_COMPILED, OURS)
    cold = [(name, figures.cold_of(name).cpu_ms) for name in compared]
    cpu, whole = figures.cpu_ratio(), figures.end_to_end_ratio()
    buys = [
        ("CPU, baseline", cpu.baseline_ms),
        ("CPU, orderdesk", cpu.ours_ms),
        ("DynamoDB Local, baseline", whole.baseline_ms),
        ("DynamoDB Local, orderdesk", whole.ours_ms),
    ]
    runs = figures.model.contention.items()
    rates = {
        "always the head": [(r.rate_per_second, r.requests_mean) for n, r in runs if "head" in n],
        "orderdesk": [(r.rate_per_second, r.requests_mean) for n, r in runs if "," not in n],
    }
    read = figures.model.reads.items()
    reads = {
        ending: [(run.traders, run.queries_mean) for name, run in read if ending in name]
        for ending in ("always the same ones", "by chance")
    }
    with mpl.rc_context(STYLE):
        _bars(cold, "Cold import of createOrder, ms of CPU", folder / "cold-imports.svg")
        _bars(buys, "A warm buy, ms", folder / "buys.svg")
        title = "Requests a buy over 100 traders, by orders a second (model)"
        _lines(rates, title, folder / "contention.svg")
        title = "Index queries of a match, by traders online, 5 % fitting (model)"
        _lines(reads, title, folder / "reads.svg", scale="log")


def save(figure: Figure, file: Path) -> None:
    """Write a figure with one element a line; matplotlib writes one point a line."""
    text, nothing = StringIO(), dict.fromkeys(("Creator", "Date", "Format", "Type"))
    figure.savefig(text, format="svg", metadata=nothing)
    joined = re.sub(r"\s*\n\s*(<?)", lambda m: "\n<" if m[1] else " ", text.getvalue())
    file.write_text(joined.strip() + "\n", encoding="utf-8")


def _bars(bars: Sequence[Bar], title: str, file: Path) -> None:
    figure = Figure(figsize=(WIDTH, 0.8 + 0.4 * len(bars)), layout="constrained")
    axes = figure.add_subplot(title=title)
    names, values = zip(*bars, strict=True)
    colours = [BASELINE_COLOUR if "baseline" in name else OURS_COLOUR for name in names]
    axes.bar_label(axes.barh(names, values, color=colours), fmt="%.1f", padding=4)
    axes.invert_yaxis()
    axes.xaxis.set_visible(False)
    axes.margins(x=0.12)
    save(figure, file)


def _lines(lines: Mapping[str, Points], title: str, file: Path, scale: str = "linear") -> None:
    figure = Figure(figsize=(WIDTH, HEIGHT), layout="constrained")
    axes = figure.add_subplot(title=title, xscale=scale)
    for (name, points), colour in zip(lines.items(), (OTHER_COLOUR, OURS_COLOUR), strict=True):
        axes.plot(*zip(*sorted(points), strict=True), "o-", label=name, color=colour)
    axes.set_ylim(bottom=0)
    axes.legend(frameon=False)
    save(figure, file)
