"""Reverse a completed order, and decide a late proof of an ended sell (contract section 6).

The amount of a reversal is counted in the order's `usdt_amount`. What is executed is the largest
part of it that every account covers at that moment, in one transaction with the order, its postings
and its entry.
Concurrent writers: a reversal or refund changes the order's version, and balances never fall below
zero, so each attempt reads both again.

A late proof is decided by two people, who compare both proofs. If the former trader has paid, it
gets the order's USDT: that of a completed sell from the trader who got it, that of a cancelled one
from the merchant, as its completion would have paid it. The order keeps its status. A completed one
is not reversed after that.
"""

from dataclasses import dataclass, replace
from enum import StrEnum

from orderdesk.domain.accounts import Account, AccountKind, Transfer
from orderdesk.domain.authority import Effect, Power
from orderdesk.domain.errors import FieldProblem
from orderdesk.domain.ledger.reversal import (
    claim_transfer,
    claimed_micro,
    coverable_micro,
    reversal,
)
from orderdesk.domain.money import format_usdt
from orderdesk.domain.operators import (
    BalanceTooLow,
    OperatorRefusal,
    UnacceptableTerms,
    known,
    require_reason,
)
from orderdesk.domain.orders.order import (
    REVERSAL_SECONDS,
    REVERSALS_MAX,
    DecidedClaim,
    Order,
    OrderStatus,
    Reversal,
)
from orderdesk.domain.orders.order_errors import StateConflict
from orderdesk.domain.orders.refunds import reversible_micro, with_refund
from orderdesk.domain.proposals import Plan, Sum
from orderdesk.domain.times import US_PER_SECOND
from orderdesk.services.operator.actions import Permit, transfer_id
from orderdesk.services.operator.ports import CommandPorts, Funds

COMMAND = "order.reverse"


@dataclass(frozen=True, slots=True)
class Reversed:
    """A completed order, and its last reversal."""

    order: Order
    transfer: Transfer


def reverse_order(
    ports: CommandPorts, order_no: str, asked_micro: int | None, reason: str
) -> Reversed:
    """Reverse a part of a completed order; None is all that is left.

    Raises: UnknownId, UnacceptableTerms, StateConflict, OperatorRefusal,
    BalanceTooLow, ProposalNeeded, BasisChanged, TryAgain.
    """
    require_reason(reason)
    operator = ports.operator

    def attempt() -> Reversed:
        order = known(ports.orders.order(order_no), "order", order_no)
        asked = _checked(order, asked_micro, operator.now())
        permit = operator.permit(_plan(order, asked, reason), Effect(Power.MONEY, order.mode))
        part = coverable_micro(order, asked, lambda each: ports.funds.balance(each).available_micro)
        if part == 0 or (part < asked and not _transfer(order, part).postings):
            raise _uncovered(order, asked, ports.funds)
        return _commit(ports, permit, order, part)

    return operator.commit(attempt)


def _commit(ports: CommandPorts, permit: Permit, order: Order, part: int) -> Reversed:
    money = permit.plan.money
    assert money is not None
    entry = permit.entry(COMMAND, {**money.details, "reversed_usdt": format_usdt(part)})
    number, at = transfer_id(entry), entry.at_us // US_PER_SECOND
    after = replace(
        order,
        sequence=order.sequence + 1,
        version=order.version + 1,
        updatetime=at,
        undone=replace(
            order.undone, reversals=(*order.undone.reversals, Reversal(number, at, part))
        ),
    )
    transfer = _transfer(order, part, number, at)
    ports.funds.reverse(order, after, transfer, entry)
    return Reversed(after, transfer)


def open_micro(order: Order, now: int) -> int:
    """Return how much of an order can still be reversed, in micro-USDT of its `usdt_amount`.

    What it has refunded cannot be reversed.
    """
    is_over = now >= order.since + REVERSAL_SECONDS or len(order.undone.reversals) >= REVERSALS_MAX
    is_its_traders = order.status is OrderStatus.COMPLETED and order.paid_claim is None
    is_reversible = is_its_traders and not is_over
    return reversible_micro(order) if is_reversible else 0


