"""The desk's refusals: another trader's order, a POST from another origin, a busy table."""

import json
from collections.abc import Mapping
from dataclasses import replace
from typing import Any

import pytest

from orderdesk.adapters.dynamodb.orders.items import order_item
from orderdesk.domain.orders.order import Order
from tests.support.trader import ORDER, TraderVisit
from tests.support.world import World

FOREIGN: list[dict[str, str]] = [
    {},
    {"Sec-Fetch-Site": "cross-site"},
    {"Sec-Fetch-Site": "same-origin", "Origin": "https://evil.example"},
]
PARTS = ["confirm", "report", "decline"]


def put(world: World, order: Order, **changes: Any) -> None:
    world.put("Orders", order_item(replace(order, **changes)))


def test_another_traders_order_is_the_same_404_as_none(world: World) -> None:
    owner = TraderVisit.of_new_trader(world)
    buy, sell = owner.buy(), owner.sell()
    other = TraderVisit.of_new_trader(world)
    wrong = (buy.order_no, sell.order_no, "B" + "0" * 24, "D" + buy.order_no[1:], "-", "%00")
    routes = ["", *(f"/{part}" for part in PARTS), "/receipts/{number}"]
    for route in routes:
        answers = [other.get(ORDER + route, number) for number in wrong]
        assert {answer["statusCode"] for answer in answers} == {404}, route
    for part in (*PARTS, "proof"):
        answers = [other.post(f"{ORDER}/{part}", number) for number in wrong]
        assert {answer["statusCode"] for answer in answers} == {404}, part
        assert all("no such order at your desk" in answer["body"] for answer in answers)
    for order in (buy, sell):
        assert owner.order(order.order_no) == order


@pytest.mark.parametrize("headers", FOREIGN)
@pytest.mark.parametrize("route", [*(f"{ORDER}/{part}" for part in PARTS), "/trader/offline"])
def test_a_post_from_elsewhere_changes_nothing(
    world: World, route: str, headers: Mapping[str, str]
) -> None:
    trader = TraderVisit.of_new_trader(world)
    order = trader.buy()
    answer = trader.post(route, order.order_no if "{" in route else "", headers=headers)
    assert answer["statusCode"] == 403
    assert "This did not come from our page" in answer["body"]
    assert trader.order(order.order_no) == order
    assert world.trader(trader.trader.trader_id).online


def test_a_table_that_throttles_is_busy(world: World, monkeypatch: pytest.MonkeyPatch) -> None:
    trader = TraderVisit.of_new_trader(world)
    order = trader.buy()
    client = world.modules["trader_desk"].dynamodb

    def throttled(**_: Any) -> None:
        raise client.exceptions.ProvisionedThroughputExceededException(
            {"Error": {"Code": "ThrottlingException"}}, "GetItem"
        )

    monkeypatch.setattr(client, "get_item", throttled)
    answer = trader.get(ORDER, order.order_no)
    assert (answer["statusCode"], answer["headers"]["Retry-After"]) == (503, "1")
    assert "Reload this page" in answer["body"]
    assert json.loads(trader.get("/trader/status")["body"]) == {"reason": "try_again"}
    answer = trader.post(f"{ORDER}/confirm", order.order_no)
    assert answer["statusCode"] == 503
    assert 'href="../../orders"' in answer["body"]


def test_an_order_that_cannot_be_read_is_an_internal_error(world: World) -> None:
    trader = TraderVisit.of_new_trader(world)
    order = trader.buy()
    stored = world.get("Orders", {"pk": order.order_no}) or {}
    world.put("Orders", {**stored, "status": "unheard of"})
    answer = trader.get(ORDER, order.order_no)
    assert answer["statusCode"] == 500
    assert "unheard" not in answer["body"]
