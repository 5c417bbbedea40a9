"""Index the orders that an older version stored: `python -m tools.deploy.index_orders STACK`.

An order from before the index of all orders lacks the attributes by which operators list and find
it (docs/upgrading.md). This adds them, and nothing else. It may run at any time and again: what is
indexed is left alone, and an item that changes at that moment is left to the next run.
Exit code 1 if an item was left.
"""

import sys
from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING, Any

from botocore.exceptions import ClientError

from orderdesk.adapters.dynamodb.client import dynamodb_client, scan_pages
from orderdesk.adapters.dynamodb.keys import number_list_key
from orderdesk.adapters.dynamodb.marshal import Item, from_item, to_item
from orderdesk.adapters.dynamodb.orders.creation import ending_write
from orderdesk.adapters.dynamodb.orders.items import found_by, order_item, order_of
from orderdesk.adapters.dynamodb.transactions import CONDITION_FAILED
from orderdesk.adapters.sending import error_code
from orderdesk_cli.stacks import StackUnavailable, find_stack, session_from_environment

if TYPE_CHECKING:
    from mypy_boto3_dynamodb import DynamoDBClient

_UNINDEXED = {
    "FilterExpression": (
        "(kind = :order AND attribute_not_exists(all_key)) "
        "OR (kind = :reservation AND attribute_not_exists(desk_key))"
    ),
    "ExpressionAttributeValues": to_item({":order": "order", ":reservation": "reservation"}),
}


def main(stack_name: str) -> int:
    """Index the orders of a stack and return the exit code."""
    session = session_from_environment()
    try:
        table = find_stack(session, stack_name).output("OrdersTableName")
    except StackUnavailable as error:
        print(f"index_orders: {error}", file=sys.stderr)
        return 1
    done, left = index_orders(dynamodb_client(session), table)
    print(f"{done} items indexed, {left} left to the next run")
    return 1 if left else 0


def index_orders(client: "DynamoDBClient", table: str) -> tuple[int, int]:
    """Return how many items were indexed, and how many changed meanwhile. Raises: TryAgain."""
    done = left = 0
    for page in scan_pages(client, {"TableName": table, **_UNINDEXED}):
        for row in map(from_item, page):
            is_done = all(_sent(client, request) for request in _requests(table, row))
            done, left = done + is_done, left + (not is_done)
    return done, left


def _requests(table: str, row: Mapping[str, Any]) -> Iterator[dict[str, Any]]:
    """Yield the writes that index an order or a reservation."""
    if row["kind"] == "reservation":
        owner = "order_no" if "order_no" in row else "pending_no"
        keys = found_by(row[owner], None)
        keys["list_key"] = number_list_key(row["pk"].split("#", 2)[2])
        yield _update(table, row, keys, owner)
        return
    order = order_of(row)
    item = order_item(order)
    names = ("all_key", "due_key", "due_time")
    if order.merchant_order_no is None:
        yield dict(ending_write(table, order).action["Put"])
    yield _update(table, row, {name: item[name] for name in names}, "version")


def _update(table: str, row: Mapping[str, Any], values: Item, guard: str) -> dict[str, Any]:
    """Return the update that adds attributes, if `guard` is still as it was read."""
    added = {name: value for name, value in values.items() if value is not None}
    return {
        "TableName": table,
        "Key": to_item({"pk": row["pk"]}),
        "UpdateExpression": "SET " + ", ".join(f"{name} = :{name}" for name in added),
        "ConditionExpression": "#guard = :guard",
        "ExpressionAttributeNames": {"#guard": guard},
        "ExpressionAttributeValues": to_item(
            {":guard": row[guard], **{f":{name}": value for name, value in added.items()}}
        ),
    }


def _sent(client: "DynamoDBClient", request: dict[str, Any]) -> bool:
    """Send a write; return whether its condition held, or its item exists already."""
    try:
        if "Item" in request:
            client.put_item(**request)
        else:
            client.update_item(**request)
    except ClientError as error:
        if error_code(error) != f"{CONDITION_FAILED}Exception":
            raise
        return "Item" in request
    return True


if __name__ == "__main__":
    sys.exit(main(sys.argv[1]))
