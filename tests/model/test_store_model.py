"""The store model answers as DynamoDB Local does; what that does not show is tested below it.

Those are time, sizes, limits of throughput, and an index that lags. Locks and conflicts decide the
figures of whole runs, in test_store_model_runs.py.
"""

import re
from collections import Counter
from collections.abc import Callable
from itertools import count
from pathlib import Path
from random import Random
from typing import Any

import boto3
import pytest
from botocore.exceptions import ClientError

from bench.model import market
from bench.model.capacity import WRITE_UNIT_BYTES, Bucket, item_bytes, read_units, write_units
from bench.model.client import StoreClient
from bench.model.expressions import Write
from bench.model.index import PAGE_BYTES, LaggingIndex
from bench.model.store import TABLES, Store
from bench.model.timeline import Timeline
from bench.model.timing import Span, Timing, percentile
from local import dynamodb_local
from orderdesk.adapters.dynamodb.keys import Index
from orderdesk.adapters.dynamodb.marshal import Item, to_item
from orderdesk.adapters.dynamodb.traders.items import trader_item
from orderdesk.domain.times import US_PER_SECOND
from orderdesk.domain.traders.trader import Trader
from tests.support.seed import ALL_METHODS, a_trader
from tests.support.template import table_definition

type Request = tuple[str, dict[str, Any]]

MISSING = dynamodb_local.what_is_missing()
AT_ONCE = Timing(**dict.fromkeys(Timing.__slots__, Span(0)))
TRADERS, ORDERS, REQUESTS, CLOCK = 5, 3, 1_500, count(10**15)
_LEFT_OUT = {"ResponseMetadata", "UnprocessedKeys", "Message"}
UPDATES = (
    "SET last_accepted_at = :now, #name = :day ADD open_orders :one, available_micro :minus",
    "SET last_accepted_at = :now, rotation_key = :key ADD open_orders :one",
    "REMOVE rotation_key, nothing SET #name = :day",
    "ADD days :days, held_micro :sum",
)
CONDITIONS = (
    "",
    "attribute_exists(rotation_key) AND (open_orders < :most OR available_micro >= :minus)",
    "attribute_not_exists(trader_id) OR rotation_key <> :key",
    "attribute_not_exists(trader_id)",
    "NOT contains(days, :day) AND last_accepted_at < :now",
    "last_accepted_at = :now",
)


def put(pk: str) -> dict[str, Any]:
    condition = "attribute_not_exists(pk)"
    item = to_item({"pk": pk})
    return {"Put": {"TableName": TABLES.orders, "Item": item, "ConditionExpression": condition}}


def rotation_query(**more: Any) -> dict[str, Any]:
    return {
        "TableName": TABLES.traders,
        "IndexName": "rotation",
        "KeyConditionExpression": "rotation_key = :key",
        "ExpressionAttributeValues": to_item({":key": "live#0"}),
        "Limit": 64,
        **more,
    }


def drawn(random: Random, first: int) -> Request:
    """Draw a request for the traders from `first` on; no two of the index have one sort key."""
    traders = [f"t{first + number}" for number in range(TRADERS) if random.random() < 0.4] or [
        f"t{first}"
    ]
    match random.choice(["write", "write", "write", "query", "get"]):
        case "write":
            orders = [put(f"o{n}") for n in range(ORDERS) if random.random() < 0.3]
            for each in orders if random.random() < 0.7 else ():
                del each["Put"]["ConditionExpression"]
            return "transact_write_items", {
                "TransactItems": [*orders, *(update(random, one) for one in traders)]
            }
        case "query":
            values: Item = {
                ":key": random.choice(["live#0", "live#1"]),
                ":from": random.randrange(60),
            }
            least = {"FilterExpression": "open_orders >= :from"} if random.random() < 0.5 else {}
            used = values if least else {":key": values[":key"]}
            asked = {"ExpressionAttributeValues": to_item(used), "Limit": random.choice([1, 2, 64])}
            return "query", rotation_query(**asked, **least)
        case _:
            keys = [to_item({"trader_id": one}) for one in traders]
            return "batch_get_item", {"RequestItems": {TABLES.traders: {"Keys": keys}}}


