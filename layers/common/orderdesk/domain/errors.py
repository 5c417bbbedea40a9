"""What orderdesk refuses, as exceptions.

OrderdeskError
    Refusal                         an expected answer; `reason` is the slug of contract section 3
        InvalidBody                 not JSON, not an object, duplicate names
            BodyTooLarge
            WrongContentType
        InvalidParameters
        AmountOutOfRange
        UnknownApiKey
        BadSignature
        TimestampOutOfWindow
        NonceReused
        IpNotAllowed
        MerchantSuspended
        MerchantOrderNoExists
        OrderNotFound
        StateConflict
        NoTraderAvailable
        InsufficientBalance
        RateUnavailable
        IdentityVerificationFailed
        IdentityProviderUnavailable
        UnknownRoute
        TooManyReceipts
        ProofMissing
        TooManyRequests
        TryAgain
    CommitLost                      a conditional write lost; the use case decides what follows
        ClaimLost
        HoldLost
        CoverLost
        NumberTaken
        OrderIdTaken
        ChangedMeanwhile
        NumberLost
        Contended
        Throttled

Codes, HTTP statuses and message texts belong to the web floor: one table there maps each reason.
"""

from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar

if TYPE_CHECKING:
    from orderdesk.domain.traders import Trader


class OrderdeskError(Exception):
    """Root of everything orderdesk raises on purpose."""


class Refusal(OrderdeskError):
    """An expected refusal: answered with its code, logged without a stack trace."""

    reason: ClassVar[str]

    def data(self) -> dict[str, object]:
        """Give what the envelope's `data` carries beside the reason."""
        return {}


class InvalidBody(Refusal):
    """The body is no JSON object, or repeats a name (contract section 3, 1001)."""

    reason = "invalid_body"


class BodyTooLarge(InvalidBody):
    """The body is longer than 64 KiB (contract section 1)."""


class WrongContentType(InvalidBody):
    """The content type is not `application/json` (contract section 1)."""


@dataclass(frozen=True, slots=True)
class FieldProblem:
    """One bad field: its dotted name and what is wrong with it, never its value."""

    field: str
    problem: str


class InvalidParameters(Refusal):
    """Missing or malformed parameters; lists all of them at once (contract section 3, 1002)."""

    reason = "invalid_parameter"

    def __init__(self, problems: list[FieldProblem]) -> None:
        super().__init__(", ".join(p.field for p in problems))
        self.problems = problems

    def data(self) -> dict[str, object]:
        return {"fields": [{"field": p.field, "problem": p.problem} for p in self.problems]}


class AmountOutOfRange(Refusal):
    """Outside the merchant's range (carried), or nothing would be left after fees (none is).

    Contract section 5.
    """

    reason = "amount_out_of_range"

    def __init__(self, allowed_cny: tuple[str, str] | None = None) -> None:
        super().__init__()
        self.allowed_cny = allowed_cny

    def data(self) -> dict[str, object]:
        if self.allowed_cny is None:
            return {}
        return dict(zip(("min_cny", "max_cny"), self.allowed_cny, strict=True))


class UnknownApiKey(Refusal):
    """No such key, or the key is disabled."""

    reason = "unknown_api_key"


class BadSignature(Refusal):
    """No active secret of the merchant gives this signature."""

    reason = "bad_signature"


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


class MerchantOrderNoExists(Refusal):
    """The merchant used this merchant_order_no before; carries the first one's number."""

    reason = "merchant_order_no_exists"

    def __init__(self, *, order_no: str | None = None, pending_no: str | None = None) -> None:
        super().__init__()
        self.order_no = order_no
        self.pending_no = pending_no

    def data(self) -> dict[str, object]:
        if self.order_no is not None:
            return {"order_no": self.order_no}
        return {"pending_no": self.pending_no}


class OrderNotFound(Refusal):
    """No such order or draft, or another merchant's."""

    reason = "order_not_found"


class StateConflict(Refusal):
    """The order's status does not allow the move; carries the status."""

    reason = "state_conflict"

    def __init__(self, status: str) -> None:
        super().__init__(status)
        self.status = status

    def data(self) -> dict[str, object]:
        return {"status": self.status}


class NoTraderAvailable(Refusal):
    """Buy: no trader fits. Nothing was stored, the merchant_order_no stays free."""

    reason = "no_trader_available"


class InsufficientBalance(Refusal):
    """Sell: the merchant's available USDT does not cover the order."""

    reason = "insufficient_balance"


class RateUnavailable(Refusal):
    """No base rate for the side, or it is older than allowed."""

    reason = "rate_unavailable"


class IdentityVerificationFailed(Refusal):
    """Sell under an agreement: identity data missing, or the provider says no."""

    reason = "identity_verification_failed"


class IdentityProviderUnavailable(Refusal):
    """Sell under an agreement: the provider does not answer; safe to retry."""

    reason = "identity_provider_unavailable"


class UnknownRoute(Refusal):
    """No such path, or not with this method."""

    reason = "unknown_route"


class TooManyReceipts(Refusal):
    """The order has as many receipts as it may have (contract section 8)."""

    reason = "invalid_parameter"


class ProofMissing(Refusal):
    """A trader confirms a payment without a proof of it (contract section 6)."""

    reason = "invalid_parameter"


class TooManyRequests(Refusal):
    """More attempts than a page allows in a window; carries when the next one begins."""

    reason = "too_many_requests"

    def __init__(self, retry_after_seconds: int) -> None:
        super().__init__()
        self.retry_after_seconds = retry_after_seconds


class TryAgain(Refusal):
    """The store stayed contended or throttled; safe to retry with the same merchant_order_no."""

    reason = "try_again"


class CommitLost(OrderdeskError):
    """A conditional transaction did not commit: nothing of it was written."""


class ClaimLost(CommitLost):
    """The trader changed since it was read; `trader` is its present state where known."""

    def __init__(self, trader: "Trader | None") -> None:
        super().__init__()
        self.trader = trader


class HoldLost(CommitLost):
    """The merchant's available USDT does not cover the hold."""


class CoverLost(CommitLost):
    """The trader's available USDT does not cover a late payment."""


class NumberTaken(CommitLost):
    """The merchant_order_no is reserved; carries by which order or draft."""

    def __init__(self, *, order_no: str | None = None, pending_no: str | None = None) -> None:
        super().__init__()
        self.order_no = order_no
        self.pending_no = pending_no


class OrderIdTaken(CommitLost):
    """Two orders drew the same number in the same millisecond; draw again."""


class ChangedMeanwhile(CommitLost):
    """Somebody else changed the item since it was read: read it and decide again."""


class NumberLost(CommitLost):
    """The merchant_order_no is no longer this draft's: its life was over, another took it."""


class Contended(CommitLost):
    """Another transaction held one of the items (TransactionConflict)."""


class Throttled(CommitLost):
    """The store refused for capacity; back off."""
