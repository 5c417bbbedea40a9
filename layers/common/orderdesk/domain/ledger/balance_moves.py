"""The changes of balances that orders, proposals, requests and audit entries must have made.

Each follows from a stored record and its times alone, so a window's changes can be computed at any
later time (contract section 13).
"""

from collections.abc import Iterator
from dataclasses import dataclass

from orderdesk.domain.ledger.accounts import Account, AccountKind, TransferKind
from orderdesk.domain.ledger.proof import (
    Reason,
    decision_reason,
    reversal_reasons,
    settlement_reason,
    subject_of,
)
from orderdesk.domain.ledger.rows import EntryRow, account_of
from orderdesk.domain.ledger.settlement import account_held_on, amount_held
from orderdesk.domain.merchants.withdrawals import WithdrawalRequest
from orderdesk.domain.modes import Mode
from orderdesk.domain.orders.order import Order, OrderStatus
from orderdesk.domain.proposals import Proposal, ProposalStatus
from orderdesk.domain.times import US_PER_SECOND


@dataclass(frozen=True, slots=True)
class BalanceMove:
    """One change of a balance in micro-USDT, and its time (Unix seconds).

    `shard` is where held USDT changes. Available USDT may be gathered from others, so only the sum
    of all shards is known.
    """

    account_key: str
    shard: int
    available_micro: int
    held_micro: int
    at: int


type Decision = Proposal | WithdrawalRequest | EntryRow


def order_moves(order: Order) -> Iterator[BalanceMove]:
    """Yield what an order's timeline did to balances.

    Raises: ValueError for an order that completed without being open, or without a trader.
    """
    was_open = False
    for entry in order.timeline:
        is_open = entry.status.is_open
        if is_open and not was_open:
            yield _held(order, 1, entry.time)
        elif entry.status is OrderStatus.COMPLETED:
            if not was_open:
                raise ValueError("completed without being open")
            yield from _settled(order, entry.time)
        elif was_open and not is_open:
            yield _held(order, -1, entry.time)
        was_open = is_open
    yield from _reversed(order)


def _held(order: Order, sign: int, at: int) -> BalanceMove:
    amount = sign * amount_held(order)
    account = account_held_on(order)
    shard = order.shard if account.kind is AccountKind.MERCHANT else 0
    return BalanceMove(account.key, shard, -amount, amount, at)


def _settled(order: Order, at: int) -> Iterator[BalanceMove]:
    payer = _held(order, -1, at)
    for posting in settlement_reason(order, at).postings:
        if posting.account_key == payer.account_key:
            # If another sum completed the order, it paid more or less than it had held.
            left = payer.available_micro + posting.amount_micro
            yield BalanceMove(payer.account_key, payer.shard, left, payer.held_micro, at)
        else:
            yield BalanceMove(posting.account_key, 0, posting.amount_micro, 0, at)


def _reversed(order: Order) -> Iterator[BalanceMove]:
    for reason in reversal_reasons(order):
        at = reason.at_us // US_PER_SECOND
        for posting in reason.postings:
            yield BalanceMove(posting.account_key, 0, posting.amount_micro, 0, at)


def settled_at(order: Order) -> int | None:
    """Return when an order completed (Unix seconds); None if it did not."""
    last = order.timeline[-1] if order.timeline else None
    is_settled = last is not None and last.status is OrderStatus.COMPLETED
    return last.time if is_settled and last is not None else None


def is_open_at(order: Order, at: int) -> bool:
    """Return whether an order was open just before a time (Unix seconds)."""
    past = [entry.status for entry in order.timeline if entry.time < at]
    return bool(past) and past[-1].is_open


def decision_moves(row: Decision) -> Iterator[BalanceMove]:
    """Yield what a funding, a withdrawal or a withdrawal request did to balances."""
    match row:
        case Proposal():
            yield from _of_proposal(row)
        case WithdrawalRequest():
            yield _hold_of(row, 1, row.requested_at_us)
            if not row.is_held and not row.is_paid:
                yield _hold_of(row, -1, row.decided_at_us or 0)
        case EntryRow():
            yield from _of_transfer(row, was_held=bool(row.request_no))


def _of_proposal(row: Proposal) -> Iterator[BalanceMove]:
    if row.hold is not None:
        yield _hold_of(row, 1, row.proposed_at_us)
    if row.status is ProposalStatus.EXECUTED:
        yield from _of_transfer(row, was_held=row.kind is not TransferKind.FUNDING)
    elif row.hold is not None and not row.status.is_undecided:
        yield _hold_of(row, -1, row.ended_at_us)


def _hold_of(row: Proposal | WithdrawalRequest, sign: int, at_us: int) -> BalanceMove:
    amount = sign * row.money.amount_micro
    return BalanceMove(row.money.account.key, 0, -amount, amount, at_us // US_PER_SECOND)


def _of_transfer(row: Proposal | EntryRow, *, was_held: bool) -> Iterator[BalanceMove]:
    reason = decision_reason(row)
    if reason is None:
        return  # its order has the reversal
    at = reason.at_us // US_PER_SECOND
    for posting in reason.postings:
        micro = posting.amount_micro
        is_held = was_held and posting.account_key == subject_of(row)[0]
        available, held = (0, micro) if is_held else (micro, 0)
        yield BalanceMove(posting.account_key, 0, available, held, at)


def reasons_of(record: Order | Decision) -> Iterator[Reason]:
    """Yield the transfers that a record is the reason of. Raises: ValueError as `order_moves`."""
    if isinstance(record, Order):
        at = settled_at(record)
        if at is not None:
            yield settlement_reason(record, at)
        yield from reversal_reasons(record)
    elif not isinstance(record, WithdrawalRequest):
        reason = decision_reason(record)
        if reason is not None:
            yield reason


def merchant_account(order: Order) -> str:
    """Return the key of the account of an order's merchant."""
    return Account(AccountKind.MERCHANT, order.merchant_id, order.mode).key


def accounts_of_merchant(merchant_id: str) -> Iterator[Account]:
    """Yield the accounts that a merchant can have."""
    for mode in Mode:
        for kind in (AccountKind.MERCHANT, AccountKind.DEPOSIT, AccountKind.FEE):
            yield Account(kind, merchant_id, mode)


def is_outside(key: str) -> bool:
    """Return whether an account represents the outside, whose balance is negative."""
    account = account_of(key)
    return account is not None and account.kind is AccountKind.FUNDING
