"""Check that the ledger balances: accounts, orders and withdrawals (contract section 6).

Available USDT may move between an account's shards at any time, so it is checked as a sum. A hold
stays on the shard of its order, so held USDT is checked by shard.

Rows are added to a tally in any order. The tally's memory grows with the number of accounts, of
open buys and of transfers that are partly read, not with the number of postings.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from itertools import chain
from operator import itemgetter

from orderdesk.domain.ledger.accounts import Account, AccountKind, Balance
from orderdesk.domain.ledger.rows import (
    BalanceRow,
    Difference,
    DifferenceKind,
    LedgerRow,
    OpenBuysRow,
    PostingRow,
    TraderRow,
    WithdrawalRow,
    account_of,
)
from orderdesk.domain.ledger.settlement import open_hold
from orderdesk.domain.ledger.shards import shard_key
from orderdesk.domain.modes import Mode
from orderdesk.domain.orders.open_buys import counter_key, is_counted, open_amounts_of
from orderdesk.domain.orders.order import Order


@dataclass(slots=True)
class ShardSums:
    """One of an account's shards: its stored figures, and the sum of the holds on it."""

    available: int = 0
    held: int = 0
    holds: int = 0


@dataclass(slots=True)
class AccountSums:
    """One account: its stored figures by shard, its stored count, and the sums of what was read."""

    shards: dict[int, ShardSums] = field(default_factory=dict)
    listed: frozenset[int] = frozenset()
    has_balance: bool = False
    counted: int = 0
    posted: int = 0
    orders: int = 0

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


def differences_of_account(key: str, sums: AccountSums) -> Iterator[Difference]:
    """Yield an account's differences."""
    owned = sums.available + sums.held
    account = account_of(key)
    if account is None:
        yield Difference(key, DifferenceKind.UNKNOWN_ACCOUNT, 0, owned)
    if owned != sums.posted:
        yield Difference(key, DifferenceKind.BALANCE, sums.posted, owned)
    if sums.counted != sums.orders:
        yield Difference(key, DifferenceKind.OPEN_ORDERS, sums.orders, sums.counted)
    for number, shard in sorted(sums.shards.items()):
        name = key if account is None else shard_key(account, number)
        yield from _of_shard(name, shard, account)
        if number and number not in sums.listed:
            owned = shard.available + shard.held
            yield Difference(name, DifferenceKind.UNKNOWN_ACCOUNT, 0, owned)


def _of_shard(name: str, shard: ShardSums, account: Account | None) -> Iterator[Difference]:
    if shard.held != shard.holds:
        yield Difference(name, DifferenceKind.HELD, shard.holds, shard.held)
    is_outside = account is not None and account.kind is AccountKind.FUNDING
    if shard.available < 0 and not is_outside:
        yield Difference(name, DifferenceKind.NEGATIVE_AVAILABLE, 0, shard.available)
    if shard.held < 0:
        yield Difference(name, DifferenceKind.NEGATIVE_HELD, 0, shard.held)


