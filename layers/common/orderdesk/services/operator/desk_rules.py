"""The desk's rules: block list, limits of a trading day, base rates (sections 3, 5 and 11).

One person blocks; two people remove a block. A value is hashed and masked before it is stored, and
is in no audit entry.
"""

from collections.abc import Mapping

from orderdesk.domain.audit import differences
from orderdesk.domain.authority import (
    CHANGE_PERCENT_MAX,
    Effect,
    Power,
    changed_numbers,
    is_far_from,
)
from orderdesk.domain.errors import FieldProblem
from orderdesk.domain.ids import RANDOM_BITS, numbered, time_ordered_id
from orderdesk.domain.money import format_cny, format_rate
from orderdesk.domain.operators import OperatorRefusal, UnacceptableTerms, known, require_reason
from orderdesk.domain.orders.blocks import BLOCKS_MAX, Block, BlockKind, digest_of, mask, normal
from orderdesk.domain.pricing import BaseRate, OrderType
from orderdesk.domain.proposals import Plan
from orderdesk.domain.times import US_PER_MS, US_PER_SECOND
from orderdesk.services.operator.ports import CommandPorts

_LETTER = "K"


def add_block(
    ports: CommandPorts, kind: BlockKind, value: str, *, until: int | None, reason: str
) -> Block:
    """Block a value from now on, until a time (Unix seconds); once, as long as it is in force.

    Raises: UnacceptableTerms, OperatorRefusal, TryAgain.
    """
    register, operator = ports.merchants, ports.operator
    text, now = normal(kind, value), operator.now()
    require_reason(reason)
    if not text:
        raise UnacceptableTerms([FieldProblem("value", f"is no {kind.value}")])
    if until is not None and until <= now:
        raise UnacceptableTerms([FieldProblem("until", "must be in the future")])
    digest = digest_of(ports.block_key(), (kind, text))

    def attempt() -> Block:
        version, listed = register.blocks()
        kept = [each for each in listed if each.holds_at(operator.now())]
        known = next((each for each in kept if each.digest == digest), None)
        if known is not None:
            return known
        if len(kept) >= BLOCKS_MAX:
            raise OperatorRefusal(f"the list has {BLOCKS_MAX} blocks, which is the most")
        at_us, chance = operator.now_us(), operator.chance.below(1 << RANDOM_BITS)
        identifier = time_ordered_id(at_us // US_PER_MS, chance)
        number = numbered(_LETTER, identifier, at_us // US_PER_SECOND)
        what = (number, kind, digest, mask(kind, text), reason)
        block = Block(*what, operator.who, at_us // US_PER_SECOND, until or 0)
        plan = Plan(number, f"Block {kind.value} {block.masked}", _shown(block), reason=reason)
        entry = operator.permit(plan, Effect(Power.STOP)).entry("block.add", plan.after)
        register.write_blocks(version, [*kept, block], entry)
        return block

    return operator.commit(attempt)


def remove_block(ports: CommandPorts, number: str, reason: str) -> Block:
    """Remove a block, which needs two people.

    Raises: UnknownId, UnacceptableTerms, ProposalNeeded, TryAgain.
    """
    register, operator = ports.merchants, ports.operator

    def attempt() -> Block:
        version, listed = register.blocks()
        block = known(
            next((each for each in listed if each.number == number), None), "block", number
        )
        shown = _shown(block)
        plan = Plan(
            number, f"Remove the block of {block.kind.value} {block.masked}", {}, shown, reason
        )
        permit = operator.permit(plan, Effect(Power.PRICE, is_grave=True))
        entry = permit.entry("block.remove", shown)
        others = [each for each in listed if each.number != number]
        register.write_blocks(version, others, entry)
        return block

    return operator.commit(attempt)


def _shown(block: Block) -> dict[str, str]:
    return {"kind": block.kind.value, "value": block.masked}


TARGET = "desk"


def set_day_limits(
    ports: CommandPorts, changes: Mapping[str, int], reason: str
) -> Mapping[str, int]:
    """Change limits of a day; return all of them.

    One that differs by more than 5 % from what two people last approved, or was none, needs two.
    Raises: UnacceptableTerms, ProposalNeeded, BasisChanged, TryAgain.
    """
    register, operator = ports.merchants, ports.operator

    def attempt() -> Mapping[str, int]:
        before, approved = register.day_limits()
        after = {**before, **changes}
        if all(before.get(name, 0) == value for name, value in after.items()):  # 0 is none
            return before
        changed = changed_numbers(before, after)
        is_far = any(is_far_from(value, approved.get(name, 0)) for name, value in changed.items())
        plan = _limits_plan(before, after, reason)
        permit = operator.permit(plan, Effect(Power.PRICE, is_grave=is_far))
        decided = approved if operator.decision is None else {**approved, **changed}
        entry = permit.entry("desk.set", differences(plan.before, plan.after))
        register.set_day_limits(before, after, decided, entry)
        return after

    return operator.commit(attempt)


def shown_limits(limits: Mapping[str, int]) -> dict[str, str]:
    """Return limits as texts; "" is none."""
    return {
        name: "" if not value else format_cny(value) if name.endswith("_cny") else str(value)
        for name, value in limits.items()
    }


def _limits_plan(before: Mapping[str, int], after: Mapping[str, int], reason: str) -> Plan:
    was = shown_limits({**dict.fromkeys(after, 0), **before})
    is_now = shown_limits(after)
    changed = {name: text for name, text in is_now.items() if text != was[name]}
    old = {name: was[name] for name in changed}
    named = ", ".join(f"{name} {text or 'none'}" for name, text in changed.items())
    return Plan(TARGET, f"Set the limits of a day: {named}", changed, old, reason, basis=was)


SOURCE = "operator"


def set_rate(
    ports: CommandPorts,
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
    Raises: UnacceptableTerms, OperatorRefusal, ProposalNeeded, TryAgain.
    """
    if rate_e4 <= 0:
        raise UnacceptableTerms([FieldProblem("rate", "must be greater than 0")])
    register, operator = ports.merchants, ports.operator

    def attempt() -> BaseRate:
        rates = register.rates()
        before = rates.get(side)
        _check_other(side, rate_e4, rates)
        now = operator.now()
        if before is not None and before.set_at > now:
            raise OperatorRefusal("the stored rate was set later; check the clock")
        if before is not None and not is_confirmed:
            _check_jump(before.rate_e4, rate_e4)
        base_e4 = 0 if before is None else before.approved_e4 or before.rate_e4
        plan = _rate_plan(side, before, rate_e4, reason)
        is_far = is_far_from(rate_e4, base_e4)
        permit = operator.permit(plan, Effect(Power.PRICE, is_grave=is_far))
        approved_e4 = rate_e4 if operator.decision is not None else base_e4
        rate = BaseRate(rate_e4, SOURCE, now, approved_e4 or None)
        details = differences(plan.before, plan.after) or dict(plan.after)
        entry = permit.entry("rate.set", details)
        register.set_rate(side, before, rate, entry)
        return rate

    return operator.commit(attempt)


def _rate_plan(side: OrderType, before: BaseRate | None, rate_e4: int, reason: str) -> Plan:
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
    """Refuse a change that is probably a typing error. Raises: OperatorRefusal."""
    if is_far_from(after_e4, before_e4):
        raise OperatorRefusal(
            f"{format_rate(after_e4)} is more than {CHANGE_PERCENT_MAX} % away from "
            f"{format_rate(before_e4)}: repeat it with --yes if it is meant"
        )
