"""Operators list orders, newest first, and look one up by a number of its own.

A page costs at most REQUESTS_MAX requests, whatever the age of the stack and however rarely the
filters match: it ends early, and the next page continues where it stopped.

The files of payers and traders are for operators who settle a dispute (contract section 9).
"""

from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, replace
from typing import Protocol

from orderdesk.domain.ids import (
    EPOCH_MS,
    ID_DIGITS,
    RANDOM_BITS,
    id_of,
    id_range,
    is_order_no,
    is_pending_no,
    numbered,
)
from orderdesk.domain.operators import UnknownId
from orderdesk.domain.orders.drafts import Draft
from orderdesk.domain.orders.notes import Note
from orderdesk.domain.orders.open_orders import UnpaidBuys
from orderdesk.domain.orders.order import BUY_LETTER, SELL_LETTER, Order, OrderStatus, Receipt
from orderdesk.domain.pricing import ByType, Mode, OrderType
from orderdesk.domain.receipts.files import ReceiptType
from orderdesk.domain.receipts.places import PICTURE_TYPE, original_key, page_key
from orderdesk.domain.traders.trader import Trader
from orderdesk.services.ports import Orders, Slice
from orderdesk.services.traders.stops import OpenOrders

PAGE_MAX = 100  # one BatchGetItem
ENDING_DIGITS_MIN = 4
REQUESTS_MAX = 20
_QUERIES_MAX = 18  # leaves one request for the orders, and one to spare
LIST_QUERIES = 6  # one of each partition of a merchant's orders
_RECENT_SECONDS = 86_400
_READERS = 8  # a client keeps this many connections
# One of eight partitions rarely has more than 30 of the newest 100 orders.
_FIRST_ENTRIES = 30
# About 600 KB, so that an answer arrives before the client's timeout on a busy machine.
_MOST_ENTRIES = 2_000


@dataclass(frozen=True, slots=True)
class OperatorSearch:
    """Which orders; None does not filter. Times in Unix seconds, both inclusive; amounts in fen.

    With `before_id` only orders with a smaller order_id. `remark` is a part of the remark, as
    written, in lower or upper case, or capitalized.
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
    remark: str | None = None
    before_id: int | None = None

    @property
    def remarks(self) -> tuple[str, ...]:
        """The spellings of `remark` that match."""
        text = self.remark or ""
        spellings = (text, text.lower(), text.upper(), text.capitalize())
        return tuple(dict.fromkeys(spellings)) if text else ()

    @property
    def entries(self) -> int:
        """How many entries of each partition to read first.

        Nearly every order matches without a filter, nearly none matches an amount or a remark.
        """
        is_amount = self.min_cny_fen is not None and self.min_cny_fen == self.max_cny_fen
        if is_amount or self.remark:
            return _MOST_ENTRIES
        is_filtered = replace(self, since=None, until=None, before_id=None) != OperatorSearch()
        return PAGE_MAX if is_filtered else _FIRST_ENTRIES

    def span(self) -> tuple[int, int]:
        """Return the first and the last order_id that may match."""
        first_id, last_id = id_range(self.since, self.until)
        return first_id, last_id if self.before_id is None else min(last_id, self.before_id - 1)

    def passes(self, order: Order, now: int) -> bool:
        """Return whether an order matches as of `now` (Unix seconds); `span` compares the times."""
        fen, remark = order.quote.cny_fen, order.given.remark or ""
        return (
            (self.merchant_id is None or order.merchant_id == self.merchant_id)
            and (self.trader_id is None or order.trader_id == self.trader_id)
            and (self.status is None or order.status_at(now) is self.status)
            and (self.order_type is None or order.order_type is self.order_type)
            and (self.mode is None or order.mode is self.mode)
            and (self.min_cny_fen is None or fen >= self.min_cny_fen)
            and (self.max_cny_fen is None or fen <= self.max_cny_fen)
            and (not self.remarks or any(text in remark for text in self.remarks))
        )


@dataclass(frozen=True, slots=True)
class Partition:
    """A part of an index of orders that is sorted by order_id: the index's name, and the key."""

    index: str
    key: str


class OrderListing(Protocol):
    """Reads indexes of orders; entries may lag a little behind the orders. Raises: TryAgain."""

    def partitions(self, wanted: OperatorSearch) -> Sequence[Partition]:
        """Return the partitions that have every order of a search, as few as possible."""

    def stretch(
        self,
        partition: Partition,
        wanted: OperatorSearch,
        span: tuple[int, int],
        now: int,
        entries: int,
    ) -> Slice[str, int]:
        """Read a partition from the newest id of a span on; at most so many entries.

        Return the order_nos that match, and the id down to which every entry was read; None if the
        partition has no more.
        """

    def queued(self, status: OrderStatus, mode: Mode | None) -> Sequence[str] | None:
        """Return the order_nos of all orders in a status, the longest waiting first.

        Return None if no queue has the orders of this status.
        """

    def subjects(self, numbers: Sequence[str]) -> Sequence[Order | Draft]:
        """Return at most PAGE_MAX orders and drafts in the order of the numbers, in one request.

        They are read consistently. Numbers of none are left out.
        """

    def claimed(self) -> Sequence[str]:
        """Return the order_nos of ended sells with a late proof that nobody has decided.

        Of each mode, the oldest comes first.
        """


