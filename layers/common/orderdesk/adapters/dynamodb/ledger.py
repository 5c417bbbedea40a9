"""The Ledger table: postings, and balances, which may be split over several items (shards).

Concurrent writers: orders and operators add to the balances of shards and never set them; a balance
never falls below zero. Shard 0 lists the other shards. The list only grows, in the transaction that
changes the merchant's term, so a shard is listed before it is used. A gather moves available USDT
between shards and increments `gathers` on each of them, so a reader can detect the move.
"""

from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from orderdesk.adapters.dynamodb.client import TableStore, get_items
from orderdesk.adapters.dynamodb.keys import Key, TableNames
from orderdesk.adapters.dynamodb.marshal import Item
from orderdesk.adapters.dynamodb.open_orders import (
    NO_ROOM,
    Room,
    count_change_of,
    room_lost,
    room_taken,
    used_change_of,
)
from orderdesk.adapters.dynamodb.transactions import Lost, Shift, Write, never, transact_get
from orderdesk.domain.accounts import (
    SHARDED,
    Account,
    AccountKind,
    Balance,
    Gather,
    Posting,
    Transfer,
    gather,
    shard_key,
)
from orderdesk.domain.errors import OrderdeskError, TryAgain
from orderdesk.domain.ledger.settlement import account_held_on, amount_held
from orderdesk.domain.orders.order import Order
from orderdesk.domain.orders.order_errors import HoldLost
from orderdesk.domain.pricing import Mode, OrderType
from orderdesk.services.ports import NewSell

if TYPE_CHECKING:
    from orderdesk.domain.merchants.merchant import Merchant

READS_MAX = 12


def hold_writes(table: str, sell: NewSell) -> list[Write]:
    """Return the writes that hold a sell's USDT on its shard and count the sell there.

    Lost: ShareFull, SharesChanged, HoldLost.
    """
    order, share, gathered = sell.order, sell.share, sell.gathered

    def lost(item: Item | None) -> OrderdeskError:
        is_alone = gathered is None and order.shard == 0
        is_whole = is_alone and not is_listing(item or {})
        return room_lost(item, order, share) or HoldLost(is_whole=is_whole)

    room, held, at = room_taken(order, share), amount_held(order), order.createtime
    account, moved = account_held_on(order), gathered or Gather(order.shard, {})
    return shard_hold_writes(
        *(table, account, moved, Shift(-held, held, at), lost),
        given_lost=lambda _: HoldLost(is_whole=False),
        room=room,
    )


def shard_hold_writes(
    table: str,
    account: Account,
    gathered: Gather,
    taken: Shift,
    lost: Lost,
    *,
    given_lost: Lost | None = None,
    room: Room = NO_ROOM,
) -> list[Write]:
    """Return the writes that take an amount from a shard and move gathered amounts to it.

    `given_lost`: the errors of the shards that give, which are by default those of `lost`.
    """
    received = sum(gathered.given.values())
    gathers = {"gathers": 1} if gathered.given else {}
    hold = Write.balance(
        table,
        balance_key(account, gathered.shard),
        taken._replace(available_micro=taken.available_micro + received),
        lost,
        counted={**gathers, **room.changes},
        condition=room.condition,
        clauses=room.clause,
        values=room.values,
        returns_item=True,
    )
    giving = [
        Write.balance(
            *(table, balance_key(account, shard), Shift(-micro, 0, taken.at), given_lost or lost),
            counted={"gathers": 1},
        )
        for shard, micro in gathered.given.items()
    ]
    return [hold, *giving]


def balance_key(account: Account, shard: int = 0) -> Item:
    """Return the key of one shard of an account's balance."""
    return {"pk": shard_key(account, shard), "sk": Key.BALANCE}


