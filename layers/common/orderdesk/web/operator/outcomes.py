"""What a write answers: a proposal, its own result, or the first answer to the same request."""

from collections.abc import Callable, Mapping

from orderdesk.domain.merchants.withdrawals import WithdrawalRequest
from orderdesk.domain.money import format_usdt
from orderdesk.domain.proposals import Proposal, Sum
from orderdesk.domain.times import US_PER_SECOND
from orderdesk.services.operator.actions import GuardedCommand, Repeated
from orderdesk.services.operator.proposals import known_proposal, request
from orderdesk.web.operator.ports import OperatorPorts

type Data = Mapping[str, object]

_TRANSFERS = frozenset({"fund", "withdraw"})
_ID_OF_SUBJECT = {
    "merchant": "merchant_id",
    "trader": "trader_id",
    "order": "order_no",
    "callback": "webhook_id",
}


def requested[R](
    ports: OperatorPorts, command: GuardedCommand[R], view: Callable[[R], Data]
) -> Data:
    """Execute a command, or propose it if it needs a second person; return the answer's data."""
    done = request(ports, ports.operator, command)
    return proposed(ports, done) if isinstance(done, Proposal) else view(done)


def repeated(ports: OperatorPorts, command: str, first: Repeated) -> Data:
    """Return the ids of a first answer by their names there, and its proposal as it is now."""
    number = first.ids.get("proposal_no")
    if number is None:
        more = _named_ids(command, first.ids)
    else:
        more = proposed(ports, known_proposal(ports.proposals, number))
    return {"repeated": True, **first.ids, **more}


def _named_ids(command: str, ids: Mapping[str, str]) -> Data:
    """Return the ids of a command that was executed at once, by the names of its own answer."""
    group, _, verb = command.partition(".")
    is_transfer = group in _TRANSFERS
    name = _ID_OF_SUBJECT.get(verb if is_transfer else group)
    return {
        **({} if name is None else {name: ids["target"]}),
        **({"transfer_id": ids["audit_id"]} if is_transfer else {}),
    }


def proposed(ports: OperatorPorts, proposal: Proposal) -> Data:
    """Return the data of a command that answers a proposal; a withdrawal has its number, too."""
    number = {"withdrawal_no": proposal.proposal_no} if proposal.command.takes_money else {}
    return {"proposal": proposal_data(proposal, ports.operator.now()), **number}


def proposal_data(proposal: Proposal, now: int) -> dict[str, object]:
    """Return a proposal as JSON data, `now` in Unix seconds; it never has a secret."""
    plan, decided_us = proposal.plan, proposal.decided_at_us
    return {
        "proposal_no": proposal.proposal_no,
        "command": proposal.command.value,
        "status": proposal.status_at(now).value,
        "target": plan.target,
        "summary": plan.summary,
        "before": dict(plan.before),
        "after": dict(plan.after),
        "memo": plan.reason,
        "proposed_by": proposal.proposed_by,
        "proposed_at": proposal.proposed_at_us // US_PER_SECOND,
        "expires_at": proposal.expires_at,
        "decided_by": proposal.decided_by or None,
        "decided_at": None if decided_us is None else decided_us // US_PER_SECOND,
        "reason": proposal.reason or None,
        "reveal_until": proposal.reveal_until or None,
        **({} if plan.money is None else _money_data(proposal, plan.money)),
    }


def _money_data(proposal: Proposal, money: Sum) -> dict[str, object]:
    account = money.account
    return {
        **(_withdrawal_data(proposal) if proposal.command.takes_money else {}),
        f"{account.kind.value}_id": account.owner,
        "is_test": account.mode.is_test,
        "amount": format_usdt(money.amount_micro),
    }


def _withdrawal_data(proposal: Proposal) -> dict[str, object]:
    sent_us = proposal.sent_at_us
    return {
        "withdrawal_no": proposal.proposal_no,
        "request_no": proposal.plan.request_no or None,
        "txid": proposal.txid or None,
        "sent_at": None if sent_us is None else sent_us // US_PER_SECOND,
    }


def request_data(request: WithdrawalRequest) -> dict[str, object]:
    """Return a merchant's withdrawal request as JSON data."""
    decided_us, sent_us = request.decided_at_us, request.sent_at_us
    amount = format_usdt(request.amount_micro)
    return {
        "request_no": request.request_no,
        "status": request.status.value,
        "summary": f"{request.request_no}: {amount} USDT from {request.money.account.key}",
        "merchant_id": request.merchant_id,
        "amount": amount,
        "network": request.network.value,
        "address": request.address,
        "address_label": request.label,
        "address_added_at": request.address_added_at,
        "memo": request.memo or None,
        "requested_by": request.requested_by,
        "requested_at": request.requested_at_us // US_PER_SECOND,
        "proposal_no": request.proposal_no or None,
        "decided_at": None if decided_us is None else decided_us // US_PER_SECOND,
        "reason": request.reason or None,
        "txid": request.txid or None,
        "sent_at": None if sent_us is None else sent_us // US_PER_SECOND,
    }
