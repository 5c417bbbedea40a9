"""Files that wait for a place for decoding: how many a second one merchant and all decode.

The places are the product's own rule (domain/receipts/shares.py). A page asks again after each of
its pauses, and then shows that the file waits. Lambda runs `concurrency` files at the same time.
"""

import heapq
import random
from dataclasses import dataclass, field
from typing import NamedTuple

from orderdesk.adapters.receipts import PAUSES_MS
from orderdesk.domain.merchants.request_rate import DEFAULT_MAX_RPS
from orderdesk.domain.receipts.shares import DRAWING_MS, Place, places_to_try

# A transaction that takes a place, or finds that it is taken.
_TRY_MS = 15
_BUSY = "m0"


class DrawingFigures(NamedTuple):
    """Files of one merchant a second, of all; % of its files that wait longer, of the others'."""

    of_one: float
    of_all: float
    waiting_percent: float
    others_waiting_percent: float


@dataclass(slots=True)
class _Stack:
    """The containers that run and the places that are taken."""

    concurrency: int
    chance: random.Random
    running: int = 0
    taken: set[Place] = field(default_factory=set)

    def begin(self, owner: str, max_rps: int) -> tuple[Place | None, int] | None:
        """Return the place that a file gets, if any, and for how long its container runs (ms).

        None means that Lambda refuses the call.
        """
        if self.running == self.concurrency:
            return None
        self.running += 1
        tried = places_to_try(owner, max_rps, self.concurrency, self.chance.randrange)
        for number, place in enumerate(tried, start=1):
            if place not in self.taken:
                self.taken.add(place)
                drawing_ms = DRAWING_MS // 2 + self.chance.randrange(DRAWING_MS)
                return place, number * _TRY_MS + drawing_ms
        return None, len(tried) * _TRY_MS

    def end(self, place: Place | None) -> None:
        self.running -= 1
        if place is not None:
            self.taken.remove(place)


class _Event(NamedTuple):
    """A file asks for the time `asked` (0 is the first), or its container ends (-1)."""

    at_ms: float
    number: int
    merchant: str
    asked: int
    place: Place | None = None


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
    chance = random.Random(1)  # noqa: S311 - a model
    rates = {_BUSY: of_one} | {f"m{number}": of_another for number in range(1, others + 1)}
    events = [
        _Event(chance.uniform(0, seconds) * 1000, number, merchant, 0)
        for merchant, rate in rates.items()
        for number in range(round(rate * seconds))
    ]
    heapq.heapify(events)
    stack, waiting = _Stack(concurrency, chance), dict.fromkeys(rates, 0)
    while events:
        now_ms, number, merchant, asked, place = heapq.heappop(events)
        if asked < 0:
            stack.end(place)
            continue
        begun = stack.begin(merchant, max_rps if merchant == _BUSY else DEFAULT_MAX_RPS)
        found, runs_ms = begun or (None, 0)
        if begun is not None:
            heapq.heappush(events, _Event(now_ms + runs_ms, number, merchant, -1, found))
        if found is None and asked == len(PAUSES_MS):
            waiting[merchant] += 1
        elif found is None:
            again_ms = now_ms + runs_ms + PAUSES_MS[asked]
            heapq.heappush(events, _Event(again_ms, number, merchant, asked + 1))
    of_others = max(others * round(of_another * seconds), 1)
    return DrawingFigures(
        of_one,
        of_one + others * of_another,
        100 * waiting.pop(_BUSY) / round(of_one * seconds),
        100 * sum(waiting.values()) / of_others,
    )
