"""Conditional transactions: statements that know what it means when their condition fails."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from botocore.exceptions import ClientError

from orderdesk.adapters.dynamodb.marshal import Item, from_item
from orderdesk.adapters.sending import error_code, persistently
from orderdesk.domain.errors import Contended, OrderdeskError, Throttled

if TYPE_CHECKING:
    from mypy_boto3_dynamodb import DynamoDBClient

CONDITION_FAILED = "ConditionalCheckFailed"
_CONFLICT = "TransactionConflict"
_THROTTLED = frozenset({"ThrottlingError", "ProvisionedThroughputExceeded"})


@dataclass(frozen=True, slots=True)
class Statement:
    """One write of a transaction; `lost` makes the error of its failed condition from the item."""

    write: Mapping[str, Any]
    lost: Callable[[Item | None], OrderdeskError]


def never(what: str) -> Callable[[Item | None], OrderdeskError]:
    """Say that a condition cannot fail unless there is a bug."""

    def lost(_: Item | None) -> OrderdeskError:
        return OrderdeskError(f"impossible condition failure: {what}")

    return lost


def transact(client: "DynamoDBClient", statements: Sequence[Statement], token: str) -> None:
    """Write all statements or none; `token` lets an unanswered one be sent again.

    Raises: the error of the first statement, in the given order, whose condition failed; else
    Contended, Throttled or TryAgain. The reasons are read by position, as DynamoDB gives them.
    """
    try:
        persistently(
            lambda: client.transact_write_items(
                TransactItems=[statement.write for statement in statements],  # type: ignore[misc]
                ClientRequestToken=token,
            )
        )
    except ClientError as error:
        if error_code(error) != "TransactionCanceledException":
            raise
        raise _meaning(error, statements) from None


def _meaning(error: ClientError, statements: Sequence[Statement]) -> Exception:
    reasons: list[dict[str, Any]] = error.response.get("CancellationReasons", [])  # type: ignore[assignment]
    for statement, reason in zip(statements, reasons, strict=True):
        if reason.get("Code") == CONDITION_FAILED:
            item = reason.get("Item")
            return statement.lost(from_item(item) if item else None)
    codes = {reason.get("Code") for reason in reasons}
    if _CONFLICT in codes:
        return Contended()
    if codes & _THROTTLED:
        return Throttled()
    return error
