"""The identity page in a browser: phone and desktop, with and without JavaScript."""

import re
from dataclasses import replace

import pytest
from playwright.sync_api import ViewportSize, expect

from orderdesk.domain.orders.drafts import DraftStatus
from tests.browser.chromium import PHONE
from tests.browser.identity_visit import SCREENS_AND_SCRIPTS, expect_state, send, waiting
from tests.browser.site import Site
from tests.browser.tabs import OpenTab, is_seen, stop_clock
from tests.support.orders import LIFE_SECONDS, RECORD

SMALL = ViewportSize(width=360, height=640)


@SCREENS_AND_SCRIPTS
def test_from_the_link_to_the_pay_page(
    site: Site, open_tab: OpenTab, viewport: ViewportSize, *, javascript: bool
) -> None:
    site.world.add_trader()
    tab = open_tab(viewport, java_script_enabled=javascript, locale="zh-CN")
    link = site.hold(waiting(site))
    tab.goto(link)
    expect(tab.get_by_role("heading", level=1)).to_have_text("请验证您的身份")
    expect(tab.locator(".sum")).to_have_text("¥1,000.37")
    tab.get_by_role("link", name="English").click()
    send(tab)
    tab.wait_for_url(re.compile(r"/pay/B\d{24}/[\w-]{43}\?lang=en$"))
    expect(tab.locator(".sum")).to_have_text("¥1,000.37")
    paying = tab.url
    tab.goto(f"{link}?lang=en")
    expect_state(tab, "completed")
    tab.get_by_role("link", name="Go to the payment page").click()
    tab.wait_for_url(paying)


def test_the_page_goes_on_when_another_submit_is_done(site: Site, open_tab: OpenTab) -> None:
    tab = open_tab()
    tab.clock.install()
    draft = waiting(site, attempt_time=site.now)
    tab.goto(site.hold(draft))
    expect_state(tab, "verifying")
    site.hold(replace(draft, status=DraftStatus.LOCKED, attempt_time=None))
    site.let_time_pass(tab, seconds=3)
    expect_state(tab, "locked")


def test_without_javascript_a_link_shows_the_state_of_now(site: Site, open_tab: OpenTab) -> None:
    tab = open_tab(java_script_enabled=False)
    draft = waiting(site, attempt_time=site.now)
    tab.goto(site.hold(draft))
    expect(tab.locator("noscript p")).to_be_visible()
    site.hold(replace(draft, attempt_time=None, identity=RECORD))
    tab.get_by_role("link", name="Check again now").click()
    expect_state(tab, "verified")


def test_the_time_runs_out_while_the_page_is_open(site: Site, open_tab: OpenTab) -> None:
    tab = open_tab()
    stop_clock(tab, site.now)
    tab.goto(site.hold(waiting(site)))
    expect_state(tab, "form")
    site.let_time_pass(tab, seconds=LIFE_SECONDS - 1)
    expect(tab.get_by_role("timer")).to_have_text("00:01")
    site.let_time_pass(tab, seconds=1)
    site.let_time_pass(tab, seconds=1)
    expect_state(tab, "expired")


@pytest.mark.parametrize("language", ["zh", "en"])
@pytest.mark.parametrize("viewport", [SMALL, PHONE], ids=["360x640", "390x844"])
def test_on_a_phone_the_amount_the_time_and_the_first_field_are_seen_at_once(
    site: Site, open_tab: OpenTab, viewport: ViewportSize, language: str
) -> None:
    tab = open_tab(viewport)
    tab.goto(f"{site.hold(waiting(site))}?lang={language}")
    for part in (".sum", "#clock", "#customer_name"):
        assert is_seen(tab.locator(part)), part
