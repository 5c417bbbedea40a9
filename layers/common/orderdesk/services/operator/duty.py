"""An operator sets whether a trader takes orders: online, offline, suspended.

A suspended trader can make no move. Its assigned sells return to matching, or are disputed if they
have a proof. The suspension is written first. From then on no order is matched to the trader,
because a claim fails on the trader's new version. If the process dies before every sell was
handled, suspending again handles the rest; until then their windows expire as usual.
"""

from dataclasses import dataclass, replace
from enum import StrEnum

from orderdesk.domain.audit import differences
from orderdesk.domain.authority import Effect, Power
from orderdesk.domain.orders.order import Order, OrderStatus
from orderdesk.domain.proposals import Plan
from orderdesk.domain.traders.trader import Trader
from orderdesk.services.operator.actions import AuditedChange
from orderdesk.services.operator.moves import unassign_from
from orderdesk.services.operator.ports import CommandPorts
from orderdesk.services.operator.traders import change_trader, known_trader
from orderdesk.services.traders.stops import LOOKS, PAUSE_BETWEEN_LOOKS_MS

DEFAULT_REASON = "its trader was suspended"


class Duty(StrEnum):
    """The operator's setting for a trader.

    ONLINE also lifts a suspension: the contract has no other command for that. OFFLINE does not.
    """

    ONLINE = "online"
    OFFLINE = "offline"
    SUSPENDED = "suspend"


def set_duty(ports: CommandPorts, trader_id: str, duty: Duty, reason: str = "") -> Trader:
    """Add a trader to the rotation or remove it; open orders are not affected.

    A trader without a method may go online; no order fits it until it has one.
    Raises: UnknownId, TryAgain.
    """

    def changed(trader: Trader) -> AuditedChange[Trader]:
        after = _on(trader, duty)
        details = differences({"duty": duty_of(trader)}, {"duty": duty_of(after)})
        plan = Plan(
            trader_id, f"Put {trader.name}, {trader_id} on {duty.value}", details, reason=reason
        )
        permit = ports.operator.permit(plan, Effect(Power.STOP, trader.mode))
        return AuditedChange(after, permit, details)

    return change_trader(ports, trader_id, f"trader.{duty.value}", changed)


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


@dataclass(frozen=True, slots=True)
class Suspension:
    """A suspended trader, the returned sells, and the open orders that operators must settle.

    `unseen` counts open orders of the trader that the index did not show yet.
    """

    trader: Trader
    given_back: tuple[Order, ...]
    left: tuple[Order, ...]
    unseen: int


def suspend(ports: CommandPorts, trader_id: str, reason: str = "") -> Suspension:
    """Suspend a trader and take its assigned sells from it; safe to repeat.

    These are several transactions, so an idempotency key is not used.
    Raises: UnknownId, UnacceptableTerms, TryAgain.
    """
    ports = ports.acting(ports.operator.without_key())
    set_duty(ports, trader_id, Duty.SUSPENDED, reason)
    handled: dict[str, Order | None] = {}
    for look in range(LOOKS):
        if look:
            ports.operator.pause_ms(PAUSE_BETWEEN_LOOKS_MS)
        found = ports.open_orders.open_orders(trader_id)
        for order in found:
            number = order.order_no
            if order.status is OrderStatus.ASSIGNED and number not in handled:
                cause = reason or DEFAULT_REASON
                handled[number] = unassign_from(number, trader_id, ports, reason=cause)
        trader = known_trader(ports.traders, trader_id)
        known = filter(None, (handled.get(order.order_no, order) for order in found))
        left = tuple(order for order in known if order.trader_id == trader_id)
        unseen = max(0, trader.counts.open_orders - len(left))
        if not unseen:
            break
    taken = filter(None, handled.values())
    given_back = tuple(order for order in taken if order.status is OrderStatus.MATCHING)
    return Suspension(trader, given_back, left, unseen)
