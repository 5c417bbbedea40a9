"""The portal's orders: found, saved, shown and moved."""

import csv
import io
import time

import pytest

from orderdesk.domain.merchants.team import MemberRole
from tests.support.merchant_client import MerchantClient, buy, sell
from tests.support.portal import PortalVisit
from tests.support.world import World


@pytest.fixture
def shop(world: World) -> tuple[PortalVisit, MerchantClient]:
    """Return an admin of a funded merchant, and the merchant's client."""
    merchant, client = world.add_merchant()
    world.fund(merchant, 10**12)
    world.only_trader()
    return PortalVisit.of_new_member(world, merchant=merchant), client


type Shop = tuple[PortalVisit, MerchantClient]


def numbers_on(page: str, made: dict[str, str]) -> set[str]:
    """Return the names of the orders that a page shows."""
    return {name for name, order_no in made.items() if order_no in page}


def test_orders_are_found_by_filters_numbers_and_endings(shop: Shop) -> None:
    visit, client = shop
    made = {
        "small": client.create(buy(cny_amount="100.37", merchant_order_no="A-1001")).data,
        "large": client.create(buy(cny_amount="2000.00", merchant_order_no="A-2002")).data,
        "sell": client.create(sell(merchant_order_no="S-3")).data,
    }
    numbers = {name: data["order_no"] for name, data in made.items()}
    day = time.strftime("%Y-%m-%d", time.gmtime(time.time() + 8 * 3600))
    for query, wanted in (
        ({}, {*numbers}),
        ({"type": "sell"}, {"sell"}),
        ({"status": "pending"}, {"small", "large"}),
        ({"min": "100.38"}, {"large", "sell"}),
        ({"min": "100.37", "max": "100.37"}, {"small"}),
        ({"q": numbers["large"]}, {"large"}),
        ({"q": "a-1001"}, {"small"}),
        ({"q": numbers["sell"][-6:]}, {"sell"}),
        ({"q": "002"}, {"large"}),
        ({"mode": "test"}, set()),
        ({"since": day, "until": day}, {*numbers}),
        ({"until": "2020-01-01"}, set()),
    ):
        answer = visit.get("orders", **query)
        assert answer["statusCode"] == 200
        assert numbers_on(answer["body"], numbers) == wanted, query
        saved = visit.get("orders.csv", **query)
        assert numbers_on(saved["body"], numbers) == wanted, query


@pytest.mark.parametrize(
    "query", [{"min": "1.234"}, {"status": "x"}, {"since": "y"}, {"type": "3"}]
)
def test_an_unfit_filter_finds_nothing_and_says_so(shop: Shop, query: dict[str, str]) -> None:
    answer = shop[0].get("orders", **query)
    assert answer["statusCode"] == 200
    assert "A field is not readable" in answer["body"]


def test_a_file_has_no_formula(shop: Shop) -> None:
    visit, client = shop
    client.create(buy(merchant_order_no="=1+1"))
    answer = visit.get("orders.csv")
    assert answer["headers"]["Content-Disposition"] == 'attachment; filename="orders.csv"'
    [head, row] = csv.reader(io.StringIO(answer["body"].removeprefix("\ufeff")))
    assert dict(zip(head, row, strict=True))["merchant_order_no"] == "'=1+1"


def test_a_list_is_paged(shop: Shop) -> None:
    visit, client = shop
    for _ in range(21):
        client.create(sell())
    page = visit.get("orders")["body"]
    assert page.count('class="code">S') == 20
    assert "before=" in page


def test_an_order_is_shown_whole_and_cancelled(shop: Shop) -> None:
    visit, client = shop
    order_no = client.create(sell()).data["order_no"]
    shown = visit.get(f"orders/{order_no}")
    assert shown["statusCode"] == 200
    assert "orders/" + order_no + "/cancel" in shown["body"]
    for role, status in ((MemberRole.VIEWER, 403), (MemberRole.FINANCE, 303)):
        other = PortalVisit.of_new_member(visit.seed, role, visit.merchant)
        assert other.post(f"orders/{order_no}/cancel")["statusCode"] == status
    assert client.query(order_no=order_no).data["status"] == "cancelled"
    assert visit.post(f"orders/{order_no}/dispute")["statusCode"] == 409


def test_another_merchants_order_is_not_found(shop: Shop, world: World) -> None:
    _, client = shop
    order_no = client.create(sell(merchant_order_no="theirs")).data["order_no"]
    other = PortalVisit.of_new_member(world)
    assert other.get(f"orders/{order_no}")["statusCode"] == 404
    for what in ("cancel", "dispute"):
        assert other.post(f"orders/{order_no}/{what}")["statusCode"] == 404
    for text in (order_no, "theirs"):
        assert f"orders/{order_no}" not in other.get("orders", q=text)["body"]
        assert order_no not in other.get("orders.csv", q=text)["body"].replace(f"q={text}", "")
    assert client.query(order_no=order_no).data["status"] == "matching"
