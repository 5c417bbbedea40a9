"""All runs of the model, in one process per core."""

import os
from collections.abc import Callable, Mapping
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass
from functools import partial
from typing import Any

from bench.model.assigning import AssignFigures, assigning
from bench.model.contention import AlwaysHead, ContentionFigures, Sells, contention
from bench.model.drawings import DrawingFigures, drawings
from bench.model.sequential import ReadFigures, RotationFigures, match_reads, rotation_sequential
from bench.model.timing import MEASURED_2020
from orderdesk.domain.times import US_PER_MS
from tests.support.aged_books import BooksFigures, books_read

SELLS = "300/s, sells of one merchant with 8 shards"
ONE_DRAWS, ALL_DRAW = "160 at once, one merchant", "160 at once, all"
SELLS_OF_ONE_ITEM = "60/s, sells of one merchant, not completed"
YOUNG, OLD = "10,000 orders", "100,000 orders"
TRADERS = (10, 100, 1_000, 10_000)

_naive = partial(contention, make_contention=AlwaysHead)
_slow = partial(contention, timing=MEASURED_2020)
_four = partial(rotation_sequential, containers=4)
SCENARIOS: Mapping[str, Mapping[str, Callable[[], Any]]] = {
    "books": {OLD: partial(books_read, 100_000), YOUNG: partial(books_read, 10_000)},
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
    "drawings": {
        "10 at once, one merchant": partial(drawings, 10, 8),
        "10 at once, all": partial(drawings, 10, 0.3, others=49, of_another=0.3),
        ONE_DRAWS: partial(drawings, 160, 145, max_rps=600),
        ALL_DRAW: partial(drawings, 160, 5, others=49, of_another=5),
        "160 at once, one sends more than all can decode": partial(
            drawings, 160, 400, max_rps=600, others=20, of_another=2
        ),
    },
}
"""By the field of ModelFigures and a title; the longest run first."""


@dataclass(frozen=True, slots=True)
class ModelFigures:
    """The figures of the scenarios by title."""

    books: dict[str, BooksFigures]
    contention: dict[str, ContentionFigures]
    rotation: dict[str, RotationFigures]
    reads: dict[str, ReadFigures]
    assigning: dict[str, AssignFigures]
    drawings: dict[str, DrawingFigures]


def run_all(progress: Callable[[str], None]) -> ModelFigures:
    """Run every scenario. The figures do not depend on the machine."""
    done: dict[str, dict[str, Any]] = {part: {} for part in SCENARIOS}
    with ProcessPoolExecutor(os.cpu_count()) as pool:
        runs = [(part, *each) for part, named in SCENARIOS.items() for each in named.items()]
        for part, name, future in [(part, name, pool.submit(run)) for part, name, run in runs]:
            done[part][name] = future.result()
            progress(f"{part}: {name}")
    return ModelFigures(**done)
