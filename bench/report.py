"""One run's figures as a page of docs and as tables on a terminal."""

from collections.abc import Sequence
from statistics import median

from bench.artifacts import OURS
from bench.cold_imports import ColdImport
from bench.figures import Figures, machine
from bench.markdown import table
from bench.model.runs import ModelFigures
from bench.targets import Row, rows

_TARGET_HEADS = ("", "target", "limit", "measured", "behind it", "met")
_COLD_HEADS = ("function", "CPU ms", "quartiles", "wall ms", "modules")
_BUY_HEADS = ("", "CPU ms, stubbed", "against DynamoDB Local: p50 ms", "p99 ms", "requests")
_HEAD = """\
# Benchmarks

Written by `make bench`; do not edit. What is compared, why it is fair and what the figures mean: \
[how-we-measure.md](how-we-measure.md).

Measured {day} on {machine}, in {minutes:.0f} minutes."""


def markdown(figures: Figures) -> str:
    """Write docs/benchmarks.md."""
    minutes = figures.seconds / 60
    parts = [
        _HEAD.format(day=figures.day, machine=machine(), minutes=minutes),
        "## Targets",
        targets(figures),
        "## Cold imports",
        "![Cold import of createOrder](benchmarks/cold-imports.svg)",
        "![Cold import of each function](benchmarks/functions.svg)",
        "A fresh interpreter a sample; the built artifact is unpacked as Lambda does it.",
        table(_COLD_HEADS, map(_cold, figures.cold)),
        "## A warm buy",
        "![A warm buy](benchmarks/buys.svg)",
        table(_BUY_HEADS, [_buy(name, figures) for name in figures.cpu]),
        *model_tables(figures.model),
    ]
    return "\n\n".join(parts) + "\n"


def targets(figures: Figures) -> str:
    """Write the table of targets."""
    return table(_TARGET_HEADS, map(_target, rows(figures)))


def model_tables(model: ModelFigures) -> list[str]:
    """Write the model's figures, a section for each kind of scenario."""
    contention = [
        _cells(name, run.orders, run.requests_mean, run.requests_p50, run.requests_p99,
               run.latency_p50_ms, run.latency_p99_ms, run.conflicts, run.lost_claims,
               sum(run.refused.values()), run.spread)
        for name, run in model.contention.items()
    ]  # fmt: skip
    rotation = [
        _cells(name, run.orders, run.missed, run.inversions, run.lost_claims)
        for name, run in model.rotation.items()
    ]
    reads = [
        _cells(
            name,
            run.fitting,
            run.queries_mean,
            run.queries_max,
            run.read_units_mean,
            run.buy_p50_ms,
        )
        for name, run in model.reads.items()
    ]
    assigning = [
        _cells(name, run.assigned, run.sustained, run.inversions, run.spread, run.lost)
        for name, run in model.assigning.items()
    ]
    costs = ("orders", "requests a buy", "p50", "p99", "ms p50", "ms p99")
    ends = ("conflicts", "lost claims", "refused", "spread")
    turns = ("one after the other", "orders", "missed", "inversions", "lost claims")
    sells = ("sells of one run over 100 traders", "assigned", "a second, sustained")
    fair = ("inversions", "spread", "lost writes")
    read = ("", "fitting", "queries", "most", "read units", "buy ms p50")
    return [
        "## Contention",
        "![Requests a buy](benchmarks/contention.svg)",
        table(("orders, 100 traders", *costs, *ends), contention),
        "## Rotation",
        table(turns, rotation),
        "## Sells assigned",
        table((*sells, *fair), assigning),
        "## Reads of a match",
        "![Queries of a match](benchmarks/reads.svg)",
        table(read, reads),
    ]


def _cells(name: str, *values: float) -> Sequence[str]:
    return [name, *(str(v) if isinstance(v, int) else f"{v:.2f}" for v in values)]


def _target(row: Row) -> Sequence[str]:
    met = {True: "yes", False: "**no**", None: ""}[row.is_met]
    return (*row[:-1], met)


def _cold(each: ColdImport) -> Sequence[str]:
    name = each.function.removesuffix("Function") if each.contestant == OURS else each.contestant
    low, high = each.spread_ms
    quartiles = f"{low:.0f} to {high:.0f}"
    return name, f"{each.cpu_ms:.0f}", quartiles, f"{each.wall_ms:.0f}", str(each.modules)


def _buy(name: str, figures: Figures) -> Sequence[str]:
    cpu, whole = figures.cpu[name], figures.end_to_end[name]
    p99 = max(buys.wall_p99_us for buys in whole.rounds)
    times = median(cpu.medians_us), median(whole.medians_us), p99
    requests = sum(whole.requests_a_buy.values())
    return name, *(f"{us / 1000:.2f}" for us in times), f"{requests:.2f}"
