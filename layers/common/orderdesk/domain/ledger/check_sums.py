"""The sums of one account or one counter, and their differences from the stored figures.

Available USDT may move between an account's shards at any time, so it is checked as a sum. A hold
stays on the shard of its order, so held USDT is checked by shard.
"""

from collections.abc import Iterator
from dataclasses import dataclass, field

from orderdesk.domain.ledger.accounts import Account, AccountKind
from orderdesk.domain.ledger.rows import Difference, DifferenceKind, account_of
from orderdesk.domain.ledger.shards import shard_key


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
