"""The model's figures as tables on a terminal."""

from collections.abc import Sequence

from bench.model.contention import ContentionFigures
from bench.model.reads import ReadFigures
from bench.model.rotation import RotationFigures
from bench.model.runs import ModelFigures

type Row = Sequence[str]

CONTENTION_HEADS = (
    "buys over 100 traders",
    "orders",
    "refused",
    "requests",
    "p50",
    "p99",
    "ms p50",
    "p99",
    "max",
    "conflicts",
    "lost claims",
    "throttled",
    "spread",
    "containers",
)
ROTATION_HEADS = (
    "one order after the other",
    "orders",
    "accepted",
    "missed",
    "inversions",
    "lost claims",
)
READ_HEADS = ("reads of a match", "fitting", "queries", "most", "read units", "buy ms p50")


def print_report(figures: ModelFigures) -> None:
    """Print a table for each kind of scenario."""
    _print_table(CONTENTION_HEADS, [_contention(*run) for run in figures.contention.items()])
    _print_table(ROTATION_HEADS, [_rotation(*run) for run in figures.rotation.items()])
    _print_table(READ_HEADS, [_reads(*run) for run in figures.reads.items()])


def _contention(name: str, run: ContentionFigures) -> Row:
    return _row(
        name,
        run.orders,
        sum(run.refused.values()),
        run.requests_mean,
        run.requests_p50,
        run.requests_p99,
        run.latency_p50_ms,
        run.latency_p99_ms,
        run.latency_max_ms,
        run.conflicts,
        run.lost_claims,
        run.throttled,
        run.spread,
        run.containers,
    )


def _rotation(name: str, run: RotationFigures) -> Row:
    return _row(name, run.orders, run.accepted, run.missed, run.inversions, run.lost_claims)


def _reads(name: str, run: ReadFigures) -> Row:
    return _row(
        name, run.fitting, run.queries_mean, run.queries_max, run.read_units_mean, run.buy_p50_ms
    )


def _row(name: str, *values: float) -> Row:
    return [name, *(str(v) if isinstance(v, int) else f"{v:.2f}" for v in values)]


def _print_table(heads: Row, rows: Sequence[Row]) -> None:
    widths = [max(len(cell) for cell in column) for column in zip(heads, *rows, strict=True)]
    for row in (heads, *rows):
        name, *cells = row
        line = "  ".join(cell.rjust(width) for cell, width in zip(cells, widths[1:], strict=True))
        print(f"{name.ljust(widths[0])}  {line}")
    print()
