"""A trader's own settings in a browser: with and without a script, and in two tabs."""

import re
from dataclasses import replace

import pytest
from playwright.sync_api import Locator, Page, expect

from orderdesk.domain.ids import token_hash
from orderdesk.domain.orders.order import OrderStatus
from orderdesk.domain.pricing import OrderType
from tests.browser.desk_visit import POLL_SECONDS, DeskVisit
from tests.browser.site import Site
from tests.browser.tabs import OpenTab

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
