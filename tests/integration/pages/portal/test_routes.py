"""Every route of the portal: who may call it, and what it shows of another merchant."""

import re
from collections.abc import Mapping, Sequence
from dataclasses import replace
from html import unescape
from typing import Any
from urllib.parse import urlencode, urljoin, urlsplit

import pytest

from orderdesk.domain.callbacks.endpoints import Endpoint, EndpointId
from orderdesk.domain.merchants.merchant import Merchant, MerchantStatus
from orderdesk.domain.merchants.team import MemberRole
from orderdesk.domain.pricing import Mode
from orderdesk.services.attempt_limits import PORTAL_FILES
from orderdesk.web.pages.portal.gate import LOGOUT
from orderdesk.web.pages.routing import Open, Route
from tests.support import receipt_samples as samples
from tests.support.deliveries import keep_delivery
from tests.support.merchant_client import MerchantClient, buy, sell
from tests.support.payer import Payer
from tests.support.portal import Authenticator, PortalVisit, invite
from tests.support.requesting import Person
from tests.support.trader import ORDER, TraderVisit
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
    ROUTES = [*load_function("merchant_portal").ROUTES.values()]
MEMBERS = [route for route in ROUTES if isinstance(route, Route)]
SENT = {r.path: re.sub("{.*?}", "[^/]+", r.path) for r in MEMBERS if r.method == "POST"}
SECTIONS = ["", "callbacks", "developers", "developers/explorer", "balance", "team", "settings"]


def name(route: Route[Any] | Open[Any]) -> str:
    return f"{route.method} {route.path}"


def flat(terms: Mapping[str, Any]) -> list[str]:
    return [text for each in terms.values() for text in ([each] if isinstance(each, str) else each)]


def below(route: Route[Any] | Open[Any], visit: PortalVisit) -> str:
    """Return a route's path below /portal, with values; a member is the visit's own."""
    values = {**VALUES, "member_id": visit.member.member_id}
    return route.path.removeprefix("/portal").strip("/").format_map(values)


@pytest.mark.parametrize("role", MemberRole)
def test_each_role_is_refused_what_is_not_its(world: World, role: MemberRole) -> None:
    visit = PortalVisit.of_new_member(world, role)
    for route in sorted(MEMBERS, key=lambda route: route.path == LOGOUT):
        answer = visit.send(route.method, below(route, visit), headers=OWN_PAGE)
        is_refused = answer["statusCode"] == 403 and "Your role may not" in answer["body"]
        assert is_refused is (route.by is not None and role not in route.by), name(route)


OWN = {
    "display_name": "晨光商城",
    "support": "help@theirs.example",
    "callback_url": "https://theirs.example/hook",
    "allowed_cidrs": ("198.51.100.0/24",),
}
"""Terms of a merchant that its members see, and members of another one do not."""


def forms_of(visit: PortalVisit, pages: Sequence[str]) -> set[str]:
    """Return the routes of the forms on some pages that can be sent and change something."""
    found = set[str]()
    for page in pages:
        answer = visit.get(page)
        assert answer["statusCode"] == 200, page
        for action, rest in re.findall(
            r'<form[^>]*action="([^"]*)" method="post"(.*?)</form>', answer["body"], re.DOTALL
        ):
            path = urlsplit(urljoin(f"https://x/portal/{page}".rstrip("/"), action)).path
            if "<button" in rest and path.startswith("/portal/"):
                found |= {route for route in SENT if re.fullmatch(SENT[route], path)} or {path}
    return found


def test_a_form_is_offered_to_those_who_may_send_it(world: World) -> None:
    merchant, client = world.add_merchant(**OWN)
    merchant, _ = world.add_test_key(merchant)
    owner = PortalVisit.of_new_member(world, merchant=merchant)
    theirs = theirs_of(world, owner, client)
    invite(world, merchant, MemberRole.VIEWER)
    paused = Endpoint(EndpointId(merchant.merchant_id, Mode.LIVE, "https://paused.example"))
    world.endpoints.save(replace(paused, version=1, since_ms=1, probe_ms=1))
    waiting = client.create(sell()).data["order_no"]
    pages = [*SECTIONS, f"orders/{theirs['order_no']}", f"orders/{waiting}"]
    roles = {each.path: each.by or set(MemberRole) for each in MEMBERS if each.method == "POST"}
    whole = forms_of(owner, pages)
    assert len(whole) > 15
    for role in MemberRole:
        member = PortalVisit.of_new_member(world, role, merchant)
        assert forms_of(member, pages) == {path for path in whole if role in roles[path]}, role
        shown = unescape(member.get("settings")["body"])
        assert all(text in shown for text in flat(OWN)), role
    world.change_merchant(owner.merchant, status=MerchantStatus.SUSPENDED)
    assert forms_of(owner, pages) == {LOGOUT}
    assert "suspended" in owner.get()["body"]
    for route in MEMBERS:
        if route.method == "POST" and not route.harmless:
            refused = owner.send("POST", below(route, owner), headers=OWN_PAGE)
            assert (refused["statusCode"], "suspended" in refused["body"]) == (403, True), name(
                route
            )


def test_everybody_reads_all_pages() -> None:
    pages = [r for r in MEMBERS if r.method == "GET" and not r.path.endswith(".csv")]
    assert all(route.by is None for route in pages)


