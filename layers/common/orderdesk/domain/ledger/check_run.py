"""One run of the ledger check: what was read, what was found, and what must be read again.

There is no snapshot over several tables. If an order moves after its hold and before its trader is
read, a false difference appears. The same happens with a posting that is written after its balance
was read. A false difference is gone or changed in the next reading; a real one stays. So balances,
holds, counters and recent transfers are read up to three times while anything differs. Older
transfers never change, so one reading proves them. The second reading names those that differ.

A run is pure data. It can be stored between two parts of its reading and continued elsewhere.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, field
from enum import StrEnum
from typing import Any, Self

from orderdesk.domain.ledger.check import Tally
from orderdesk.domain.ledger.findings import Finding, FindingKind
from orderdesk.domain.ledger.proof import (
    Entries,
    Proof,
    Reason,
    Suspects,
    decision_findings,
    decision_reason,
    future_findings,
    order_reason,
    required_entries,
)
from orderdesk.domain.ledger.rows import (
    AmountRow,
    BalanceRow,
    DecisionRow,
    EntryRow,
    LedgerRow,
    MalformedRow,
    OpenBuysRow,
    PostingRow,
    ProposalRow,
    RequestPlaceRow,
    RequestRow,
    TraderRow,
)
from orderdesk.domain.modes import Mode
from orderdesk.domain.orders.open_orders import UnpaidBuys
from orderdesk.domain.orders.order import Order
from orderdesk.domain.pricing import OrderType
from orderdesk.domain.times import US_PER_SECOND
from orderdesk.domain.traders.trader import DAY_OFFSET_SECONDS, DAY_SECONDS

PASSES_MAX = 3
# A transfer is committed at most this long after its time: no function runs longer than a minute.
RECENT_US = 120 * US_PER_SECOND
# Clocks of functions may differ.
AHEAD_US = 60 * US_PER_SECOND
FINDINGS_MAX = 1000
JUDGED_BUYS_MIN = 20
"""Ended buys of a day from which a merchant's share of unpaid ones is judged."""
_NIGHT_BEGINS_SECONDS = 2 * 3600
# Their postings are kept in memory to name what is wrong: about 150,000 of 10 million.
NAMED_BUCKETS_MAX = 64


def night_of(now: int) -> str:
    """Return the name of a time's night (Unix seconds); a night begins at 02:00 Beijing time."""
    begun = now + DAY_OFFSET_SECONDS - _NIGHT_BEGINS_SECONDS
    return f"night-{begun // DAY_SECONDS}"


class Source(StrEnum):
    """A table that is read."""

    LEDGER = "ledger"
    TRADERS = "traders"
    ORDERS = "orders"
    AUDIT = "audit"
    MERCHANTS = "merchants"


@dataclass(frozen=True, slots=True)
class Segment:
    """A part of a table: number `index` (from 0) of `of` parts."""

    index: int
    of: int


@dataclass(frozen=True, slots=True)
class ReadingPlace:
    """Where to read on: `start` is None at the beginning of the segment.

    Items that cannot matter before `since_us` (Unix microseconds) are left out; None reads all.
    """

    source: Source
    segment: Segment
    start: str | None
    since_us: int | None


@dataclass(frozen=True, slots=True)
class Progress:
    """How far a reading is: its `number`, rows so far, segments done and segments in all."""

    number: int
    rows: int
    done: int
    of: int


