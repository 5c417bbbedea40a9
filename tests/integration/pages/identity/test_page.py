"""The identity page's function: from a draft's link to the pay page (contract section 8)."""

import json
import re
import time
from dataclasses import replace
from typing import Any

import pytest

from orderdesk.adapters.dynamodb.orders.items import order_of
from tests.integration.pages.identity.customer import (
    FORM,
    FROM_PAGE,
    ORIGIN,
    Customer,
    Visit,
    customer_of,
)
from tests.support.events import proxy_event
from tests.support.identities import identity
from tests.support.operator_api import OperatorApi
from tests.support.world import World

FAILING = identity(mobile="13800000000")
UNAVAILABLE = identity(mobile="13800009999")
PAY_URL = re.compile(rf"{ORIGIN}/pay/(B[0-9]{{24}})/([\w-]{{43}})")


def state_of(visit: Visit) -> str:
    match = re.search(r'data-state="(\w+)"', visit.html)
    assert match is not None, visit.html
    return match[1]


def pay_page(world: World, order_no: str, token: str) -> dict[str, Any]:
    names = {"order_no": order_no, "token": token}
    event = proxy_event("GET", "/pay/{order_no}/{token}", path_parameters=names)
    answer: dict[str, Any] = world.cold_start("pay_page").handler(event, None)
    return answer


def texts_of(html: str) -> list[str]:
    main = html.partition("<main")[2].partition("</main>")[0]
    return [text.strip() for text in re.findall(r">([^<]+)<", main) if text.strip()]


def orders(world: World) -> list[Any]:
    return world.items("Orders", "order")


def test_opening_the_link_changes_nothing(world: World, customer: Customer) -> None:
    before = customer.stored()
    for _ in range(3):
        visit = customer.opens()
        assert (visit.status, state_of(visit)) == (200, "form")
    assert customer.stored() == before
    assert world.items("Guards", "attempts") == []
    assert customer.token not in visit.html


def test_a_pass_goes_on_to_the_pay_page(world: World) -> None:
    customer = customer_of(world, merchant_order_no="A-1", cny_amount="1000.37")
    visit = customer.sends(identity())
    assert (visit.status, visit.html) == (303, "")
    assert visit.headers["Cache-Control"] == "no-store"
    link = PAY_URL.fullmatch(visit.headers["Location"])
    assert link is not None
    answer = pay_page(world, link[1], link[2])
    assert answer["statusCode"] == 200
    assert '1,000<span class="fen">.37</span>' in answer["body"]
    [order] = orders(world)
    assert (order["pk"], order["merchant_order_no"]) == (link[1], "A-1")
    assert customer.stored()["status"] == "completed"


def test_the_switched_language_goes_along(world: World) -> None:
    customer = replace(customer_of(world), language="zh")
    location = customer.sends(identity()).headers["Location"]
    assert PAY_URL.fullmatch(location.removesuffix("?lang=zh"))
    assert f'href="{location}"' in customer.opens().html
    # Any other text in the form is ignored.
    other = replace(customer_of(world), language="<x>")
    assert PAY_URL.fullmatch(other.sends(identity()).headers["Location"])


@pytest.mark.parametrize("again", ["opens", "sends"])
def test_a_used_link_says_so_and_leads_to_the_pay_page(
    world: World, customer: Customer, again: str
) -> None:
    location = customer.sends(identity()).headers["Location"]
    visit = customer.opens() if again == "opens" else customer.sends(identity())
    assert (visit.status, state_of(visit)) == (200, "completed")
    assert f'href="{location}"' in visit.html
    assert len(orders(world)) == 1


def test_a_blocked_customer_is_locked_as_if_it_had_failed(world: World, customer: Customer) -> None:
    other = customer_of(world)
    failed = customer.sends(FAILING).html
    value = {"kind": "mobile", "value": identity()["mobile"], "reason": "fraud"}
    OperatorApi(world).data("support-1", "block.add", **value)
    world.cold_start("identity_page")
    visit = other.sends(identity())
    assert (visit.status, state_of(visit)) == (200, "locked")
    said = texts_of(visit.html.replace(other.pending_no, customer.pending_no))
    assert said == texts_of(failed)
    assert other.stored()["status"] == "locked"
    assert orders(world) == []


def test_a_failing_identity_locks_the_link(world: World, customer: Customer) -> None:
    visit = customer.sends(FAILING)
    assert (visit.status, state_of(visit)) == (200, "locked")
    assert customer.stored()["status"] == "locked"
    for visit in (customer.opens(), customer.sends(identity())):
        assert state_of(visit) == "locked"
    assert orders(world) == []


@pytest.mark.parametrize(
    ("name", "value"),
    [("customer_name", "<b>x</b>"), ("id_card", "110101200013010008"), ("mobile", "")],
)
def test_malformed_input_is_shown_back_and_costs_nothing(
    customer: Customer, name: str, value: str
) -> None:
    before = customer.stored()
    visit = customer.sends({**identity(), name: value})
    assert (visit.status, state_of(visit)) == (422, "form")
    assert visit.html.count('aria-invalid="true" data-') == 1
    assert f'<a href="#{name}">' in visit.html
    assert f'value="{value.replace("<", "&lt;").replace(">", "&gt;")}"' in visit.html
    assert customer.stored() == before
    assert customer.sends(identity()).status == 303


def test_an_unavailable_provider_costs_nothing(customer: Customer) -> None:
    visit = customer.sends(UNAVAILABLE)
    assert (visit.status, state_of(visit)) == (503, "unavailable")
    assert f'value="{UNAVAILABLE["id_card"]}"' in visit.html
    opened = customer.opens()
    assert state_of(opened) == "form"
    assert UNAVAILABLE["id_card"] not in opened.html
    assert customer.sends(identity()).status == 303


def test_a_pass_without_a_trader_can_be_tried_again(world: World, customer: Customer) -> None:
    world.clear_rotation()
    visit = customer.sends(identity())
    assert (visit.status, state_of(visit)) == (200, "verified")
    assert identity()["id_card"] not in visit.html
    assert state_of(customer.opens()) == "verified"
    assert state_of(customer.sends()) == "verified"
    world.add_trader()
    assert customer.posts(b"", FROM_PAGE).status == 303


def test_a_submit_that_is_being_verified_is_waited_for(world: World, customer: Customer) -> None:
    now = int(time.time())
    # Drafts of an earlier release also have an attempt_id, which nothing reads.
    attempt: dict[str, Any] = {"attempt_id": "another", "attempt_time": now, "version": 2}
    world.put("Orders", {**customer.stored(), **attempt})
    for visit in (customer.opens(), customer.sends(identity())):
        assert (visit.status, state_of(visit)) == (200, "verifying")
    world.put("Orders", {**customer.stored(), "attempt_time": now - 60})
    assert state_of(customer.opens()) == "form"
    assert customer.sends(identity()).status == 303


def test_a_customer_whose_day_is_full_is_locked(world: World, customer: Customer) -> None:
    api, other = OperatorApi(world), customer_of(world)
    proposal = api.data("finance-1", "desk.set", id_card_daily_count="1")["proposal"]
    api.data("finance-2", "proposal.approve", proposal_no=proposal["proposal_no"])
    world.cold_start("identity_page")
    assert customer.sends(identity()).status == 303
    visit = other.sends(identity())
    assert (visit.status, state_of(visit)) == (200, "locked")
    assert other.stored()["status"] == "locked"
    assert len(orders(world)) == 1


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
