"""What createOrder refuses, each with its code, HTTP status and reason."""

from http import HTTPStatus
from typing import Any, ClassVar


class OrderError(Exception):
    """A refusal that the merchant is told; `data` says what helps to act on it."""

    code: ClassVar[int]
    status: ClassVar[HTTPStatus]
    reason: ClassVar[str]
    message: ClassVar[str]

    def __init__(self, **data: Any) -> None:
        super().__init__(self.message)
        self.data = data


class InvalidParameter(OrderError):
    """A parameter is missing or malformed."""

    code, status = 1002, HTTPStatus.BAD_REQUEST
    reason, message = "invalid_parameter", "a parameter is missing or malformed"


class AmountOutOfRange(OrderError):
    """The amount is outside what the merchant's agreement allows."""

    code, status = 1003, HTTPStatus.BAD_REQUEST
    reason, message = "amount_out_of_range", "the amount is out of the allowed range"


class UnknownApiKey(OrderError):
    """There is no such key."""

    code, status = 1101, HTTPStatus.UNAUTHORIZED
    reason, message = "unknown_api_key", "unknown api_key"


class BadSignature(OrderError):
    """The signature is not the body's."""

    code, status = 1102, HTTPStatus.UNAUTHORIZED
    reason, message = "bad_signature", "the signature does not match"


class TimestampOutOfWindow(OrderError):
    """The request is too old, or from the future."""

    code, status = 1103, HTTPStatus.UNAUTHORIZED
    reason = "timestamp_out_of_window"
    message = "the timestamp is more than 300 s from the server's"


class NonceReused(OrderError):
    """The nonce was used before."""

    code, status = 1104, HTTPStatus.UNAUTHORIZED
    reason, message = "nonce_reused", "the nonce was used before"


class MerchantSuspended(OrderError):
    """The merchant may not call."""

    code, status = 1106, HTTPStatus.FORBIDDEN
    reason, message = "merchant_suspended", "the merchant is suspended"


class MerchantOrderNoExists(OrderError):
    """The merchant used this number before."""

    code, status = 2001, HTTPStatus.CONFLICT
    reason, message = "merchant_order_no_exists", "the merchant order number already exists"


class NoTraderAvailable(OrderError):
    """Nobody online takes this amount by this method."""

    code, status = 2101, HTTPStatus.CONFLICT
    reason, message = "no_trader_available", "no trader is available for this order"


class InternalError(OrderError):
    """Something nobody expected."""

    code, status = 5000, HTTPStatus.INTERNAL_SERVER_ERROR
    reason, message = "internal_error", "internal error; quote the request id"
