"""Conditional transactions: each write maps its failed condition to an error."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from botocore.exceptions import ClientError

from orderdesk.adapters.dynamodb.marshal import Item, Value, from_item, to_item
from orderdesk.adapters.sending import error_code, persistently
from orderdesk.domain.errors import ChangedMeanwhile, Contended, OrderdeskError, Throttled

if TYPE_CHECKING:
    from mypy_boto3_dynamodb import DynamoDBClient


type Lost = Callable[[Item | None], OrderdeskError]

CONDITION_FAILED = "ConditionalCheckFailed"
_CANCELLED = "TransactionCanceledException"
_CONFLICT = "TransactionConflict"
_THROTTLED = frozenset({"ThrottlingError", "ProvisionedThroughputExceeded"})


@dataclass(frozen=True, slots=True)
class Write:
    """One action of TransactWriteItems; `lost` creates the error of its failed condition.

    `lost` receives the item in the table, or None if DynamoDB does not return it.
    """

    action: Mapping[str, Any]
    lost: Lost


def never(what: str) -> Lost:
    """Return the `lost` of a condition that fails only after a bug."""

    def lost(_: Item | None) -> OrderdeskError:
        return OrderdeskError(f"impossible condition failure: {what}")

    return lost


def transact(client: "DynamoDBClient", writes: Sequence[Write], token: str) -> None:
    """Write all writes or none; `token` makes a retry after a lost response idempotent.

    DynamoDB returns one cancellation reason for each write, in the order of `writes`.
    Raises: the error of the first write whose condition failed; else Contended, Throttled or
    TryAgain.
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
    """Read items in one transaction, in the order of the keys; {} for a missing item.

    Raises: Contended (a concurrent write to one of the items), Throttled, TryAgain.
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
    """Store a new item. Lost: ChangedMeanwhile, if its key exists."""
    put = {
        "TableName": table,
        "Item": to_item(item),
        "ConditionExpression": "attribute_not_exists(#key)",
        "ExpressionAttributeNames": {"#key": key_name},
    }
    return Write({"Put": put}, lambda _: ChangedMeanwhile())


def change_write(table: str, key_name: str, before: Item, after: Item) -> Write:
    """Write the attributes that differ between two states of an item; `version` must differ.

    An attribute whose new value is None is removed. A `before` without a version is an item that
    does not exist yet. Lost: ChangedMeanwhile, if the stored version is not that of `before`.
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
    unchanged = "attribute_not_exists(#version)"
    if "version" in before:
        unchanged = "#version = :version_before"
        values[":version_before"] = before["version"]
    update: dict[str, Any] = {
        "TableName": table,
        "Key": to_item({key_name: before[key_name]}),
        "UpdateExpression": f"SET {sets}" + (f" REMOVE {removes}" if removes else ""),
        "ConditionExpression": unchanged,
        "ExpressionAttributeNames": {**names, "#version": "version"},
        "ExpressionAttributeValues": to_item(values),
    }
    return Write({"Update": update}, lambda _: ChangedMeanwhile())


def add_write(
    table: str,
    key: Item,
    changes: Mapping[str, int],
    lost: Lost,
    *,
    unbounded: Mapping[str, Value] | None = None,
    condition: str = "",
    clauses: str = "",
    names: Mapping[str, str] | None = None,
    values: Mapping[str, Value] | None = None,
    returns_item: bool = False,
) -> Write:
    """Add to the numbers of an item; a condition keeps those of `changes` at zero or above.

    `unbounded`: numbers and sets to add without that condition.
    `condition`, `clauses`: a further condition, and further clauses of the update, with `names` and
    `values`.
    The condition is joined by AND, so it may have an OR only if `changes` lowers nothing.
    `returns_item`: pass the stored item to `lost`.
    """
    lowered = {name: -amount for name, amount in changes.items() if amount < 0}
    added = {**changes, **(unbounded or {})}
    adds = ", ".join(f"{name} :{name}" for name in added)
    enough = [f"{name} >= :least_{name}" for name in lowered]
    conditions = [*([condition] if condition else []), *enough]
    update: dict[str, Any] = {
        "TableName": table,
        "Key": to_item(key),
        "UpdateExpression": f"ADD {adds} {clauses}".strip(),
        "ExpressionAttributeValues": to_item(
            {
                **{f":{name}": amount for name, amount in added.items()},
                **{f":least_{name}": least for name, least in lowered.items()},
                **(values or {}),
            }
        ),
    }
    if names:
        update["ExpressionAttributeNames"] = names
    if conditions:
        update["ConditionExpression"] = " AND ".join(conditions)
    if returns_item:
        update["ReturnValuesOnConditionCheckFailure"] = "ALL_OLD"
    return Write({"Update": update}, lost)
