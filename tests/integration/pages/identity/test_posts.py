"""Posts to the identity page: origin, rate, content, and the log."""

import json
import re
import time
from dataclasses import replace

import pytest

from orderdesk.adapters.dynamodb.orders.items import order_of
from tests.integration.pages.identity.customer import FORM, FROM_PAGE, ORIGIN, Customer, customer_of
from tests.support.identities import identity
from tests.support.world import World

FAILING = identity(mobile="13800000000")
UNAVAILABLE = identity(mobile="13800009999")

ELSEWHERE: list[dict[str, str]] = [
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
]


@pytest.mark.parametrize("headers", ELSEWHERE)
def test_a_post_from_elsewhere_is_refused(customer: Customer, headers: dict[str, str]) -> None:
    before = customer.stored()
    visit = customer.sends(identity(), headers)
    assert visit.status == 403
    assert "This did not come from our page" in visit.html
    assert "form-action 'self'" in visit.headers["Content-Security-Policy"]
    assert customer.stored() == before


OWN: list[dict[str, str]] = [
    FROM_PAGE,
    {"Origin": ORIGIN},
    {"Sec-Fetch-Site": "same-origin"},
    {"Sec-Fetch-Site": "same-origin", "Origin": "null"},
    {"Host": "abc.example.com", "X-Forwarded-Proto": "https", "Origin": "https://abc.example.com"},
    {"Host": "127.0.0.1:4566", "Origin": "http://127.0.0.1:4566"},
]


@pytest.mark.parametrize("headers", OWN)
def test_a_post_from_the_page_itself_is_taken(world: World, headers: dict[str, str]) -> None:
    assert customer_of(world).sends(identity(), headers).status == 303


BAD_BODIES: list[tuple[bytes, dict[str, str]]] = [
    (b"customer_name=" + b"a" * 8192, FORM),
    (b'{"customer_name": "x"}', {"Content-Type": "application/json"}),
    (b"a=b", {}),
    (b"customer_name=%FF%FE", FORM),
    (b"customer_name=\xff", FORM),
    (b"mobile=1&mobile=2", FORM),
    (b"&".join([b"x=1"] * 17), FORM),
]


@pytest.mark.parametrize(("body", "headers"), BAD_BODIES)
def test_a_body_that_is_no_form_is_refused(
    customer: Customer, body: bytes, headers: dict[str, str]
) -> None:
    before = customer.stored()
    visit = customer.posts(body, {**headers, **FROM_PAGE})
    assert visit.status == 400
    assert customer.stored() == before


def test_every_wrong_link_is_the_same_404(customer: Customer) -> None:
    wrong = [
        replace(customer, token="x" * 43),
        replace(customer, pending_no="D" + "0" * 24),
        replace(customer, pending_no="-", token="-"),
    ]
    for look in (Customer.opens, lambda c: c.sends(identity())):
        visits = [look(someone) for someone in wrong]
        assert {visit.status for visit in visits} == {404}
        assert len({re.sub(r"nonce=\S+", "", visit.html) for visit in visits}) == 1


def test_what_keyboards_and_clipboards_add_is_removed(world: World, customer: Customer) -> None:
    """By the server, so also without JavaScript; the plain form is what is verified and kept."""
    card = identity()["id_card"]
    written = {
        "customer_name": "\u200e买买提．艾力\u3000",
        "id_card": f"{card[:6]} {card[6:14]} {card[14:]}",
        "mobile": "\u202d+86 138-0000-0001\u202c",
    }
    assert customer.sends(written).status == 303
    [order] = map(order_of, world.items("Orders", "order"))
    assert order.identity is not None
    assert order.identity.open_name == "买买提·艾力"
    assert order.identity.masked_mobile == "138****0001"


def test_wrong_links_and_posts_have_their_limits(
    customer: Customer, monkeypatch: pytest.MonkeyPatch
) -> None:
    now = time.time()
    monkeypatch.setattr(time, "time", lambda: now)  # one window of the limits
    for _ in range(30):
        assert customer.sends().status == 422
    busy = customer.sends(identity())
    assert busy.status == 429
    assert 1 <= int(busy.headers["Retry-After"]) <= 600
    assert customer.opens().status == 200
    wrong = replace(customer, token="x" * 43)
    assert {wrong.opens().status for _ in range(60)} == {404}
    assert wrong.opens().status == 429
    assert customer.opens().status == 200


@pytest.mark.parametrize(
    "form", [identity(), FAILING, UNAVAILABLE, {**identity(), "mobile": "138000000"}]
)
def test_nothing_of_the_form_is_logged_or_kept(
    world: World, customer: Customer, capsys: pytest.CaptureFixture[str], form: dict[str, str]
) -> None:
    customer.sends(form)
    customer.posts(b"customer_name=%FF&id_card=" + form["id_card"].encode(), {**FORM, **FROM_PAGE})
    items = world.items("Orders")
    for item in items:
        if isinstance(record := item.get("identity"), dict):
            record.pop("open_name")  # of an open buy, for its trader
    kept = json.dumps(items, ensure_ascii=False)
    captured = capsys.readouterr()
    for text in (*identity().values(), form["mobile"] + '"', customer.token):
        assert text not in kept
        assert text not in captured.out + captured.err
