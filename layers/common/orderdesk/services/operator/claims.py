"""Decide a late proof of a sell that is completed, or was cancelled (contract section 6).

Two people compare both proofs. If the former trader has paid, it gets the order's USDT: that of a
completed sell from the trader who got it, that of a cancelled one from the merchant, as its
completion would have paid it. The order keeps its status. A completed one is not reversed after
that. Concurrent writers: as for a reversal.
"""

from dataclasses import replace
from enum import StrEnum

from orderdesk.domain.authority import Effect, Power
from orderdesk.domain.ledger.accounts import Account, AccountKind
from orderdesk.domain.ledger.reversal import claim_transfer, claimed_micro
from orderdesk.domain.money import format_usdt
from orderdesk.domain.operators import BalanceTooLow, OperatorRefusal, ReasonMissing, UnknownId
from orderdesk.domain.orders.order import REVERSAL_SECONDS, DecidedClaim, Order, OrderStatus
from orderdesk.domain.orders.order_errors import StateConflict
from orderdesk.domain.orders.refunds import with_refund
from orderdesk.domain.proposals import Plan, Sum
from orderdesk.domain.times import US_PER_SECOND
from orderdesk.services.operator.actions import Operator, Permit, transfer_id
from orderdesk.services.operator.reversals import Reversals, Reversed

COMMAND = "order.claim"


class Verdict(StrEnum):
    """What two people decide about a late proof."""

    PAID = "paid"
    """Its trader has paid the customer, and gets the order's USDT."""
    REJECTED = "rejected"


def decide_claim(
    reversals: Reversals,
    operator: Operator,
    order_no: str,
    trader_id: str,
    *,
    verdict: Verdict,
    reason: str,
) -> Reversed:
    """Decide the late proof of a former trader.

    Raises: UnknownId, UnacceptableTerms, ReasonMissing, StateConflict, OperatorRefusal,
    NotRefundable, BalanceTooLow, ProposalNeeded, BasisChanged, TryAgain.
    """
    if not reason.strip():
        raise ReasonMissing

    def attempt() -> Reversed:
        order = reversals.order(order_no)
        if order is None:
            raise UnknownId("order", order_no)
        _check(order, trader_id, verdict, operator.now())
        plan = _plan(order, trader_id, verdict, reason)
        permit = operator.permit(plan, Effect(Power.MONEY, order.mode))
        _check_covered(reversals, order, trader_id, verdict)
        return _commit(reversals, permit, order, trader_id, verdict)

    return operator.commit(attempt)


def _check(order: Order, trader_id: str, verdict: Verdict, now: int) -> None:
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


def _plan(order: Order, trader_id: str, verdict: Verdict, reason: str) -> Plan:
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


def _check_covered(reversals: Reversals, order: Order, trader_id: str, verdict: Verdict) -> None:
    """Raise BalanceTooLow if who has the USDT does not cover the claim."""
    if verdict is Verdict.REJECTED:
        return
    for each in claim_transfer(order, trader_id, transfer_id="", at=0).postings:
        has, needs = 0, -each.amount_micro
        if needs > 0:
            has = reversals.balance(each.account).available_micro
        if has < needs:
            raise BalanceTooLow(each.account.key, format_usdt(has), format_usdt(needs))


def _commit(
    reversals: Reversals, permit: Permit, order: Order, trader_id: str, verdict: Verdict
) -> Reversed:
    money = permit.plan.money
    assert money is not None
    is_paid = verdict is Verdict.PAID
    details = {
        "amount_usdt": format_usdt(money.amount_micro),
        "account": money.account.key,
        "trader_id": trader_id,
        "claim": verdict.value,
    }
    entry = permit.entry(COMMAND, details)
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
        buy = reversals.order(order.undone.refund_of)
        assert buy is not None, "a refund's buy is stored"
        changed.append((buy, with_refund(buy, order)))
    token = permit.operator.chance.token()
    reversals.reverse(order, after, transfer, entry, token, also=changed)
    return Reversed(after, transfer)
