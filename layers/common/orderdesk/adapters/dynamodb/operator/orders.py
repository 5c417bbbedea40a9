"""Lists of orders, drafts and deliveries for operators, and what they redeliver."""

import heapq
from collections.abc import Collection, Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from itertools import chain
from typing import Any, cast

from orderdesk.adapters.dynamodb.audit import commit_audited
from orderdesk.adapters.dynamodb.callback_endpoints import EndpointStore
from orderdesk.adapters.dynamodb.callbacks import KEY, CallbackStore, delivery_item, delivery_of
from orderdesk.adapters.dynamodb.client import DynamoDB, Query, QueryParts, TableStore
from orderdesk.adapters.dynamodb.keys import (
    ALL_SHARDS,
    DUE_SHARDS,
    LIST_SHARDS,
    TROUBLE_SHARDS,
    Index,
    IndexKeys,
    Key,
    TableNames,
)
from orderdesk.adapters.dynamodb.marshal import UNREADABLE, Item, Value, from_item, readable
from orderdesk.adapters.dynamodb.operator.typed import strictly
from orderdesk.adapters.dynamodb.orders.items import draft_of, listed_order_of
from orderdesk.adapters.dynamodb.orders.reads import notes_of
from orderdesk.adapters.dynamodb.overview import MerchantOverview
from orderdesk.adapters.dynamodb.transactions import Write
from orderdesk.domain.audit import AuditEntry
from orderdesk.domain.callbacks.delivery import Delivery, Trouble
from orderdesk.domain.callbacks.endpoints import Endpoint
from orderdesk.domain.ids import id_of
from orderdesk.domain.orders.desk_lists import DeskList
from orderdesk.domain.orders.drafts import Draft
from orderdesk.domain.orders.notes import Note
from orderdesk.domain.orders.order import Order, OrderStatus
from orderdesk.domain.pricing import Mode
from orderdesk.services.operator.orders import PAGE_MAX, OperatorSearch, Partition
from orderdesk.services.operator.ports import Record
from orderdesk.services.ports import Slice

_INDEXES = {each.name: each for each in (Index.ALL_ORDERS, Index.BY_MERCHANT, Index.DESK)}
_ORDER_NO = "pk"


