"""USDT that comes in from outside, leaves, or is released from a deposit (contract section 6).

Live money needs two people, test money one. A withdrawal that needs two is held from its proposal
on, one that a merchant requested from the request on. If a commit raises TryAgain, the transfer may
exist or not; repeat it with its idempotency key.

A merchant's request is taken up, decided and paid like any other withdrawal. The transactions that
paid withdrawals are recorded here, too.
"""

import re
from dataclasses import dataclass, replace
from datetime import UTC, datetime

from orderdesk.domain.accounts import Account, AccountKind, Transfer, TransferKind, decided_transfer
from orderdesk.domain.authority import Effect, Power
from orderdesk.domain.errors import FieldProblem
from orderdesk.domain.merchants.withdrawals import (
    Address,
    RequestStatus,
    WithdrawalRequest,
    is_request_no,
)
from orderdesk.domain.money import format_usdt
from orderdesk.domain.operators import (
    RequestDecided,
    UnacceptableTerms,
    UnknownId,
    known,
    refuse_unfit,
    transfer_problems,
)
from orderdesk.domain.proposals import (
    NOTHING,
    TRANSFERS,
    WITHDRAWALS,
    Plan,
    Proposal,
    ProposalStatus,
    Sum,
)
from orderdesk.services.operator.actions import Permit, transfer_id
from orderdesk.services.operator.payouts import entry_of
from orderdesk.services.operator.ports import CommandPorts, Funds
from orderdesk.services.operator.proposals import known_proposal, list_proposals
from orderdesk.services.ports import Slice

_VERBS = {
    TransferKind.FUNDING: "Fund",
    TransferKind.WITHDRAWAL: "Withdraw",
    TransferKind.RELEASE: "Release",
}


def move(ports: CommandPorts, command: str, money: Sum, memo: str) -> Transfer:
    """Fund an account, or move an amount out of it: to outside, or from a deposit to its owner.

    A live merchant with a team is paid only through its request (`pay_request`).
    Raises: UnknownId, BalanceTooLow, UnacceptableTerms, ProposalNeeded, TryAgain.
    """
    if TRANSFERS[command] is TransferKind.WITHDRAWAL:
        _check_has_no_team(ports.funds, money.account)
    permit = _permit(ports, money, memo, TRANSFERS[command])
    return _move(ports, permit, command, money, is_held=ports.operator.decision is not None)


def _check_has_no_team(funds: Funds, account: Account) -> None:
    """Raise UnacceptableTerms for the account of a live merchant whose people can request."""
    if account.kind is not AccountKind.MERCHANT or account.mode.is_test:
        return
    if funds.has_team(account.owner):
        problem = "missing: the merchant has a team, which requests withdrawals in the portal"
        raise UnacceptableTerms([FieldProblem("request_no", problem)])


def pay_request(ports: CommandPorts, request_no: str) -> Transfer:
    """Pay a merchant's withdrawal request, which holds the amount, to its entry in the book.

    Raises: UnknownId, RequestDecided, RequestForged, BasisChanged, ProposalNeeded, TryAgain.
    """
    request = known_request(ports.funds, request_no)
    operator = ports.operator
    decision = operator.decision
    by = "" if decision is None else decision.proposal_no
    if not request.is_held or request.proposal_no != by:
        state = f"taken up as {request.proposal_no}" if request.is_taken_up else request.status
        raise RequestDecided(f"{request_no} is {state}")
    command, money = "withdraw.merchant", request.money
    entry = entry_of(ports.vault, ports.funds, request)
    plan = _request_plan(_owner_of(ports.funds, money.account), request, entry)
    permit = operator.permit(plan, _effect(money))
    return _move(ports, permit, command, money, is_held=True, request=request)


def _request_plan(owner: str, request: WithdrawalRequest, entry: Address) -> Plan:
    """Return the plan of a request; it rests on the amount and address that the proposer saw."""
    money, to = request.money, f"{entry.network.value} {entry.address}"
    added = datetime.fromtimestamp(entry.added_at, UTC)
    return Plan(
        target=request.merchant_id,
        summary=f"Withdraw {format_usdt(money.amount_micro)} USDT to {to}: {owner}",
        after={
            "network": entry.network.value,
            "address": entry.address,
            "address_label": entry.label,
            "address_added": f"{added:%Y-%m-%dT%H:%M:%SZ}",
            "requested_by": request.requested_by,
            "request_memo": request.memo,
        },
        reason=f"{request.request_no} {to}",
        basis={"request": f"{format_usdt(money.amount_micro)} {to}"},
        money=money,
        request_no=request.request_no,
    )


