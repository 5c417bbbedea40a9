"""The pay page's function: from a created order's pay_url to its page (contract section 8)."""

import json
import time
from dataclasses import replace
from urllib.parse import parse_qs, urlsplit

import pytest

from orderdesk.adapters.dynamodb.orders.items import order_item, order_of
from orderdesk.domain.orders.order import OrderStatus
from orderdesk.domain.payment_methods import MethodType
from orderdesk.web.pages.values import code_picture
from tests.support.merchant_client import sell
from tests.support.payer import UPLOADS, Payer
from tests.support.seed import WECHAT_METHOD
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


def test_the_codes_picture_is_a_private_object_while_it_is_to_be_paid(world: World) -> None:
    payer = Payer.of_new_order(world, method_type=MethodType.WECHAT.value)
    for _ in range(2):
        answer = payer.get("/code.png")
        assert answer["statusCode"] == 303
        assert answer["headers"]["Cache-Control"] == "no-store"
        link = urlsplit(answer["headers"]["Location"])
        assert link.path.endswith(f"/codes/{payer.order_no}.png")
        assert parse_qs(link.query)["X-Amz-Expires"] == ["300"]
    stored = world.s3.get_object(Bucket=UPLOADS, Key=f"codes/{payer.order_no}.png")
    assert stored["ContentType"] == "image/png"
    assert stored["Body"].read() == code_picture(WECHAT_METHOD.qr_code)
    world.put("Orders", {**payer.order(), "status": OrderStatus.PAID.value})
    assert payer.get("/code.png")["statusCode"] == 404


def test_a_bank_accounts_page_has_no_code(payer: Payer) -> None:
    assert payer.get("/code.png")["statusCode"] == 404


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
