"""A different sum arrived for a buy: a merchant's term, and the order priced for it (section 6)."""

import re
from dataclasses import replace
from enum import StrEnum
from typing import NamedTuple

from orderdesk.domain.orders.order import Order
from orderdesk.domain.orders.order_errors import AmountOutOfRange, StateConflict, UnfitSum
from orderdesk.domain.pricing import OrderType, quote

MOST_TIMES = 2
"""At most how many times the asked amount a sum may be."""

_TERM = re.compile(r"(?P<rule>no|operator|agreed)(?::(?P<percent>[1-9][0-9]?|100))?\Z")
_WHOLE = 100


class SumRule(StrEnum):
    """Who may complete a buy with another sum than the asked one."""

    NO = "no"
    OPERATOR = "operator"
    AGREED = "agreed"


class OtherSums(NamedTuple):
    """A merchant's term `other_sums`; `percent` is the share of AGREED, and 0 otherwise.

    Operators may decide wherever the payer's agreement may.
    """

    rule: SumRule
    percent: int = 0

    @property
    def is_allowed(self) -> bool:
        """Whether another sum may be reported and completed."""
        match self.rule:
            case SumRule.NO:
                return False
            case SumRule.OPERATOR | SumRule.AGREED:
                return True

    def completes_agreed(self, order: Order) -> bool:
        """Return whether its payer's agreement to the reported sum completes the order."""
        if self.rule is not SumRule.AGREED or order.sums.reported_fen is None:
            return False
        distance = abs(order.sums.reported_fen - order.asked_fen)
        return distance * _WHOLE <= self.percent * order.asked_fen


def other_sums_of(text: str) -> OtherSums | None:
    """Parse `no`, `operator` or `agreed:PERCENT` with 1 to 100 percent; None for another text."""
    found = _TERM.match(text)
    if found is None:
        return None
    rule, percent = SumRule(found["rule"]), found["percent"]
    is_whole = (percent is not None) is (rule is SumRule.AGREED)
    return OtherSums(rule, int(percent or 0)) if is_whole else None


def priced_for(order: Order, fen: int) -> Order:
    """Return a buy priced again for a sum in fen, at its own stored rate and fees.

    Its own amount changes nothing.
    Raises: UnfitSum; StateConflict for a sell; AmountOutOfRange if the fees would leave nothing.
    """
    if order.order_type is not OrderType.BUY:
        raise StateConflict(order.status.value)
    if not 0 < fen <= MOST_TIMES * order.asked_fen:
        raise UnfitSum
    if fen == order.quote.cny_fen:
        return order
    priced = quote(order.order_type, fen, order.base_rate.rate_e4, order.fees)
    if priced.merchant_actual_micro <= 0:
        raise AmountOutOfRange
    sums = replace(order.sums, requested_fen=order.asked_fen, held_fen=order.quote.cny_fen)
    return replace(order, quote=priced, sums=sums)


def missing_micro(order: Order) -> int:
    """Return what a buy's trader must hold in addition for its sum, in micro-USDT; 0 if nothing."""
    return max(0, order.quote.trader_micro - order.held_quote.trader_micro)
