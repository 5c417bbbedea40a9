"""The refusals of createOrder: code, HTTP status, reason and message."""

from enum import Enum
from http import HTTPStatus
from typing import Any


class Problem(Enum):
    """The reason of a refusal."""

    INVALID_PARAMETER = 1002, HTTPStatus.BAD_REQUEST, "a parameter is missing or malformed"
    AMOUNT_OUT_OF_RANGE = 1003, HTTPStatus.BAD_REQUEST, "the amount is out of the allowed range"
    UNKNOWN_API_KEY = 1101, HTTPStatus.UNAUTHORIZED, "unknown api_key"
    BAD_SIGNATURE = 1102, HTTPStatus.UNAUTHORIZED, "the signature does not match"
    TIMESTAMP_OUT_OF_WINDOW = 1103, HTTPStatus.UNAUTHORIZED, "the timestamp is more than 300 s off"
    NONCE_REUSED = 1104, HTTPStatus.UNAUTHORIZED, "the nonce was used before"
    MERCHANT_SUSPENDED = 1106, HTTPStatus.FORBIDDEN, "the merchant is suspended"
    MERCHANT_ORDER_NO_EXISTS = 2001, HTTPStatus.CONFLICT, "the merchant order number already exists"
    NO_TRADER_AVAILABLE = 2101, HTTPStatus.CONFLICT, "no trader is available for this order"
    IDENTITY_VERIFICATION_FAILED = 2201, HTTPStatus.UNPROCESSABLE_ENTITY, "identity not verified"
    INTERNAL_ERROR = 5000, HTTPStatus.INTERNAL_SERVER_ERROR, "internal error; quote the request id"


class OrderError(Exception):
    """A refusal; `data` has details for the merchant."""

    def __init__(self, problem: Problem, **data: Any) -> None:
        self.code, self.status, self.message = problem.value
        self.reason = problem.name.lower()
        super().__init__(self.message)
        self.data = data
