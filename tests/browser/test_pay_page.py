"""The pay page in a browser: phone and desktop, with and without JavaScript."""

import re
from collections.abc import Callable, Iterator
from dataclasses import replace
from itertools import pairwise

import pytest
from playwright.sync_api import Locator, Page, ViewportSize, expect

from orderdesk.domain.orders.order import DISPUTE_AFTER_SECONDS, Order, OrderStatus
from orderdesk.domain.payment_methods import PaymentMethod
from tests.browser.chromium import DESKTOP, PHONE
from tests.browser.site import Site
from tests.browser.tabs import OpenTab, is_seen, shifts_in, stop_clock, watch_shifts
from tests.support.orders import ORDER_NO, WINDOW_SECONDS, buy_order
from tests.support.seed import ALIPAY_METHOD, BANK_METHOD, WECHAT_METHOD

NARROW = ViewportSize(width=320, height=640)


@pytest.mark.parametrize(("viewport", "javascript"), [(PHONE, True), (DESKTOP, False)])
def test_a_payer_sees_the_amount_and_the_account(
    site: Site, open_tab: OpenTab, viewport: ViewportSize, *, javascript: bool
) -> None:
    tab = open_tab(viewport, java_script_enabled=javascript, locale="zh-CN")
    tab.goto(site.put(buy_order(site.now)))
    expect(tab.locator("html")).to_have_attribute("lang", "zh-CN")
    expect(tab.get_by_role("heading", level=1)).to_have_text("等待您转账")
    expect(tab.locator(".sum")).to_have_text("¥1,000.37")
    expect(tab.locator("main")).to_contain_text("6200 0000 0000 0001 234")
    expect(tab.locator("main")).to_contain_text(ORDER_NO)
    expect(tab.locator("button.copy").first).to_be_visible(visible=javascript)
    expect(tab.locator("noscript a")).to_have_count(0 if javascript else 1)
    tab.get_by_role("link", name="English").click()
    expect(tab.get_by_role("heading", level=1)).to_have_text("Waiting for your transfer")


def test_without_javascript_a_link_shows_the_status_of_now(site: Site, open_tab: OpenTab) -> None:
    now = site.now
    tab = open_tab(java_script_enabled=False)
    tab.goto(site.put(buy_order(now)) + "?lang=zh")
    site.put(buy_order(now, OrderStatus.COMPLETED))
    tab.get_by_role("link", name="立即查看最新状态").click()
    expect(tab.get_by_role("heading", level=1)).to_have_text("付款已完成")


@pytest.mark.parametrize(
    ("status", "headline"), [("paid", "Payment reported"), ("cancelled", "Order cancelled")]
)
def test_the_page_follows_the_order(
    site: Site, open_tab: OpenTab, status: str, headline: str
) -> None:
    tab = open_tab()
    tab.clock.install()
    tab.goto(site.put(buy_order(site.now)))
    site.put(buy_order(site.now, OrderStatus(status)))
    site.let_time_pass(tab, seconds=66)  # a minute plus up to a tenth of jitter
    expect(tab.get_by_role("heading", level=1)).to_have_text(headline)


def test_the_time_runs_out_while_the_page_is_open(site: Site, open_tab: OpenTab) -> None:
    tab = open_tab()
    stop_clock(tab, site.now)
    tab.goto(site.put(buy_order(site.now)))
    expect(tab.get_by_role("heading", level=1)).to_have_text("Waiting for your transfer")
    site.let_time_pass(tab, seconds=WINDOW_SECONDS - 1)
    expect(tab.get_by_role("timer")).to_have_text("00:01")
    site.let_time_pass(tab, seconds=1)
    tab.clock.resume()
    expect(tab.get_by_role("heading", level=1)).to_have_text("Time has run out")


POLLS = """
window.polls = [];
window.fetch = async () => {
    polls.push(Date.now() / 1000);
    return {ok: true, json: async () => ({status: document.getElementById("pay").dataset.status})};
};
"""


@pytest.mark.parametrize(
    ("status", "gaps"),
    [(OrderStatus.PENDING, [60, 120, 120]), (OrderStatus.PAID, [18, 9, 9, 9, 9])],
)
def test_polls_follow_the_schedule_and_stop(
    site: Site, open_tab: OpenTab, status: OrderStatus, gaps: list[int]
) -> None:
    tab = open_tab()
    stop_clock(tab, site.now)
    tab.add_init_script(f"Math.random = () => 0.5; {POLLS}")
    tab.goto(site.put(buy_order(site.now, status)))
    opened = tab.evaluate("Date.now() / 1000")
    tab.clock.run_for((sum(gaps) + 5) * 1000)
    found = [later - sooner for sooner, later in pairwise([opened, *tab.evaluate("polls")])]
    assert found == pytest.approx(gaps, abs=0.1)
    site.put(buy_order(site.now, OrderStatus.COMPLETED))
    tab.goto(tab.url)
    tab.get_by_role("button", name="Stay on this page").click()
    tab.clock.run_for(120_000)
    assert tab.evaluate("polls") == []


def test_a_hidden_page_does_not_poll(site: Site, open_tab: OpenTab) -> None:
    tab = open_tab()
    stop_clock(tab, site.now)
    hidden = "Object.defineProperty(document, 'hidden', {value: true, configurable: true});"
    tab.add_init_script(hidden + POLLS)
    tab.goto(site.put(buy_order(site.now, OrderStatus.PAID)))
    tab.clock.run_for(120_000)
    assert tab.evaluate("polls") == []
    tab.evaluate("delete document.hidden; document.dispatchEvent(new Event('visibilitychange'))")
    assert len(tab.evaluate("polls")) == 1


