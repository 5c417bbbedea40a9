"""A payer's actions on the pay page, in a browser: with and without JavaScript."""

import re

import pytest
from playwright.sync_api import FilePayload, expect

from orderdesk.adapters import receipts
from orderdesk.adapters.dynamodb.keys import Key
from orderdesk.adapters.dynamodb.orders.items import order_of
from orderdesk.domain.orders.order import Order, OrderStatus
from orderdesk.domain.receipts.files import MAX_BYTES
from orderdesk.domain.receipts.shares import Place, common_places, own_places
from tests.browser.desk_visit import heading, send_receipt
from tests.browser.site import Site
from tests.browser.tabs import OpenTab
from tests.support import receipt_samples as samples
from tests.support.orders import MERCHANT_ID, ORDER_NO, WINDOW_SECONDS, buy_order

REFUSED = r"status of 4(00|09|22)"
BOTH = pytest.mark.parametrize("javascript", [True, False])


def stored(site: Site) -> Order:
    return order_of(site.world.get("Orders", {"pk": ORDER_NO}) or {})


def put(site: Site, order: Order) -> str:
    """Store an order and its trader, so that its USDT can be released."""
    trader = site.world.add_trader(
        trader_id=order.trader_id, held_micro=order.quote.trader_micro, open_orders=1
    )
    assert trader.trader_id == order.trader_id
    return site.put(order)


def file(name: str, kind: str, content: bytes) -> FilePayload:
    return FilePayload(name=name, mimeType=kind, buffer=content)


@BOTH
def test_i_have_paid(site: Site, open_tab: OpenTab, *, javascript: bool) -> None:
    tab = open_tab(java_script_enabled=javascript, locale="en-GB")
    url = put(site, buy_order(site.now)) + "?lang=zh"
    tab.goto(url)
    question = "已转账 ¥1,000.37 至 交易员甲（尾号 1234）？"
    keep = tab.get_by_role("button" if javascript else "link", name="尚未转账")
    for answer in (keep, tab.get_by_role("button", name="确认已付款")):
        tab.get_by_role("button", name="我已付款").click()
        if javascript:
            expect(tab.get_by_role("dialog", name=question)).to_be_visible()
        else:
            heading(tab, question)
        assert stored(site).status is OrderStatus.PENDING
        answer.click()
    heading(tab, "付款已提交")
    assert tab.url == url
    assert stored(site).status is OrderStatus.PAID
    sent: list[str] = []
    tab.on("request", lambda asked: sent.append(asked.method))
    tab.reload()
    heading(tab, "付款已提交")
    assert sent[0] == "GET", "a reload sends nothing again"


@BOTH
def test_cancel_asks_first(site: Site, open_tab: OpenTab, *, javascript: bool) -> None:
    tab = open_tab(java_script_enabled=javascript)
    url = put(site, buy_order(site.now))
    tab.goto(url)
    question = "Cancel this order?"
    tab.get_by_role("link", name="Cancel this order").click()
    if javascript:
        expect(tab.get_by_role("dialog", name=question)).to_be_visible()
        expect(tab.get_by_role("button", name="Keep the order")).to_be_focused()
        tab.get_by_role("button", name="Keep the order").click()
        expect(tab.get_by_role("dialog")).to_be_hidden()
    else:
        heading(tab, question)
        tab.get_by_role("link", name="Keep the order").click()
    heading(tab, "Waiting for your transfer")
    assert stored(site).status is OrderStatus.PENDING
    tab.get_by_role("link", name="Cancel this order").click()
    tab.get_by_role("button", name="Cancel the order").click()
    heading(tab, "Order cancelled")
    assert tab.url == url
    assert stored(site).status is OrderStatus.CANCELLED


@BOTH
def test_a_receipt_without_a_place_waits_and_is_taken_by_itself(
    site: Site, open_tab: OpenTab, monkeypatch: pytest.MonkeyPatch, *, javascript: bool
) -> None:
    monkeypatch.setattr(receipts, "PAUSES_MS", ())
    common = [Key.place(Place("", number)) for number in range(common_places(10))]
    own = [Key.place(Place(MERCHANT_ID, number)) for number in range(own_places(50, 10))]
    tab = open_tab(java_script_enabled=javascript)
    tab.goto(put(site, buy_order(site.now)) + "?lang=en")
    for key in own + common:
        site.world.put("Guards", {"pk": key, "taken_until": 10**15})
    picture = file("receipt.png", "image/png", samples.png())
    send_receipt(tab, picture, javascript=javascript)
    heading(tab, "Your file has arrived")
    assert stored(site).status is OrderStatus.PENDING
    site.world.put("Guards", {"pk": own[0]})
    site.world.put("Guards", {"pk": own[1]})
    # Without a script the browser itself counts the page's 5 s, which no test can advance.
    headline = tab.get_by_role("heading", level=1)
    expect(headline).to_have_text("Payment reported", timeout=20_000)
    assert stored(site).status is OrderStatus.PAID


