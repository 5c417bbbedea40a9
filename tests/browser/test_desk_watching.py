"""The desk's pages follow what happens elsewhere, in a browser."""

import re
import time
from dataclasses import replace

from playwright.sync_api import expect

from orderdesk.domain.ids import token_hash
from orderdesk.domain.orders.order import OrderStatus
from orderdesk.domain.pricing import OrderType
from tests.browser.desk_visit import DeskVisit, heading
from tests.browser.site import Site
from tests.browser.tabs import OpenTab

BUY, SELL = OrderType.BUY, OrderType.SELL
REFUSED = r"status of 4(01|09|22)"


def test_the_list_follows_what_happens_and_says_so(site: Site, open_tab: OpenTab) -> None:
    visit = DeskVisit.of_new_trader(site, open_tab())
    tab = visit.tab
    order = visit.put(BUY, OrderStatus.PENDING)
    expect(tab.locator(".chip")).to_have_text("Not paid yet", timeout=8000)
    expect(tab.get_by_role("status")).to_have_text("Your orders have changed.")
    expect(tab).to_have_title("(1) Orders · orderdesk")
    visit.change(order, status=OrderStatus.PAID)
    expect(tab.locator(".chip")).to_have_text("Reported as paid", timeout=8000)
    site.world.put_trader(replace(site.world.trader(visit.trader.trader_id), online=False))
    expect(tab.locator(".duty")).to_contain_text("Off duty", timeout=8000)


def test_an_orders_page_says_that_there_is_news(site: Site, open_tab: OpenTab) -> None:
    visit = DeskVisit.of_new_trader(site, open_tab())
    tab, order = visit.tab, visit.put(BUY, OrderStatus.PENDING)
    visit.open(order)
    with tab.expect_response(re.compile("/trader/status"), timeout=8000):
        pass
    expect(tab.locator("#news")).to_be_hidden()
    visit.change(order, status=OrderStatus.PAID)
    expect(tab.locator("#news")).to_be_visible(timeout=8000)
    tab.get_by_role("link", name="Reload this page").click()
    heading(tab, "Check whether the money has arrived")


def test_a_session_that_ends_elsewhere_ends_here(site: Site, open_tab: OpenTab) -> None:
    visit = DeskVisit.of_new_trader(site, open_tab(complaints=REFUSED))
    now = site.world.trader(visit.trader.trader_id)
    site.world.put_trader(replace(now, access_code_hash=token_hash("another")))
    expect(visit.tab).to_have_url(re.compile("/trader/login"), timeout=8000)


def test_the_time_to_answer_runs_out_before_ones_eyes(site: Site, open_tab: OpenTab) -> None:
    visit = DeskVisit.of_new_trader(site, open_tab())
    visit.open(visit.put(SELL, OrderStatus.ASSIGNED, expire_time=int(time.time()) + 4))
    timer = visit.tab.get_by_role("timer")
    expect(timer).to_have_text("00:01", timeout=8000)
    expect(timer).to_have_text("Overdue", timeout=8000)


def test_a_double_click_confirms_once(site: Site, open_tab: OpenTab) -> None:
    visit = DeskVisit.of_new_trader(site, open_tab())
    tab = visit.tab
    visit.open(visit.put(BUY, OrderStatus.PAID))
    sent: list[str] = []
    tab.on("request", lambda asked: sent.append(asked.url) if asked.method == "POST" else None)
    tab.get_by_role("link", name="Confirm receipt").click()
    tab.get_by_role("button", name="Yes, it has arrived").dblclick()
    heading(tab, "Receipt confirmed")
    assert len(sent) == 1


def test_what_came_first_is_told(site: Site, open_tab: OpenTab) -> None:
    visit = DeskVisit.of_new_trader(site, open_tab(complaints=REFUSED))
    order = visit.put(BUY, OrderStatus.PAID)
    visit.open(order)
    visit.change(order, status=OrderStatus.DISPUTED)
    visit.tab.get_by_role("link", name="Confirm receipt").click()
    visit.tab.get_by_role("button", name="Yes, it has arrived").click()
    expect(visit.tab.get_by_role("alert")).to_contain_text("Nothing was changed")
    heading(visit.tab, "Under review")
    visit.tab.get_by_role("link", name="中文").click()
    heading(visit.tab, "核查中")
