"""Check that the counters of open orders agree with the open orders (contract section 13).

Counters are limits, not money. They and the orders are read at several times, so a difference is a
finding only if it is found again.
"""

from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from operator import itemgetter

from orderdesk.domain.ledger.accounts import Account, AccountKind, shard_key
from orderdesk.domain.ledger.findings import Finding, FindingKind
from orderdesk.domain.ledger.rows import AmountRow, BalanceRow, OpenBuysRow, TraderRow, account_of
from orderdesk.domain.orders.open_orders import counter_key
from orderdesk.domain.orders.order import Order
from orderdesk.domain.pricing import OrderType
from orderdesk.domain.traders.trader import slot_holder

type CounterRow = BalanceRow | TraderRow | OpenBuysRow | AmountRow
type _Counts = Counter[tuple[FindingKind, str, str]]
"""Counts by kind, key and account."""


@dataclass(slots=True)
class _Read:
    """What was read: counts that are due and stored, and by trader what must cancel out."""

    due: _Counts = field(default_factory=Counter)
    stored: _Counts = field(default_factory=Counter)
    slots: defaultdict[str, Counter[str]] = field(default_factory=lambda: defaultdict(Counter))
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
                self.slots[key].update(dict(row.slots))
            case AmountRow():
                self.unmatched[row.account.key] ^= row.open_orders

    def add_order(self, order: Order) -> None:
        """Add what an open order counts."""
        self.due.update(_limits(order))
        if order.trader_id is not None:
            key = Account(AccountKind.TRADER, order.trader_id, order.mode).key
            self.due[FindingKind.OPEN_ORDERS, key, key] += 1
            self.unmatched[key] ^= {order.order_no} if order.counted.unique_amount else set()
            self.slots[key][slot_holder(order.merchant_id)] -= order.counted.in_slot


def counter_findings(orders: Iterable[Order], rows: Iterable[CounterRow]) -> Iterator[Finding]:
    """Yield the counters that are not what the open orders say."""
    read = _Read()
    for row in rows:
        read.add(row)
    for order in orders:
        if order.status.is_open:
            read.add_order(order)
    for name in sorted(read.due.keys() | read.stored.keys(), key=itemgetter(1, 0)):
        kind, key, account = name
        if read.due[name] != read.stored[name]:
            yield Finding(kind, key, read.due[name], read.stored[name], account=account)
    for key, counts in sorted(read.slots.items(), key=itemgetter(0)):
        if wrong := sum(count != 0 for count in counts.values()):
            yield Finding(FindingKind.OPEN_SLOTS, key, 0, wrong, account=key)
    for key, numbers in sorted(read.unmatched.items(), key=itemgetter(0)):
        if numbers:
            yield Finding(FindingKind.OPEN_AMOUNTS, key, 0, len(numbers), account=key)


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