def update(random: Random, trader_id: str) -> dict[str, Any]:
    """Return an update of one of the adapters' forms, under a condition that may fail."""
    expression, condition = random.choice(UPDATES), random.choice(CONDITIONS)
    day = random.choice(["d1", "d2"])
    values: dict[str, Any] = {
        ":now": next(CLOCK),
        ":key": random.choice(["live#0", "live#1"]),
        ":one": 1,
        ":most": random.randrange(9),
        ":minus": -random.randrange(9),
        ":sum": 10**9,
        ":day": day,
        ":days": frozenset([day]),
    }
    used = {*re.findall(r":\w+", f"{expression} {condition}")}
    made = {
        "TableName": TABLES.traders,
        "Key": to_item({"trader_id": trader_id}),
        "UpdateExpression": expression,
        "ExpressionAttributeValues": to_item({name: values[name] for name in used}),
        "ReturnValuesOnConditionCheckFailure": random.choice(["ALL_OLD", "NONE"]),
    }
    names = {"#name": "name"} if "#name" in expression else None
    given = {"ConditionExpression": condition or None, "ExpressionAttributeNames": names}
    return {"Update": made | {name: value for name, value in given.items() if value}}


def answered(send: Callable[..., Any], request: dict[str, Any]) -> Any:
    """Return an answer or an error, to be compared."""
    try:
        answer = send(**request)
    except ClientError as error:
        answer = error.response
    return in_order(answer)


def in_order(value: Any, name: str = "") -> Any:
    """Return a value with its names, the elements of sets, and the items of a batch in order.

    Leave out what is of one transmission only, and messages, which no adapter reads.
    """
    if isinstance(value, dict):
        named = sorted(value.items())
        return {name: in_order(each, name) for name, each in named if name not in _LEFT_OUT}
    if isinstance(value, list):
        whole = [in_order(each) for each in value]
        return sorted(whole, key=str) if name in {"SS", TABLES.traders} else whole
    return value


