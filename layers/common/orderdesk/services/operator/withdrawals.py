"""Merchants' withdrawal requests on the operators' side, and the transactions that paid them.

A request is taken up, decided and paid like any other withdrawal (`funds`, `proposals`).
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace

from orderdesk.domain.authority import Effect, Power
from orderdesk.domain.errors import FieldProblem
from orderdesk.domain.merchants.withdrawals import RequestStatus, WithdrawalRequest, is_request_no
from orderdesk.domain.operators import RequestDecided, UnacceptableTerms, UnknownId
from orderdesk.domain.proposals import WITHDRAWALS, Plan, Proposal, ProposalStatus
from orderdesk.services.operator.actions import Operator
from orderdesk.services.operator.ports import CommandPorts, RequestRegister
from orderdesk.services.operator.proposals import known_proposal, list_proposals

# Not stricter: an exchange's own number is also the proof of a payment.
_TXID = re.compile(r"[A-Za-z0-9_.:-]{1,128}\Z")


def known_request(requests: RequestRegister, request_no: str) -> WithdrawalRequest:
    """Return a request's present state. Raises: UnknownId, TryAgain."""
    request = requests.request(request_no)
    if request is None:
        raise UnknownId("withdrawal request", request_no)
    return request


@dataclass(frozen=True, slots=True)
class Withdrawal:
    """A withdrawal: its proposal, its request, or both."""

    proposal: Proposal | None
    request: WithdrawalRequest | None

    @property
    def txid(self) -> str:
        """The transaction that paid it; empty if none is recorded."""
        found = self.request or self.proposal
        assert found is not None
        return found.txid


def record_sent(ports: CommandPorts, operator: Operator, number: str, txid: str) -> Withdrawal:
    """Record the transaction that paid a withdrawal, once; the same one again changes nothing.

    `number` is a proposal_no or a request_no.
    Raises: UnknownId, UnacceptableTerms, RequestDecided, TryAgain.
    """
    if _TXID.match(txid) is None:
        problem = "1 to 128 of A-Z a-z 0-9 _ . : -"
        raise UnacceptableTerms([FieldProblem("txid", problem)])

    def attempt() -> Withdrawal:
        found = _withdrawal(ports, number)
        if found.txid == txid:
            return found
        _check_unsent(found, number)
        proposal, request = found.proposal, found.request
        proposal_no = "" if proposal is None else proposal.proposal_no
        numbers = {} if request is None else {"request_no": request.request_no}
        details = {"txid": txid, **numbers}
        plan = Plan(_target(found), f"Record the transaction of {number}", {"txid": txid})
        permit = operator.permit(plan, Effect(Power.CONTACT))
        entry = permit.entry("withdraw.sent", details, proposal_no)
        ports.requests.record_sent(proposal_no, request, txid, entry, operator.chance.token())
        return _recorded(found, txid, entry.at_us)

    return operator.commit(attempt)


def _withdrawal(ports: CommandPorts, number: str) -> Withdrawal:
    if is_request_no(number):
        request = known_request(ports.requests, number)
        by_proposal = request.proposal_no
        proposal = known_proposal(ports.proposals, by_proposal) if by_proposal else None
        return Withdrawal(proposal, request)
    proposal = known_proposal(ports.proposals, number)
    if not proposal.takes_money:
        raise UnknownId("withdrawal", number)
    asked = proposal.plan.request_no
    return Withdrawal(proposal, known_request(ports.requests, asked) if asked else None)


def _check_unsent(found: Withdrawal, number: str) -> None:
    """Raise RequestDecided if the withdrawal is not paid out, or its transaction is recorded."""
    if found.txid:
        raise RequestDecided(f"{number} was sent before, with the transaction {found.txid}")
    if found.request is not None:
        if found.request.is_held and found.request.agreed_at_us is not None:
            raise RequestDecided(f"{number} is approved, and waits for a seal of its account")
        if found.request.status is not RequestStatus.APPROVED:
            raise RequestDecided(f"{number} is {found.request.status.value}")
    elif found.proposal is not None and found.proposal.status is not ProposalStatus.EXECUTED:
        raise RequestDecided(f"{number} is {found.proposal.status.value}")


def _target(found: Withdrawal) -> str:
    if found.request is not None:
        return found.request.merchant_id
    assert found.proposal is not None
    return found.proposal.plan.target


def _recorded(found: Withdrawal, txid: str, at_us: int) -> Withdrawal:
    proposal, request = found.proposal, found.request
    sent = {"txid": txid, "sent_at_us": at_us}
    return Withdrawal(
        None if proposal is None else replace(proposal, **sent),  # type: ignore[arg-type]
        None if request is None else replace(request, status=RequestStatus.SENT, **sent),  # type: ignore[arg-type]
    )


@dataclass(frozen=True, slots=True)
class WithdrawalPage:
    """Open requests, then proposals; `following` continues the list, None ends it."""

    items: Sequence[WithdrawalRequest | Proposal]
    following: str | None


def list_withdrawals(
    ports: CommandPorts, now: int, *, limit: int, after: str | None, open_only: bool
) -> WithdrawalPage:
    """Return the open requests, oldest first, then the proposals that withdraw, newest first.

    Raises: TryAgain.
    """
    requests: Sequence[WithdrawalRequest] = ()
    if after is None or is_request_no(after):
        requests = ports.requests.open_after(after or "W", limit)
        if len(requests) == limit:
            return WithdrawalPage(requests, requests[-1].request_no)
        after = None
    proposals = list_proposals(
        ports.proposals,
        now,
        limit=limit - len(requests),
        after=after,
        open_only=open_only,
        commands=WITHDRAWALS,
    )
    return WithdrawalPage([*requests, *proposals.items], proposals.following)
