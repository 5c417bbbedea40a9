"""Read a day's orders for its figures (domain/orders/day_figures.py)."""

from collections.abc import Iterator
from typing import Protocol

from orderdesk.domain.ids import id_range
from orderdesk.domain.ledger.day_report import Day
from orderdesk.domain.orders.day_figures import OrderFacts


class OrderFactsIndex(Protocol):
    """Reads the facts of all orders, 1,250 with a request; they may lag a little."""

    def facts(self, first_id: int, last_id: int) -> Iterator[OrderFacts]:
        """Yield those of all orders with ids in [first_id, last_id], unsorted. Raises: TryAgain."""


def orders_of_day(index: OrderFactsIndex, day: Day) -> Iterator[OrderFacts]:
    """Yield what the figures count of each order that was created on a day. Raises: TryAgain."""
    return index.facts(*id_range(day.start, day.end - 1))
