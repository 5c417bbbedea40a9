"""`order list` pages through 10,000 orders and keeps none in memory (contract section 9)."""

import gc
import io
from contextlib import redirect_stdout
from dataclasses import replace
from itertools import islice
from types import SimpleNamespace
from typing import Any

import pytest

from orderdesk.adapters.dynamodb.keys import LIST_SHARDS, list_key
from orderdesk.adapters.dynamodb.marshal import to_item
from orderdesk.adapters.dynamodb.operator.orders import OperatorOrders
from orderdesk.adapters.dynamodb.orders.items import order_item
from orderdesk.domain.orders.order import Order, OrderStatus
from orderdesk.domain.pricing import OrderType
from orderdesk_cli.listings import ROWS_A_PAGE, show_listed
from orderdesk_cli.orders.commands import list_newest
from tests.support.orders import order_in

MERCHANTS = ("m1", "m2")
ORDERS = 10_000
NOW = 1_763_700_000
# By order_id: six orders of one merchant, six of the other.
KEYS = [list_key(merchant_id, shard) for merchant_id in MERCHANTS for shard in range(LIST_SHARDS)]
# One of each partition, and the pages on the screen.
KEPT_MAX = len(KEYS) + 3 * ROWS_A_PAGE
LOOK_EVERY = 10  # counting takes long


class Endless:
    """A client whose Query returns half of the orders for each merchant, from its shards."""

    def __init__(self) -> None:
        self._sample = order_in(OrderType.BUY, OrderStatus.COMPLETED, since=NOW)

    def query(self, **asked: Any) -> dict[str, Any]:
        key = asked["ExpressionAttributeValues"][":key"]["S"]
        start = asked.get("ExclusiveStartKey", {"order_id": {"N": str(ORDERS)}})["order_id"]["N"]
        ids = (n for n in range(int(start) - 1, -1, -1) if KEYS[n % len(KEYS)] == key)
        page = [self._item(order_id) for order_id in islice(ids, asked["Limit"])]
        whole = len(page) == asked["Limit"]
        return {"Items": page} | ({"LastEvaluatedKey": page[-1]} if whole else {})

    def _item(self, order_id: int) -> Any:
        owner, _, shard = KEYS[order_id % len(KEYS)].partition("#")
        number = f"B20251121{order_id:016d}"
        order = replace(self._sample, order_id=order_id, order_no=number, merchant_id=owner)
        item = order_item(order)
        assert item["list_key"] == f"{owner}#{shard}"
        return to_item(item)


class Counting(io.TextIOWrapper):
    """Discard the output; sometimes count the orders in memory."""

    def __init__(self) -> None:
        super().__init__(io.BytesIO(), encoding="utf-8")
        self.rows = self.writes = self.most = 0

    def write(self, text: str) -> int:
        self.rows += text.count("B20251121")
        self.writes += 1
        if self.writes % LOOK_EVERY == 0:
            kept = sum(isinstance(each, Order) for each in gc.get_objects())
            self.most = max(self.most, kept)
        return len(text)


@pytest.mark.parametrize("form", ["json", "csv"])
def test_ten_thousand_orders_are_listed_and_few_are_kept(form: str) -> None:
    office: Any = SimpleNamespace(
        order_listing=OperatorOrders(Endless(), "orders"),  # type: ignore[arg-type]
        merchants=SimpleNamespace(
            merchants=lambda: iter([SimpleNamespace(merchant_id=m) for m in MERCHANTS])
        ),
        now_us=lambda: NOW * 10**6,
    )
    as_json = form == "json"
    before = sum(isinstance(each, Order) for each in gc.get_objects())
    counting = Counting()
    with redirect_stdout(counting):
        listed: Any = list_newest(office, as_json=as_json, as_csv=form == "csv")
        show_listed(listed, as_json=as_json)
    assert counting.rows == ORDERS
    assert counting.most
    assert counting.most - before <= KEPT_MAX
