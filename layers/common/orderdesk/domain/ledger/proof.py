"""Prove that the postings are exactly those of the completed orders and of the decided transfers.

Every transfer has a reason: a completed order, an executed proposal of two people, or an audit
entry of an administrator who acted alone. The reason says which postings there must be, and the
stored ones must be the same, each once.
"""

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from orderdesk.domain.ledger.accounts import (
    SPREAD_PART,
    Account,
    AccountKind,
    Transfer,
    TransferKind,
    other_side,
)
from orderdesk.domain.ledger.findings import Finding, FindingKind
from orderdesk.domain.ledger.reversal import reversals_of
from orderdesk.domain.ledger.rows import (
    DecisionRow,
    EntryRow,
    LedgerRow,
    MalformedRow,
    PostingRow,
    account_of,
)
from orderdesk.domain.ledger.settlement import settlement
from orderdesk.domain.merchants.withdrawals import WithdrawalRequest
from orderdesk.domain.modes import Mode
from orderdesk.domain.orders.order import Order
from orderdesk.domain.proposals import Proposal, ProposalStatus


@dataclass(frozen=True, slots=True)
class Reason:
    """Why a transfer is in the ledger, and the postings that it must have."""

    transfer_id: str
    at_us: int
    postings: tuple[PostingRow, ...]


def reversal_reasons(order: Order) -> Iterator[Reason]:
    """Yield the reasons of an order's reversals.

    Raises: ValueError if they are more than was settled.
    """
    if order.reversed_micro > order.quote.usdt_micro:
        raise ValueError("more is reversed than was settled")
    yield from map(_reason_of, reversals_of(order))


def settlement_reason(order: Order, at: int) -> Reason:
    """Return the reason of the settlement of an order that completed at a time (Unix seconds).

    Raises: ValueError if the order's amounts do not sum to zero, or if it has no trader.
    """
    if order.trader_id is None:
        raise ValueError("a completed order without trader")
    return _reason_of(settlement(order, at))


def _reason_of(transfer: Transfer) -> Reason:
    return Reason(
        transfer.transfer_id,
        transfer.at_us,
        tuple(
            PostingRow(
                posting.account.key,
                transfer.transfer_id,
                posting.amount_micro,
                transfer.kind_of(posting).value,
                transfer.order_no,
                transfer.at_us,
            )
            for posting in transfer.postings
        ),
    )


def decision_reason(row: Proposal | EntryRow) -> Reason | None:
    """Return the reason of a decided transfer; None for a proposal that was not executed.

    None also for a reversal, whose reason is its order.
    """
    if row.kind is TransferKind.REVERSAL:
        return None
    match row:
        case Proposal():
            if row.status is not ProposalStatus.EXECUTED:
                return None
            transfer_id, at_us = row.proposal_no, row.ended_at_us
        case EntryRow():
            transfer_id, at_us = row.audit_id, row.at_us
    key, micro = subject_of(row)
    account = account_of(key) or Account(AccountKind.MERCHANT, "", Mode.LIVE)
    assert row.kind is not None
    kind, other = row.kind, other_side(row.kind, account).key
    amount = micro if kind is TransferKind.FUNDING else -micro
    postings = (
        PostingRow(key, transfer_id, amount, kind.value, "", at_us),
        PostingRow(other, transfer_id, -amount, kind.value, "", at_us),
    )
    return Reason(transfer_id, at_us, postings)


def subject_of(row: Proposal | WithdrawalRequest | EntryRow) -> tuple[str, int]:
    """Return the key of the account that a decision is about, and the micro-USDT."""
    if isinstance(row, EntryRow):
        return row.account_key, row.amount_micro
    return row.money.account.key, row.money.amount_micro


def decision_findings(row: Proposal | EntryRow) -> Iterator[Finding]:
    """Yield a finding if live money moved by the decision of one person."""
    key, _ = subject_of(row)
    account = account_of(key)
    if account is not None and account.mode is Mode.TEST:
        return
    kind = FindingKind.NO_SECOND_PERSON
    match row:
        case Proposal():
            people = {name.casefold() for name in (row.proposed_by, row.decided_by) if name}
            if row.status is ProposalStatus.EXECUTED and len(people) < 2:  # noqa: PLR2004 two people
                number = row.proposal_no
                yield Finding(kind, number, 2, len(people), proposal_no=number, account=key)
        case EntryRow():
            if not row.is_alone:
                yield Finding(kind, row.audit_id, 2, 1, account=key)


