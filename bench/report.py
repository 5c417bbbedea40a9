"""One run's figures as a page of docs and as tables on a terminal."""

from collections.abc import Sequence

from rich.console import Console
from rich.table import Table

from bench.artifacts import OURS
from bench.buys import Measured
from bench.cold_imports import ColdImport
from bench.figures import Figures, machine
from bench.model.runs import ModelFigures
from bench.targets import Row, rows

WIDTH = 150  # of a terminal that nobody looks at; a real one may be wider
MET, MISSED = "yes", "**no**"

type Cells = Sequence[str]


def print_targets(figures: Figures) -> None:
    """Show the targets on the terminal."""
    table = Table("", "target", "limit", "measured", "behind it", "met")
    for row in rows(figures):
        style = "" if row.is_met else "bold red"
        told = "yes" if row.is_met else "no"
        table.add_row(row.what, row.target, row.limit, row.measured, row.behind, told, style=style)
    Console(width=max(Console().width, WIDTH)).print(table)


def markdown(figures: Figures) -> str:
    """Write docs/benchmarks.md."""
    return (
        "\n\n".join(
            [
                "# Benchmarks",
                (
                    "Written by `make bench`; do not edit. What is compared, why it is fair and "
                    "what the figures mean: [how-we-measure.md](how-we-measure.md)."
                ),
                f"Measured {figures.day} on {machine()}, in {figures.seconds / 60:.0f} minutes.",
                "## Targets",
                _table(
                    ("", "target", "limit", "measured", "behind it", "met"),
                    [_target(row) for row in rows(figures)],
                ),
                "## Cold imports",
                "![Cold import of createOrder](benchmarks/cold-imports.svg)",
                "![Cold import of each function](benchmarks/functions.svg)",
                (
                    "A fresh interpreter a sample, the built artifact unpacked as Lambda does. The "
                    "three largest, of the imports alone, under `-X importtime`, which itself "
                    "takes time; a package has with it what it was the first to ask of the "
                    "standard library."
                ),
                _table(
                    ("function", "CPU ms", "quartiles", "wall ms", "modules", "three largest, ms"),
                    [_cold(each) for each in figures.cold],
                ),
                "## A warm buy",
                "![A warm buy](benchmarks/buys.svg)",
                _table(
                    ("", "CPU ms, stubbed", "against DynamoDB Local: p50 ms", "p99 ms", "requests"),
                    [_buy(name, figures) for name in figures.cpu],
                ),
                "## Contention",
                "![Requests a buy](benchmarks/contention.svg)",
                *_model(figures.model),
            ]
        )
        + "\n"
    )


def _target(row: Row) -> Cells:
    met = MET if row.is_met else MISSED
    return row.what, row.target, row.limit, row.measured, row.behind, met


def _cold(each: ColdImport) -> Cells:
    name = each.function.removesuffix("Function") if each.contestant == OURS else each.contestant
    low, high = each.cpu.spread_ms
    largest = ", ".join(f"{package} {ms:.0f}" for package, ms in each.largest)
    return (
        name,
        f"{each.cpu.median_ms:.0f}",
        f"{low:.0f} to {high:.0f}",
        f"{each.wall.median_ms:.0f}",
        str(each.modules),
        largest,
    )


def _buy(name: str, figures: Figures) -> Cells:
    whole = figures.end_to_end[name]
    requests = sum(whole.requests_a_buy.values())
    return (
        name,
        f"{_median_ms(figures.cpu[name]):.2f}",
        f"{_median_ms(whole):.2f}",
        f"{max(buys.wall_p99_us for buys in whole.rounds) / 1000:.2f}",
        f"{requests:.2f}",
    )


def _median_ms(measured: Measured) -> float:
    ordered = sorted(measured.medians_us)
    return ordered[len(ordered) // 2] / 1000


def _model(model: ModelFigures) -> list[str]:
    contention = [
        (
            name,
            str(run.orders),
            f"{run.requests_mean:.2f}",
            str(run.requests_p50),
            str(run.requests_p99),
            str(run.latency_p50_ms),
            str(run.latency_p99_ms),
            str(run.conflicts),
            str(run.lost_claims),
            str(sum(run.refused.values())),
            str(run.spread),
        )
        for name, run in model.contention.items()
    ]
    heads = ("orders", "requests a buy", "p50", "p99", "ms p50", "ms p99")
    ends = ("conflicts", "lost claims", "refused", "spread")
    rotation = [
        (name, str(run.orders), str(run.missed), str(run.inversions), str(run.lost_claims))
        for name, run in model.rotation.items()
    ]
    reads = [
        (
            name,
            str(run.fitting),
            f"{run.queries_mean:.2f}",
            str(run.queries_max),
            f"{run.read_units_mean:.1f}",
            str(run.buy_p50_ms),
        )
        for name, run in model.reads.items()
    ]
    return [
        _table(("buys over 100 traders", *heads, *ends), contention),
        "## Rotation",
        _table(("one after the other", "orders", "missed", "inversions", "lost claims"), rotation),
        "## Reads of a match",
        "![Queries of a match](benchmarks/reads.svg)",
        _table(("", "fitting", "queries", "most", "read units", "buy ms p50"), reads),
    ]


def _table(heads: Cells, lines: Sequence[Cells]) -> str:
    rule = "|".join("---" for _ in heads)
    body = [f"| {' | '.join(line)} |" for line in (heads, *lines)]
    return "\n".join([body[0], f"|{rule}|", *body[1:]])
