"""The desk on narrow and wide screens, its inbox and its keys."""

from dataclasses import replace

import pytest
from playwright.sync_api import ViewportSize, expect

from orderdesk.domain.orders.order import OrderStatus
from orderdesk.domain.pricing import OrderType
from orderdesk.web.pages.desk.desk_texts import DeskTexts
from orderdesk.web.pages.texts import Language
from tests.browser.chromium import DESKTOP, PHONE
from tests.browser.desk_states import desk_states
from tests.browser.desk_visit import DeskVisit
from tests.browser.site import Site
from tests.browser.tabs import OpenTab, shifts_in, watch_shifts
from tests.support.orders import CUSTOMERS_CARD, CUSTOMERS_WALLET, ORDER_NO

NARROW = ViewportSize(width=320, height=640)
REFUSED = r"status of 4(01|04|09|22)"
WIDTH = "document.documentElement.scrollWidth"
WIDE_LETTERS = "document.documentElement.style.letterSpacing = '.07em'"
ROW_PX_MAX = 50
CHROME_MAX = 120
SMALL_DESKTOP = ViewportSize(width=1280, height=800)
LONG = "非常长的名字" * 42
LONG_WORD = "x" * 255


@pytest.mark.parametrize("width", [900, 1100, 1280, 1440])
@pytest.mark.parametrize("language", ["en", "zh"])
def test_no_desk_page_is_wider_than_a_desktop_in_a_wide_typeface(
    site: Site, open_tab: OpenTab, language: str, width: int
) -> None:
    """A typeface that is installed in place of ours may have letters that are a tenth wider."""
    tab = open_tab(ViewportSize(width=width, height=800), complaints=REFUSED)
    wide = {}
    for name in desk_states(tab, site, language):
        tab.evaluate(WIDE_LETTERS)
        wide[name] = tab.evaluate(WIDTH)
    assert {name: found for name, found in wide.items() if found > width} == {}


def test_long_values_fit_too(site: Site, open_tab: OpenTab) -> None:
    visit = DeskVisit.of_new_trader(site, open_tab(NARROW))
    card = replace(CUSTOMERS_CARD, real_name=LONG, bank=LONG_WORD, card_number="1" * 32)
    wallet = replace(CUSTOMERS_WALLET, account=LONG_WORD, qr_code=f"wxp://{LONG_WORD}"[:255])
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
def test_a_desktop_shows_sixteen_orders_with_their_actions(
    site: Site, open_tab: OpenTab, language: str
) -> None:
    visit = DeskVisit.of_new_trader(site, open_tab(SMALL_DESKTOP), language, open_orders=16)
    for number in range(16):
        status = (OrderStatus.PAID, OrderStatus.PENDING)[number % 2]
        changes = {"order_no": f"{ORDER_NO[:-3]}{number:03d}", "order_id": 1 + number}
        visit.put(OrderType.BUY, status, fen=12_345_600 + number % 3, **changes)
    tab = visit.tab
    tab.goto(f"{site.desk_url}/orders?lang={language}")
    assert tab.evaluate("document.getElementById('open').getBoundingClientRect().top") <= CHROME_MAX
    rows = tab.locator(".item")
    expect(rows).to_have_count(16)
    for row in rows.all():
        expect(row).to_be_in_viewport(ratio=0.99)
        expect(row.locator(".in-act a")).to_be_in_viewport(ratio=1)
    tab.locator(".item").first.locator(".in-act a").click()
    expect(tab.get_by_role("heading", level=1)).to_have_text(
        DeskTexts(Language(language)).order.confirm[OrderType.BUY].notice.headline
    )


def test_keys_move_between_the_orders_open_one_and_search(site: Site, open_tab: OpenTab) -> None:
    visit = DeskVisit.of_new_trader(site, open_tab(DESKTOP), open_orders=3)
    for number in range(3):
        changes = {"order_no": f"{ORDER_NO[:-3]}{number:03d}", "order_id": 1 + number}
        visit.put(OrderType.BUY, OrderStatus.PAID, fen=1000_00 + number, **changes)
    tab = visit.tab
    tab.goto(f"{site.desk_url}/orders?lang=en")
    links = tab.locator(".item .stretch")
    for key, place in (("j", 0), ("j", 1), ("j", 2), ("j", 2), ("k", 1)):
        tab.keyboard.press(key)
        expect(links.nth(place)).to_be_focused()
    tab.keyboard.press("/")
    expect(tab.locator("#q")).to_be_focused()
    tab.keyboard.type("jk/")
    expect(tab.locator("#q")).to_have_value("jk/")
    links.nth(1).focus()
    order_no = tab.locator(".item .in-order .code").nth(1).inner_text()
    tab.keyboard.press("Enter")
    tab.wait_for_url(f"**/orders/{order_no}*")


def test_the_keys_are_switched_off_and_stay_off(site: Site, open_tab: OpenTab) -> None:
    """WCAG 2.1.4: a shortcut of a single character can be turned off."""
    visit = DeskVisit.of_new_trader(site, open_tab(DESKTOP))
    visit.put(OrderType.BUY, OrderStatus.PAID)
    tab = visit.tab
    tab.goto(f"{site.desk_url}/orders?lang=en")
    switch, first = tab.get_by_role("button", name="Keyboard shortcuts"), tab.locator(".stretch")
    expect(switch).to_have_attribute("aria-pressed", "true")
    switch.click()
    for _ in range(2):
        expect(switch).to_have_attribute("aria-pressed", "false")
        for key in ("j", "/"):
            tab.keyboard.press(key)
        expect(first).not_to_be_focused()
        expect(tab.locator("#q")).not_to_be_focused()
        tab.reload()
    switch.click()
    tab.keyboard.press("j")
    expect(first).to_be_focused()


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
