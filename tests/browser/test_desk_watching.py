"""The desk's pages show changes that others make, in a browser."""

import re
from dataclasses import replace

import pytest
from playwright.sync_api import Page, expect

from orderdesk.domain.ids import token_hash
from orderdesk.domain.orders.order import OrderStatus
from orderdesk.domain.pricing import OrderType
from tests.browser.desk_visit import FEED, POLL_SECONDS, DeskVisit, heading
from tests.browser.site import Site
from tests.browser.tabs import OpenTab, stop_clock
from tests.support.orders import SELL_NUMBER
from tests.support.seed import with_changes
from tests.support.trader import add_trader_with_code

BUY, SELL = OrderType.BUY, OrderType.SELL
REFUSED = r"status of 4(01|09|22)"
LISTENING = """() => {
    window.heard = new Promise((done) => addEventListener("storage", done, {once: true}));
}"""
OTHER_NUMBER = "B202511210009876543210456"
ASK_NOW = "void dispatchEvent(new Event('online'))"


@pytest.fixture
def visit(site: Site, open_tab: OpenTab) -> DeskVisit:
    """Return a logged-in trader; the test moves the clock of its tab."""
    tab = open_tab()
    tab.clock.install()
    return DeskVisit.of_new_trader(site, tab)


def test_the_list_shows_and_announces_changes(site: Site, visit: DeskVisit) -> None:
    tab = visit.tab
    order = visit.put(BUY, OrderStatus.PENDING)
    visit.poll()
    expect(tab.locator(".chip")).to_have_text("Not paid yet")
    expect(tab.get_by_role("status")).to_have_text("Your orders have changed.")
    expect(tab).to_have_title("(1) Orders · orderdesk")
    visit.change(order, status=OrderStatus.PAID)
    visit.poll()
    expect(tab.locator(".chip")).to_have_text("Reported as paid")
    site.world.put_trader(replace(site.world.trader(visit.trader.trader_id), online=False))
    visit.poll()
    expect(tab.locator(".duty")).to_contain_text("Off duty")


def test_an_orders_page_announces_a_change(visit: DeskVisit) -> None:
    tab = visit.tab
    order = visit.put(BUY, OrderStatus.PENDING)
    visit.open_known(order)
    visit.poll_without_news()
    visit.change(order, status=OrderStatus.PAID)
    visit.poll_with_news()
    tab.get_by_role("link", name="Reload this page").click()
    heading(tab, "Check whether the money has arrived")


def test_the_traders_own_move_is_not_announced(visit: DeskVisit) -> None:
    tab = visit.tab
    visit.put(SELL, OrderStatus.ASSIGNED, order_no=SELL_NUMBER, order_id=7)
    order = visit.put(BUY, OrderStatus.PAID)
    visit.open_known(order)
    visit.confirm()
    expect(tab.locator(".done")).to_contain_text("Receipt confirmed")
    visit.poll_without_news()
    visit.put(BUY, OrderStatus.PAID, order_id=8)
    visit.poll_with_news()


def test_after_the_traders_own_move_another_tab_still_announces_changes(
    site: Site, open_tab: OpenTab
) -> None:
    tab = open_tab()
    stop_clock(tab, site.now)
    visit = DeskVisit.of_new_trader(site, tab)
    visit.put(SELL, OrderStatus.ASSIGNED, order_no=SELL_NUMBER, order_id=7)
    order = visit.put(BUY, OrderStatus.PAID)
    visit.open_known(order)
    lists = tab.context.new_page()
    lists.goto(f"{site.desk_url}/orders?lang=en")
    visit.confirm()
    expect(tab.locator(".done")).to_contain_text("Receipt confirmed")
    with tab.expect_request_finished(lambda asked: FEED in asked.url):
        lists.evaluate(ASK_NOW)
    expect(tab.locator("#news")).to_be_hidden()
    visit.put(BUY, OrderStatus.PAID, order_id=8)
    lists.evaluate(ASK_NOW)
    expect(tab.locator("#news")).to_be_visible()


def test_an_answer_right_after_the_traders_own_note_is_announced(
    site: Site, open_tab: OpenTab
) -> None:
    tab = open_tab()
    stop_clock(tab, site.now)
    visit = DeskVisit.of_new_trader(site, tab)
    order = visit.put(BUY, OrderStatus.DISPUTED)
    visit.open_known(order)
    tab.locator("#text").fill("It went to another account.")
    tab.get_by_role("button", name="Send", exact=True).click()
    expect(tab.locator(".dispute .own .words")).to_be_visible()
    visit.change(visit.stored(order))
    visit.poll_with_news()


def test_the_traders_own_report_is_not_announced_and_its_page_alarms(visit: DeskVisit) -> None:
    tab = visit.tab
    order = visit.put(BUY, OrderStatus.PAID)
    visit.open_known(order)
    tab.get_by_role("link", name="Nothing received").click()
    tab.get_by_label("What have you checked").fill("No such transfer.")
    other = visit.put(BUY, OrderStatus.PENDING, order_id=8, order_no=OTHER_NUMBER)
    visit.poll_with_news()
    tab.get_by_role("button", name="Report it").click()
    tab.locator(".done").get_by_role("link", name=order.order_no).click()
    expect(tab.locator(".dispute .own .words")).to_have_text("No such transfer.")
    visit.poll_without_news()
    visit.change(other, status=OrderStatus.PAID)
    visit.poll_with_news()