def required_entries(row: Proposal | WithdrawalRequest, recent_us: int) -> Iterator[DecisionRow]:
    """Yield the audit entries that a proposal or a withdrawal request must have.

    None if its last change is from `recent_us` on (Unix microseconds): the Audit table may have
    been read before it.
    """
    subject = subject_of(row)
    if isinstance(row, WithdrawalRequest):
        if row.requested_at_us < recent_us:
            yield DecisionRow(row.request_no, False, row.requested_by, *subject)
        return
    agreed_us = row.agreed_at_us or 0
    if max(agreed_us, row.proposed_at_us) >= recent_us:
        return
    yield DecisionRow(row.proposal_no, False, row.proposed_by, *subject)
    if agreed_us:
        yield DecisionRow(row.proposal_no, True, row.decided_by, *subject)


def missing_entries(counts: Counter[DecisionRow]) -> Iterator[Finding]:
    """Yield each proposal and request without an entry of its person, account and amount.

    `counts` are the audit entries that there must be, less those that exist.
    """
    missing = {row.proposal_no: row.account_key for row, count in counts.items() if count > 0}
    for number, account in sorted(missing.items()):
        if number.startswith("W"):
            yield Finding(FindingKind.REQUEST_WITHOUT_ENTRY, number, 1, 0, account=account)
        else:
            kind = FindingKind.PROPOSAL_WITHOUT_ENTRY
            yield Finding(kind, number, 1, 0, proposal_no=number, account=account)


def transfer_findings(
    expected: Sequence[PostingRow], stored: Sequence[PostingRow]
) -> Iterator[Finding]:
    """Yield how the stored postings of one transfer differ from the expected ones."""
    missing, extra = list(expected), []
    for row in stored:
        if row in missing:
            missing.remove(row)
        else:
            extra.append(row)
    for row in extra:
        pair = _counterpart(row, missing)
        if pair is not None:
            missing.remove(pair)
        yield _extra_finding(row, pair, expected)
    for row in missing:
        kind = (
            FindingKind.ORDER_WITHOUT_POSTING
            if row.is_of_order
            else FindingKind.DECISION_WITHOUT_POSTING
        )
        yield _named(kind, row, row.amount_micro, 0, row.transfer_id)


def _counterpart(row: PostingRow, missing: Sequence[PostingRow]) -> PostingRow | None:
    """Return the missing posting that became `row`: of the same account, or of its kind."""
    own = [each for each in missing if each.account_key == row.account_key]
    same = iter(sorted(own, key=lambda each: each.kind != row.kind))
    kind = row.account_key.partition(":")[0]
    alike = (each for each in missing if each.account_key.partition(":")[0] == kind)
    return next(same, None) or next(alike, None)


def _extra_finding(
    row: PostingRow, pair: PostingRow | None, expected: Sequence[PostingRow]
) -> Finding:
    actual = row.amount_micro
    if pair is not None:
        kind = FindingKind.CHANGED_POSTING
        if pair.account_key != row.account_key:
            kind = FindingKind.CHANGED_ACCOUNT
        elif pair.amount_micro != actual:
            kind = FindingKind.CHANGED_AMOUNT
        return _named(kind, row, pair.amount_micro, actual)
    if any(each.account_key == row.account_key for each in expected):
        return _named(FindingKind.DUPLICATED_POSTING, row, 0, actual)
    without = FindingKind.POSTING_WITHOUT_DECISION
    return _named(FindingKind.POSTING_WITHOUT_ORDER if row.is_of_order else without, row, 0, actual)


def _named(
    kind: FindingKind, row: PostingRow, expected: int, actual: int, key: str = ""
) -> Finding:
    return Finding(
        kind,
        key or posting_name(row),
        expected,
        actual,
        order_no=row.order_no or (row.transfer_id if row.is_of_order else ""),
        proposal_no=row.transfer_id if row.transfer_id.startswith("P") else "",
        account=row.account_key,
    )


def posting_name(row: PostingRow) -> str:
    """Return the key of a posting's item, for people."""
    part = SPREAD_PART if row.kind == TransferKind.SPREAD.value else ""
    return f"{row.account_key} posting#{row.at_us:016d}#{row.transfer_id}{part}"


def restored_findings(then: LedgerRow | None, now: LedgerRow | None) -> Iterator[Finding]:
    """Yield how the item of a posting differs from what it was in a restored table."""
    match then, now:
        case (MalformedRow() as row, _) | (_, MalformedRow() as row):
            yield Finding(
                FindingKind.MALFORMED, f"{row.table}: {row.key}", 0, 1, problem=row.problem
            )
        case PostingRow(), PostingRow() if then.amount_micro != now.amount_micro:
            yield _named(FindingKind.CHANGED_AMOUNT, now, then.amount_micro, now.amount_micro)
        case PostingRow(), PostingRow() if then != now:
            yield _named(FindingKind.CHANGED_POSTING, now, then.amount_micro, now.amount_micro)
        case PostingRow(), None:
            yield _named(FindingKind.LOST_POSTING, then, then.amount_micro, 0)
        case _:
            return
