"""Withdrawals: USDT that leaves an account, agreed by two operators (contract section 6)."""

from dataclasses import dataclass, replace
from enum import StrEnum

from orderdesk.domain.ledger.accounts import Account, AccountKind, Posting, Transfer, TransferKind


class WithdrawalStatus(StrEnum):
    """A withdrawal is open until an operator approves or rejects it."""

    OPEN = "open"
    APPROVED = "approved"
    REJECTED = "rejected"


@dataclass(frozen=True, slots=True)
class Withdrawal:
    """A withdrawal in micro-USDT; times in Unix microseconds.

    While it is open, its amount is held on its account. `proposed_by` and `decided_by` are the
    operators' ARNs; nothing changes `proposed_by`. `memo` is the proposer's text, `reason` the text
    of the operator who rejected it.
    """

    withdrawal_no: str
    account: Account
    amount_micro: int
    memo: str
    proposed_by: str
    proposed_at_us: int
    status: WithdrawalStatus = WithdrawalStatus.OPEN
    decided_by: str = ""
    decided_at_us: int | None = None
    reason: str = ""

    @property
    def is_open(self) -> bool:
        """Whether the withdrawal is neither approved nor rejected."""
        return self.status is WithdrawalStatus.OPEN


def approved(withdrawal: Withdrawal, by: str, at_us: int) -> Withdrawal:
    """Return the approved withdrawal."""
    assert withdrawal.is_open
    return replace(withdrawal, status=WithdrawalStatus.APPROVED, decided_by=by, decided_at_us=at_us)


def rejected(withdrawal: Withdrawal, by: str, at_us: int, reason: str) -> Withdrawal:
    """Return the rejected withdrawal."""
    assert withdrawal.is_open
    return replace(
        withdrawal,
        status=WithdrawalStatus.REJECTED,
        decided_by=by,
        decided_at_us=at_us,
        reason=reason,
    )


def payout(withdrawal: Withdrawal) -> Transfer:
    """Create the transfer of an approved withdrawal: from its account's held balance to outside.

    A withdrawal is paid out once, so its number is the id of the transfer.
    """
    assert withdrawal.decided_at_us is not None, "an approved withdrawal was decided"
    outside = Account(AccountKind.FUNDING, "", withdrawal.account.mode)
    return Transfer(
        transfer_id=withdrawal.withdrawal_no,
        kind=TransferKind.WITHDRAWAL,
        at_us=withdrawal.decided_at_us,
        memo=withdrawal.memo,
        postings=(
            Posting(withdrawal.account, -withdrawal.amount_micro),
            Posting(outside, withdrawal.amount_micro),
        ),
    )
