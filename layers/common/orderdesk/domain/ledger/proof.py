"""Prove that the postings are exactly those of the completed orders and of the decided transfers.

Every transfer has a reason: a completed order, an executed proposal of two people, or an audit
entry of an administrator who acted alone. The reason says which postings there must be, and the
stored ones must be the same, each once.

The sums of a keyed hash compare them in any order: each expected posting is added to its transfer's
bucket, each stored one is subtracted. A bucket of equal multisets is 0. Different ones give 0 with
a probability of 2^-128, and nobody can aim at it, because each run draws its own key. Memory is the
number of buckets. Recent transfers may be half read, so each has a sum of its own.
"""

import json
from collections import defaultdict
from collections.abc import Container, Iterator, Mapping, Sequence
from dataclasses import astuple, dataclass, field
from hashlib import blake2b
from typing import Any, Self
from zlib import crc32

from orderdesk.domain.ledger.accounts import Account, AccountKind, TransferKind
from orderdesk.domain.ledger.findings import Finding, FindingKind
from orderdesk.domain.ledger.rows import (
    DecisionRow,
    EntryRow,
    LedgerRow,
    MalformedRow,
    PostingRow,
    ProposalRow,
    RequestRow,
    account_of,
)
from orderdesk.domain.ledger.settlement import settlement
from orderdesk.domain.modes import Mode
from orderdesk.domain.orders.order import Order, OrderStatus
from orderdesk.domain.times import US_PER_SECOND

BUCKETS = 4096
_HASH_BYTES = 16
_MODULUS = 1 << 8 * _HASH_BYTES


@dataclass(frozen=True, slots=True)
class Reason:
    """Why a transfer is in the ledger, and the postings that it must have."""

    transfer_id: str
    at_us: int
    postings: tuple[PostingRow, ...]


def order_reason(order: Order) -> Reason | None:
    """Return the reason of a completed order's settlement; None if the order is not completed.

    Raises: ValueError if the order's amounts do not sum to zero, or if it has no time of completion
    or no trader.
    """
    if order.status is not OrderStatus.COMPLETED:
        return None
    last = order.timeline[-1] if order.timeline else None
    if last is None or last.status is not OrderStatus.COMPLETED or order.trader_id is None:
        raise ValueError("a completed order without trader or time of completion")
    transfer = settlement(order, last.time)
    return Reason(
        order.order_no,
        transfer.at_us,
        tuple(
            PostingRow(
                posting.account.key,
                order.order_no,
                posting.amount_micro,
                TransferKind.SETTLEMENT.value,
                order.order_no,
                transfer.at_us,
            )
            for posting in transfer.postings
        ),
    )


def decision_reason(row: ProposalRow | EntryRow) -> Reason | None:
    """Return the reason of a funding or withdrawal; None for a proposal that was not executed."""
    match row:
        case ProposalRow():
            if not row.is_executed:
                return None
            transfer_id, at_us = row.proposal_no, row.decided_at_us
        case EntryRow():
            transfer_id, at_us = row.audit_id, row.at_us
    account = account_of(row.account_key)
    mode = Mode.LIVE if account is None else account.mode
    outside = Account(AccountKind.FUNDING, "", mode).key
    kind = TransferKind.FUNDING if row.is_funding else TransferKind.WITHDRAWAL
    amount = row.amount_micro if row.is_funding else -row.amount_micro
    postings = (
        PostingRow(row.account_key, transfer_id, amount, kind.value, "", at_us),
        PostingRow(outside, transfer_id, -amount, kind.value, "", at_us),
    )
    return Reason(transfer_id, at_us, postings)


