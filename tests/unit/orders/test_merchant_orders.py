"""A merchant's orders, spread over the shards of an index: newest first, exactly (section 4)."""

from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from orderdesk.adapters.dynamodb.keys import LIST_SHARDS
from orderdesk.adapters.dynamodb.marshal import from_item, to_item
from orderdesk.adapters.dynamodb.orders import reads
from orderdesk.adapters.dynamodb.orders.items import order_item
from orderdesk.adapters.dynamodb.orders.reads import MerchantOrderIndex
from orderdesk.domain.errors import TryAgain
from orderdesk.domain.ids import id_range
from orderdesk.domain.orders.order import Order, OrderStatus
from orderdesk.domain.pricing import OrderType
from orderdesk.services.orders.listing import OrderFilter, list_orders
from orderdesk.services.orders.place_buy import new_order_id
from orderdesk.services.ports import Slice
from tests.support.chance import NoJitter
from tests.support.orders import order_in

NOW = 1_763_700_000
SAMPLES = {kind: order_in(kind, OrderStatus.CANCELLED, since=NOW) for kind in OrderType}
IDS = st.lists(st.integers(1, 10_000), unique=True, max_size=80)


class Index:
    """The index as a client; each query creates `coming` new orders."""

    def __init__(self, ids: list[int], coming: int = 0) -> None:
        self.queries = 0
        self._coming = coming
        self._items: dict[int, Any] = {}
        for order_id in ids:
            self._put("m1", order_id)
        self._put("m2", 5)
        self.orders = MerchantOrderIndex(self, "Orders")  # type: ignore[arg-type]

    def query(self, **asked: Any) -> dict[str, Any]:
        self.queries += 1
        values = from_item(asked["ExpressionAttributeValues"])
        first, last, start = values[":bound0"], values[":bound1"], asked.get("ExclusiveStartKey")
        found = [
            self._items[n]
            for n in sorted(self._items, reverse=True)
            if first <= n <= last  # type: ignore[operator]
            and self._items[n]["list_key"]["S"] == values[":key"]
            and (start is None or n < int(start["order_id"]["N"]))
        ]
        for _ in range(self._coming):
            self._put("m1", max(self._items, default=0) + 1)
        page = found[: asked["Limit"]]
        # DynamoDB also returns a last key if the limit is reached exactly at the end.
        return {"Items": page} | (
            {"LastEvaluatedKey": page[-1]} if len(page) == asked["Limit"] else {}
        )

    def _put(self, merchant_id: str, order_id: int) -> None:
        sample = SAMPLES[list(OrderType)[order_id % 2]]
        order = replace(sample, order_id=order_id, merchant_id=merchant_id)
        if merchant_id == "m1" or order_id not in self._items:
            self._items[order_id] = to_item(order_item(order))


@pytest.fixture(autouse=True, scope="module")
def small_pages() -> Iterator[None]:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(reads, "_FIRST_LIMIT", 2)
        patch.setattr(reads, "PAGE_LIMIT", 3)
        yield


def pages(index: Index, limit: int, wanted: OrderFilter) -> Iterator[Slice[Order, int]]:
    before_id: int | None = None
    while True:
        page = list_orders(index.orders, "m1", wanted, limit=limit, before_id=before_id, now=NOW)
        yield page
        before_id = page.following
        if before_id is None:
            return


def ids_of(page: Slice[Order, int]) -> list[int]:
    return [order.order_id for order in page.items]


@given(IDS, st.integers(1, 30), st.sampled_from([None, *OrderType]))
def test_pages_are_cut_from_the_sorted_list(
    ids: list[int], limit: int, order_type: OrderType | None
) -> None:
    newest = sorted(ids, reverse=True)
    parity = None if order_type is None else list(OrderType).index(order_type)
    matching = [n for n in newest if parity is None or n % 2 == parity]
    found = [ids_of(page) for page in pages(Index(ids), limit, OrderFilter(order_type=order_type))]
    assert [n for page in found for n in page] == matching
    assert all(len(page) == limit for page in found[:-1])


@given(IDS, st.integers(1, 30), st.integers(1, 3))
def test_what_is_created_meanwhile_hides_and_repeats_nothing(
    ids: list[int], limit: int, coming: int
) -> None:
    walk = pages(Index(ids, coming), limit, OrderFilter())
    shown = [order_id for page in walk for order_id in ids_of(page)]
    assert shown == sorted(set(shown), reverse=True)
    assert [n for n in shown if n in ids] == sorted(ids, reverse=True)


def test_the_shards_are_read_at_once_and_no_further_than_asked() -> None:
    index = Index(list(range(1, 61)))
    first_id, last_id = id_range(None, None)
    with ThreadPoolExecutor(LIST_SHARDS) as pool:
        orders = MerchantOrderIndex(index, "Orders", pool.map)  # type: ignore[arg-type]
        assert next(orders.between("m1", first_id, last_id)).order_id == 60
    assert index.queries == LIST_SHARDS


def test_a_shard_that_is_not_answered_fails_the_page(monkeypatch: pytest.MonkeyPatch) -> None:
    index = Index([1, 2, 3])
    answered = index.query

    def query(**asked: Any) -> dict[str, Any]:
        if asked["ExpressionAttributeValues"][":key"]["S"] == "m1#3":
            raise TryAgain
        return answered(**asked)

    monkeypatch.setattr(index, "query", query)
    with pytest.raises(TryAgain):
        list_orders(index.orders, "m1", OrderFilter(), limit=2, before_id=None, now=NOW)


def test_a_buy_and_a_sell_of_one_millisecond_have_two_ids() -> None:
    """A page ends at an id: if two orders had one id, it could miss the other."""
    both = {new_order_id(kind, NOW * 10**6, NoJitter()) for kind in OrderType}
    assert len(both) == len(OrderType)
