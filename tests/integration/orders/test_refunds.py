"""Sells that refund a completed buy (contract sections 4 and 6)."""

from typing import Any

import pytest

from orderdesk.domain.pricing import Mode
from tests.support.merchant_client import MerchantClient, buy, sell
from tests.support.operator_api import OperatorApi
from tests.support.trader import TraderVisit
from tests.support.world import World


@pytest.fixture
def shop(world: World) -> "Shop":
    return Shop(world)


class Shop:
    """A merchant with USDT, and a trader."""

    def __init__(self, world: World) -> None:
        self.world = world
        self.merchant, self.client = world.add_merchant()
        world.fund(self.merchant, 10**9)
        world.clear_rotation()
        self.desk = TraderVisit.of_new_trader(world)

    def bought(self, number: str = "A-1") -> str:
        order_no = str(self.client.create(buy(merchant_order_no=number)).data["order_no"])
        assert self.desk.move(order_no, "confirm") == 303
        return order_no

    def query(self, order_no: str, client: MerchantClient | None = None) -> Any:
        return (client or self.client).post("/merchant/queryOrder", {"order_no": order_no}).data


@pytest.mark.parametrize("by", ["order_no", "merchant_order_no"])
def test_refunds_take_exactly_what_the_buy_may_refund(shop: Shop, by: str) -> None:
    order_no = shop.bought()
    of = order_no if by == "order_no" else "A-1"
    first = shop.client.create(sell(cny_amount="400.00", refund_of=of))
    assert first.code == 1
    over = shop.client.create(sell(cny_amount="600.01", refund_of=of))
    assert (over.status, over.code, over.data["reason"]) == (409, 2003, "state_conflict")
    assert over.data["refundable_cny_amount"] == "600.00"
    rest = shop.client.create(sell(cny_amount="600.00", refund_of=of))
    assert rest.code == 1
    assert shop.client.create(sell(cny_amount="0.01", refund_of=of)).code == 2003
    assert shop.query(order_no)["refunds"] == [
        {"order_no": first.data["order_no"], "cny_amount": "400.00"},
        {"order_no": rest.data["order_no"], "cny_amount": "600.00"},
    ]
    assert shop.query(first.data["order_no"])["refund_of"] == order_no
    listed = shop.client.post("/merchant/listOrders", {}).data["orders"]
    assert {each.get("refund_of") for each in listed} == {None, order_no}


def test_what_is_no_completed_buy_of_the_merchant_and_mode(shop: Shop) -> None:
    order_no = shop.bought()
    pending = shop.client.create(buy()).data["order_no"]
    refused = shop.client.create(sell(refund_of=pending))
    assert (refused.code, refused.data["status"]) == (2003, "pending")
    assert refused.data["refundable_cny_amount"] == "0.00"
    sold = shop.client.create(sell()).data["order_no"]
    assert shop.client.create(sell(refund_of=sold)).code == 2003
    assert shop.client.create(sell(refund_of="none")).code == 2002
    shop.world.fund(shop.merchant, 10**9, Mode.TEST)
    assert shop.client.create(sell(refund_of=order_no, is_test=1)).code == 2002
    other, client = shop.world.add_merchant()
    shop.world.fund(other, 10**9)
    assert client.create(sell(refund_of=order_no)).code == 2002


def test_a_reversal_takes_its_share_and_is_refused_beyond(shop: Shop) -> None:
    api, order_no = OperatorApi(shop.world), shop.bought()

    def reverse(usdt: str) -> tuple[int, Any]:
        status, envelope = api.call(
            "root", "order.reverse", alone=True, order_no=order_no, usdt=usdt, reason="why"
        )
        return status, envelope

    usdt = 138_197_899  # 1000.00 at 7.2360
    half = f"{usdt // 2 // 10**6}.{usdt // 2 % 10**6:06d}"
    assert reverse(half)[0] == 200
    over = shop.client.create(sell(cny_amount="500.02", refund_of=order_no))
    assert (over.code, over.data["refundable_cny_amount"]) == (2003, "500.01")
    assert shop.client.create(sell(cny_amount="500.01", refund_of=order_no)).code == 1
    status, envelope = reverse("1")
    assert (status, envelope["code"]) == (409, 2003)
