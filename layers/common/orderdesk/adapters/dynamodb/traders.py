"""Traders: one item each, and the sparse index that keeps them in rotation."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import fields
from typing import TYPE_CHECKING, Any, cast

from orderdesk.adapters.dynamodb.keys import ROTATION_INDEX, rotation_key
from orderdesk.adapters.dynamodb.marshal import Item, Value, from_item, to_item
from orderdesk.adapters.sending import read
from orderdesk.domain.modes import Mode
from orderdesk.domain.payment_methods import MethodType, PaymentMethod
from orderdesk.domain.traders import Trader
from orderdesk.services.ports import Chance

if TYPE_CHECKING:
    from mypy_boto3_dynamodb import DynamoDBClient

PAGE_LIMIT = 64

_METHOD_FIELDS = tuple(f.name for f in fields(PaymentMethod) if f.name != "method_type")


def method_value(method: PaymentMethod) -> dict[str, Value]:
    """Write a receiving method as a map attribute; empty fields are left out."""
    return {name: value for name, value in method.fields().items() if value}


def method_of(row: Mapping[str, Any]) -> PaymentMethod:
    """Read a receiving method from its map attribute."""
    return PaymentMethod(
        method_type=MethodType(row["method_type"]),
        **{name: row.get(name, "") for name in _METHOD_FIELDS},
    )


def trader_item(trader: Trader, shard: int) -> Item:
    """Write a trader as its item; it is in the rotation only while online and not suspended."""
    in_rotation = trader.online and not trader.suspended
    return {
        "trader_id": trader.trader_id,
        "rotation_key": rotation_key(trader.mode, shard) if in_rotation else None,
        "shard": shard,
        "last_accepted_at": trader.last_accepted_us,
        "name": trader.name,
        "mode": trader.mode.value,
        "online": trader.online,
        "suspended": trader.suspended,
        "min_cny_fen": trader.min_cny_fen,
        "max_cny_fen": trader.max_cny_fen,
        "max_open": trader.max_open,
        "daily_cap_fen": trader.daily_cap_fen,
        "methods": [method_value(method) for method in trader.methods],
        "available_micro": trader.available_micro,
        "held_micro": trader.held_micro,
        "open_orders": trader.open_orders,
        "daily_day": trader.daily_day,
        "daily_used_fen": trader.daily_used_fen,
        "version": trader.version,
        "created_at": trader.created_at,
        "access_code_hash": trader.access_code_hash or None,  # an index key is never empty
    }


def trader_of(item: Mapping[str, Value]) -> Trader:
    """Read a trader from its item."""
    row = cast("Mapping[str, Any]", item)
    return Trader(
        trader_id=row["trader_id"],
        name=row["name"],
        mode=Mode(row["mode"]),
        online=row["online"],
        suspended=row["suspended"],
        min_cny_fen=row["min_cny_fen"],
        max_cny_fen=row["max_cny_fen"],
        max_open=row.get("max_open"),
        daily_cap_fen=row.get("daily_cap_fen"),
        methods=tuple(method_of(method) for method in row["methods"]),
        available_micro=row["available_micro"],
        held_micro=row["held_micro"],
        open_orders=row["open_orders"],
        daily_day=row["daily_day"],
        daily_used_fen=row["daily_used_fen"],
        last_accepted_us=row["last_accepted_at"],
        version=row["version"],
        created_at=row["created_at"],
        access_code_hash=row.get("access_code_hash", ""),
    )


class RotationIndex:
    """Reads the traders in rotation."""

    def __init__(self, client: "DynamoDBClient", table: str, shards: int) -> None:
        self._client = client
        self._table = table
        self._shards = shards

    def pages(self, mode: Mode, first_shard: int = 0) -> Iterator[Sequence[Trader]]:
        """Read the traders of a mode, longest-waiting first; one request a page.

        With several shards the rotation is exact within each; they are read from `first_shard` on.
        Raises: TryAgain.
        """
        for offset in range(self._shards):
            key = rotation_key(mode, (first_shard + offset) % self._shards)
            yield from self._shard_pages(key)

    def _shard_pages(self, key: str) -> Iterator[Sequence[Trader]]:
        query: dict[str, Any] = {
            "TableName": self._table,
            "IndexName": ROTATION_INDEX,
            "KeyConditionExpression": "rotation_key = :key",
            "ExpressionAttributeValues": to_item({":key": key}),
            "Limit": PAGE_LIMIT,
        }
        while True:
            answer = read(lambda: self._client.query(**query))
            yield [trader_of(from_item(item)) for item in answer["Items"]]
            if "LastEvaluatedKey" not in answer:
                return
            query["ExclusiveStartKey"] = answer["LastEvaluatedKey"]


class ShardedRotation:
    """Fills the port `Rotation`: begins at a shard by chance, so that all serve alike."""

    def __init__(self, client: "DynamoDBClient", table: str, shards: int, chance: Chance) -> None:
        self._index = RotationIndex(client, table, shards)
        self._shards = shards
        self._chance = chance

    def rotation_pages(self, mode: Mode) -> Iterator[Sequence[Trader]]:
        """Read the online traders of a mode, longest-waiting first; one request a page."""
        first = self._chance.below(self._shards) if self._shards > 1 else 0
        return self._index.pages(mode, first)
