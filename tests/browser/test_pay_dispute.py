"""The dispute of an unconfirmed payment, in a browser: with and without JavaScript."""

import re

import pytest
from playwright.sync_api import FilePayload, expect

from orderdesk.domain.orders.order import DISPUTE_AFTER_SECONDS, OrderStatus
from tests.browser.desk_visit import heading
from tests.browser.site import Site
from tests.browser.tabs import OpenTab
from tests.support import receipt_samples as samples
from tests.support.orders import ORDER_NO, buy_order


def put(site: Site, *, seconds_left: int) -> str:
    """Store a paid order that may be disputed after some seconds."""
    paid = site.now - DISPUTE_AFTER_SECONDS + seconds_left
    return site.put(buy_order(paid, OrderStatus.PAID))


def status(site: Site) -> object:
    return (site.world.get("Orders", {"pk": ORDER_NO}) or {})["status"]


@pytest.mark.parametrize("javascript", [True, False])
def test_a_dispute_asks_first(site: Site, open_tab: OpenTab, *, javascript: bool) -> None:
    tab = open_tab(java_script_enabled=javascript)
    url = put(site, seconds_left=0)
    tab.goto(url)
    heading(tab, "Not confirmed yet")
    tab.get_by_role("link", name="Open a dispute").click()
    heading(tab, "Open a dispute?")
    tab.get_by_role("link", name="Keep waiting").click()
    heading(tab, "Not confirmed yet")
    assert status(site) == "paid"
    tab.get_by_role("link", name="Open a dispute").click()
    tab.get_by_label("What happened?").fill("It left my account\nat noon.")
    tab.get_by_role("button", name="Open a dispute").click()
    heading(tab, "Payment disputed")
    expect(tab.locator(".dispute .own .words")).to_have_text("It left my account\nat noon.")
    assert tab.url == url
    assert status(site) == "disputed"


def test_the_page_offers_it_once_the_time_has_come(site: Site, open_tab: OpenTab) -> None:
    tab = open_tab()
    tab.clock.install()
    tab.goto(put(site, seconds_left=600))
    heading(tab, "Payment reported")
    expect(tab.locator("main")).to_contain_text(re.compile(r"not confirmed by \d\d:\d\d"))
    expect(tab.get_by_role("link", name="Open a dispute")).to_have_count(0)
    site.let_time_pass(tab, seconds=600)
    heading(tab, "Not confirmed yet")


def test_a_receipt_that_was_chosen_is_not_lost_then(site: Site, open_tab: OpenTab) -> None:
    tab = open_tab()
    tab.clock.install()
    opened: list[str] = []
    tab.on("framenavigated", lambda frame: opened.append(frame.url))
    tab.goto(put(site, seconds_left=600))
    picture = FilePayload(name="a.png", mimeType="image/png", buffer=samples.png())
    tab.get_by_label("Receipt file").set_input_files(picture)
    for _ in range(3):
        with tab.expect_response(re.compile("/status")):
            site.let_time_pass(tab, seconds=700)
    assert len(opened) == 1
    tab.get_by_role("button", name="Send receipt").click()
    expect(tab.locator(".proof")).to_contain_text("1 of 5 received")


@pytest.mark.parametrize("button", ["Send", "Send the picture"])
def test_a_text_and_a_picture_are_sent_together(site: Site, open_tab: OpenTab, button: str) -> None:
    tab = open_tab()
    tab.goto(site.put(buy_order(site.now, OrderStatus.DISPUTED)))
    tab.locator("#text").fill("It left my account at noon.")
    picture = FilePayload(name="a.png", mimeType="image/png", buffer=samples.png())
    tab.locator("#file").set_input_files(picture)
    tab.get_by_role("button", name=button, exact=True).click()
    expect(tab.locator(".dispute img")).to_be_visible()
    expect(tab.locator(".dispute .own .words")).to_have_text("It left my account at noon.")
