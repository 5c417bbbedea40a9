"""The return from an upload: the page repeats a key only if it can be one of ours."""

import pytest

from orderdesk.domain.orders.order import OrderStatus
from orderdesk.domain.pricing import OrderType
from orderdesk.domain.receipts.places import upload_key
from orderdesk.web.http import request_of
from orderdesk.web.pages.desk.gate import SITE
from orderdesk.web.pages.frame import Page, back_page
from tests.support.events import proxy_event
from tests.support.orders import order_in

ROUTE = "/trader/orders/{order_no}/proof"


def page_of(key: str) -> Page | None:
    event = proxy_event("GET", ROUTE, path_parameters={"order_no": "-"})
    request = request_of({**event, "queryStringParameters": {"key": key}})
    return back_page(SITE.scene(request, 0))


@pytest.mark.parametrize(
    "key", ["", "'" * 9_000, "a" * 129, "\ud800", "汉", "a b", "\r\n", "a\n", "<script>", "a?b=c"]
)
def test_what_is_no_key_of_ours_is_not_shown_back(key: str) -> None:
    assert page_of(key) is None


@pytest.mark.parametrize("trader_id", [None, "t0123456789ab"])
def test_a_key_of_ours_is(trader_id: str | None) -> None:
    order = order_in(OrderType.SELL, OrderStatus.ASSIGNED, since=1_763_700_000)
    assert page_of(upload_key(order, trader_id)) is not None