def differences_of_counter(key: str, counter: CounterSums) -> Iterator[Difference]:
    """Yield a counter's differences."""
    if counter.counted != counter.orders:
        yield Difference(key, DifferenceKind.OPEN_BUYS, counter.orders, counter.counted)
    if counter.counted_fen != counter.fen:
        yield Difference(key, DifferenceKind.OPEN_CNY, counter.fen, counter.counted_fen)


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
    _unmatched_amounts: dict[str, set[str]] = field(default_factory=dict)
    _with_unique_amounts: set[str] = field(default_factory=set)
    _unfinished: dict[str, int] = field(default_factory=dict)
    _postings: int = 0
    _open_orders: int = 0
    _open_withdrawals: int = 0

    def add(self, row: LedgerRow) -> None:
        """Add a balance, a posting, a trader, a counter, a withdrawal or an order."""
        match row:
            case BalanceRow():
                self._add_balance(row.account_key, row.balance, row.shard)
                self._sums(row.account_key).listed |= row.listed
            case PostingRow():
                self._add_posting(row)
            case TraderRow():
                self._add_balance(row.account.key, row.balance)
                self._sums(row.account.key).counted += row.open_orders
                if row.open_amounts is not None:
                    self._with_unique_amounts.add(row.account.key)
                    self._match_amounts(row.account.key, row.open_amounts)
            case OpenBuysRow():
                counter = self._open_buys.setdefault(row.key, CounterSums())
                counter.counted += row.open_buys
                counter.counted_fen += row.open_fen
            case WithdrawalRow():
                self._open_withdrawals += 1
                self._sums(row.account_key).shard(0).holds += row.amount_micro
            case Order():
                self._add_order(row)
                self._count_buy(row)

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

    def differences(self) -> tuple[Difference, ...]:
        """List every difference: modes, accounts, amounts, counters, then transfers."""
        accounts, counters = sorted(self._accounts), sorted(self._open_buys)
        return (
            *self._of_the_whole(),
            *chain.from_iterable(differences_of_account(k, self._accounts[k]) for k in accounts),
            *self._of_amounts(),
            *chain.from_iterable(differences_of_counter(k, self._open_buys[k]) for k in counters),
            *(
                Difference(transfer_id, DifferenceKind.TRANSFER, 0, total)
                for transfer_id, total in sorted(self._unfinished.items())
            ),
        )

    def _sums(self, account_key: str) -> AccountSums:
        return self._accounts.setdefault(account_key, AccountSums())

    def _add_balance(self, account_key: str, balance: Balance, shard: int = 0) -> None:
        # Add, do not set, so that an account that was read twice shows a difference.
        sums = self._sums(account_key)
        sums.has_balance = True
        stored = sums.shard(shard)
        stored.available += balance.available_micro
        stored.held += balance.held_micro

    def _add_posting(self, row: PostingRow) -> None:
        self._postings += 1
        self._sums(row.account_key).posted += row.amount_micro
        total = self._unfinished.pop(row.transfer_id, 0) + row.amount_micro
        if total != 0:
            self._unfinished[row.transfer_id] = total

    def _add_order(self, order: Order) -> None:
        hold = open_hold(order)
        if hold is None:
            return
        self._open_orders += 1
        self._sums(hold.account.key).shard(hold.shard).holds += hold.amount_micro
        if order.trader_id is not None:
            trader = Account(AccountKind.TRADER, order.trader_id, order.mode)
            self._sums(trader.key).orders += 1
            self._match_amounts(trader.key, open_amounts_of([order]))

    def _match_amounts(self, account_key: str, amounts: frozenset[str]) -> None:
        """Keep the amounts that only the trader has, or only an order."""
        self._unmatched_amounts.setdefault(account_key, set()).symmetric_difference_update(amounts)

    def _count_buy(self, order: Order) -> None:
        if order.open_shard is None or not is_counted(order):
            return
        key = counter_key(order.merchant_id, order.mode, order.open_shard)
        counter = self._open_buys.setdefault(key, CounterSums())
        counter.orders += 1
        counter.fen += order.quote.cny_fen

    def _of_amounts(self) -> Iterator[Difference]:
        for key in sorted(self._with_unique_amounts):
            wrong = len(self._unmatched_amounts[key])
            if wrong:
                yield Difference(key, DifferenceKind.OPEN_AMOUNTS, 0, wrong)

    def _of_the_whole(self) -> Iterator[Difference]:
        """Sum up each mode: a transfer that sums to zero could still move live money to test."""
        for mode in Mode:
            whole = [s for key, s in self._accounts.items() if key.endswith(f":{mode.value}")]
            posted = sum(sums.posted for sums in whole)
            owned = sum(sums.available + sums.held for sums in whole)
            subject = f"whole:{mode.value}"
            if posted != 0:
                yield Difference(subject, DifferenceKind.WHOLE_POSTINGS, 0, posted)
            if owned != 0:
                yield Difference(subject, DifferenceKind.WHOLE_BALANCES, 0, owned)
