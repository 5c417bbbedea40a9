"""Stop a trader's account, whose card is frozen for example (contract section 6).

The stop is written first. From then on no order gets the account, because a claim fails on the
trader's new version. Then each pending or paid buy on the account is marked. If the process dies
before every buy was marked, stopping again marks the rest.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol

from orderdesk.domain.orders.moves import OrderChange, stop_payee
from orderdesk.domain.orders.order import Order
from orderdesk.domain.payment_methods import PaymentMethod
from orderdesk.domain.pricing import OrderType
from orderdesk.services.orders.move import MovePorts, step_order
from orderdesk.services.ports import FindsTraders

# The index usually shows a claim within a second.
LOOKS = 5
PAUSE_BETWEEN_LOOKS_MS = 500


class OpenOrders(Protocol):
    """Reads a trader's orders by an index, which may lag behind the orders."""

    def open_orders(self, trader_id: str) -> Sequence[Order]:
        """Return all open orders. Raises: TryAgain."""


@dataclass(frozen=True, slots=True)
class StopPorts:
    index: OpenOrders
    traders: FindsTraders
    moves: MovePorts


@dataclass(frozen=True, slots=True)
class StoppedBuys:
    """The buys that were marked, and how many open orders the index did not show yet."""

    orders: tuple[Order, ...]
    unseen: int


def mark_buys(trader_id: str, method: PaymentMethod, ports: StopPorts, now: int) -> StoppedBuys:
    """Mark the pending and paid buys of a stopped account; safe to repeat.

    `now` in Unix seconds. Raises: TryAgain.
    """

    def step(order: Order) -> OrderChange | None:
        after = stop_payee(order, now)
        return None if after is None else OrderChange(order, after)

    marked: dict[str, Order] = {}
    unseen = 0
    for look in range(LOOKS):
        if look:
            ports.moves.pause_ms(PAUSE_BETWEEN_LOOKS_MS)
        found = ports.index.open_orders(trader_id)
        for order in found:
            is_on = order.order_type is OrderType.BUY and order.payment_method.mark == method.mark
            if is_on and order.order_no not in marked:
                marked[order.order_no] = step_order(order.order_no, step, ports.moves)
        trader = ports.traders.trader(trader_id)
        unseen = 0 if trader is None else max(0, trader.counts.open_orders - len(found))
        if not unseen:
            break
    stopped = (order for order in marked.values() if order.pay_page.payee_stopped_at is not None)
    return StoppedBuys(tuple(stopped), unseen)
