"""The pay page's function: from a created order's pay_url to its page (contract section 8)."""

import json
import re
import time
from dataclasses import replace
from typing import Any

import pytest

from orderdesk.adapters.dynamodb.orders.items import order_item, order_of
from orderdesk.domain.orders.order import OrderStatus
from orderdesk.domain.payment_methods import MethodType
from tests.support.events import proxy_event
from tests.support.merchant_client import buy, sell
from tests.support.seed import ALL_METHODS
from tests.support.seen_page import Seen
from tests.support.world import World

PAGE = "/pay/{order_no}/{token}"
STATUS = f"{PAGE}/status"


def open_link(world: World, order_no: str, token: str, route: str = PAGE) -> dict[str, Any]:
    if "pay_page" not in world.modules:
        world.cold_start("pay_page")
    names = {"order_no": order_no, "token": token}
    event = proxy_event("GET", route, path_parameters=names)
    answer: dict[str, Any] = world.modules["pay_page"].handler(event, None)
    return answer


def created(world: World, **parameters: Any) -> tuple[str, str]:
    """Create a buy, and return the order number and token of its pay_url."""
    _, client = world.add_merchant()
    world.add_trader(methods=ALL_METHODS)
    url = client.create(buy(cny_amount="1000.37", **parameters)).data["pay_url"]
    match = re.fullmatch(r"https://pay\.example\.com/pay/([^/]+)/([^/]+)", url)
    assert match is not None
    return match[1], match[2]


def change(world: World, order_no: str, **changes: Any) -> None:
    stored = world.get("Orders", {"pk": order_no})
    assert stored is not None
    world.put("Orders", order_item(replace(order_of(stored), **changes)))


@pytest.mark.parametrize("method", MethodType)
def test_a_created_orders_link_opens_its_page(world: World, method: MethodType) -> None:
    order_no, token = created(world, method_type=method.value)
    answer = open_link(world, order_no, token)
    assert answer["statusCode"] == 200
    html = answer["body"]
    assert "Waiting for your transfer" in html
    assert '1,000<span class="fen">.37</span>' in html
    assert order_no in html
    receiving = "6200 0000 0000 0001 234" if method is MethodType.BANK else "trader-one"
    assert receiving in html
    assert token not in Seen(html, "").text
    csp = answer["headers"]["Content-Security-Policy"]
    origin = "" if method is MethodType.BANK else "https://img.example.com "
    assert f"img-src {origin}blob:;" in csp


def test_the_status_follows_the_order(world: World) -> None:
    before = int(time.time())
    order_no, token = created(world)
    after = int(time.time())
    for status in (OrderStatus.PENDING, OrderStatus.PAID, OrderStatus.COMPLETED):
        change(world, order_no, status=status)
        answer = open_link(world, order_no, token, STATUS)
        told = json.loads(answer["body"])
        assert (answer["statusCode"], told["status"]) == (200, status.value)
        assert told.keys() == {"status", "expire_time"}
        assert before <= told["expire_time"] - 900 <= after


def test_an_order_past_its_window_is_expired_before_any_sweep(world: World) -> None:
    order_no, token = created(world)
    change(world, order_no, expire_time=int(time.time()))
    assert "Time has run out" in open_link(world, order_no, token)["body"]
    told = json.loads(open_link(world, order_no, token, STATUS)["body"])
    assert told["status"] == "expired"


def test_every_wrong_link_is_the_same_404(world: World) -> None:
    order_no, token = created(world)
    merchant, client = world.add_merchant()
    world.fund(merchant, 10**12)
    sold = client.create(sell()).data["order_no"]
    wrong = [(order_no, "x" * 43), ("B" + "0" * 24, token), (sold, token), ("-", "-")]
    for route in (PAGE, STATUS):
        answers = [open_link(world, *link, route) for link in wrong]
        assert {answer["statusCode"] for answer in answers} == {404}
        assert len({without_chance(answer) for answer in answers}) == 1


def test_a_table_that_throttles_is_busy(world: World, monkeypatch: pytest.MonkeyPatch) -> None:
    order_no, token = created(world)
    open_link(world, order_no, token)
    client = world.modules["pay_page"].order.ports.orders._client

    def throttled(**_: Any) -> None:
        raise client.exceptions.ProvisionedThroughputExceededException(
            {"Error": {"Code": "ThrottlingException"}}, "GetItem"
        )

    monkeypatch.setattr(client, "get_item", throttled)
    answer = open_link(world, order_no, token)
    assert answer["statusCode"] == 503
    assert answer["headers"]["Retry-After"] == "1"
    assert json.loads(open_link(world, order_no, token, STATUS)["body"]) == {"reason": "try_again"}


def test_an_order_that_cannot_be_read_is_an_internal_error(world: World) -> None:
    order_no, token = created(world)
    stored = world.get("Orders", {"pk": order_no}) or {}
    world.put("Orders", {**stored, "status": "unheard of"})
    answer = open_link(world, order_no, token)
    assert answer["statusCode"] == 500
    assert "Something went wrong" in answer["body"]
    assert "unheard" not in answer["body"]


def without_chance(answer: dict[str, Any]) -> str:
    """Return the response without its request id and nonce."""
    headers = dict(answer["headers"])
    request_id = headers.pop("x-request-id")
    text = json.dumps({**answer, "headers": headers}).replace(request_id, "")
    return re.sub(r"nonce[-=][\\\"\w-]+", "", text)
