"""The base rate of a side, set by the operator (contract section 5)."""

from collections.abc import Mapping

from orderdesk.domain.audit import differences
from orderdesk.domain.authority import CHANGE_PERCENT_MAX, Effect, Power, is_far_from
from orderdesk.domain.errors import FieldProblem
from orderdesk.domain.money import format_rate
from orderdesk.domain.operators import NewerRate, RateJump, UnacceptableTerms
from orderdesk.domain.pricing import BaseRate, OrderType
from orderdesk.domain.proposals import Plan
from orderdesk.services.operator.actions import Operator
from orderdesk.services.operator.ports import RateBoard

SOURCE = "operator"


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

    The sell rate never exceeds the buy rate: a purchase below the sell rate would gain on each
    round. Setting the same rate again renews its age. A change of more than 5 % needs
    `is_confirmed`. A rate that differs by more than 5 % from what two people last approved, and the
    first one, need two people.
    Raises: UnacceptableTerms, RateJump, NewerRate, ProposalNeeded, TryAgain.
    """
    if rate_e4 <= 0:
        raise UnacceptableTerms([FieldProblem("rate", "must be greater than 0")])

    def attempt() -> BaseRate:
        rates = board.rates()
        before = rates.get(side)
        _check_other(side, rate_e4, rates)
        now = operator.now()
        if before is not None and before.set_at > now:
            raise NewerRate("the stored rate was set later; check the clock")
        if before is not None and not is_confirmed:
            _check_jump(before.rate_e4, rate_e4)
        base_e4 = 0 if before is None else before.approved_e4 or before.rate_e4
        plan = _plan(side, before, rate_e4, reason)
        is_far = is_far_from(rate_e4, base_e4)
        permit = operator.permit(plan, Effect(Power.PRICE, is_grave=is_far))
        approved_e4 = rate_e4 if operator.decision is not None else base_e4
        rate = BaseRate(rate_e4, SOURCE, now, approved_e4 or None)
        details = differences(plan.before, plan.after) or dict(plan.after)
        entry = permit.entry("rate.set", details)
        board.set_rate(side, before, rate, entry, operator.chance.token())
        return rate

    return operator.commit(attempt)


def _plan(side: OrderType, before: BaseRate | None, rate_e4: int, reason: str) -> Plan:
    name = side.name.lower()
    old = {} if before is None else {"rate": format_rate(before.rate_e4)}
    return Plan(
        target=name,
        summary=f"Set the {name} rate to {format_rate(rate_e4)}",
        before=old,
        after={"rate": format_rate(rate_e4)},
        reason=reason,
        basis=old,
    )


def _check_other(side: OrderType, rate_e4: int, rates: Mapping[OrderType, BaseRate]) -> None:
    """Refuse a sell rate above the buy rate. Raises: UnacceptableTerms."""
    match side:
        case OrderType.BUY:
            other, words, is_crossed = OrderType.SELL, "at least the sell rate", int.__lt__
        case OrderType.SELL:
            other, words, is_crossed = OrderType.BUY, "at most the buy rate", int.__gt__
    known = rates.get(other)
    if known is not None and is_crossed(rate_e4, known.rate_e4):
        limit = format_rate(known.rate_e4)
        raise UnacceptableTerms([FieldProblem("rate", f"must be {words}, {limit}")])


def _check_jump(before_e4: int, after_e4: int) -> None:
    """Refuse a change that is probably a typing error. Raises: RateJump."""
    if is_far_from(after_e4, before_e4):
        raise RateJump(
            f"{format_rate(after_e4)} is more than {CHANGE_PERCENT_MAX} % away from "
            f"{format_rate(before_e4)}: repeat it with --yes if it is meant"
        )
