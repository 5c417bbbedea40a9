"""One decision for many orders of one merchant or trader, moved one by one (contract section 11).

If one part needs two people, the whole list does, and becomes one proposal. Its approval is written
first, so that nobody rejects a list that is half done. Then each order is moved in a transaction of
its own, and last the results are written. Approving again continues a list that stopped: a move
that was made before succeeds and is not made twice.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

from orderdesk.domain.audit import DecisionLost
from orderdesk.domain.authority import Effect, Power
from orderdesk.domain.errors import FieldProblem
from orderdesk.domain.ledger.settlement import amount_held
from orderdesk.domain.money import format_usdt
from orderdesk.domain.operators import OperatorRefusal, UnacceptableTerms, known
from orderdesk.domain.orders.order import Order
from orderdesk.domain.orders.order_errors import StateConflict
from orderdesk.domain.proposals import NOTHING, PartResult, Plan, ProposalStatus
from orderdesk.services.operator.actions import Decision, ProposalNeeded
from orderdesk.services.operator.moves import Cause, permit_of
from orderdesk.services.operator.ports import CommandPorts

LIST_MAX = 50
_FINISH = "proposal.finish"
_SECOND = "this order needs a second person now"


@dataclass(frozen=True, slots=True)
class OrderList:
    """The orders, why they are moved, and how one of them is; `move` raises OperatorRefusal."""

    order_nos: Sequence[str]
    cause: Cause
    move: Callable[[str, CommandPorts], Order]


def move_list(asked: OrderList, ports: CommandPorts) -> list[PartResult]:
    """Move each order of a list, and return the result of each.

    Raises: UnknownId, UnacceptableTerms, StateConflict, ProposalNeeded, BasisChanged, TryAgain.
    """
    operator = ports.operator
    if operator.decision is not None:
        return _move_approved(asked, ports, operator.decision)
    if operator.must_propose:
        _check_alone(asked, ports)
    alone = ports.acting(operator.without_key())
    return [_moved(asked, number, alone) for number in asked.order_nos]


def _check_alone(asked: OrderList, ports: CommandPorts) -> None:
    """Raise ProposalNeeded if one part of a list needs two people; TryAgain.

    A list that is proposed has only orders that can be moved. Raises: StateConflict.
    """
    plans: list[tuple[Order, Plan]] = []
    beside, needs_two, conflict = 0, False, None
    for order in _orders(asked, ports):
        try:
            permit = permit_of(order, asked.cause, ports, beside)
        except ProposalNeeded as needed:
            needs_two = True
            plans.append((order, needed.plan))
        except StateConflict as error:
            conflict = conflict or error
        else:
            if permit is not None:
                beside += sum(each.spends.amount_micro for each in permit.effects if each.spends)
                plans.append((order, permit.plan))
    if needs_two:
        if conflict is not None:
            raise conflict
        raise ProposalNeeded(_plan(asked, plans))


def _orders(asked: OrderList, ports: CommandPorts) -> Sequence[Order]:
    """Return a list's orders. Raises: UnknownId, UnacceptableTerms, TryAgain."""
    orders = [known(ports.moves.moves.order(each), "order", each) for each in asked.order_nos]
    if len({order.merchant_id for order in orders}) > 1 < len({each.trader_id for each in orders}):
        raise UnacceptableTerms([FieldProblem("order_nos", "not of one merchant or one trader")])
    return orders


def _plan(asked: OrderList, plans: Sequence[tuple[Order, Plan]]) -> Plan:
    """Return the plan of a whole list; each part rests on what its own does."""
    first, *_ = orders = [order for order, _ in plans]
    is_traders = len({order.trader_id for order in orders}) == 1 and first.trader_id
    party = f"trader {first.trader_id}" if is_traders else f"merchant {first.merchant_id}"
    total = format_usdt(sum(map(amount_held, orders)))
    what = " ".join([asked.cause.action, *asked.cause.details.values()])
    return Plan(
        target=first.trader_id if is_traders and first.trader_id else first.merchant_id,
        summary=f"{what}: {len(orders)} orders, {total} USDT, {party}",
        before={order.order_no: plan.before["status"] for order, plan in plans},
        after={order.order_no: _part_text(order, plan) for order, plan in plans},
        reason=asked.cause.reason,
        basis={order.order_no: plan.basis["status"] for order, plan in plans},
    )


def _part_text(order: Order, plan: Plan) -> str:
    usdt, parties = format_usdt(amount_held(order)), f"merchant {order.merchant_id}"
    return f"{plan.after['to']}: {usdt} USDT, {parties}, trader {order.trader_id}"


def _move_approved(asked: OrderList, ports: CommandPorts, decision: Decision) -> list[PartResult]:
    plan = Plan(decision.target, asked.cause.action, NOTHING, reason=asked.cause.reason)
    if not decision.is_begun:
        _begin(asked, ports, decision, plan)
    results = []
    for number in asked.order_nos:
        own = ports.operator.for_part({"status": decision.basis.get(number, "")})
        results.append(_moved(asked, number, ports.acting(own)))
    _finish(asked, ports, decision.proposal_no, plan, results)
    return results


def _begin(asked: OrderList, ports: CommandPorts, decision: Decision, plan: Plan) -> None:
    """Write that a list is approved; its parts follow. Raises: DecisionLost, TryAgain."""
    operator, proposals = ports.operator, ports.proposals
    permit = operator.permit(replace(plan, basis=decision.basis), Effect(Power.ORDER))

    def attempt() -> None:
        entry = permit.entry(asked.cause.action, {"orders": str(len(asked.order_nos))})
        assert entry.executes is not None, "it executes the proposal"
        begun = replace(entry, executes=replace(entry.executes, status="begun"))
        proposals.record(begun)

    try:
        operator.commit(attempt)
    except DecisionLost:
        now = proposals.proposal(decision.proposal_no)
        if now is None or now.decision != decision.token:
            raise  # else an earlier attempt was written, but not answered


def _finish(
    asked: OrderList, ports: CommandPorts, number: str, plan: Plan, results: Sequence[PartResult]
) -> None:
    """Write the results of a list, unless another call did. Raises: TryAgain."""
    operator, proposals = ports.operator, ports.proposals
    own = operator.for_part()
    refused = sum(bool(each.refused) for each in results)

    def attempt() -> None:
        proposal = proposals.proposal(number)
        if proposal is not None and proposal.status is ProposalStatus.EXECUTED:
            return
        details = {"command": asked.cause.action, "refused": str(refused)}
        entry = own.permit(plan, Effect(Power.CONTACT)).entry(_FINISH, details)
        proposals.finish(number, results, entry)

    operator.commit(attempt)


def _moved(asked: OrderList, number: str, ports: CommandPorts) -> PartResult:
    """Move one order; a refusal is its result. Raises: TryAgain."""
    try:
        return PartResult(number, asked.move(number, ports).status.value)
    except ProposalNeeded:
        refused = _SECOND  # a race: this person's hands, or its limit of the day
    except OperatorRefusal as refusal:
        refused = str(refusal)
    order = ports.moves.moves.order(number)
    status = "" if order is None else order.status_at(ports.operator.now()).value
    return PartResult(number, status, refused)
