"""An order's next state and its money, in one transaction.

Concurrent writers: another actor's move changes the version, so the caller reads and decides again.
A claim of the same trader adds to the same balance; neither sets it. The end of a buy subtracts
from the counter to which the merchant's creations add. After a crash, either nothing or the whole
transaction is stored. If a trader moves the order, the transaction checks that it is not suspended.
A note of a dispute needs no condition, because the order is written under its version.
"""

from collections.abc import Sequence
from dataclasses import replace

from orderdesk.adapters.dynamodb.audit import audit_writes, portal_audit_write
from orderdesk.adapters.dynamodb.keys import Key, TableNames
from orderdesk.adapters.dynamodb.ledger import (
    credit_write,
    debit_held_write,
    posting_writes,
    release_hold_write,
)
from orderdesk.adapters.dynamodb.marshal import Item, to_item
from orderdesk.adapters.dynamodb.open_orders import cancelled_writes, moved_writes
from orderdesk.adapters.dynamodb.orders.items import order_item
from orderdesk.adapters.dynamodb.orders.reads import OrderWrites, note_write
from orderdesk.adapters.dynamodb.traders.claims import (
    claim_write,
    free_write,
    hold_again_write,
    release_write,
    settle_write,
)
from orderdesk.adapters.dynamodb.traders.items import trader_of
from orderdesk.adapters.dynamodb.transactions import Write, if_also, never, transact
from orderdesk.domain.accounts import AccountKind, Posting, Transfer
from orderdesk.domain.errors import OrderdeskError
from orderdesk.domain.ledger.settlement import settlement
from orderdesk.domain.orders.moves import OrderChange
from orderdesk.domain.orders.open_orders import moves_amount
from orderdesk.domain.orders.order import Order, OrderStatus
from orderdesk.domain.orders.transitions import MoneyEffect, TraderEffect, Transition
from orderdesk.domain.pricing import OrderType
from orderdesk.domain.times import US_PER_SECOND
from orderdesk.domain.traders.trader import Trader, TraderSuspended


def _released(tables: TableNames, order: Order, now: int) -> list[Write]:
    match order.order_type:
        case OrderType.BUY:
            return [release_write(tables.traders, order, now)]
        case OrderType.SELL:
            held = release_hold_write(tables.ledger, order, now)
            is_taken = order.trader_id is not None
            return [held, free_write(tables.traders, order, now)] if is_taken else [held]


def _settled(tables: TableNames, order: Order, transfer: Transfer) -> list[Write]:
    at = transfer.at_us // US_PER_SECOND
    moved = [_posted(tables, order, change, at) for change in transfer.changes]
    return [*moved, *posting_writes(tables.ledger, transfer)]


def _posted(tables: TableNames, order: Order, posting: Posting, at: int) -> Write:
    """Post to one account's balance: a trader's is on its item, others are in the ledger."""
    account, amount = posting.account, posting.amount_micro
    match account.kind:
        case AccountKind.TRADER:
            return settle_write(tables.traders, order, amount, at)
        case AccountKind.MERCHANT | AccountKind.DEPOSIT | AccountKind.FEE | AccountKind.FUNDING:
            if amount < 0:
                return debit_held_write(tables.ledger, posting, order, at)
            return credit_write(tables.ledger, posting, at, order.shard)


def returned_writes(table: str, before: Order, after: Order) -> list[Write]:
    """Return the write by which the trader finds a sell that was just taken back from it."""
    if after.late.returns == before.late.returns:
        return []
    trader_id = after.late.returns[-1].trader_id
    desk_key = Key.returned_on_desk(trader_id)
    return [
        Write.update(
            table,
            {"pk": Key.returned(after.order_no, trader_id)},
            "SET kind = :kind, order_id = :id, desk_key = :key",
            "",
            never("a returned sell has no condition"),
            values={":kind": "ending", ":id": after.order_id, ":key": desk_key},
        )
    ]


