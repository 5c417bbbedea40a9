"""Merchants, base rates and traders for operators; each change writes an audit entry."""

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import astuple, replace
from typing import override

from orderdesk.adapters.dynamodb.audit import audit_writes, commit_audited
from orderdesk.adapters.dynamodb.client import DynamoDB, scan_pages
from orderdesk.adapters.dynamodb.keys import Key, Prefix, TableNames
from orderdesk.adapters.dynamodb.ledger import listing_writes
from orderdesk.adapters.dynamodb.marshal import Item, Value, readable, to_item, value_of
from orderdesk.adapters.dynamodb.merchants import merchant_item, merchant_of, rate_attribute
from orderdesk.adapters.dynamodb.operator.typed import strictly
from orderdesk.adapters.dynamodb.orders.items import order_item
from orderdesk.adapters.dynamodb.orders.reads import DeskOrderIndex, OrderStore
from orderdesk.adapters.dynamodb.party_writes import (
    NameWrites,
    NoticeBox,
    merchant_names,
    owners_in,
)
from orderdesk.adapters.dynamodb.teams import TeamStore
from orderdesk.adapters.dynamodb.traders.amounts import amount_moved_write
from orderdesk.adapters.dynamodb.traders.desk import TraderStore
from orderdesk.adapters.dynamodb.traders.items import trader_item, trader_of
from orderdesk.adapters.dynamodb.transactions import Write, if_also, transact
from orderdesk.domain.audit import AuditEntry
from orderdesk.domain.errors import FieldProblem
from orderdesk.domain.merchants.merchant import Merchant
from orderdesk.domain.merchants.notices import OPERATOR
from orderdesk.domain.operators import UnacceptableTerms
from orderdesk.domain.orders.blocks import Block
from orderdesk.domain.orders.order import Order
from orderdesk.domain.plain_text import folded
from orderdesk.domain.pricing import BaseRate, Mode, OrderType
from orderdesk.domain.traders.trader import Trader

_KEY = "trader_id"


def _unacceptable(problem: FieldProblem) -> UnacceptableTerms:
    return UnacceptableTerms([problem])


class OperatorMerchants(TeamStore):
    def __init__(
        self, client: DynamoDB, tables: TableNames, notices: NoticeBox | None = None
    ) -> None:
        super().__init__(client, tables, notices, taken=_unacceptable, by=OPERATOR)

    def merchants(self) -> Iterator[Merchant]:
        scan = {
            "TableName": self._tables.merchants,
            "FilterExpression": "begins_with(pk, :prefix)",
            "ExpressionAttributeValues": to_item({":prefix": Prefix.MERCHANT}),
            "ConsistentRead": True,
        }
        for page in scan_pages(self._client, scan):
            yield from readable(lambda item: strictly(merchant_of(item)), page)

    def add(self, merchant: Merchant, entry: AuditEntry) -> None:
        put = Write.put_new(self._tables.merchants, "pk", merchant_item(merchant))
        owner, named = merchant.merchant_id, merchant_names(merchant)
        names = self._names.moved(owner, {}, named, is_shared=entry.alone)
        listing = listing_writes(self._tables.ledger, merchant)
        commit_audited(self._client, self._tables, [put, *names, *listing], entry)

    @override
    def _audit(self, _merchant_id: str, entry: AuditEntry) -> list[Write]:
        return audit_writes(self._tables, entry)

    def set_rate(
        self, side: OrderType, before: BaseRate | None, rate: BaseRate, entry: AuditEntry
    ) -> None:
        """Set one side's rate, unless the sell rate would exceed the buy rate.

        The other side's attribute is not written.
        """
        old: Item = {} if before is None else {":before": value_of(before)}
        same = "#side = :before" if old else "attribute_not_exists(#side)"
        in_order = f"#other.rate_e4 {'<=' if side is OrderType.BUY else '>='} :rate_e4"
        [other] = (each for each in OrderType if each is not side)
        write = Write.update(
            *(self._tables.merchants, {"pk": Key.RATES}, "SET #side = :rate"),
            f"{same} AND (attribute_not_exists(#other) OR {in_order})",
            values={":rate": value_of(rate), ":rate_e4": rate.rate_e4, **old},
            names={"#side": rate_attribute(side), "#other": rate_attribute(other)},
        )
        commit_audited(self._client, self._tables, [write], entry)

    def write_blocks(self, version: int, blocks: Sequence[Block], entry: AuditEntry) -> None:
        rows: list[Value] = [list(astuple(each)) for each in blocks]
        is_new, same = "attribute_not_exists(blocks_version)", "blocks_version = :before"
        write = Write.set(
            *(self._tables.merchants, {"pk": Key.RATES}),
            {"blocks": rows, "blocks_version": version + 1},
            same if version else is_new,
            values={":before": version} if version else {},
        )
        commit_audited(self._client, self._tables, [write], entry)

    def set_day_limits(
        self,
        before: Mapping[str, int],
        after: Mapping[str, int],
        approved: Mapping[str, int],
        entry: AuditEntry,
    ) -> None:
        same = "day_limits = :before"
        write = Write.set(
            *(self._tables.merchants, {"pk": Key.RATES}),
            {"day_limits": dict(after), "day_approved": dict(approved)},
            same if before else f"attribute_not_exists(day_limits) OR {same}",
            values={":before": dict(before)},
        )
        commit_audited(self._client, self._tables, [write], entry)


