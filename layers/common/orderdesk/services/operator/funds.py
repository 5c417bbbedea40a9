"""USDT that comes in from outside, leaves, or is released from a deposit (contract section 6).

Live money needs two people, test money one. A withdrawal that needs two is held from its proposal
on, one that a merchant requested from the request on. If a commit raises TryAgain, the transfer may
exist or not; repeat it with its idempotency key.
"""

from collections.abc import Mapping
from dataclasses import replace
from datetime import UTC, datetime
from typing import Protocol

from orderdesk.domain.authority import Effect, Power
from orderdesk.domain.errors import FieldProblem
from orderdesk.domain.ledger.accounts import Account, AccountKind, Transfer, TransferKind, funding
from orderdesk.domain.merchants.addresses import Address, AddressBook
from orderdesk.domain.merchants.withdrawals import WithdrawalRequest
from orderdesk.domain.money import format_usdt
from orderdesk.domain.operators import (
    ADDRESS_GONE,
    RequestDecided,
    RequestForged,
    UnacceptableTerms,
    UnknownId,
    transfer_problems,
)
from orderdesk.domain.proposals import NOTHING, TRANSFERS, Plan, Sum, payout
from orderdesk.services.operator.actions import Operator, Permit, transfer_id
from orderdesk.services.operator.ports import CommandPorts, Funds

_VERBS = {
    TransferKind.FUNDING: "Fund",
    TransferKind.WITHDRAWAL: "Withdraw",
    TransferKind.RELEASE: "Release",
}


class Digests(Protocol):
    """Reads the digests that the portal sealed."""

    def unseal_digest(self, request_no: str, sealed: str) -> str:
        """Return the digest that the portal sealed for a request; "" if it sealed none."""


class AddressBooks(Protocol):
    """Reads merchants' address books."""

    def address_book(self, merchant_id: str) -> AddressBook:
        """Return a merchant's address book. Raises: TryAgain."""


def fund(funds: Funds, operator: Operator, money: Sum, memo: str) -> Transfer:
    """Fund an account.

    Raises: UnknownId, UnacceptableTerms, ProposalNeeded, TryAgain.
    """
    permit = _permit(operator, funds, money, memo, TransferKind.FUNDING)

    def attempt() -> Transfer:
        account = money.account
        entry = permit.entry(f"fund.{account.kind.value}", _details(money))
        transfer = funding(
            account,
            money.amount_micro,
            transfer_id=transfer_id(entry),
            at_us=entry.at_us,
            memo=memo,
        )
        funds.fund(transfer, entry, operator.chance.token())
        return transfer

    return operator.commit(attempt)


def move_out(funds: Funds, operator: Operator, command: str, money: Sum, memo: str) -> Transfer:
    """Move an amount out of an account: to outside, or from a deposit to what is available.

    A live merchant with a team is paid only through its request (`pay_request`).
    Raises: UnknownId, BalanceTooLow, UnacceptableTerms, ProposalNeeded, TryAgain.
    """
    if TRANSFERS[command] is TransferKind.WITHDRAWAL:
        _check_has_no_team(funds, money.account)
    permit = _permit(operator, funds, money, memo, TRANSFERS[command])
    return _pay_out(funds, permit, command, money, is_held=operator.decision is not None)


def _check_has_no_team(funds: Funds, account: Account) -> None:
    """Raise UnacceptableTerms for the account of a live merchant whose people can request."""
    if account.kind is not AccountKind.MERCHANT or account.mode.is_test:
        return
    if funds.has_team(account.owner):
        problem = "missing: the merchant has a team, which requests withdrawals in the portal"
        raise UnacceptableTerms([FieldProblem("request_no", problem)])


def pay_request(ports: CommandPorts, operator: Operator, request_no: str) -> Transfer:
    """Pay a merchant's withdrawal request, which holds the amount, to its entry in the book.

    Raises: UnknownId, RequestDecided, RequestForged, BasisChanged, ProposalNeeded, TryAgain.
    """
    request = ports.requests.request(request_no)
    if request is None:
        raise UnknownId("withdrawal request", request_no)
    decision = operator.decision
    by = "" if decision is None else decision.proposal_no
    if not request.is_held or request.proposal_no != by:
        state = f"taken up as {request.proposal_no}" if request.is_taken_up else request.status
        raise RequestDecided(f"{request_no} is {state}")
    command, money = "withdraw.merchant", request.money
    entry = entry_of(ports.vault, ports.requests, request)
    plan = _request_plan(_owner_of(ports.funds, money.account), request, entry)
    permit = operator.permit(plan, _effect(money))
    return _pay_out(ports.funds, permit, command, money, is_held=True, request=request)


def entry_of(vault: Digests, requests: AddressBooks, request: WithdrawalRequest) -> Address:
    """Return the entry of the book that a request names. Raises: RequestForged, TryAgain."""
    number = request.request_no
    if vault.unseal_digest(number, request.sealed) != request.digest:
        raise RequestForged(number, "it is not what the merchant's person asked for in the portal")
    book = requests.address_book(request.merchant_id)
    entry = book.find(request.network, request.address)
    if entry is None or entry.added_at != request.address_added_at:
        raise RequestForged(number, ADDRESS_GONE)
    return entry


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


def _pay_out(
    funds: Funds,
    permit: Permit,
    command: str,
    money: Sum,
    *,
    is_held: bool,
    request: WithdrawalRequest | None = None,
) -> Transfer:
    numbers = {} if request is None else {"request_no": request.request_no}
    operator, memo = permit.operator, permit.plan.reason
    is_out = TRANSFERS[command] is TransferKind.WITHDRAWAL
    waits = is_out and not money.account.mode.is_test and not operator.caller.alone

    def attempt() -> Transfer:
        details = {**_details(money), **numbers}
        entry = permit.entry(command, details)
        transfer = payout(
            *(money, TRANSFERS[command]),
            transfer_id=transfer_id(entry),
            at_us=entry.at_us,
            memo=memo,
        )
        token = operator.chance.token()
        if waits and entry.executes is not None:
            agreed = replace(entry, executes=replace(entry.executes, status="approved"))
            funds.put_off(agreed, token, request=request)
        else:
            funds.pay_out(transfer, entry, token, is_held=is_held, request=request)
        return transfer

    return operator.commit(attempt)


def _owner_of(funds: Funds, account: Account) -> str:
    """Return whose account it is, by name and id, and its mode. Raises: UnknownId, TryAgain."""
    return f"{funds.owner_name(account)}, {account.key}"


def _permit(operator: Operator, funds: Funds, money: Sum, memo: str, kind: TransferKind) -> Permit:
    """Return the permit to move an amount. Raises: UnacceptableTerms, ProposalNeeded."""
    problems = transfer_problems(money.amount_micro, memo)
    if problems:
        raise UnacceptableTerms(problems)
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


def _details(money: Sum) -> Mapping[str, str]:
    return {"amount_usdt": format_usdt(money.amount_micro), "account": money.account.key}