class OrderMoveStore(OrderWrites):
    def commit(self, change: OrderChange, token: str) -> None:
        before, after = order_item(change.before), order_item(change.after)
        writes = [Write.change(self._tables.orders, "pk", before, after)]
        share = None if change.late is None else change.late.share
        counted = moved_writes(self._tables.orders, change.before, change.after, share)
        if change.row is not None:
            writes += self._effects(change, change.row)
        if moves_amount(change.before, change.after):
            was_open_with = replace(change.after, quote=change.after.held_quote)
            counted = self._amount_moved(was_open_with, counted)
        writes += counted
        writes += returned_writes(self._tables.orders, change.before, change.after)
        refund_of = change.after.undone.refund_of
        if refund_of is not None and change.after.status is OrderStatus.CANCELLED:
            writes.append(self._given_back(change.after, refund_of))
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

    def _effects(self, change: OrderChange, row: Transition) -> list[Write]:
        """Return the writes of a transition's effects on money and trader."""
        tables, before, after = self._tables, change.before, change.after
        match row.money:
            case MoneyEffect.CAPTURED:
                return _settled(tables, after, settlement(after, after.updatetime))
            case MoneyEffect.RELEASED:
                return _released(tables, before, after.updatetime)
            case MoneyEffect.HELD_AGAIN if change.late is not None:
                trader, now = change.late.trader, after.updatetime
                return [hold_again_write(tables.traders, after, trader, now)]
            case MoneyEffect.HELD_AGAIN:
                return [self._taken_late(after)]
            case MoneyEffect.STAYS:
                return self._of_trader(change, row)

    def _of_trader(self, change: OrderChange, row: Transition) -> list[Write]:
        table, before, after = self._tables.traders, change.before, change.after
        match row.trader:
            case TraderEffect.STAYS:
                return []
            case TraderEffect.TAKEN if change.claim is not None:
                return [claim_write(table, before, change.claim)]
            case TraderEffect.TAKEN:
                return [self._taken_late(after)]
            case TraderEffect.FREED:
                return [free_write(table, before, after.updatetime)]
            case TraderEffect.HANDED_BACK:
                return [free_write(table, before, after.updatetime), self._taken_late(after)]

    def _taken_late(self, order: Order) -> Write:
        """Count an order for the trader of a late payment or proof, whatever its caps are."""
        trader, now = self._trader_of(order), order.updatetime
        return hold_again_write(self._tables.traders, order, trader, now, capped=False)

    def _amount_moved(self, after: Order, counted: list[Write]) -> list[Write]:
        """Return the writes of an order's amount, with those of its merchant's counters."""
        # Few orders have a reserved amount, so a cold start does not load it.
        from orderdesk.adapters.dynamodb.traders.amounts import amount_moved_write  # noqa: PLC0415

        client, now, is_reserved = self._client, after.updatetime, True
        if after.status is OrderStatus.CANCELLED:
            counted, is_reserved = cancelled_writes(
                client, self._tables.orders, after, now, counted
            )
        amount = amount_moved_write(
            client, self._tables.traders, after, now, is_reserved=is_reserved
        )
        return [*counted, amount]

    def _given_back(self, sell: Order, buy_no: str) -> Write:
        """Return the write of the buy to which a cancelled sell returns its refund."""
        # Few sells are refunds, so a cold start does not load it.
        from orderdesk.domain.orders.refunds import without_refund  # noqa: PLC0415

        buy = self.order(buy_no)
        assert buy is not None, "an order is never deleted"
        items = map(order_item, (buy, without_refund(buy, sell)))
        return Write.change(self._tables.orders, "pk", *items)

    def _trader_of(self, order: Order) -> Trader:
        item = self._get_item(self._tables.traders, {"trader_id": order.trader_id})
        assert item is not None, "a trader that had an order is never deleted"
        return trader_of(item)


def by_active_trader(table: str, trader_id: str, writes: Sequence[Write]) -> list[Write]:
    """Add to a trader's own change the condition that the trader is not suspended (section 6).

    A transaction has at most one action for each item. So a write of the trader's item gets the
    condition; without such a write, a check is added. Lost: TraderSuspended.
    """
    if not any(_changes(write, table, trader_id) for write in writes):
        key, lost = {"trader_id": trader_id}, lambda _: TraderSuspended()
        return [*writes, Write.check(table, key, _IS_ACTIVE, lost, values=_NOT_SUSPENDED)]
    return [_if_active(write) if _changes(write, table, trader_id) else write for write in writes]


_IS_ACTIVE = "suspended = :not_suspended"
_NOT_SUSPENDED: Item = {":not_suspended": False}


def _changes(write: Write, table: str, trader_id: str) -> bool:
    update = write.action.get("Update", {})
    key = to_item({"trader_id": trader_id})
    return bool(update) and update["TableName"] == table and update["Key"] == key


def _if_active(write: Write) -> Write:
    def lost(item: Item | None) -> OrderdeskError:
        is_suspended = item is not None and item["suspended"]
        return TraderSuspended() if is_suspended else write.lost(item)

    return if_also(write, _IS_ACTIVE, _NOT_SUSPENDED, lost)
