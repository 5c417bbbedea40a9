"""Refusals of a merchant's call before its parameters are read (contract sections 2 and 3)."""

from orderdesk.domain.errors import Refusal


class UnknownApiKey(Refusal):
    """No such key, or the key is disabled."""

    reason = "unknown_api_key"


class NotAllowedByKey(Refusal):
    """The key's scope does not allow this route, or this type of order."""

    reason = "not_allowed_by_key"


class BadSignature(Refusal):
    """No active secret of the merchant matches the signature.

    At the test route it carries the beginning of the text that the server signed (contract section
    2).
    """

    reason = "bad_signature"

    def __init__(self, string_to_sign: str | None = None) -> None:
        super().__init__()
        self.string_to_sign = string_to_sign

    def data(self) -> dict[str, object]:
        return {} if self.string_to_sign is None else {"string_to_sign": self.string_to_sign}


class TimestampOutOfWindow(Refusal):
    """More than 300 s from the server's clock; carries `server_time` in Unix seconds."""

    reason = "timestamp_out_of_window"

    def __init__(self, server_time: int) -> None:
        super().__init__()
        self.server_time = server_time

    def data(self) -> dict[str, object]:
        return {"server_time": self.server_time}


class NonceReused(Refusal):
    """The api_key used this nonce within the last 600 s."""

    reason = "nonce_reused"


class IpNotAllowed(Refusal):
    """The merchant lists CIDRs and the caller's address is in none of them."""

    reason = "ip_not_allowed"


class MerchantSuspended(Refusal):
    """The operator suspended the merchant."""

    reason = "merchant_suspended"
