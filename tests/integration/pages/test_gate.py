"""The gate, in a table over all routes of all four surfaces (contract section 8).

It checks link or session, origin and limit before a route runs, so no page shows this again.
"""

import json
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from typing import Any, ClassVar
from urllib.parse import parse_qsl, urljoin, urlsplit

import pytest

from orderdesk.services.attempt_limits import (
    DESK_POSTS,
    LINK_POSTS,
    PORTAL_POSTS,
    WRONG_LINKS,
    Limit,
)
from orderdesk.web.pages.routing import Open, Route
from tests.integration.pages.identity.customer import ROUTE, customer_of
from tests.support.faults import registered
from tests.support.payer import PAGE, Payer
from tests.support.portal import PortalVisit
from tests.support.trader import ORDER, TraderVisit
from tests.support.visitors import OWN_PAGE, Answer, Browser, without_chance
from tests.support.world import World, load_function, open_world

FUNCTIONS = ("pay_page", "identity_page", "trader_desk", "merchant_portal")
with open_world():
    ROUTES = {each: [*load_function(each).ROUTES.values()] for each in FUNCTIONS}
FOREIGN: list[dict[str, str]] = [
    {},
    {"Origin": "null"},
    {"Sec-Fetch-Site": "cross-site"},
    {"Sec-Fetch-Site": "same-origin", "Origin": "https://evil.example"},
]
"""How the request of another site looks; tests/unit/pages/test_forms.py has every combination."""
ANY = {
    "order_no": "B202511210009876543210123",
    "number": "1",
    "method_type": "bank",
    "mode": "test",
}


class Customer(Browser):
    """The browser of a draft's customer."""

    function: ClassVar[str] = "identity_page"


@dataclass(frozen=True, slots=True)
class Surface:
    """A surface: a browser that its gate admits, and the values of its paths' parameters.

    `page` and `post` are one route of each kind; `limit` is that of the POSTs.
    """

    browser: Browser
    values: Mapping[str, str]
    page: str
    post: str
    limit: Limit

    @property
    def routes(self) -> list[Route[Any] | Open[Any]]:
        return ROUTES[self.browser.function]

    @property
    def posts(self) -> list[Route[Any] | Open[Any]]:
        return [route for route in self.routes if route.method == "POST"]

    def route(self, method: str, path: str) -> Route[Any]:
        return next(each for each in self.closed if (each.method, each.path) == (method, path))

    @property
    def closed(self) -> list[Route[Any]]:
        return [route for route in self.routes if isinstance(route, Route)]

    def send(
        self,
        route: Route[Any] | Open[Any],
        headers: Mapping[str, str] = OWN_PAGE,
        browser: Browser | None = None,
        changed: Mapping[str, str] | None = None,
    ) -> Answer:
        known = {**dict.fromkeys(_names(route), "x"), **ANY, **self.values, **(changed or {})}
        names = {name: known[name] for name in _names(route)}
        by = browser or self.browser
        return by.sent(route.method, route.path, names, query=None, headers=headers, body=b"")


def _names(route: Route[Any] | Open[Any]) -> list[str]:
    return [part[1:-1] for part in route.path.split("/") if part.startswith("{")]


def pay(world: World) -> Surface:
    payer = Payer.of_new_order(world)
    return Surface(
        payer, {"order_no": payer.order_no, "token": payer.token}, PAGE, f"{PAGE}/paid", LINK_POSTS
    )


def identity(world: World) -> Surface:
    customer = customer_of(world)
    values = {"pending_no": customer.pending_no, "token": customer.token}
    return Surface(Customer(world), values, ROUTE, ROUTE, LINK_POSTS)


def desk(world: World) -> Surface:
    trader = TraderVisit.of_new_trader(world)
    return Surface(
        trader,
        {"order_no": trader.buy().order_no},
        "/trader/orders",
        f"{ORDER}/confirm",
        DESK_POSTS,
    )


def portal(world: World) -> Surface:
    visit = PortalVisit.of_new_member(world)
    return Surface(
        visit,
        {"member_id": visit.member.member_id},
        "/portal",
        "/portal/callbacks/test",
        PORTAL_POSTS,
    )


@pytest.fixture(params=[pay, identity, desk, portal])
def surface(world: World, request: pytest.FixtureRequest) -> Surface:
    arranged: Callable[[World], Surface] = request.param
    return arranged(world)


@pytest.fixture(params=[pay, identity])
def linked(world: World, request: pytest.FixtureRequest) -> Surface:
    """A surface that a link opens."""
    arranged: Callable[[World], Surface] = request.param
    return arranged(world)


