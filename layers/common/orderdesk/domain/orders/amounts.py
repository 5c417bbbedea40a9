"""Amounts that buys reserve at traders with unique amounts (contract section 6).

An open buy keeps its amount on its trader's account from all other buys. After it expired or was
cancelled, its amount stays reserved, because its payer may still pay: then only the same merchant
may repeat it.
"""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace

from orderdesk.domain.orders.order import ByStatus, Order

EXPIRED_SECONDS = 86_400
CANCELLED_SECONDS = 3_600

RESERVED_MAX = 20
"""The most ended orders that an amount's record keeps; those that reserve it longest stay."""

LOOKS_MAX = 100
"""The most amounts that one buy looks up in one read."""

NEARBY_MAX = 4
NEARBY_FEN = 20
"""How far `nearby` looks for free amounts, in fen in both directions."""

_NEAR_TRADERS = 4
_OTHERS_MAX = 40


@dataclass(frozen=True, slots=True)
class AccountAmount:
    """An amount in fen on a trader's account, by `PaymentMethod.account_key`."""

    trader_id: str
    account_key: str
    cny_fen: int


def amount_of(order: Order) -> AccountAmount:
    """Return a buy's amount on its trader's account."""
    assert order.trader_id is not None, "a buy has a trader"
    return AccountAmount(order.trader_id, order.payment_method.account_key, order.quote.cny_fen)


@dataclass(frozen=True, slots=True)
class Reserved:
    """An order that ended unpaid, and until when it reserves its amount (Unix seconds)."""

    order_no: str
    merchant_id: str
    until: int


@dataclass(frozen=True, slots=True)
class AmountRecord:
    """The orders that have an amount: the open ones, and those that ended unpaid."""

    open_orders: frozenset[str] = frozenset()
    reserved: tuple[Reserved, ...] = ()
    version: int = 0

    @property
    def free_at(self) -> int:
        """From when any merchant may have the amount, if no order is open (Unix seconds)."""
        return max((each.until for each in self.reserved), default=0)

    @property
    def reserved_for(self) -> str | None:
        """The only merchant that may have the amount before `free_at`; None if there is none."""
        merchants = {each.merchant_id for each in self.reserved}
        return merchants.pop() if len(merchants) == 1 else None

    def is_free(self, merchant_id: str, now: int) -> bool:
        """Return whether a new buy of a merchant may have the amount at a time (Unix seconds)."""
        if self.open_orders:
            return False
        return self.free_at <= now or self.reserved_for == merchant_id

    def after(self, order: Order, now: int, *, is_reserved: bool = True) -> "AmountRecord":
        """Return the record after a move of an order, at a time (Unix seconds).

        `is_reserved`: an order that ended unpaid reserves the amount.
        """
        open_orders = self.open_orders - {order.order_no}
        reserved = tuple(
            each for each in self.reserved if each.until > now and each.order_no != order.order_no
        )
        if order.status.is_open:
            open_orders |= {order.order_no}
        seconds = _RESERVED_SECONDS[order.status]
        if seconds and is_reserved:
            reserved += (Reserved(order.order_no, order.merchant_id, now + seconds),)
        reserved = tuple(sorted(reserved, key=lambda each: each.until)[-RESERVED_MAX:])
        return replace(self, open_orders=open_orders, reserved=reserved, version=self.version + 1)


NO_RECORD = AmountRecord()
_RESERVED_SECONDS = ByStatus(
    pending=0,
    paid=0,
    matching=0,
    assigned=0,
    completed=0,
    cancelled=CANCELLED_SECONDS,
    expired=EXPIRED_SECONDS,
    disputed=0,
)
"""For how long a buy reserves its amount after it got a status."""


def amounts_to_look_up(
    asked: Sequence[AccountAmount],
    near: Sequence[Sequence[AccountAmount]],
    below: Callable[[int], int],
) -> list[AccountAmount]:
    """Return the amounts that one read looks up: the asked one at traders, then near ones.

    If a group of near ones has more amounts than fit, they are drawn at random, so that nobody can
    predict and occupy them. `below(n)` returns a random int in [0, n).
    """
    found = list(asked[: _OTHERS_MAX if near else LOOKS_MAX])
    for group in near:
        left = list(group)
        while len(left) > LOOKS_MAX - len(found):
            left[below(len(left))] = left[-1]
            left.pop()
        found += left
    return found


def near_amounts(asked: Sequence[AccountAmount], offsets: Iterable[int]) -> list[AccountAmount]:
    """Return the amounts at these distances (fen) from the asked one, at the first traders."""
    return [
        replace(amount, cny_fen=amount.cny_fen + offset)
        for offset in offsets
        for amount in asked[:_NEAR_TRADERS]
        if amount.cny_fen + offset > 0
    ]


def lowering_offsets(max_discount_fen: int) -> list[int]:
    """Return by how much a buy's amount may be changed, in fen; the smallest change first."""
    return [-fen for fen in range(1, max_discount_fen + 1)]


def nearby_offsets(max_discount_fen: int) -> list[int]:
    """Return the distances (fen) of further amounts that a refusal may name, nearest first."""
    both = (sign * fen for fen in range(1, NEARBY_FEN + 1) for sign in (-1, 1))
    return [offset for offset in both if offset > 0 or -offset > max_discount_fen]


def nearest(asked_fen: int, free_fen: Iterable[int]) -> tuple[int, ...]:
    """Return the free amounts nearest to the asked one, in fen, ascending; at most four."""
    by_distance = sorted(set(free_fen), key=lambda fen: (abs(fen - asked_fen), fen))
    return tuple(sorted(by_distance[:NEARBY_MAX]))
