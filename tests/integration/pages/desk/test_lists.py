"""The desk's lists: open orders and duty, history and balance page by page."""

import json
import re
import time
from dataclasses import replace
from itertools import chain
from typing import Any

import pytest

from orderdesk.adapters.dynamodb.keys import Key
from orderdesk.adapters.dynamodb.orders.items import order_item
from orderdesk.domain.ids import time_ordered_id
from orderdesk.domain.orders.order import OrderStatus
from orderdesk.domain.pricing import OrderType
from tests.support.orders import desk_order
from tests.support.trader import ORDER, TraderVisit
from tests.support.world import World

NOW = 1_763_700_000


def status(trader: TraderVisit) -> dict[str, Any]:
    answer = trader.get("/trader/status")
    assert answer["statusCode"] == 200
    told: dict[str, Any] = json.loads(answer["body"])
    return told


def listed(page: str) -> list[str]:
    """Return the numbers of the orders that a page links to."""
    return re.findall(r'class="stretch" href="orders/([BS][0-9]{24})[?"]', page)


def older(page: str) -> str | None:
    """Return the query of the link to older entries."""
    found = re.search(r'[?;]before=([^"&]+)[^"]*" rel="next"', page)
    return None if found is None else found[1].replace("%23", "#")


def test_open_orders_are_listed_and_watched(trader: TraderVisit) -> None:
    assert "No open orders" in trader.get("/trader/orders")["body"]
    none = status(trader)
    order = trader.buy()
    page = trader.get("/trader/orders")["body"]
    assert listed(page) == [order.order_no]
    one = status(trader)
    assert one.keys() == {"orders", "online", "settings"}
    assert f'data-version="{one["orders"]}"' in page
    trader.post(f"{ORDER}/confirm", order.order_no)
    done = status(trader)
    assert len({none["orders"], one["orders"], done["orders"]}) == 2
    assert "No open orders" in trader.get("/trader/orders")["body"]
    assert listed(trader.get("/trader/history")["body"]) == [order.order_no]


def test_the_status_brings_the_page_if_it_is_news(trader: TraderVisit) -> None:
    order = trader.buy()
    told = status(trader)
    shown = trader.get("/trader/orders")["body"]
    known = "-".join(re.findall(r'data-(?:version|online|settings)="([^"]*)"', shown))
    assert json.loads(trader.get("/trader/status", known=known)["body"]) == told
    news = json.loads(trader.get("/trader/status", known="none", lang="zh")["body"])
    page = trader.get("/trader/orders", lang="zh")["body"]
    assert listed(news["page"]) == listed(page) == [order.order_no]
    assert f'data-version="{told["orders"]}"' in news["page"]
    assert '<html lang="zh' in news["page"]


def test_a_trader_sees_own_orders_only(world: World) -> None:
    first = TraderVisit.of_new_trader(world)
    order = first.buy()
    second = TraderVisit.of_new_trader(world)
    for route in ("/trader/orders", "/trader/history", "/trader/balance"):
        assert order.order_no not in second.get(route)["body"]
    assert status(first)["orders"] != status(second)["orders"]


def crowd_of(world: World, trader: TraderVisit, sizes: dict[OrderStatus, int]) -> list[str]:
    """Store `sizes` open orders of a trader, by status; return their numbers, the newest first."""
    made: list[str] = []
    soon = int(time.time())
    for status, size in sizes.items():
        for _ in range(size):
            number = len(made)
            order = desk_order(OrderType.BUY, status, soon, trader_id=trader.trader.trader_id)
            order_no = f"{order.order_no[:-4]}{number:04d}"
            mine = replace(order, order_no=order_no, order_id=order.order_id - number)
            world.put("Orders", order_item(mine))
            made.append(order_no)
    row = world.get("Traders", {"trader_id": trader.trader.trader_id}) or {}
    world.put("Traders", {**row, "open_orders": len(made)})
    return made


def further(page: str) -> str | None:
    """Return the query of the link to further open orders."""
    found = re.search(r'\?after=([a-z0-9-]+)[^"]*" rel="next"', page)
    return found[1] if found else None


def test_a_crowd_of_open_orders_comes_page_by_page(world: World, trader: TraderVisit) -> None:
    """Orders that wait for the trader come first, and no response is large."""
    sizes = {OrderStatus.PENDING: 120, OrderStatus.PAID: 110, OrderStatus.DISPUTED: 30}
    made = crowd_of(world, trader, sizes)
    seen: list[list[str]] = []
    after: str | None = ""
    while after is not None:
        query = {"after": after} if after else {}
        page = trader.get("/trader/orders", **query, lang="en")["body"]
        assert "<title>(260) Orders" in page
        told = json.loads(trader.get("/trader/status", **query)["body"])["orders"]
        assert f'data-version="{told}"' in page
        seen.append(listed(page))
        after = further(page)
    assert [len(page) for page in seen] == [100, 100, 60]
    assert sorted(chain.from_iterable(seen)) == sorted(made)
    paid = set(made[120:230])
    assert set(seen[0]) < paid
    assert paid < set(seen[0] + seen[1])
    assert set(seen[2]) > set(made[230:])
    sought = trader.get("/trader/orders", q=made[0][-8:])["body"]
    assert made[0] not in seen[0]
    assert made[0] in listed(sought)


