"""`order list` pages through 10,000 orders and keeps none in memory (contract section 9)."""

import gc
import io
from contextlib import redirect_stdout
from dataclasses import replace
from itertools import islice
from types import SimpleNamespace
from typing import Any

import pytest

from orderdesk.adapters.dynamodb.keys import all_key
from orderdesk.adapters.dynamodb.marshal import to_item
from orderdesk.adapters.dynamodb.operator.orders import OperatorOrders
from orderdesk.adapters.dynamodb.orders.items import order_item
from orderdesk.domain.orders.order import Order, OrderStatus
from orderdesk.domain.pricing import OrderType
from orderdesk.services.operator.orders import PAGE_MAX
from orderdesk_cli.listings import ROWS_A_PAGE, show_listed
from orderdesk_cli.orders.commands import list_newest
from tests.support.orders import order_in

ORDERS = 10_000
NOW = 1_763_700_000
# A page that was read, and the pages on the screen.
KEPT_MAX = PAGE_MAX + 3 * ROWS_A_PAGE
LOOK_EVERY = 10  # counting takes long


class Endless:
    """A client with so many orders, spread over the partitions of the index of all orders."""

    def __init__(self) -> None:
        self._sample = order_in(OrderType.BUY, OrderStatus.COMPLETED, since=NOW)

    def query(self, **asked: Any) -> dict[str, Any]:
        key = asked["ExpressionAttributeValues"][":key"]["S"]
        last = min(int(asked["ExpressionAttributeValues"][":last"]["N"]), ORDERS - 1)
        ids = (n for n in range(last, -1, -1) if all_key(n) == key)
        page: list[Any] = [{"pk": {"S": number_of(n)}} for n in islice(ids, asked["Limit"])]
        whole = len(page) == asked["Limit"]
        return {"Items": page} | ({"LastEvaluatedKey": page[-1]} if whole else {})

    def batch_get_item(self, **asked: Any) -> dict[str, Any]:
        keys = asked["RequestItems"]["orders"]["Keys"]
        return {"Responses": {"orders": [self._item(int(key["pk"]["S"][-16:])) for key in keys]}}

    def _item(self, order_id: int) -> Any:
        order = replace(self._sample, order_id=order_id, order_no=number_of(order_id))
        return to_item(order_item(order))


def number_of(order_id: int) -> str:
    return f"B20251121{order_id:016d}"


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