def test_a_completed_page_returns_to_the_merchant_unless_the_payer_stays(
    site: Site, open_tab: OpenTab
) -> None:
    tab = open_tab()
    back = site.wrong_url.partition("/pay/")[0] + "/trader/login?from=pay"
    order = buy_order(site.now, OrderStatus.COMPLETED, return_url=back)
    stop_clock(tab, site.now)
    tab.goto(site.put(order))
    told = tab.locator("#returning")
    expect(told).to_contain_text("Back to the merchant in 10 s")
    tab.clock.run_for(3000)
    expect(told).to_contain_text("in 7 s")
    tab.get_by_role("button", name="Stay on this page").click()
    tab.clock.run_for(30_000)
    expect(told).to_be_hidden()
    tab.reload()
    tab.clock.run_for(11_000)
    tab.wait_for_url(back)


def test_an_offline_page_says_so_and_that_it_is_back(site: Site, open_tab: OpenTab) -> None:
    tab = open_tab(complaints="ERR_INTERNET_DISCONNECTED")
    tab.goto(site.put(buy_order(site.now, OrderStatus.PAID)))
    told = tab.locator("#connection")
    expect(told).to_be_hidden()
    tab.context.set_offline(True)
    expect(told).to_have_text(re.compile("You are offline"))
    tab.context.set_offline(False)
    expect(told).to_have_text("You are connected again.")


@pytest.mark.parametrize("is_phone", [True, False])
def test_a_phone_opens_the_code_in_its_app_and_a_desktop_hands_over(
    site: Site, open_tab: OpenTab, *, is_phone: bool
) -> None:
    of_phone = {"has_touch": True, "is_mobile": True}
    tab = open_tab(PHONE, **of_phone) if is_phone else open_tab(DESKTOP)
    method = replace(ALIPAY_METHOD, qr_code="https://qr.alipay.com/fkx1a-payment-code")
    tab.goto(site.put(buy_order(site.now, payment_method=method)) + "?lang=zh")
    app, handoff = tab.get_by_role("link", name="打开支付宝"), tab.locator(".handoff")
    expect(app).to_be_visible(visible=is_phone)
    expect(handoff).to_be_visible(visible=not is_phone)
    if is_phone:
        link = "alipays://platformapi/startapp?saId=10000007&qrcode="
        code = "https%3A%2F%2Fqr.alipay.com%2Ffkx1a-payment-code"
        expect(app).to_have_attribute("href", link + code)
    else:
        handoff.locator("summary").click()
        expect(handoff.get_by_role("img")).to_be_visible()


def test_copying_refreshes_the_status(site: Site, open_tab: OpenTab) -> None:
    tab = open_tab()
    stop_clock(tab, site.now)
    tab.goto(site.put(buy_order(site.now)))
    site.put(buy_order(site.now, OrderStatus.CANCELLED))
    site.let_time_pass(tab, seconds=6)
    expect(tab.get_by_role("heading", level=1)).to_have_text("Waiting for your transfer")
    tab.get_by_role("button", name="Card number").click()
    expect(tab.get_by_role("heading", level=1)).to_have_text("Order cancelled")


@pytest.mark.parametrize("javascript", [True, False])
def test_a_drawn_code_is_saved_as_a_picture(
    site: Site, open_tab: OpenTab, *, javascript: bool
) -> None:
    tab = open_tab(java_script_enabled=javascript)
    method = replace(WECHAT_METHOD, qr_code="wxp://f2f0-a-payment-code")
    asked: list[str] = []
    tab.on("request", lambda request: asked.append(request.url))
    address = site.put(buy_order(site.now, payment_method=method))
    tab.goto(address)
    image = tab.get_by_alt_text("Payment code of the payee")
    expect(image).to_have_js_property("naturalWidth", 330)
    own = address.partition("/pay/")[0]
    assert {url for url in asked if not url.startswith((own, "data:", "blob:"))} == set()
    with tab.expect_download() as saving:
        tab.get_by_role("link", name="Save the picture").click()
    assert saving.value.suggested_filename == f"payment-code-{ORDER_NO}.png"
    assert saving.value.path().read_bytes().startswith(b"\x89PNG\r\n\x1a\n")


LONG = "非常长的名字" * 42
LONG_WORD = "x" * 255


@pytest.mark.parametrize(
    "method",
    [
        replace(BANK_METHOD, real_name=LONG, bank=LONG_WORD, sub_bank=LONG, card_number="1" * 32),
        replace(WECHAT_METHOD, real_name=LONG_WORD, account=LONG_WORD),
    ],
    ids=["bank", "wallet"],
)
def test_long_values_fit_a_narrow_phone(
    site: Site, open_tab: OpenTab, method: PaymentMethod
) -> None:
    tab = open_tab(NARROW)
    order = buy_order(site.now, fen=999_999_999_999_99, payment_method=replace(method, qr_code=""))
    tab.goto(site.put(order))
    assert tab.evaluate("document.documentElement.scrollWidth") <= NARROW["width"]


@pytest.mark.whole_chromium
@pytest.mark.parametrize("viewport", [PHONE, DESKTOP])
def test_nothing_shifts(site: Site, open_tab: OpenTab, viewport: ViewportSize) -> None:
    tab = open_tab(viewport)
    watch_shifts(tab)
    tab.clock.install()
    tab.goto(site.put(buy_order(site.now, payment_method=WECHAT_METHOD)))
    tab.get_by_role("button", name="Account").click()
    expect(tab.get_by_role("status")).to_have_text("Copied Account")
    site.let_time_pass(tab, seconds=3)
    expect(tab.get_by_role("status")).to_have_text("")
    assert shifts_in(tab) == []


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
