"""A trader's own settings in a browser: with and without a script, and in two tabs."""

import re
from dataclasses import replace
from typing import Any

import pytest
from playwright.sync_api import Locator, Page, expect

from orderdesk.domain.ids import token_hash
from orderdesk.domain.orders.order import Order, OrderStatus
from orderdesk.domain.pricing import OrderType
from tests.browser.chromium import DESKTOP
from tests.browser.desk_visit import POLL_SECONDS, DeskVisit
from tests.browser.site import Site
from tests.browser.tabs import OpenTab
from tests.support.orders import SELL_NUMBER

CONFLICT = r"status of 409"
NEW_CARD = "6222020200112345678"


def open_settings(visit: DeskVisit, tab: Page) -> None:
    tab.goto(f"{visit.site.desk_url}/settings?lang=en")


def limits_of(tab: Page) -> Locator:
    return tab.get_by_role("region", name="Limits")


def change_account(visit: DeskVisit, tab: Page) -> None:
    """Open and fill in the form of the bank card."""
    open_settings(visit, tab)
    tab.get_by_role("link", name="Change 测试银行 ****1234").click()
    tab.get_by_label("Card number").fill(NEW_CARD)
    for label in ("Account holder’s name", "Bank", "Branch"):
        tab.get_by_label(label, exact=True).fill("新")
    tab.get_by_label("Access code").fill(visit.code)
    tab.get_by_role("button", name="Save").click()


@pytest.mark.parametrize("javascript", [True, False])
def test_an_account_and_limits_are_changed(
    site: Site, open_tab: OpenTab, *, javascript: bool
) -> None:
    tab = open_tab(java_script_enabled=javascript)
    visit = DeskVisit.of_new_trader(site, tab)
    change_account(visit, tab)
    expect(tab.locator(".alert.good")).to_contain_text("Saved")
    expect(tab.locator("main")).to_contain_text("新 ****5678")
    tab.get_by_label("Open orders at a time").fill("3")
    limits_of(tab).get_by_role("button", name="Save").click()
    expect(tab.get_by_label("Open orders at a time")).to_have_value("3")
    now = site.world.trader(visit.trader.trader_id)
    assert (now.own.max_open, now.methods[-1].card_number) == (3, NEW_CARD)


def test_another_tab_is_updated_and_does_not_overwrite_it(site: Site, open_tab: OpenTab) -> None:
    orders, settings, third = open_tab(), open_tab(complaints=CONFLICT), open_tab()
    orders.clock.install()
    settings.clock.install()
    visit = DeskVisit.of_new_trader(site, orders)
    for tab in (settings, third):
        replace(visit, tab=tab).log_in("en")
    open_settings(visit, settings)
    with settings.expect_request_finished(lambda asked: "/trader/status" in asked.url):
        site.let_time_pass(settings, seconds=POLL_SECONDS)
    expect(settings.locator("#stale")).to_be_hidden()
    change_account(visit, third)
    for tab in (orders, settings):
        site.let_time_pass(tab, seconds=POLL_SECONDS)
    expect(orders.locator("#notices")).to_contain_text("A receiving account was changed")
    expect(settings.locator("#stale")).to_be_visible()
    limits_of(settings).get_by_label("CNY a day").fill("5000")
    limits_of(settings).get_by_role("button", name="Save").click()
    expect(settings.get_by_role("alert")).to_contain_text("Nothing was saved")
    expect(settings.locator("main")).to_contain_text(re.compile(r"\*\*\*\*5678"))
    assert site.world.trader(visit.trader.trader_id).own.daily_cap_fen is None
    assert (
        token_hash(visit.code) == site.world.trader(visit.trader.trader_id).access.access_code_hash
    )


def test_an_orders_page_does_not_announce_settings(site: Site, open_tab: OpenTab) -> None:
    tab, elsewhere = open_tab(), open_tab()
    tab.clock.install()
    visit = DeskVisit.of_new_trader(site, tab)
    replace(visit, tab=elsewhere).log_in("en")
    order = visit.put(OrderType.BUY, OrderStatus.PAID)
    visit.open_known(order)
    change_account(visit, elsewhere)
    visit.poll_without_news()
    visit.change(order, status=OrderStatus.DISPUTED)
    visit.poll_with_news()


