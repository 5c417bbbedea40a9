"""Files that wait for a place for decoding: how many a second one merchant and all decode.

The places are the product's own rule (domain/receipts/shares.py). A page asks again after each of
its pauses, and then shows that the file waits. Lambda runs `concurrency` files at the same time.
"""

import random
from functools import partial
from typing import NamedTuple

from bench.model.timeline import Timeline
from orderdesk.adapters.receipts import PAUSES_MS
from orderdesk.domain.merchants.request_rate import DEFAULT_MAX_RPS
from orderdesk.domain.receipts.shares import DRAWING_MS, Place, places_to_try
from orderdesk.domain.times import US_PER_MS, US_PER_SECOND

# A transaction that takes a place, or finds that it is taken.
_TRY_MS = 15
_BUSY = "m0"


class DrawingFigures(NamedTuple):
    """Files of one merchant a second, of all; % of its files that wait longer, of the others'."""

    of_one: float
    of_all: float
    waiting_percent: float
    others_waiting_percent: float


def drawings(
    concurrency: int,
    of_one: float,
    *,
    max_rps: int = DEFAULT_MAX_RPS,
    others: int = 0,
    of_another: float = 0,
    seconds: int = 120,
) -> DrawingFigures:
    """Run one merchant with its files a second, and some others with theirs."""
    chance, timeline = random.Random(1), Timeline(0)  # noqa: S311 - a model
    rates = {_BUSY: of_one} | {f"m{number}": of_another for number in range(1, others + 1)}
    waiting, running, taken = dict.fromkeys(rates, 0), 0, set[Place]()

    def file(merchant: str) -> None:
        """Ask for a place until one is free; without one the page shows that the file waits."""
        nonlocal running
        most = max_rps if merchant == _BUSY else DEFAULT_MAX_RPS
        for pause_ms in (0, *PAUSES_MS):
            timeline.wait(pause_ms * US_PER_MS)
            if running == concurrency:
                continue  # Lambda refuses the call
            running += 1
            tried = places_to_try(merchant, most, concurrency, chance.randrange)
            free = [place for place in tried if place not in taken][:1]
            taken.update(free)
            tries = tried.index(free[0]) + 1 if free else len(tried)
            drawing_ms = DRAWING_MS // 2 + chance.randrange(DRAWING_MS) if free else 0
            timeline.wait((tries * _TRY_MS + drawing_ms) * US_PER_MS)
            taken.difference_update(free)
            running -= 1
            if free:
                return
        waiting[merchant] += 1

    for merchant, rate in rates.items():
        for _ in range(round(rate * seconds)):
            comes_us = round(chance.uniform(0, seconds) * US_PER_SECOND)
            timeline.spawn(partial(file, merchant), comes_us)
    timeline.run()
    of_others = max(others * round(of_another * seconds), 1)
    return DrawingFigures(
        of_one,
        of_one + others * of_another,
        100 * waiting.pop(_BUSY) / round(of_one * seconds),
        100 * sum(waiting.values()) / of_others,
    )
