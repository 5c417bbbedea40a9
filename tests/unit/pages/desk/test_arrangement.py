"""The table of open orders is sorted and filtered by the address."""

from dataclasses import replace

import pytest

from orderdesk.domain.orders.desk_lists import DeskList
from orderdesk.domain.orders.order import Order, OrderStatus
from orderdesk.domain.pricing import OrderType
from orderdesk.services.traders.desk import TOP, DeskPlace, OpenPage
from orderdesk.web.http import request_of
from orderdesk.web.pages.desk.frame import DeskScene
from orderdesk.web.pages.desk.orders import Arrangement, Sort, arrangement_of, orders_page
from orderdesk.web.pages.desk.texts import DeskTexts
from orderdesk.web.pages.page import Page
from orderdesk.web.pages.texts import Language
from tests.support.events import proxy_event
from tests.support.orders import desk_order, numbered
from tests.support.seen_desk import see
from tests.support.seen_page import Seen

NOW = 1_763_700_000
BUY, SELL = OrderType.BUY, OrderType.SELL
PENDING = numbered(desk_order(BUY, OrderStatus.PENDING, NOW - 60, fen=500_00), 1)
PAID = numbered(desk_order(BUY, OrderStatus.PAID, NOW - 30, fen=70_00), 2)
ASSIGNED = numbered(desk_order(SELL, OrderStatus.ASSIGNED, NOW, fen=3_000_00), 3)
ALL = (PENDING, PAID, ASSIGNED)


def show(
    arrangement: Arrangement, orders: tuple[Order, ...] = ALL, found: OpenPage | None = None
) -> Seen:
    page = found or OpenPage(orders, TOP, None, len(orders))

    def render(scene: DeskScene) -> Page:
        query = {**scene.request.query, **arrangement.query}
        return orders_page(replace(scene, request=replace(scene.request, query=query)), page)

    return see("/trader/orders", render)


@pytest.mark.parametrize(
    ("sort", "wanted"),
    [
        (Sort.URGENT, (PAID, ASSIGNED, PENDING)),
        (Sort.OLDEST, (PENDING, PAID, ASSIGNED)),
        (Sort.NEWEST, (ASSIGNED, PAID, PENDING)),
        (Sort.SMALLEST, (PAID, PENDING, ASSIGNED)),
        (Sort.LARGEST, (ASSIGNED, PENDING, PAID)),
    ],
)
def test_rows_come_in_the_order_that_was_asked_for(sort: Sort, wanted: tuple[Order, ...]) -> None:
    html = show(Arrangement(sort)).html.partition("</style>")[2]
    places = [html.index(f'href="orders/{order.order_no}') for order in wanted]
    assert places == sorted(places)
    assert html.count("aria-sort=") == 1


def test_a_heads_link_turns_its_order_around() -> None:
    html = show(Arrangement(Sort.LARGEST)).html
    assert 'aria-sort="descending"><a id="by-amount" href="orders?sort=amount&amp;lang=en"' in html
    assert 'href="orders?sort=-time&amp;lang=en"' in html
    assert (
        'aria-sort="ascending"><a id="by-amount" href="orders?sort=-amount'
        in show(Arrangement(Sort.SMALLEST)).html
    )


def test_one_state_is_shown_and_the_others_are_counted() -> None:
    page = show(Arrangement(Sort.LARGEST, OrderStatus.PAID))
    assert PAID.order_no in page.html
    assert ASSIGNED.order_no not in page.html
    assert "<title>(3) Orders" in page.html
    assert "All 3" in page.text
    assert f"{DeskTexts(Language.EN).statuses[OrderStatus.ASSIGNED]} 1" in page.text
    assert 'href="orders?sort=-amount&amp;lang=zh"' not in page.html
    assert 'href="orders?sort=-amount&amp;status=paid&amp;lang=zh"' in page.html
    assert 'data-page="orders?sort=-amount&amp;status=paid&amp;lang=en"' in page.html


def test_a_state_that_no_order_is_in_any_more_says_so() -> None:
    page = show(Arrangement(status=OrderStatus.DISPUTED))
    assert DeskTexts(Language.EN).lists.none_filtered in page.text
    assert "All 3" in page.text


def test_the_next_page_of_a_crowd_is_arranged_the_same_way() -> None:
    further = DeskPlace(DeskList.CUSTOMER, 7)
    found = OpenPage(ALL, TOP, further, 300)
    html = show(Arrangement(Sort.LARGEST), found=found).html
    assert 'href="orders?after=open-7&amp;sort=-amount&amp;lang=en" rel="next"' in html


@pytest.mark.parametrize(
    ("query", "wanted"),
    [
        ({}, Arrangement()),
        ({"sort": "-amount", "status": "paid"}, Arrangement(Sort.LARGEST, OrderStatus.PAID)),
        ({"sort": "price", "status": "completed"}, Arrangement()),
        ({"sort": "", "status": "PAID"}, Arrangement()),
    ],
)
def test_the_address_names_the_arrangement(query: dict[str, str], wanted: Arrangement) -> None:
    event = {**proxy_event("GET", "/trader/orders"), "queryStringParameters": query or None}
    assert arrangement_of(request_of(event)) == wanted


def test_what_looks_alike_is_marked_on_both_also_if_one_is_filtered_out() -> None:
    twin = numbered(desk_order(BUY, OrderStatus.PENDING, NOW, fen=70_00), 4)
    mark = DeskTexts(Language.EN).lists.alike
    assert show(Arrangement(), (PENDING, PAID, twin)).text.count(mark) == 2
    assert show(Arrangement(status=OrderStatus.PAID), (PAID, twin)).text.count(mark) == 1
    assert mark not in show(Arrangement()).text