BUY, SELL = OrderType.BUY, OrderType.SELL
TOLD_WITHIN_SECONDS = 20
HIDDEN_POLL_SECONDS = 15

# A tab that a test hides; it records sounds and notifications.
WATCHED = """
window.isHidden = false;
Object.defineProperty(document, "hidden", {get: () => isHidden});
window.hide = (hidden) => {
  isHidden = hidden;
  document.dispatchEvent(new Event("visibilitychange"));
};
window.heard = 0;
const start = OscillatorNode.prototype.start;
OscillatorNode.prototype.start = function (...when) {
  heard += 1;
  start.apply(this, when);
};
window.seen = [];
window.Notification = class {
  static permission = sessionStorage.getItem("permission") ?? "default";
  static async requestPermission() {
    Notification.permission = window.answer ?? "granted";
    sessionStorage.setItem("permission", Notification.permission);
  }
  constructor(text, more) { seen.push([text, more.body]); }
  addEventListener() {}
};
"""


def hide(tab: Page, *, hidden: bool = True) -> None:
    tab.evaluate("(hidden) => hide(hidden)", hidden)


def trader_in(site: Site, tab: Page) -> DeskVisit:
    tab.add_init_script(WATCHED)
    tab.clock.install()
    return DeskVisit.of_new_trader(site, tab)


def switch_on(tab: Page, *names: str) -> None:
    for name in names:
        switch = tab.get_by_role("button", name=name, exact=True)
        switch.click()
        expect(switch).to_have_attribute("aria-pressed", "true")


def put(visit: DeskVisit, **changes: Any) -> Order:
    """Assign a sell to the trader, in addition to the buy of `DeskVisit.put`."""
    return visit.put(SELL, OrderStatus.ASSIGNED, order_no=SELL_NUMBER, order_id=7, **changes)


def test_a_hidden_tab_announces_an_order_within_20_seconds(site: Site, open_tab: OpenTab) -> None:
    tab = open_tab()
    visit = trader_in(site, tab)
    switch_on(tab, "Sound", "Notification")
    tab.wait_for_function("heard === 2")
    hide(tab)
    visit.put(BUY, OrderStatus.PENDING)
    site.let_time_pass(tab, seconds=TOLD_WITHIN_SECONDS)
    expect(tab).to_have_title("(1) An order is waiting")
    tab.wait_for_function("heard === 4")
    assert tab.evaluate("seen") == [["An order is waiting", "Open orders: 1"]]
    put(visit)
    site.let_time_pass(tab, seconds=HIDDEN_POLL_SECONDS)
    expect(tab).to_have_title("(2) An order is waiting")
    expect(tab.locator(".item")).to_have_count(2)
    hide(tab, hidden=False)
    expect(tab).to_have_title("(2) Orders · orderdesk")


def test_a_payment_calls_too_and_what_ends_does_not(site: Site, open_tab: OpenTab) -> None:
    tab = open_tab()
    visit = trader_in(site, tab)
    order = visit.put(BUY, OrderStatus.PENDING)
    tab.reload()
    hide(tab)
    visit.change(order, status=OrderStatus.PAID)
    site.let_time_pass(tab, seconds=HIDDEN_POLL_SECONDS)
    expect(tab).to_have_title("(1) An order is waiting")
    hide(tab, hidden=False)
    expect(tab).to_have_title("(1) Orders · orderdesk")
    hide(tab)
    visit.change(order, status=OrderStatus.COMPLETED)
    site.let_time_pass(tab, seconds=HIDDEN_POLL_SECONDS)
    expect(tab).to_have_title("Orders · orderdesk")
    assert tab.evaluate("[heard, seen.length]") == [0, 0], "nothing was switched on"


