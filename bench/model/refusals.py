"""DynamoDB's errors in the form in which botocore raises them."""

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


def reason(code: str, item: Mapping[str, Any] | None = None) -> Reason:
    """Return the cancellation reason of one statement; `item` if ALL_OLD was requested."""
    made: Reason = {"Code": code, "Message": _MESSAGES[code]}
    return made if item is None else made | {"Item": item}


def cancelled(reasons: Sequence[Reason | None]) -> ClientError:
    """Return the error of a cancelled transaction, with a reason for each statement by position."""
    listed = [{"Code": NONE} if why is None else why for why in reasons]
    codes = ", ".join(why["Code"] for why in listed)
    message = "Transaction cancelled, please refer cancellation reasons for specific reasons"
    error = {"Code": "TransactionCanceledException", "Message": f"{message} [{codes}]"}
    answer: Any = {"Error": error, "CancellationReasons": listed}
    return ClientError(answer, "TransactWriteItems")


def throttled(operation: str) -> ClientError:
    code = "ProvisionedThroughputExceededException"
    return ClientError({"Error": {"Code": code, "Message": _MESSAGES[THROTTLED]}}, operation)
