"""The base rate of a side, set by the operator (contract section 5)."""

from orderdesk.domain.audit import differences
from orderdesk.domain.errors import FieldProblem
from orderdesk.domain.money import format_rate
from orderdesk.domain.operators import RateJump, UnacceptableTerms
from orderdesk.domain.pricing import BaseRate, OrderType
from orderdesk.services.operator.actions import Operator
from orderdesk.services.operator.ports import RateBoard

SOURCE = "operator"
CHANGE_PERCENT_MAX = 5
_WHOLE_PERCENT = 100


def set_rate(
    board: RateBoard,
    operator: Operator,
    side: OrderType,
    rate_e4: int,
    reason: str = "",
    *,
    is_confirmed: bool = False,
) -> BaseRate:
    """Set the base rate of a side, CNY per USDT in 1/10 000, as of now.

    Setting the same rate again renews its age. A change of more than 5 % needs `is_confirmed`.
    Raises: UnacceptableTerms, RateJump, NewerRate, TryAgain.
    """
    if rate_e4 <= 0:
        raise UnacceptableTerms([FieldProblem("rate", "must be greater than 0")])

    def attempt() -> BaseRate:
        before = board.rates().get(side)
        if before is not None and not is_confirmed:
            _check_jump(before.rate_e4, rate_e4)
        rate = BaseRate(rate_e4, SOURCE, operator.now())
        details = {"rate": format_rate(rate_e4)}
        if before is not None:
            details = differences({"rate": format_rate(before.rate_e4)}, details) or details
        entry = operator.entry("rate.set", side.name.lower(), reason, details)
        board.set_rate(side, rate, entry, operator.chance.token())
        return rate

    return operator.commit(attempt)


def _check_jump(before_e4: int, after_e4: int) -> None:
    """Refuse a change that is probably a typing error. Raises: RateJump."""
    if abs(after_e4 - before_e4) * _WHOLE_PERCENT > before_e4 * CHANGE_PERCENT_MAX:
        raise RateJump(
            f"{format_rate(after_e4)} is more than {CHANGE_PERCENT_MAX} % away from "
            f"{format_rate(before_e4)}: repeat it with --yes if it is meant"
        )