def stored(world: World) -> list[list[str]]:
    names = ("Merchants", "Traders", "Orders", "Ledger", "Callbacks", "Audit")
    return [sorted(map(str, world.items(name))) for name in names]


def test_no_other_site_sends_a_form(world: World, surface: Surface) -> None:
    before = stored(world)
    for route in surface.posts:
        for headers in FOREIGN:
            answer = surface.send(route, headers)
            assert answer["statusCode"] == 403, route.path
            told = '"not_same_origin"' if route.is_data else "This did not come from our page"
            assert told in answer["body"], route.path
            assert "Set-Cookie" not in answer["headers"]
    assert stored(world) == before
    assert world.renderings == []
    assert surface.send(surface.route("GET", surface.page), {})["statusCode"] == 200, (
        "the session goes on"
    )


def test_every_wrong_link_is_the_same_404(world: World, linked: Surface) -> None:
    before = stored(world)
    number = next(iter(linked.values))
    wrong: list[dict[str, str]] = [
        {"token": "x" * 43},
        {number: linked.values[number][0] + "0" * 24},
        {number: "-", "token": "-"},
    ]
    for route in linked.closed:
        answers = [linked.send(route, changed=each) for each in wrong]
        assert {answer["statusCode"] for answer in answers} == {404}, route.path
        if route.path.endswith(("{token}", "/status")):  # others link to the opened address
            assert len({without_chance(answer) for answer in answers}) == 1
    assert stored(world) == before


@pytest.mark.parametrize("arranged", [desk, portal])
def test_without_a_session_every_page_is_the_login(
    world: World, arranged: Callable[[World], Surface]
) -> None:
    surface = arranged(world)
    before, cookie = stored(world), surface.browser.cookie
    cut = cookie.rpartition(".")[0] + "."
    for route in surface.closed:
        wrong = [replace(surface.browser, cookie=each) for each in ("", "guessed", cut)]
        answers = [surface.send(route, browser=each) for each in wrong]
        assert len({without_chance(answer) for answer in answers}) == 1, route.path
        if route.is_data and arranged is desk:
            assert answers[0]["statusCode"] == 401
            assert json.loads(answers[0]["body"]) == {"reason": "not_logged_in"}
        else:
            assert answers[0]["statusCode"] == 303, route.path
            address = answers[0]["headers"]["Location"].partition("?")[0]
            assert address.rpartition("/")[2] == "login", route.path
    assert stored(world) == before


def led_back(surface: Surface, back: str) -> str:
    """Return the path and query, below the surface's own, that its login leads back to."""
    base = "/".join(surface.page.split("/")[:2])
    asked: Any = {"query": {"back": back}, "headers": {}, "body": b""}
    answer = surface.browser.sent("GET", f"{base}/login", {}, **asked)
    there = urljoin(f"{base}/login", answer["headers"]["Location"])
    assert there.startswith(base), there
    return str(there).removeprefix(base).removeprefix("/")


@pytest.mark.parametrize("arranged", [desk, portal])
def test_a_login_leads_back_to_the_page_that_was_asked_for(
    world: World, arranged: Callable[[World], Surface]
) -> None:
    """Every page comes back with its query; a form comes back to the page that it is on."""
    surface = arranged(world)
    home = led_back(surface, "")
    asked: Any = {"query": {"path": "a&b=c", "only": "", "lang": "zh"}, "body": b""}
    pages = {route.path for route in surface.closed if route.method == "GET" and not route.is_data}
    for route in surface.closed:
        if route.is_data:
            continue
        values = {**dict.fromkeys(_names(route), "x"), **ANY, **surface.values}
        nearest = route.path
        while nearest.count("/") > 1 and nearest not in pages:
            nearest = nearest.rpartition("/")[0]
        page = nearest.format_map(values).partition("/")[2].partition("/")[2]
        guest = replace(surface.browser, cookie="")
        answer = guest.sent(route.method, route.path, values, headers=OWN_PAGE, **asked)
        told = dict(parse_qsl(urlsplit(answer["headers"]["Location"]).query))
        assert ("lost" in told) == (route.method == "POST" and not route.harmless), route.path
        if page in {"", "logout"} or (page == home and route.method == "POST"):
            assert "back" not in told, route.path
        else:
            kept = "?path=a%26b%3Dc&only=" if route.method == "GET" else ""
            assert told["back"] == f"{page}{kept}"
            assert led_back(surface, told["back"]) == f"{page}{kept}"


