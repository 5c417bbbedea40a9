"""A store in virtual time with round numbers, one trader, a client and some transactions."""

from collections.abc import Callable
from random import Random
from typing import Any

from botocore.exceptions import ClientError

from bench.model import market
from bench.model.client import StoreClient
from bench.model.store import TABLES, Store
from bench.model.timeline import Timeline
from bench.model.timing import Span, Timing
from orderdesk.adapters.dynamodb.marshal import Item, from_item, to_item
from orderdesk.adapters.dynamodb.traders.items import trader_item
from orderdesk.domain.traders.trader import Trader

# No spread: a transaction prepares its items 150 us and commits them 350 us after it was sent, is
# answered at 500 us, and its writes are in the index 1 000 us later.
INDEX_LAG_US = 1_000
PLAIN = Timing(
    hop=Span(50),
    read=Span(100),
    ledger=Span(50),
    prepare=Span(100),
    commit=Span(200),
    index_lag=Span(INDEX_LAG_US),
    cpu_begin=Span(0),
    cpu_request=Span(0),
    cpu_end=Span(0),
)
PREPARED_US, COMMITTED_US, ANSWERED_US = 150, 350, 500


class StoreWorld:
    def __init__(self) -> None:
        self.timeline = Timeline()
        self.start_us = self.timeline.now_us
        self.store = Store(self.timeline, PLAIN, Random(1))
        self.trader = market.trader(1)
        self.put(self.trader)
        self.client = self.another_client()

    def put(self, trader: Trader) -> None:
        self.store.put(TABLES.traders, trader_item(trader, shard=0))

    def another_client(self) -> StoreClient:
        return StoreClient(self.store, Random(2))

    def at(self, after_us: int, body: Callable[[], object]) -> None:
        self.timeline.spawn(body, self.start_us + after_us)

    def now(self) -> int:
        return self.timeline.now_us - self.start_us

    def stored(self, table: str, key: str) -> Any:
        item = self.store.tables[table].item(key)
        return None if item is None else from_item(item)


def put(pk: str) -> dict[str, Any]:
    condition = "attribute_not_exists(pk)"
    item = to_item({"pk": pk})
    return {"Put": {"TableName": TABLES.orders, "Item": item, "ConditionExpression": condition}}


def claim(trader: Trader, now: int, read: int | None = None) -> dict[str, Any]:
    values: Item = {
        ":read": trader.counts.last_accepted_us if read is None else read,
        ":now": now,
        ":one": 1,
    }
    update = {
        "TableName": TABLES.traders,
        "Key": to_item({"trader_id": trader.trader_id}),
        "UpdateExpression": "SET last_accepted_at = :now ADD open_orders :one",
        "ConditionExpression": "last_accepted_at = :read",
        "ExpressionAttributeValues": to_item(values),
        "ReturnValuesOnConditionCheckFailure": "ALL_OLD",
    }
    return {"Update": update}


def rotation_query(**more: Any) -> dict[str, Any]:
    return {
        "TableName": TABLES.traders,
        "IndexName": "rotation",
        "KeyConditionExpression": "rotation_key = :key",
        "ExpressionAttributeValues": to_item({":key": "live#0"}),
        "Limit": 64,
        **more,
    }


class Sent:
    def __init__(self, world: StoreWorld, *statements: dict[str, Any]) -> None:
        self._world = world
        self._statements = list(statements)
        self.reasons: list[dict[str, Any]] = []
        self.error: dict[str, Any] = {}
        self.answered_us: int | None = None

    def __call__(self) -> None:
        try:
            self._world.client.transact_write_items(TransactItems=self._statements)
        except ClientError as error:
            told: Any = error.response
            self.reasons, self.error = told["CancellationReasons"], told["Error"]
        self.answered_us = self._world.now()

    @property
    def codes(self) -> list[str]:
        return [reason["Code"] for reason in self.reasons]
