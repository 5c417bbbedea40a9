"""The Ledger table: balances and postings."""

from typing import TYPE_CHECKING

from orderdesk.adapters.dynamodb.balance_shards import BalanceShards, balance_key
from orderdesk.adapters.dynamodb.keys import posting_sort_key
from orderdesk.adapters.dynamodb.marshal import Item, to_item
from orderdesk.adapters.dynamodb.transactions import Write, never
from orderdesk.domain.ledger.accounts import Account, Balance, Posting, Transfer
from orderdesk.domain.ledger.settlement import account_held_on, amount_held
from orderdesk.domain.orders.order import Order

if TYPE_CHECKING:
    from mypy_boto3_dynamodb import DynamoDBClient


def release_hold_write(table: str, order: Order) -> Write:
    """Release a sell order's hold to its merchant's available USDT, on the order's shard.

    The order holds this amount, so the condition fails only after a bug.
    """
    amount = amount_held(order)
    update = {
        "TableName": table,
        "Key": to_item(balance_key(account_held_on(order), order.shard)),
        "UpdateExpression": "ADD available_micro :amount, held_micro :minus",
        "ConditionExpression": "held_micro >= :amount",
        "ExpressionAttributeValues": to_item({":amount": amount, ":minus": -amount}),
    }
    return Write({"Update": update}, never("a merchant holds less than its open orders"))


def credit_write(table: str, posting: Posting, shard: int = 0) -> Write:
    """Add a posting's amount to its account's available balance; a new shard is created."""
    update = {
        "TableName": table,
        "Key": to_item(balance_key(posting.account, shard)),
        "UpdateExpression": "ADD available_micro :amount, held_micro :zero",
        "ExpressionAttributeValues": to_item({":amount": posting.amount_micro, ":zero": 0}),
    }
    return Write({"Update": update}, never("unconditional credit"))


def debit_held_write(table: str, posting: Posting, shard: int = 0) -> Write:
    """Subtract a posting's (negative) amount from what a shard of its account holds.

    The settled order holds this amount, so the condition fails only after a bug.
    """
    amount = posting.amount_micro
    assert amount < 0
    update = {
        "TableName": table,
        "Key": to_item(balance_key(posting.account, shard)),
        "UpdateExpression": "ADD held_micro :amount",
        "ConditionExpression": "held_micro >= :held",
        "ExpressionAttributeValues": to_item({":amount": amount, ":held": -amount}),
    }
    return Write({"Update": update}, never("an account holds less than its open orders"))


def posting_item(transfer: Transfer, posting: Posting) -> Item:
    """Give one posting of a transfer as its item."""
    return {
        "pk": posting.account.key,
        "sk": posting_sort_key(transfer.at_us, transfer.transfer_id),
        "transfer_id": transfer.transfer_id,
        "kind": transfer.kind.value,
        "amount_micro": posting.amount_micro,
        "memo": transfer.memo,
        "order_no": transfer.order_no or None,
        "at_us": transfer.at_us,
    }


def posting_writes(table: str, transfer: Transfer) -> list[Write]:
    """Append a transfer's postings; none of them may exist yet."""
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


class LedgerStore:
    def __init__(self, client: "DynamoDBClient", table: str) -> None:
        self._shards = BalanceShards(client, table)

    def balance(self, account: Account) -> Balance:
        return self._shards.total(account)
