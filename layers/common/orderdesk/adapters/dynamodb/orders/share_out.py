"""Share the room of a merchant's limits out over its counters (domain/orders/open_orders.py).

The counters are read in one transaction and written in another, which fails if one of them has got
more orders meanwhile. An order that ended meanwhile leaves its room unused until the next time.
"""

from typing import Any

from orderdesk.adapters.dynamodb.client import DynamoDB
from orderdesk.adapters.dynamodb.keys import OPEN_BUYS_KIND, TableNames
from orderdesk.adapters.dynamodb.ledger import balance_key
from orderdesk.adapters.dynamodb.marshal import Item
from orderdesk.adapters.dynamodb.merchants import MerchantStore
from orderdesk.adapters.dynamodb.open_orders import NAMES
from orderdesk.adapters.dynamodb.transactions import Write, changed, transact, transact_get
from orderdesk.domain.accounts import Account, AccountKind
from orderdesk.domain.errors import ChangedMeanwhile
from orderdesk.domain.merchants.merchant import BALANCE_SHARDS_MAX
from orderdesk.domain.orders.open_orders import (
    CLOSED_EPOCH,
    SHARDS_MAX,
    Counted,
    NeedsRoom,
    OpenLimit,
    OpenShare,
    Shared,
    counter_key,
    share_at,
    share_out,
)
from orderdesk.domain.orders.order_errors import ShareFull
from orderdesk.domain.pricing import OrderType


def share_room_out(
    client: DynamoDB, tables: TableNames, wanted: NeedsRoom, token: str
) -> list[OpenShare]:
    """Share the room out by the merchant's present terms; return the shares with room.

    Raises: ShareFull if the limits have no room for the order, ChangedMeanwhile, Contended,
    Throttled, TryAgain.
    """
    merchant = MerchantStore(client, tables.merchants).merchant(wanted.merchant_id)
    if merchant is None:
        raise ChangedMeanwhile
    limits = merchant.terms.open_shares(wanted.order_type)
    (table, *_), keys = zip(*_places(tables, wanted), strict=True)
    items = transact_get(client, table, keys)
    counters = [_counted(wanted, shard, item) for shard, item in enumerate(items) if item]
    found = share_out(wanted, counters, limits, merchant.terms.max_cny_fen)
    if isinstance(found, OpenLimit):
        # Counters of earlier limits must not take orders by a cached copy of those.
        stale = [c for c in counters if c.epoch not in {limits[0].epoch, CLOSED_EPOCH}]
        if stale:
            closed = [Shared(OpenShare(each.shard, 0, 0, CLOSED_EPOCH)) for each in stale]
            transact(client, _writes(tables, wanted, counters, closed), token)
        raise ShareFull(found)
    named = {each.share.shard for each in found}
    emptied = [Shared(share_at(limits, c.shard)) for c in counters if c.shard not in named]
    transact(client, _writes(tables, wanted, counters, [*found, *emptied]), token)
    return [each.share for each in found]


def _places(tables: TableNames, wanted: NeedsRoom) -> list[tuple[str, Item]]:
    """Return the table and key of each counter of a merchant's open orders."""
    merchant_id, mode = wanted.merchant_id, wanted.mode
    match wanted.order_type:
        case OrderType.BUY:
            keys = (counter_key(merchant_id, mode, shard) for shard in range(SHARDS_MAX))
            return [(tables.orders, {"pk": key}) for key in keys]
        case OrderType.SELL:
            account = Account(AccountKind.MERCHANT, merchant_id, mode)
            shards = range(BALANCE_SHARDS_MAX)
            return [(tables.ledger, balance_key(account, shard)) for shard in shards]


def _counted(wanted: NeedsRoom, shard: int, row: Any) -> Counted:
    names = NAMES[wanted.order_type]
    return Counted(shard, row.get(names.orders, 0), row.get(names.fen, 0), row.get("limits_epoch"))


def _writes(
    tables: TableNames, wanted: NeedsRoom, counters: list[Counted], shares: list[Shared]
) -> list[Write]:
    read, unread = {each.shard: each for each in counters}, Counted(0, 0, 0, None)
    return [_set_room(tables, wanted, each, read.get(each.share.shard, unread)) for each in shares]


def _set_room(tables: TableNames, wanted: NeedsRoom, shared: Shared, read: Counted) -> Write:
    """Set a counter's room, unless it has more orders than were read. Lost: ChangedMeanwhile."""
    names, share = NAMES[wanted.order_type], shared.share
    clause = f"SET limits_epoch = :epoch, {names.used} = :used, {names.used_fen} = :used_fen"
    values: Item = {
        ":epoch": share.epoch,
        ":used": share.max_orders - shared.room,
        ":used_fen": share.max_fen - shared.room_fen,
        ":read": read.orders,
        ":read_fen": read.fen,
    }
    zeros = {names.orders: 0, names.fen: 0}
    match wanted.order_type:
        case OrderType.BUY:
            clause, values = f"{clause}, kind = :kind", {**values, ":kind": OPEN_BUYS_KIND}
        case OrderType.SELL:
            zeros |= {"available_micro": 0, "held_micro": 0}
    as_read = f"{names.orders} <= :read AND {names.fen} <= :read_fen"
    return Write.add(
        *_places(tables, wanted)[share.shard],
        {},
        changed,
        unbounded=zeros,
        condition=f"(attribute_not_exists({names.orders}) OR ({as_read}))",
        clauses=clause,
        values=values,
    )
