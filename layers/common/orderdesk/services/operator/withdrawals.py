"""Withdrawals: one operator proposes, another approves or rejects (contract sections 6 and 9)."""

from orderdesk.domain.audit import AuditEntry
from orderdesk.domain.ids import RANDOM_BITS, numbered, time_ordered_id
from orderdesk.domain.ledger.accounts import Account, AccountKind
from orderdesk.domain.ledger.withdrawals import (
    Withdrawal,
    WithdrawalStatus,
    approved,
    rejected,
)
from orderdesk.domain.modes import Mode
from orderdesk.domain.money import format_usdt
from orderdesk.domain.operators import (
    NotTheProposer,
    OperatorUnknown,
    UnacceptableTerms,
    UnknownId,
    WithdrawalDecided,
    principal_of,
    required_text_problems,
    transfer_problems,
)
from orderdesk.services.operator.actions import Operator
from orderdesk.services.operator.ports import TraderRegister, Withdrawals
from orderdesk.services.operator.traders import trader_account

_LETTER = "W"
_US_PER_MS = 1_000


def propose_for_merchant(
    withdrawals: Withdrawals,
    operator: Operator,
    merchant_id: str,
    amount_micro: int,
    *,
    mode: Mode,
    memo: str,
) -> Withdrawal:
    """Propose to withdraw micro-USDT from a merchant's account of a mode; the amount is held.

    Raises: UnknownId, BalanceTooLow, OperatorUnknown, UnacceptableTerms; TryAgain, after which the
    proposal may exist or not.
    """
    account = Account(AccountKind.MERCHANT, merchant_id, mode)
    return _propose(withdrawals, operator, account, amount_micro, memo)


def propose_for_trader(
    withdrawals: Withdrawals,
    register: TraderRegister,
    operator: Operator,
    trader_id: str,
    amount_micro: int,
    *,
    memo: str,
    as_test: bool = False,
) -> Withdrawal:
    """Propose to withdraw micro-USDT from a trader's account, in the trader's own mode.

    Raises: as for a merchant, and WrongMode (see `trader_account`).
    """
    account = trader_account(register, trader_id, as_test=as_test)
    return _propose(withdrawals, operator, account, amount_micro, memo)


def approve(withdrawals: Withdrawals, operator: Operator, withdrawal_no: str) -> Withdrawal:
    """Pay out an open withdrawal. If this operator already approved it, do nothing.

    Raises: UnknownId, NotTheProposer, OperatorUnknown, WithdrawalDecided, TryAgain.
    """
    principal = _principal(operator)

    def attempt() -> Withdrawal:
        before = known_withdrawal(withdrawals, withdrawal_no)
        if principal_of(before.proposed_by) in {None, principal}:
            raise NotTheProposer(withdrawal_no, before.proposed_by)
        if _was_decided(before, WithdrawalStatus.APPROVED, operator):
            return before
        entry = _entry(operator, "approve", before)
        after = approved(before, operator.who, entry.at_us)
        withdrawals.decide(after, entry, operator.chance.token())
        return after

    return operator.commit(attempt)


def reject(
    withdrawals: Withdrawals, operator: Operator, withdrawal_no: str, reason: str
) -> Withdrawal:
    """Release an open withdrawal's amount; its proposer may do so too.

    Raises: UnknownId, UnacceptableTerms, WithdrawalDecided, TryAgain.
    """
    problems = required_text_problems("reason", reason)
    if problems:
        raise UnacceptableTerms(problems)

    def attempt() -> Withdrawal:
        before = known_withdrawal(withdrawals, withdrawal_no)
        if _was_decided(before, WithdrawalStatus.REJECTED, operator):
            return before
        entry = _entry(operator, "reject", before, reason)
        after = rejected(before, operator.who, entry.at_us, reason)
        withdrawals.decide(after, entry, operator.chance.token())
        return after

    return operator.commit(attempt)


def known_withdrawal(withdrawals: Withdrawals, withdrawal_no: str) -> Withdrawal:
    """Return a withdrawal's present state. Raises: UnknownId, TryAgain."""
    withdrawal = withdrawals.withdrawal(withdrawal_no)
    if withdrawal is None:
        raise UnknownId("withdrawal", withdrawal_no)
    return withdrawal


def _propose(
    withdrawals: Withdrawals, operator: Operator, account: Account, amount_micro: int, memo: str
) -> Withdrawal:
    problems = transfer_problems(amount_micro, memo)
    if problems:
        raise UnacceptableTerms(problems)
    _principal(operator)

    def attempt() -> Withdrawal:
        at_us = operator.now_us()
        identifier = time_ordered_id(at_us // _US_PER_MS, operator.chance.below(1 << RANDOM_BITS))
        withdrawal = Withdrawal(
            withdrawal_no=numbered(_LETTER, identifier, operator.now()),
            account=account,
            amount_micro=amount_micro,
            memo=memo,
            proposed_by=operator.who,
            proposed_at_us=at_us,
        )
        entry = _entry(operator, account.kind.value, withdrawal, memo)
        withdrawals.propose(withdrawal, entry, operator.chance.token())
        return withdrawal

    return operator.commit(attempt)


def _principal(operator: Operator) -> str:
    principal = principal_of(operator.who)
    if principal is None:
        raise OperatorUnknown(operator.who)
    return principal


def _was_decided(before: Withdrawal, status: WithdrawalStatus, operator: Operator) -> bool:
    """Return whether this operator already decided so. Raises: WithdrawalDecided otherwise."""
    if before.is_open:
        return False
    if (before.status, before.decided_by) != (status, operator.who):
        raise WithdrawalDecided(before.withdrawal_no, before.status.value, before.decided_by)
    return True


def _entry(operator: Operator, action: str, withdrawal: Withdrawal, reason: str = "") -> AuditEntry:
    details = {
        "withdrawal_no": withdrawal.withdrawal_no,
        "amount_usdt": format_usdt(withdrawal.amount_micro),
        "account": withdrawal.account.key,
    }
    return operator.entry(f"withdraw.{action}", withdrawal.account.owner, reason, details)
