"""Deduct an amount from an account's available balance, and release a held one."""

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

from orderdesk.adapters.dynamodb.balance_shards import (
    BalanceShards,
    is_listing,
    shard_hold_writes,
)
from orderdesk.adapters.dynamodb.keys import TableNames
from orderdesk.adapters.dynamodb.ledger import balance_place
from orderdesk.adapters.dynamodb.marshal import Item
from orderdesk.adapters.dynamodb.transactions import Write, add_write, never, transact
from orderdesk.domain.errors import ChangedMeanwhile, OrderdeskError
from orderdesk.domain.orders.errors import HoldLost
from orderdesk.domain.proposals import Sum

if TYPE_CHECKING:
    from mypy_boto3_dynamodb import DynamoDBClient

type Refused = Callable[[int | None], OrderdeskError]
"""Creates the error for an amount that is not available.

It receives what is available in micro-USDT, None if the account has no item.
"""


def take(
    client: "DynamoDBClient",
    tables: TableNames,
    money: Sum,
    rest: Sequence[Write],
    token: str,
    *,
    refused: Refused,
    is_held: bool,
) -> None:
    """Deduct an amount from an account's available balance, with other writes.

    `is_held` adds it to the account's held balance. If the account is split, the amount is gathered
    on shard 0. Raises: the errors of `rest` and of `refused`, ChangedMeanwhile.
    """
    account, amount = money.account, money.amount_micro
    changes = {"available_micro": -amount} | ({"held_micro": amount} if is_held else {})

    def lost(item: Item | None) -> OrderdeskError:
        if is_listing(item or {}):
            return HoldLost(is_whole=False)
        available = None if item is None else item.get("available_micro", 0)
        assert available is None or isinstance(available, int)
        return refused(available)

    taken = add_write(*balance_place(tables, account), changes, lost, returns_item=True)
    try:
        transact(client, [*rest, taken], token)
    except HoldLost:
        shards = BalanceShards(client, tables.ledger)
        gathered = shards.gather(account, 0, amount)
        if gathered is None:
            raise refused(shards.total(account).available_micro) from None
        writes = shard_hold_writes(
            tables.ledger, account, gathered, amount, lambda _: ChangedMeanwhile(), is_held=is_held
        )
        transact(client, [*rest, *writes], f"{token}g")


def release_write(tables: TableNames, hold: Sum) -> Write:
    """Return a held amount to the available balance of its account."""
    return add_write(
        *balance_place(tables, hold.account),
        {"held_micro": -hold.amount_micro, "available_micro": hold.amount_micro},
        never("an account holds less than its open withdrawals"),
    )
