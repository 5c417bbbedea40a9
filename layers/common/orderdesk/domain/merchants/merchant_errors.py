"""Refusals of a merchant's call before its parameters are read (contract sections 2 and 3)."""

from orderdesk.domain.errors import Refusal


class UnknownApiKey(Refusal, reason="unknown_api_key"):
    """No such key, or the key is disabled."""


class NotAllowedByKey(Refusal, reason="not_allowed_by_key"):
    """The key's scope does not allow this route, or this type of order."""


class BadSignature(Refusal, reason="bad_signature"):
    """No active secret of the merchant matches the signature.

    At the test route it carries the beginning of the text that the server signed (contract section
    2).
    """

    def __init__(self, string_to_sign: str | None = None) -> None:
        super().__init__(string_to_sign=string_to_sign)


class TimestampOutOfWindow(Refusal, reason="timestamp_out_of_window"):
    """More than 300 s from the server's clock; carries `server_time` in Unix seconds."""

    def __init__(self, server_time: int) -> None:
        super().__init__(server_time=server_time)


class NonceReused(Refusal, reason="nonce_reused"):
    """The api_key used this nonce within the last 600 s."""


class IpNotAllowed(Refusal, reason="ip_not_allowed"):
    """The merchant lists CIDRs and the caller's address is in none of them."""


class MerchantSuspended(Refusal, reason="merchant_suspended"):
    """The operator suspended the merchant."""
