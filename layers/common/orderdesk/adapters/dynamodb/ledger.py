"""The Ledger table: balances and postings."""

from orderdesk.adapters.dynamodb.balance_shards import (
    BalanceShards,
    balance_key,
    ended_sell_changes,
)
from orderdesk.adapters.dynamodb.balance_writes import Shift, balance_write
from orderdesk.adapters.dynamodb.keys import TableNames, posting_sort_key
from orderdesk.adapters.dynamodb.limits_room import count_change_of, used_change_of
from orderdesk.adapters.dynamodb.marshal import Item, to_item
from orderdesk.adapters.dynamodb.transactions import Write, never
from orderdesk.domain.ledger.accounts import Account, AccountKind, Balance, Posting, Transfer
from orderdesk.domain.ledger.settlement import account_held_on, amount_held
from orderdesk.domain.orders.order import Order


def balance_place(tables: TableNames, account: Account) -> tuple[str, Item]:
    """Return the table and key of an account's balance; a trader's is on its own item."""
    match account.kind:
        case AccountKind.TRADER:
            return tables.traders, {"trader_id": account.owner}
        case AccountKind.MERCHANT | AccountKind.DEPOSIT | AccountKind.FEE | AccountKind.FUNDING:
            return tables.ledger, balance_key(account)


def release_hold_write(table: str, order: Order, now: int) -> Write:
    """Release a sell order's hold to its merchant's available USDT, on the order's shard.

    The order holds this amount and is counted there, so the condition fails only after a bug.
    """
    amount = amount_held(order)
    return balance_write(
        table,
        balance_key(account_held_on(order), order.shard),
        Shift(amount, -amount, now),
        never("a merchant holds less than its open orders"),
        counted=ended_sell_changes(order, count_change_of),
        unbounded=ended_sell_changes(order, used_change_of),
    )


def credit_write(table: str, posting: Posting, at: int, shard: int = 0) -> Write:
    """Add a posting's amount to its account's available balance; create a missing shard."""
    return balance_write(
        table,
        balance_key(posting.account, shard),
        Shift(posting.amount_micro, 0, at),
        never("unconditional credit"),
        is_bounded=False,
    )


def debit_held_write(table: str, posting: Posting, order: Order, at: int) -> Write:
    """Add a posting's negative amount to the held balance of its account, on the order's shard.

    The settled sell holds this amount and is counted there, so the condition fails only after a
    bug.
    """
    assert posting.amount_micro < 0
    return balance_write(
        table,
        balance_key(posting.account, order.shard),
        Shift(0, posting.amount_micro, at),
        never("an account holds less than its open orders"),
        counted=ended_sell_changes(order, count_change_of),
        unbounded=ended_sell_changes(order, used_change_of),
    )


def posting_item(transfer: Transfer, posting: Posting) -> Item:
    """Return the item of one posting of a transfer."""
    return {
        "pk": posting.account.key,
        "sk": posting_sort_key(transfer.at_us, transfer.transfer_id, is_spread=posting.is_spread),
        "transfer_id": transfer.transfer_id,
        "kind": transfer.kind_of(posting).value,
        "amount_micro": posting.amount_micro,
        "memo": transfer.memo,
        "order_no": transfer.order_no or None,
        "at_us": transfer.at_us,
    }


def posting_writes(table: str, transfer: Transfer) -> list[Write]:
    """Append a transfer's postings; none of them may exist."""
    return [
        Write(
            {
                "Put": {
                    "TableName": table,
                    "Item": to_item(posting_item(transfer, posting)),
                    "ConditionExpression": "attribute_not_exists(pk)",
                }
            },
            never("posting written twice"),
        )
        for posting in transfer.postings
    ]


class LedgerStore(BalanceShards):
    def balance(self, account: Account) -> Balance:
        return self.total(account)
