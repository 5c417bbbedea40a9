"""Why an order cannot be created, found or moved (contract sections 3 to 6)."""

from collections.abc import Callable, Mapping, Sequence
from enum import StrEnum
from types import MappingProxyType
from typing import TYPE_CHECKING

from orderdesk.domain.errors import CommitLost, Refusal, TooManyRequests, TryAgain
from orderdesk.domain.money import format_cny, format_usdt
from orderdesk.domain.orders.open_orders import OpenLimit
from orderdesk.domain.pricing import ByType, OrderType

if TYPE_CHECKING:
    from orderdesk.domain.orders.drafts import Reservation


class AmountOutOfRange(Refusal, reason="amount_out_of_range"):
    """The amount is outside these limits of the merchant, or without them: the fees leave nothing.

    Contract section 5.
    """

    def __init__(self, min_cny: str | None = None, max_cny: str | None = None) -> None:
        super().__init__(min_cny=min_cny, max_cny=max_cny)


class MerchantOrderNoExists(Refusal, reason="merchant_order_no_exists"):
    """The merchant already used this merchant_order_no; carries the first order's number.

    The number is a pending_no if a draft reserved it. Both are None if the key of the call does not
    reach the first order. `same` is whether the first request had the same type, amount, mode and
    method; None if that is not on record.
    """

    def __init__(
        self, *, order_no: str | None = None, pending_no: str | None = None, same: bool | None
    ) -> None:
        draft = pending_no if order_no is None else None
        super().__init__(order_no=order_no, pending_no=draft, same=same)
        self.order_no = order_no
        self.same = same


class OrderNotFound(Refusal, reason="order_not_found"):
    """There is no such order or draft, or it belongs to another merchant."""


class StateConflict(Refusal, reason="state_conflict"):
    """The order's status does not allow the move; carries the status."""

    def __init__(self, status: str, **data: object) -> None:
        super().__init__(status, status=status, **data)
        self.status = status


class NotRefundable(Refusal, reason="state_conflict"):
    """The buy may not refund the amount; carries its status, and what is left in CNY."""

    def __init__(self, status: str, left_fen: int) -> None:
        super().__init__(status, status=status, refundable_cny_amount=format_cny(left_fen))


class SumUncovered(StateConflict):
    """The trader has not the USDT that a larger sum needs in addition; carries how much.

    Nothing was changed.
    """

    def __init__(self, status: str, micro: int) -> None:
        super().__init__(status, missing_usdt=format_usdt(micro))


class UnfitSum(Refusal, reason="invalid_parameter"):
    """The sum that arrived is not more than 0 and at most twice what was asked (section 6)."""

    problem = "must be another sum, greater than 0 and at most twice what was asked"

    def __init__(self) -> None:
        super().__init__(fields=[{"field": "amount", "problem": self.problem}])


class NoTraderAvailable(Refusal, reason="no_trader_available"):
    """No trader fits a buy. Nothing was stored; the merchant_order_no stays free.

    `nearby_fen` are near amounts that were free; None if more than the amount was in the way.
    """

    def __init__(self, nearby_fen: Sequence[int] | None = None) -> None:
        super().__init__(nearby=None if nearby_fen is None else [*map(format_cny, nearby_fen)])


class OpenLimitReached(Refusal, reason="open_limit_reached"):
    """The merchant's open buys reach a limit.

    Nothing was stored; the merchant_order_no stays free.
    """

    def __init__(self, limit: OpenLimit) -> None:
        super().__init__(limit.value, limit=limit.value)


class OpenSellLimitReached(OpenLimitReached, reason="open_sell_limit_reached"):
    """The merchant's open sells reach a limit.

    Nothing was stored; the merchant_order_no stays free.
    """


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


class RefusedByDesk(Refusal, reason="refused_by_desk"):
    """A block list or a limit of a day refused the payer or payee; nothing was stored.

    The answer does not say which rule, so that nobody can try out the lists (contract section 3,
    2106). The merchant's developers see the rule at the portal, and never whose it is.
    """

    def __init__(self, rule: DeskRule | None = None) -> None:
        super().__init__()
        self.rule = rule


class InsufficientBalance(Refusal, reason="insufficient_balance"):
    """The merchant's available USDT does not cover a sell."""


class RateUnavailable(Refusal, reason="rate_unavailable"):
    """There is no base rate for the side, or it is older than allowed."""


class IdentityVerificationFailed(Refusal, reason="identity_verification_failed"):
    """A sell under an agreement lacks identity data, or the provider rejected the identity."""


class IdentityProviderUnavailable(Refusal, reason="identity_provider_unavailable"):
    """The identity provider did not answer for a sell under an agreement; safe to retry."""


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


class TooManyReceipts(Refusal, reason="invalid_parameter"):
    """The order already has the maximum number of receipts (contract section 8)."""


class ProofMissing(Refusal, reason="invalid_parameter"):
    """The trader's confirmation, or the payer's report of a payment, needs a receipt."""


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
    """The merchant_order_no is reserved; carries the reservation that has it, None if unknown."""

    def __init__(self, owner: "Reservation | None") -> None:
        super().__init__()
        self.owner = owner


class OrderIdTaken(CommitLost):
    """Two orders drew the same number in the same millisecond; the caller draws again."""


class NumberLost(CommitLost):
    """The draft expired, and another order or draft took its merchant_order_no."""
