"""Traders for operators; each change writes an audit entry.

Concurrent claims write the balance, the counters and `last_accepted_at`; no change here may write
these. A claim fails once `version` has changed.
"""

from collections.abc import Iterator, Sequence
from dataclasses import replace

from orderdesk.adapters.dynamodb.audit import audit_writes
from orderdesk.adapters.dynamodb.client import TablesStore, get_item, scan_pages
from orderdesk.adapters.dynamodb.marshal import Item, readable, to_item
from orderdesk.adapters.dynamodb.operator.typed import strictly
from orderdesk.adapters.dynamodb.orders.items import order_item
from orderdesk.adapters.dynamodb.orders.reads import DeskOrderIndex, OrderStore
from orderdesk.adapters.dynamodb.traders.amounts import amount_moved_write
from orderdesk.adapters.dynamodb.traders.items import trader_item, trader_of
from orderdesk.adapters.dynamodb.transactions import (
    Write,
    change_write,
    put_new_write,
    transact,
)
from orderdesk.domain.audit import AuditEntry
from orderdesk.domain.errors import ChangedMeanwhile
from orderdesk.domain.orders.order import Order
from orderdesk.domain.traders.trader import Trader

_KEY = "trader_id"


class OperatorTraders(TablesStore):
    def trader(self, trader_id: str) -> Trader | None:
        item = self._item(trader_id)
        return None if item is None else trader_of(item)

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

    def add(self, trader: Trader, shard: int, entry: AuditEntry, token: str) -> None:
        put = put_new_write(self._tables.traders, _KEY, trader_item(trader, shard))
        self._audited(put, entry, token)

    def reserve_amount(self, order: Order, now: int, token: str) -> None:
        after = replace(order, unique_amount=True, version=order.version + 1)
        writes = [
            change_write(self._tables.orders, "pk", order_item(order), order_item(after)),
            amount_moved_write(self._client, self._tables.traders, after, now),
        ]
        transact(self._client, writes, token)

    def change(self, before: Trader, after: Trader, entry: AuditEntry, token: str) -> None:
        """Write the attributes that differ; the shard stays."""
        shard = self._shard(before.trader_id)
        old, new = trader_item(before, shard), trader_item(after, shard)
        write = change_write(self._tables.traders, _KEY, old, new)
        if after.unique_amounts and not before.unique_amounts:
            write = _if_orders_are_the_same(write, before)
        self._audited(write, entry, token)

    def _shard(self, trader_id: str) -> int:
        # This read may be later than that of `before`: a change of the shard changes `version`.
        item = self._item(trader_id)
        if item is None:
            raise ChangedMeanwhile
        shard = item["shard"]
        assert isinstance(shard, int)
        return shard

    def _item(self, trader_id: str) -> Item | None:
        return get_item(self._client, self._tables.traders, {_KEY: trader_id})

    def _audited(self, write: Write, entry: AuditEntry, token: str) -> None:
        transact(self._client, [write, *audit_writes(self._tables, entry)], token)


def _if_orders_are_the_same(write: Write, before: Trader) -> Write:
    """Add the condition that the trader has accepted and ended no order since it was read.

    Each acceptance changes `last_accepted_at`. Without one, each end lowers `open_orders`. A late
    payment that reopens an order changes `version`, which the write checks already.
    """
    update = write.action["Update"]
    nothing_was_taken = "last_accepted_at = :accepted"
    nothing_has_ended = "open_orders = :open"
    conditional = {
        **update,
        "ConditionExpression": (
            f"{update['ConditionExpression']} AND {nothing_was_taken} AND {nothing_has_ended}"
        ),
        "ExpressionAttributeValues": update["ExpressionAttributeValues"]
        | to_item({":accepted": before.last_accepted_us, ":open": before.open_orders}),
    }
    return Write({"Update": conditional}, write.lost)
