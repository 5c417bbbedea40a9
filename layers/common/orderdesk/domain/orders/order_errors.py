"""Why an order cannot be created, found or moved (contract sections 3 to 6)."""

from collections.abc import Callable, Mapping, Sequence
from enum import StrEnum
from types import MappingProxyType

from orderdesk.domain.errors import CommitLost, Refusal, TooManyRequests, TryAgain
from orderdesk.domain.modes import Mode
from orderdesk.domain.money import format_cny, format_usdt
from orderdesk.domain.orders.open_orders import OpenLimit
from orderdesk.domain.pricing import ByType, OrderType


class AmountOutOfRange(Refusal):
    """The amount is outside the merchant's limits, or the fees would leave nothing.

    `allowed_cny` has the limits in the first case and is None in the second. Contract section 5.
    """

    reason = "amount_out_of_range"

    def __init__(self, allowed_cny: tuple[str, str] | None = None) -> None:
        super().__init__()
        self.allowed_cny = allowed_cny

    def data(self) -> dict[str, object]:
        if self.allowed_cny is None:
            return {}
        return dict(zip(("min_cny", "max_cny"), self.allowed_cny, strict=True))


class MerchantOrderNoExists(Refusal):
    """The merchant already used this merchant_order_no; carries the first order's number.

    The number is a pending_no if a draft reserved it. Both are None if the key of the call does not
    reach the first order. `same` is whether the first request had the same type, amount, mode and
    method; None if that is not on record.
    """

    reason = "merchant_order_no_exists"

    def __init__(
        self, *, order_no: str | None = None, pending_no: str | None = None, same: bool | None
    ) -> None:
        super().__init__()
        self.order_no = order_no
        self.pending_no = pending_no
        self.same = same

    def data(self) -> dict[str, object]:
        same: dict[str, object] = {} if self.same is None else {"same": self.same}
        if self.order_no is not None:
            return {"order_no": self.order_no, **same}
        return same if self.pending_no is None else {"pending_no": self.pending_no, **same}


class OrderNotFound(Refusal):
    """There is no such order or draft, or it belongs to another merchant."""

    reason = "order_not_found"


class StateConflict(Refusal):
    """The order's status does not allow the move; carries the status."""

    reason = "state_conflict"

    def __init__(self, status: str) -> None:
        super().__init__(status)
        self.status = status

    def data(self) -> dict[str, object]:
        return {"status": self.status}


class NotRefundable(Refusal):
    """The buy may not refund the amount; carries its status, and what is left in CNY."""

    reason = "state_conflict"

    def __init__(self, status: str, left_fen: int) -> None:
        super().__init__(status)
        self.status = status
        self.left_fen = left_fen

    def data(self) -> dict[str, object]:
        return {"status": self.status, "refundable_cny_amount": format_cny(self.left_fen)}


class SumUncovered(StateConflict):
    """The trader has not the USDT that a larger sum needs in addition; carries it, in micro-USDT.

    Nothing was changed.
    """

    def __init__(self, status: str, micro: int) -> None:
        super().__init__(status)
        self.missing_micro = micro

    def data(self) -> dict[str, object]:
        return {**super().data(), "missing_usdt": format_usdt(self.missing_micro)}


class UnfitSum(Refusal):
    """The sum that arrived is not more than 0 and at most twice what was asked (section 6)."""

    reason = "invalid_parameter"
    problem = "must be another sum, greater than 0 and at most twice what was asked"

    def data(self) -> dict[str, object]:
        return {"fields": [{"field": "amount", "problem": self.problem}]}


class NoTraderAvailable(Refusal):
    """No trader fits a buy. Nothing was stored; the merchant_order_no stays free.

    `nearby_fen` are near amounts that were free; None if more than the amount was in the way.
    """

    reason = "no_trader_available"

    def __init__(self, nearby_fen: Sequence[int] | None = None) -> None:
        super().__init__()
        self.nearby_fen = nearby_fen

    def data(self) -> dict[str, object]:
        if self.nearby_fen is None:
            return {}
        return {"nearby": [format_cny(fen) for fen in self.nearby_fen]}


class OpenLimitReached(Refusal):
    """The merchant's open buys reach a limit.

    Nothing was stored; the merchant_order_no stays free.
    """

    reason = "open_limit_reached"

    def __init__(self, limit: OpenLimit) -> None:
        super().__init__(limit.value)
        self.limit = limit

    def data(self) -> dict[str, object]:
        return {"limit": self.limit.value}