@pytest.mark.skipif(bool(MISSING), reason=f"DynamoDB Local needs {MISSING}")
def test_the_model_answers_as_dynamodb_local(tmp_path: Path) -> None:
    random, timeline = Random(1), Timeline()
    model: Any = StoreClient(Store(timeline, AT_ONCE, random), random)
    with dynamodb_local.running(print, tmp_path) as url:
        session = boto3.Session("a", "b", region_name="us-east-1")
        real: Any = session.client("dynamodb", endpoint_url=url)
        for table in (TABLES.traders, TABLES.orders):
            real.create_table(TableName=table, **table_definition(f"{table}Table"))
        met = Counter[str]()
        for number in range(REQUESTS):
            operation, request = drawn(random, number // 100)
            while request:
                ours, its = (answered(getattr(one, operation), request) for one in (model, real))
                assert ours == its, (number, operation, request)
                timeline.wait(US_PER_SECOND)  # so that nothing is throttled
                met.update(each["Code"] for each in its.get("CancellationReasons", ()))
                met["items of failed conditions"] += "Item" in str(its.get("CancellationReasons"))
                met["written"] += its == {}
                after = its.get("LastEvaluatedKey")
                met["pages"] += after is not None
                met["filtered"] += its.get("ScannedCount", 0) > its.get("Count", 0)
                request = {**request, "ExclusiveStartKey": after} if after else {}
    assert len(met) == 6, met
    assert min(met.values()) > 50, met


@pytest.fixture
def store() -> Store:
    """Return a store whose transactions take no time."""
    return Store(Timeline(), AT_ONCE, Random(1))


def claim(trader: Trader, now: int) -> dict[str, Any]:
    update = {
        "TableName": TABLES.traders,
        "Key": to_item({"trader_id": trader.trader_id}),
        "UpdateExpression": "SET last_accepted_at = :now ADD open_orders :one",
        "ExpressionAttributeValues": to_item({":now": now, ":one": 1}),
    }
    return {"Update": update}


def claimed(store: Store, trader: Trader, now: int) -> list[str]:
    """Store an order and claim its trader; return the reasons of a refusal."""
    try:
        store.transact([put(trader.trader_id), claim(trader, now)])
    except ClientError as error:
        reasons: Any = error.response["CancellationReasons"]
        return [reason["Code"] for reason in reasons]
    return []


def drain(bucket: Bucket, store: Store, units: int) -> None:
    """Use up the capacity left from before the run, so that only the rate remains."""
    assert bucket.admits(store.timeline.now_us)
    bucket.take(units)


def test_a_transaction_stamped_before_the_last_write_comes_too_late(store: Store) -> None:
    trader, table = market.trader(1), store.tables[TABLES.traders]
    table.apply(Write(claim(trader, 99)), (50, 1), 60)
    late = Write(claim(trader, 100))
    assert (table.refusal(late, (49, 2), 70) or {})["Code"] == "TransactionConflict"
    assert table.refusal(late, (51, 3), 70) is None


def test_the_index_partition_takes_five_hundred_moves_a_second(store: Store) -> None:
    traders = [market.trader(number) for number in range(800)]
    for one in traders:
        store.put(TABLES.traders, trader_item(one, shard=0))
    index = store.tables[TABLES.traders].indexes["rotation"]
    drain(index.partitions["live#0"].writes, store, 1_000)
    codes = Counter[str]()
    for one in traders:
        store.timeline.wait(US_PER_SECOND // len(traders))
        codes[" ".join(claimed(store, one, 10**9))] += 1
    assert codes.keys() == {"", "None ThrottlingError"}
    assert 480 <= codes[""] <= 520


def test_a_throttled_item_cancels_the_transaction(store: Store) -> None:
    trader = market.trader(1)
    store.put(TABLES.traders, trader_item(trader, shard=0))
    own = store.tables[TABLES.traders].partitions[trader.trader_id]
    drain(own.writes, store, 1_001)
    assert claimed(store, trader, 99) == ["None", "ThrottlingError"]
    assert store.items(TABLES.orders, [to_item({"pk": trader.trader_id})]) == []


def test_reads_beyond_the_limit_are_throttled(store: Store) -> None:
    index = store.tables[TABLES.traders].indexes["rotation"]
    drain(index.partitions["live#0"].reads, store, 4_000)
    with pytest.raises(ClientError, match="ProvisionedThroughputExceededException"):
        store.query(rotation_query())


@pytest.mark.parametrize(
    ("item", "size"),
    [
        ({"a": {"S": "汉字"}}, 1 + 6),
        ({"n": {"N": "1795219200000000"}}, 1 + 5),
        ({"n": {"N": "-25"}}, 1 + 3),
        ({"b": {"B": b"123"}}, 1 + 3),
        ({"t": {"BOOL": True}}, 1 + 1),
        ({"l": {"L": [{"M": {"k": {"S": "v"}}}]}}, 1 + 3 + 1 + 3 + 2 + 1),
    ],
)
def test_item_sizes(item: dict[str, Any], size: int) -> None:
    assert item_bytes(item) == size


def test_units_and_percentiles() -> None:
    assert [write_units(size) for size in (0, 1024, 1025)] == [1, 1, 2]
    assert read_units(4096, consistent=True) == 1
    assert [read_units(size, consistent=False) for size in (0, 4097)] == [0.5, 1]
    assert [percentile(range(1, 101), p) for p in (0, 50, 99, 100)] == [1, 50, 99, 100]
    random = Random(1)
    drawn = [Span(10_000, 0.7).draw(random) for _ in range(4_001)]
    assert 9_500 < percentile(drawn, 50) < 10_500
    assert 45_000 < percentile(drawn, 99) < 60_000


def entry(number: int, last: int, **more: Any) -> dict[str, Any]:
    item: Item = {"trader_id": f"t{number}", "rotation_key": "live#0", "last_accepted_at": last}
    return to_item(item | more)


def late_index(lag: Span) -> LaggingIndex:
    return LaggingIndex(Index.ROTATION, lag, Random(1))


def test_the_index_hides_a_write_for_its_lag_and_keeps_an_items_order() -> None:
    index, before = late_index(Span(1_000, 2.0)), None
    for last in range(50):
        after = entry(1, last)
        index.wrote("t1", before, after, now_us=last)
        before = after
    pages = {now: index.page("live#0", None, 64, now)[0] for now in range(0, 200_000, 20)}
    assert pages[0] == []
    seen = [int(page[0].item["last_accepted_at"]["N"]) for page in pages.values() if page]
    assert seen == sorted(seen)
    assert seen[-1] == 49


def test_a_page_ends_at_its_limit_or_at_a_megabyte() -> None:
    index = late_index(Span(1))
    for number in range(30):
        index.wrote(f"t{number}", None, entry(number, number, fat="x" * 50_000), now_us=0)
    page, last = index.page("live#0", None, 4, 10)
    assert (len(page), last) == (4, (3, "t3"))
    page, last = index.page("live#0", last, 64, 10)
    assert sum(e.size_bytes for e in page) <= PAGE_BYTES
    assert (len(page), last) == (20, (23, "t23"))
    page, last = index.page("live#0", last, 64, 10)
    assert (len(page), last) == (6, None)


def test_a_trader_with_twenty_merchants_stays_within_one_write_unit() -> None:
    """The fields have the lengths of a usual trader with three methods."""
    trader = a_trader(
        "t" + "0" * 12,
        name="交易员 00001",
        methods=ALL_METHODS,
        max_open=20,
        daily_cap_fen=10_000_000_00,
        last_accepted_us=1_790_000_000_000_000,
        daily_day=20_000,
        daily_used_fen=1_000_000_00,
        daily_orders=100,
        daily_kept=90,
        created_at=1_790_000_000,
        access_code_hash="0" * 64,
        slots={f"{number:06d}": 1 for number in range(20)},
    )
    assert item_bytes(to_item(trader_item(trader, shard=0))) <= WRITE_UNIT_BYTES
