"""The desk's links work from each of its routes; its cookie is for this host only."""

import pytest

from orderdesk.web.http import Request, request_of
from orderdesk.web.pages.desk.frame import (
    DESK,
    SITE,
    ended_cookie,
    session_cookie,
    session_token,
)
from orderdesk.web.pages.scene import Links
from tests.support.events import proxy_event

ROUTES = {
    "/trader": "trader/",
    "/trader/login": "",
    "/trader/orders": "",
    "/trader/orders/{order_no}": "../",
    "/trader/orders/{order_no}/confirm": "../../",
    "/trader/orders/{order_no}/receipts/{number}": "../../../",
}


def request(route: str, lang: str | None = None, cookie: str | None = None) -> Request:
    headers = {} if cookie is None else {"Cookie": cookie}
    event = proxy_event(
        "GET", route, path_parameters={"order_no": "B1", "number": "1"}, headers=headers
    )
    return request_of({**event, "queryStringParameters": None if lang is None else {"lang": lang}})


@pytest.mark.parametrize(("route", "root"), ROUTES.items())
@pytest.mark.parametrize(("lang", "kept"), [(None, ""), ("zh", "lang=zh"), ("xx", "")])
def test_links_work_from_every_route(route: str, root: str, lang: str | None, kept: str) -> None:
    links = Links.of(request(route, lang), DESK)
    query, more = (f"?{kept}", f"&{kept}") if kept else ("", "")
    assert links.here("orders") == f"{root}orders"
    assert links.to("orders") == f"{root}orders{query}"
    assert links.to("balance", before="a#b") == f"{root}balance?before=a%23b{more}"
    assert links.picture("orders/B1/receipts", 2) == f"{root}orders/B1/receipts/2"
    assert links.picture("orders/B1/notes", 2, 3) == f"{root}orders/B1/notes/2?page=3"


def test_the_return_address_for_the_bucket_is_absolute() -> None:
    route, path = "/trader/orders/{order_no}", "/trader/orders/B1/proof?lang=en"
    scene = SITE.scene(request(route, "en"), 0)
    base = "https://desk.example.com/"
    assert scene.absolute(base, f"{route}/proof") == f"https://desk.example.com{path}"
    assert scene.absolute("", f"{route}/proof") == f"https://api.example.com/v1{path}"


@pytest.mark.parametrize(
    ("header", "token"),
    [
        (None, None),
        ("", None),
        ("__Host-trader=abc", "abc"),
        ("a=b;__Host-trader=abc; c=d", "abc"),
        ("trader=abc; x__Host-trader=abc", None),
        ("__Host-trader", ""),
    ],
)
def test_the_token_is_read_from_its_own_cookie(header: str | None, token: str | None) -> None:
    assert session_token(request("/trader/orders", cookie=header)) == token


def test_a_cookie_is_kept_from_scripts_sites_and_plain_connections() -> None:
    rules = {"HttpOnly", "Secure", "SameSite=Strict", "Path=/"}
    value, age, *rest = session_cookie("abc").split("; ")
    assert (value, age, set(rest)) == ("__Host-trader=abc", "Max-Age=43200", rules)
    value, age, *rest = ended_cookie().split("; ")
    assert (value, age, set(rest)) == ("__Host-trader=", "Max-Age=0", rules)
