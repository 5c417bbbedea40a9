"""What was read of a span of the books, which the next seal is made from (section 13)."""

from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

from orderdesk.domain.ledger.accounts import Balance
from orderdesk.domain.ledger.balance_moves import BalanceMove, Decision, decision_moves, order_moves
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
)
from orderdesk.domain.ledger.seals import Seal, day_end, provable
from orderdesk.domain.merchants.withdrawals import WithdrawalRequest
from orderdesk.domain.orders.order import Order
from orderdesk.domain.proposals import Proposal
from orderdesk.domain.times import SECONDS_PER_DAY

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
    created after the span and before its counters were read, which count them. `linked` are what
    the requests name that was decided before the span.
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

    def moves(self) -> Iterator[BalanceMove]:
        """Yield the changes of balances in the span; an order that is no order has none."""
        for order in self.orders.values():
            try:
                yield from [move for move in order_moves(order) if self.has(move.at)]
            except ValueError:
                continue  # `findings` names it
        for row in self.decisions.values():
            yield from (move for move in decision_moves(row) if self.has(move.at))

    def moved_accounts(self) -> frozenset[str]:
        """Return the accounts that must have changed in the span."""
        return frozenset(move.account_key for move in self.moves())

    def unknown_orders(self) -> frozenset[str]:
        """Return the orders that stored postings name and that were not read."""
        rows = (each.row for some in self.postings.values() for each in some)
        named = {row.order_no for row in rows if isinstance(row, PostingRow) and row.order_no}
        return frozenset(named - self.orders.keys() - self.missing)
