"""What orders, proposals, requests and audit entries must have moved, and the proof of postings.

Every transfer has a reason: a completed order, an executed proposal of two people, or an audit
entry of an administrator who acted alone. The reason says which postings there must be, and the
stored ones must be the same, each once. The changes of balances follow from the same records and
their times alone, so those of a window can be computed at any later time (contract section 13).
"""

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from orderdesk.domain.accounts import (
    SPREAD_PART,
    Account,
    AccountKind,
    Transfer,
    TransferKind,
    other_side,
)
from orderdesk.domain.ledger.reversal import reversals_of
from orderdesk.domain.ledger.rows import (
    DecisionRow,
    EntryRow,
    LedgerRow,
    MalformedRow,
    PostingRow,
    account_of,
)
from orderdesk.domain.ledger.seals import Finding, FindingKind
from orderdesk.domain.ledger.settlement import account_held_on, amount_held, settlement
from orderdesk.domain.merchants.withdrawals import WithdrawalRequest
from orderdesk.domain.orders.order import Order, OrderStatus
from orderdesk.domain.pricing import Mode
from orderdesk.domain.proposals import Proposal, ProposalStatus
from orderdesk.domain.times import US_PER_SECOND


def reversal_postings(order: Order) -> Iterator[PostingRow]:
    """Yield the postings of an order's reversals.

    Raises: ValueError if they are more than was settled.
    """
    if order.reversed_micro > order.quote.usdt_micro:
        raise ValueError("more is reversed than was settled")
    for transfer in reversals_of(order):
        yield from _postings_of(transfer)


def settlement_postings(order: Order, at: int) -> Iterator[PostingRow]:
    """Yield the postings of the settlement of an order that completed at a time (Unix seconds).

    Raises: ValueError if the order's amounts do not sum to zero, or if it has no trader.
    """
    if order.trader_id is None:
        raise ValueError("a completed order without trader")
    yield from _postings_of(settlement(order, at))


def _postings_of(transfer: Transfer) -> Iterator[PostingRow]:
    for posting in transfer.postings:
        yield PostingRow(
            posting.account.key,
            transfer.transfer_id,
            posting.amount_micro,
            transfer.kind_of(posting).value,
            transfer.order_no,
            transfer.at_us,
        )


def decision_postings(row: Proposal | EntryRow) -> Iterator[PostingRow]:
    """Yield the postings of a decided transfer; none of a proposal that was not executed.

    None also of a reversal, whose postings are its order's.
    """
    if row.kind is TransferKind.REVERSAL:
        return
    match row:
        case Proposal():
            if row.status is not ProposalStatus.EXECUTED:
                return
            transfer_id, at_us = row.proposal_no, row.ended_at_us
        case EntryRow():
            transfer_id, at_us = row.audit_id, row.at_us
    key, micro = subject_of(row)
    account = account_of(key) or Account(AccountKind.MERCHANT, "", Mode.LIVE)
    assert row.kind is not None
    signed = micro if row.kind is TransferKind.FUNDING else -micro
    for each, amount in ((key, signed), (other_side(row.kind, account).key, -signed)):
        yield PostingRow(each, transfer_id, amount, row.kind.value, "", at_us)


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


def required_entries(
    row: Proposal | WithdrawalRequest, recent_us: int
) -> Iterator[tuple[int, DecisionRow]]:
    """Yield the audit entries that a proposal or a request must have, each with its time (Unix us).

    None if its last change is from `recent_us` on (Unix microseconds): the Audit table may have
    been read before it.
    """
    subject = subject_of(row)
    if isinstance(row, WithdrawalRequest):
        if row.requested_at_us < recent_us:
            entry = DecisionRow(row.request_no, False, row.requested_by, *subject)
            yield row.requested_at_us, entry
        return
    agreed_us = row.agreed_at_us or 0
    if max(agreed_us, row.proposed_at_us) >= recent_us:
        return
    yield row.proposed_at_us, DecisionRow(row.proposal_no, False, row.proposed_by, *subject)
    if agreed_us:
        yield agreed_us, DecisionRow(row.proposal_no, True, row.decided_by, *subject)


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
    for posting in settlement_postings(order, at):
        if posting.account_key == payer.account_key:
            # If another sum completed the order, it paid more or less than it had held.
            left = payer.available_micro + posting.amount_micro
            yield BalanceMove(payer.account_key, payer.shard, left, payer.held_micro, at)
        else:
            yield BalanceMove(posting.account_key, 0, posting.amount_micro, 0, at)


def _reversed(order: Order) -> Iterator[BalanceMove]:
    for posting in reversal_postings(order):
        at = posting.at_us // US_PER_SECOND
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
    for posting in decision_postings(row):
        at, micro = posting.at_us // US_PER_SECOND, posting.amount_micro
        is_held = was_held and posting.account_key == subject_of(row)[0]
        available, held = (0, micro) if is_held else (micro, 0)
        yield BalanceMove(posting.account_key, 0, available, held, at)


def expected_postings(record: Order | Decision) -> Iterator[PostingRow]:
    """Yield the postings that a record is the reason of. Raises: ValueError as `order_moves`."""
    if isinstance(record, Order):
        at = settled_at(record)
        if at is not None:
            yield from settlement_postings(record, at)
        yield from reversal_postings(record)
    elif not isinstance(record, WithdrawalRequest):
        yield from decision_postings(record)


def merchant_account(order: Order) -> str:
    """Return the key of the account of an order's merchant."""
    return Account(AccountKind.MERCHANT, order.merchant_id, order.mode).key


def is_outside(key: str) -> bool:
    """Return whether an account represents the outside, whose balance is negative."""
    account = account_of(key)
    return account is not None and account.kind is AccountKind.FUNDING
