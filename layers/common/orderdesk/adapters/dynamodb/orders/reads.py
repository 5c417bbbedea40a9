"""Reads of orders, drafts and reservations: consistent by key, eventually consistent by index.

The notes of a dispute are an item of their own, because every index and listing copies the order's
item. The transaction that adds a note also writes the order under its version, so the order's
`notes` is the number of notes.
"""

import heapq
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from itertools import chain, islice
from typing import TYPE_CHECKING, Any, Unpack, cast

from orderdesk.adapters.dynamodb.client import Bound, DynamoDB, Query, QueryParts, TableStore
from orderdesk.adapters.dynamodb.keys import DUE_SHARDS, LIST_SHARDS, Index, Key, TableNames
from orderdesk.adapters.dynamodb.marshal import Item, Stored, from_item, readable
from orderdesk.adapters.dynamodb.orders.items import draft_of, listed_order_of, order_of
from orderdesk.adapters.dynamodb.transactions import Write, never
from orderdesk.domain.orders.desk_lists import OPEN_LISTS, DeskList
from orderdesk.domain.orders.drafts import Draft, Reservation
from orderdesk.domain.orders.notes import Note
from orderdesk.domain.orders.open_orders import WaitingSell
from orderdesk.domain.orders.order import Order
from orderdesk.domain.pricing import Mode

if TYPE_CHECKING:
    from orderdesk.domain.orders.open_orders import NeedsRoom, OpenShare

_NOTE = Stored(Note, usual="text")
reservation_of = Stored(Reservation).of


class OrderStore(TableStore):
    """Reads by key; one consistent GetItem each."""

    def order(self, order_no: str) -> Order | None:
        return self._read(order_no, order_of)

    def draft(self, pending_no: str) -> Draft | None:
        return self._read(pending_no, draft_of)

    def reservation(self, merchant_id: str, merchant_order_no: str) -> Reservation | None:
        return self._read(Key.number(merchant_id, merchant_order_no), reservation_of)

    def orders(self, order_nos: Sequence[str]) -> Mapping[str, Order]:
        """Return at most 100 orders by number, read consistently. Raises: TryAgain."""
        items = self._get_items(self._table, [{"pk": number} for number in order_nos])
        return {order.order_no: order for order in map(order_of, filter(None, items))}

    def notes(self, order_no: str) -> tuple[Note, ...]:
        return self._read(Key.notes(order_no), notes_of) or ()

    def _read[T](self, key: str, parse: Callable[[Item], T]) -> T | None:
        return self._find(self._table, {"pk": key}, parse)


class OrderWrites(OrderStore):
    """Base of the stores that write orders, drafts and what belongs to them."""

    def __init__(self, client: DynamoDB, tables: TableNames) -> None:
        super().__init__(client, tables.orders)
        self._tables = tables

    def share_room_out(self, wanted: "NeedsRoom", token: str) -> "Sequence[OpenShare]":
        # An order needs it only near its merchant's limits, so a cold start does not load it.
        from orderdesk.adapters.dynamodb.orders.share_out import share_room_out  # noqa: PLC0415

        return share_room_out(self._client, self._tables, wanted, token)


PAGE_LIMIT = 100
# listOrders returns at most 100 orders; one shard rarely has more than 30 of them.
_FIRST_LIMIT = 30

type RunAll = Callable[
    [Callable[[Iterator[Order]], Iterator[Order]], Sequence[Iterator[Order]]],
    Iterable[Iterator[Order]],
]


class MerchantOrderIndex(TableStore):
    """Merge the shards of a merchant's orders; `run_all` may read their first pages concurrently.

    An order is in one shard, sorted by its order_id. So the merge is sorted like one index, and the
    page after an order_id begins below it.
    """

    def __init__(self, client: DynamoDB, table: str, run_all: RunAll = map) -> None:
        super().__init__(client, table)
        self._run_all = run_all

    def between(self, merchant_id: str, first_id: int, last_id: int) -> Iterator[Order]:
        if first_id > last_id:
            return
        keys = (Key.merchants_orders(merchant_id, shard) for shard in range(LIST_SHARDS))
        shards = [self._shard(key, first_id, last_id) for key in keys]
        # The first pages are read now and at once, the rest on demand.
        begun = self._run_all(lambda orders: chain([*islice(orders, 1)], orders), shards)
        yield from heapq.merge(*begun, key=lambda order: order.order_id, reverse=True)

    def _shard(self, key: str, first_id: int, last_id: int) -> Iterator[Order]:
        span = ("BETWEEN", first_id, last_id)
        more: QueryParts = {"newest_first": True, "limit": PAGE_LIMIT}
        asked = self._query(self._table, Index.BY_MERCHANT, key, span, **more)
        for page in asked.pages(first_limit=_FIRST_LIMIT):
            yield from readable(listed_order_of, page)


