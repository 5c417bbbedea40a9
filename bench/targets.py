"""What the figures are held against: the issue's table, row by row."""

from collections.abc import Mapping
from dataclasses import dataclass

from bench.artifacts import BASELINE_AS_SHIPPED, BASELINE_COMPILED, OURS
from bench.figures import Figures, Ratio

MEGABYTE = 1_000_000
BUSY, BUSIER = "100/s", "300/s"
LAYER_MEGABYTES_MAX = 30


@dataclass(frozen=True, slots=True)
class Row:
    """A target and what came of it; `limit` is what nobody could beat."""

    what: str
    target: str
    limit: str
    measured: str
    behind: str
    is_met: bool


def rows(figures: Figures) -> list[Row]:
    """Hold a run against every target."""
    return [*_ratios(figures), *_requests(figures), *_contention(figures), *_rotation(figures)]


def _ratios(figures: Figures) -> list[Row]:
    wanted: list[tuple[str, Ratio, float, str]] = [
        (
            "cold import of create_order, baseline as SAM ships it ÷ ours",
            figures.cold_ratio(BASELINE_AS_SHIPPED),
            4.5,
            "7",
        ),
        (
            "the same, baseline with valid bytecode ÷ ours",
            figures.cold_ratio(BASELINE_COMPILED),
            1.9,
            "2.8",
        ),
        (
            "CPU per buy, baseline ÷ ours (stub transport)",
            figures.cpu_ratio(),
            3.4,
            "3.6 with botocore",
        ),
        (
            "buy against DynamoDB Local, serial, baseline p50 ÷ ours",
            figures.end_to_end_ratio(),
            4.0,
            "10",
        ),
    ]
    return [
        Row(
            what,
            f"≥ {least:g}",
            limit,
            f"{found.value:.2f}",
            f"{found.baseline_ms:.1f} ms ÷ {found.ours_ms:.1f} ms; "
            f"rounds {found.least:.2f} to {found.most:.2f}",
            found.value >= least,
        )
        for what, found, least, limit in wanted
    ]


def _requests(figures: Figures) -> list[Row]:
    buy = sum(figures.end_to_end[OURS].requests_a_buy.values())
    sell = sum(figures.requests_a_sell.values())
    megabytes = figures.layer_bytes / MEGABYTE
    return [
        Row(
            "DynamoDB requests a buy / a sell, warm",
            "2.00 / 1.00",
            "2 / 1",
            f"{buy:.2f} / {sell:.2f}",
            f"{_listed(figures.end_to_end[OURS].requests_a_buy)}; "
            f"{_listed(figures.requests_a_sell)}",
            (buy, sell) == (2, 1),
        ),
        Row(
            "layer, unzipped",
            f"≤ {LAYER_MEGABYTES_MAX} MB",
            "",
            f"{megabytes:.1f} MB",
            "native code of both architectures",
            megabytes <= LAYER_MEGABYTES_MAX,
        ),
    ]


def _listed(requests: Mapping[str, float]) -> str:
    return ", ".join(f"{count:g} {name}" for name, count in requests.items())


def _contention(figures: Figures) -> list[Row]:
    busy, busier = figures.model.contention[BUSY], figures.model.contention[BUSIER]
    return [
        Row(
            "requests a buy at 100 orders/s over 100 traders (model)",
            "≤ 2.2",
            "2.0",
            f"{busy.requests_mean:.2f}",
            f"{busy.orders} orders, {busy.containers} containers",
            busy.requests_mean <= 2.2,
        ),
        Row(
            "their p99",
            "≤ 2 × p50",
            "2.0",
            f"{busy.requests_p99} to {busy.requests_p50}",
            f"latency p50 {busy.latency_p50_ms} ms, p99 {busy.latency_p99_ms} ms",
            busy.requests_p99 <= 2 * busy.requests_p50,
        ),
        Row(
            "the same at 300/s",
            "≤ 2.4",
            "2.0",
            f"{busier.requests_mean:.2f}",
            f"{busier.orders} orders, {busier.containers} containers",
            busier.requests_mean <= 2.4,
        ),
        Row(
            "spread of acceptances at 100/s",
            "≤ 5",
            "1",
            f"{busy.spread}",
            "the most orders that a trader accepted less the fewest",
            busy.spread <= 5,
        ),
    ]


def _rotation(figures: Figures) -> list[Row]:
    runs = figures.model.rotation
    inversions = sum(run.inversions for run in runs.values())
    reads = [run for name, run in figures.model.reads.items() if "by chance" in name]
    fewest, most = (choose(run.queries_mean for run in reads) for choose in (min, max))
    return [
        Row(
            "rotation, sequential, mixed ranges",
            "0 inversions",
            "0",
            f"{inversions} inversions",
            f"{sum(run.accepted for run in runs.values())} orders in {len(runs)} ways",
            inversions == 0,
        ),
        Row(
            "reads of a match from 10 to 10,000 traders, 5 % fitting",
            "flat to within 2 ×",
            "flat",
            f"{fewest:.2f} to {most:.2f} queries",
            "other traders fit each order; where it is always the same ones: below",
            most <= 2 * fewest,
        ),
    ]
