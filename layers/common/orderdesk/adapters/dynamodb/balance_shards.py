"""The shards of a merchant's accounts: holding on one of them, and reading all of them.

Other writers at the same time: every order and operator adds to shards, none sets one, and nothing
may fall below zero. Shard 0 lists the others; the list only grows, in the transaction that changes
the merchant's term, so no shard is used before it is listed. A gather counts itself on each shard
that it touches: whoever adds shards up sees that money moved between them meanwhile.
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from orderdesk.adapters.dynamodb.client import get_item, get_items
from orderdesk.adapters.dynamodb.keys import BALANCE_SORT_KEY
from orderdesk.adapters.dynamodb.marshal import Item, to_item
from orderdesk.adapters.dynamodb.transactions import Write, never, transact_get
from orderdesk.domain.errors import OrderdeskError, TryAgain
from orderdesk.domain.ledger.accounts import Account, Balance
from orderdesk.domain.ledger.settlement import account_held_on, amount_held
from orderdesk.domain.ledger.shards import SHARDED, Gather, gather, shard_key
from orderdesk.domain.modes import Mode
from orderdesk.domain.orders.errors import HoldLost
from orderdesk.domain.orders.order import Order

if TYPE_CHECKING:
    from mypy_boto3_dynamodb import DynamoDBClient

_READS_MAX = 12

type _Read = Callable[[Account, int], Sequence[Item]]
type Lost = Callable[[Item | None], OrderdeskError]


def hold_writes(table: str, order: Order, gathered: Gather | None) -> list[Write]:
    """Hold a sell order's USDT on its merchant's shard, with what others give; lost: HoldLost."""
    account = account_held_on(order)

    def lost(item: Item | None) -> OrderdeskError:
        is_alone = gathered is None and order.shard == 0
        return HoldLost(is_whole=is_alone and not is_listing(item or {}))

    return shard_hold_writes(
        table, account, gathered or Gather(order.shard, {}), amount_held(order), lost
    )


def shard_hold_writes(
    table: str, account: Account, gathered: Gather, amount_micro: int, lost: Lost
) -> list[Write]:
    """Hold an amount on a shard, and move to it what the others give."""
    return [
        _hold_write(table, account, gathered, amount_micro, lost),
        *(
            _give_write(table, account, shard, micro, lost)
            for shard, micro in gathered.given.items()
        ),
    ]


def _hold_write(
    table: str, account: Account, gathered: Gather, amount_micro: int, lost: Lost
) -> Write:
    got = sum(gathered.given.values())
    values: Item = {":amount": amount_micro, ":change": got - amount_micro}
    update: dict[str, Any] = {
        "TableName": table,
        "Key": to_item(balance_key(account, gathered.shard)),
        "UpdateExpression": "ADD available_micro :change, held_micro :amount",
        "ReturnValuesOnConditionCheckFailure": "ALL_OLD",
    }
    if got < amount_micro:
        update["ConditionExpression"] = "available_micro >= :own"
        values[":own"] = amount_micro - got
    if gathered.given:
        update["UpdateExpression"] += ", gathers :one"
        values[":one"] = 1
    return Write({"Update": update | {"ExpressionAttributeValues": to_item(values)}}, lost)


def _give_write(table: str, account: Account, shard: int, micro: int, lost: Lost) -> Write:
    update = {
        "TableName": table,
        "Key": to_item(balance_key(account, shard)),
        "UpdateExpression": "ADD available_micro :minus, gathers :one",
        "ConditionExpression": "available_micro >= :given",
        "ExpressionAttributeValues": to_item({":minus": -micro, ":given": micro, ":one": 1}),
    }
    return Write({"Update": update}, lost)


def balance_key(account: Account, shard: int = 0) -> Item:
    """Give the key of an account's balance, of one of its shards."""
    return {"pk": shard_key(account, shard), "sk": BALANCE_SORT_KEY}


def listing_writes(table: str, merchant_id: str, shards: int) -> list[Write]:
    """List the shards of all accounts of a merchant; those that are listed already stay."""
    if shards == 1:
        return []
    numbers = frozenset(str(number) for number in range(1, shards))
    listing = "ADD shards :numbers, available_micro :zero, held_micro :zero"
    return [
        Write(
            {
                "Update": {
                    "TableName": table,
                    "Key": to_item(balance_key(Account(kind, merchant_id, mode))),
                    "UpdateExpression": listing,
                    "ExpressionAttributeValues": to_item({":numbers": numbers, ":zero": 0}),
                }
            },
            never("unconditional list of shards"),
        )
        for mode in Mode
        for kind in SHARDED
    ]


def listed_in(item: Mapping[str, Any]) -> frozenset[int]:
    """Read the numbers of the other shards from the item of shard 0."""
    return frozenset(map(int, item.get("shards", ())))


def is_listing(item: Item) -> bool:
    """Tell whether a shard 0 lists others."""
    return "shards" in item


class BalanceShards:
    """Reads accounts that may be split over several items."""

    def __init__(self, client: "DynamoDBClient", table: str) -> None:
        self._client = client
        self._table = table

    def total(self, account: Account) -> Balance:
        """Give an account's balance: one request if it is not split, else three or more.

        All shards are read again until no gather has moved money between them meanwhile.
        Raises: TryAgain.
        """
        first = get_item(self._client, self._table, balance_key(account)) or {}
        if not is_listing(first):
            return _total([first])
        before: object = None
        for _ in range(_READS_MAX):
            items = self._as_they_are(account, _count(first))
            now = [(item.get("gathers", 0), listed_in(item)) for item in items]
            if now == before:
                return _total(items)
            first, before = items[0], now
        raise TryAgain

    def gather(
        self, account: Account, shard: int, amount_micro: int, at_least: int = 1
    ) -> Gather | None:
        """Find what a shard needs from the others to hold an amount; `at_least` shards exist.

        A plan needs no exact view: the conditions of its writes are exact. That there is none is
        only true of one moment.
        Raises: Contended, Throttled, TryAgain.
        """
        shards = max(at_least, shard + 1)
        for read in (self._as_they_are, self._at_one_moment):
            available = _available(items := self._all(account, shards, read))
            found, shards = gather(available, shard, amount_micro), len(items)
            if found is not None:
                return found
        return None

    def _all(self, account: Account, shards: int, read: _Read) -> Sequence[Item]:
        """Read all shards; more of them than were known may be listed."""
        items = read(account, shards)
        while (listed := _count(items[0])) > len(items):
            items = read(account, listed)
        return items

    def _as_they_are(self, account: Account, shards: int) -> Sequence[Item]:
        return get_items(self._client, self._table, _keys(account, shards))

    def _at_one_moment(self, account: Account, shards: int) -> Sequence[Item]:
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
