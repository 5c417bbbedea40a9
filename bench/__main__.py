"""`python -m bench`: measure everything, say so on the terminal, and write it to docs."""

import sys
import time
from datetime import UTC, datetime
from pathlib import Path

from bench import artifacts, buys, charts, cold_imports, costs, dynamodb_local, report
from bench.artifacts import Artifacts
from bench.figures import Figures
from bench.model.runs import run_all
from local.places import REPOSITORY
from local.progress import LocalError, say

DOCS = REPOSITORY / "docs"


def main() -> int:
    """Run the bench; one line and exit 1 where it cannot be done."""
    began = time.monotonic()

    def progress(line: str) -> None:
        say(f"{time.monotonic() - began:4.0f} s  {line}")

    try:
        dynamodb_local.prepare(progress)
        figures = measure(artifacts.build(progress), progress, began)
    except LocalError as error:
        say(f"error: {error}")
        return 1
    progress("cost sheet")
    write(figures, DOCS)
    report.print_targets(figures)
    say(f"docs/benchmarks.md and docs/costs.md are written; {time.monotonic() - began:.0f} s")
    return 0


def measure(built: Artifacts, progress: artifacts.Progress, began: float) -> Figures:
    """Take every measurement, one after the other: they share the machine. Raises: LocalError."""
    contestants = [built.create_order, built.baseline]
    cold = cold_imports.measure(built, progress)
    cpu = buys.measure_cpu(contestants, progress=progress)
    with dynamodb_local.running(progress) as endpoint_url:
        end_to_end = buys.measure_end_to_end(contestants, endpoint_url, progress=progress)
    return Figures(
        cold=tuple(cold),
        cpu=cpu,
        end_to_end=end_to_end,
        requests_a_sell=buys.requests_a_sell(built.create_order),
        model=run_all(progress),
        layer_bytes=built.layer_bytes,
        day=datetime.now(UTC).date().isoformat(),
        seconds=time.monotonic() - began,
    )


def write(figures: Figures, docs: Path) -> None:
    """Write the pages and the charts."""
    charts.draw(figures, docs / "benchmarks")
    (docs / "benchmarks.md").write_text(report.markdown(figures), encoding="utf-8")
    buy_ms = figures.cpu_ratio().ours_ms
    sheet = costs.cost_sheet(buy_cpu_ms={"createOrder": buy_ms})
    (docs / "costs.md").write_text(costs.markdown(sheet), encoding="utf-8")


if __name__ == "__main__":
    sys.exit(main())
