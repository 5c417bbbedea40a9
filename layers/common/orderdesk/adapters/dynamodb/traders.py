"""Traders: one item each, and the sparse index that keeps them in rotation."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import fields
from typing import TYPE_CHECKING, Any, cast

from orderdesk.adapters.dynamodb.keys import ROTATION_INDEX, rotation_key
from orderdesk.adapters.dynamodb.marshal import Item, Value, from_item, to_item
from orderdesk.adapters.dynamodb.transactions import Statement, never
from orderdesk.adapters.sending import read
from orderdesk.domain.errors import ClaimLost
from orderdesk.domain.modes import Mode
from orderdesk.domain.orders import Order
from orderdesk.domain.payment_methods import MethodType, PaymentMethod
from orderdesk.domain.traders import Trader, trading_day
from orderdesk.services.ports import Claim

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
        "access_code_hash": trader.access_code_hash,
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
        access_code_hash=row["access_code_hash"],
    )


def claim_statement(table: str, order: Order, claim: Claim) -> Statement:
    """Take a trader for a buy order: rotate it, hold its USDT, count it; lost: ClaimLost.

    The condition repeats what made the trader fit, since the index it was read from lags.
    """
    trader, quote = claim.trader, order.quote
    values: dict[str, Value] = {
        ":read": trader.last_accepted_us,
        ":now": max(claim.now_us, trader.last_accepted_us + 1),
        ":version": trader.version,
        ":usdt": quote.usdt_micro,
        ":minus_usdt": -quote.usdt_micro,
        ":one": 1,
        ":day": claim.day,
        ":fen": quote.cny_fen,
    }
    nobody_else_took_it = "last_accepted_at = :read"
    still_in_rotation = "attribute_exists(rotation_key)"
    same_range_and_methods = "version = :version"
    covers_it = "available_micro >= :usdt"
    conditions = [nobody_else_took_it, still_in_rotation, same_range_and_methods, covers_it]
    sets = "last_accepted_at = :now"
    adds = "available_micro :minus_usdt, held_micro :usdt, open_orders :one"
    if trader.max_open is not None:
        values[":max_open"] = trader.max_open
        conditions.append("open_orders < :max_open")
    if trader.daily_day == claim.day:
        adds += ", daily_used_fen :fen"
        conditions.append("daily_day = :day")
        if trader.daily_cap_fen is not None:
            values[":used_before"] = trader.daily_cap_fen - quote.cny_fen
            conditions.append("daily_used_fen <= :used_before")
    else:
        sets += ", daily_day = :day, daily_used_fen = :fen"
        conditions.append("daily_day <> :day")
    update = {
        "TableName": table,
        "Key": to_item({"trader_id": trader.trader_id}),
        "UpdateExpression": f"SET {sets} ADD {adds}",
        "ConditionExpression": " AND ".join(conditions),
        "ExpressionAttributeValues": to_item(values),
        "ReturnValuesOnConditionCheckFailure": "ALL_OLD",
    }
    return Statement(
        {"Update": update}, lambda item: ClaimLost(None if item is None else trader_of(item))
    )


def release_statement(table: str, order: Order, now: int) -> Statement:
    """Give a buy order's USDT back to its trader, and its place in today's cap.

    What is given back was held by the claim, so the condition cannot fail unless there is a bug.
    """
    assert order.trader_id is not None, "a buy has a trader"
    quote = order.quote
    values: dict[str, Value] = {
        ":usdt": quote.usdt_micro,
        ":minus_usdt": -quote.usdt_micro,
        ":minus_one": -1,
        ":one": 1,
    }
    adds = "available_micro :usdt, held_micro :minus_usdt, open_orders :minus_one"
    if trading_day(order.createtime) == trading_day(now):
        values[":minus_fen"] = -quote.cny_fen
        adds += ", daily_used_fen :minus_fen"
    update = {
        "TableName": table,
        "Key": to_item({"trader_id": order.trader_id}),
        "UpdateExpression": f"ADD {adds}",
        "ConditionExpression": "held_micro >= :usdt AND open_orders >= :one",
        "ExpressionAttributeValues": to_item(values),
    }
    return Statement({"Update": update}, never("a trader holds less than its open orders"))


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
