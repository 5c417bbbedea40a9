"""DynamoDB's errors in the form in which botocore raises them, without messages."""

from collections.abc import Mapping, Sequence
from typing import Any

from botocore.exceptions import ClientError

type Reason = dict[str, Any]

NONE = "None"
CONFLICT = "TransactionConflict"
CONDITION = "ConditionalCheckFailed"
THROTTLED = "ThrottlingError"


def reason(code: str, item: Mapping[str, Any] | None = None) -> Reason:
    """Return the cancellation reason of one statement; `item` if ALL_OLD was requested."""
    return {"Code": code} if item is None else {"Code": code, "Item": item}


def cancelled(reasons: Sequence[Reason | None]) -> ClientError:
    """Return the error of a cancelled transaction, with a reason for each statement by position."""
    listed = [reason(NONE) if why is None else why for why in reasons]
    error = {"Code": "TransactionCanceledException"}
    answer: Any = {"Error": error, "CancellationReasons": listed}
    return ClientError(answer, "TransactWriteItems")


def throttled(operation: str) -> ClientError:
    return ClientError({"Error": {"Code": "ProvisionedThroughputExceededException"}}, operation)
