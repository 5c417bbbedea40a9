"""The moves of an order: contract section 6 as one table.

A move changes the order, and has the row's effects on money and trader, nothing else.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from functools import partial
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


def _by(*actors: Actor) -> Mapping[Actor, int]:
    """Return the actors of a move that they need not wait for."""
    return MappingProxyType(dict.fromkeys(actors, 0))


_buy, _sell = partial(Transition, OrderType.BUY), partial(Transition, OrderType.SELL)
_PENDING, _PAID = frozenset({OrderStatus.PENDING}), frozenset({OrderStatus.PAID})
_MATCHING, _ASSIGNED = frozenset({OrderStatus.MATCHING}), frozenset({OrderStatus.ASSIGNED})
_EXPIRED, _DISPUTED = frozenset({OrderStatus.EXPIRED}), frozenset({OrderStatus.DISPUTED})
_RELEASED = MoneyEffect.RELEASED, TraderEffect.FREED
_CAPTURED = MoneyEffect.CAPTURED, TraderEffect.FREED
# The hold was already released, so the trader's USDT is held again.
_HELD_AGAIN = MoneyEffect.HELD_AGAIN, TraderEffect.TAKEN


def _lost(target: OrderStatus, trader: TraderEffect, *, late: bool) -> Iterator[Transition]:
    """Yield the moves by which a trader without a proof loses a sell."""
    for move, actor in (
        (Move.DECLINE, Actor.TRADER),
        (Move.LAPSE, Actor.CLOCK),
        (Move.UNASSIGN, Actor.OPERATOR),
    ):
        row = (move, _ASSIGNED, target, _by(actor), MoneyEffect.STAYS, trader)
        yield _sell(*row, window_over=move is Move.LAPSE, proof=False, late=late)


TRANSITIONS: tuple[Transition, ...] = (
    _buy(Move.PAY, _PENDING, OrderStatus.PAID, _by(Actor.PAYER)),
    _buy(
        Move.CANCEL, _PENDING, OrderStatus.CANCELLED, _by(Actor.PAYER, Actor.MERCHANT), *_RELEASED
    ),
    _buy(
        Move.EXPIRE, _PENDING, OrderStatus.EXPIRED, _by(Actor.CLOCK), *_RELEASED, window_over=True
    ),
    # Also in a dispute: the money has arrived after all.
    _buy(
        Move.CONFIRM,
        _PENDING | _PAID | _DISPUTED,
        OrderStatus.COMPLETED,
        _by(Actor.TRADER),
        *_CAPTURED,
    ),
    _buy(
        Move.DISPUTE,
        _PAID,
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
    # A late payment.
    _buy(
        Move.DISPUTE,
        _EXPIRED | {OrderStatus.CANCELLED},
        OrderStatus.DISPUTED,
        _by(Actor.OPERATOR),
        *_HELD_AGAIN,
        within_seconds=OPERATORS_LATE_SECONDS,
    ),
    _buy(
        *(Move.PAY_LATE, _EXPIRED, OrderStatus.DISPUTED, _by(Actor.PAYER), *_HELD_AGAIN),
        within_seconds=LATE_SECONDS,
    ),
    # The trader reports a different sum.
    _buy(Move.REPORT_SUM, _PENDING | _PAID, OrderStatus.DISPUTED, _by(Actor.TRADER)),
    _buy(
        *(Move.REPORT_SUM, _EXPIRED, OrderStatus.DISPUTED, _by(Actor.TRADER), *_HELD_AGAIN),
        within_seconds=LATE_SECONDS,
    ),
    # The payer agrees to the reported sum.
    _buy(Move.AGREE, _DISPUTED, OrderStatus.COMPLETED, _by(Actor.PAYER), *_CAPTURED),
    _sell(
        *(Move.ASSIGN, _MATCHING, OrderStatus.ASSIGNED, _by(Actor.OPERATOR, Actor.CLOCK)),
        trader=TraderEffect.TAKEN,
    ),
    *_lost(OrderStatus.MATCHING, TraderEffect.FREED, late=False),
    _sell(Move.CONFIRM, _ASSIGNED, OrderStatus.COMPLETED, _by(Actor.TRADER), *_CAPTURED),
    _sell(
        *(Move.CANCEL, _MATCHING, OrderStatus.CANCELLED, _by(Actor.MERCHANT, Actor.OPERATOR)),
        money=MoneyEffect.RELEASED,
    ),
    _sell(Move.DISPUTE, _ASSIGNED, OrderStatus.DISPUTED, _by(Actor.OPERATOR)),
    # A trader that the sell was taken back from has paid the customer.
    _sell(
        *(Move.PROVE_LATE, _MATCHING, OrderStatus.DISPUTED, _by(Actor.TRADER)),
        trader=TraderEffect.TAKEN,
    ),
    *_lost(OrderStatus.DISPUTED, TraderEffect.HANDED_BACK, late=True),
    # The trader may have paid the customer, so nobody else gets the sell.
    _sell(
        *(Move.LAPSE, _ASSIGNED, OrderStatus.DISPUTED, _by(Actor.CLOCK)),
        window_over=True,
        proof=True,
    ),
    _sell(Move.UNASSIGN, _ASSIGNED, OrderStatus.DISPUTED, _by(Actor.OPERATOR), proof=True),
    *(
        of_type(move, _DISPUTED, target, _by(Actor.OPERATOR), *effects)
        for of_type in (_buy, _sell)
        for move, target, effects in (
            (Move.RESOLVE_COMPLETED, OrderStatus.COMPLETED, _CAPTURED),
            (Move.RESOLVE_CANCELLED, OrderStatus.CANCELLED, _RELEASED),
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