@BOTH
def test_a_receipt_goes_to_the_bucket_and_reports_the_payment(
    site: Site, open_tab: OpenTab, *, javascript: bool
) -> None:
    tab = open_tab(java_script_enabled=javascript)
    url = put(site, buy_order(site.now)) + "?lang=en"
    tab.goto(url)
    content = samples.pdf()
    send_receipt(tab, file("receipt", "application/pdf", content), javascript=javascript)
    heading(tab, "Payment reported")
    assert tab.url == url
    order = stored(site)
    key = order.receipts[0].key.replace("rendered/", "originals/")
    assert site.bucket.files[key] == content
    send_receipt(tab, file("again", "application/pdf", content), javascript=javascript)
    expect(tab.locator(".proof")).to_contain_text("2 of 5 received")
    pictures = tab.locator(".sent img")
    expect(pictures).to_have_count(2)
    for picture in pictures.all():
        assert picture.evaluate("i => i.decode().then(() => i.naturalWidth)") > 0
    with tab.expect_popup() as opened:
        pictures.first.click()
    assert f"/{order.receipts[0].key}/1.jpg?" in opened.value.url


@BOTH
@pytest.mark.parametrize(
    ("language", "texts"),
    [
        ("zh", ("我已付款", "提交凭证并确认付款", "付款已提交")),
        ("en", ("I have paid", "Submit receipt and confirm payment", "Payment reported")),
    ],
)
def test_a_chosen_receipt_is_sent_with_the_report(
    site: Site, open_tab: OpenTab, language: str, texts: tuple[str, str, str], *, javascript: bool
) -> None:
    plain, with_file, reported = texts
    tab = open_tab(java_script_enabled=javascript)
    tab.goto(f"{put(site, buy_order(site.now))}?lang={language}")
    report = tab.locator(".report")
    expect(report.get_by_role("button")).to_have_text(plain)
    picture = file("receipt.png", "image/png", samples.png())
    tab.locator("#file").set_input_files(picture)
    expect(report.get_by_role("button")).to_have_text(with_file)
    report.get_by_role("button").click()
    if not javascript:
        tab.locator("#sent button").click()
    heading(tab, reported)
    assert len(stored(site).receipts) == 1


def test_a_browser_with_old_styles_sends_the_chosen_receipt_too(
    site: Site, open_tab: OpenTab
) -> None:
    tab = open_tab()
    tab.goto(put(site, buy_order(site.now)))
    tab.locator("#file").set_input_files(file("receipt.png", "image/png", samples.png()))
    tab.locator("#reported form").evaluate("form => form.requestSubmit()")
    heading(tab, "Payment reported")
    assert len(stored(site).receipts) == 1


def test_with_an_unfit_file_the_payment_is_reported_without_it(
    site: Site, open_tab: OpenTab
) -> None:
    tab = open_tab()
    tab.goto(put(site, buy_order(site.now)))
    tab.locator("#file").set_input_files(file("receipt.gif", "image/gif", b"GIF89a"))
    expect(tab.locator("#unfit")).to_contain_text("not a PNG, JPEG or WebP picture")
    tab.get_by_role("button", name="I have paid").click()
    tab.get_by_role("button", name="Yes, I have paid").click()
    heading(tab, "Payment reported")


@BOTH
def test_after_a_refused_receipt_another_can_be_sent(
    site: Site, open_tab: OpenTab, *, javascript: bool
) -> None:
    tab = open_tab(complaints=REFUSED, java_script_enabled=javascript)
    tab.goto(put(site, buy_order(site.now)))
    html = file("receipt.png", "image/png", samples.HTML)
    send_receipt(tab, html, javascript=javascript)
    expect(tab.get_by_role("alert").first).to_contain_text("The receipt was not accepted")
    expect(tab.get_by_role("alert").first).to_contain_text("not a PNG, JPEG or WebP picture")
    picture = file("receipt.png", "image/png", samples.png())
    send_receipt(tab, picture, javascript=javascript)
    heading(tab, "Payment reported")


def test_a_file_that_is_too_large_is_not_sent(site: Site, open_tab: OpenTab) -> None:
    tab = open_tab()
    tab.goto(put(site, buy_order(site.now)))
    field = tab.get_by_label("Receipt file")
    eleven_megabytes = b"\x89PNG\r\n\x1a\n" + b"\0" * (MAX_BYTES + 1024 * 1024)
    field.set_input_files(file("receipt.png", "image/png", eleven_megabytes))
    expect(field).to_have_accessible_description(re.compile("larger than 10 MB"))
    expect(field).to_have_attribute("aria-invalid", "true")
    tab.locator("#upload button").click()
    heading(tab, "Waiting for your transfer")
    field.set_input_files(file("receipt.gif", "image/gif", b"GIF89a"))
    expect(tab.locator("#unfit")).to_contain_text("not a PNG, JPEG or WebP picture")
    field.set_input_files(file("receipt.png", "image/png", samples.png()))
    expect(tab.locator("#unfit")).to_have_text("")
    tab.locator("#upload button").click()
    heading(tab, "Payment reported")


