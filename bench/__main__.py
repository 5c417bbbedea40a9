"""`python -m bench`: measure everything, print the targets, and write two pages of docs.

`python -m bench model` and `python -m bench costs` only print the model's tables or the cost sheet.
"""

import sys
import time
from datetime import UTC, datetime
from statistics import median

from bench import artifacts, buys, cold_imports, report
from bench.artifacts import Artifacts
from bench.costs import page
from bench.costs.sheet import cost_sheet
from bench.figures import Figures
from bench.model.runs import run_all
from local import dynamodb_local
from local.places import REPOSITORY
from local.progress import LocalError, say

DOCS = REPOSITORY / "docs"


def main() -> int:
    """Run the bench; print one line and return 1 if it cannot run."""
    began = time.monotonic()

    def progress(line: str) -> None:
        say(f"{time.monotonic() - began:4.0f} s  {line}")

    if sys.argv[1:] == ["model"]:
        print("\n\n".join(report.model_tables(run_all(progress))))
        return 0
    if sys.argv[1:] == ["costs"]:
        print(page.markdown(cost_sheet()), end="")
        return 0
    try:
        dynamodb_local.prepare(progress)
        figures = measure(artifacts.build(progress), progress, began)
    except LocalError as error:
        say(f"error: {error}")
        return 1
    (DOCS / "benchmarks.md").write_text(report.markdown(figures), encoding="utf-8")
    (DOCS / "costs.md").write_text(page.markdown(figures.costs), encoding="utf-8")
    print(report.targets(figures))
    say(f"docs/benchmarks.md and docs/costs.md are written; {time.monotonic() - began:.0f} s")
    return 0


def measure(built: Artifacts, progress: artifacts.Progress, began: float) -> Figures:
    """Run the measurements one at a time, because they share the machine. Raises: LocalError."""
    contestants = [built.create_order, built.baseline]
    cold = cold_imports.measure(built, progress)
    cpu = buys.measure_cpu(contestants, progress)
    with dynamodb_local.running(progress) as endpoint_url:
        end_to_end = buys.measure_end_to_end(contestants, endpoint_url, progress)
    model = run_all(progress)
    progress("cost sheet")
    return Figures(
        cold=tuple(cold),
        cpu=cpu,
        end_to_end=end_to_end,
        requests_a_sell=buys.requests_a_sell(built.create_order),
        model=model,
        costs=cost_sheet(create_ms=median(cpu[artifacts.OURS].medians_us) / 1000),
        layer_bytes=built.layer_bytes,
        day=datetime.now(UTC).date().isoformat(),
        seconds=time.monotonic() - began,
    )


if __name__ == "__main__":
    sys.exit(main())
