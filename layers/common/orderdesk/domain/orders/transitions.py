"""The moves of an order: contract section 6 as one table.

A move changes the order, and has the row's effects on money and trader, nothing else.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from types import MappingProxyType
from typing import Literal

from orderdesk.domain.orders.order import (
    DISPUTE_AFTER_SECONDS,
    LATE_SECONDS,
    OPERATORS_LATE_SECONDS,
    UNCONFIRMED_SECONDS,
    ByStatus,
    Order,
    OrderStatus,
)
from orderdesk.domain.pricing import OrderType


class Actor(StrEnum):
    """Who moves an order. CLOCK is a deadline that passed, or the automatic assigner."""

    PAYER = "payer"
    MERCHANT = "merchant"
    TRADER = "trader"
    OPERATOR = "operator"
    CLOCK = "clock"


class Move(StrEnum):
    PAY = "pay"
    PAY_LATE = "pay_late"
    REPORT_SUM = "report_sum"
    AGREE = "agree"
    PROVE_LATE = "prove_late"
    CONFIRM = "confirm"
    CANCEL = "cancel"
    EXPIRE = "expire"
    DISPUTE = "dispute"
    ASSIGN = "assign"
    DECLINE = "decline"
    LAPSE = "lapse"
    UNASSIGN = "unassign"
    RESOLVE_COMPLETED = "resolve_completed"
    RESOLVE_CANCELLED = "resolve_cancelled"


class MoneyEffect(StrEnum):
    """What a move does with the money that the order holds (contract section 6)."""

    STAYS = "stays"
    RELEASED = "released"
    CAPTURED = "captured"
    HELD_AGAIN = "held_again"


class TraderEffect(StrEnum):
    """What a move does with the trader's count of open orders.

    HANDED_BACK: the trader is freed, and the one of the first late proof is taken.
    """

    STAYS = "stays"
    TAKEN = "taken"
    FREED = "freed"
    HANDED_BACK = "handed_back"


@dataclass(frozen=True, slots=True)
class Transition:
    """A row of the table: source and target statuses, actors and effects of a move.

    `actors` maps each actor to the seconds that it must wait in the source status. With
    `window_over` the move is allowed only after the order's `expire_time`, and with
    `within_seconds` only until so long after the order's end, of an expired one its `expire_time`.
    `proof`: whether the order must have a stored receipt or proof, or must have none; None if that
    does not matter. `late`: the same for late proofs of traders that a sell was taken back from.
    """

    order_type: OrderType
    move: Move
    sources: frozenset[OrderStatus]
    target: OrderStatus
    actors: Mapping[Actor, int]
    money: MoneyEffect = MoneyEffect.STAYS
    trader: TraderEffect = TraderEffect.STAYS
    window_over: bool = field(default=False, kw_only=True)
    within_seconds: int | None = field(default=None, kw_only=True)
    proof: bool | None = field(default=None, kw_only=True)
    late: bool | None = field(default=None, kw_only=True)

    def is_of(self, order: Order) -> bool:
        """Return whether the row is for an order's type and proof, in any status."""
        is_proven = self.proof in {None, bool(order.receipts)}
        is_proven = is_proven and self.late in {None, bool(order.late.late_proofs)}
        return is_proven and self.order_type is order.order_type


def _at_once(*actors: Actor) -> Mapping[Actor, int]:
    return MappingProxyType(dict.fromkeys(actors, 0))


_BUY, _SELL = OrderType.BUY, OrderType.SELL
_DISPUTED = frozenset({OrderStatus.DISPUTED})

