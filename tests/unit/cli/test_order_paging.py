"""`order list` pages through 10,000 orders and keeps none of them (contract section 9)."""

import gc
import io
from contextlib import redirect_stdout
from dataclasses import replace
from types import SimpleNamespace
from typing import Any

import pytest

from orderdesk.adapters.dynamodb.marshal import to_item
from orderdesk.adapters.dynamodb.operator.orders import OperatorOrders
from orderdesk.adapters.dynamodb.orders.items import order_item
from orderdesk.domain.orders.order import Order, OrderStatus
from orderdesk.domain.pricing import OrderType
from orderdesk_cli.listings import ROWS_A_PAGE, show_listed
from orderdesk_cli.orders.commands import list_newest
from tests.support.order_samples import order_in

MERCHANTS = ("m1", "m2")
ORDERS, PAGE = 10_000, 100
NOW = 1_763_700_000
# A page read and one being read of each merchant, and the pages that are being shown.
KEPT_MAX = 2 * PAGE * len(MERCHANTS) + 3 * ROWS_A_PAGE
LOOK_EVERY = 10  # counting takes long


class Endless:
    """A client whose Query gives half of the orders to each merchant, a page at a time."""

    def __init__(self) -> None:
        self._sample = order_in(OrderType.BUY, OrderStatus.COMPLETED, since=NOW)

    def query(self, **asked: Any) -> dict[str, Any]:
        merchant_id = asked["ExpressionAttributeValues"][":merchant"]["S"]
        first = int(
            asked.get("ExclusiveStartKey", {"order_id": {"N": str(ORDERS)}})["order_id"]["N"]
        )
        ids = range(first, first - PAGE * len(MERCHANTS), -len(MERCHANTS))
        items = [self._item(merchant_id, order_id) for order_id in ids]
        last = ids[-1] - len(MERCHANTS)
        return {"Items": items} | (
            {"LastEvaluatedKey": {"order_id": {"N": str(last)}}} if last > 0 else {}
        )

    def _item(self, merchant_id: str, order_id: int) -> Any:
        shifted = order_id - MERCHANTS.index(merchant_id)
        number = f"B20251121{shifted:016d}"
        order = replace(self._sample, order_id=shifted, order_no=number, merchant_id=merchant_id)
        return to_item(order_item(order))


class Counting(io.TextIOWrapper):
    """Forgets what is written; now and then it counts the orders that are kept."""

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