def _move(
    ports: CommandPorts,
    permit: Permit,
    command: str,
    money: Sum,
    *,
    is_held: bool,
    request: WithdrawalRequest | None = None,
) -> Transfer:
    numbers = {} if request is None else {"request_no": request.request_no}
    funds, operator, memo = ports.funds, ports.operator, permit.plan.reason
    is_out = TRANSFERS[command] is TransferKind.WITHDRAWAL
    waits = is_out and not money.account.mode.is_test and not operator.caller.alone

    def attempt() -> Transfer:
        entry = permit.entry(command, {**money.details, **numbers})
        transfer = decided_transfer(
            *(TRANSFERS[command], money.account, money.amount_micro),
            transfer_id=transfer_id(entry),
            at_us=entry.at_us,
            memo=memo,
        )
        if waits and entry.executes is not None:
            agreed = replace(entry, executes=replace(entry.executes, status="approved"))
            funds.put_off(agreed, request=request)
        else:
            funds.post(transfer, entry, is_held=is_held, request=request)
        return transfer

    return operator.commit(attempt)


def _owner_of(funds: Funds, account: Account) -> str:
    """Return whose account it is, by name and id, and its mode. Raises: UnknownId, TryAgain."""
    return f"{funds.owner_name(account)}, {account.key}"


def _permit(ports: CommandPorts, money: Sum, memo: str, kind: TransferKind) -> Permit:
    """Return the permit to move an amount. Raises: UnacceptableTerms, ProposalNeeded."""
    refuse_unfit(transfer_problems(money.amount_micro, memo))
    operator, funds = ports.operator, ports.funds
    account, before = money.account, NOTHING
    after = before
    if operator.must_propose and not account.mode.is_test:  # a second person sees the balance
        available = funds.balance(account).available_micro
        is_funding = kind is TransferKind.FUNDING
        left = available + (money.amount_micro if is_funding else -money.amount_micro)
        before, after = {"available": format_usdt(available)}, {"available": format_usdt(left)}
    if kind is TransferKind.WITHDRAWAL:
        after = {**after, "address": f"no address: {memo}"}
    owner = _owner_of(funds, account)
    plan = Plan(
        target=account.owner,
        summary=f"{_VERBS[kind]} {format_usdt(money.amount_micro)} USDT: {owner}",
        before=before,
        after=after,
        reason=memo,
        money=money,
    )
    return operator.permit(plan, _effect(money))


def _effect(money: Sum) -> Effect:
    return Effect(Power.MONEY, money.account.mode)


# Not stricter: an exchange's own number is also the proof of a payment.
_TXID = re.compile(r"[A-Za-z0-9_.:-]{1,128}\Z")


def known_request(funds: Funds, request_no: str) -> WithdrawalRequest:
    """Return a request's present state. Raises: UnknownId, TryAgain."""
    return known(funds.request(request_no), "withdrawal request", request_no)


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


def record_sent(ports: CommandPorts, number: str, txid: str) -> Withdrawal:
    """Record the transaction that paid a withdrawal, once; the same one again changes nothing.

    `number` is a proposal_no or a request_no.
    Raises: UnknownId, UnacceptableTerms, RequestDecided, TryAgain.
    """
    if _TXID.match(txid) is None:
        problem = "1 to 128 of A-Z a-z 0-9 _ . : -"
        raise UnacceptableTerms([FieldProblem("txid", problem)])
    operator = ports.operator

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
        ports.funds.record_sent(proposal_no, request, txid, entry)
        return _withdrawal(ports, number)

    return operator.commit(attempt)


def _withdrawal(ports: CommandPorts, number: str) -> Withdrawal:
    if is_request_no(number):
        request = known_request(ports.funds, number)
        by_proposal = request.proposal_no
        proposal = known_proposal(ports.proposals, by_proposal) if by_proposal else None
        return Withdrawal(proposal, request)
    proposal = known_proposal(ports.proposals, number)
    if not proposal.takes_money:
        raise UnknownId("withdrawal", number)
    asked = proposal.plan.request_no
    return Withdrawal(proposal, known_request(ports.funds, asked) if asked else None)


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


def list_withdrawals(
    ports: CommandPorts, now: int, *, limit: int, after: str | None, open_only: bool
) -> Slice[WithdrawalRequest | Proposal, str]:
    """Return the open requests, oldest first, then the proposals that withdraw, newest first.

    Raises: TryAgain.
    """
    requests = list[WithdrawalRequest]()
    if after is None or is_request_no(after):
        requests += ports.funds.open_after(after or "W", limit)
        if len(requests) == limit:
            return Slice(requests, requests[-1].request_no)
        after = None
    proposals = list_proposals(
        ports.proposals,
        now,
        limit=limit - len(requests),
        after=after,
        open_only=open_only,
        commands=WITHDRAWALS,
    )
    return Slice([*requests, *proposals.items], proposals.following)
