"""What was read of a span of the books, and what its records and postings must be (section 13).

The next seal is made from a span. Orders, proposals, requests and audit entries say which postings
there must be, each once.
"""

import hashlib
import json
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import astuple, dataclass, field
from operator import itemgetter

from orderdesk.domain.accounts import Account, AccountKind, Balance, TransferKind, shard_key
from orderdesk.domain.ledger.proof import (
    BalanceMove,
    Decision,
    decision_findings,
    decision_moves,
    expected_postings,
    is_open_at,
    merchant_account,
    missing_entries,
    order_moves,
    required_entries,
    subject_of,
    transfer_findings,
)
from orderdesk.domain.ledger.reversal import claimed_micro
from orderdesk.domain.ledger.rows import (
    AcknowledgedRow,
    AmountRow,
    BalanceRow,
    DecisionRow,
    EntryRow,
    MalformedRow,
    OpenBuysRow,
    PostingRow,
    RequestPlaceRow,
    TraderRow,
    account_of,
)
from orderdesk.domain.ledger.seals import Finding, FindingKind, Seal, day_end, provable
from orderdesk.domain.merchants.withdrawals import WithdrawalRequest
from orderdesk.domain.orders.open_orders import counter_key
from orderdesk.domain.orders.order import Order, OrderStatus
from orderdesk.domain.orders.other_sums import MOST_TIMES
from orderdesk.domain.orders.transitions import Actor
from orderdesk.domain.pricing import FEE_TERMS, OrderType, quote
from orderdesk.domain.proposals import Proposal, ProposalStatus
from orderdesk.domain.times import SECONDS_PER_DAY, US_PER_SECOND
from orderdesk.domain.traders.trader import slot_holder

PARITIES = frozenset({0, 1})


@dataclass(frozen=True, slots=True)
class StoredPosting:
    """A posting's row, and the hash of the whole item; `row` is malformed if it cannot be read."""

    row: PostingRow | MalformedRow
    digest: str
    place: str


@dataclass(frozen=True, slots=True)
class SumsRow:
    """One item of an account's balance with the sums of its windows, in micro-USDT."""

    account_key: str
    shard: int
    balance: Balance
    available: tuple[int, int]
    held: tuple[int, int]
    listed: frozenset[int] = frozenset()
    counted: BalanceRow | TraderRow | None = None


type SpanRow = Order | Decision | DecisionRow | RequestPlaceRow | AcknowledgedRow | MalformedRow


@dataclass(slots=True)
class SealedSpan:
    """What was read of a span: [previous.end, end) in Unix seconds. Not thread-safe.

    `is_open` says that the span is not over: nothing in it is sealed, and both parities of its sums
    are compared. While money moves, what differs must be read again to be sure. `later_orders` were
    created after the span and before its counters were read, which count them. `moved` are the
    orders that are not the same before and after the balances were read; None if one was not found
    before. `linked` are what the requests name that was decided before the span.
    """

    previous: Seal
    end: int
    is_open: bool = False
    orders: dict[str, Order] = field(default_factory=dict)
    decisions: dict[str, Decision] = field(default_factory=dict)
    entries: list[DecisionRow] = field(default_factory=list)
    malformed: list[MalformedRow] = field(default_factory=list)
    missing: set[str] = field(default_factory=set)
    postings: dict[str, Sequence[StoredPosting]] = field(default_factory=dict)
    balances: dict[str, dict[int, SumsRow]] = field(default_factory=lambda: defaultdict(dict))
    unreadable: set[str] = field(default_factory=set)
    read_at: int = 0
    accepted: dict[str, str] = field(default_factory=dict)
    counters: list[OpenBuysRow | AmountRow] = field(default_factory=list)
    later_orders: dict[str, Order] = field(default_factory=dict)
    moved: dict[str, tuple[Order | None, Order]] = field(default_factory=dict)
    places: list[RequestPlaceRow] = field(default_factory=list)
    linked: list[Decision] = field(default_factory=list)

    @property
    def compared(self) -> frozenset[int]:
        """The parities whose sums are compared."""
        parity = provable(self.end, self.read_at)
        if self.is_open:
            return PARITIES
        return frozenset() if parity is None else frozenset({parity})

    @property
    def day_start(self) -> int:
        """When the trading day of the span's end began (Unix seconds)."""
        return day_end(self.end - 1) - SECONDS_PER_DAY

    def has(self, at: int) -> bool:
        """Return whether a time is in the span (Unix seconds)."""
        return self.previous.end <= at < self.end

    def add(self, row: SpanRow) -> None:
        """Add a record of the span: what moved money, who decided, what cannot be read."""
        match row:
            case Order():
                self.orders[row.order_no] = row
            case Proposal():
                self.decisions[row.proposal_no] = row
            case WithdrawalRequest():
                self.decisions[row.request_no] = row
            case EntryRow():
                self.decisions[row.audit_id] = row
            case DecisionRow():
                self.entries.append(row)
            case RequestPlaceRow():
                self.places.append(row)
            case AcknowledgedRow():
                self.accepted[row.finding_id] = row.ref
            case MalformedRow():
                if row not in self.malformed:
                    self.malformed.append(row)

    def unlinked(self) -> Iterator[WithdrawalRequest]:
        """Yield the requests that name a proposal or entry that was not read."""
        for row in self.decisions.values():
            if isinstance(row, WithdrawalRequest) and row.ref and row.ref not in self.decisions:
                yield row

    def known_orders(self) -> dict[str, Order]:
        """Return the orders of the span, and the later ones that counters count."""
        return {**self.orders, **self.later_orders}

    def moves(self) -> Iterator[BalanceMove]:
        """Yield the changes of balances in the span; of an open one those before they were read."""
        for number, order in self.orders.items():
            before, _ = self.moved.get(number, (order, order))
            if before is not None or not self.is_open:
                yield from self.moves_of(order)
        for row in self.decisions.values():
            yield from (move for move in decision_moves(row) if self.has(move.at))

    def moves_of(self, order: Order) -> Sequence[BalanceMove]:
        """Return an order's changes of balances in the span; one that is no order has none."""
        try:
            return [move for move in order_moves(order) if self.has(move.at)]
        except ValueError:
            return []  # `order_findings` names it

    def moved_accounts(self) -> frozenset[str]:
        """Return the accounts that must have changed in the span."""
        return frozenset(move.account_key for move in self.moves())

    def unknown_orders(self) -> frozenset[str]:
        """Return the orders that stored postings name and that were not read."""
        rows = (each.row for some in self.postings.values() for each in some)
        named = {row.order_no for row in rows if isinstance(row, PostingRow) and row.order_no}
        return frozenset(named - self.orders.keys() - self.missing)


