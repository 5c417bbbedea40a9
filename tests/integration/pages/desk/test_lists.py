"""The desk's lists: open orders and duty, history and balance page by page."""

import json
import re
from dataclasses import replace
from typing import Any

from orderdesk.adapters.dynamodb.keys import posting_sort_key
from orderdesk.adapters.dynamodb.orders.items import order_item
from orderdesk.domain.modes import Mode
from orderdesk.domain.orders.order import OrderStatus
from orderdesk.domain.pricing import OrderType
from tests.support.desk_orders import desk_order
from tests.support.trader import ORDER, TraderVisit
from tests.support.world import World

NOW = 1_763_700_000


def status(trader: TraderVisit) -> dict[str, Any]:
    answer = trader.get("/trader/status")
    assert answer["statusCode"] == 200
    told: dict[str, Any] = json.loads(answer["body"])
    return told


def listed(page: str) -> list[str]:
    """Give the numbers of the orders that a page leads to."""
    return re.findall(r'href="orders/([BS][0-9]{24})', page)


def older(page: str) -> str | None:
    """Give what the link to older entries asks for."""
    found = re.search(r'\?before=([^"&]+)[^"]*" rel="next"', page)
    return None if found is None else found[1].replace("%23", "#")


def test_open_orders_are_listed_and_watched(world: World) -> None:
    trader = TraderVisit.of_new_trader(world)
    assert "No open orders" in trader.get("/trader/orders")["body"]
    none = status(trader)
    order = trader.buy()
    page = trader.get("/trader/orders")["body"]
    assert listed(page) == [order.order_no]
    one = status(trader)
    assert one.keys() == {"orders", "online"}
    assert f'data-version="{one["orders"]}"' in page
    trader.post(f"{ORDER}/confirm", order.order_no)
    done = status(trader)
    assert len({none["orders"], one["orders"], done["orders"]}) == 2
    assert "No open orders" in trader.get("/trader/orders")["body"]
    assert listed(trader.get("/trader/history")["body"]) == [order.order_no]


def test_a_trader_sees_own_orders_only(world: World) -> None:
    first = TraderVisit.of_new_trader(world)
    order = first.buy()
    second = TraderVisit.of_new_trader(world)
    for route in ("/trader/orders", "/trader/history", "/trader/balance"):
        assert order.order_no not in second.get(route)["body"]
    assert status(first)["orders"] != status(second)["orders"]


def test_on_duty_and_off(world: World) -> None:
    trader = TraderVisit.of_new_trader(world, online=False)
    trader_id = trader.trader.trader_id
    assert "Off duty" in trader.get("/trader/orders", lang="en")["body"]
    for route, online in (("/trader/online", True), ("/trader/offline", False)):
        for _ in range(2):
            answer = trader.post(route, lang="en")
            assert answer["statusCode"] == 303
            assert answer["headers"]["Location"] == "orders?lang=en"
        assert (world.trader(trader_id).online, status(trader)["online"]) == (online, online)
        row = world.get("Traders", {"trader_id": trader_id}) or {}
        assert ("rotation_key" in row) == online


def test_who_is_suspended_cannot_go_on_duty(world: World) -> None:
    trader = TraderVisit.of_new_trader(world, online=False, suspended=True)
    answer = trader.post("/trader/online", lang="en")
    assert answer["statusCode"] == 409
    assert "You were not put on duty" in answer["body"]
    assert 'href="orders?lang=zh"' in answer["body"]
    assert not world.trader(trader.trader.trader_id).online
    assert trader.post("/trader/offline")["statusCode"] == 303


def test_the_history_page_by_page(world: World) -> None:
    trader = TraderVisit.of_new_trader(world)
    numbers = []
    for number in range(45):
        order = desk_order(OrderType.BUY, OrderStatus.CANCELLED, NOW)
        order_no = f"{order.order_no[:-2]}{number:02d}"
        mine = replace(
            order,
            trader_id=trader.trader.trader_id,
            order_no=order_no,
            order_id=order.order_id + number,
        )
        world.put("Orders", order_item(mine))
        numbers.append(order_no)
    seen: list[str] = []
    before: str | None = ""
    sizes = []
    while before is not None:
        page = trader.get("/trader/history", **({"before": before} if before else {}))["body"]
        assert ("Back to the newest" in page) == bool(before)
        sizes.append(len(listed(page)))
        seen += listed(page)
        before = older(page)
    assert sizes == [20, 20, 5]
    assert seen == numbers[::-1]
    for wrong in ("x", "-1", "9" * 40):
        assert listed(trader.get("/trader/history", before=wrong)["body"]) == numbers[:-21:-1]


def test_the_statement_page_by_page(world: World) -> None:
    trader = TraderVisit.of_new_trader(world, available_micro=1_234_000_001, held_micro=5_000_000)
    account = f"trader:{trader.trader.trader_id}:live"
    for number in range(41):
        at_us = (NOW + number) * 10**6
        world.put(
            "Ledger",
            {
                "pk": account,
                "sk": posting_sort_key(at_us, f"f{number}"),
                "at_us": at_us,
                "kind": "funding",
                "amount_micro": -number if number % 2 else number,
                "memo": f"memo {number}.",
            },
        )
    seen: list[str] = []
    before: str | None = ""
    while before is not None:
        page = trader.get("/trader/balance", **({"before": before} if before else {}))["body"]
        assert "1,234.000001" in page
        assert "5.000000" in page
        seen += re.findall(r"memo \d+\.", page)
        before = older(page)
    assert seen == [f"memo {number}." for number in range(40, -1, -1)]
    for wrong in ("x", "posting#" + "9" * 2000, "\N{SNOWMAN}"):
        page = trader.get("/trader/balance", before=wrong)["body"]
        assert "memo 40." in page


def test_a_settled_order_is_on_the_statement(world: World) -> None:
    trader = TraderVisit.of_new_trader(world)
    order = trader.buy()
    trader.post(f"{ORDER}/confirm", order.order_no)
    page = trader.get("/trader/balance")["body"]
    assert "−138.249032" in page
    assert f'href="orders/{order.order_no}"' in page


def test_a_test_traders_desk_is_marked(world: World) -> None:
    trader = TraderVisit.of_new_trader(world, mode=Mode.TEST)
    order = trader.buy(is_test=1)
    for route, number in (("/trader/orders", ""), (ORDER, order.order_no), ("/trader/balance", "")):
        assert 'class="chip chip-test"' in trader.get(route, number)["body"]
    page = trader.get(ORDER, order.order_no, lang="en")["body"]
    assert "Test order. Do not transfer real money." in page