# A page of the index has about 1,000 orders.
_AMOUNT_PAGES = 3


class DeskOrderIndex(TableStore):
    def waiting(
        self, trader_id: str, on_desk: DeskList, after_id: int, limit: int
    ) -> Sequence[Order]:
        asked = self._list(Key.desk(trader_id, on_desk), (">", after_id), limit=limit)
        return list(readable(listed_order_of, asked.page()))

    def done(self, trader_id: str, first_id: int, last_id: int, limit: int) -> Sequence[Order]:
        key, span = Key.desk(trader_id, DeskList.DONE), ("BETWEEN", first_id, last_id)
        asked = self._list(key, span, newest_first=True, limit=limit)
        return list(readable(listed_order_of, asked.page()))

    def returned(self, trader_id: str, limit: int) -> Sequence[str]:
        asked = self._list(Key.returned_on_desk(trader_id), newest_first=True, limit=limit)
        items = asked.page()
        return [str(from_item(item)["pk"]).partition("#")[0] for item in items]

    def open_orders(self, trader_id: str) -> Sequence[Order]:
        found: list[Order] = []
        for on_desk in OPEN_LISTS:
            items = self._list(Key.desk(trader_id, on_desk)).items()
            found += readable(listed_order_of, items)
        return found

    def of_amount(self, trader_id: str, cny_fen: int, first_id: int) -> Sequence[Order]:
        found: list[Order] = []
        for on_desk in DeskList:
            from_id = (">=", first_id if on_desk is DeskList.DONE else None)
            asked = self._list(
                *(Key.desk(trader_id, on_desk), from_id),
                filtered="cny_fen = :fen",
                values={":fen": cny_fen},
                newest_first=True,
            )
            pages = asked.pages()
            read = chain.from_iterable(islice(pages, _AMOUNT_PAGES))
            found += readable(listed_order_of, read)
        return found

    def _list(self, key: str, bound: Bound = ("",), **more: Unpack[QueryParts]) -> Query:
        """Return a query of a list of the desk's index."""
        return self._query(self._table, Index.DESK, key, bound, **more)


# An idle minute costs 16 empty queries. A page of 250 entries has about 40 KB.
_WAITING_LIMIT = 250


class WaitingSellIndex(TableStore):
    def waiting(self, mode: Mode, until: int) -> Iterator[WaitingSell]:
        shards = (self._shard(mode, shard, until) for shard in range(DUE_SHARDS))
        for _, order_no, merchant_id in heapq.merge(*shards):
            yield WaitingSell(order_no, merchant_id)

    def _shard(self, mode: Mode, shard: int, until: int) -> Iterator[tuple[int, str, str]]:
        key, due = Key.matching(mode, shard), ("<=", until)
        asked = self._query(self._table, Index.DUE, key, due, limit=_WAITING_LIMIT)
        for item in asked.items():
            row: Any = from_item(item)
            yield row["due_time"], row["pk"], row["merchant_id"]


def note_write(table: str, order_no: str, note: Note) -> Write:
    """Append a note."""
    return Write.update(
        table,
        {"pk": Key.notes(order_no)},
        "SET kind = :kind, said = list_append(if_not_exists(said, :none), :new)",
        "",
        never("a note has no condition"),
        values={":kind": "notes", ":none": [], ":new": [_NOTE.item(note)]},
    )


def notes_of(item: Item) -> tuple[Note, ...]:
    """Return the notes of an item, oldest first."""
    return tuple(map(_NOTE.of, cast("list[Mapping[str, Any]]", item["said"])))
