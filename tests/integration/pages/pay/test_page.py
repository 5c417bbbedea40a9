"""The pay page's function: from a created order's pay_url to its page (contract section 8)."""

import json
import time
from dataclasses import replace

import pytest

from orderdesk.adapters.dynamodb.orders.items import order_item, order_of
from orderdesk.domain.orders.order import OrderStatus
from orderdesk.domain.payment_methods import MethodType
from tests.support.merchant_client import sell
from tests.support.payer import Payer
from tests.support.seen_page import Seen
from tests.support.visitors import without_chance
from tests.support.world import World


@pytest.mark.parametrize("method", MethodType)
def test_a_created_orders_link_opens_its_page(world: World, method: MethodType) -> None:
    payer = Payer.of_new_order(world, method_type=method.value)
    answer = payer.get()
    assert answer["statusCode"] == 200
    html = answer["body"]
    assert "Waiting for your transfer" in html
    assert '1,000<span class="fen">.37</span>' in html
    assert payer.order_no in html
    receiving = "6200 0000 0000 0001 234" if method is MethodType.BANK else "trader-one"
    assert receiving in html
    assert payer.token not in Seen(html, "").text
    csp = answer["headers"]["Content-Security-Policy"]
    origin = "" if method is MethodType.BANK else "data: "
    assert f"img-src {origin}blob:;" in csp


def test_the_status_follows_the_order(world: World) -> None:
    before = int(time.time())
    payer = Payer.of_new_order(world)
    after = int(time.time())
    for status in (OrderStatus.PENDING, OrderStatus.PAID, OrderStatus.COMPLETED):
        world.put("Orders", order_item(replace(order_of(payer.order()), status=status)))
        answer = payer.get("/status")
        told = json.loads(answer["body"])
        assert (answer["statusCode"], told["status"]) == (200, status.value)
        assert told.keys() == {"status", "expire_time"}
        if status is OrderStatus.PENDING:
            assert before <= told["expire_time"] - 900 <= after
        else:
            assert told["expire_time"] is None


def test_an_order_past_its_window_is_expired_before_any_sweep(world: World, payer: Payer) -> None:
    world.put("Orders", {**payer.order(), "expire_time": int(time.time())})
    assert "Time has run out" in payer.get()["body"]
    assert json.loads(payer.get("/status")["body"])["status"] == "expired"


def test_every_wrong_link_is_the_same_404(world: World, payer: Payer) -> None:
    merchant, client = world.add_merchant()
    world.fund(merchant, 10**12)
    sold = client.create(sell()).data["order_no"]
    wrong = [
        replace(payer, token="x" * 43),
        replace(payer, order_no="B" + "0" * 24),
        replace(payer, order_no=sold),
        replace(payer, order_no="-", token="-"),
    ]
    for part in ("", "/status", "/cancel", "/dispute", "/receipt"):
        answers = [someone.get(part) for someone in wrong]
        assert {answer["statusCode"] for answer in answers} == {404}
        if part in {"", "/status"}:  # the others link back to the address that was opened
            assert len({without_chance(answer) for answer in answers}) == 1
    for part in ("/paid", "/cancel", "/dispute"):
        assert {someone.post(part, {})["statusCode"] for someone in wrong} == {404}
    assert payer.order()["status"] == "pending"
