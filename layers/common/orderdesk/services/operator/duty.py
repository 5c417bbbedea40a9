"""An operator sets whether a trader takes orders: online, offline, suspended.

A suspended trader can make no move, and its assigned sells return to matching. The suspension is
written first. From then on no order is matched to the trader, because a claim fails on the trader's
new version. If the process dies before every sell was returned, suspending again returns the rest;
until then their windows expire as usual.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from enum import StrEnum
from typing import Protocol

from orderdesk.domain.audit import differences
from orderdesk.domain.orders.order import Order, OrderStatus
from orderdesk.domain.traders.trader import Trader
from orderdesk.services.operator.actions import Operator
from orderdesk.services.operator.moves import OperatorMovePorts, unassign_from
from orderdesk.services.operator.ports import TraderRegister
from orderdesk.services.operator.traders import change_trader, known_trader
from orderdesk.services.retrying import PauseMs


class Duty(StrEnum):
    """The operator's setting for a trader.

    ONLINE also lifts a suspension: the contract has no other command for that. OFFLINE does not.
    """

    ONLINE = "online"
    OFFLINE = "offline"
    SUSPENDED = "suspend"


def set_duty(
    register: TraderRegister, operator: Operator, trader_id: str, duty: Duty, reason: str = ""
) -> Trader:
    """Add a trader to the rotation or remove it; open orders are not affected.

    A trader without a method may go online; no order fits it until it has one.
    Raises: UnknownId, TryAgain.
    """
    return change_trader(
        register,
        operator,
        trader_id,
        action=f"trader.{duty.value}",
        reason=reason,
        changed=lambda trader: _on(trader, duty),
        details=lambda before, after: differences(
            {"duty": duty_of(before)}, {"duty": duty_of(after)}
        ),
    )


def duty_of(trader: Trader) -> str:
    """Return `online`, `offline` or `suspended`."""
    if trader.suspended:
        return "suspended"
    return "online" if trader.online else "offline"


def _on(trader: Trader, duty: Duty) -> Trader:
    match duty:
        case Duty.ONLINE:
            return replace(trader, online=True, suspended=False)
        case Duty.OFFLINE:
            return replace(trader, online=False)
        case Duty.SUSPENDED:
            return replace(trader, online=False, suspended=True)


DEFAULT_REASON = "its trader was suspended"
# The index usually shows a claim within a second.
LOOKS = 5
PAUSE_BETWEEN_LOOKS_MS = 500


class OpenOrders(Protocol):
    """Reads a trader's orders by an index, which may lag behind the orders."""

    def open_orders(self, trader_id: str) -> Sequence[Order]:
        """Return all open orders. Raises: TryAgain."""


@dataclass(frozen=True, slots=True)
class Suspension:
    """A suspended trader, the returned sells, and the open orders that operators must settle.

    `unseen` counts open orders of the trader that the index did not show yet.
    """

    trader: Trader
    given_back: tuple[Order, ...]
    left: tuple[Order, ...]
    unseen: int


def suspend(
    trader_id: str,
    index: OpenOrders,
    ports: OperatorMovePorts,
    pause_ms: PauseMs,
    reason: str = "",
) -> Suspension:
    """Suspend a trader and return its assigned sells to matching; safe to repeat.

    These are several transactions, so an idempotency key is not used.
    Raises: UnknownId, UnacceptableTerms, TryAgain.
    """
    ports = replace(ports, operator=ports.operator.without_key())
    set_duty(ports.register, ports.operator, trader_id, Duty.SUSPENDED, reason)
    asked: set[str] = set()
    given_back: list[Order] = []
    for look in range(LOOKS):
        if look:
            pause_ms(PAUSE_BETWEEN_LOOKS_MS)
        found = index.open_orders(trader_id)
        for order in found:
            if order.status is OrderStatus.ASSIGNED and order.order_no not in asked:
                asked.add(order.order_no)
                given_back += _given_back(order, trader_id, ports, reason)
        trader = known_trader(ports.register, trader_id)
        left = tuple(order for order in found if order.order_no not in asked)
        unseen = max(0, trader.open_orders - len(left))
        if not unseen:
            break
    return Suspension(trader, tuple(given_back), left, unseen)


def _given_back(order: Order, trader_id: str, ports: OperatorMovePorts, reason: str) -> list[Order]:
    after = unassign_from(order.order_no, trader_id, ports, reason=reason or DEFAULT_REASON)
    return [] if after is None else [after]
