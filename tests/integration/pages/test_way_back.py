"""The pages show the merchant, the number to quote, and a return link (contract section 8)."""

import html

import pytest

from orderdesk.web.pages.shared_texts import SharedTexts
from orderdesk.web.pages.texts import Language
from tests.integration.pages.identity.customer import customer_of
from tests.support.identities import identity
from tests.support.merchant_client import buy
from tests.support.payer import Payer
from tests.support.world import World

BACK = "https://shop.example/back?order=1&x=<y>"
NAMED = {"display_name": "A & B", "support": "help@shop.example, 9:00-18:00"}
LINK = f'rel="noopener" href="{html.escape(BACK)}"'
TEXT = SharedTexts(Language.EN).back_to_merchant


def shown(page: str) -> str:
    """Check the parts that every page of the order has."""
    assert page.count(LINK) == page.count(f">{TEXT}</a>") == 1
    assert "A &amp; B" in page
    assert page.index("A &amp; B") < page.index("<main"), "the merchant comes first"
    assert '<a href="mailto:help@shop.example">help@shop.example</a>, 9:00-18:00' in page
    return page


@pytest.mark.parametrize("ending", ["pending", "paid", "cancelled", "expired", "disputed"])
def test_the_pay_page_of_every_status(world: World, ending: str) -> None:
    world.add_trader()
    _, client = world.add_merchant(**NAMED)
    created = client.create(buy(return_url=BACK)).data
    payer = Payer.of_link(world, created["pay_url"])
    match ending:
        case "paid":
            payer.post("/paid")
        case "cancelled":
            payer.post("/cancel")
        case "expired":
            order = world.get("Orders", {"pk": created["order_no"]}) or {}
            world.put("Orders", {**order, "expire_time": 1})
        case "disputed":
            world.report_paid(created["order_no"], seconds_ago=1800)
            payer.post("/dispute")
        case _:
            pass
    page = shown(payer.get()["body"])
    assert f'data-status="{ending}"' in page
    assert created["order_no"] in page
    is_over = ending in {"cancelled", "expired"}
    assert (f'class="button wide" {LINK}' in page) is is_over


def test_the_order_of_a_draft_leads_back_too(world: World) -> None:
    customer = customer_of(world, return_url=BACK, merchant_order_no="W-1")
    world.change_merchant(customer.merchant, **NAMED)
    assert customer.pending_no in shown(customer.opens().html)
    answer = customer.sends(identity())
    assert answer.status == 303
    payer = Payer.of_link(world, answer.headers["Location"])
    shown(payer.get()["body"])
    client = world.client_of(customer.merchant, f"sk_{customer.merchant.merchant_id}")
    for amount, same in (("1000.00", True), ("7.00", False)):
        again = client.create(buy(merchant_order_no="W-1", cny_amount=amount))
        assert (again.code, again.data["same"]) == (2001, same)
        assert again.data["order_no"].startswith("B")


@pytest.mark.parametrize("end", ["locked", "expired"])
def test_a_locked_or_expired_link(world: World, end: str) -> None:
    customer = customer_of(world, return_url=BACK)
    world.change_merchant(customer.merchant, **NAMED)
    if end == "locked":
        customer.sends(identity(mobile="13800000000"))
    else:
        draft = customer.stored()
        world.put("Orders", {**draft, "expire_time": 1})
    page = shown(customer.opens().html)
    assert f'data-state="{end}"' in page
    assert f'class="button wide" {LINK}' in page
    assert customer.pending_no in page


def test_an_order_without_a_way_back(world: World) -> None:
    world.add_trader()
    _, client = world.add_merchant()
    created = client.create(buy()).data
    page = Payer.of_link(world, created["pay_url"]).get()["body"]
    assert TEXT not in page
    assert SharedTexts(Language.EN).support not in page
