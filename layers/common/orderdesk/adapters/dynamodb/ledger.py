"""The Ledger table: balances, postings, and the hold of a sell order."""

from typing import TYPE_CHECKING

from orderdesk.adapters.dynamodb.client import get_item
from orderdesk.adapters.dynamodb.keys import BALANCE_SORT_KEY, posting_sort_key
from orderdesk.adapters.dynamodb.marshal import Item, to_item
from orderdesk.adapters.dynamodb.transactions import Write, never
from orderdesk.domain.ledger.accounts import Account, AccountKind, Balance, Posting, Transfer
from orderdesk.domain.orders.errors import HoldLost
from orderdesk.domain.orders.order import Order

if TYPE_CHECKING:
    from mypy_boto3_dynamodb import DynamoDBClient


def hold_write(table: str, order: Order) -> Write:
    """Hold a sell order's USDT on its merchant's account; lost: HoldLost."""
    account = Account(AccountKind.MERCHANT, order.merchant_id, order.mode)
    amount = order.quote.merchant_actual_micro
    covers_it = "available_micro >= :amount"
    update = {
        "TableName": table,
        "Key": to_item({"pk": account.key, "sk": BALANCE_SORT_KEY}),
        "UpdateExpression": "ADD available_micro :minus, held_micro :amount",
        "ConditionExpression": covers_it,
        "ExpressionAttributeValues": to_item({":amount": amount, ":minus": -amount}),
    }
    return Write({"Update": update}, lambda _: HoldLost())


def release_hold_write(table: str, order: Order) -> Write:
    """Release a sell order's hold to its merchant's available USDT.

    The order holds this amount, so the condition fails only after a bug.
    """
    account = Account(AccountKind.MERCHANT, order.merchant_id, order.mode)
    amount = order.quote.merchant_actual_micro
    update = {
        "TableName": table,
        "Key": to_item({"pk": account.key, "sk": BALANCE_SORT_KEY}),
        "UpdateExpression": "ADD available_micro :amount, held_micro :minus",
        "ConditionExpression": "held_micro >= :amount",
        "ExpressionAttributeValues": to_item({":amount": amount, ":minus": -amount}),
    }
    return Write({"Update": update}, never("a merchant holds less than its open orders"))


def credit_write(table: str, posting: Posting) -> Write:
    """Add a posting's amount to its account's available balance; a new account is created."""
    update = {
        "TableName": table,
        "Key": to_item({"pk": posting.account.key, "sk": BALANCE_SORT_KEY}),
        "UpdateExpression": "ADD available_micro :amount, held_micro :zero",
        "ExpressionAttributeValues": to_item({":amount": posting.amount_micro, ":zero": 0}),
    }
    return Write({"Update": update}, never("unconditional credit"))


def debit_held_write(table: str, posting: Posting) -> Write:
    """Subtract a posting's (negative) amount from its account's held balance.

    The settled order holds this amount, so the condition fails only after a bug.
    """
    amount = posting.amount_micro
    assert amount < 0
    update = {
        "TableName": table,
        "Key": to_item({"pk": posting.account.key, "sk": BALANCE_SORT_KEY}),
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
        self._client = client
        self._table = table

    def balance(self, account: Account) -> Balance:
        key = {"pk": account.key, "sk": BALANCE_SORT_KEY}
        item = get_item(self._client, self._table, key) or {}
        available, held = item.get("available_micro", 0), item.get("held_micro", 0)
        assert isinstance(available, int)
        assert isinstance(held, int)
        return Balance(available, held)
