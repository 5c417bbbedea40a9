"""docs/soak.md and its picture."""

from collections.abc import Sequence
from datetime import UTC, datetime
from pathlib import Path
from statistics import median, quantiles
from typing import Any

import matplotlib as mpl
from matplotlib.figure import Figure

from bench.figures import machine
from tests.soak.curves import (
    CONNECTIONS,
    CPU,
    MEMORY,
    Growth,
    Points,
    connections_of,
    cpu_a_call,
    in_buckets,
    memory_of,
    warm_containers,
)
from tests.soak.people import MERCHANTS, TRADERS
from tests.soak.traffic import AT_ONCE, Traffic
from tests.soak.watch import Sample
from tools.markdown import table

_STYLE: dict[Any, Any] = {
    "font.family": "sans-serif",
    "svg.fonttype": "none",
    "svg.hashsalt": "orderdesk",
    "axes.spines.top": False,
    "axes.spines.right": False,
}
_PAGE = """\
# Soak

Written by `make soak`; do not edit. It answers one question: does a warm container grow?

{run}

Buys are reported paid or paid with a picture, then confirmed; others are cancelled. Sells are
assigned and proven with a picture. Some customers verify their identity first. Merchants read their
orders, balances, statements and callbacks, and traders read their lists. A receiver verifies every
callback.

At the end the ledger balanced, no callback waited, no dead-letter queue had a message, and every
callback's signature was valid. Otherwise the command writes nothing and exits with status 1.

{verdict} Early is from 20 to 40 % of the run, late the last 20 %. Each figure is a median. Memory
and connections are those of the function's container that lived longest. A late figure has grown
if it exceeds the early one by more than the tolerance: {tolerances}.

CPU time per call is judged instead of latency, because other work on the machine changes it little.
Latency over HTTP includes the emulator, whose tables grow, and the machine's other work; it is
shown, but not judged.

![Memory, connections, CPU time and latency over time](soak.svg)

{table}
"""


def draw(samples: Sequence[Sample], traffic: Traffic, file: Path) -> None:
    curves: dict[str, dict[str, Points]] = {
        "Memory of each function's longest warm container, MB": {},
        "Its open connections": {},
        "createOrder: CPU time a call, ms": {"create-order": cpu_a_call(samples, traffic)},
        "createOrder over HTTP, ms (beside other work)": {
            "median": in_buckets(traffic.calls, median),
            "95 %": in_buckets(traffic.calls, _high),
        },
    }
    memory, connections, *_ = curves.values()
    for function, warm in warm_containers(samples).items():
        memory[function] = in_buckets(memory_of(warm))
        connections[function] = in_buckets(connections_of(warm))
    with mpl.rc_context(_STYLE):
        figure = Figure(figsize=(8, 11), layout="constrained")
        rows = figure.subplots(len(curves), 1, sharex=True)
        for axes, (title, lines) in zip(rows, curves.items(), strict=True):
            for name, points in lines.items():
                axes.plot([at / 60 for at, _ in points], [value for _, value in points], label=name)
            axes.set_title(title)
            axes.set_ylim(bottom=0)
        rows[0].legend(frameon=False, fontsize="small", ncols=4)
        rows[-1].legend(frameon=False)
        rows[-1].set_xlabel("minutes")
        nothing = dict.fromkeys(("Creator", "Date", "Format", "Type"))
        figure.savefig(file, format="svg", metadata=nothing)


def markdown(growth: Sequence[Growth], traffic: Traffic, minutes: int) -> str:
    run = (
        f"Measured {datetime.now(UTC).date().isoformat()} on {machine()}, beside other work: "
        f"{minutes} minutes, {traffic.orders} orders taken to their end, {len(traffic.failures)} "
        f"failed; {MERCHANTS} merchants, {TRADERS} traders, at most {AT_ONCE} people at a time, "
        "on the local stack."
    )
    grown = [row.what for row in growth if row.has_grown]
    tolerances = (
        f"memory by {MEMORY[0]:.0%} and {MEMORY[1]:.0f} MB, connections by {CONNECTIONS[1]:.0f}, "
        f"CPU time by {CPU[0]:.0%} and {CPU[1]:.0f} ms"
    )
    rows = [[row.what, f"{row.early:.1f}", f"{row.late:.1f}"] for row in growth]
    return _PAGE.format(
        run=run,
        verdict=f"**Grown: {', '.join(grown) if grown else 'nothing'}.**",
        tolerances=tolerances,
        table=table(("", "early", "late"), rows),
    )


def _high(values: Sequence[float]) -> float:
    return quantiles(values, n=20)[-1] if len(values) > 1 else values[0]