class OperatorOrders(TableStore):
    def partitions(self, wanted: OperatorSearch) -> Sequence[Partition]:
        if wanted.trader_id is not None:
            keys = [Key.desk(wanted.trader_id, on_desk) for on_desk in DeskList]
            return [Partition(Index.DESK.name, key) for key in keys]
        if wanted.merchant_id is not None:
            keys = [Key.merchants_orders(wanted.merchant_id, shard) for shard in range(LIST_SHARDS)]
            return [Partition(Index.BY_MERCHANT.name, key) for key in keys]
        keys = [Key.all_orders(shard) for shard in range(ALL_SHARDS)]
        return [Partition(Index.ALL_ORDERS.name, key) for key in keys]

    def stretch(
        self,
        partition: Partition,
        wanted: OperatorSearch,
        span: tuple[int, int],
        now: int,
        entries: int,
    ) -> Slice[str, int]:
        first_id, last_id = span
        if first_id > last_id:
            return Slice((), None)
        conditions, values = _filter(wanted, now)
        asked = self._query(
            *(self._table, _INDEXES[partition.index], partition.key),
            ("BETWEEN", first_id, last_id),
            filtered=" AND ".join(conditions),
            values=values,
            projected=_ORDER_NO,
            newest_first=True,
            limit=entries,
        )
        answer = asked.answer()
        order_nos = [str(from_item(item)[_ORDER_NO]) for item in answer["Items"]]
        last = answer.get("LastEvaluatedKey")
        return Slice(order_nos, None if last is None else id_of(last[_ORDER_NO]["S"]))

    def queued(self, status: OrderStatus, mode: Mode | None) -> Sequence[str] | None:
        modes = Mode if mode is None else (mode,)
        match status:
            case OrderStatus.DISPUTED:
                keys = [Key.disputed(each) for each in modes]
            case OrderStatus.MATCHING:
                keys = [Key.matching(each, shard) for each in modes for shard in range(DUE_SHARDS)]
            case (
                OrderStatus.PENDING
                | OrderStatus.PAID
                | OrderStatus.ASSIGNED
                | OrderStatus.COMPLETED
                | OrderStatus.CANCELLED
                | OrderStatus.EXPIRED
            ):
                return None
        with ThreadPoolExecutor(max_workers=DUE_SHARDS) as pool:
            waiting = sorted(chain.from_iterable(pool.map(self._queue, keys)))
        return [order_no for _, order_no in waiting]

    def claimed(self) -> Sequence[str]:
        return [order_no for mode in Mode for _, order_no in self._queue(Key.claims(mode))]

    def _queue(self, key: str) -> list[tuple[int, str]]:
        asked = self._query(self._table, Index.DUE, key, projected="pk, due_time")
        rows: list[Any] = [from_item(item) for item in asked.items()]
        return [(row["due_time"], row[_ORDER_NO]) for row in rows]

    def subjects(self, numbers: Sequence[str]) -> Sequence[Order | Draft]:
        items = self._get_items(self._table, [{"pk": number} for number in numbers])
        return [subject for item in items if item for subject in _subjects_of(item)]

    def of_merchants_number(self, text: str) -> Sequence[str]:
        return self._reserved(Index.BY_MERCHANT, Key.numbers(text), "")

    def ending_with(self, digits: str) -> Sequence[str]:
        found = self._reserved(Index.DESK, Key.endings(digits), digits)
        return [number for number in found if number.endswith(digits)]

    def _reserved(self, index: IndexKeys, key: str, part: str) -> Sequence[str]:
        """Return the numbers of a partition of reservations, with one request."""
        has_part = "contains(order_no, :part) OR contains(pending_no, :part)"
        asked = self._query(
            *(self._table, index, key),
            filtered=has_part if part else "",
            values={":part": part or None},
            projected="order_no, pending_no",
            newest_first=True,
        )
        rows = asked.rows()
        numbers = (row.get("order_no") or row.get("pending_no") for row in rows)
        return [number for number in numbers if isinstance(number, str)][:PAGE_MAX]


def _subjects_of(item: Item) -> Sequence[Order | Draft]:
    """Return the order or draft of an item; nothing if it is malformed."""
    try:
        return [listed_order_of(item) if item["kind"] == "order" else draft_of(item)]
    except UNREADABLE:
        return ()


def _filter(wanted: OperatorSearch, now: int) -> tuple[list[str], dict[str, Value]]:
    """Return the conditions with which DynamoDB omits entries that do not match, and values."""
    equal: Mapping[str, Value] = {
        "merchant_id": wanted.merchant_id,
        "trader_id": wanted.trader_id,
        "order_type": None if wanted.order_type is None else wanted.order_type.value,
        "#mode": None if wanted.mode is None else wanted.mode.value,
    }
    conditions, values = [], dict[str, Value]()
    for number, (name, value) in enumerate(equal.items()):
        if value is not None:
            values[f":equal{number}"] = value
            conditions.append(f"{name} = :equal{number}")
    for bound, sign, fen in (
        (":least", ">=", wanted.min_cny_fen),
        (":most", "<=", wanted.max_cny_fen),
    ):
        if fen is not None:
            values[bound] = fen
            conditions.append(f"cny_fen {sign} {bound}")
    if wanted.remarks:
        parts = {f":remark{number}": text for number, text in enumerate(wanted.remarks)}
        values |= parts
        either = " OR ".join(f"contains(remark, {part})" for part in parts)
        conditions.append(f"({either})")
    if wanted.status is not None:
        condition, of_status = _status_filter(wanted.status, now)
        values |= of_status
        conditions.append(condition)
    return conditions, values


