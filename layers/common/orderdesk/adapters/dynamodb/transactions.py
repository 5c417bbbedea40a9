"""Conditional transactions: each write has the error that its failed condition means."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from botocore.exceptions import ClientError

from orderdesk.adapters.dynamodb.marshal import Item, Value, from_item, to_item
from orderdesk.adapters.sending import error_code, persistently
from orderdesk.domain.errors import ChangedMeanwhile, Contended, OrderdeskError, Throttled

if TYPE_CHECKING:
    from mypy_boto3_dynamodb import DynamoDBClient


CONDITION_FAILED = "ConditionalCheckFailed"
_CANCELLED = "TransactionCanceledException"
_CONFLICT = "TransactionConflict"
_THROTTLED = frozenset({"ThrottlingError", "ProvisionedThroughputExceeded"})


@dataclass(frozen=True, slots=True)
class Write:
    """One action of TransactWriteItems; `lost` makes the error of its failed condition.

    `lost` gets the item that is in the table, or None if DynamoDB does not give it.
    """

    action: Mapping[str, Any]
    lost: Callable[[Item | None], OrderdeskError]


def never(what: str) -> Callable[[Item | None], OrderdeskError]:
    """Give the `lost` of a condition that fails only after a bug."""

    def lost(_: Item | None) -> OrderdeskError:
        return OrderdeskError(f"impossible condition failure: {what}")

    return lost


def transact(client: "DynamoDBClient", writes: Sequence[Write], token: str) -> None:
    """Write all writes or none; `token` allows a transaction without an answer to be sent again.

    DynamoDB gives the reasons by position, so they are read by position.
    Raises: the error of the first write, in the given order, whose condition failed; else
    Contended, Throttled or TryAgain.
    """
    try:
        persistently(
            lambda: client.transact_write_items(
                TransactItems=[write.action for write in writes],  # type: ignore[misc]
                ClientRequestToken=token,
            )
        )
    except ClientError as error:
        if error_code(error) != _CANCELLED:
            raise
        raise _meaning(error, writes) from None


def _meaning(error: ClientError, writes: Sequence[Write]) -> Exception:
    reasons: list[dict[str, Any]] = error.response.get("CancellationReasons", [])  # type: ignore[assignment]
    for write, reason in zip(writes, reasons, strict=True):
        if reason.get("Code") == CONDITION_FAILED:
            item = reason.get("Item")
            return write.lost(from_item(item) if item else None)
    return _cancelled(error, reasons)


def _cancelled(error: ClientError, reasons: Sequence[Mapping[str, Any]]) -> Exception:
    codes = {reason.get("Code") for reason in reasons}
    if _CONFLICT in codes:
        return Contended()
    if codes & _THROTTLED:
        return Throttled()
    return error


def transact_get(client: "DynamoDBClient", table: str, keys: Sequence[Item]) -> Sequence[Item]:
    """Read items as they were at one moment, in the order of the keys; {} where there is none.

    A write to any of them at the same time is a conflict.
    Raises: Contended, Throttled, TryAgain.
    """
    gets: Any = [{"Get": {"TableName": table, "Key": to_item(key)}} for key in keys]
    try:
        answer = persistently(lambda: client.transact_get_items(TransactItems=gets))
    except ClientError as error:
        if error_code(error) != _CANCELLED:
            raise
        reasons: Any = error.response.get("CancellationReasons", [])
        raise _cancelled(error, reasons) from None
    return [from_item(each.get("Item", {})) for each in answer["Responses"]]


def put_new_write(table: str, key_name: str, item: Item) -> Write:
    """Put a new item; lost: ChangedMeanwhile, if its key is taken."""
    put = {
        "TableName": table,
        "Item": to_item(item),
        "ConditionExpression": "attribute_not_exists(#key)",
        "ExpressionAttributeNames": {"#key": key_name},
    }
    return Write({"Put": put}, lambda _: ChangedMeanwhile())


def change_write(table: str, key_name: str, before: Item, after: Item) -> Write:
    """Write the attributes in which two states of an item differ; the version must be one of them.

    An attribute whose new value is None is removed. Lost: ChangedMeanwhile, if the version is no
    longer that of `before`.
    """
    changed = [name for name in after if after[name] != before.get(name)]
    assert key_name not in changed
    assert "version" in changed
    names = {f"#a{number}": name for number, name in enumerate(changed)}
    values: dict[str, Value] = {
        f":a{number}": after[name] for number, name in enumerate(changed) if after[name] is not None
    }
    sets = ", ".join(f"#a{name[2:]} = {name}" for name in values)
    removes = ", ".join(mark for mark, name in names.items() if after[name] is None)
    update: dict[str, Any] = {
        "TableName": table,
        "Key": to_item({key_name: before[key_name]}),
        "UpdateExpression": f"SET {sets}" + (f" REMOVE {removes}" if removes else ""),
        "ConditionExpression": "#version = :version_before",
        "ExpressionAttributeNames": {**names, "#version": "version"},
        "ExpressionAttributeValues": to_item({**values, ":version_before": before["version"]}),
    }
    return Write({"Update": update}, lambda _: ChangedMeanwhile())
