"""A draft's next state, its number and its order, in one transaction each.

Who else may write now: another submit, the sweep, a createOrder that takes an overdue draft's
number. The draft's version decides between the first two, the reservation's owner the last.
"""

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

from orderdesk.adapters.dynamodb.keys import DUE_INDEX, DUE_SHARDS, TableNames, due_key, number_key
from orderdesk.adapters.dynamodb.marshal import Value, from_item, to_item
from orderdesk.adapters.dynamodb.order_book import new_item_statement
from orderdesk.adapters.dynamodb.order_store import OrderStore
from orderdesk.adapters.dynamodb.orders import draft_item, order_item
from orderdesk.adapters.dynamodb.trader_claims import claim_statement
from orderdesk.adapters.dynamodb.transactions import Statement, transact
from orderdesk.adapters.dynamodb.versioned import change_statement
from orderdesk.adapters.sending import read
from orderdesk.domain.drafts import Draft
from orderdesk.domain.errors import NumberLost
from orderdesk.domain.orders import Order
from orderdesk.services.expire_due import Due, DueKind
from orderdesk.services.ports import Claim

if TYPE_CHECKING:
    from mypy_boto3_dynamodb import DynamoDBClient

_PAGE_LIMIT = 200


class DraftStore:
    """Fills the port `Drafts`."""

    def __init__(self, client: "DynamoDBClient", tables: TableNames) -> None:
        self._client = client
        self._tables = tables
        self._orders = OrderStore(client, tables.orders)

    def draft(self, pending_no: str) -> Draft | None:
        """Give a draft, or None. Raises: TryAgain."""
        return self._orders.draft(pending_no)

    def change(self, before: Draft, after: Draft, token: str) -> None:
        """Write what differs. Raises: see the port."""
        transact(self._client, [self._changed(before, after)], token)

    def end(self, before: Draft, after: Draft, token: str, *, frees_number: bool) -> None:
        """Lock or expire it, and free its merchant_order_no. Raises: see the port."""
        statements = [self._changed(before, after)]
        if frees_number:
            statements.append(self._free_number(before))
        transact(self._client, statements, token)

    def complete(self, before: Draft, after: Draft, order: Order, claim: Claim, token: str) -> None:
        """Make it the order, number and all. Raises: see the port."""
        statements = [self._changed(before, after)]
        if before.merchant_order_no is not None:
            statements.append(self._hand_number_over(before, order))
        statements.append(claim_statement(self._tables.traders, order, claim))
        statements.append(new_item_statement(self._tables.orders, order_item(order)))
        transact(self._client, statements, token)

    def _changed(self, before: Draft, after: Draft) -> Statement:
        return change_statement(self._tables.orders, "pk", draft_item(before), draft_item(after))

    def _free_number(self, draft: Draft) -> Statement:
        delete = {
            "TableName": self._tables.orders,
            "Key": to_item({"pk": self._number_key(draft)}),
            "ConditionExpression": "pending_no = :pending_no",
            "ExpressionAttributeValues": to_item({":pending_no": draft.pending_no}),
        }
        return Statement({"Delete": delete}, lambda _: NumberLost())

    def _hand_number_over(self, draft: Draft, order: Order) -> Statement:
        update = {
            "TableName": self._tables.orders,
            "Key": to_item({"pk": self._number_key(draft)}),
            "UpdateExpression": "SET order_no = :order_no REMOVE pending_no, expire_time",
            "ConditionExpression": "pending_no = :pending_no",
            "ExpressionAttributeValues": to_item(
                {":pending_no": draft.pending_no, ":order_no": order.order_no}
            ),
        }
        return Statement({"Update": update}, lambda _: NumberLost())

    def _number_key(self, draft: Draft) -> str:
        assert draft.merchant_order_no is not None
        return number_key(draft.merchant_id, draft.merchant_order_no)


class DueEntries:
    """Fills the port `DueIndex`."""

    shards = DUE_SHARDS

    def __init__(self, client: "DynamoDBClient", table: str) -> None:
        self._client = client
        self._table = table

    def due(self, shard: int, now: int) -> Sequence[Due]:
        """Read one page of what is due in a shard, oldest first. Raises: TryAgain."""
        answer = read(
            lambda: self._client.query(
                TableName=self._table,
                IndexName=DUE_INDEX,
                KeyConditionExpression="due_key = :key AND due_time <= :now",
                ExpressionAttributeValues=to_item({":key": due_key(shard), ":now": now}),
                Limit=_PAGE_LIMIT,
            )
        )
        return [_due_of(from_item(item)) for item in answer["Items"]]


def _due_of(row: Mapping[str, Value]) -> Due:
    kind, number, due_time = row["kind"], row["pk"], row["due_time"]
    assert isinstance(number, str)
    assert isinstance(due_time, int)
    return Due(DueKind(str(kind)), number, due_time)
