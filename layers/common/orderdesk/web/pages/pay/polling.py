"""When an open pay page asks for its order's status: the one place of its schedule.

A poll comes at most 10 s after the trader's or operator's decision, at any age: the page varies a
wait by a tenth. The exception is the first 18 s after the payment, when 2 % of the confirmations
come. `bench/costs/polls.py` has the resulting delays and numbers of requests.
"""

from collections.abc import Mapping
from typing import NamedTuple

from orderdesk.domain.orders.order import OrderStatus


class Pace(NamedTuple):
    """The seconds between two polls, while the status is younger than `until` seconds."""

    until: int | None
    wait: int


type Paces = tuple[Pace, ...]
"""Paces by rising age; the last one has no end."""

# Until the payment little changes without the payer; polls every 9 s would cost more than all other
# polls. The page also asks when the payer returns to it or copies a detail of the transfer.
_PENDING = (Pace(60, 60), Pace(None, 120))
_PAID = (Pace(18, 18), Pace(None, 9))
_DISPUTED = (Pace(None, 9),)

PACES: Mapping[OrderStatus, Paces] = {
    OrderStatus.PENDING: _PENDING,
    OrderStatus.PAID: _PAID,
    OrderStatus.DISPUTED: _DISPUTED,
}
"""The paces of the statuses of a buy that can change while its page is open."""


def wait_seconds(paces: Paces, age: int) -> int:
    """Return the seconds until the next poll at an age of the status in seconds."""
    return next(pace.wait for pace in paces if pace.until is None or age < pace.until)
