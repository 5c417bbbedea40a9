"""The shards of a merchant's accounts: hold USDT on one shard, read all shards.

Concurrent writers: orders and operators add to the balances of shards and never set them; a balance
never falls below zero. Shard 0 lists the other shards. The list only grows, in the transaction that
changes the merchant's term, so a shard is listed before it is used. A gather moves available USDT
between shards and increments `gathers` on each of them, so a reader can detect the move.
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from types import MappingProxyType
from typing import Any, NamedTuple

from orderdesk.adapters.dynamodb.client import TableStore, get_item, get_items
from orderdesk.adapters.dynamodb.keys import BALANCE_SORT_KEY
from orderdesk.adapters.dynamodb.marshal import Item, Value
from orderdesk.adapters.dynamodb.transactions import Lost, Write, add_write, never, transact_get
from orderdesk.domain.errors import OrderdeskError, TryAgain
from orderdesk.domain.ledger.accounts import SHARDED, Account, Balance, Gather, gather, shard_key
from orderdesk.domain.ledger.settlement import account_held_on, amount_held
from orderdesk.domain.modes import Mode
from orderdesk.domain.orders.errors import HoldLost, ShareFull
from orderdesk.domain.orders.order import Order
from orderdesk.domain.pricing import OrderType
from orderdesk.services.ports import NewSell

READS_MAX = 12

type _Read = Callable[[Account, int], Sequence[Item]]


def hold_writes(table: str, sell: NewSell) -> list[Write]:
    """Return the writes that hold a sell's USDT on its shard and count the sell there.

    Lost: ShareFull, HoldLost.
    """
    order, share, gathered = sell.order, sell.share, sell.gathered
    room_fen = share.max_fen - order.quote.cny_fen
    assert room_fen >= 0, "an order above the limits is refused before"

    def lost(item: Item | None) -> OrderdeskError:
        row: Mapping[str, Any] = item or {}
        counted = row.get("open_sells", 0)
        if counted >= share.max_orders or row.get("open_sell_fen", 0) > room_fen:
            return ShareFull(share.full(order.order_type, counted))
        is_alone = gathered is None and order.shard == 0
        return HoldLost(is_whole=is_alone and not is_listing(item or {}))

    fits = "open_sells < :max_sells AND open_sell_fen <= :room"
    counted = _Counted(
        open_sells_changes(order, 1),
        f"(attribute_not_exists(open_sells) OR ({fits}))",
        {":max_sells": share.max_orders, ":room": room_fen},
    )
    held = amount_held(order)
    account, moved = account_held_on(order), gathered or Gather(order.shard, {})
    return [
        _hold_write(table, account, moved, (held, held), lost, counted=counted),
        *_give_writes(table, account, moved, lost),
    ]


def open_sells_changes(order: Order, change: int) -> dict[str, int]:
    """Return how a sell changes the counts on its merchant's shard: 1 when created, -1 when ended.

    A sell from before the counters is not counted.
    """
    if order.order_type is OrderType.BUY or order.open_shard is None:
        return {}
    return {"open_sells": change, "open_sell_fen": change * order.quote.cny_fen}


class _Counted(NamedTuple):
    """What a hold adds to the counts of open sells, and the condition on them."""

    changes: Mapping[str, int] = MappingProxyType({})
    condition: str = ""
    values: Mapping[str, Value] = MappingProxyType({})


_NOT_COUNTED = _Counted()


def shard_hold_writes(
    table: str,
    account: Account,
    gathered: Gather,
    amount_micro: int,
    lost: Lost,
    *,
    is_held: bool = True,
) -> list[Write]:
    """Return the writes that hold an amount on a shard and move gathered amounts to it.

    If not `is_held`, the amount leaves the account.
    """
    held_micro = amount_micro if is_held else 0
    return [
        _hold_write(table, account, gathered, (amount_micro, held_micro), lost),
        *_give_writes(table, account, gathered, lost),
    ]


def _hold_write(
    table: str,
    account: Account,
    gathered: Gather,
    taken_and_held: tuple[int, int],
    lost: Lost,
    *,
    counted: _Counted = _NOT_COUNTED,
) -> Write:
    taken, held = taken_and_held
    changes = {"available_micro": sum(gathered.given.values()) - taken, "held_micro": held}
    if gathered.given:
        changes["gathers"] = 1
    return add_write(
        table,
        balance_key(account, gathered.shard),
        {**changes, **counted.changes},
        lost,
        condition=counted.condition,
        values=counted.values,
        returns_item=True,
    )


def _give_writes(table: str, account: Account, gathered: Gather, lost: Lost) -> list[Write]:
    return [
        add_write(
            table, balance_key(account, shard), {"available_micro": -micro, "gathers": 1}, lost
        )
        for shard, micro in gathered.given.items()
    ]


def balance_key(account: Account, shard: int = 0) -> Item:
    """Return the key of one shard of an account's balance."""
    return {"pk": shard_key(account, shard), "sk": BALANCE_SORT_KEY}