TRANSITIONS: tuple[Transition, ...] = (
    Transition(
        _BUY, Move.PAY, frozenset({OrderStatus.PENDING}), OrderStatus.PAID, _at_once(Actor.PAYER)
    ),
    Transition(
        _BUY,
        Move.CANCEL,
        frozenset({OrderStatus.PENDING}),
        OrderStatus.CANCELLED,
        _at_once(Actor.PAYER, Actor.MERCHANT),
        MoneyEffect.RELEASED,
        TraderEffect.FREED,
    ),
    Transition(
        _BUY,
        Move.EXPIRE,
        frozenset({OrderStatus.PENDING}),
        OrderStatus.EXPIRED,
        _at_once(Actor.CLOCK),
        MoneyEffect.RELEASED,
        TraderEffect.FREED,
        window_over=True,
    ),
    # Also in a dispute: the money has arrived after all.
    Transition(
        _BUY,
        Move.CONFIRM,
        frozenset({OrderStatus.PENDING, OrderStatus.PAID, OrderStatus.DISPUTED}),
        OrderStatus.COMPLETED,
        _at_once(Actor.TRADER),
        MoneyEffect.CAPTURED,
        TraderEffect.FREED,
    ),
    Transition(
        _BUY,
        Move.DISPUTE,
        frozenset({OrderStatus.PAID}),
        OrderStatus.DISPUTED,
        MappingProxyType(
            {
                Actor.TRADER: 0,
                Actor.OPERATOR: 0,
                Actor.PAYER: DISPUTE_AFTER_SECONDS,
                Actor.MERCHANT: DISPUTE_AFTER_SECONDS,
                Actor.CLOCK: UNCONFIRMED_SECONDS,
            }
        ),
    ),
    # A late payment: the hold was already released, so the trader's USDT is held again.
    Transition(
        _BUY,
        Move.DISPUTE,
        frozenset({OrderStatus.EXPIRED, OrderStatus.CANCELLED}),
        OrderStatus.DISPUTED,
        _at_once(Actor.OPERATOR),
        MoneyEffect.HELD_AGAIN,
        TraderEffect.TAKEN,
        within_seconds=OPERATORS_LATE_SECONDS,
    ),
    Transition(
        _BUY,
        Move.PAY_LATE,
        frozenset({OrderStatus.EXPIRED}),
        OrderStatus.DISPUTED,
        _at_once(Actor.PAYER),
        MoneyEffect.HELD_AGAIN,
        TraderEffect.TAKEN,
        within_seconds=LATE_SECONDS,
    ),
    # The trader reports a different sum. Late, the trader's USDT is held again.
    Transition(
        _BUY,
        Move.REPORT_SUM,
        frozenset({OrderStatus.PENDING, OrderStatus.PAID}),
        OrderStatus.DISPUTED,
        _at_once(Actor.TRADER),
    ),
    Transition(
        _BUY,
        Move.REPORT_SUM,
        frozenset({OrderStatus.EXPIRED}),
        OrderStatus.DISPUTED,
        _at_once(Actor.TRADER),
        MoneyEffect.HELD_AGAIN,
        TraderEffect.TAKEN,
        within_seconds=LATE_SECONDS,
    ),
    # The payer agrees to the reported sum.
    Transition(
        _BUY,
        Move.AGREE,
        _DISPUTED,
        OrderStatus.COMPLETED,
        _at_once(Actor.PAYER),
        MoneyEffect.CAPTURED,
        TraderEffect.FREED,
    ),
    Transition(
        _SELL,
        Move.ASSIGN,
        frozenset({OrderStatus.MATCHING}),
        OrderStatus.ASSIGNED,
        _at_once(Actor.OPERATOR, Actor.CLOCK),
        trader=TraderEffect.TAKEN,
    ),
    Transition(
        _SELL,
        Move.DECLINE,
        frozenset({OrderStatus.ASSIGNED}),
        OrderStatus.MATCHING,
        _at_once(Actor.TRADER),
        trader=TraderEffect.FREED,
        proof=False,
        late=False,
    ),
    Transition(
        _SELL,
        Move.LAPSE,
        frozenset({OrderStatus.ASSIGNED}),
        OrderStatus.MATCHING,
        _at_once(Actor.CLOCK),
        trader=TraderEffect.FREED,
        window_over=True,
        proof=False,
        late=False,
    ),
    Transition(
        _SELL,
        Move.UNASSIGN,
        frozenset({OrderStatus.ASSIGNED}),
        OrderStatus.MATCHING,
        _at_once(Actor.OPERATOR),
        trader=TraderEffect.FREED,
        proof=False,
        late=False,
    ),
    Transition(
        _SELL,
        Move.CONFIRM,
        frozenset({OrderStatus.ASSIGNED}),
        OrderStatus.COMPLETED,
        _at_once(Actor.TRADER),
        MoneyEffect.CAPTURED,
        TraderEffect.FREED,
    ),
    Transition(
        _SELL,
        Move.CANCEL,
        frozenset({OrderStatus.MATCHING}),
        OrderStatus.CANCELLED,
        _at_once(Actor.MERCHANT, Actor.OPERATOR),
        MoneyEffect.RELEASED,
    ),
    Transition(
        _SELL,
        Move.DISPUTE,
        frozenset({OrderStatus.ASSIGNED}),
        OrderStatus.DISPUTED,
        _at_once(Actor.OPERATOR),
    ),
    # A trader that the sell was taken back from has paid the customer.
    Transition(
        _SELL,
        Move.PROVE_LATE,
        frozenset({OrderStatus.MATCHING}),
        OrderStatus.DISPUTED,
        _at_once(Actor.TRADER),
        trader=TraderEffect.TAKEN,
    ),
    *(
        Transition(
            _SELL,
            move,
            frozenset({OrderStatus.ASSIGNED}),
            OrderStatus.DISPUTED,
            _at_once(actor),
            trader=TraderEffect.HANDED_BACK,
            window_over=move is Move.LAPSE,
            proof=False,
            late=True,
        )
        for move, actor in (
            (Move.DECLINE, Actor.TRADER),
            (Move.LAPSE, Actor.CLOCK),
            (Move.UNASSIGN, Actor.OPERATOR),
        )
    ),
    # The trader may have paid the customer, so nobody else gets the sell.
    Transition(
        _SELL,
        Move.LAPSE,
        frozenset({OrderStatus.ASSIGNED}),
        OrderStatus.DISPUTED,
        _at_once(Actor.CLOCK),
        window_over=True,
        proof=True,
    ),
    Transition(
        _SELL,
        Move.UNASSIGN,
        frozenset({OrderStatus.ASSIGNED}),
        OrderStatus.DISPUTED,
        _at_once(Actor.OPERATOR),
        proof=True,
    ),
    *(
        Transition(
            order_type, move, _DISPUTED, target, _at_once(Actor.OPERATOR), money, TraderEffect.FREED
        )
        for order_type in OrderType
        for move, target, money in (
            (Move.RESOLVE_COMPLETED, OrderStatus.COMPLETED, MoneyEffect.CAPTURED),
            (Move.RESOLVE_CANCELLED, OrderStatus.CANCELLED, MoneyEffect.RELEASED),
        )
    ),
)

type DeadlineMove = Literal[Move.EXPIRE, Move.DISPUTE, Move.LAPSE]
"""A move of an order whose deadline has passed."""

DEADLINE_MOVES: ByStatus[DeadlineMove | None] = ByStatus(
    pending=Move.EXPIRE,
    paid=Move.DISPUTE,
    matching=None,
    assigned=Move.LAPSE,
    completed=None,
    cancelled=None,
    expired=None,
    disputed=None,
)
"""The move of an order whose deadline has passed, by its status."""
