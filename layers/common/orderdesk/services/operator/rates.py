"""The base rate of a side, set by the operator (contract section 5)."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, ClassVar, Self, override

from orderdesk.domain.audit import differences
from orderdesk.domain.errors import FieldProblem
from orderdesk.domain.money import format_rate
from orderdesk.domain.operators import NewerRate, RateJump, UnacceptableTerms
from orderdesk.domain.pricing import BaseRate, OrderType
from orderdesk.domain.proposals import CHANGE_PERCENT_MAX, Plan, TwoPersonCommand, is_far_from
from orderdesk.services.operator.actions import GuardedCommand, Operator
from orderdesk.services.operator.ports import CommandPorts, RateBoard

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

    Setting the same rate again renews its age. A change of more than 5 % needs `is_confirmed`. A
    rate that differs by more than 5 % from what two people last approved, and the first one, need
    two people. Raises: UnacceptableTerms, RateJump, NewerRate, ProposalNeeded, TryAgain.
    """
    if rate_e4 <= 0:
        raise UnacceptableTerms([FieldProblem("rate", "must be greater than 0")])

    def attempt() -> BaseRate:
        before = board.rates().get(side)
        now = operator.now()
        if before is not None and before.set_at > now:
            raise NewerRate("the stored rate was set later; check the clock")
        if before is not None and not is_confirmed:
            _check_jump(before.rate_e4, rate_e4)
        base_e4 = 0 if before is None else before.approved_e4 or before.rate_e4
        plan = _plan(side, before, rate_e4, reason)
        operator.require(plan, second_person=is_far_from(rate_e4, base_e4))
        approved_e4 = rate_e4 if operator.decision is not None else base_e4
        rate = BaseRate(rate_e4, SOURCE, now, approved_e4 or None)
        details = differences(plan.before, plan.after) or dict(plan.after)
        entry = operator.entry("rate.set", side.name.lower(), reason, details)
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


def _check_jump(before_e4: int, after_e4: int) -> None:
    """Refuse a change that is probably a typing error. Raises: RateJump."""
    if is_far_from(after_e4, before_e4):
        raise RateJump(
            f"{format_rate(after_e4)} is more than {CHANGE_PERCENT_MAX} % away from "
            f"{format_rate(before_e4)}: repeat it with --yes if it is meant"
        )


@dataclass(frozen=True, slots=True)
class SetRate(GuardedCommand[BaseRate]):
    """`rate.set`."""

    side: OrderType
    rate_e4: int
    reason: str = ""
    is_confirmed: bool = False
    name: ClassVar = TwoPersonCommand.SET_RATE

    @override
    def carry_out(self, ports: CommandPorts, operator: Operator) -> BaseRate:
        return set_rate(
            ports.rates,
            operator,
            self.side,
            self.rate_e4,
            self.reason,
            is_confirmed=self.is_confirmed,
        )

    @override
    @classmethod
    def of(cls, parameters: Mapping[str, Any]) -> Self:
        return cls(**{**parameters, "side": OrderType(parameters["side"])})
