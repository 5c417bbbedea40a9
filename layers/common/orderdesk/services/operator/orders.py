"""Operators look up orders: by any of their numbers, or the newest of many."""

import heapq
from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from dataclasses import dataclass
from itertools import chain

from orderdesk.domain.ids import (
    EPOCH_MS,
    RANDOM_BITS,
    id_range,
    is_order_no,
    is_pending_no,
    numbered,
)
from orderdesk.domain.modes import Mode
from orderdesk.domain.operators import UnknownId
from orderdesk.domain.orders.desk_lists import DeskList
from orderdesk.domain.orders.drafts import Draft
from orderdesk.domain.orders.order import BUY_LETTER, SELL_LETTER, Order, OrderStatus
from orderdesk.domain.pricing import OrderType
from orderdesk.services.operator.ports import MerchantRegister, OrderListing, TraderRegister
from orderdesk.services.ports import Orders

READS_MAX = 5000  # orders read for one page of a search
_READERS = 8  # a client keeps this many connections
_ID_DIGITS_MAX = 16  # 2^53
_MERCHANT_NUMBER_LENGTH_MAX = 255


def find_order(orders: Orders, number: str) -> Order | Draft:
    """Find an order by order_no or order_id, or a draft by pending_no.

    Raises: UnknownId, TryAgain.
    """
    found: Order | Draft | None = None
    if is_pending_no(number):
        found = orders.draft(number)
    elif is_order_no(number):
        found = orders.order(number)
    elif len(number) <= _ID_DIGITS_MAX and number.isascii() and number.isdigit():
        found = _by_id(orders, int(number))
    if found is None:
        raise UnknownId("order", number)
    return found


@dataclass(frozen=True, slots=True)
class OrderSearch:
    """Which orders; None does not filter. Times in Unix seconds, both inclusive; amounts in fen.

    With `before_id` only orders with a smaller order_id.
    """

    merchant_id: str | None = None
    trader_id: str | None = None
    status: OrderStatus | None = None
    order_type: OrderType | None = None
    mode: Mode | None = None
    since: int | None = None
    until: int | None = None
    min_cny_fen: int | None = None
    max_cny_fen: int | None = None
    before_id: int | None = None

    def passes(self, order: Order, now: int) -> bool:
        """Return whether an order matches as of `now` (Unix seconds); the times select by id."""
        fen = order.quote.cny_fen
        return (
            (self.merchant_id is None or order.merchant_id == self.merchant_id)
            and (self.trader_id is None or order.trader_id == self.trader_id)
            and (self.status is None or order.status_at(now) is self.status)
            and (self.order_type is None or order.order_type is self.order_type)
            and (self.mode is None or order.mode is self.mode)
            and (self.min_cny_fen is None or fen >= self.min_cny_fen)
            and (self.max_cny_fen is None or fen <= self.max_cny_fen)
        )


def newest_orders(
    listing: OrderListing, merchants: MerchantRegister, wanted: OrderSearch, now: int
) -> Iterator[Order]:
    """Yield the orders that match, newest first, and read only as far as the caller iterates.

    No index covers the orders of all merchants: those of each are merged, a page of each at a time.
    Raises: TryAgain.
    """
    merged = _newest(listing, merchants, wanted)
    return (order for order in merged if wanted.passes(order, now))


@dataclass(frozen=True, slots=True)
class OrderPage:
    """A page of a search; the next one begins below `before_id`, None if nothing is left."""

    orders: tuple[Order, ...]
    before_id: int | None


def order_page(
    listing: OrderListing,
    merchants: MerchantRegister,
    wanted: OrderSearch,
    now: int,
    *,
    size: int,
) -> OrderPage:
    """Return the newest orders that match, at most `size`.

    A page may have fewer, or none, although more orders follow: it ends after READS_MAX orders.
    Raises: TryAgain.
    """
    found: list[Order] = []
    for looked_at, order in enumerate(_newest(listing, merchants, wanted), 1):
        if wanted.passes(order, now):
            found.append(order)
        if len(found) == size or looked_at == READS_MAX:
            return OrderPage(tuple(found), order.order_id)
    return OrderPage(tuple(found), None)


def disputed_orders(listing: OrderListing, traders: TraderRegister) -> list[Order]:
    """Return all disputed orders, the longest disputed first.

    Every disputed order has a trader, and is on the list of its desk that waits for operators.
    Raises: TryAgain.
    """
    first_id, last_id = id_range(None, None)
    ids = [trader.trader_id for trader in traders.traders()]
    sources = [listing.of_trader(each, DeskList.STAFF, first_id, last_id) for each in ids]
    with ThreadPoolExecutor(max_workers=_READERS) as pool:
        found: list[list[Order]] = list(pool.map(list, sources))
    return sorted(chain.from_iterable(found), key=lambda order: (order.since, order.order_id))


def _newest(
    listing: OrderListing, merchants: MerchantRegister, wanted: OrderSearch
) -> Iterator[Order]:
    """Yield the orders that a search reads, newest first."""
    first_id, last_id = id_range(wanted.since, wanted.until)
    if wanted.before_id is not None:
        last_id = min(last_id, wanted.before_id - 1)
    if wanted.trader_id is not None:
        sources = [
            listing.of_trader(wanted.trader_id, on_desk, first_id, last_id) for on_desk in DeskList
        ]
    elif wanted.merchant_id is not None:
        sources = [listing.of_merchant(wanted.merchant_id, first_id, last_id)]
    else:
        ids = [merchant.merchant_id for merchant in merchants.merchants()]
        sources = [listing.of_merchant(merchant_id, first_id, last_id) for merchant_id in ids]
    return heapq.merge(*_begun(sources), key=lambda order: order.order_id, reverse=True)


def _begun(sources: Sequence[Iterator[Order]]) -> list[Iterator[Order]]:
    """Read the first page of each source, a few concurrently; leave out sources without orders."""
    with ThreadPoolExecutor(max_workers=_READERS) as pool:
        firsts = list(pool.map(lambda source: next(source, None), sources))
    return [
        chain((first,), source)
        for first, source in zip(firsts, sources, strict=True)
        if first is not None
    ]


def orders_of_text(
    orders: Orders, listing: OrderListing, merchants: MerchantRegister, text: str
) -> list[Order | Draft]:
    """Find orders by order_no, order_id, pending_no or any merchant's merchant_order_no.

    Merchants choose their numbers, so several may use the same one. An ended draft has lost its
    merchant_order_no (contract section 4). Raises: UnknownId, TryAgain.
    """
    found: dict[str, Order | Draft] = {}
    with suppress(UnknownId):
        one = find_order(orders, text)
        found[number_of(one)] = one
    if 0 < len(text) <= _MERCHANT_NUMBER_LENGTH_MAX:
        ids = [merchant.merchant_id for merchant in merchants.merchants()]
        for taken in listing.reservations(ids, text):
            number = taken.order_no or taken.pending_no
            assert number is not None
            one = find_order(orders, number)
            found[number] = one
    if not found:
        raise UnknownId("order", text)
    return list(found.values())


def number_of(found: Order | Draft) -> str:
    """Return the order_no or the pending_no."""
    return found.order_no if isinstance(found, Order) else found.pending_no


def _by_id(orders: Orders, order_id: int) -> Order | None:
    """Try both numbers that an id can have; the id contains its own date."""
    created_at = ((order_id >> RANDOM_BITS) + EPOCH_MS) // 1000
    for letter in (BUY_LETTER, SELL_LETTER):
        order = orders.order(numbered(letter, order_id, created_at))
        if order is not None:
            return order
    return None