def decision_findings(row: ProposalRow | EntryRow) -> Iterator[Finding]:
    """Yield a finding if live money moved by the decision of one person."""
    account = account_of(row.account_key)
    if account is not None and account.mode is Mode.TEST:
        return
    kind = FindingKind.NO_SECOND_PERSON
    match row:
        case ProposalRow():
            people = {name.casefold() for name in (row.proposed_by, row.decided_by) if name}
            if row.is_executed and len(people) < 2:  # noqa: PLR2004 two people
                number = row.proposal_no
                yield Finding(
                    kind, number, 2, len(people), proposal_no=number, account=row.account_key
                )
        case EntryRow():
            if not row.is_alone:
                yield Finding(kind, row.audit_id, 2, 1, account=row.account_key)


def required_entries(row: ProposalRow | RequestRow, recent_us: int) -> Iterator[DecisionRow]:
    """Yield the audit entries that a proposal or a withdrawal request must have.

    None if its last change is from `recent_us` on (Unix microseconds): the Audit table may have
    been read before it.
    """
    if isinstance(row, RequestRow):
        if row.requested_at_us < recent_us:
            subject = row.account_key, row.amount_micro
            yield DecisionRow(row.request_no, False, row.requested_by, *subject)
        return
    changed_us = row.decided_at_us if row.is_executed else row.proposed_at_us
    if changed_us >= recent_us:
        return
    subject = row.account_key, row.amount_micro
    yield DecisionRow(row.proposal_no, False, row.proposed_by, *subject)
    if row.is_executed:
        yield DecisionRow(row.proposal_no, True, row.decided_by, *subject)


@dataclass(slots=True)
class Entries:
    """The audit entries that proposals and withdrawal requests must have, less those that exist.

    Memory is the number of entries whose proposal is not read yet, and the reverse.
    """

    counts: dict[str, int] = field(default_factory=dict)

    def expect(self, row: DecisionRow) -> None:
        """Add an entry that a proposal must have."""
        self._add(row, 1)

    def store(self, row: DecisionRow) -> None:
        """Subtract an entry that exists."""
        self._add(row, -1)

    def findings(self) -> Iterator[Finding]:
        """Yield each proposal and request without an entry of its person, account and amount."""
        rows = (DecisionRow(*json.loads(key)) for key, count in self.counts.items() if count > 0)
        missing = {row.proposal_no: row.account_key for row in rows}
        for number, account in sorted(missing.items()):
            if number.startswith("W"):
                yield Finding(FindingKind.REQUEST_WITHOUT_ENTRY, number, 1, 0, account=account)
            else:
                kind = FindingKind.PROPOSAL_WITHOUT_ENTRY
                yield Finding(kind, number, 1, 0, proposal_no=number, account=account)

    def _add(self, row: DecisionRow, change: int) -> None:
        key = json.dumps(astuple(row))
        total = self.counts.pop(key, 0) + change
        if total:
            self.counts[key] = total


def _content(row: PostingRow) -> tuple[str, ...]:
    """Return what must be equal."""
    return (
        row.transfer_id,
        row.account_key,
        row.kind,
        row.order_no,
        str(row.amount_micro),
        str(row.at_us),
    )


def _bucket(transfer_id: str) -> int:
    return crc32(transfer_id.encode()) % BUCKETS


