"""The desk and the portal on a narrow phone: nothing is wider than the screen."""

from dataclasses import replace

import pytest
from playwright.sync_api import ViewportSize, expect

from orderdesk.domain.orders.order import OrderStatus
from orderdesk.domain.pricing import OrderType
from tests.browser.chromium import DESKTOP, PHONE
from tests.browser.desk_states import desk_states
from tests.browser.desk_visit import DeskVisit
from tests.browser.portal_states import portal_states
from tests.browser.site import Site
from tests.browser.tabs import OpenTab, shifts_in, watch_shifts
from tests.support.orders import CUSTOMERS_CARD, CUSTOMERS_WALLET

NARROW = ViewportSize(width=320, height=640)
REFUSED = r"status of 4(01|04|09|22)"
WIDTH = "document.documentElement.scrollWidth"
LARGE = "document.documentElement.style.fontSize = '200%'"
IN_LINES = """(all) => all.filter((part) => part.getClientRects().length > 1)
    .map((part) => part.textContent)"""
# A card cuts off what is wider, except for tables, which scroll.
CUT_OFF = """[...document.querySelectorAll(".card:not(.totals)")]
    .filter((card) => card.scrollWidth > card.clientWidth).map((card) => card.textContent)"""
ROW_PX_MAX = 50
LONG = "非常长的名字" * 42
LONG_WORD = "x" * 255


@pytest.mark.parametrize("language", ["en", "zh"])
def test_every_state_fits_a_narrow_phone(site: Site, open_tab: OpenTab, language: str) -> None:
    tab, unfit = open_tab(NARROW, complaints=REFUSED), list[tuple[str, str]]()
    for name in desk_states(tab, site, language):
        if tab.evaluate(WIDTH) > NARROW["width"]:
            unfit.append((name, "narrow"))
        tab.set_viewport_size(PHONE)
        tab.evaluate(LARGE)
        if tab.evaluate(WIDTH) > PHONE["width"]:
            unfit.append((name, "large"))
        numbers = tab.locator(".number, .money, .digits, .usdt").evaluate_all(IN_LINES)
        unfit += ((name, part) for part in (*tab.evaluate(CUT_OFF), *numbers))
        tab.set_viewport_size(NARROW)
    assert unfit == []


@pytest.mark.parametrize("language", ["en", "zh"])
def test_every_portal_page_fits_also_in_large_text(
    site: Site, open_tab: OpenTab, language: str
) -> None:
    tab, wide = open_tab(NARROW, complaints=REFUSED), {}
    for name in portal_states(tab, site, language):
        for size in ("100%", "200%"):
            tab.evaluate("(size) => (document.documentElement.style.fontSize = size)", size)
            wide[name, size] = tab.evaluate(WIDTH)
    assert {look: width for look, width in wide.items() if width > NARROW["width"]} == {}


def test_long_values_fit_too(site: Site, open_tab: OpenTab) -> None:
    visit = DeskVisit.of_new_trader(site, open_tab(NARROW))
    card = replace(CUSTOMERS_CARD, real_name=LONG, bank=LONG_WORD, card_number="1" * 32)
    wallet = replace(CUSTOMERS_WALLET, account=LONG_WORD, qr_code=f"wxp://{LONG_WORD}")
    for method in (card, wallet):
        order = visit.put(
            OrderType.SELL, OrderStatus.ASSIGNED, fen=999_999_999_999_99, payment_method=method
        )
        visit.open(order)
        expect(visit.tab.locator(".drawn-code")).to_have_count(int(method is wallet))
        assert visit.tab.evaluate(WIDTH) <= NARROW["width"]
        visit.tab.goto(f"{site.desk_url}/orders?lang=en")
        assert visit.tab.evaluate(WIDTH) <= NARROW["width"]


@pytest.mark.parametrize("language", ["en", "zh"])
def test_tools_take_one_line_of_a_desktop(site: Site, open_tab: OpenTab, language: str) -> None:
    visit = DeskVisit.of_new_trader(site, open_tab(DESKTOP), language)
    assert visit.tab.evaluate("document.querySelector('.tools').offsetHeight") <= ROW_PX_MAX


@pytest.mark.whole_chromium
@pytest.mark.parametrize("viewport", [PHONE, DESKTOP])
def test_nothing_shifts(site: Site, open_tab: OpenTab, viewport: ViewportSize) -> None:
    tab = open_tab(viewport)
    watch_shifts(tab)
    visit = DeskVisit.of_new_trader(site, tab)
    order = visit.put(OrderType.BUY, OrderStatus.PAID)
    for path in ("orders", f"orders/{order.order_no}"):
        tab.goto(f"{site.desk_url}/{path}?lang=zh")
        assert shifts_in(tab) == [], path
        if path == "orders" and viewport == DESKTOP:
            assert tab.evaluate("document.querySelector('.item').offsetHeight") <= ROW_PX_MAX
    tab.get_by_role("button", name="复制").first.click()
    expect(tab.locator("#said")).to_contain_text("已复制")
    assert shifts_in(tab) == []
