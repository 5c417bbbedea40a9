"""An order's next state and its money, in one transaction.

Concurrent writers: another actor's move changes the version, so the caller reads and decides again.
A claim of the same trader adds to the same balance; neither sets it. The end of a buy subtracts
from the counter to which the merchant's creations add. After a crash, either nothing or the whole
transaction is stored. If a trader moves the order, the transaction checks that it is not suspended.
A note of a dispute needs no condition, because the order is written under its version.
"""

from collections.abc import Sequence
from typing import TYPE_CHECKING

from orderdesk.adapters.dynamodb.audit import audit_writes, portal_audit_write
from orderdesk.adapters.dynamodb.client import TablesStore
from orderdesk.adapters.dynamodb.keys import TableNames
from orderdesk.adapters.dynamodb.ledger import (
    credit_write,
    debit_held_write,
    posting_writes,
    release_hold_write,
)
from orderdesk.adapters.dynamodb.marshal import Item, to_item
from orderdesk.adapters.dynamodb.orders.items import order_item
from orderdesk.adapters.dynamodb.orders.open_orders import moved_writes
from orderdesk.adapters.dynamodb.orders.reads import OrderStore, note_write
from orderdesk.adapters.dynamodb.traders.claims import (
    claim_write,
    free_write,
    hold_again_write,
    release_write,
    settle_write,
)
from orderdesk.adapters.dynamodb.transactions import Write, change_write, transact
from orderdesk.domain.errors import OrderdeskError
from orderdesk.domain.ledger.accounts import AccountKind, Posting, Transfer
from orderdesk.domain.ledger.settlement import settlement
from orderdesk.domain.orders.notes import Note
from orderdesk.domain.orders.open_orders import moves_amount
from orderdesk.domain.orders.order import Order
from orderdesk.domain.orders.transitions import MoneyEffect, TraderEffect, Transition
from orderdesk.domain.pricing import OrderType
from orderdesk.domain.traders.errors import TraderSuspended
from orderdesk.services.orders.move import OrderChange
from orderdesk.services.ports import Claim

if TYPE_CHECKING:
    from mypy_boto3_dynamodb import DynamoDBClient


def effect_writes(tables: TableNames, change: OrderChange, row: Transition) -> list[Write]:
    """Return the writes of a transition's effects on money and trader."""
    before, now = change.before, change.after.updatetime
    match row.money:
        case MoneyEffect.CAPTURED:
            return _settled(tables, before, settlement(before, now))
        case MoneyEffect.RELEASED:
            return _released(tables, before, now)
        case MoneyEffect.HELD_AGAIN:
            trader = None if change.late is None else change.late.trader
            return [hold_again_write(tables.traders, change.after, trader)]
        case MoneyEffect.STAYS:
            return _of_trader(tables, before, row, change.claim, now)


def _of_trader(
    tables: TableNames, before: Order, row: Transition, claim: Claim | None, now: int
) -> list[Write]:
    match row.trader:
        case TraderEffect.STAYS:
            return []
        case TraderEffect.TAKEN:
            assert claim is not None, "an assignment claims its trader"
            return [claim_write(tables.traders, before, claim)]
        case TraderEffect.FREED:
            return [free_write(tables.traders, before, now)]


def _released(tables: TableNames, order: Order, now: int) -> list[Write]:
    match order.order_type:
        case OrderType.BUY:
            return [release_write(tables.traders, order, now)]
        case OrderType.SELL:
            held = release_hold_write(tables.ledger, order)
            is_taken = order.trader_id is not None
            return [held, free_write(tables.traders, order, now)] if is_taken else [held]


def _settled(tables: TableNames, order: Order, transfer: Transfer) -> list[Write]:
    moved = [_posted(tables, order, posting) for posting in transfer.postings]
    return [*moved, *posting_writes(tables.ledger, transfer)]