def price_digest(order: Order) -> str:
    """Return the hash of what an order's amounts were computed from, and of the amounts.

    They are those that it was created with, also if another sum completed it.
    """
    fees = [getattr(order.fees, name) for name in FEE_TERMS]
    subject = [order.order_type.value, order.mode.value, order.merchant_id, order.createtime]
    content = [*subject, list(astuple(order.held_quote)), order.base_rate.rate_e4, fees]
    return hashlib.sha256(json.dumps(content).encode()).hexdigest()[:32]


def _price_findings(order: Order) -> Iterator[Finding]:
    """Yield a finding if an order's amounts do not follow from its base rate and fees."""
    due = quote(order.order_type, order.quote.cny_fen, order.base_rate.rate_e4, order.fees)
    if due != order.quote or not is_sum_decided(order):
        number, account = order.order_no, merchant_account(order)
        sums = due.usdt_micro, order.quote.usdt_micro
        yield Finding(FindingKind.PRICE, number, *sums, order_no=number, account=account)


def is_sum_decided(order: Order) -> bool:
    """Return whether a sum that is not the one the order held for was decided as it must be.

    Only a disputed buy completes with another sum, at most twice what was asked. An operator
    decides it, or the payer agrees to what the trader reported.
    """
    if order.sums.held_fen is None:
        return True
    statuses = [entry.status for entry in order.timeline[-2:]]
    fen, by = order.quote.cny_fen, order.timeline[-1].by if order.timeline else ""
    return (
        order.order_type is OrderType.BUY
        and statuses == [OrderStatus.DISPUTED, OrderStatus.COMPLETED]
        and (by == Actor.OPERATOR or (by == Actor.PAYER and fen == order.sums.reported_fen))
        and order.sums.held_fen <= order.asked_fen
        and 0 < fen <= MOST_TIMES * order.asked_fen
    )


def _of_order(kind: FindingKind, order: Order) -> Finding:
    number = order.order_no
    return Finding(kind, number, 0, 1, order_no=number, account=merchant_account(order))


def order_findings(span: SealedSpan) -> Iterator[Finding]:
    """Yield what is wrong with single orders."""
    known = span.previous.orders
    for number in sorted(span.missing & known.keys()):
        yield Finding(FindingKind.MISSING_ORDER, number, 1, 0, order_no=number)
    for number, order in span.orders.items():
        if number in known:
            if price_digest(order) != known[number]:
                yield _of_order(FindingKind.CHANGED_PRICE, order)
                continue
            if order.sums.held_fen is not None:
                yield from _price_findings(order)
            continue
        if is_open_at(order, span.previous.end):
            yield _of_order(FindingKind.UNSEALED_ORDER, order)
        yield from _price_findings(order)
    for number, order in span.orders.items():
        try:
            list(order_moves(order))
        except ValueError as error:
            name = f"orders: {number}"
            yield Finding(FindingKind.MALFORMED, name, 0, 1, order_no=number, problem=str(error))


