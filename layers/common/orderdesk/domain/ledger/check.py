"""Check that balances, holds and counters agree with postings, orders and open proposals.

Available USDT may move between an account's shards at any time, so it is checked as a sum. A hold
stays on the shard of its order, so held USDT is checked by shard. `proof` checks the postings.

Rows are added to a tally in any order. The tally's memory grows with the number of accounts and of
open buys, not with the number of postings.
"""

from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from itertools import chain
from operator import itemgetter
from typing import Any, Self

from orderdesk.domain.ledger.accounts import Account, AccountKind, Balance, shard_key
from orderdesk.domain.ledger.findings import Finding, FindingKind
from orderdesk.domain.ledger.request_links import RequestLinks
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
    account_of,
)
from orderdesk.domain.ledger.settlement import open_hold
from orderdesk.domain.modes import Mode
from orderdesk.domain.orders.open_orders import counter_key
from orderdesk.domain.orders.order import Order
from orderdesk.domain.pricing import OrderType
from orderdesk.domain.traders.trader import slot_holder


@dataclass(slots=True)
class ShardSums:
    """One of an account's shards: its stored figures, and the sums of the orders on it.

    `counted` and `counted_fen` are the stored figures of open sells.
    """

    available: int = 0
    held: int = 0
    holds: int = 0
    counted: int = 0
    counted_fen: int = 0
    sells: int = 0
    fen: int = 0


@dataclass(slots=True)
class AccountSums:
    """One account: its stored figures by shard, its stored count, and the sums of what was read.

    `unmatched` are the numbers of orders that only a record of an amount has, or that only
    themselves say that one has them. `slots` are a trader's stored numbers of open orders by
    merchant, less those that were read.
    """

    shards: dict[int, ShardSums] = field(default_factory=dict)
    listed: frozenset[int] = frozenset()
    has_balance: bool = False
    counted: int = 0
    posted: int = 0
    orders: int = 0
    unmatched: set[str] = field(default_factory=set)
    slots: Counter[str] = field(default_factory=Counter)

    @property
    def available(self) -> int:
        """What is available on all shards together (micro-USDT)."""
        return sum(shard.available for shard in self.shards.values())

    @property
    def held(self) -> int:
        """What is held on all shards together (micro-USDT)."""
        return sum(shard.held for shard in self.shards.values())

    def shard(self, number: int) -> ShardSums:
        """Return a shard's sums; they start at 0."""
        return self.shards.setdefault(number, ShardSums())


@dataclass(slots=True)
class CounterSums:
    """One counter of open buys: its stored figures, and the sums of what was read."""

    counted: int = 0
    counted_fen: int = 0
    orders: int = 0
    fen: int = 0


def findings_of_account(key: str, sums: AccountSums) -> Iterator[Finding]:
    """Yield what is wrong with an account."""
    owned = sums.available + sums.held
    account = account_of(key)
    if account is None:
        yield Finding(FindingKind.UNKNOWN_ACCOUNT, key, 0, owned, account=key)
    if owned != sums.posted:
        yield Finding(FindingKind.BALANCE, key, sums.posted, owned, account=key)
    if sums.counted != sums.orders:
        yield Finding(FindingKind.OPEN_ORDERS, key, sums.orders, sums.counted, account=key)
    if sums.unmatched:
        yield Finding(FindingKind.OPEN_AMOUNTS, key, 0, len(sums.unmatched), account=key)
    if wrong := sum(count != 0 for count in sums.slots.values()):
        yield Finding(FindingKind.OPEN_SLOTS, key, 0, wrong, account=key)
    for number, shard in sorted(sums.shards.items()):
        name = key if account is None else shard_key(account, number)
        yield from _of_shard(name, shard, key)
        if number and number not in sums.listed:
            owned = shard.available + shard.held
            yield Finding(FindingKind.UNKNOWN_ACCOUNT, name, 0, owned, account=key)


def _of_shard(name: str, shard: ShardSums, key: str) -> Iterator[Finding]:
    account = account_of(key)
    if shard.held != shard.holds:
        yield Finding(FindingKind.HELD, name, shard.holds, shard.held, account=key)
    is_outside = account is not None and account.kind is AccountKind.FUNDING
    if shard.available < 0 and not is_outside:
        yield Finding(FindingKind.NEGATIVE_AVAILABLE, name, 0, shard.available, account=key)
    if shard.held < 0:
        yield Finding(FindingKind.NEGATIVE_HELD, name, 0, shard.held, account=key)
    if shard.counted != shard.sells:
        yield Finding(FindingKind.OPEN_SELLS, name, shard.sells, shard.counted, account=key)
    if shard.counted_fen != shard.fen:
        yield Finding(FindingKind.OPEN_SELL_CNY, name, shard.fen, shard.counted_fen, account=key)


