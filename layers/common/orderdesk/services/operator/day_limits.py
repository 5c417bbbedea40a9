"""`desk.set`: the desk's limits of a trading day (contract sections 3 and 11)."""

from collections.abc import Mapping
from typing import Protocol

from orderdesk.domain.audit import AuditEntry, differences
from orderdesk.domain.authority import Effect, Power, changed_numbers, is_far_from
from orderdesk.domain.money import format_cny
from orderdesk.domain.proposals import Plan
from orderdesk.services.operator.actions import Operator

TARGET = "desk"


class DayLimitBoard(Protocol):
    """Reads and writes the limits of a day, by name; one that is 0 is none."""

    def day_limits(self) -> tuple[Mapping[str, int], Mapping[str, int]]:
        """Return the limits, and those that two people last approved. Raises: TryAgain."""

    def set_day_limits(
        self,
        before: Mapping[str, int],
        after: Mapping[str, int],
        approved: Mapping[str, int],
        entry: AuditEntry,
        token: str,
    ) -> None:
        """Write the limits. Raises: ChangedMeanwhile if they are not those before."""


def set_day_limits(
    board: DayLimitBoard, operator: Operator, changes: Mapping[str, int], reason: str
) -> Mapping[str, int]:
    """Change limits of a day; return all of them.

    One that differs by more than 5 % from what two people last approved, or was none, needs two.
    Raises: UnacceptableTerms, ProposalNeeded, BasisChanged, TryAgain.
    """

    def attempt() -> Mapping[str, int]:
        before, approved = board.day_limits()
        after = {**before, **changes}
        if all(before.get(name, 0) == value for name, value in after.items()):  # 0 is none
            return before
        changed = changed_numbers(before, after)
        is_far = any(is_far_from(value, approved.get(name, 0)) for name, value in changed.items())
        plan = _plan(before, after, reason)
        permit = operator.permit(plan, Effect(Power.PRICE, is_grave=is_far))
        decided = approved if operator.decision is None else {**approved, **changed}
        entry = permit.entry("desk.set", differences(plan.before, plan.after))
        board.set_day_limits(before, after, decided, entry, operator.chance.token())
        return after

    return operator.commit(attempt)


def shown(limits: Mapping[str, int]) -> dict[str, str]:
    """Return limits as texts; "" is none."""
    return {
        name: "" if not value else format_cny(value) if name.endswith("_cny") else str(value)
        for name, value in limits.items()
    }


def _plan(before: Mapping[str, int], after: Mapping[str, int], reason: str) -> Plan:
    was = shown({**dict.fromkeys(after, 0), **before})
    is_now = shown(after)
    changed = {name: text for name, text in is_now.items() if text != was[name]}
    old = {name: was[name] for name in changed}
    named = ", ".join(f"{name} {text or 'none'}" for name, text in changed.items())
    return Plan(TARGET, f"Set the limits of a day: {named}", changed, old, reason, basis=was)