def posting_findings(span: SealedSpan) -> Iterator[Finding]:
    """Yield how the stored postings differ from those that orders and decisions must have."""
    expected: dict[str, list[PostingRow]] = defaultdict(list)
    stored: dict[str, list[PostingRow]] = defaultdict(list)
    for record in (*span.orders.values(), *span.decisions.values()):
        try:
            for row in expected_postings(record):
                if span.has(row.at_us // US_PER_SECOND):
                    expected[row.transfer_id].append(row)
        except ValueError:
            continue
    for some in span.postings.values():
        for each in some:
            if isinstance(each.row, PostingRow):
                stored[each.row.transfer_id].append(each.row)
    for transfer_id in sorted(expected.keys() | stored.keys()):
        rows = (sorted(rows[transfer_id], key=astuple) for rows in (expected, stored))
        first, second = rows
        if first != second:
            yield from transfer_findings(first, second)


def entry_findings(span: SealedSpan) -> Iterator[Finding]:
    """Yield decisions of the span that two people did not make, or that no audit entry has."""
    entries = Counter[DecisionRow]()
    for row in span.decisions.values():
        match row:
            case Proposal():
                if span.has(row.ended_at_us // US_PER_SECOND):
                    yield from decision_findings(row)
            case EntryRow():
                yield from decision_findings(row)
            case WithdrawalRequest():
                pass
        if not isinstance(row, EntryRow):
            for at_us, entry in required_entries(row, span.end * US_PER_SECOND):
                if span.has(at_us // US_PER_SECOND):
                    entries[entry] += 1
    entries.subtract(span.entries)
    yield from missing_entries(entries)


def reversal_findings(span: SealedSpan) -> Iterator[Finding]:
    """Yield reversals of the span that nobody decided, and decisions that no order has."""
    decided = {number: row for number, row in span.decisions.items() if _reverses(span, row)}
    for order in span.orders.values():
        account = merchant_account(order)
        for decision, at, actual in _decided_parts(order):
            row = decided.pop(decision, None)
            most = 0
            if row is not None and subject_of(row)[0] == account:
                most = subject_of(row)[1]
            if span.has(at) and actual > most:
                kind, number = FindingKind.POSTING_WITHOUT_DECISION, order.order_no
                key = f"{number} {decision}"
                yield Finding(kind, key, most, actual, order_no=number, account=account)
    for number, row in decided.items():
        kind, (account, amount) = FindingKind.DECISION_WITHOUT_POSTING, subject_of(row)
        yield Finding(kind, number, amount, 0, proposal_no=number, account=account)


def _decided_parts(order: Order) -> Iterator[tuple[str, int, int]]:
    """Yield number, time and micro-USDT of an order's reversals and of its paid claim."""
    for part in order.undone.reversals:
        yield part.number, part.time, part.usdt_micro
    claim = order.paid_claim
    if claim is not None:
        yield claim.number, claim.time, claimed_micro(order, claim.trader_id)


def _reverses(span: SealedSpan, row: Decision) -> bool:
    """Return whether a record decided a reversal or paid a claim in the span."""
    if isinstance(row, WithdrawalRequest) or row.kind is not TransferKind.REVERSAL:
        return False
    if isinstance(row, Proposal):
        is_executed = row.status is ProposalStatus.EXECUTED
        if not (is_executed and span.has(row.ended_at_us // US_PER_SECOND)):
            return False
    return subject_of(row)[1] > 0


type CounterRow = BalanceRow | TraderRow | OpenBuysRow | AmountRow
type _Count = tuple[FindingKind, str, str]
"""The kind, key and account of a counter."""
type _Counts = Counter[_Count]


@dataclass(slots=True)
class Bounds[N]:
    """The least and the most that sums can be: what moved while they were read may be in or not."""

    least: Counter[N] = field(default_factory=Counter)
    most: Counter[N] = field(default_factory=Counter)

    def add(self, name: N, amount: int) -> None:
        """Add what is in a sum."""
        self.least[name] += amount
        self.most[name] += amount

    def may_add(self, name: N, amount: int) -> None:
        """Add what may be in a sum."""
        self.least[name] += min(0, amount)
        self.most[name] += max(0, amount)

    def nearest(self, name: N, stored: int, due: int = 0) -> int:
        """Return what a sum can be that is nearest to what is stored; `due` is also in it."""
        return min(max(stored, due + self.least[name]), due + self.most[name])


@dataclass(slots=True)
class _Read:
    """What was read: counts that are due and stored, and by trader what must cancel out."""

    due: Bounds[_Count] = field(default_factory=Bounds)
    stored: _Counts = field(default_factory=Counter)
    unmatched: defaultdict[str, set[str]] = field(default_factory=lambda: defaultdict(set))

    def add(self, row: CounterRow) -> None:
        """Add a stored counter."""
        match row:
            case BalanceRow():
                counts = _sells(row.account_key, row.shard, row.open_sells, row.open_sell_fen)
                self.stored.update(counts)
            case OpenBuysRow():
                self.stored.update(_buys(row.key, row.open_buys, row.open_fen))
            case TraderRow():
                key = row.account.key
                self.stored[FindingKind.OPEN_ORDERS, key, key] += row.open_orders
                for holder, count in row.slots:
                    self.stored[FindingKind.OPEN_SLOTS, holder, key] += count
            case AmountRow():
                self.unmatched[row.account.key] ^= row.open_orders

    def add_order(self, order: Order) -> None:
        """Add what an open order counts."""
        for name, count in _counts(order).items():
            self.due.add(name, count)
        if order.trader_id is not None and order.counted.unique_amount:
            self.unmatched[_trader_key(order.trader_id, order)] ^= {order.order_no}

    def add_moved(self, before: Order | None, after: Order) -> None:
        """Add what an order counts, or not yet, or no more."""
        counts = _counts(after) if before is None else _counts(after) | _counts(before)
        for name, count in counts.items():
            self.due.may_add(name, count)

    def differing(self) -> Iterator[tuple[FindingKind, str, str, int, int]]:
        """Yield what is stored but cannot be: kind, key, account, the nearest due count, stored."""
        for name in sorted(self.due.most.keys() | self.stored.keys(), key=itemgetter(1, 0)):
            stored = self.stored[name]
            due = self.due.nearest(name, stored)
            if due != stored:
                yield *name, due, stored


def counter_findings(
    orders: Iterable[Order],
    rows: Iterable[CounterRow],
    moved: Mapping[str, tuple[Order | None, Order]],
) -> Iterator[Finding]:
    """Yield the counters that are not what the open orders say.

    An order that moved while they were read may be counted or not, as before or as after.
    """
    read, wrong_slots = _Read(), Counter[str]()
    for row in rows:
        read.add(row)
    for order in orders:
        if order.status.is_open and order.order_no not in moved:
            read.add_order(order)
    for before, after in moved.values():
        read.add_moved(before, after)
    for kind, key, account, due, stored in read.differing():
        if kind is FindingKind.OPEN_SLOTS:
            wrong_slots[account] += 1
        else:
            yield Finding(kind, key, due, stored, account=account)
    for key, wrong in sorted(wrong_slots.items()):
        yield Finding(FindingKind.OPEN_SLOTS, key, 0, wrong, account=key)
    for key, numbers in sorted(read.unmatched.items()):
        if wrong := len(numbers - moved.keys()):
            yield Finding(FindingKind.OPEN_AMOUNTS, key, 0, wrong, account=key)


def _counts(order: Order) -> _Counts:
    """Return what an order counts while it is open: in its merchant's limits, and its trader's."""
    counts = _limits(order)
    if order.trader_id is not None:
        key = _trader_key(order.trader_id, order)
        counts[FindingKind.OPEN_ORDERS, key, key] = 1
        if order.counted.in_slot:
            counts[FindingKind.OPEN_SLOTS, slot_holder(order.merchant_id), key] = 1
    return counts


def _trader_key(trader_id: str, order: Order) -> str:
    return Account(AccountKind.TRADER, trader_id, order.mode).key


def _limits(order: Order) -> _Counts:
    """Return what an open order counts in its merchant's limits."""
    fen = order.quote.cny_fen
    match order.order_type:
        case OrderType.BUY:
            return _buys(
                counter_key(order.merchant_id, order.mode, order.counted.open_shard), 1, fen
            )
        case OrderType.SELL:
            account = Account(AccountKind.MERCHANT, order.merchant_id, order.mode)
            return _sells(account.key, order.shard, 1, fen)


def _buys(key: str, count: int, fen: int) -> _Counts:
    return Counter({(FindingKind.OPEN_BUYS, key, ""): count, (FindingKind.OPEN_CNY, key, ""): fen})


def _sells(account_key: str, shard: int, count: int, fen: int) -> _Counts:
    account = account_of(account_key)
    name = account_key if account is None else shard_key(account, shard)
    return Counter(
        {
            (FindingKind.OPEN_SELLS, name, account_key): count,
            (FindingKind.OPEN_SELL_CNY, name, account_key): fen,
        }
    )
