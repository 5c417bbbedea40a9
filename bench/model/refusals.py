"""DynamoDB's refusals, shaped as botocore raises them."""

from collections.abc import Mapping, Sequence
from typing import Any

from botocore.exceptions import ClientError

type Reason = dict[str, Any]

NONE = "None"
CONFLICT = "TransactionConflict"
CONDITION = "ConditionalCheckFailed"
THROTTLED = "ThrottlingError"

_TOLD = {
    CONFLICT: ("TransactionConflictException", "Transaction is ongoing for the item"),
    CONDITION: ("ConditionalCheckFailedException", "The conditional request failed"),
    THROTTLED: (
        "ProvisionedThroughputExceededException",
        "Throughput exceeds the current capacity of your table or index.",
    ),
}
"""The code where the request stands alone, and the message."""


def reason(code: str, item: Mapping[str, Any] | None = None) -> Reason:
    """Say why one statement was not accepted; `item` where ALL_OLD was asked for."""
    made: Reason = {"Code": code, "Message": _TOLD[code][1]}
    return made if item is None else made | {"Item": item}


def cancelled(reasons: Sequence[Reason | None]) -> ClientError:
    """Cancel a transaction, with a reason for each of its statements by position."""
    told = [{"Code": NONE} if why is None else why for why in reasons]
    codes = ", ".join(why["Code"] for why in told)
    message = "Transaction cancelled, please refer cancellation reasons for specific reasons"
    error = {"Code": "TransactionCanceledException", "Message": f"{message} [{codes}]"}
    answer: Any = {"Error": error, "CancellationReasons": told}
    return ClientError(answer, "TransactWriteItems")


def refused(operation: str, why: Reason) -> ClientError:
    """Refuse a request that stands alone."""
    error = {"Code": _TOLD[why["Code"]][0], "Message": why["Message"]}
    answer: Any = {"Error": error, **{name: why[name] for name in why if name == "Item"}}
    return ClientError(answer, operation)