def listing_writes(table: str, merchant_id: str, shards: int) -> list[Write]:
    """Add shards 1 to `shards` - 1 to the lists of a merchant's accounts."""
    if shards == 1:
        return []
    numbers = frozenset(str(number) for number in range(1, shards))
    return [
        add_write(
            table,
            balance_key(Account(kind, merchant_id, mode)),
            {"available_micro": 0, "held_micro": 0},
            never("unconditional list of shards"),
            unbounded={"shards": numbers},
        )
        for mode in Mode
        for kind in SHARDED
    ]


def listed_in(item: Mapping[str, Any]) -> frozenset[int]:
    """Return the numbers of the other shards from the item of shard 0."""
    return frozenset(map(int, item.get("shards", ())))


def is_listing(item: Item) -> bool:
    """Return whether the item of shard 0 lists other shards."""
    return "shards" in item


class BalanceShards(TableStore):
    """Read accounts that may be split over several items."""

    def total(self, account: Account) -> Balance:
        """Return an account's balance: one request if it is not split, otherwise three or more.

        Read all shards again until `gathers` and the list stay the same. Raises: TryAgain.
        """
        first = get_item(self._client, self._table, balance_key(account)) or {}
        if not is_listing(first):
            return _total([first])
        before: object = None
        for _ in range(READS_MAX):
            items = self._read_each(account, _count(first))
            now = [(item.get("gathers", 0), listed_in(item)) for item in items]
            if now == before:
                return _total(items)
            first, before = items[0], now
        raise TryAgain

    def gather(
        self, account: Account, shard: int, amount_micro: int, at_least: int = 1
    ) -> Gather | None:
        """Plan what a shard needs from the others to hold an amount; `at_least` shards exist.

        A plan may come from separate reads, because its writes check the balances again. "No plan"
        must come from one transactional read. Raises: Contended, Throttled, TryAgain.
        """
        shards = max(at_least, shard + 1)
        for read in (self._read_each, self._read_together):
            available = _available(items := self._all(account, shards, read))
            found, shards = gather(available, shard, amount_micro), len(items)
            if found is not None:
                return found
        return None

    def _all(self, account: Account, shards: int, read: _Read) -> Sequence[Item]:
        """Read all shards; read again if shard 0 lists more than `shards`."""
        items = read(account, shards)
        while (listed := _count(items[0])) > len(items):
            items = read(account, listed)
        return items

    def _read_each(self, account: Account, shards: int) -> Sequence[Item]:
        return get_items(self._client, self._table, _keys(account, shards))

    def _read_together(self, account: Account, shards: int) -> Sequence[Item]:
        return transact_get(self._client, self._table, _keys(account, shards))


def _count(first: Item) -> int:
    return 1 + max(listed_in(first), default=0)


def _available(items: Iterable[Item]) -> list[int]:
    return [_balance(item).available_micro for item in items]


def _keys(account: Account, shards: int) -> list[Item]:
    return [balance_key(account, shard) for shard in range(shards)]


def _total(items: Iterable[Item]) -> Balance:
    balances = [_balance(item) for item in items]
    held = sum(balance.held_micro for balance in balances)
    return Balance(sum(balance.available_micro for balance in balances), held)


def _balance(item: Item) -> Balance:
    available, held = item.get("available_micro", 0), item.get("held_micro", 0)
    assert isinstance(available, int)
    assert isinstance(held, int)
    return Balance(available, held)
