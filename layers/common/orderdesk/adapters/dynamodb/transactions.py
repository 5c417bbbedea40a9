"""Conditional writes and transactions: each write maps its failed condition to an error."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple, Self, TypedDict, Unpack

from botocore.exceptions import ClientError

from orderdesk.adapters.dynamodb.client import DynamoDB
from orderdesk.adapters.dynamodb.marshal import Item, Value, expressed, from_item, to_item
from orderdesk.adapters.sending import call, error_code, persistently
from orderdesk.domain.accounts import parity_sums
from orderdesk.domain.errors import ChangedMeanwhile, Contended, OrderdeskError, Throttled

type Lost = Callable[[Item | None], OrderdeskError]

CONDITION_FAILED = "ConditionalCheckFailed"
_CANCELLED = "TransactionCanceledException"
_CONFLICT = "TransactionConflict"
_THROTTLED = frozenset({"ThrottlingError", "ProvisionedThroughputExceeded"})


def changed(_: Item | None) -> OrderdeskError:
    return ChangedMeanwhile()


def never(what: str) -> Lost:
    """Return the `lost` of a condition that fails only after a bug."""

    def lost(_: Item | None) -> OrderdeskError:
        return OrderdeskError(f"impossible condition failure: {what}")

    return lost


class Parts(TypedDict, total=False):
    """Further parts of a write.

    `values` are those of its expressions. In these, `#name` is the attribute `name`, unless `names`
    has another one for it. `returns_item` passes the stored item to `lost`.
    """

    values: Mapping[str, Value]
    names: Mapping[str, str]
    returns_item: bool


class Shift(NamedTuple):
    """What a move adds to a balance, in micro-USDT, and the move's stored time (Unix seconds)."""

    available_micro: int
    held_micro: int
    at: int


