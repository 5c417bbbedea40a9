"""DynamoDB's refusals, shaped as botocore raises them."""

from collections.abc import Mapping, Sequence
from typing import Any

from botocore.exceptions import ClientError

type Reason = dict[str, Any]

NONE = "None"
CONFLICT = "TransactionConflict"
CONDITION = "ConditionalCheckFailed"
THROTTLED = "ThrottlingError"

_MESSAGES = {
    CONFLICT: "Transaction is ongoing for the item",
    CONDITION: "The conditional request failed",
    THROTTLED: "Throughput exceeds the current capacity of your table or index.",
}
_ALONE = {
    CONFLICT: "TransactionConflictException",
    CONDITION: "ConditionalCheckFailedException",
    THROTTLED: "ProvisionedThroughputExceededException",
}


def reason(code: str, item: Mapping[str, Any] | None = None) -> Reason:
    """Say why one statement was not accepted; `item` where ALL_OLD was asked for."""
    made: Reason = {"Code": code, "Message": _MESSAGES[code]}
    return made if item is None else made | {"Item": item}


def cancelled(reasons: Sequence[Reason | None]) -> ClientError:
    """Cancel a transaction, with a reason for each of its statements by position."""
    told = [{"Code": NONE} if why is None else why for why in reasons]
    codes = ", ".join(why["Code"] for why in told)
    message = (
        f"Transaction cancelled, please refer cancellation reasons for specific reasons [{codes}]"
    )
    return _error(
        "TransactWriteItems", "TransactionCanceledException", message, CancellationReasons=told
    )


def refused(operation: str, why: Reason) -> ClientError:
    """Refuse a request that stands alone."""
    extra = {"Item": why["Item"]} if "Item" in why else {}
    return _error(operation, _ALONE[why["Code"]], why["Message"], **extra)


def _error(operation: str, code: str, message: str, **extra: Any) -> ClientError:
    answer: Any = {"Error": {"Code": code, "Message": message}, **extra}
    return ClientError(answer, operation)