def _checked(order: Order, asked_micro: int | None, now: int) -> int:
    """Return the amount to reverse. Raises: StateConflict, OperatorRefusal, UnacceptableTerms."""
    if order.status is not OrderStatus.COMPLETED:
        raise StateConflict(order.status_at(now).value)
    number, left = order.order_no, open_micro(order, now)
    if now >= order.since + REVERSAL_SECONDS:
        days = REVERSAL_SECONDS // 86_400
        raise OperatorRefusal(f"{number} was completed more than {days} days ago")
    if len(order.undone.reversals) >= REVERSALS_MAX:
        raise OperatorRefusal(f"{number} has {REVERSALS_MAX} reversals, which is the most")
    if order.paid_claim is not None:
        raise OperatorRefusal(f"{number} was paid to trader {order.paid_claim.trader_id}")
    asked = left if asked_micro is None else asked_micro
    if asked_micro is not None and asked_micro <= 0:
        raise UnacceptableTerms([FieldProblem("usdt", "must be greater than 0")])
    if not 0 < asked <= left:
        raise OperatorRefusal(f"{number} has {format_usdt(left)} USDT left to reverse")
    return asked


def _plan(order: Order, asked: int, reason: str) -> Plan:
    """Return the plan of a reversal; it rests on what was reversed before."""
    account = Account(AccountKind.MERCHANT, order.merchant_id, order.mode)
    done, usdt = format_usdt(order.reversed_micro), format_usdt(asked)
    parties = f"merchant {order.merchant_id}, trader {order.trader_id}"
    return Plan(
        target=order.order_no,
        summary=f"Reverse {usdt} of {format_usdt(order.quote.usdt_micro)} USDT of "
        f"{order.order_no}: {parties}",
        before={"reversed_usdt": done},
        after={"reversed_usdt": format_usdt(order.reversed_micro + asked)},
        reason=reason,
        basis={"reversed_usdt": done},
        money=Sum(account, asked),
    )


def _transfer(order: Order, part: int, number: str = "", at: int = 0) -> Transfer:
    """Return the transfer of an order's next reversal."""
    done = order.reversed_micro
    return reversal(order, done, done + part, transfer_id=number, at=at)


def _uncovered(order: Order, asked: int, funds: Funds) -> BalanceTooLow:
    """Return the refusal that names the first account that covers nothing."""
    given = [
        (each.account, -each.amount_micro)
        for each in _transfer(order, asked).postings
        if each.amount_micro < 0
    ]
    lacking = [
        (account, amount, has)
        for account, amount in given
        if (has := funds.balance(account).available_micro) < amount
    ]
    account, amount, has = lacking[0] if lacking else (*given[0], 0)
    return BalanceTooLow(account.key, format_usdt(has), format_usdt(amount))


CLAIM = "order.claim"


class Verdict(StrEnum):
    """What two people decide about a late proof."""

    PAID = "paid"
    """Its trader has paid the customer, and gets the order's USDT."""
    REJECTED = "rejected"


def decide_claim(
    ports: CommandPorts, order_no: str, trader_id: str, *, verdict: Verdict, reason: str
) -> Reversed:
    """Decide the late proof of a former trader.

    Raises: UnknownId, UnacceptableTerms, StateConflict, OperatorRefusal,
    NotRefundable, BalanceTooLow, ProposalNeeded, BasisChanged, TryAgain.
    """
    require_reason(reason)
    operator = ports.operator

    def attempt() -> Reversed:
        order = known(ports.orders.order(order_no), "order", order_no)
        _check_claim(order, trader_id, verdict, operator.now())
        plan = _claim_plan(order, trader_id, verdict, reason)
        permit = operator.permit(plan, Effect(Power.MONEY, order.mode))
        _check_covered(ports.funds, order, trader_id, verdict)
        return _commit_claim(ports, permit, order, trader_id, verdict)

    return operator.commit(attempt)


