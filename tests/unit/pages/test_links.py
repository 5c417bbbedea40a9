"""Links work from each route of the pay page and the desk; the desk's cookie is for its host."""

from dataclasses import replace
from typing import Any

import pytest

from orderdesk.web.http import Request, request_of
from orderdesk.web.pages.desk import gate
from orderdesk.web.pages.desk.gate import COOKIE, DESK
from orderdesk.web.pages.pay import routes
from orderdesk.web.pages.scene import Links
from tests.support.events import proxy_event

PAY = "/pay/{order_no}/{token}"
ORDER = "/trader/orders/{order_no}"
NAMES = {"order_no": "B1", "number": "1", "token": "a token/?"}
ROUTES = {
    "/trader": "trader/",
    "/trader/login": "",
    "/trader/orders": "",
    ORDER: "../",
    f"{ORDER}/confirm": "../../",
    f"{ORDER}/receipts/{{number}}": "../../../",
}


def request(route: str, lang: str | None = None, cookie: str | None = None) -> Request:
    headers = {} if cookie is None else {"Cookie": cookie}
    event = proxy_event("GET", route, path_parameters=NAMES, headers=headers)
    return request_of({**event, "queryStringParameters": None if lang is None else {"lang": lang}})


@pytest.mark.parametrize(("route", "root"), ROUTES.items())
@pytest.mark.parametrize(("lang", "kept"), [(None, ""), ("zh", "lang=zh"), ("xx", "")])
def test_the_desks_links(route: str, root: str, lang: str | None, kept: str) -> None:
    links = Links.of(request(route, lang), DESK)
    query, more = (f"?{kept}", f"&{kept}") if kept else ("", "")
    assert links.here("orders") == f"{root}orders"
    assert links.to("orders") == f"{root}orders{query}"
    assert links.to("balance", before="a#b") == f"{root}balance?before=a%23b{more}"
    assert links.picture("orders/B1/receipts", 2) == f"{root}orders/B1/receipts/2"
    assert links.picture("orders/B1/notes", 2, 3) == f"{root}orders/B1/notes/2?page=3"


@pytest.mark.parametrize(
    ("part", "lang", "own", "page", "paid"),
    [
        ("", None, "", "a%20token%2F%3F", "a%20token%2F%3F/paid"),
        ("", "zh", "", "a%20token%2F%3F?lang=zh", "a%20token%2F%3F/paid?lang=zh"),
        ("/paid", "xx", "../a%20token%2F%3F", "../a%20token%2F%3F", "paid"),
        ("/notes/{number}", None, "../../a%20token%2F%3F", "../../a%20token%2F%3F", "../paid"),
    ],
)
def test_the_pay_pages_links(part: str, lang: str | None, own: str, page: str, paid: str) -> None:
    scene = routes.SITE.scene(request(PAY + part, lang), 0)
    assert (scene.own_address, scene.links.to(), scene.links.to("paid")) == (own, page, paid)


@pytest.mark.parametrize(
    ("base", "route", "address", "page", "orders"),
    [
        (DESK, "/trader", "/trader/", "../trader", "orders"),
        (DESK, "/trader/orders", "/trader/orders/", "../../trader", "../orders"),
        (PAY, PAY, "/pay/B1/T/", "../a%20token%2F%3F", "orders"),
        (PAY, f"{PAY}/paid", "/pay/B1/T/paid/", "../../a%20token%2F%3F", "../orders"),
    ],
)
def test_links_lead_to_the_same_pages_if_the_address_ends_in_a_slash(
    base: str, route: str, address: str, page: str, orders: str
) -> None:
    event = proxy_event("GET", route, path_parameters=NAMES) | {"path": address}
    links = Links.of(request_of(event), base)
    assert (links.page, links.here("orders")) == (page, orders)


def test_a_link_does_not_repeat_a_token_that_is_longer_than_any_of_ours() -> None:
    cancel = request(f"{PAY}/cancel")
    tokens = ({"token": "\u0800" * count} for count in (100, 8_000))
    longest, longer = (Links.of(replace(cancel, path_parameters=token), PAY) for token in tokens)
    assert (longest.page, longer.page) == ("../" + "%E0%A0%80" * 100, "../")


@pytest.mark.parametrize(
    ("site", "route", "path"),
    [
        (gate.SITE, f"{ORDER}/proof", "/trader/orders/B1/proof?lang=en"),
        (routes.SITE, f"{PAY}/receipt", "/pay/B1/a%20token%2F%3F/receipt?lang=en"),
    ],
)
def test_the_return_address_for_the_bucket_is_absolute(site: Any, route: str, path: str) -> None:
    scene = site.scene(request(route, "en"), 0)
    assert scene.absolute("https://desk.example.com/", route) == f"https://desk.example.com{path}"
    assert scene.absolute("", route) == f"https://api.example.com/v1{path}"


@pytest.mark.parametrize(
    ("header", "token"),
    [
        (None, ""),
        ("", ""),
        ("__Host-trader=abc", "abc"),
        ("a=b;__Host-trader=abc; c=d", "abc"),
        ("trader=abc; x__Host-trader=abc", ""),
        ("__Host-trader", ""),
    ],
)
def test_the_token_is_read_from_its_own_cookie(header: str | None, token: str) -> None:
    assert COOKIE.read(request("/trader/orders", cookie=header)) == token


def test_a_cookie_is_kept_from_scripts_sites_and_plain_connections() -> None:
    rules = {"HttpOnly", "Secure", "SameSite=Strict", "Path=/"}
    value, age, *rest = COOKIE.written("abc").split("; ")
    assert (value, age, set(rest)) == ("__Host-trader=abc", "Max-Age=43200", rules)
    value, age, *rest = COOKIE.written("").split("; ")
    assert (value, age, set(rest)) == ("__Host-trader=", "Max-Age=0", rules)
