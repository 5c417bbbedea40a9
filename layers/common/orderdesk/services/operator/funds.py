"""USDT that comes in from outside or leaves (contract section 6).

Live money needs two people, test money one. A withdrawal that needs two is held from its proposal
on, one that a merchant requested from the request on. If a commit raises TryAgain, the transfer may
exist or not; repeat it with its idempotency key.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any, ClassVar, Self, override

from orderdesk.domain.ledger.accounts import Account, AccountKind, Transfer, funding
from orderdesk.domain.merchants.withdrawals import WithdrawalRequest
from orderdesk.domain.modes import Mode
from orderdesk.domain.money import format_usdt
from orderdesk.domain.operators import (
    RequestDecided,
    UnacceptableTerms,
    UnknownId,
    transfer_problems,
)
from orderdesk.domain.proposals import Plan, Sum, TwoPersonCommand, payout
from orderdesk.services.operator.actions import GuardedCommand, Operator
from orderdesk.services.operator.ports import CommandPorts, Funds
from orderdesk.services.operator.traders import trader_account


def fund(funds: Funds, operator: Operator, money: Sum, memo: str) -> Transfer:
    """Fund an account.

    Raises: UnknownId, UnacceptableTerms, ProposalNeeded, TryAgain.
    """
    _check(operator, funds, money, memo, is_paid_out=False)

    def attempt() -> Transfer:
        account = money.account
        entry = operator.entry(f"fund.{account.kind.value}", account.owner, memo, _details(money))
        transfer = funding(
            account,
            money.amount_micro,
            transfer_id=operator.transfer_id(entry),
            at_us=entry.at_us,
            memo=memo,
        )
        funds.fund(transfer, entry, operator.chance.token())
        return transfer

    return operator.commit(attempt)


def withdraw(funds: Funds, operator: Operator, money: Sum, memo: str) -> Transfer:
    """Withdraw from an account.

    Raises: UnknownId, BalanceTooLow, UnacceptableTerms, ProposalNeeded, TryAgain.
    """
    _check(operator, funds, money, memo, is_paid_out=True)
    return _pay_out(funds, operator, money, memo, is_held=operator.decision is not None)


def pay_request(ports: CommandPorts, operator: Operator, request_no: str) -> Transfer:
    """Pay a merchant's withdrawal request, which holds the amount.

    Raises: UnknownId, RequestDecided, BasisChanged, ProposalNeeded, TryAgain.
    """
    request = ports.requests.request(request_no)
    if request is None:
        raise UnknownId("withdrawal request", request_no)
    decision = operator.decision
    by = "" if decision is None else decision.proposal_no
    if not request.is_held or request.proposal_no != by:
        state = f"taken up as {request.proposal_no}" if request.is_taken_up else request.status
        raise RequestDecided(f"{request_no} is {state}")
    plan = _request_plan(request)
    operator.require(plan, second_person=True)
    return _pay_out(
        *(ports.funds, operator, request.money, plan.reason), is_held=True, request=request
    )


def _request_plan(request: WithdrawalRequest) -> Plan:
    """Return the plan of a request; it rests on the amount and address that the proposer saw."""
    money, to = request.money, f"{request.network.value} {request.address}"
    added = datetime.fromtimestamp(request.address_added_at, UTC)
    return Plan(
        target=request.merchant_id,
        summary=f"Withdraw {format_usdt(money.amount_micro)} USDT: {money.account.key}",
        after={
            "network": request.network.value,
            "address": request.address,
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
    operator: Operator,
    money: Sum,
    memo: str,
    *,
    is_held: bool,
    request: WithdrawalRequest | None = None,
) -> Transfer:
    numbers = {} if request is None else {"request_no": request.request_no}

    def attempt() -> Transfer:
        account = money.account
        details = {**_details(money), **numbers}
        entry = operator.entry(f"withdraw.{account.kind.value}", account.owner, memo, details)
        transfer = payout(
            money, transfer_id=operator.transfer_id(entry), at_us=entry.at_us, memo=memo
        )
        token = operator.chance.token()
        funds.pay_out(transfer, entry, token, is_held=is_held, request=request)
        return transfer

    return operator.commit(attempt)


def _check(operator: Operator, funds: Funds, money: Sum, memo: str, *, is_paid_out: bool) -> None:
    """Check the amount, the memo, and whether a second person is needed."""
    problems = transfer_problems(money.amount_micro, memo)
    if problems:
        raise UnacceptableTerms(problems)
    account = money.account
    if account.mode.is_test or not operator.must_propose:
        return
    available = funds.balance(account).available_micro
    after = available - money.amount_micro if is_paid_out else available + money.amount_micro
    verb = "Withdraw" if is_paid_out else "Fund"
    plan = Plan(
        target=account.owner,
        summary=f"{verb} {format_usdt(money.amount_micro)} USDT: {account.key}",
        before={"available": format_usdt(available)},
        after={"available": format_usdt(after)},
        reason=memo,
        money=money,
    )
    operator.require(plan, second_person=True)


def _details(money: Sum) -> Mapping[str, str]:
    return {"amount_usdt": format_usdt(money.amount_micro), "account": money.account.key}


@dataclass(frozen=True, slots=True)
class _OfMerchant(GuardedCommand[Transfer]):
    merchant_id: str
    amount_micro: int
    mode: Mode
    memo: str

    @override
    @classmethod
    def of(cls, parameters: Mapping[str, Any]) -> Self:
        return cls(**{**parameters, "mode": Mode(parameters["mode"])})

    def _money(self) -> Sum:
        return Sum(Account(AccountKind.MERCHANT, self.merchant_id, self.mode), self.amount_micro)


@dataclass(frozen=True, slots=True)
class _OfTrader(GuardedCommand[Transfer]):
    trader_id: str
    amount_micro: int
    memo: str
    as_test: bool = False

    def _money(self, ports: CommandPorts) -> Sum:
        """Return the amount on the trader's account. Raises: UnknownId, WrongMode."""
        account = trader_account(ports.traders, self.trader_id, as_test=self.as_test)
        return Sum(account, self.amount_micro)


class FundMerchant(_OfMerchant):
    """`fund.merchant`."""

    __slots__ = ()
    name: ClassVar = TwoPersonCommand.FUND_MERCHANT

    @override
    def carry_out(self, ports: CommandPorts, operator: Operator) -> Transfer:
        return fund(ports.funds, operator, self._money(), self.memo)


@dataclass(frozen=True, slots=True)
class WithdrawMerchant(_OfMerchant):
    """`withdraw.merchant`; with a `request_no` it pays that request, whose values it has."""

    name: ClassVar = TwoPersonCommand.WITHDRAW_MERCHANT
    request_no: str = ""

    @override
    def carry_out(self, ports: CommandPorts, operator: Operator) -> Transfer:
        if self.request_no:
            return pay_request(ports, operator, self.request_no)
        return withdraw(ports.funds, operator, self._money(), self.memo)


class FundTrader(_OfTrader):
    """`fund.trader`, in the trader's own mode."""

    __slots__ = ()
    name: ClassVar = TwoPersonCommand.FUND_TRADER

    @override
    def carry_out(self, ports: CommandPorts, operator: Operator) -> Transfer:
        return fund(ports.funds, operator, self._money(ports), self.memo)


class WithdrawTrader(_OfTrader):
    """`withdraw.trader`, in the trader's own mode."""

    __slots__ = ()
    name: ClassVar = TwoPersonCommand.WITHDRAW_TRADER

    @override
    def carry_out(self, ports: CommandPorts, operator: Operator) -> Transfer:
        return withdraw(ports.funds, operator, self._money(ports), self.memo)
