"""Reserved amounts: items of the Traders table, each of one trader, method and amount.

Only buys of traders with unique amounts have one. A claim has a condition on its item and does not
read it. Every other move reads the item, and writes it on its version. DynamoDB deletes an item
after `expires_at`, which an item with an open order never has.
"""

from collections.abc import Mapping, Sequence
from typing import Any

from orderdesk.adapters.dynamodb.client import DynamoDB, get_item, get_items
from orderdesk.adapters.dynamodb.keys import AMOUNT_KIND, Key
from orderdesk.adapters.dynamodb.marshal import Item, Stored
from orderdesk.adapters.dynamodb.transactions import Write
from orderdesk.domain.orders.amounts import NO_RECORD, AccountAmount, AmountRecord, amount_of
from orderdesk.domain.orders.order import Order
from orderdesk.domain.traders.trader import AmountTaken

_RECORD = Stored(AmountRecord, usual="open_orders reserved")


def amount_claim_write(table: str, order: Order) -> Write:
    """Reserve the amount of a new buy. Lost: AmountTaken, if the amount is open or reserved."""
    free = "attribute_not_exists(free_at) OR free_at <= :now OR reserved_for = :merchant"
    return Write.update(
        table,
        {"trader_id": Key.amount(amount_of(order))},
        "SET kind = :kind, #mode = :mode ADD open_orders :opened, version :one REMOVE expires_at",
        f"attribute_not_exists(open_orders) AND ({free})",
        lambda _: AmountTaken(),
        values={
            ":kind": AMOUNT_KIND,
            ":mode": order.mode.value,
            ":opened": frozenset({order.order_no}),
            ":one": 1,
            ":now": order.createtime,
            ":merchant": order.merchant_id,
        },
    )


def amount_moved_write(
    client: DynamoDB, table: str, order: Order, now: int, *, is_reserved: bool = True
) -> Write:
    """Read the amount's item of an order that ended or was opened again, and write its next state.

    Lost: ChangedMeanwhile, if another order changed the item after the read. Raises: TryAgain.
    """
    key: Item = {"trader_id": Key.amount(amount_of(order))}
    item = get_item(client, table, key)
    before = NO_RECORD if item is None else record_of(item)
    after = _values_of(before.after(order, now, is_reserved=is_reserved), order, now)
    return Write.change(table, "trader_id", item or key, {**key, **after})


def amount_records(
    client: DynamoDB, table: str, amounts: Sequence[AccountAmount]
) -> list[AmountRecord]:
    """Return the records of at most 100 amounts, in one read that may lag. Raises: TryAgain."""
    keys: list[Item] = [{"trader_id": Key.amount(amount)} for amount in amounts]
    found = get_items(client, table, keys, consistent=False)
    return [record_of(item) if item else NO_RECORD for item in found]


def record_of(row: Mapping[str, Any]) -> AmountRecord:
    """Return the record of a row."""
    return _RECORD.of(row)


def _values_of(record: AmountRecord, order: Order, now: int) -> Item:
    """Return the attributes of a record; None removes one."""
    return {
        "kind": AMOUNT_KIND,
        "mode": order.mode.value,
        **_RECORD.item(record),
        "free_at": record.free_at or None,
        "reserved_for": record.reserved_for,
        "expires_at": None if record.open_orders else max(record.free_at, now),
    }