@dataclass(slots=True)
class Proof:
    """The sums of expected less stored postings. Transfers from `recent_us` on count singly."""

    key: bytes
    recent_us: int
    buckets: list[int] = field(default_factory=lambda: [0] * BUCKETS)
    recent: dict[str, int] = field(default_factory=dict)

    def expect(self, reason: Reason) -> None:
        """Add the postings that a transfer must have."""
        for posting in reason.postings:
            self._add(posting, 1)

    def store(self, posting: PostingRow) -> None:
        """Subtract a stored posting."""
        self._add(posting, -1)

    def _add(self, posting: PostingRow, sign: int) -> None:
        text = "\x1f".join(_content(posting)).encode()
        digest = blake2b(text, key=self.key, digest_size=_HASH_BYTES).digest()
        change = sign * int.from_bytes(digest)
        if posting.at_us >= self.recent_us:
            total = (self.recent.pop(posting.transfer_id, 0) + change) % _MODULUS
            if total:
                self.recent[posting.transfer_id] = total
        else:
            bucket = _bucket(posting.transfer_id)
            self.buckets[bucket] = (self.buckets[bucket] + change) % _MODULUS

    def wrong_buckets(self) -> list[int]:
        """Return the buckets whose postings are not the expected ones."""
        return [number for number, total in enumerate(self.buckets) if total]

    def dump(self) -> dict[str, Any]:
        """Return the sums as JSON values."""
        buckets = b"".join(total.to_bytes(_HASH_BYTES) for total in self.buckets).hex()
        return {
            "key": self.key.hex(),
            "recent_us": self.recent_us,
            "buckets": buckets,
            "recent": {name: f"{total:x}" for name, total in self.recent.items()},
        }

    @classmethod
    def load(cls, data: Mapping[str, Any]) -> Self:
        """Return the sums of JSON values."""
        buckets, size = bytes.fromhex(data["buckets"]), _HASH_BYTES
        return cls(
            bytes.fromhex(data["key"]),
            data["recent_us"],
            [int.from_bytes(buckets[n : n + size]) for n in range(0, len(buckets), size)],
            {name: int(total, 16) for name, total in data["recent"].items()},
        )


@dataclass(slots=True)
class Suspects:
    """The postings of the transfers that did not match, read again to name what is wrong.

    `buckets` and `recent` say which transfers are suspect.
    """

    buckets: frozenset[int] = frozenset()
    recent: frozenset[str] = frozenset()
    recent_us: int = 0
    expected: dict[str, list[PostingRow]] = field(default_factory=lambda: defaultdict(list))
    stored: dict[str, list[PostingRow]] = field(default_factory=lambda: defaultdict(list))

    def expect(self, reason: Reason) -> None:
        """Keep the postings that a suspect transfer must have."""
        for posting in filter(self._is_suspect, reason.postings):
            self.expected[posting.transfer_id].append(posting)

    def store(self, posting: PostingRow) -> None:
        """Keep a stored posting of a suspect transfer."""
        if self._is_suspect(posting):
            self.stored[posting.transfer_id].append(posting)

    def older(self) -> dict[str, list[Finding]]:
        """Return what is wrong with the transfers that are not wholly recent, by transfer."""
        return {
            transfer_id: found
            for transfer_id in self._transfers()
            if not self._is_recent(transfer_id) and (found := self._of(transfer_id))
        }

    def newer(self, transfers: Container[str]) -> Iterator[Finding]:
        """Yield what is wrong with these recent transfers."""
        for transfer_id in self._transfers():
            if transfer_id in transfers and self._is_recent(transfer_id):
                yield from self._of(transfer_id)

    def _transfers(self) -> list[str]:
        return sorted(self.expected.keys() | self.stored.keys())

    def _rows(self, transfer_id: str) -> tuple[list[PostingRow], list[PostingRow]]:
        return self.expected.get(transfer_id, []), self.stored.get(transfer_id, [])

    def _is_recent(self, transfer_id: str) -> bool:
        expected, stored = self._rows(transfer_id)
        return all(row.at_us >= self.recent_us for row in (*expected, *stored))

    def _of(self, transfer_id: str) -> list[Finding]:
        expected, stored = (sorted(rows, key=astuple) for rows in self._rows(transfer_id))
        return list(transfer_findings(expected, stored))

    def _is_suspect(self, posting: PostingRow) -> bool:
        is_named = posting.at_us >= self.recent_us and posting.transfer_id in self.recent
        return is_named or _bucket(posting.transfer_id) in self.buckets

    def dump(self) -> dict[str, Any]:
        """Return the postings as JSON values."""
        return {
            "buckets": sorted(self.buckets),
            "recent": sorted(self.recent),
            "recent_us": self.recent_us,
            "expected": [astuple(row) for rows in self.expected.values() for row in rows],
            "stored": [astuple(row) for rows in self.stored.values() for row in rows],
        }

    @classmethod
    def load(cls, data: Mapping[str, Any]) -> Self:
        """Return the postings of JSON values."""
        suspects = cls(frozenset(data["buckets"]), frozenset(data["recent"]), data["recent_us"])
        for rows, values in (
            (suspects.expected, data["expected"]),
            (suspects.stored, data["stored"]),
        ):
            for row in (PostingRow(*value) for value in values):
                rows[row.transfer_id].append(row)
        return suspects