@pytest.mark.parametrize("route", ["/trader/orders", "/trader/status"])
def test_whoever_watches_a_crowd_reads_a_hundred_of_it(
    world: World, trader: TraderVisit, route: str
) -> None:
    crowd_of(world, trader, {OrderStatus.DISPUTED: 130, OrderStatus.PAID: 2})
    limits: list[int] = []

    def see(params: dict[str, Any], **_: Any) -> None:
        limits.append(params["Limit"])

    events = world.modules["trader_desk"].dynamodb.meta.events
    events.register("provide-client-params.dynamodb.Query", see)
    answer = trader.get(route)
    events.unregister("provide-client-params.dynamodb.Query", see)
    assert answer["statusCode"] == 200
    assert limits == [101, 99, 99]


def test_a_place_that_nobody_gave_out_is_the_top(trader: TraderVisit) -> None:
    order = trader.buy()
    for wrong in ("x", "done-1", "trader-", "open-" + "9" * 17, "trader-1; DROP"):
        assert listed(trader.get("/trader/orders", after=wrong)["body"]) == [order.order_no]


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


def walked(trader: TraderVisit, route: str) -> list[str]:
    """Return a list's pages, from the newest to the oldest."""
    pages, before = list[str](), ""
    while not pages or before:
        pages.append(trader.get(route, **({"before": before} if before else {}))["body"])
        assert ("Back to the newest" in pages[-1]) == bool(before)
        before = older(pages[-1]) or ""
    return pages


def test_the_history_page_by_page(world: World, trader: TraderVisit) -> None:
    numbers = past_orders(world, trader, 45)
    shown = [listed(page) for page in walked(trader, "/trader/history")]
    assert [len(page) for page in shown] == [20, 20, 5]
    assert [*chain.from_iterable(shown)] == numbers[::-1]
    for wrong in ("x", "-1", "9" * 40):
        assert listed(trader.get("/trader/history", before=wrong)["body"]) == numbers[:-21:-1]


def test_the_statement_page_by_page(world: World) -> None:
    trader = TraderVisit.of_new_trader(world, available_micro=1_234_000_001, held_micro=5_000_000)
    account = f"trader:{trader.trader.trader_id}:live"
    for number in range(41):
        at_us, transfer = (NOW + number) * 10**6, f"f{number}"
        key = {"pk": account, "sk": Key.posting(at_us, transfer), "transfer_id": transfer}
        amount = -number if number % 2 else number
        posted: dict[str, Any] = {"at_us": at_us, "kind": "funding", "amount_micro": amount}
        world.put("Ledger", {**key, **posted, "memo": f"memo {number}."})
    pages = walked(trader, "/trader/balance")
    assert all("1,234.000001" in page and "5.000000" in page for page in pages)
    seen = [memo for page in pages for memo in re.findall(r"memo \d+\.", page)]
    assert seen == [f"memo {number}." for number in range(40, -1, -1)]
    for wrong in ("x", "posting#" + "9" * 2000, "\N{SNOWMAN}"):
        assert "memo 40." in trader.get("/trader/balance", before=wrong)["body"]


def past_orders(world: World, trader: TraderVisit, count: int) -> list[str]:
    """Store orders of a trader that are over; each has one fen more than the one before."""
    made = []
    for number in range(count):
        order = desk_order(OrderType.BUY, OrderStatus.CANCELLED, NOW, fen=100_00 + number)
        mine = replace(
            order,
            trader_id=trader.trader.trader_id,
            order_no=f"{order.order_no[:-3]}{number:03d}",
            order_id=time_ordered_id(NOW * 1000, number),
        )
        world.put("Orders", order_item(mine))
        made.append(mine.order_no)
    return made


def test_the_history_is_searched(world: World, trader: TraderVisit) -> None:
    made = past_orders(world, trader, 130)

    def found(**query: str) -> list[str]:
        return listed(trader.get("/trader/history", **query)["body"])

    assert found(amount="100.01") == [made[1]]
    assert found(number=made[5][-6:]) == [made[5]]
    assert found(number=made[7]) == [made[7]]
    assert found(day="2025-11-21", amount="101.29") == [made[129]]
    assert found(day="2025-11-20") == []
    assert found(day="nonsense") == []
    day = trader.get("/trader/history", day="2025-11-21", lang="en")["body"]
    assert listed(day) == made[:-21:-1]
    assert "Totals by day" in day
    rest = trader.get("/trader/history", day="2025-11-21", before=older(day) or "")["body"]
    assert listed(rest) == made[109:89:-1]


def test_an_open_order_is_found_by_its_number_and_anothers_is_not(
    world: World, trader: TraderVisit
) -> None:
    order = trader.buy()
    assert listed(trader.get("/trader/history", number=order.order_no)["body"]) == [order.order_no]
    other = TraderVisit.of_new_trader(world)
    assert listed(other.get("/trader/history", number=order.order_no)["body"]) == []


def test_the_history_is_saved_as_a_file(world: World, trader: TraderVisit) -> None:
    made = past_orders(world, trader, 130)
    answer = trader.get("/trader/history", format="csv", lang="en")
    assert answer["headers"]["Content-Type"] == "text/csv; charset=utf-8"
    assert answer["headers"]["Content-Disposition"] == 'attachment; filename="orders.csv"'
    assert answer["headers"]["Cache-Control"] == "no-store"
    rows = answer["body"].splitlines()
    assert [row.partition(",")[0] for row in rows[1:]] == made[::-1]
    one = trader.get("/trader/history", format="csv", amount="100.01")["body"].splitlines()
    assert len(one) == 2