def findings_of_counter(key: str, counter: CounterSums) -> Iterator[Finding]:
    """Yield what is wrong with a counter of open buys."""
    if counter.counted != counter.orders:
        yield Finding(FindingKind.OPEN_BUYS, key, counter.orders, counter.counted)
    if counter.counted_fen != counter.fen:
        yield Finding(FindingKind.OPEN_CNY, key, counter.fen, counter.counted_fen)


@dataclass(frozen=True, slots=True)
class KindTotal:
    """All accounts of one kind and mode: their number, and their sums in micro-USDT."""

    accounts: int = 0
    available_micro: int = 0
    held_micro: int = 0

    def plus(self, balance: Balance) -> "KindTotal":
        """Return the total with one more account."""
        return KindTotal(
            self.accounts + 1,
            self.available_micro + balance.available_micro,
            self.held_micro + balance.held_micro,
        )


@dataclass(frozen=True, slots=True)
class Totals:
    """How much was read, and its sums."""

    accounts: int
    postings: int
    open_orders: int
    open_withdrawals: int
    owned: Mapping[tuple[AccountKind, Mode], KindTotal]


@dataclass(slots=True)
class Tally:
    """The sums of the rows that were read. Not thread-safe."""

    _accounts: dict[str, AccountSums] = field(default_factory=dict)
    _open_buys: dict[str, CounterSums] = field(default_factory=dict)
    _postings: int = 0
    _open_orders: int = 0
    _open_withdrawals: int = 0
    _links: RequestLinks = field(default_factory=RequestLinks)

    def add(self, row: LedgerRow) -> None:  # noqa: C901 - one for each
        """Add a balance, a posting, a trader, a counter, a proposal, a request or an order."""
        match row:
            case BalanceRow():
                self._add_balance(row.account_key, row.balance, row.shard)
                sums = self._sums(row.account_key)
                sums.listed |= row.listed
                sums.shard(row.shard).counted += row.open_sells
                sums.shard(row.shard).counted_fen += row.open_sell_fen
            case PostingRow():
                self._postings += 1
                self._sums(row.account_key).posted += row.amount_micro
            case TraderRow():
                self._add_trader(row)
            case AmountRow():
                self._sums(row.account.key).unmatched ^= row.open_orders
            case OpenBuysRow():
                counter = self._open_buys.setdefault(row.key, CounterSums())
                counter.counted += row.open_buys
                counter.counted_fen += row.open_fen
            case ProposalRow():
                if row.is_open and not row.is_funding and not row.request_no:
                    self._add_withdrawal(row)
                self._links.add(row)
            case RequestRow():
                if row.is_held:
                    self._add_withdrawal(row)
                self._links.add(row)
            case RequestPlaceRow() | EntryRow():
                self._links.add(row)
            case Order():
                self._add_order(row)
            case DecisionRow() | MalformedRow():
                return

    def _add_withdrawal(self, row: ProposalRow | RequestRow) -> None:
        self._open_withdrawals += 1
        self._sums(row.account_key).shard(0).holds += row.amount_micro

    def start_with(self, postings: int, posted: Mapping[str, int]) -> None:
        """Add what an earlier reading found: the number of postings, and their sum by account."""
        self._postings += postings
        for key, amount in posted.items():
            self._sums(key).posted += amount

    def balances(self) -> dict[str, Balance]:
        """Return each account's stored balance, by its key, sorted."""
        return {
            key: Balance(sums.available, sums.held)
            for key, sums in sorted(self._accounts.items(), key=itemgetter(0))
            if sums.has_balance
        }

    def totals(self) -> Totals:
        """Count the rows that were read, and sum the accounts by kind and mode."""
        balances = self.balances()
        owned: dict[tuple[AccountKind, Mode], KindTotal] = {}
        for key, balance in balances.items():
            account = account_of(key)
            if account is not None:
                group = account.kind, account.mode
                owned[group] = owned.get(group, KindTotal()).plus(balance)
        return Totals(
            len(balances), self._postings, self._open_orders, self._open_withdrawals, owned
        )

    def findings(self) -> tuple[Finding, ...]:
        """List what is wrong with accounts, then with counters, then with withdrawal requests."""
        accounts, counters = sorted(self._accounts), sorted(self._open_buys)
        return (
            *chain.from_iterable(findings_of_account(k, self._accounts[k]) for k in accounts),
            *chain.from_iterable(findings_of_counter(k, self._open_buys[k]) for k in counters),
            *self._links.findings(),
        )

    def dump(self) -> dict[str, Any]:
        """Return the tally as JSON values."""
        return {
            "accounts": {key: _dumped(sums) for key, sums in self._accounts.items()},
            "open_buys": {
                key: [c.counted, c.counted_fen, c.orders, c.fen]
                for key, c in self._open_buys.items()
            },
            "counts": [self._postings, self._open_orders, self._open_withdrawals],
            "links": self._links.counts,
        }

    @classmethod
    def load(cls, data: Mapping[str, Any]) -> Self:
        """Return the tally of JSON values."""
        postings, orders, withdrawals = data["counts"]
        return cls(
            {key: _loaded(values) for key, values in data["accounts"].items()},
            {key: CounterSums(*values) for key, values in data["open_buys"].items()},
            postings,
            orders,
            withdrawals,
            RequestLinks(data.get("links", {})),  # a run of the release before has no links
        )

    def _sums(self, account_key: str) -> AccountSums:
        sums = self._accounts.get(account_key)
        if sums is None:
            sums = self._accounts[account_key] = AccountSums()
        return sums

    def _add_balance(self, account_key: str, balance: Balance, shard: int = 0) -> None:
        # Add, do not set, so that an account that was read twice shows a difference.
        sums = self._sums(account_key)
        sums.has_balance = True
        stored = sums.shard(shard)
        stored.available += balance.available_micro
        stored.held += balance.held_micro

    def _add_trader(self, row: TraderRow) -> None:
        self._add_balance(row.account.key, row.balance)
        sums = self._sums(row.account.key)
        sums.counted += row.open_orders
        sums.slots.update(dict(row.slots))

    def _add_order(self, order: Order) -> None:
        hold = open_hold(order)
        if hold is None:
            return
        self._open_orders += 1
        shard = self._sums(hold.account.key).shard(hold.shard)
        shard.holds += hold.amount_micro
        self._count(order, shard)
        if order.trader_id is not None:
            trader = self._sums(Account(AccountKind.TRADER, order.trader_id, order.mode).key)
            trader.orders += 1
            trader.unmatched ^= {order.order_no} if order.unique_amount else set()
            trader.slots[slot_holder(order.merchant_id)] -= order.in_slot

    def _count(self, order: Order, shard: ShardSums) -> None:
        """Count an open order in its merchant's limits: a sell on the shard of its hold."""
        if order.open_shard is None:
            return
        match order.order_type:
            case OrderType.BUY:
                key = counter_key(order.merchant_id, order.mode, order.open_shard)
                counter = self._open_buys.setdefault(key, CounterSums())
                counter.orders += 1
                counter.fen += order.quote.cny_fen
            case OrderType.SELL:
                shard.sells += 1
                shard.fen += order.quote.cny_fen


_FIGURES = tuple(ShardSums.__slots__)


def _dumped(sums: AccountSums) -> list[Any]:
    shards = [[n, *(getattr(s, name) for name in _FIGURES)] for n, s in sums.shards.items()]
    counts = [sums.counted, sums.posted, sums.orders]
    slots = {holder: count for holder, count in sums.slots.items() if count}
    return [shards, sorted(sums.listed), sums.has_balance, *counts, sorted(sums.unmatched), slots]


def _loaded(values: list[Any]) -> AccountSums:
    # A run that began under the release before has one more flag and no slots.
    shards, listed, has_balance, *rest = values
    *_, counted, posted, orders, unmatched, slots = (
        rest if isinstance(rest[-1], dict) else [*rest, {}]
    )
    return AccountSums(
        shards={n: ShardSums(*figures) for n, *figures in shards},
        listed=frozenset(listed),
        has_balance=has_balance,
        counted=counted,
        posted=posted,
        orders=orders,
        unmatched=set(unmatched),
        slots=Counter(*slots),
    )
