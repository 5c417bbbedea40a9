"""The transitions of contract section 6, written from the contract and not from the code.

(order type, status) -> {(actor, move): (status after, seconds to wait before)}. WINDOW: only once
the order's expire_time has passed. PROVEN replaces the row of an assigned sell with a proof.
"""

from collections.abc import Iterator
from typing import NamedTuple

from orderdesk.domain.orders.order import OrderStatus
from orderdesk.domain.orders.transitions import Actor, Move
from orderdesk.domain.pricing import OrderType

WINDOW = -1
HALF_AN_HOUR, A_DAY = 1800, 86_400
BUY, SELL = OrderType.BUY, OrderType.SELL
S, A, M = OrderStatus, Actor, Move

type Row = dict[tuple[Actor, Move], tuple[OrderStatus, int]]

RESOLVED: Row = {
    (A.OPERATOR, M.RESOLVE_COMPLETED): (S.COMPLETED, 0),
    (A.OPERATOR, M.RESOLVE_CANCELLED): (S.CANCELLED, 0),
}
LATE_PAYMENT: Row = {(A.OPERATOR, M.DISPUTE): (S.DISPUTED, 0)}

TABLE: dict[tuple[OrderType, OrderStatus], Row] = {
    (BUY, S.PENDING): {
        (A.PAYER, M.PAY): (S.PAID, 0),
        (A.PAYER, M.CANCEL): (S.CANCELLED, 0),
        (A.MERCHANT, M.CANCEL): (S.CANCELLED, 0),
        (A.CLOCK, M.EXPIRE): (S.EXPIRED, WINDOW),
        (A.TRADER, M.CONFIRM): (S.COMPLETED, 0),
        (A.TRADER, M.REPORT_SUM): (S.DISPUTED, 0),
    },
    (BUY, S.PAID): {
        (A.TRADER, M.REPORT_SUM): (S.DISPUTED, 0),
        (A.TRADER, M.CONFIRM): (S.COMPLETED, 0),
        (A.TRADER, M.DISPUTE): (S.DISPUTED, 0),
        (A.OPERATOR, M.DISPUTE): (S.DISPUTED, 0),
        (A.PAYER, M.DISPUTE): (S.DISPUTED, HALF_AN_HOUR),
        (A.MERCHANT, M.DISPUTE): (S.DISPUTED, HALF_AN_HOUR),
        (A.CLOCK, M.DISPUTE): (S.DISPUTED, A_DAY),
    },
    (BUY, S.EXPIRED): LATE_PAYMENT
    | {(A.PAYER, M.PAY_LATE): (S.DISPUTED, 0), (A.TRADER, M.REPORT_SUM): (S.DISPUTED, 0)},
    (BUY, S.CANCELLED): LATE_PAYMENT,
    (BUY, S.DISPUTED): RESOLVED
    | {(A.TRADER, M.CONFIRM): (S.COMPLETED, 0), (A.PAYER, M.AGREE): (S.COMPLETED, 0)},
    (SELL, S.MATCHING): {
        (A.OPERATOR, M.ASSIGN): (S.ASSIGNED, 0),
        (A.CLOCK, M.ASSIGN): (S.ASSIGNED, 0),
        (A.MERCHANT, M.CANCEL): (S.CANCELLED, 0),
        (A.OPERATOR, M.CANCEL): (S.CANCELLED, 0),
    },
    (SELL, S.ASSIGNED): {
        (A.TRADER, M.DECLINE): (S.MATCHING, 0),
        (A.CLOCK, M.LAPSE): (S.MATCHING, WINDOW),
        (A.OPERATOR, M.UNASSIGN): (S.MATCHING, 0),
        (A.OPERATOR, M.DISPUTE): (S.DISPUTED, 0),
    },
    (SELL, S.DISPUTED): RESOLVED,
}
PROVEN: Row = {
    (A.CLOCK, M.LAPSE): (S.DISPUTED, WINDOW),
    (A.OPERATOR, M.UNASSIGN): (S.DISPUTED, 0),
    (A.TRADER, M.CONFIRM): (S.COMPLETED, 0),
    (A.OPERATOR, M.DISPUTE): (S.DISPUTED, 0),
}


LATE: Row = {
    (A.TRADER, M.DECLINE): (S.DISPUTED, 0),
    (A.CLOCK, M.LAPSE): (S.DISPUTED, WINDOW),
    (A.OPERATOR, M.UNASSIGN): (S.DISPUTED, 0),
    (A.OPERATOR, M.DISPUTE): (S.DISPUTED, 0),
}
"""The row of an assigned sell without a proof that a former trader has handed in a late one of."""


def row_of(kind: OrderType, status: OrderStatus, *, proven: bool, late: bool = False) -> Row:
    """Return the moves of an order, with or without a stored receipt or proof, or a late proof."""
    if proven and (kind, status) == (SELL, S.ASSIGNED):
        return PROVEN
    if late and (kind, status) == (SELL, S.ASSIGNED):
        return LATE
    return TABLE.get((kind, status), {})


class Case(NamedTuple):
    """A move of the table; `proven` is set for an assigned sell with a proof."""

    kind: OrderType
    status: OrderStatus
    actor: Actor
    what: Move
    proven: bool
    target: OrderStatus
    wait: int


def _cases() -> Iterator[Case]:
    for kind, status in TABLE:
        for proven in (False, True) if (kind, status) == (SELL, S.ASSIGNED) else (False,):
            for (actor, what), (target, wait) in row_of(kind, status, proven=proven).items():
                yield Case(kind, status, actor, what, proven, target, wait)


CASES = tuple(_cases())
# The moves by which an order reaches each status that it can leave.
WAYS: dict[tuple[OrderType, OrderStatus], tuple[tuple[Actor, Move], ...]] = {
    (BUY, S.PENDING): (),
    (BUY, S.PAID): ((A.PAYER, M.PAY),),
    (BUY, S.EXPIRED): ((A.CLOCK, M.EXPIRE),),
    (BUY, S.CANCELLED): ((A.PAYER, M.CANCEL),),
    (BUY, S.DISPUTED): ((A.PAYER, M.PAY), (A.TRADER, M.REPORT_SUM)),
    (SELL, S.MATCHING): (),
    (SELL, S.ASSIGNED): ((A.CLOCK, M.ASSIGN),),
    (SELL, S.DISPUTED): ((A.CLOCK, M.ASSIGN), (A.OPERATOR, M.DISPUTE)),
}
