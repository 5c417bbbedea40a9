"""One run's figures: docs/benchmarks.md, and tables for the terminal."""

from collections.abc import Mapping, Sequence
from statistics import median, quantiles
from typing import Any

from bench.artifacts import OURS
from bench.cold_imports import ColdImport
from bench.figures import Figures, machine
from bench.model.runs import ModelFigures
from bench.targets import Row, rows
from tools.markdown import table

_TARGET_HEADS = ("", "target", "limit", "measured", "behind it", "met")
_COLD_HEADS = ("function", "CPU ms", "quartiles", "modules", "own")
_BUY_HEADS = ("", "CPU ms, stubbed", "against DynamoDB Local: p50 ms", "p99 ms", "requests")
# By title: the heading of a run, and the names of its first figures.
_MODEL_HEADS = {
    "Contention": "orders, 100 traders | orders "
    "| requests a buy | p50 | p99 | ms p50 | ms p99 | conflicts | lost claims | refused | spread",
    "Rotation": "one after the other | orders | missed | inversions | lost claims",
    "Sells assigned": "sells of one run over 100 traders | assigned | a second, sustained "
    "| inversions | spread | lost writes",
    "Reads of a match": " | fitting | queries | most | read units | buy ms p50",
    "Reads of the books": "after a thousand orders a day | check: requests | read units "
    "| report of today: requests | read units | of a sealed day: requests "
    "| page of a statement: requests | read units | CPU seconds of a check | of today's report",
    "Files for decoding": "files that Lambda decodes at once | a second, of one merchant | of all "
    "| % of its files that wait longer than 4 s | % of the others'",
}
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
        "A fresh interpreter a sample; the built artifact is unpacked as Lambda does it.",
        table(_COLD_HEADS, map(_cold, figures.cold)),
        "## A warm buy",
        table(_BUY_HEADS, [_buy(name, figures) for name in figures.cpu]),
        *model_tables(figures.model),
    ]
    return "\n\n".join(parts) + "\n"


def targets(figures: Figures) -> str:
    return table(_TARGET_HEADS, map(_target, rows(figures)))


def model_tables(model: ModelFigures) -> list[str]:
    """Write the model's figures, a section for each kind of scenario."""
    kinds: list[Mapping[str, Any]]
    kinds = [model.contention, model.rotation, model.assigning, model.reads]
    kinds += [model.books, model.drawings]
    return [
        f"## {title}\n\n{_runs(heads.split(' | '), runs)}"
        for (title, heads), runs in zip(_MODEL_HEADS.items(), kinds, strict=True)
    ]


def _runs(heads: Sequence[str], runs: Mapping[str, Sequence[Any]]) -> str:
    cells = {
        name: [str(n) if isinstance(n, int) else f"{n:.2f}" for n in figures[: len(heads) - 1]]
        for name, figures in runs.items()
    }
    return table(heads, [(name, *of_run) for name, of_run in cells.items()])


def _target(row: Row) -> Sequence[str]:
    return (*row[:-1], "yes" if row.is_met else "**no**")


def _cold(each: ColdImport) -> Sequence[str]:
    name = each.function.removesuffix("Function") if each.contestant == OURS else each.contestant
    low, middle, high = (us / 1000 for us in quantiles(each.cpu_us, n=4))
    times = f"{middle:.0f}", f"{low:.0f} to {high:.0f}"
    return name, *times, str(each.modules), str(each.own_modules)


def _buy(name: str, figures: Figures) -> Sequence[str]:
    cpu, whole = figures.cpu[name], figures.end_to_end[name]
    p99 = max(quantiles(buys.wall_us, n=100)[-1] for buys in whole.rounds)
    times = median(cpu.medians_us), median(whole.medians_us), p99
    requests = sum(whole.requests_a_buy.values())
    return name, *(f"{us / 1000:.2f}" for us in times), f"{requests:.2f}"