@pytest.mark.parametrize("path", ["history", "balance", "orders"])
def test_every_page_of_the_desk_calls(site: Site, open_tab: OpenTab, path: str) -> None:
    tab = open_tab()
    visit = trader_in(site, tab)
    switch_on(tab, "Notification")
    if path == "orders":
        visit.open(visit.put(BUY, OrderStatus.COMPLETED))
    else:
        tab.goto(f"{site.desk_url}/{path}?lang=en")
    hide(tab)
    put(visit)
    site.let_time_pass(tab, seconds=TOLD_WITHIN_SECONDS)
    expect(tab).to_have_title("(1) An order is waiting")
    expect(tab.locator("#news")).to_be_visible()
    assert tab.evaluate("seen") == [["An order is waiting", "Open orders: 1"]]


def test_refused_notifications_show_a_hint(site: Site, open_tab: OpenTab) -> None:
    tab = open_tab()
    trader_in(site, tab)
    tab.evaluate("window.answer = 'denied'")
    switch = tab.get_by_role("button", name="Notification")
    switch.click()
    expect(tab.get_by_text("does not allow notifications")).to_be_visible()
    expect(switch).to_have_attribute("aria-pressed", "false")


def test_a_switch_stays_as_it_was(site: Site, open_tab: OpenTab) -> None:
    # The browser allows no sound on a page without a click after its reload, and logs a warning.
    tab = open_tab(complaints="AudioContext was not allowed")
    trader_in(site, tab)
    switch_on(tab, "Sound", "Notification")
    tab.reload()
    for name in ("Sound", "Notification"):
        switch = tab.get_by_role("button", name=name, exact=True)
        expect(switch).to_have_attribute("aria-pressed", "true")
        switch.click()
        expect(switch).to_have_attribute("aria-pressed", "false")


def test_a_click_on_a_head_sorts_in_place(site: Site, open_tab: OpenTab) -> None:
    tab = open_tab(DESKTOP)
    visit = DeskVisit.of_new_trader(site, tab)
    visit.put(BUY, OrderStatus.PAID, fen=70_00)
    put(visit, fen=3_000_00)
    tab.goto(f"{site.desk_url}/orders?lang=en")
    tab.evaluate("window.same = true")
    amounts = tab.locator(".item .sum")
    expect(amounts).to_have_text(["¥3,000.00", "¥70.00"])
    tab.get_by_role("link", name="Amount").click()
    expect(tab).to_have_url(f"{site.desk_url}/orders?sort=-amount&lang=en")
    tab.get_by_role("link", name="Amount").click()
    expect(amounts).to_have_text(["¥70.00", "¥3,000.00"])
    expect(tab.get_by_role("columnheader", name="Amount")).to_have_attribute(
        "aria-sort", "ascending"
    )
    expect(tab.get_by_role("link", name="Amount")).to_be_focused()
    tab.get_by_role("link", name="To be paid 1").click()
    expect(amounts).to_have_text(["¥3,000.00"])
    tab.get_by_role("link", name="All 2").click()
    search = tab.get_by_role("searchbox")
    search.fill("70")
    search.press("Enter")
    expect(amounts).to_have_text(["¥70.00"])
    tab.get_by_role("link", name="Show all").click()
    expect(amounts).to_have_text(["¥3,000.00", "¥70.00"])
    expect(search).to_have_value("")
    assert tab.evaluate("same"), "the page was not left"
    tab.get_by_role("link", name="To be paid 1").click()
    expect(amounts).to_have_text(["¥3,000.00"])
    tab.get_by_role("link", name="中文").click()
    expect(tab.locator(".item")).to_have_count(1)


def test_without_javascript_heads_and_filters_are_links(site: Site, open_tab: OpenTab) -> None:
    visit = DeskVisit.of_new_trader(site, open_tab(DESKTOP, java_script_enabled=False))
    tab = visit.tab
    visit.put(BUY, OrderStatus.PAID, fen=70_00)
    put(visit, fen=3_000_00)
    tab.goto(f"{site.desk_url}/orders?lang=en")
    tab.get_by_role("link", name="Amount").click()
    tab.get_by_role("link", name="Amount").click()
    expect(tab.locator(".item .sum")).to_have_text(["¥70.00", "¥3,000.00"])
    tab.get_by_role("link", name="Reported as paid").click()
    expect(tab.locator(".item .sum")).to_have_text(["¥70.00"])
    expect(tab.get_by_role("heading", name="Alerts")).to_be_hidden()