class OrderIndexes(OrderListing, Protocol):
    """Also finds order_nos and pending_nos, newest first, at most PAGE_MAX. Raises: TryAgain."""

    def of_merchants_number(self, text: str) -> Sequence[str]:
        """Return those with this merchant_order_no in any case, of all merchants."""

    def ending_with(self, digits: str) -> Sequence[str]:
        """Return those that end with at least ENDING_DIGITS_MIN digits."""


def order_page(
    listing: OrderListing,
    wanted: OperatorSearch,
    now: int,
    *,
    size: int,
    queries: int = _QUERIES_MAX,
) -> Slice[Order, int]:
    """Return the newest orders that match, at most `size`, which is PAGE_MAX or less.

    A page may have fewer, or none, although more follow. At most `queries` queries and one read of
    the orders are sent. Raises: TryAgain.
    """
    assert size <= PAGE_MAX
    found, before_id = _queue_page(listing, wanted, size) or _Search(
        listing, wanted, now, size
    ).page(queries)
    read = (order for order in listing.subjects(found) if isinstance(order, Order))
    return Slice(tuple(order for order in read if wanted.passes(order, now)), before_id)


def unpaid_buys(listing: OrderListing, merchant_id: str, mode: Mode, now: int) -> UnpaidBuys:
    """Count a merchant's buys of the last 24 hours, the newest PAGE_MAX. Raises: TryAgain."""
    wanted = OperatorSearch(
        merchant_id=merchant_id, order_type=OrderType.BUY, mode=mode, since=now - _RECENT_SECONDS
    )
    page = order_page(listing, wanted, now, size=PAGE_MAX, queries=LIST_QUERIES)
    return UnpaidBuys.of(order.status_at(now) for order in page.items)


STOPPED_MAX = 50


def claimed_orders(listing: OrderListing) -> list[Order]:
    """Return ended sells with an undecided late proof, at most PAGE_MAX. Raises: TryAgain."""
    read = listing.subjects(listing.claimed()[:PAGE_MAX])
    return [each for each in read if isinstance(each, Order) and each.open_claims]


def stopped_orders(index: OpenOrders, trader: Trader) -> list[Order]:
    """Return a trader's open orders that it cannot end, the disputed ones first, at most 50.

    They are the buys of its stopped accounts, and all of a suspended trader. Raises: TryAgain.
    """
    opened = index.open_orders(trader.trader_id)
    found = [
        each for each in opened if trader.suspended or each.pay_page.payee_stopped_at is not None
    ]
    found.sort(key=lambda order: (order.status is not OrderStatus.DISPUTED, order.order_id))
    return found[:STOPPED_MAX]


def _queue_page(
    listing: OrderListing, wanted: OperatorSearch, size: int
) -> tuple[Sequence[str], int | None] | None:
    """Return a page of a status that few orders have at a time; None if it has no queue."""
    if wanted.status is None or wanted.merchant_id is not None or wanted.trader_id is not None:
        return None
    queued = listing.queued(wanted.status, wanted.mode)
    if queued is None:
        return None
    first_id, last_id = wanted.span()
    within = sorted((n for n in queued if first_id <= id_of(n) <= last_id), key=id_of, reverse=True)
    return within[:size], id_of(within[size - 1]) if len(within) > size else None


