"""The portal's forms in a browser: what they ask and show."""

import pytest
from playwright.sync_api import ViewportSize, expect

from orderdesk.adapters.dynamodb.orders.items import order_item
from orderdesk.domain.merchants.team import MemberRole
from orderdesk.domain.orders.order import OrderStatus
from orderdesk.domain.pricing import OrderType
from tests.browser.chromium import DESKTOP
from tests.browser.portal_states import join
from tests.browser.site import Site
from tests.browser.tabs import OpenTab
from tests.support.merchant_client import sell
from tests.support.orders import ORDER_NO, desk_order
from tests.support.portal import invite

ROTATE = "form[action*='/test/rotate']"
TALL = "(cells) => cells.filter((each) => each.offsetHeight > 40).map((each) => each.className)"
WIDTH = "document.documentElement.scrollWidth"
NARROW = ViewportSize(width=360, height=740)


def test_a_form_without_a_challenge_shows_why(site: Site, open_tab: OpenTab) -> None:
    page = open_tab(complaints="429|503", locale="en-US")
    merchant, _ = site.world.add_merchant()
    join(page, site, merchant, invite(site.world, merchant, MemberRole.ADMIN))
    page.goto(f"{site.portal_url}/developers")
    problem = page.locator(f"{ROTATE} [role=alert]")
    answers = {429: "wait a few minutes", 503: "in a moment"}
    statuses = iter(answers)
    page.route("**/challenge", lambda route: route.fulfill(status=next(statuses)), times=2)
    for shown in answers.values():
        page.click(f"{ROTATE} button")
        expect(problem).to_contain_text(shown)
    page.context.clear_cookies()
    page.click(f"{ROTATE} button")
    page.wait_for_url(f"{site.portal_url}/login?back=developers")


def test_an_order_is_cancelled_only_after_a_question(site: Site, open_tab: OpenTab) -> None:
    page = open_tab(locale="en-US")
    merchant, client = site.world.add_merchant()
    site.world.fund(merchant, 10**12)
    join(page, site, merchant, invite(site.world, merchant, MemberRole.FINANCE))
    order_no = client.create(sell()).data["order_no"]
    page.goto(f"{site.portal_url}/orders/{order_no}")
    link, question = page.locator("[data-ask]"), page.get_by_role("dialog")
    link.click()
    expect(question).to_contain_text("returned to your balance")
    question.get_by_role("button", name="Keep the order").click()
    expect(question).to_be_hidden()
    expect(link).to_be_visible()
    link.click()
    question.get_by_role("button", name="Cancel the order").click()
    expect(page.locator(".heading .chip")).to_have_text("Cancelled")
    expect(link).to_have_count(0)


def test_the_overview_renews_itself_but_not_under_a_readers_hands(
    site: Site, open_tab: OpenTab
) -> None:
    page = open_tab(locale="en-US")
    merchant, _ = site.world.add_merchant()
    join(page, site, merchant, invite(site.world, merchant, MemberRole.VIEWER))
    page.clock.install()
    page.goto(site.portal_url)
    available = page.locator(".owned dd").first
    page.locator("details summary").click()
    site.world.fund(merchant, 7_000_000)
    with page.expect_response(site.portal_url):
        page.clock.fast_forward(60_000)
    expect(available).to_have_text("0.000000 USDT")
    page.locator("details").evaluate(
        "(table) => { table.open = false; document.activeElement.blur(); }"
    )
    page.clock.fast_forward(60_000)
    expect(available).to_have_text("7.000000 USDT")


@pytest.mark.parametrize("language", ["en", "zh"])
def test_a_desktop_shows_sixteen_orders_of_one_line(
    site: Site, open_tab: OpenTab, language: str
) -> None:
    page = open_tab(DESKTOP)
    merchant, _ = site.world.add_merchant()
    join(page, site, merchant, invite(site.world, merchant, MemberRole.VIEWER))
    for number in range(20):
        order = desk_order(
            *(OrderType.BUY, OrderStatus.COMPLETED, site.now - number),
            fen=123_456_789_00,
            merchant_id=merchant.merchant_id,
            order_id=1 + number,
            order_no=f"{ORDER_NO[:-3]}{number:03d}",
            merchant_order_no="W" * 128,
        )
        site.world.put("Orders", order_item(order))
    page.goto(f"{site.portal_url}/orders?lang={language}")
    rows = page.locator("tbody tr")
    expect(rows).to_have_count(20)
    box = rows.nth(15).bounding_box()
    assert box is not None
    assert box["y"] + box["height"] <= DESKTOP["height"]
    assert page.evaluate(WIDTH) <= DESKTOP["width"]
    assert page.locator("tbody td").evaluate_all(TALL) == []
    page.set_viewport_size(NARROW)
    assert page.evaluate(WIDTH) <= NARROW["width"]
    assert page.locator("tbody td").evaluate_all(TALL) == []