def _check_claim(order: Order, trader_id: str, verdict: Verdict, now: int) -> None:
    """Raise StateConflict or OperatorRefusal if a claim cannot be decided so."""
    number = order.order_no
    if order.status not in {OrderStatus.COMPLETED, OrderStatus.CANCELLED}:
        raise StateConflict(order.status_at(now).value)
    if all(each.trader_id != trader_id for each in order.open_claims):
        raise OperatorRefusal(f"{number} has no open claim of trader {trader_id}")
    if verdict is Verdict.REJECTED:
        return
    if order.paid_claim is not None:
        raise OperatorRefusal(f"{number} was paid to trader {order.paid_claim.trader_id}")
    if now >= order.since + REVERSAL_SECONDS:
        days = REVERSAL_SECONDS // 86_400
        raise OperatorRefusal(f"{number} ended more than {days} days ago")
    if not claimed_micro(order, trader_id):
        raise OperatorRefusal(f"{number} was reversed: nothing of it is left")


def _claim_plan(order: Order, trader_id: str, verdict: Verdict, reason: str) -> Plan:
    """Return the plan of a decision; it rests on the order's status and what was reversed."""
    account = Account(AccountKind.MERCHANT, order.merchant_id, order.mode)
    is_paid = verdict is Verdict.PAID
    micro = claimed_micro(order, trader_id) if is_paid else 0
    is_completed = order.status is OrderStatus.COMPLETED
    payer = f"trader {order.trader_id}" if is_completed else f"merchant {order.merchant_id}"
    effect = f"{format_usdt(micro)} USDT from {payer}" if is_paid else "nothing moves"
    return Plan(
        target=order.order_no,
        summary=f"Claim of trader {trader_id} on {order.order_no} {verdict.value}: {effect}",
        before={"claim": "open", "status": order.status.value},
        after={"claim": verdict.value, "status": order.status.value},
        reason=reason,
        basis={
            "status": order.status.value,
            "reversed_usdt": format_usdt(order.reversed_micro),
            "claims": str(len(order.late.claims)),
        },
        money=Sum(account, micro),
    )


def _check_covered(funds: Funds, order: Order, trader_id: str, verdict: Verdict) -> None:
    """Raise BalanceTooLow if who has the USDT does not cover the claim."""
    if verdict is Verdict.REJECTED:
        return
    for each in claim_transfer(order, trader_id, transfer_id="", at=0).postings:
        has, needs = 0, -each.amount_micro
        if needs > 0:
            has = funds.balance(each.account).available_micro
        if has < needs:
            raise BalanceTooLow(each.account.key, format_usdt(has), format_usdt(needs))


def _commit_claim(
    ports: CommandPorts, permit: Permit, order: Order, trader_id: str, verdict: Verdict
) -> Reversed:
    money = permit.plan.money
    assert money is not None
    is_paid = verdict is Verdict.PAID
    details = {**money.details, "trader_id": trader_id, "claim": verdict.value}
    entry = permit.entry(CLAIM, details)
    number, at = transfer_id(entry), entry.at_us // US_PER_SECOND
    is_merchants = is_paid and order.status is OrderStatus.CANCELLED
    after = replace(
        order,
        # Only what the merchant pays causes a callback.
        sequence=order.sequence + is_merchants,
        version=order.version + 1,
        updatetime=at,
        late=replace(
            order.late, claims=(*order.late.claims, DecidedClaim(number, at, trader_id, is_paid))
        ),
    )
    transfer = claim_transfer(order, trader_id, transfer_id=number, at=at)
    if not is_paid:
        transfer = replace(transfer, postings=())
    changed = []
    if is_merchants and order.undone.refund_of:
        buy = ports.orders.order(order.undone.refund_of)
        assert buy is not None, "a refund's buy is stored"
        changed.append((buy, with_refund(buy, order)))
    ports.funds.reverse(order, after, transfer, entry, also=changed)
    return Reversed(after, transfer)
