"""All runs of the model, in one process per core."""

import os
from collections.abc import Callable, Mapping
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass
from functools import partial
from typing import Any

from bench.model.assigning import AssignFigures, assigning
from bench.model.contention import AlwaysHead, ContentionFigures, contention
from bench.model.reads import ReadFigures, match_reads
from bench.model.rotation import RotationFigures, rotation_sequential
from bench.model.sells import Sells
from bench.model.timeline import US_PER_MS
from bench.model.timing import MEASURED_2020

SELLS = "300/s, sells of one merchant with 8 shards"
SELLS_OF_ONE_ITEM = "60/s, sells of one merchant, not completed"
TRADERS = (10, 100, 1_000, 10_000)

_naive = partial(contention, make_contention=AlwaysHead)
_slow = partial(contention, timing=MEASURED_2020)
_four = partial(rotation_sequential, containers=4)
SCENARIOS: Mapping[str, Mapping[str, Callable[[], Any]]] = {
    "contention": {
        "100/s": partial(contention, 100, seconds=60),
        "300/s": partial(contention, 300, seconds=20),
        "40/s": partial(contention, 40, seconds=60),
        "100/s, one merchant": partial(contention, 100, seconds=60, merchants=1),
        SELLS: partial(contention, 300, seconds=20, orders=Sells, balance_shards=8),
        SELLS_OF_ONE_ITEM: partial(contention, 60, seconds=30, orders=Sells, completes=False),
        "100/s, DynamoDB as slow as measured in 2020": partial(_slow, 100, seconds=20),
        "40/s, always the head": partial(_naive, 40, seconds=10),
        "100/s, always the head": partial(_naive, 100, seconds=5),
        "300/s, always the head": partial(_naive, 300, seconds=2),
    },
    "rotation": {
        "one container, without a pause": partial(rotation_sequential, gap_us=0),
        "one container, 5 ms between": partial(rotation_sequential, gap_us=5 * US_PER_MS),
        "four containers in turn, without a pause": partial(_four, gap_us=0),
        "four containers in turn, 100 ms between": partial(_four, gap_us=100 * US_PER_MS),
    },
    "assigning": {
        "alone": partial(assigning, completes=False),
        "orders end": assigning,
        "orders end, 100 buys/s": partial(assigning, 100),
        "orders end, 100 buys/s, two runs at once": partial(assigning, 100, seconds=4, runs=2),
    },
    "reads": {
        **{f"{n:,} traders, by chance": partial(match_reads, n, 200) for n in TRADERS},
        **{
            f"{n:,} traders, always the same ones": partial(match_reads, n, 20, steady=True)
            for n in TRADERS
        },
    },
}
"""By the field of ModelFigures and a title; the longest run first."""


@dataclass(frozen=True, slots=True)
class ModelFigures:
    """The figures of the scenarios by title."""

    contention: dict[str, ContentionFigures]
    rotation: dict[str, RotationFigures]
    reads: dict[str, ReadFigures]
    assigning: dict[str, AssignFigures]


def run_all(progress: Callable[[str], None]) -> ModelFigures:
    """Run every scenario. The figures do not depend on the machine."""
    done: dict[str, dict[str, Any]] = {part: {} for part in SCENARIOS}
    with ProcessPoolExecutor(os.cpu_count()) as pool:
        runs = [(part, *each) for part, named in SCENARIOS.items() for each in named.items()]
        for part, name, future in [(part, name, pool.submit(run)) for part, name, run in runs]:
            done[part][name] = future.result()
            progress(f"{part}: {name}")
    return ModelFigures(**done)