@pytest.mark.parametrize("arranged", [desk, portal])
def test_a_login_leads_nowhere_else(world: World, arranged: Callable[[World], Surface]) -> None:
    surface = arranged(world)
    home = led_back(surface, "")
    for back in (
        *("https://evil.example/", "//evil.example", "/", "//", "/settings/", "///evil.example"),
        *("\\\\evil.example", "/\\evil.example", "settings\\..", "%2f%2fevil.example"),
        *("..", "../x", "orders/..", "orders/../..", "orders/../receipts/1", "./settings"),
        *("orders/%2e%2e", "javascript:alert(1)", "settings\r\nSet-Cookie: a=b", "settings\n"),
        *("login", "login?back=settings", "logout", "challenge", "login/challenge", "invite/x"),
        *("status", "push", "nothing", "orders/x/y/z", "?a=b", f"orders?a={'b' * 512}", "%00"),
    ):
        assert led_back(surface, back) == home, back
    assert led_back(surface, "settings/") == "settings"
    assert led_back(surface, "settings?a=\r\nSet-Cookie: b") == ("settings?a=%0D%0ASet-Cookie%3A+b")


def counted(world: World, limit: Limit) -> list[Any]:
    """Return the rows of a limit's attempts."""
    return [row for row in world.items("Guards") if f"#{limit.kind}#" in str(row["pk"])]


def use_up(world: World, limit: Limit) -> None:
    """Count as many attempts as a limit allows."""
    [row] = counted(world, limit)
    assert row["attempts"] == 1
    world.put("Guards", {**row, "attempts": limit.most})


def test_the_posts_of_a_reader_are_limited(
    world: World, surface: Surface, monkeypatch: pytest.MonkeyPatch, standing_clock: float
) -> None:
    page, route = surface.route("GET", surface.page), surface.route("POST", surface.post)
    assert surface.send(route)["statusCode"] not in {403, 429}
    use_up(world, surface.limit)
    refused = surface.send(route)
    assert (refused["statusCode"], refused["headers"]["Retry-After"]) == (429, "600")
    assert "Too many attempts" in refused["body"]
    assert surface.send(page)["statusCode"] == 200, "reading goes on"
    monkeypatch.setattr(time, "time", lambda: standing_clock + 600)
    assert surface.send(route)["statusCode"] not in {403, 429}


def test_an_address_that_guesses_has_to_wait(
    world: World, linked: Surface, request: pytest.FixtureRequest
) -> None:
    request.getfixturevalue("standing_clock")  # after the link exists
    page, guess = linked.route("GET", linked.page), {"token": "x" * 43}
    assert linked.send(page, changed=guess)["statusCode"] == 404
    use_up(world, WRONG_LINKS)
    refused = linked.send(page, changed=guess)
    assert (refused["statusCode"], refused["headers"]["Retry-After"]) == (429, "600")
    assert linked.send(page)["statusCode"] == 200, "the right link opens"
    elsewhere = replace(linked.browser, source_ip="203.0.113.10")
    assert linked.send(page, browser=elsewhere, changed=guess)["statusCode"] == 404


def test_a_busy_table_is_named_and_asked_again(world: World, surface: Surface) -> None:
    page = surface.route("GET", surface.page)
    surface.send(page)  # loads the function
    client = world.modules[surface.browser.function].dynamodb

    def throttle(**_: Any) -> None:
        code = {"Error": {"Code": "ThrottlingException"}}
        raise client.exceptions.ProvisionedThroughputExceededException(code, "GetItem")

    with registered(client, "before-call.dynamodb", throttle):
        for route in surface.closed:
            answer = surface.send(route)
            assert (answer["statusCode"], answer["headers"]["Retry-After"]) == (503, "1")
            if route.is_data:
                assert json.loads(answer["body"]) == {"reason": "try_again"}
            elif route is page:
                assert "Very busy right now" in answer["body"]
                is_portal = surface.browser.function == "merchant_portal"
                assert ("Reload this page" in answer["body"]) is not is_portal
            elif route == surface.route("POST", surface.post) and surface.post != surface.page:
                assert 'href="../' in answer["body"], "a way back"


def test_another_traders_order_is_the_same_404_as_none(world: World) -> None:
    sell = TraderVisit.of_new_trader(world).sell().order_no
    other = TraderVisit.of_new_trader(world)
    surface = replace(desk(world), browser=other)
    before = stored(world)
    wrong = (sell, "B" + "0" * 24, "D" + sell[1:], "-")
    for route in surface.closed:
        if "order_no" in _names(route):
            answers = [surface.send(route, changed={"order_no": number}) for number in wrong]
            assert {answer["statusCode"] for answer in answers} == {404}, route.path
    assert stored(world) == before