def test_the_tabs_of_a_browser_share_one_poll(site: Site, visit: DeskVisit) -> None:
    tab = visit.tab
    order = visit.put(BUY, OrderStatus.PENDING)
    tab.reload()
    other = tab.context.new_page()  # the clock is the context's
    asked: list[Page] = []
    for each in (tab, other):
        each.on("request", lambda sent: asked.append(sent.frame.page) if FEED in sent.url else None)
    other.goto(f"{site.desk_url}/orders?lang=en")
    for _ in range(3):
        tab.evaluate(LISTENING)
        with other.expect_request_finished(lambda sent: FEED in sent.url):
            site.let_time_pass(other, seconds=POLL_SECONDS)
        tab.evaluate("heard.then(() => true)")
    assert asked == [other] * 3
    visit.change(order, status=OrderStatus.PAID)
    site.let_time_pass(other, seconds=POLL_SECONDS)
    for each in (other, tab):
        expect(each.locator(".chip")).to_have_text("Reported as paid")


def test_a_session_that_ends_elsewhere_ends_here(site: Site, open_tab: OpenTab) -> None:
    tab = open_tab(complaints=REFUSED)
    tab.clock.install()
    visit = DeskVisit.of_new_trader(site, tab)
    page = f"{site.desk_url}/history?number=888888&lang="
    tab.goto(f"{page}zh")
    now = site.world.trader(visit.trader.trader_id)
    site.world.put_trader(with_changes(now, access_code_hash=token_hash("another")))
    visit.poll()
    expect(tab).to_have_url(re.compile("/trader/login"))
    tab.get_by_role("link", name="English").click()
    expect(tab).to_have_url(re.compile("/trader/login.*lang=en"))
    site.world.put_trader(now)
    tab.get_by_label("Access code").fill(visit.code)
    tab.get_by_role("button", name="Log in").click()
    expect(tab).to_have_url(f"{page}en")


def test_the_page_shows_that_the_time_to_answer_is_over(site: Site, open_tab: OpenTab) -> None:
    tab = open_tab()
    stop_clock(tab, site.now)
    visit = DeskVisit.of_new_trader(site, tab)
    visit.open(visit.put(SELL, OrderStatus.ASSIGNED, expire_time=site.now + 600))
    timer = tab.get_by_role("timer")
    site.let_time_pass(tab, seconds=599)
    expect(timer).to_have_text("0 min 01 s left")
    site.let_time_pass(tab, seconds=1)
    expect(timer).to_contain_text("Overdue since ")


def test_a_button_that_the_script_replaced_sends_once(site: Site, visit: DeskVisit) -> None:
    tab = visit.tab
    site.world.put_trader(replace(site.world.trader(visit.trader.trader_id), online=False))
    visit.poll()
    expect(tab.locator(".duty")).to_contain_text("Off duty")
    sent: list[str] = []
    tab.on("request", lambda asked: sent.append(asked.url) if asked.method == "POST" else None)
    tab.locator(".duty button").dblclick()
    expect(tab.locator(".duty-on")).to_be_visible()
    assert len(sent) == 1
    assert sent[0].endswith("stay=1"), "our script sent it"


def test_the_first_of_two_moves_is_shown(site: Site, open_tab: OpenTab) -> None:
    visit = DeskVisit.of_new_trader(site, open_tab(complaints=REFUSED))
    order = visit.put(BUY, OrderStatus.PAID)
    visit.open(order)
    visit.change(order, status=OrderStatus.CANCELLED)
    visit.confirm()
    expect(visit.tab.get_by_role("alert")).to_contain_text("Nothing was changed")
    heading(visit.tab, "Order cancelled")
    visit.tab.get_by_role("link", name="中文").click()
    heading(visit.tab, "订单已取消")


BOTH = pytest.mark.parametrize("javascript", [True, False])


@BOTH
def test_a_wrong_code_is_shown_at_its_field(
    site: Site, open_tab: OpenTab, *, javascript: bool
) -> None:
    tab = open_tab(complaints=REFUSED, java_script_enabled=javascript)
    _, code = add_trader_with_code(site.world)
    tab.goto(f"{site.desk_url}?lang=en")
    tab.goto(f"{site.desk_url}/login?lang=en")
    field = tab.get_by_label("Access code")
    field.fill("wrong")
    tab.get_by_role("button", name="Log in").click()
    field = tab.get_by_label("Access code")
    expect(field).to_have_accessible_description(re.compile("This access code is not known"))
    expect(field).to_be_focused()
    expect(field).to_have_value("")
    tab.get_by_role("link", name="中文").click()
    tab.get_by_label("访问码").fill(code.upper())
    tab.get_by_role("button", name="登录").click()
    expect(tab.locator(".duty")).to_contain_text("接单中")


def test_what_is_typed_can_be_shown(site: Site, open_tab: OpenTab) -> None:
    tab = open_tab()
    tab.goto(f"{site.desk_url}/login?lang=en")
    field, reveal = tab.get_by_label("Access code"), tab.get_by_role("button", name="Show what")
    expect(field).to_have_attribute("type", "password")
    reveal.click()
    expect(reveal).to_have_attribute("aria-pressed", "true")
    expect(field).to_have_attribute("type", "text")
    reveal.click()
    expect(field).to_have_attribute("type", "password")


def test_without_javascript_the_list_offers_to_reload(site: Site, open_tab: OpenTab) -> None:
    visit = DeskVisit.of_new_trader(site, open_tab(java_script_enabled=False))
    visit.put(BUY, OrderStatus.PENDING)
    visit.tab.get_by_role("link", name="Reload").click()
    expect(visit.tab.get_by_role("link", name="1,000.37")).to_be_visible()
