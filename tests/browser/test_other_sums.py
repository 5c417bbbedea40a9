"""A different sum, in a browser on a phone without JavaScript: report, agree, late proof."""

import pytest
from playwright.sync_api import expect

from orderdesk.domain.orders.order import OrderStatus, Return
from orderdesk.domain.pricing import OrderType
from tests.browser.desk_visit import DeskVisit, heading
from tests.browser.site import Site
from tests.browser.tabs import OpenTab
from tests.support.orders import ORDER_NO, buy_order
from tests.support.seed import WORKED_FEES


def stored(site: Site, number: str = ORDER_NO) -> dict[str, object]:
    return dict(site.world.get("Orders", {"pk": number}) or {})


@pytest.mark.parametrize("language", ["en", "zh"])
def test_the_payer_objects_and_then_agrees(site: Site, open_tab: OpenTab, language: str) -> None:
    tab = open_tab(java_script_enabled=False)
    order = buy_order(site.now, OrderStatus.DISPUTED, reported_fen=950_00)
    tab.goto(f"{site.put(order)}?lang={language}")
    expect(tab.locator("#sum")).to_be_visible()
    no, yes = {"en": ("No, I object", "Yes, I"), "zh": ("不是", "是，我")}[language]
    tab.get_by_role("button", name=no).click()
    assert stored(site)["sum_answer"] == "objected"
    expect(tab.get_by_role("button", name=no)).to_have_count(0)
    tab.get_by_role("button", name=yes).click()
    assert stored(site)["sum_answer"] == "agreed"


@pytest.mark.parametrize("language", ["en", "zh"])
def test_the_trader_reports_a_sum(site: Site, open_tab: OpenTab, language: str) -> None:
    merchant, _ = site.world.add_merchant(other_sums="operator")
    visit = DeskVisit.of_new_trader(site, open_tab(complaints="422", java_script_enabled=False))
    order = visit.put(
        OrderType.BUY, OrderStatus.PAID, merchant_id=merchant.merchant_id, fees=WORKED_FEES
    )
    visit.open(order, language)
    tab = visit.tab
    button = {"en": "Report this amount", "zh": "上报此金额"}[language]
    tab.locator("#amount").fill("0")
    tab.get_by_role("button", name=button).click()
    expect(tab.locator("#amount")).to_have_value("0")
    expect(tab.locator("#sum-problem")).to_be_visible()
    tab.locator("#amount").fill("950.5")
    tab.get_by_role("button", name=button).click()
    assert stored(site, order.order_no)["reported_fen"] == 950_50


def test_a_returned_sell_takes_a_proof(site: Site, open_tab: OpenTab) -> None:
    visit = DeskVisit.of_new_trader(site, open_tab(java_script_enabled=False))
    own = Return(visit.trader.trader_id, site.now, 2)
    order = visit.put(OrderType.SELL, OrderStatus.MATCHING, returns=(own,), receipts=())
    visit.change(order, trader_id=None)
    visit.open(order)
    heading(visit.tab, "Returned: no longer yours")
    visit.upload(javascript=False)
    assert stored(site, order.order_no)["status"] == "disputed"
