"""The moves of an order: contract section 6 as one piece of data."""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from enum import StrEnum
from types import MappingProxyType

from orderdesk.domain.errors import StateConflict
from orderdesk.domain.orders import Order, OrderStatus, TimelineEntry
from orderdesk.domain.pricing import OrderType


class Actor(StrEnum):
    """Who moves an order; CLOCK is a deadline that passed."""

    PAYER = "payer"
    MERCHANT = "merchant"
    TRADER = "trader"
    OPERATOR = "operator"
    CLOCK = "clock"


class Move(StrEnum):
    """What is done to an order."""

    PAY = "pay"
    CANCEL = "cancel"
    EXPIRE = "expire"


class MoneyEffect(StrEnum):
    """What a move does with the money that the order holds."""

    STAYS_HELD = "stays_held"
    RELEASED = "released"


@dataclass(frozen=True, slots=True)
class Transition:
    """From where a move leads to where, who may make it, and what becomes of the money."""

    sources: frozenset[OrderStatus]
    target: OrderStatus
    actors: frozenset[Actor]
    money: MoneyEffect


TRANSITIONS: Mapping[tuple[OrderType, Move], Transition] = MappingProxyType(
    {
        (OrderType.BUY, Move.PAY): Transition(
            frozenset({OrderStatus.PENDING}),
            OrderStatus.PAID,
            frozenset({Actor.PAYER}),
            MoneyEffect.STAYS_HELD,
        ),
        (OrderType.BUY, Move.CANCEL): Transition(
            frozenset({OrderStatus.PENDING}),
            OrderStatus.CANCELLED,
            frozenset({Actor.PAYER, Actor.MERCHANT}),
            MoneyEffect.RELEASED,
        ),
        (OrderType.SELL, Move.CANCEL): Transition(
            frozenset({OrderStatus.MATCHING}),
            OrderStatus.CANCELLED,
            frozenset({Actor.MERCHANT, Actor.OPERATOR}),
            MoneyEffect.RELEASED,
        ),
        (OrderType.BUY, Move.EXPIRE): Transition(
            frozenset({OrderStatus.PENDING}),
            OrderStatus.EXPIRED,
            frozenset({Actor.CLOCK}),
            MoneyEffect.RELEASED,
        ),
    }
)


@dataclass(frozen=True, slots=True)
class Moved:
    """An order after a move, and what becomes of its money."""

    order: Order
    money: MoneyEffect


def move(order: Order, what: Move, actor: Actor, now: int) -> Moved | None:
    """Make a move at a time (Unix seconds); None where it was made before.

    A pending order past its window can only expire, whether or not the sweep has been by.
    Raises: StateConflict with the status as of now.
    """
    transition = TRANSITIONS.get((order.order_type, what))
    status = order.status_at(now)
    if transition is None or actor not in transition.actors:
        raise StateConflict(status.value)
    if order.status is transition.target:
        return None
    overdue = status is not order.status
    allowed = order.status in transition.sources and overdue is (what is Move.EXPIRE)
    if not allowed:
        raise StateConflict(status.value)
    target = transition.target
    moved = replace(
        order,
        status=target,
        sequence=order.sequence + 1,
        version=order.version + 1,
        updatetime=now,
        timeline=(*order.timeline, TimelineEntry(target, now)),
    )
    return Moved(moved, transition.money)
