"""The desk's log-in, duty switch and small controls, in a browser."""

import re

import pytest
from playwright.sync_api import expect

from orderdesk.domain.orders.order import OrderStatus
from orderdesk.domain.pricing import OrderType
from tests.browser.desk_visit import DeskVisit
from tests.browser.site import Site
from tests.browser.tabs import OpenTab
from tests.support.trader import add_trader_with_code

BUY, SELL = OrderType.BUY, OrderType.SELL
REFUSED = r"status of 4(01|09|22)"
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
