"""Operators' order lists and `order find`: what they find, and how many requests they send.

A request reads 7 KB here, not 1 MB, so that two hundred orders are many pages. The world serves the
whole file, so a test with a world of its own is refused here.
"""

from collections.abc import Iterator
from dataclasses import replace
from types import SimpleNamespace
from typing import Any
from unittest.mock import patch

import pytest

from orderdesk.adapters.dynamodb.client import dynamodb_client
from orderdesk.adapters.dynamodb.operator.orders import OperatorOrders
from orderdesk.adapters.dynamodb.operator.parties import OperatorMerchants, OperatorTraders
from orderdesk.adapters.dynamodb.orders.items import order_item
from orderdesk.domain.ids import numbered, time_ordered_id
from orderdesk.domain.orders.order import Order, OrderStatus
from orderdesk.domain.pricing import Mode, OrderType
from orderdesk.services.operator.find_orders import find_orders
from orderdesk.services.operator.orders import OperatorSearch, number_of, order_page
from tests.support.engine import PAGE_BYTES
from tests.support.faults import requests_of
from tests.support.orders import order_in
from tests.support.seed import with_changes
from tests.support.world import World

NOW = 1_900_000_000
MONTH = 30 * 86_400
YEAR = 12 * MONTH
MERCHANTS, ORDERS, YEARS = 500, 200, 5
REQUESTS_MAX = 20


@pytest.fixture(scope="module")
def old_world(shared_world: World) -> World:
    """Return a stack of 500 merchants with orders of five years; one in 20 is disputed."""
    for merchant in range(MERCHANTS):
        shared_world.add_merchant(name=f"shop {merchant}")
    for number, order in enumerate(orders_of_years()):
        shared_world.put("Orders", order_item(order))
        assert order.merchant_id == f"m{number % MERCHANTS}"
    return shared_world


def orders_of_years() -> Iterator[Order]:
    for number in range(ORDERS):
        created = NOW - number * YEARS * YEAR // ORDERS
        status = OrderStatus.DISPUTED if number % 20 == 0 else OrderStatus.COMPLETED
        order_id = time_ordered_id(created * 1000, number * 37 % 8192)
        made = order_in(OrderType.BUY, status, since=created, cny_fen=100_00 + number)
        yield with_changes(
            made,
            order_id=order_id,
            order_no=numbered("B", order_id, created),
            merchant_id=f"m{number % MERCHANTS}",
            trader_id=f"t{number % 3}",
            mode=Mode.TEST if number % 4 == 0 else Mode.LIVE,
            remark=f"for table {number}",
        )


@pytest.fixture(scope="module")
def client(old_world: World) -> Any:
    assert old_world
    from botocore.session import Session  # noqa: PLC0415 inside moto

    return dynamodb_client(Session())


def ports_on(client: Any, world: World) -> Any:
    listing = OperatorOrders(client, "Orders")
    merchants, traders = (
        OperatorMerchants(client, world.tables),
        OperatorTraders(client, world.tables),
    )
    return SimpleNamespace(order_listing=listing, merchants=merchants, traders=traders)


@pytest.mark.parametrize(
    "wanted",
    [
        OperatorSearch(),
        OperatorSearch(mode=Mode.TEST),
        OperatorSearch(status=OrderStatus.DISPUTED),
        OperatorSearch(status=OrderStatus.DISPUTED, mode=Mode.LIVE),
        OperatorSearch(status=OrderStatus.MATCHING),
        OperatorSearch(status=OrderStatus.EXPIRED),
        OperatorSearch(status=OrderStatus.PENDING, order_type=OrderType.SELL),
        OperatorSearch(min_cny_fen=100_07, max_cny_fen=100_07),
        OperatorSearch(min_cny_fen=101_00),
        OperatorSearch(remark="TABLE 19"),
        OperatorSearch(merchant_id="m7"),
        OperatorSearch(trader_id="t1", status=OrderStatus.COMPLETED),
        OperatorSearch(trader_id="t1", merchant_id="m1", mode=Mode.LIVE),
        OperatorSearch(since=NOW - 20 * MONTH, until=NOW - 10 * MONTH),
    ],
    ids=str,
)
def test_a_page_costs_few_requests_at_any_age(client: Any, wanted: OperatorSearch) -> None:
    listing = OperatorOrders(client, "Orders")
    first, last = wanted.span()
    expected = [
        order.order_no
        for order in orders_of_years()
        if first <= order.order_id <= last and wanted.passes(order, NOW)
    ]
    found: list[str] = []
    asked: OperatorSearch | None = wanted
    with patch(PAGE_BYTES, 7_000):
        while asked is not None:
            with requests_of(client) as requests:
                page = order_page(listing, asked, NOW, size=100)
            assert len(requests) <= REQUESTS_MAX
            found += [order.order_no for order in page.items]
            asked = None if page.following is None else replace(asked, before_id=page.following)
    assert found == expected


def test_disputes_are_queued_without_their_merchants_and_traders(client: Any) -> None:
    wanted = OperatorSearch(status=OrderStatus.DISPUTED)
    with requests_of(client) as requests:
        page = order_page(OperatorOrders(client, "Orders"), wanted, NOW, size=100)
    assert len(page.items) == ORDERS / 20
    assert requests == ["Query", "Query", "BatchGetItem"]


@pytest.mark.parametrize(
    ("text", "count"),
    [
        ("100.07", 1),
        ("¥100.07", 1),
        ("for table 77", 1),
        ("table 19", 11),
        ("shop 499", 0),
        ("nothing at all", 0),
        ("123456", 0),
    ],
)
def test_finding_costs_few_requests_among_500_merchants(
    old_world: World, client: Any, text: str, count: int
) -> None:
    found: list[str] = []
    before_id: int | None = None
    with patch(PAGE_BYTES, 7_000):
        while True:
            with requests_of(client) as requests:
                page = find_orders(
                    ports_on(client, old_world), text, NOW, size=50, before_id=before_id
                )
            reads = [name for name in requests if name != "Scan"]  # a page of Scan has 1 MB
            assert len(reads) + 2 * ("Scan" in requests) <= REQUESTS_MAX
            found += [number_of(subject) for subject in page.items]
            if page.following is None:
                break
            before_id = page.following
    assert len(found) == len(set(found)) == count
