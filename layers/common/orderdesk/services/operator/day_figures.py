"""Read a day's orders for its figures (domain/orders/day_figures.py), and store merchants' days."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from datetime import date, timedelta
from itertools import chain
from typing import Protocol

from orderdesk.domain.ids import id_range
from orderdesk.domain.ledger.day_report import Day, day_of
from orderdesk.domain.modes import Mode
from orderdesk.domain.orders.day_figures import (
    SHOWN_DAYS,
    MerchantDay,
    OrderFacts,
    counts_by_merchant,
    date_in_china,
)

_EVERY_SECONDS = 900
_LATE_SECONDS = 3 * 3600
_SLICE_SECONDS = 4 * 3600


class OrderFactsIndex(Protocol):
    """Reads the facts of all orders, 1,250 with a request; they may lag a little."""

    def facts(self, first_id: int, last_id: int) -> Iterator[OrderFacts]:
        """Yield those of all orders with ids in [first_id, last_id], unsorted. Raises: TryAgain."""


def orders_of_day(index: OrderFactsIndex, day: Day) -> Iterator[OrderFacts]:
    """Yield what the figures count of each order that was created on a day. Raises: TryAgain."""
    return index.facts(*id_range(day.start, day.end - 1))


class MerchantDays(Protocol):
    """Stores merchants' days in live mode."""

    def save(self, day: date, days: Mapping[str, MerchantDay], read_at: int) -> None:
        """Replace a day's figures by merchant_id, and when its orders were read (Unix seconds).

        Raises: TryAgain.
        """


def count_days(
    index: OrderFactsIndex, store: MerchantDays, now: int, has_time: Callable[[], bool]
) -> Sequence[date]:
    """Count the orders of the days that are due now, while there is time; return the days.

    Raises: TryAgain.
    """
    counted = []
    for each in due_days(now):
        if not has_time():
            break
        day = day_of(each)
        starts = range(day.start, min(day.end, now + 1), _SLICE_SECONDS)
        slices = (id_range(start, start + _SLICE_SECONDS - 1) for start in starts)
        counts = counts_by_merchant(chain.from_iterable(index.facts(*ids) for ids in slices), now)
        live = {
            merchant_id: MerchantDay.of(one)
            for (merchant_id, mode), one in counts.items()
            if mode is Mode.LIVE
        }
        store.save(each, live, now)
        counted.append(each)
    return counted


def due_days(now: int) -> Sequence[date]:
    """Return the days to count at a time (Unix seconds): today, for three hours yesterday too.

    Orders of earlier days still change, for example when a dispute ends. So one of them is counted
    too, in turn: each every 7.5 hours.
    """
    back = timedelta(days=now // _EVERY_SECONDS % SHOWN_DAYS)
    today = date_in_china(now)
    return list(dict.fromkeys((today, date_in_china(now - _LATE_SECONDS), today - back)))