class OpenSellLimitReached(OpenLimitReached):
    """The merchant's open sells reach a limit.

    Nothing was stored; the merchant_order_no stays free.
    """

    reason = "open_sell_limit_reached"


def limit_refusal(order_type: OrderType) -> type[OpenLimitReached]:
    """Return the refusal of an order of this type by its merchant's limits."""
    return ByType(buy=OpenLimitReached, sell=OpenSellLimitReached)[order_type]


class DeskRule(StrEnum):
    """What the desk refused an order by: a block of this kind, or the limit of a day."""

    CARD = "card"
    ACCOUNT = "account"
    ID_CARD = "id-card"
    MOBILE = "mobile"
    PAYEE = "payee"
    DAY = "day"


class RefusedByDesk(Refusal):
    """A block list or a limit of a day refused the payer or payee; nothing was stored.

    The answer does not say which rule, so that nobody can try out the lists (contract section 3,
    2106). The merchant's developers see the rule at the portal, and never whose it is.
    """

    reason = "refused_by_desk"

    def __init__(self, rule: DeskRule | None = None) -> None:
        super().__init__()
        self.rule = rule


class InsufficientBalance(Refusal):
    """The merchant's available USDT does not cover a sell."""

    reason = "insufficient_balance"


class RateUnavailable(Refusal):
    """There is no base rate for the side, or it is older than allowed."""

    reason = "rate_unavailable"


class IdentityVerificationFailed(Refusal):
    """A sell under an agreement lacks identity data, or the provider rejected the identity."""

    reason = "identity_verification_failed"


class IdentityProviderUnavailable(Refusal):
    """The identity provider did not answer for a sell under an agreement; safe to retry."""

    reason = "identity_provider_unavailable"


_PROVOKED: Mapping[str, Callable[[], Refusal]] = MappingProxyType(
    {
        "-1201": lambda: TooManyRequests(retry_after_seconds=1),
        "-2101": NoTraderAvailable,
        "-2102": InsufficientBalance,
        "-2103": RateUnavailable,
        "-2104": lambda: OpenLimitReached(OpenLimit.BUYS),
        "-2105": lambda: OpenSellLimitReached(OpenLimit.SELLS),
        "-2106": RefusedByDesk,
        "-2202": IdentityProviderUnavailable,
        "-5001": TryAgain,
    }
)


def provoked_refusal(merchant_order_no: str | None) -> Refusal | None:
    """Return the refusal that a number's ending provokes at the test route, or None.

    An ending is a code of contract section 3. It has an effect only with a test key.
    """
    ending = (merchant_order_no or "")[-len("-1201") :]
    refusal = _PROVOKED.get(ending)
    return None if refusal is None else refusal()


LOWERED_FEN = 1


def provokes_discount(merchant_order_no: str | None) -> bool:
    """Return whether a number's ending lowers the amount at the test route by LOWERED_FEN."""
    return (merchant_order_no or "").endswith("-lowered")


class TooManyReceipts(Refusal):
    """The order already has the maximum number of receipts (contract section 8)."""

    reason = "invalid_parameter"


class ProofMissing(Refusal):
    """The trader's confirmation, or the payer's report of a payment, needs a receipt."""

    reason = "invalid_parameter"


class ShareFull(CommitLost):
    """A counter's share of a merchant's limits has no room for the order; carries the limit."""

    def __init__(self, limit: OpenLimit) -> None:
        super().__init__()
        self.limit = limit


class SharesChanged(CommitLost):
    """The counter's share is of other limits than the merchant's terms that were read."""


class HoldLost(CommitLost):
    """The tried shard, or shards, do not cover the hold.

    `is_whole` is whether these were all shards of the merchant.
    """

    def __init__(self, *, is_whole: bool) -> None:
        super().__init__()
        self.is_whole = is_whole


class NumberTaken(CommitLost):
    """The merchant_order_no is reserved; carries the fields of the reservation that has it."""

    def __init__(
        self,
        *,
        order_no: str | None = None,
        pending_no: str | None = None,
        fingerprint: str | None = None,
        mode: Mode | None = None,
    ) -> None:
        super().__init__()
        self.order_no = order_no
        self.pending_no = pending_no
        self.fingerprint = fingerprint
        self.mode = mode


class OrderIdTaken(CommitLost):
    """Two orders drew the same number in the same millisecond; the caller draws again."""


class NumberLost(CommitLost):
    """The draft expired, and another order or draft took its merchant_order_no."""
