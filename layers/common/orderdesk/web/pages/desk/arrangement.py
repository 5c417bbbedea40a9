"""How a page of open orders is arranged: its order and its filter, as the address names them."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import Literal, assert_never

from orderdesk.domain.orders.desk_lists import OPEN_LISTS, desk_due, desk_list
from orderdesk.domain.orders.order import Order, OrderStatus
from orderdesk.web.http import Request

type Direction = Literal["ascending", "descending"]


class Sort(StrEnum):
    """The order of a page's rows, as `?sort=` names it; a minus turns it around."""

    URGENT = "urgent"
    OLDEST = "time"
    NEWEST = "-time"
    SMALLEST = "amount"
    LARGEST = "-amount"


DESK_STATUSES = (
    OrderStatus.PAID,
    OrderStatus.ASSIGNED,
    OrderStatus.PENDING,
    OrderStatus.DISPUTED,
)
"""The statuses of a trader's open orders, the most urgent first."""


@dataclass(frozen=True, slots=True)
class Arrangement:
    """The rows' order, and the one status that is shown; None shows all."""

    sort: Sort = Sort.URGENT
    status: OrderStatus | None = None

    @property
    def query(self) -> dict[str, str]:
        """The part of the address that names it; what is usual is left out."""
        usual = AS_USUAL
        named = {"sort": self.sort.value} if self.sort is not usual.sort else {}
        return named | ({"status": self.status.value} if self.status is not None else {})


AS_USUAL = Arrangement()
"""All open orders, the most urgent first."""


def arrangement_of(request: Request) -> Arrangement:
    """Read the arrangement of a request; what it does not name, or names wrongly, is as usual."""
    sort, status = request.query.get("sort"), request.query.get("status")
    return Arrangement(
        next((one for one in Sort if one == sort), AS_USUAL.sort),
        next((one for one in DESK_STATUSES if one == status), None),
    )


def open_at(orders: Iterable[Order], now: int) -> Sequence[Order]:
    """Give the open orders, the most urgent first; expired ones are left out before the sweep."""
    still = [order for order in orders if order.status_at(now).is_open]
    return sorted(still, key=_urgency)


def arranged(orders: Sequence[Order], arrangement: Arrangement) -> Sequence[Order]:
    """Arrange open orders, which come as `open_at` gives them; equal ones stay in that order."""
    wanted = arrangement.status
    shown = [order for order in orders if wanted is None or order.status is wanted]
    match arrangement.sort:
        case Sort.URGENT:
            return shown
        case Sort.OLDEST:
            return sorted(shown, key=lambda order: order.order_id)
        case Sort.NEWEST:
            return sorted(shown, key=lambda order: -order.order_id)
        case Sort.SMALLEST:
            return sorted(shown, key=lambda order: order.quote.cny_fen)
        case Sort.LARGEST:
            return sorted(shown, key=lambda order: -order.quote.cny_fen)
        case _:
            assert_never(arrangement.sort)


def _urgency(order: Order) -> tuple[int, int]:
    return OPEN_LISTS.index(desk_list(order.status)), desk_due(order) or order.since