@dataclass(slots=True)
class CheckRun:
    """A run, from its start to its result; times in Unix microseconds. Not thread-safe.

    `starts` has the next place of each segment of the present reading; a finished one is missing.
    `found` is certain; `moving` differed in every reading, by changing amounts. `more` counts the
    findings that `found` has no room for. `unpaid` counts the live buys of each merchant that were
    created within a day before the start, as in `UnpaidBuys`.
    """

    started_us: int
    segments: int
    proof: Proof
    number: int = 1
    rows: int = 0
    starts: dict[str, str | None] = field(default_factory=dict)
    tally: Tally = field(default_factory=Tally)
    posted: dict[str, int] = field(default_factory=dict)
    older_postings: int = 0
    entries: Entries = field(default_factory=Entries)
    suspects: Suspects = field(default_factory=Suspects)
    unproved: dict[str, int] | None = None
    seen: list[list[Finding]] = field(default_factory=list)
    found: list[Finding] = field(default_factory=list)
    moving: list[Finding] = field(default_factory=list)
    more: int = 0
    unpaid: dict[str, tuple[int, int]] = field(default_factory=dict)
    is_done: bool = False

    @classmethod
    def begin(cls, now_us: int, key: bytes, segments: int) -> Self:
        """Begin a run; `key` is secret and random, of at most 64 bytes."""
        run = cls(now_us, segments, Proof(key, now_us - RECENT_US))
        run.starts = dict.fromkeys(run._names())
        return run

    def places(self) -> Iterator[ReadingPlace]:
        """Yield where each unfinished segment is read on."""
        reads_all = self.number == 1 or bool(self.suspects.buckets)
        since_us = None if reads_all else self.proof.recent_us
        for name, start in self.starts.items():
            source, _, index = name.partition("/")
            yield ReadingPlace(Source(source), Segment(int(index), self.segments), start, since_us)

    def add_page(
        self, place: ReadingPlace, rows: Sequence[LedgerRow], following: str | None, now_us: int
    ) -> None:
        """Add the rows of a page; `following` is where the segment is read on, None at its end."""
        for row in rows:
            self._add(row, now_us)
        self.rows += len(rows)
        name = f"{place.source}/{place.segment.index}"
        if following is None:
            del self.starts[name]
        else:
            self.starts[name] = following

    def progress(self) -> Progress:
        """Return how far the present reading is."""
        names = len(self._names())
        return Progress(self.number, self.rows, names - len(self.starts), names)

    def end_reading(self) -> None:
        """Decide after a whole reading: the run is done, or everything doubtful is read again."""
        assert not self.starts, "a segment is not read to its end"
        self._find_first(*self.entries.findings())
        self.entries = Entries()
        self.tally.start_with(self.older_postings, self.posted)
        self.seen.append(list(self.tally.findings()))
        named = self.suspects.older()
        for findings in named.values():
            self._find(*findings)
        before, now = self.unproved, self.proof.recent
        self.unproved = {
            name: total
            for name, total in now.items()
            if name not in named and (before is None or before.get(name) == total)
        }
        wrong = self.proof.wrong_buckets()
        doubtful = bool(in_every_reading(self.seen) or self.unproved)
        if not wrong and (not doubtful or self.number == PASSES_MAX):
            self._finish()
        else:
            self._read_again(wrong)

    def _read_again(self, wrong: Sequence[int]) -> None:
        if len(wrong) > NAMED_BUCKETS_MAX:
            left = len(wrong) - NAMED_BUCKETS_MAX
            self._find(Finding(FindingKind.UNNAMED_TRANSFERS, "buckets", 0, left))
        buckets, recent = frozenset(wrong[:NAMED_BUCKETS_MAX]), frozenset(self.unproved or ())
        self.suspects = Suspects(buckets, recent, self.proof.recent_us)
        self.proof = Proof(self.proof.key, self.proof.recent_us)
        self.tally = Tally()
        self.number += 1
        self.rows = 0
        self.starts = dict.fromkeys(self._names())

    def _finish(self) -> None:
        self._find(*self.suspects.newer(self.unproved or {}))
        always = in_every_reading(self.seen)
        amounts = set.intersection(*({_signature(f) for f in found} for found in self.seen))
        self._find(*(finding for finding in always if _signature(finding) in amounts))
        self.moving = [finding for finding in always if _signature(finding) not in amounts]
        # Pages arrive in any order.
        self.found.sort(key=lambda finding: (_KINDS.index(finding.kind), finding.key))
        self.is_done = True

    def most_unpaid(self) -> tuple[str, UnpaidBuys] | None:
        """Return the merchant with the largest share of unpaid buys, if one has enough buys."""
        counted = [(name, UnpaidBuys(*counts)) for name, counts in self.unpaid.items()]
        judged = [named for named in counted if named[1].ended >= JUDGED_BUYS_MIN]
        return max(judged, key=lambda named: (named[1].percent or 0, named[0]), default=None)

    def dump(self) -> dict[str, Any]:
        """Return the run as JSON values."""
        lists = {
            name: [asdict(finding) for finding in getattr(self, name)]
            for name in ("found", "moving")
        }
        seen = [[asdict(finding) for finding in found] for found in self.seen]
        parts = {name: getattr(self, name).dump() for name in ("proof", "tally", "suspects")}
        others = {"seen": seen, "entries": self.entries.counts}
        return {name: getattr(self, name) for name in _PLAIN} | lists | parts | others

    @classmethod
    def load(cls, data: Mapping[str, Any]) -> Self:
        """Return the run of JSON values."""
        return cls(
            # A run of the release before has no `unpaid`.
            **{name: data[name] for name in _PLAIN if name in data},
            proof=Proof.load(data["proof"]),
            entries=Entries(data["entries"]),
            tally=Tally.load(data["tally"]),
            suspects=Suspects.load(data["suspects"]),
            seen=[_findings(found) for found in data["seen"]],
            found=_findings(data["found"]),
            moving=_findings(data["moving"]),
        )

    def _names(self) -> list[str]:
        # Merchants and drafts are only read to find malformed items.
        sources = [s for s in Source if self.number == 1 or s is not Source.MERCHANTS]
        return [f"{source}/{index}" for index in range(self.segments) for source in sources]

    def _add(self, row: LedgerRow, now_us: int) -> None:
        match row:
            case PostingRow():
                self._add_posting(row, now_us)
            case Order():
                self.tally.add(row)
                self._add_order(row)
                self._count_unpaid(row)
            case ProposalRow() | EntryRow():
                self.tally.add(row)
                if isinstance(row, ProposalRow):
                    self._expect_entries(row)
                self._find_first(*decision_findings(row))
                self._expect(decision_reason(row))
            case DecisionRow():
                if self.number == 1:
                    self.entries.store(row)
            case MalformedRow():
                name = f"{row.table}: {row.key}"
                self._find_first(Finding(FindingKind.MALFORMED, name, 0, 1, problem=row.problem))
            case RequestRow():
                self.tally.add(row)
                self._expect_entries(row)
            case BalanceRow() | TraderRow() | AmountRow() | OpenBuysRow() | RequestPlaceRow():
                self.tally.add(row)

    def _expect_entries(self, row: ProposalRow | RequestRow) -> None:
        if self.number == 1:
            for entry in required_entries(row, self.proof.recent_us):
                self.entries.expect(entry)

    def _add_posting(self, row: PostingRow, now_us: int) -> None:
        if row.at_us >= self.proof.recent_us:
            self.tally.add(row)
            self.proof.store(row)
            self._find_first(*future_findings(row, now_us + AHEAD_US))
        elif self.number == 1:
            self.older_postings += 1
            self.posted[row.account_key] = self.posted.get(row.account_key, 0) + row.amount_micro
            self.proof.store(row)
        self.suspects.store(row)

    def _add_order(self, order: Order) -> None:
        try:
            self._expect(order_reason(order))
        except ValueError as error:
            name, number = f"orders: {order.order_no}", order.order_no
            kind = FindingKind.MALFORMED
            self._find_first(Finding(kind, name, 0, 1, order_no=number, problem=str(error)))

    def _count_unpaid(self, order: Order) -> None:
        is_recent = order.createtime >= self.started_us // US_PER_SECOND - DAY_SECONDS
        is_live_buy = order.order_type is OrderType.BUY and order.mode is Mode.LIVE
        if self.number == 1 and is_recent and is_live_buy:
            before = UnpaidBuys(*self.unpaid.get(order.merchant_id, ()))
            now = before + UnpaidBuys.of([order.status])
            self.unpaid[order.merchant_id] = now.ended, now.unpaid

    def _expect(self, reason: Reason | None) -> None:
        if reason is None:
            return
        if self.number == 1 or reason.at_us >= self.proof.recent_us:
            self.proof.expect(reason)
        self.suspects.expect(reason)

    def _find_first(self, *findings: Finding) -> None:
        """Keep findings of the first reading; later ones see the same items again."""
        if self.number == 1:
            self._find(*findings)

    def _find(self, *findings: Finding) -> None:
        room = FINDINGS_MAX - len(self.found)
        self.found += findings[:room]
        self.more += len(findings[room:])


_KINDS = tuple(FindingKind)
_PLAIN = (
    *("started_us", "segments", "number", "rows", "starts", "posted", "older_postings"),
    *("unproved", "more", "unpaid", "is_done"),
)


def in_every_reading(seen: Sequence[Sequence[Finding]]) -> list[Finding]:
    """Return the last reading's findings that every reading saw, by whatever amount."""
    always = set.intersection(*({(f.kind, f.key) for f in found} for found in seen))
    return [finding for finding in seen[-1] if (finding.kind, finding.key) in always]


def _signature(finding: Finding) -> tuple[FindingKind, str, int]:
    return finding.kind, finding.key, finding.delta


def _findings(values: Sequence[Mapping[str, Any]]) -> list[Finding]:
    return [Finding(**{**value, "kind": FindingKind(value["kind"])}) for value in values]
