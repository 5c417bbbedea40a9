"""Every route of the portal: who may call it, and what it shows of another merchant."""

import time
from dataclasses import replace

import pytest

from orderdesk.domain.merchants.team import MemberRole
from orderdesk.services.attempt_limits import PORTAL_FILES
from orderdesk.web.pages.portal.frame import LOGOUT, GuestRoute, Route, ScriptRoute
from tests.support.portal import PortalVisit
from tests.support.visitors import OWN_PAGE
from tests.support.world import World, load_function, open_world

VALUES = {
    "token": "x",
    "order_no": "B202511210009876543210123",
    "number": "1",
    "webhook_id": "msg_B202511210009876543210123_2",
    "passkey_id": "x",
    "mode": "test",
    "request_no": "W1",
    "session_id": "x",
}
"""The values of paths' parameters; nothing has these numbers."""

with open_world():
    ROUTES = load_function("merchant_portal").ROUTES
MEMBERS = [route for route in ROUTES if isinstance(route, Route)]
GUESTS = [route for route in ROUTES if isinstance(route, GuestRoute)]
SCRIPTS = [route for route in ROUTES if isinstance(route, ScriptRoute)]


def name(route: Route | GuestRoute | ScriptRoute) -> str:
    return f"{route.method} {route.path}"


def below(route: Route | GuestRoute | ScriptRoute, visit: PortalVisit) -> str:
    """Return a route's path below /portal, with values; a member is the visit's own."""
    values = {**VALUES, "member_id": visit.member.member_id}
    return route.path.removeprefix("/portal").strip("/").format_map(values)


def test_no_two_routes_are_alike() -> None:
    assert len({name(route) for route in ROUTES}) == len(ROUTES)


@pytest.mark.parametrize("role", MemberRole)
def test_each_role_is_refused_what_is_not_its(world: World, role: MemberRole) -> None:
    visit = PortalVisit.of_new_member(world, role)
    for route in sorted(MEMBERS, key=lambda route: route.path == LOGOUT):
        answer = visit.send(route.method, below(route, visit), headers=OWN_PAGE)
        is_refused = answer["statusCode"] == 403 and "Your role may not" in answer["body"]
        assert is_refused is (role not in route.roles), name(route)


def test_everybody_reads_all_pages() -> None:
    pages = [r for r in MEMBERS if r.method == "GET" and not r.path.endswith(".csv")]
    assert all(route.roles == {*MemberRole} for route in pages)


def test_a_member_saves_few_files(world: World, monkeypatch: pytest.MonkeyPatch) -> None:
    """Each reads thousands of orders or postings."""
    visit = PortalVisit.of_new_member(world)
    colleague = PortalVisit.of_new_member(world, merchant=visit.merchant)
    now = time.time() // 600 * 600  # the beginning of a window
    monkeypatch.setattr(time, "time", lambda: now)
    files = [below(route, visit) for route in MEMBERS if route.path.endswith(".csv")]
    assert files == ["balance.csv", "orders.csv"]
    sent = [visit.get(files[n % 2])["statusCode"] for n in range(PORTAL_FILES.most + 1)]
    assert sent == [200] * PORTAL_FILES.most + [429]
    refused = visit.get("orders.csv")
    assert refused["headers"]["Retry-After"] == "600"
    assert "Too many attempts" in refused["body"]
    assert visit.get("orders")["statusCode"] == 200
    assert colleague.get("orders.csv")["statusCode"] == 200


def test_without_a_session_each_page_is_the_login(world: World) -> None:
    visit = replace(PortalVisit.of_new_member(world), cookie="")
    for route in MEMBERS:
        answer = visit.send(route.method, below(route, visit), headers=OWN_PAGE)
        assert answer["statusCode"] == 303, name(route)
        assert answer["headers"]["Location"].rpartition("/")[2] == "login", name(route)


def test_a_change_of_keys_members_or_addresses_needs_a_fresh_passkey(world: World) -> None:
    """Without it a stolen cookie changes nothing."""
    visit = PortalVisit.of_new_member(world)
    for route in MEMBERS:
        if route.fresh:
            answer = visit.send(route.method, below(route, visit), headers=OWN_PAGE)
            assert answer["statusCode"] == 403, name(route)
            assert "passkey was not accepted" in answer["body"], name(route)