class _Search:
    """One page: the partitions are merged, each as far as it was read.

    Everything from `_frontier` on was read in all of them, so the result is complete there.
    """

    def __init__(self, listing: OrderListing, wanted: OperatorSearch, now: int, size: int) -> None:
        self._listing, self._wanted, self._now, self._size = listing, wanted, now, size
        self._first_id, last_id = wanted.span()
        self._down_to = dict.fromkeys(listing.partitions(wanted), last_id + 1)
        self._found: dict[Partition, list[str]] = {part: [] for part in self._down_to}

    def page(self, queries: int) -> tuple[Sequence[str], int | None]:
        """Return the order_nos of the page, and where the next one begins."""
        with ThreadPoolExecutor(max_workers=_READERS) as pool:
            entries = self._wanted.entries
            while (behind := self._behind()[:queries]) and len(self._complete()) < self._size:
                queries -= len(behind)
                some = entries

                def read(partition: Partition, some: int = some) -> Slice[str, int]:
                    span = (self._first_id, self._down_to[partition] - 1)
                    return self._listing.stretch(partition, self._wanted, span, self._now, some)

                for partition, stretch in zip(behind, pool.map(read, behind), strict=True):
                    self._found[partition].extend(stretch.items)
                    self._down_to[partition] = stretch.following or self._first_id
                entries = PAGE_MAX if entries == _FIRST_ENTRIES else _MOST_ENTRIES
        complete = self._complete()
        if len(complete) >= self._size:
            return complete[: self._size], id_of(complete[self._size - 1])
        return complete, self._frontier if self._frontier > self._first_id else None

    @property
    def _frontier(self) -> int:
        return max(self._down_to.values(), default=self._first_id)

    def _behind(self) -> list[Partition]:
        """Return the partitions to read next: those without an entry below the frontier in hand."""
        frontier = self._frontier
        unread = [part for part, down_to in self._down_to.items() if down_to > self._first_id]
        lowest = {part: id_of(found[-1]) for part, found in self._found.items() if found}
        behind = [part for part in unread if lowest.get(part, frontier) >= frontier]
        return sorted(behind, key=lambda part: self._down_to[part], reverse=True)

    def _complete(self) -> list[str]:
        """Return what was found from the frontier on, newest first.

        An order that moves between two partitions meanwhile may be in both.
        """
        known = {n for found in self._found.values() for n in found if id_of(n) >= self._frontier}
        return sorted(known, key=id_of, reverse=True)


def find_order(orders: Orders, number: str) -> Order | Draft:
    """Find an order by order_no or order_id, or a draft by pending_no.

    Raises: UnknownId, TryAgain.
    """
    found: Order | Draft | None = None
    if is_pending_no(number):
        found = orders.draft(number)
    elif is_order_no(number):
        found = orders.order(number)
    else:
        numbers = numbers_of_id(number)
        found = next(filter(None, map(orders.order, numbers)), None)
    if found is None:
        raise UnknownId("order", number)
    return found


def number_of(found: Order | Draft) -> str:
    """Return the order_no or the pending_no."""
    return found.order_no if isinstance(found, Order) else found.pending_no


def numbers_of_id(text: str) -> Sequence[str]:
    """Return both numbers that an order_id can have; none if a text is no order_id.

    The id contains its own date.
    """
    if not (len(text) <= ID_DIGITS and text.isascii() and text.isdigit()):
        return ()
    order_id = int(text)
    created_at = ((order_id >> RANDOM_BITS) + EPOCH_MS) // 1000
    return [numbered(letter, order_id, created_at) for letter in (BUY_LETTER, SELL_LETTER)]


_KINDS = ByType(buy="receipt", sell="proof")


class EvidenceFiles(Protocol):
    """Signs short-lived links to stored files."""

    def link(self, key: str, name: str) -> str:
        """Return a link that downloads a file under this name; a browser never displays it."""


@dataclass(frozen=True, slots=True)
class EvidenceFile:
    """A file and the name for downloading or saving it."""

    key: str
    name: str


@dataclass(frozen=True, slots=True)
class Evidence:
    """A receipt, a proof, or a picture of a dispute: the upload, and the pictures drawn from it.

    `trader_id` is whose proof of a sell it is.
    """

    kind: str
    receipt: Receipt
    original: EvidenceFile
    pictures: tuple[EvidenceFile, ...]
    trader_id: str | None = None


def evidence_of(order: Order, notes: Sequence[Note]) -> Iterator[Evidence]:
    """List an order's receipts or proofs, late proofs, and the pictures of its dispute.

    The names of the files are ours, not the uploader's.
    """
    kind = _KINDS[order.order_type]
    prover = order.trader_id if order.order_type is OrderType.SELL else None
    kept = [(kind, receipt, prover) for receipt in order.receipts]
    kept += [("late-proof", late.receipt, late.trader_id) for late in order.late.late_proofs]
    kept += [(f"{note.by.value}-picture", note.picture, None) for note in notes if note.picture]
    for number, (kind, receipt, trader_id) in enumerate(kept, 1):
        stem = f"{order.order_no}-{kind}-{number}"
        original = f"{stem}{_suffix(receipt.content_type)}"
        yield Evidence(
            kind,
            receipt,
            EvidenceFile(original_key(receipt.key), original),
            tuple(
                EvidenceFile(
                    page_key(receipt.key, page), f"{stem}-page-{page}{_suffix(PICTURE_TYPE)}"
                )
                for page in range(1, receipt.pages + 1)
            ),
            trader_id,
        )


def _suffix(content_type: str) -> str:
    match ReceiptType(content_type):
        case ReceiptType.PNG:
            return ".png"
        case ReceiptType.JPEG:
            return ".jpg"
        case ReceiptType.WEBP:
            return ".webp"
        case ReceiptType.PDF:
            return ".pdf"