def _posted(tables: TableNames, order: Order, posting: Posting) -> Write:
    """Post to one account's balance: a trader's is on its item, others are in the ledger."""
    account, amount = posting.account, posting.amount_micro
    match account.kind:
        case AccountKind.TRADER:
            return settle_write(tables.traders, order, amount)
        case AccountKind.MERCHANT | AccountKind.DEPOSIT | AccountKind.FEE | AccountKind.FUNDING:
            if amount < 0:
                return debit_held_write(tables.ledger, posting, order)
            return credit_write(tables.ledger, posting, order.shard)


class OrderMoveStore(TablesStore):
    def __init__(self, client: "DynamoDBClient", tables: TableNames) -> None:
        super().__init__(client, tables)
        self._orders = OrderStore(client, tables.orders)

    def order(self, order_no: str) -> Order | None:
        return self._orders.order(order_no)

    def notes(self, order_no: str) -> tuple[Note, ...]:
        return self._orders.notes(order_no)

    def commit(self, change: OrderChange, token: str) -> None:
        before, after = order_item(change.before), order_item(change.after)
        writes = [change_write(self._tables.orders, "pk", before, after)]
        share = None if change.late is None else change.late.share
        writes += moved_writes(self._tables.orders, change.before, change.after, share)
        if change.row is not None:
            writes += effect_writes(self._tables, change, change.row)
        if moves_amount(change.before, change.after):
            # Few orders have a reserved amount, so a cold start does not load it.
            from orderdesk.adapters.dynamodb.traders.amounts import (  # noqa: PLC0415
                amount_moved_write,
            )

            table, now = self._tables.traders, change.after.updatetime
            writes.append(amount_moved_write(self._client, table, change.after, now))
        if change.note is not None:
            writes.append(note_write(self._tables.orders, change.after.order_no, change.note))
        if change.acting_trader_id is not None:
            writes = by_active_trader(self._tables.traders, change.acting_trader_id, writes)
        if change.audit is not None:
            writes += audit_writes(self._tables, change.audit)
        if change.team_entry is not None:
            merchant_id, entry = change.after.merchant_id, change.team_entry
            writes.append(portal_audit_write(self._tables.audit, merchant_id, entry))
        transact(self._client, writes, token)


def by_active_trader(table: str, trader_id: str, writes: Sequence[Write]) -> list[Write]:
    """Add to a trader's own change the condition that the trader is not suspended (section 6).

    A transaction has at most one action for each item. So a write of the trader's item gets the
    condition; without such a write, a check is added. Lost: TraderSuspended.
    """
    if not any(_changes(write, table, trader_id) for write in writes):
        return [*writes, _active_check(table, trader_id)]
    return [_if_active(write) if _changes(write, table, trader_id) else write for write in writes]


_IS_ACTIVE = "suspended = :not_suspended"


def _changes(write: Write, table: str, trader_id: str) -> bool:
    update = write.action.get("Update", {})
    key = to_item({"trader_id": trader_id})
    return bool(update) and update["TableName"] == table and update["Key"] == key


def _if_active(write: Write) -> Write:
    update = write.action["Update"]
    conditional = {
        **update,
        "ConditionExpression": f"{update['ConditionExpression']} AND {_IS_ACTIVE}",
        "ExpressionAttributeValues": update["ExpressionAttributeValues"]
        | to_item({":not_suspended": False}),
        "ReturnValuesOnConditionCheckFailure": "ALL_OLD",
    }

    def lost(item: Item | None) -> OrderdeskError:
        is_suspended = item is not None and item["suspended"]
        return TraderSuspended() if is_suspended else write.lost(item)

    return Write({"Update": conditional}, lost)


def _active_check(table: str, trader_id: str) -> Write:
    check = {
        "TableName": table,
        "Key": to_item({"trader_id": trader_id}),
        "ConditionExpression": _IS_ACTIVE,
        "ExpressionAttributeValues": to_item({":not_suspended": False}),
    }
    return Write({"ConditionCheck": check}, lambda _: TraderSuspended())