class OperatorTraders(TraderStore):
    """Read and change traders.

    Concurrent claims write the balance, the counters and `last_accepted_at`; no change here may
    write these. A claim fails once `version` has changed.
    """

    def __init__(self, client: DynamoDB, tables: TableNames) -> None:
        super().__init__(client, tables)
        self._names = NameWrites(client, tables.traders, _KEY, _unacceptable)

    def traders(self) -> Iterator[Trader]:
        scan = {
            "TableName": self._tables.traders,
            "ConsistentRead": True,
            "FilterExpression": "attribute_exists(available_micro)",  # no reserved amounts
        }
        for page in scan_pages(self._client, scan):
            yield from readable(lambda item: strictly(trader_of(item)), page)

    def open_orders(self, trader_id: str) -> Sequence[Order]:
        """Return open orders; read each by key, because the index lags behind the orders."""
        store = OrderStore(self._client, self._tables.orders)
        index = DeskOrderIndex(self._client, self._tables.orders)
        named = [store.order(order.order_no) for order in index.open_orders(trader_id)]
        return [
            order
            for order in named
            if order is not None and order.status.is_open and order.trader_id == trader_id
        ]

    def add(self, trader: Trader, shard: int, entry: AuditEntry) -> None:
        put = Write.put_new(self._tables.traders, _KEY, trader_item(trader, shard))
        named = {folded(trader.name): "name"}
        is_shared = entry.alone or trader.mode is Mode.TEST
        names = self._names.moved(trader.trader_id, {}, named, is_shared=is_shared)
        commit_audited(self._client, self._tables, [put, *names], entry)

    def named(self, name: str) -> Collection[str]:
        key = {_KEY: Key.shown_name(folded(name))}
        return owners_in(self._get_item(self._tables.traders, key))

    def reserve_amount(self, order: Order, now: int, token: str) -> None:
        counted = replace(order.counted, unique_amount=True)
        after = replace(order, counted=counted, version=order.version + 1)
        writes = [
            Write.change(self._tables.orders, "pk", order_item(order), order_item(after)),
            amount_moved_write(self._client, self._tables.traders, after, now),
        ]
        transact(self._client, writes, token)

    def change(self, before: Trader, after: Trader, entry: AuditEntry) -> None:
        write = self._changed(before, after)
        if after.terms.unique_amounts and not before.terms.unique_amounts:
            write = _if_orders_are_the_same(write, before)
        commit_audited(self._client, self._tables, [write], entry)


def _if_orders_are_the_same(write: Write, before: Trader) -> Write:
    """Add the condition that the trader has accepted and ended no order since it was read.

    Each acceptance changes `last_accepted_at`. Without one, each end lowers `open_orders`. A late
    payment that reopens an order changes `version`, which the write checks already.
    """
    nothing_was_taken = "last_accepted_at = :accepted"
    nothing_has_ended = "open_orders = :open"
    condition, counts = f"{nothing_was_taken} AND {nothing_has_ended}", before.counts
    values: Item = {":accepted": counts.last_accepted_us, ":open": counts.open_orders}
    return if_also(write, condition, values, write.lost)
