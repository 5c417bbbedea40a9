"""Copy buttons in a browser: they keep their place in every font and have an accessible name."""

import pytest
from playwright.sync_api import Page, expect

from orderdesk.domain.ids import payment_reference
from orderdesk.domain.orders.order import OrderStatus
from orderdesk.domain.pricing import OrderType
from tests.browser.chromium import DESKTOP, PHONE
from tests.browser.desk_states import desk_number
from tests.browser.desk_visit import DeskVisit
from tests.browser.site import Site
from tests.browser.tabs import OpenTab, stop_clock
from tests.support.orders import CUSTOMERS_CARD, ORDER_NO, buy_order
from tests.support.seed import BANK_METHOD

pytestmark = pytest.mark.whole_chromium

# The first is the tests' font; the others make every word at least as wide as in other fonts.
SPACINGS = ["normal", "0.12em", "0.6em"]

SPREAD = """(spacing) => {
    for (const element of document.querySelectorAll("*")) element.style.letterSpacing = spacing;
}"""
# A sticky element moves on the page when a click scrolls to its button.
BOXES = """() => [...document.querySelectorAll("main *")].map((element) => {
    const { tagName, offsetLeft, offsetTop, offsetWidth, offsetHeight } = element;
    const sticks = getComputedStyle(element).position === "sticky";
    return [tagName, offsetLeft, sticks ? 0 : offsetTop, offsetWidth, offsetHeight];
})"""


def open_page(site: Site, tab: Page, page: str, language: str) -> None:
    if page == "pay":
        tab.goto(f"{site.put(buy_order(site.now, fen=12345_60))}?lang={language}")
    else:
        visit = DeskVisit.of_new_trader(site, tab)
        order = visit.put(OrderType.SELL, OrderStatus.ASSIGNED, fen=12345_60)
        tab.goto(f"{site.desk_url}/orders")  # so that its own page does not announce the order
        visit.open(order, language)


@pytest.mark.parametrize("spacing", SPACINGS)
@pytest.mark.parametrize("language", ["zh", "en"])
@pytest.mark.parametrize("page", ["pay", "desk"])
def test_copying_moves_nothing_in_any_font(
    site: Site, open_tab: OpenTab, page: str, language: str, spacing: str
) -> None:
    tab = open_tab(PHONE)
    stop_clock(tab, site.now)
    open_page(site, tab, page, language)
    tab.evaluate(SPREAD, spacing)
    said, buttons = tab.locator("#said"), tab.locator("button.copy")
    for viewport in (PHONE, DESKTOP):
        tab.set_viewport_size(viewport)
        before = tab.evaluate(BOXES)
        for button in buttons.all():
            button.click()
            expect(said).not_to_be_empty()
            assert tab.evaluate(BOXES) == before
            tab.clock.run_for(2000)
            expect(said).to_be_empty()
            assert tab.evaluate(BOXES) == before


@pytest.mark.parametrize(
    ("language", "before", "after"),
    [("zh", "复制 订单号", "已复制 订单号"), ("en", "Copy Order number", "Copied Order number")],
)
def test_the_button_names_its_value(
    site: Site, open_tab: OpenTab, language: str, before: str, after: str
) -> None:
    tab = open_tab()
    stop_clock(tab, site.now)
    open_page(site, tab, "pay", language)
    button = tab.locator("button.copy").last
    expect(button).to_have_accessible_name(before)
    button.click()
    expect(button).to_have_accessible_name(after)
    expect(tab.locator("#said")).to_have_text(after)
    tab.clock.run_for(2000)
    expect(button).to_have_accessible_name(before)


COPIED = {
    "pay": {
        "Amount to transfer": "12345.60",
        "Card number": BANK_METHOD.card_number,
        "Remark of the transfer": payment_reference(ORDER_NO),
        "Order number": ORDER_NO,
    },
    "desk": {
        "You pay": "12345.60",
        "Card number": CUSTOMERS_CARD.card_number,
        "Payee": CUSTOMERS_CARD.real_name,
        "Order number": desk_number(OrderType.SELL),
    },
}


@pytest.mark.parametrize("page", COPIED)
def test_the_clipboard_gets_plain_values(site: Site, open_tab: OpenTab, page: str) -> None:
    tab = open_tab(permissions=["clipboard-read", "clipboard-write"])
    open_page(site, tab, page, "en")
    for label, text in COPIED[page].items():
        button = tab.get_by_role("button", name=label)
        button.click()
        expect(tab.locator("#said")).to_have_text(f"Copied {label}")
        expect(button).to_be_focused()
        assert tab.evaluate("navigator.clipboard.readText()") == text