FILE_BUTTON = {
    "en": ("Receipt file", "Choose a file", "File chosen · choose another"),
    "zh": ("凭证文件", "选择文件", "已选择文件 · 重新选择"),
}


@pytest.mark.parametrize(("language", "locale"), [("en", "zh-CN"), ("zh", "en-GB")])
@BOTH
def test_the_button_for_a_file_has_the_pages_language(
    site: Site, open_tab: OpenTab, language: str, locale: str, *, javascript: bool
) -> None:
    tab = open_tab(java_script_enabled=javascript, locale=locale)
    tab.goto(f"{put(site, buy_order(site.now))}?lang={language}")
    name, choose, choose_other = FILE_BUTTON[language]
    field = tab.get_by_label(name)
    expect(field).to_have_css("opacity", "0")
    expect(field).to_have_accessible_name(f"{name} {choose}")
    with tab.expect_file_chooser():
        field.click()
    field.set_input_files(file("receipt.png", "image/png", samples.png()))
    expect(field).to_have_accessible_name(f"{name} {choose_other}")
    expect(tab.get_by_text(choose_other)).to_be_visible()


def test_the_keyboard_reaches_the_button_for_a_file(site: Site, open_tab: OpenTab) -> None:
    tab = open_tab()
    tab.goto(put(site, buy_order(site.now)))
    tab.get_by_role("button", name="I have paid").focus()
    tab.keyboard.press("Tab")
    field = tab.get_by_label("Receipt file")
    expect(field).to_be_focused()
    expect(tab.locator(".picked")).to_have_css("outline-style", "solid")
    # The browser's own field has the focus; the browser opens its dialog on a key.
    expect(field).to_have_attribute("type", "file")
    expect(field).to_be_enabled()


BOX = (
    "(part) => { const { width, height } = part.getBoundingClientRect(); return [width, height]; }"
)


def test_a_picture_is_shown_before_it_is_sent(site: Site, open_tab: OpenTab) -> None:
    tab = open_tab()
    tab.goto(put(site, buy_order(site.now)))
    field, preview = tab.get_by_label("Receipt file"), tab.get_by_alt_text("The chosen picture")
    before = tab.locator(".picked").evaluate(BOX)
    field.set_input_files(file("a" * 200 + ".png", "image/png", samples.drawn("PNG", 30, 60)))
    expect(preview).to_be_visible()
    assert preview.evaluate("i => i.decode().then(() => [i.naturalWidth, i.naturalHeight])") == [
        30,
        60,
    ]
    assert tab.locator(".picked").evaluate(BOX) == before
    for other in (
        file("receipt.pdf", "application/pdf", samples.pdf()),
        file("receipt.gif", "image/gif", b"GIF89a"),
        file("receipt.png", "image/png", samples.HTML),
    ):
        field.set_input_files(other)
        expect(tab.locator(".picked")).to_contain_text(other["name"])
        expect(preview).to_have_count(0)
    assert tab.locator(".picked").evaluate(BOX) == before


def test_without_a_file_the_page_asks_for_one(site: Site, open_tab: OpenTab) -> None:
    tab = open_tab(locale="en-GB")
    tab.goto(f"{put(site, buy_order(site.now))}?lang=zh")
    tab.locator("#upload button").click()
    expect(tab.locator("#unfit")).to_have_text("请先选择文件。")
    expect(tab.locator("#file")).to_be_focused()
    tab.locator("#file").set_input_files(file("receipt.png", "image/png", samples.png()))
    expect(tab.locator("#unfit")).to_have_text("")
    tab.locator("#upload button").click()
    heading(tab, "付款已提交")


def test_a_double_click_sends_once(site: Site, open_tab: OpenTab) -> None:
    tab = open_tab()
    sent: list[str] = []
    tab.on("request", lambda asked: sent.append(asked.url) if asked.method == "POST" else None)
    tab.goto(put(site, buy_order(site.now)))
    tab.get_by_role("button", name="I have paid").dblclick()
    tab.get_by_role("button", name="Yes, I have paid").dblclick()
    heading(tab, "Payment reported")
    assert len(sent) == 1


def test_the_time_runs_out_while_the_dialog_is_open(site: Site, open_tab: OpenTab) -> None:
    tab = open_tab()
    tab.clock.install()
    tab.goto(put(site, buy_order(site.now)))
    tab.get_by_role("link", name="Cancel this order").click()
    expect(tab.get_by_role("dialog")).to_be_visible()
    site.let_time_pass(tab, seconds=WINDOW_SECONDS)
    heading(tab, "Time has run out")
    expect(tab.get_by_role("button", name="I have paid", exact=True)).to_have_count(0)