def _status_filter(status: OrderStatus, now: int) -> tuple[str, dict[str, Value]]:
    """Compare the status as `Order.status_at` does; return the condition and its values."""
    condition, values = "#status = :status", dict[str, Value]({":status": status.value})
    if status is OrderStatus.PENDING:
        condition += " AND (attribute_not_exists(expire_time) OR expire_time > :now)"
        values[":now"] = now
    if status is OrderStatus.EXPIRED:
        condition = f"({condition} OR (#status = :pending AND expire_time <= :now))"
        values |= {":now": now, ":pending": OrderStatus.PENDING.value}
    return condition, values


class OperatorReads(MerchantOverview):
    """Read names and notes of several orders in batches, and a merchant's accounts.

    The reads are eventually consistent, except the accounts. A malformed item is left out.
    """

    def names(
        self, merchant_ids: Collection[str], trader_ids: Collection[str]
    ) -> Mapping[str, str]:
        merchants = {each: {"pk": Key.merchant(each)} for each in merchant_ids}
        traders = {each: {"trader_id": each} for each in trader_ids}
        return {
            **dict(self._names(self._tables.merchants, merchants)),
            **dict(self._names(self._tables.traders, traders)),
        }

    def record(self, person: str, subjects: Sequence[str], day: int, now: int) -> Record:
        keys = [{"pk": Key.solo(person, day)}, *({"pk": Key.hands(s, person)} for s in subjects)]
        items = self._get_items(self._tables.guards, keys)
        solo, *hands = cast("Sequence[Mapping[str, Any]]", items)
        parts = zip(subjects, hands, strict=True)
        touched = tuple(subject for subject, part in parts if part.get("until", 0) > now)
        return Record(touched, solo.get("spent_micro", 0))

    def notes_of_orders(self, order_nos: Sequence[str]) -> Mapping[str, Sequence[Note]]:
        keys = [{"pk": Key.notes(number)} for number in order_nos]
        items = self._get_items(self._tables.orders, keys, consistent=False)
        found = {}
        for number, item in zip(order_nos, items, strict=True):
            with suppress(KeyError, TypeError, ValueError):
                found[number] = notes_of(item)
        return found

    def _names(
        self, table: str, keys: Mapping[str, Mapping[str, str]]
    ) -> Iterator[tuple[str, str]]:
        items = self._get_items(table, list(keys.values()), consistent=False)
        for own_id, item in zip(keys, items, strict=True):
            name = item.get("name")
            if isinstance(name, str):
                yield own_id, name


_PAGE_LIMIT = 50
# Later than any endpoint is due.
_ALWAYS_MS = 10**15


class OperatorCallbacks(CallbackStore):
    def __init__(self, client: DynamoDB, tables: TableNames, retention_days: int) -> None:
        super().__init__(client, tables.callbacks, retention_days)
        self._tables = tables
        self._endpoints = EndpointStore(client, tables.callbacks, retention_days)

    def of_number(self, number: str) -> Sequence[Delivery]:
        return list(self._deliveries(self._query(self._table, Index.BY_ORDER, number)))

    def troubled(
        self, kinds: Collection[Trouble], until_ms: int | None = None
    ) -> Iterator[Delivery]:
        keys = [Key.trouble(kind, shard) for kind in kinds for shard in range(TROUBLE_SHARDS)]
        until, more = ("<=", until_ms), QueryParts(newest_first=True, limit=_PAGE_LIMIT)
        asked = [self._query(self._table, Index.TROUBLE, key, until, **more) for key in keys]
        partitions = map(self._deliveries, asked)
        return heapq.merge(*partitions, key=lambda delivery: delivery.updated_ms, reverse=True)

    def paused(self) -> Iterator[Endpoint]:
        return (each for each in self._endpoints.due(_ALWAYS_MS) if each.is_paused)

    def change(self, delivery: Delivery, entry: AuditEntry) -> None:
        item = delivery_item(delivery, self._retention_days)
        write = Write.put_next(self._table, KEY, item)
        commit_audited(self._client, self._tables, [write], entry)

    def _deliveries(self, asked: Query) -> Iterator[Delivery]:
        items = asked.items()
        return readable(lambda item: strictly(delivery_of(item)), items)
