"""On a phone the payer sees amount, remaining time and next step without scrolling."""

from collections.abc import Callable, Iterator
from dataclasses import replace

import pytest
from playwright.sync_api import Locator, Page, ViewportSize, expect

from orderdesk.domain.orders.order import DISPUTE_AFTER_SECONDS, Order, OrderStatus
from orderdesk.domain.payment_methods import PaymentMethod
from tests.browser.chromium import DESKTOP, PHONE
from tests.browser.site import Site
from tests.browser.tabs import OpenTab, is_seen
from tests.support.orders import buy_order
from tests.support.seed import ALIPAY_METHOD, BANK_METHOD, WECHAT_METHOD

SMALL = ViewportSize(width=360, height=640)
LYING = ViewportSize(width=640, height=360)
LANGUAGES = pytest.mark.parametrize("language", ["zh", "en"])
CODE = replace(WECHAT_METHOD, qr_code="wxp://f2f0-a-payment-code")


def scroll_to(tab: Page, selector: str) -> None:
    tab.locator(selector).last.evaluate("(part) => part.scrollIntoView({block: 'center'})")


def on_phones(tab: Page) -> Iterator[ViewportSize]:
    """Show the top of the page on each phone."""
    for viewport in (SMALL, PHONE):
        tab.set_viewport_size(viewport)
        tab.evaluate("scrollTo(0, 0)")
        yield viewport


def top_of(part: Locator) -> float:
    """Return where a part begins, in pixels from the top of the screen."""
    box = part.bounding_box()
    assert box is not None
    return box["y"]


def hidden(tab: Page, *parts: str) -> list[str]:
    """Return those of some parts that are not seen."""
    return [part for part in parts if not is_seen(tab.locator(part))]


@LANGUAGES
@pytest.mark.parametrize("method", [BANK_METHOD, CODE], ids=["bank", "code"])
@pytest.mark.parametrize("needs_receipt", [False, True], ids=["", "receipt needed"])
def test_amount_time_and_step_are_seen_before_and_while_scrolling(
    site: Site, open_tab: OpenTab, language: str, method: PaymentMethod, *, needs_receipt: bool
) -> None:
    tab = open_tab()
    order = buy_order(site.now, payment_method=method, receipt_required=needs_receipt)
    tab.goto(f"{site.put(order)}?lang={language}")
    parts = (".sum", "#clock", ".at-hand a" if needs_receipt else ".report form button")
    for viewport in on_phones(tab):
        assert hidden(tab, *parts) == [], viewport
        for place in (".receiving dd", ".receiving .by", ".next h2"):
            scroll_to(tab, place)
            assert hidden(tab, *parts) == [], (viewport, place)
        assert hidden(tab, ".next h2") == []


@LANGUAGES
def test_also_under_an_alert(site: Site, open_tab: OpenTab, language: str) -> None:
    tab = open_tab(complaints="status of 422")
    tab.goto(f"{site.put(buy_order(site.now))}?lang={language}")
    site.put(buy_order(site.now, receipt_required=True))
    tab.locator(".report form button").click()
    tab.locator("#reported button[type=submit]").click()
    expect(tab.get_by_role("alert").first).to_be_visible()
    for viewport in on_phones(tab):
        assert hidden(tab, ".sum", "#clock", ".at-hand a") == [], viewport


def unconfirmed(now: int) -> Order:
    return buy_order(now - DISPUTE_AFTER_SECONDS, OrderStatus.PAID)


def completed(now: int) -> Order:
    return buy_order(now, OrderStatus.COMPLETED)


@LANGUAGES
@pytest.mark.parametrize(("order", "step"), [(unconfirmed, "#ask"), (completed, ".state .button")])
def test_a_page_without_a_clock_shows_its_amount_and_its_next_step(
    site: Site, open_tab: OpenTab, language: str, order: Callable[[int], Order], step: str
) -> None:
    tab = open_tab()
    tab.goto(f"{site.put(order(site.now))}?lang={language}")
    for viewport in on_phones(tab):
        assert hidden(tab, ".sum", step) == [], viewport


@pytest.mark.parametrize("viewport", [LYING, DESKTOP], ids=["lying", "desktop"])
def test_on_low_and_high_screens_nothing_is_sticky(
    site: Site, open_tab: OpenTab, viewport: ViewportSize
) -> None:
    tab = open_tab(viewport)
    tab.goto(site.put(buy_order(site.now)))
    for part in (".due", ".report"):
        expect(tab.locator(part)).not_to_have_css("position", "sticky")


@LANGUAGES
def test_on_a_phone_the_wallet_and_the_payee_come_before_the_code(
    site: Site, open_tab: OpenTab, language: str
) -> None:
    tab = open_tab(SMALL, has_touch=True, is_mobile=True)
    code = replace(ALIPAY_METHOD, qr_code="https://qr.alipay.com/fkx00000000000000000000")
    tab.goto(f"{site.put(buy_order(site.now, payment_method=code))}?lang={language}")
    app = tab.locator(".receiving > a.only-touch")
    expect(app).to_be_in_viewport(ratio=1)
    parts = (app, tab.locator(".row-payee"), tab.locator(".row-reference"))
    tops = [top_of(part) for part in (*parts, tab.locator(".payment-code"))]
    assert tops == sorted(tops)


def test_on_a_desktop_the_code_comes_before_the_rows(site: Site, open_tab: OpenTab) -> None:
    tab = open_tab(DESKTOP)
    tab.goto(site.put(buy_order(site.now, payment_method=CODE)))
    parts = (tab.locator(".payment-code"), tab.locator(".row-payee"))
    code, payee = map(top_of, parts)
    assert code < payee
