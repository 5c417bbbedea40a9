"""The store model's parts: time, sizes, limits, expressions, index lag."""

from random import Random
from typing import Any

import pytest
from moto.dynamodb.exceptions import AttributeDoesNotExist

from bench.model.capacity import WRITE_UNIT_BYTES, Bucket, item_bytes, read_units, write_units
from bench.model.expressions import updated
from bench.model.index import PAGE_BYTES, LaggingIndex, Schema
from bench.model.timeline import Timeline
from bench.model.timing import Span, percentile
from orderdesk.adapters.dynamodb.marshal import Item, to_item
from orderdesk.adapters.dynamodb.traders.items import trader_item
from tests.support.seed import ALL_METHODS, a_trader

SCHEMA = Schema("rotation", "rotation_key", "last_accepted_at")


def entry(number: int, last: int, **more: Any) -> dict[str, Any]:
    item: Item = {"trader_id": f"t{number}", "rotation_key": "live#0", "last_accepted_at": last}
    return to_item(item | more)


def test_what_waits_goes_on_in_the_order_of_time() -> None:
    timeline, told = Timeline(0), list[tuple[str, int]]()

    def record(name: str, *spans_us: int) -> None:
        for span_us in spans_us:
            timeline.wait(span_us)
            told.append((name, timeline.now_us))

    timeline.spawn(lambda: record("slow", 10, 10))
    timeline.spawn(lambda: record("quick", 4, 4, 4), at_us=1)
    timeline.run()
    assert told == [("quick", 5), ("quick", 9), ("slow", 10), ("quick", 13), ("slow", 20)]


def test_who_waits_outside_lets_the_others_go_on() -> None:
    timeline, told = Timeline(0), list[int]()
    timeline.spawn(lambda: told.append(timeline.now_us), at_us=7)
    timeline.spawn(lambda: told.append(timeline.now_us), at_us=9)
    timeline.wait(8)
    assert (told, timeline.now_us) == ([7], 8)


def test_what_a_body_raises_comes_out() -> None:
    timeline = Timeline(0)
    timeline.spawn(lambda: 1 // 0)
    with pytest.raises(ZeroDivisionError):
        timeline.run()


def test_spans_lie_around_their_median() -> None:
    random = Random(1)
    drawn = [Span(10_000, 0.7).draw(random) for _ in range(4_001)]
    assert 9_500 < percentile(drawn, 50) < 10_500
    assert 45_000 < percentile(drawn, 99) < 60_000
    assert Span(5).draw(random) == 5


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


def test_units() -> None:
    assert [write_units(size) for size in (0, 1024, 1025)] == [1, 1, 2]
    assert read_units(4096, consistent=True) == 1
    assert read_units(4097, consistent=False) == 1
    assert read_units(0, consistent=False) == 0.5


def test_a_bucket_gives_its_rate() -> None:
    bucket, taken = Bucket(1_000, now_us=0), 0
    for now_us in range(0, 10_000_000, 500):
        if bucket.admits(now_us):
            bucket.take(1)
            taken += 1
    assert 10_990 <= taken <= 11_001


def test_updates_by_paths_are_refused_instead_of_being_evaluated_wrongly() -> None:
    with pytest.raises(AttributeDoesNotExist):
        updated("SET a = b + :one", to_item({"b": 1}), (), to_item({":one": 1}))


def late_index(*, lag: Span) -> LaggingIndex:
    return LaggingIndex(SCHEMA, lag, Random(1))


def shown(index: LaggingIndex, now_us: int, limit: int = 64) -> list[tuple[str, str]]:
    page, _ = index.page("live#0", None, limit, now_us)
    return [(e.item["trader_id"]["S"], e.item["last_accepted_at"]["N"]) for e in page]


def test_the_index_hides_a_write_for_its_lag() -> None:
    index = late_index(lag=Span(100))
    first, second = entry(1, 1), entry(2, 2)
    index.wrote("t1", None, first, now_us=0)
    index.wrote("t2", None, second, now_us=0)
    assert shown(index, 99) == []
    assert shown(index, 100) == [("t1", "1"), ("t2", "2")]
    index.wrote("t1", first, entry(1, 3), now_us=200)
    assert shown(index, 299) == [("t1", "1"), ("t2", "2")]
    assert shown(index, 300) == [("t2", "2"), ("t1", "3")]


def test_the_index_shows_an_items_writes_in_their_order() -> None:
    index = late_index(lag=Span(1_000, 2.0))
    before = None
    for last in range(50):
        after = entry(1, last)
        index.wrote("t1", before, after, now_us=last)
        before = after
    seen = [int(rows[0][1]) for now in range(0, 200_000, 20) if (rows := shown(index, now))]
    assert seen == sorted(seen)
    assert seen[-1] == 49


def test_a_page_ends_at_its_limit_or_at_a_megabyte() -> None:
    index = late_index(lag=Span(1))
    for number in range(30):
        index.wrote(f"t{number}", None, entry(number, number, fat="x" * 50_000), now_us=0)
    page, last = index.page("live#0", None, 4, 10)
    assert (len(page), last) == (4, (3, "t3"))
    page, last = index.page("live#0", last, 64, 10)
    assert sum(e.size_bytes for e in page) <= PAGE_BYTES
    assert (len(page), last) == (20, (23, "t23"))
    page, last = index.page("live#0", last, 64, 10)
    assert (len(page), last) == (6, None)


def test_percentiles_are_values_that_occurred() -> None:
    values = list(range(1, 101))
    assert [percentile(values, p) for p in (0, 50, 99, 100)] == [1, 50, 99, 100]
    assert percentile([], 50) == 0


def test_a_trader_with_twenty_merchants_stays_within_one_write_unit() -> None:
    """The fields have the lengths of a usual trader with three methods."""
    merchants = {f"{number:06d}": 1 for number in range(20)}
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
        slots=merchants,
    )
    assert item_bytes(to_item(trader_item(trader, shard=0))) <= WRITE_UNIT_BYTES