def transfer_findings(
    expected: Sequence[PostingRow], stored: Sequence[PostingRow]
) -> Iterator[Finding]:
    """Yield how the stored postings of one transfer differ from the expected ones."""
    missing, extra = list(expected), []
    for row in stored:
        match = next((each for each in missing if _content(each) == _content(row)), None)
        if match is None:
            extra.append(row)
        else:
            missing.remove(match)
    for row in extra:
        pair = _counterpart(row, missing)
        if pair is not None:
            missing.remove(pair)
        yield _extra_finding(row, pair, expected)
    for row in missing:
        is_settlement = row.kind == TransferKind.SETTLEMENT.value
        kind = (
            FindingKind.ORDER_WITHOUT_POSTING
            if is_settlement
            else FindingKind.DECISION_WITHOUT_POSTING
        )
        yield _named(kind, row, row.amount_micro, 0, row.transfer_id)


def _counterpart(row: PostingRow, missing: Sequence[PostingRow]) -> PostingRow | None:
    """Return the missing posting that became `row`: of the same account, or of its kind."""
    same = (each for each in missing if each.account_key == row.account_key)
    kind = row.account_key.partition(":")[0]
    alike = (each for each in missing if each.account_key.partition(":")[0] == kind)
    return next(same, None) or next(alike, None)


def _extra_finding(
    row: PostingRow, pair: PostingRow | None, expected: Sequence[PostingRow]
) -> Finding:
    actual = row.amount_micro
    if pair is not None and pair.account_key != row.account_key:
        return _named(FindingKind.CHANGED_ACCOUNT, row, pair.amount_micro, actual)
    if pair is not None and pair.amount_micro != actual:
        return _named(FindingKind.CHANGED_AMOUNT, row, pair.amount_micro, actual)
    if pair is not None:
        return _named(FindingKind.CHANGED_POSTING, row, pair.amount_micro, actual)
    if any(each.account_key == row.account_key for each in expected):
        return _named(FindingKind.DUPLICATED_POSTING, row, 0, actual)
    is_settlement = row.kind == TransferKind.SETTLEMENT.value
    without = FindingKind.POSTING_WITHOUT_DECISION
    return _named(FindingKind.POSTING_WITHOUT_ORDER if is_settlement else without, row, 0, actual)


def _named(
    kind: FindingKind, row: PostingRow, expected: int, actual: int, key: str = ""
) -> Finding:
    is_settlement = row.kind == TransferKind.SETTLEMENT.value
    return Finding(
        kind,
        key or posting_name(row),
        expected,
        actual,
        order_no=row.order_no or (row.transfer_id if is_settlement else ""),
        proposal_no=row.transfer_id if row.transfer_id.startswith("P") else "",
        account=row.account_key,
    )


def posting_name(row: PostingRow) -> str:
    """Return the key of a posting's item, for people."""
    return f"{row.account_key} posting#{row.at_us:016d}#{row.transfer_id}"


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


def future_findings(row: PostingRow, latest_us: int) -> Iterator[Finding]:
    """Yield a finding if a posting's time is later than the check, in Unix seconds."""
    if row.at_us > latest_us:
        times = latest_us // US_PER_SECOND, row.at_us // US_PER_SECOND
        yield _named(FindingKind.FUTURE_TIME, row, *times)
