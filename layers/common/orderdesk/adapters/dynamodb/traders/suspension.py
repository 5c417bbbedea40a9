"""The condition of a trader's own change: it is not suspended (contract section 6)."""

from collections.abc import Sequence

from orderdesk.adapters.dynamodb.marshal import Item, to_item
from orderdesk.adapters.dynamodb.transactions import Write
from orderdesk.domain.errors import OrderdeskError
from orderdesk.domain.traders.errors import TraderSuspended


def by_active_trader(table: str, trader_id: str, writes: Sequence[Write]) -> list[Write]:
    """Add to a trader's own change the condition that the trader is not suspended.

    A transaction has one action for each item. So the write of the trader's item gets the
    condition; if no write changes that item, a check is added. Lost: TraderSuspended.
    """
    if not any(_changes(write, table) for write in writes):
        return [*writes, _active_check(table, trader_id)]
    return [_if_active(write) if _changes(write, table) else write for write in writes]


_IS_ACTIVE = "suspended = :not_suspended"


def _changes(write: Write, table: str) -> bool:
    return "Update" in write.action and write.action["Update"]["TableName"] == table


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
