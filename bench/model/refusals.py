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


def reason(code: str, item: Mapping[str, Any] | None = None) -> Reason:
    """Say why one statement was not accepted; `item` where ALL_OLD was asked for."""
    made: Reason = {"Code": code, "Message": _MESSAGES[code]}
    return made if item is None else made | {"Item": item}


def cancelled(reasons: Sequence[Reason | None]) -> ClientError:
    """Cancel a transaction, with a reason for each of its statements by position."""
    told = [{"Code": NONE} if why is None else why for why in reasons]
    codes = ", ".join(why["Code"] for why in told)
    message = "Transaction cancelled, please refer cancellation reasons for specific reasons"
    error = {"Code": "TransactionCanceledException", "Message": f"{message} [{codes}]"}
    answer: Any = {"Error": error, "CancellationReasons": told}
    return ClientError(answer, "TransactWriteItems")


def throttled(operation: str) -> ClientError:
    """Refuse a read, which stands alone."""
    code = "ProvisionedThroughputExceededException"
    return ClientError({"Error": {"Code": code, "Message": _MESSAGES[THROTTLED]}}, operation)