@pytest.mark.usefixtures("standing_clock")
def test_a_member_saves_few_files(world: World) -> None:
    """Each reads thousands of orders or postings."""
    visit = PortalVisit.of_new_member(world)
    colleague = PortalVisit.of_new_member(world, merchant=visit.merchant)
    files = [below(route, visit) for route in MEMBERS if route.path.endswith(".csv")]
    assert files == ["balance.csv", "orders.csv"]
    sent = [visit.get(files[n % 2])["statusCode"] for n in range(PORTAL_FILES.most + 1)]
    assert sent == [200] * PORTAL_FILES.most + [429]
    refused = visit.get("orders.csv")
    assert refused["headers"]["Retry-After"] == "600"
    assert "Too many attempts" in refused["body"]
    assert visit.get("orders")["statusCode"] == 200
    assert colleague.get("orders.csv")["statusCode"] == 200


def test_a_change_of_keys_members_or_addresses_needs_a_fresh_passkey(world: World) -> None:
    """Without it, or with another passkey, a stolen cookie changes nothing."""
    visit = PortalVisit.of_new_member(world)
    thief = replace(visit, authenticator=Authenticator())
    fresh = {below(route, visit): route for route in MEMBERS if route.fresh}
    assert fresh.keys() >= {
        *("developers/keys/test/rotate", "developers/keys", "developers/keys/remove"),
        *("developers/callback-secret/rotate", "settings/callback", "settings/networks"),
    }
    before = stored_of(world, visit.merchant)
    for path, route in fresh.items():
        answer = visit.send(route.method, path, headers=OWN_PAGE)
        assert answer["statusCode"] == 403, path
        assert "passkey was not accepted" in answer["body"], path
        assert thief.confirmed(path)["statusCode"] == 403, path
    assert stored_of(world, visit.merchant) == before
    for path in ("developers/keys/nothing/rotate", "nothing"):
        assert visit.confirmed(path)["statusCode"] == 404


# Routes that take an id, of which a path's mode is none; the forms that they need.
OF_IDS = [route for route in MEMBERS if "{" in route.path.replace("{mode}", "")]
FORM = {"role": "viewer", "text": "x", "seen": "0"}


def theirs_of(world: World, owner: PortalVisit, client: MerchantClient) -> dict[str, str]:
    """Return values of paths' parameters that are the owner's merchant's."""
    world.fund(owner.merchant, 10**9)
    trader = TraderVisit.of_new_trader(world)
    payer = Payer.of_link(world, client.create(buy(cny_amount="1000.37")).data["pay_url"])
    assert payer.upload(samples.png())["statusCode"] == 303
    assert trader.post(f"{ORDER}/report", payer.order_no)["statusCode"] == 303
    person = Person(world, owner.merchant.merchant_id).with_rested_address()
    [session] = re.findall(r"team/sessions/\w+/(\w+)/end", owner.get("team")["body"])
    return {
        "order_no": payer.order_no,
        "number": "1",
        "webhook_id": keep_delivery(world, owner.merchant).event.webhook_id,
        "passkey_id": owner.member.passkeys[0].passkey_id,
        "request_no": person.request(10**6).request_no,
        "member_id": owner.member.member_id,
        "session_id": session,
    }


def answer_to(visit: PortalVisit, route: Route[Any], values: Mapping[str, str]) -> tuple[int, str]:
    """Return the status and the headline of a route's answer."""
    path = route.path.removeprefix("/portal/").format_map(values)
    if route.fresh:
        answer = visit.confirmed(path, **FORM)
    else:
        body = urlencode(FORM).encode()
        answer = visit.send(route.method, path, headers=OWN_PAGE, body=body)
    headlines = re.findall("<h1>(.*?)</h1>", answer["body"])
    return answer["statusCode"], "".join(headlines)


def test_another_merchants_ids_are_unknown_and_change_nothing(world: World) -> None:
    merchant, client = world.add_merchant(**OWN)
    owner = PortalVisit.of_new_member(world, merchant=merchant)
    theirs = theirs_of(world, owner, client)
    invite(world, merchant, MemberRole.VIEWER)
    invited = {**theirs, "member_id": owner.team.invitations[0].member_id}
    other = PortalVisit.of_new_member(world)
    nothing = {**VALUES, "member_id": "x"}
    before = stored_of(world, merchant)
    for route in OF_IDS:
        values = invited if "/invitations/" in route.path else theirs
        answer = answer_to(other, route, values)
        assert answer == answer_to(other, route, nothing), name(route)
        assert answer[0] == 404, name(route)
    assert stored_of(world, merchant) == before
    secrets = {text for text in (*flat(OWN), *theirs.values()) if len(text) > 1}
    for route in MEMBERS:
        if route.method == "GET" and "{" not in route.path:
            page = other.get(below(route, other), before="W999999999999999999999999")
            shown = unescape(page["body"])
            assert not [text for text in secrets if text in shown], name(route)
    for route in OF_IDS:
        if not route.path.endswith("notes/{number}"):  # the note has no picture
            values = invited if "/invitations/" in route.path else theirs
            assert answer_to(owner, route, values)[0] != 404, name(route)


def stored_of(world: World, merchant: Merchant) -> list[str]:
    """Return what the tables have of a merchant."""
    tables = world.tables
    names = (tables.merchants, tables.orders, tables.ledger, tables.callbacks, tables.audit)
    items = (item for each in names for item in world.client.scan(TableName=each)["Items"])
    return sorted(text for item in items if merchant.merchant_id in (text := str(item)))