def listing_writes(table: str, merchant: "Merchant") -> list[Write]:
    """List the shards of a merchant's balances, before the first order can use them."""
    shards = merchant.terms.balance_shards
    if shards == 1:
        return []
    numbers = frozenset(str(number) for number in range(1, shards))
    return [
        Write.add(
            table,
            balance_key(Account(kind, merchant.merchant_id, mode)),
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


def balance_place(tables: TableNames, account: Account, shard: int = 0) -> tuple[str, Item]:
    """Return the table and key of an account's balance; a trader's is on its own item."""
    match account.kind:
        case AccountKind.TRADER:
            return tables.traders, {"trader_id": account.owner}
        case AccountKind.MERCHANT | AccountKind.DEPOSIT | AccountKind.FEE | AccountKind.FUNDING:
            return tables.ledger, balance_key(account, shard)


def release_hold_write(table: str, order: Order, now: int) -> Write:
    """Release a sell order's hold to its merchant's available USDT, on the order's shard."""
    amount = amount_held(order)
    return _ended_write(table, account_held_on(order), order, Shift(amount, -amount, now))


def debit_held_write(table: str, posting: Posting, order: Order, at: int) -> Write:
    """Add a settlement's negative posting to the held balance of its account."""
    assert posting.amount_micro < 0
    return _ended_write(table, posting.account, order, Shift(0, posting.amount_micro, at))


def _ended_write(table: str, account: Account, order: Order, moved: Shift) -> Write:
    """End the hold of an order on its shard, and count the end of a sell there.

    The order holds the amount and is counted there, so the condition fails only after a bug.
    """
    is_sell = order.order_type is OrderType.SELL
    return Write.balance(
        table,
        balance_key(account, order.shard),
        moved,
        never("an account holds less than its open orders"),
        counted=count_change_of(order, -1) if is_sell else {},
        unbounded=used_change_of(order, -1) if is_sell else {},
    )


def credit_write(table: str, posting: Posting, at: int, shard: int = 0) -> Write:
    """Add a posting's amount to its account's available balance; create a missing shard."""
    return Write.balance(
        table,
        balance_key(posting.account, shard),
        Shift(posting.amount_micro, 0, at),
        never("unconditional credit"),
        is_bounded=False,
    )


def posting_item(transfer: Transfer, posting: Posting) -> Item:
    """Return the item of one posting of a transfer."""
    return {
        "pk": posting.account.key,
        "sk": Key.posting(transfer.at_us, transfer.transfer_id, is_spread=posting.is_spread),
        "transfer_id": transfer.transfer_id,
        "kind": transfer.kind_of(posting).value,
        "amount_micro": posting.amount_micro,
        "memo": transfer.memo,
        "order_no": transfer.order_no or None,
        "at_us": transfer.at_us,
    }


def posting_writes(table: str, transfer: Transfer) -> list[Write]:
    """Append a transfer's postings; none of them may exist."""
    return [
        Write.put(
            *(table, posting_item(transfer, posting), "attribute_not_exists(pk)"),
            never("posting written twice"),
        )
        for posting in transfer.postings
    ]


class LedgerStore(TableStore):
    """Read accounts that may be split over several items."""

    def balance(self, account: Account) -> Balance:
        """Return an account's balance: one request if it is not split, otherwise three or more.

        Read all shards again until `gathers` and the list stay the same. Raises: TryAgain.
        """
        first = self._get_item(self._table, balance_key(account)) or {}
        if not is_listing(first):
            return total_of([first])
        before: object = None
        for _ in range(READS_MAX):
            items = self._read(account, _count(first))
            now = [(item.get("gathers", 0), listed_in(item)) for item in items]
            if now == before:
                return total_of(items)
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
        for together in (False, True):
            items = self._read_all(account, shards, together=together)
            available = [balance_in(item).available_micro for item in items]
            found, shards = gather(available, shard, amount_micro), len(items)
            if found is not None:
                return found
        return None

    def _read_all(self, account: Account, shards: int, *, together: bool) -> Sequence[Item]:
        """Read all shards; read again if shard 0 lists more than `shards`."""
        items = self._read(account, shards, together=together)
        while (listed := _count(items[0])) > len(items):
            items = self._read(account, listed, together=together)
        return items

    def _read(self, account: Account, shards: int, *, together: bool = False) -> Sequence[Item]:
        keys = [balance_key(account, shard) for shard in range(shards)]
        return (transact_get if together else get_items)(self._client, self._table, keys)


def _count(first: Item) -> int:
    return 1 + max(listed_in(first), default=0)


def total_of(items: Iterable[Mapping[str, Any]]) -> Balance:
    """Return the sum of the balances that items have."""
    return sum(map(balance_in, items), Balance())


def balance_in(item: Mapping[str, Any]) -> Balance:
    """Return the balance that an item has."""
    available, held = item.get("available_micro", 0), item.get("held_micro", 0)
    assert isinstance(available, int)
    assert isinstance(held, int)
    return Balance(available, held)