@dataclass(frozen=True, slots=True)
class Write:
    """One action of TransactWriteItems; `lost` creates the error of its failed condition.

    `lost` receives the item in the table, or None if DynamoDB does not return it. By default it is
    ChangedMeanwhile.
    """

    action: Mapping[str, Any]
    lost: Lost

    @classmethod
    def put(
        cls, table: str, item: Item, condition: str, lost: Lost = changed, **parts: Unpack[Parts]
    ) -> Self:
        """Write a whole item."""
        what = {"TableName": table, "Item": to_item(item)}
        return cls._made("Put", what, condition, lost, parts)

    @classmethod
    def update(
        cls,
        table: str,
        key: Mapping[str, Value],
        update: str,
        condition: str,
        lost: Lost = changed,
        **parts: Unpack[Parts],
    ) -> Self:
        """Update an item."""
        what = {"TableName": table, "Key": to_item(key), "UpdateExpression": update}
        return cls._made("Update", what, condition, lost, parts)

    @classmethod
    def set(
        cls,
        table: str,
        key: Mapping[str, Value],
        new: Item,
        condition: str,
        lost: Lost = changed,
        *,
        values: Mapping[str, Value],
        removes: str = "",
    ) -> Self:
        """Set attributes of an item, and remove those of `removes`, which are joined by commas."""
        sets = ", ".join(f"#{name} = :{name}" for name in new)
        update = f"SET {sets} REMOVE {removes}" if removes else f"SET {sets}"
        of_new = {f":{name}": value for name, value in new.items()}
        return cls.update(table, key, update, condition, lost, values={**of_new, **values})

    @classmethod
    def delete(
        cls,
        table: str,
        key: Mapping[str, Value],
        condition: str,
        lost: Lost = changed,
        **parts: Unpack[Parts],
    ) -> Self:
        """Delete an item."""
        return cls._made(
            "Delete", {"TableName": table, "Key": to_item(key)}, condition, lost, parts
        )

    @classmethod
    def check(
        cls,
        table: str,
        key: Mapping[str, Value],
        condition: str,
        lost: Lost = changed,
        **parts: Unpack[Parts],
    ) -> Self:
        """Check a condition of an item that the transaction does not write."""
        what = {"TableName": table, "Key": to_item(key)}
        return cls._made("ConditionCheck", what, condition, lost, parts)

    @classmethod
    def _made(
        cls, kind: str, what: dict[str, Any], condition: str, lost: Lost, parts: Parts
    ) -> Self:
        expressions, names = (what.get("UpdateExpression", ""), condition), parts.get("names")
        request = what | expressed(parts.get("values", {}), *expressions, names=names)
        if condition:
            request["ConditionExpression"] = condition
        if parts.get("returns_item"):
            request["ReturnValuesOnConditionCheckFailure"] = "ALL_OLD"
        return cls({kind: request}, lost)

    @classmethod
    def put_new(cls, table: str, key_name: str, item: Item) -> Self:
        """Store a new item. Lost: ChangedMeanwhile, if its key exists."""
        is_new = f"attribute_not_exists({key_name})"
        return cls.put(table, item, is_new)

    @classmethod
    def put_next(
        cls,
        table: str,
        key_name: str,
        item: Item,
        lost: Lost = changed,
        *,
        returns_item: bool = False,
    ) -> Self:
        """Write an item's next state if the stored one has the version before it; 1 is new."""
        version = item["version"]
        assert isinstance(version, int)
        condition, values = f"attribute_not_exists({key_name})", dict[str, Value]()
        if version > 1:
            condition, values = "version = :before", {":before": version - 1}
        return cls.put(table, item, condition, lost, values=values, returns_item=returns_item)

    @classmethod
    def change(cls, table: str, key_name: str, before: Item, after: Item) -> Self:
        """Write the attributes that differ between two states of an item; `version` must differ.

        An attribute whose new value is None is removed. A `before` without a version is an item
        that does not exist yet. Lost: ChangedMeanwhile, if the stored version is another one.
        """
        new = {name: value for name, value in after.items() if value != before.get(name)}
        assert key_name not in new
        assert "version" in new
        marks = {name: f"#a{number}" for number, name in enumerate(new)}
        values: dict[str, Value] = {
            f":{marks[name][1:]}": value for name, value in new.items() if value is not None
        }
        sets = ", ".join(f"#{value[1:]} = {value}" for value in values)
        removes = ", ".join(marks[name] for name, value in new.items() if value is None)
        unchanged = "attribute_not_exists(version)"
        if "version" in before:
            unchanged, values[":version_before"] = "version = :version_before", before["version"]
        update = f"SET {sets} REMOVE {removes}" if removes else f"SET {sets}"
        names = {mark: name for name, mark in marks.items()}
        key = {key_name: before[key_name]}
        return cls.update(table, key, update, unchanged, values=values, names=names)

    @classmethod
    def add(
        cls,
        table: str,
        key: Mapping[str, Value],
        changes: Mapping[str, int],
        lost: Lost,
        *,
        unbounded: Mapping[str, Value] | None = None,
        condition: str = "",
        clauses: str = "",
        values: Mapping[str, Value] | None = None,
        returns_item: bool = False,
    ) -> Self:
        """Add to the numbers of an item; a condition keeps those of `changes` at zero or above.

        `unbounded`: numbers and sets to add without that condition.
        `condition`, `clauses`: a further condition, and further clauses of the update, with
        `values`. The condition is joined by AND, so it may have an OR only if `changes` lowers
        nothing.
        `returns_item`: pass the stored item to `lost`.
        """
        lowered = {name: -amount for name, amount in changes.items() if amount < 0}
        added = {**changes, **(unbounded or {})}
        adds = ", ".join(f"{name} :{name}" for name in added)
        enough = [f"{name} >= :least_{name}" for name in lowered]
        return cls.update(
            table,
            key,
            f"ADD {adds} {clauses}".strip(),
            " AND ".join([*([condition] if condition else []), *enough]),
            lost,
            values={
                **{f":{name}": amount for name, amount in added.items()},
                **{f":least_{name}": least for name, least in lowered.items()},
                **(values or {}),
            },
            returns_item=returns_item,
        )

    @classmethod
    def balance(
        cls,
        table: str,
        key: Mapping[str, Value],
        moved: Shift,
        lost: Lost,
        *,
        counted: Mapping[str, int] | None = None,
        unbounded: Mapping[str, Value] | None = None,
        is_bounded: bool = True,
        **more: Any,
    ) -> Self:
        """Add to a balance and the sums of its window, and to `counted` numbers of its item.

        None of them may fall below zero. If not `is_bounded`, the balance may; `unbounded` numbers
        may, too. `more` as in `add`. No other function changes a balance.
        """
        balance = {"available_micro": moved.available_micro, "held_micro": moved.held_micro}
        bounded, free = (balance, {}) if is_bounded else ({}, balance)
        changes, sums = {**bounded, **(counted or {})}, parity_sums(*moved)
        unbounded = {**free, **sums, **(unbounded or {})}
        return cls.add(table, key, changes, lost, unbounded=unbounded, **more)


def if_also(write: Write, condition: str, values: Mapping[str, Value], lost: Lost) -> Write:
    """Add a condition to an update that has one. AND joins them, so neither may have an OR."""
    update = write.action["Update"]
    more = {
        "ConditionExpression": f"{update['ConditionExpression']} AND {condition}",
        "ExpressionAttributeValues": update["ExpressionAttributeValues"] | to_item(values),
        "ReturnValuesOnConditionCheckFailure": "ALL_OLD",
    }
    return Write({"Update": {**update, **more}}, lost)


class Unmet(OrderdeskError):
    """A condition failed; `item` is the stored item, if the write returns it and there is one."""

    def __init__(self, item: Item | None) -> None:
        super().__init__("a condition failed")
        self.item: Any = item or {}


def transact(client: DynamoDB, writes: Sequence[Write], token: str) -> None:
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


def transact_get(client: DynamoDB, table: str, keys: Sequence[Item]) -> Sequence[Item]:
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


def write_alone(client: DynamoDB, write: Write, returns: str = "NONE") -> Item:
    """Send a write outside of a transaction; it may be sent twice.

    Return the attributes that `returns` names (`ReturnValues`).
    Raises: the error of its failed condition, TryAgain.
    """
    ((kind, request),) = write.action.items()
    send: Any = getattr(client, f"{kind.lower()}_item")
    try:
        answer = call(lambda: send(**request, ReturnValues=returns))
    except ClientError as error:
        if error_code(error) != "ConditionalCheckFailedException":
            raise
        item: Any = error.response.get("Item")
        raise write.lost(from_item(item) if item else None) from None
    return from_item(answer.get("Attributes", {}))
