"""What every POST needs: our own origin, and a form that ours can send (contract section 8)."""

from collections.abc import Mapping

import pytest

from orderdesk.domain.orders.order import OrderStatus
from orderdesk.domain.pricing import OrderType
from orderdesk.domain.receipts.places import upload_key
from orderdesk.web.http import Request, request_of
from orderdesk.web.pages.desk.gate import SITE
from orderdesk.web.pages.frame import Page, back_page
from orderdesk.web.pages.scene import BadForm, NotSameOrigin, read_form, require_same_origin
from tests.support.events import proxy_event
from tests.support.orders import order_in

ORIGIN = "https://pay.example.com"
FORM = {"Content-Type": "application/x-www-form-urlencoded"}


def sent(headers: Mapping[str, str], body: bytes = b"") -> Request:
    return request_of(proxy_event("POST", "/pay", headers=headers, body=body))


@pytest.mark.parametrize(
    "headers",
    [
        {},
        {"Origin": "https://evil.example"},
        {"Origin": "null"},
        {"Origin": ""},
        {"Origin": "http://pay.example.com"},
        {"Origin": f"{ORIGIN}.evil.example"},
        {"Origin": ORIGIN, "Sec-Fetch-Site": "cross-site"},
        {"Origin": ORIGIN, "Sec-Fetch-Site": "same-site"},
        {"Sec-Fetch-Site": "none"},
        {"Sec-Fetch-Site": "same-origin", "Origin": "https://evil.example"},
        {"Referer": f"{ORIGIN}/"},
        {"Host": "a.example.com", "X-Forwarded-Proto": "https", "Origin": "http://a.example.com"},
    ],
)
def test_a_post_from_elsewhere_is_refused(headers: dict[str, str]) -> None:
    with pytest.raises(NotSameOrigin):
        require_same_origin(sent(headers), ORIGIN)


@pytest.mark.parametrize(
    "headers",
    [
        {"Sec-Fetch-Site": "same-origin", "Origin": ORIGIN},
        {"Origin": ORIGIN},
        {"Sec-Fetch-Site": "same-origin"},
        {"Sec-Fetch-Site": "same-origin", "Origin": "null"},
        {
            "Host": "abc.example.com",
            "X-Forwarded-Proto": "https",
            "Origin": "https://abc.example.com",
        },
        {"Host": "127.0.0.1:4566", "Origin": "http://127.0.0.1:4566"},
    ],
)
def test_a_post_from_the_page_itself_is_taken(headers: dict[str, str]) -> None:
    require_same_origin(sent(headers), ORIGIN)


@pytest.mark.parametrize(
    ("body", "headers"),
    [
        (b"mobile=" + b"a" * 8192, FORM),
        (b'{"mobile": "x"}', {"Content-Type": "application/json"}),
        (b"a=b", {}),
        (b"mobile=%FF%FE", FORM),
        (b"mobile=\xff", FORM),
        (b"mobile=1&mobile=2", FORM),
        (b"&".join([b"x=1"] * 17), FORM),
    ],
)
def test_a_body_that_is_no_form_is_refused(body: bytes, headers: dict[str, str]) -> None:
    with pytest.raises(BadForm):
        read_form(sent(headers, body), ("mobile",))


def test_an_absent_field_is_empty_and_others_are_left_out() -> None:
    assert read_form(sent(FORM, b"a=%20b&c=d"), ("a", "b")) == {"a": " b", "b": ""}


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
