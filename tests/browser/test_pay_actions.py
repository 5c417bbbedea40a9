"""What a payer does on the pay page, in a browser: with and without JavaScript."""

import re
from pathlib import Path

import pytest
from playwright.sync_api import FilePayload, Page, expect

from orderdesk.adapters.dynamodb.orders.items import order_of
from orderdesk.domain.orders.order import MAX_RECEIPTS, Order, OrderStatus, Receipt
from orderdesk.domain.receipts.files import MAX_BYTES
from orderdesk.web.pages import SHARED
from orderdesk.web.pages.texts import Language
from tests.browser.chromium import DESKTOP
from tests.browser.desk_visit import send_receipt
from tests.browser.site import Site
from tests.browser.tabs import OpenTab
from tests.support import receipt_samples as samples
from tests.support.orders import ORDER_NO, WINDOW_SECONDS, buy_order

REFUSED = r"status of 4(00|09|22)"
BOTH = pytest.mark.parametrize("javascript", [True, False])


def heading(tab: Page, text: str) -> None:
    expect(tab.get_by_role("heading", level=1)).to_have_text(text)


def stored(site: Site) -> Order:
    return order_of(site.world.get("Orders", {"pk": ORDER_NO}) or {})


def put(site: Site, order: Order) -> str:
    """Store an order whose trader is there, so that its USDT can be given back."""
    trader = site.world.add_trader(
        trader_id=order.trader_id, held_micro=order.quote.usdt_micro, open_orders=1
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
    tab.get_by_role("button", name="我已付款").click()
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
def test_a_move_that_came_too_late_shows_how_it_stands(
    site: Site, open_tab: OpenTab, *, javascript: bool
) -> None:
    tab = open_tab(complaints=REFUSED, java_script_enabled=javascript)
    now = site.now
    url = put(site, buy_order(now))
    tab.goto(url)
    site.put(buy_order(now, OrderStatus.CANCELLED))
    tab.get_by_role("button", name="I have paid").click()
    heading(tab, "Order cancelled")
    expect(tab.get_by_role("alert")).to_contain_text("order had moved on already")
    tab.get_by_role("link", name="中文").click()
    heading(tab, "订单已取消")
    assert tab.url == f"{url}?lang=zh"


@pytest.mark.parametrize("kind", list(samples.RECEIPTS))
@BOTH
def test_a_receipt_goes_to_the_bucket_and_reports_the_payment(
    site: Site, open_tab: OpenTab, kind: str, *, javascript: bool
) -> None:
    tab = open_tab(java_script_enabled=javascript)
    url = put(site, buy_order(site.now)) + "?lang=en"
    tab.goto(url)
    content = samples.RECEIPTS[kind]  # type: ignore[index]
    send_receipt(tab, file("receipt", kind, content), javascript=javascript)
    heading(tab, "Payment reported")
    assert tab.url == url
    order = stored(site)
    assert [receipt.content_type for receipt in order.receipts] == [kind]
    key = order.receipts[0].key.replace("rendered/", "originals/")
    assert site.bucket.files[key] == content
    send_receipt(tab, file("again", kind, content), javascript=javascript)
    expect(tab.locator(".proof")).to_contain_text("2 of 5 received")
    pictures = tab.locator(".sent img")
    expect(pictures).to_have_count(2)
    for picture in pictures.all():
        assert picture.evaluate("i => i.decode().then(() => i.naturalWidth)") > 0
    with tab.expect_popup() as opened:
        pictures.first.click()
    assert f"/{order.receipts[0].key}/1.jpg?" in opened.value.url


@pytest.mark.parametrize(
    ("content", "said"),
    [
        (samples.HTML, "no PNG, JPEG or WebP picture"),
        (samples.png(30_000, 30_000, pixels=b""), "cannot be shown as a picture"),
    ],
    ids=["html named .png", "bomb"],
)
@BOTH
def test_what_only_looks_like_a_receipt_is_refused(
    site: Site, open_tab: OpenTab, content: bytes, said: str, *, javascript: bool
) -> None:
    tab = open_tab(complaints=REFUSED, java_script_enabled=javascript)
    tab.goto(put(site, buy_order(site.now)))
    send_receipt(tab, file("receipt.png", "image/png", content), javascript=javascript)
    expect(tab.get_by_role("alert").first).to_contain_text("The receipt was not accepted")
    expect(tab.get_by_role("alert").first).to_contain_text(said)
    assert not [key for key in site.bucket.files if key.startswith("rendered/")]
    assert stored(site).status is OrderStatus.PENDING
    picture = file("receipt.png", "image/png", samples.png())
    send_receipt(tab, picture, javascript=javascript)
    heading(tab, "Payment reported")


def eleven_megabytes(folder: Path) -> Path:
    large = folder / "receipt.png"
    large.write_bytes(b"\x89PNG\r\n\x1a\n" + b"\0" * (MAX_BYTES + 1024 * 1024))
    return large


def test_a_file_that_is_too_large_never_leaves(
    site: Site, open_tab: OpenTab, tmp_path: Path
) -> None:
    tab = open_tab()
    tab.goto(put(site, buy_order(site.now)))
    field = tab.get_by_label("Receipt file")
    field.set_input_files(eleven_megabytes(tmp_path))
    expect(field).to_have_accessible_description(re.compile("larger than 10 MB"))
    expect(field).to_have_attribute("aria-invalid", "true")
    tab.get_by_role("button", name="Send receipt").click()
    heading(tab, "Waiting for your transfer")
    field.set_input_files(file("receipt.gif", "image/gif", b"GIF89a"))
    expect(tab.locator("#unfit")).to_contain_text("no PNG, JPEG or WebP picture")
    field.set_input_files(file("receipt.png", "image/png", samples.png()))
    expect(tab.locator("#unfit")).to_have_text("")
    tab.get_by_role("button", name="Send receipt").click()
    heading(tab, "Payment reported")


@pytest.mark.parametrize("language", Language)
@BOTH
def test_the_button_for_a_file_speaks_the_pages_language(
    site: Site, open_tab: OpenTab, language: Language, *, javascript: bool
) -> None:
    other = "zh-CN" if language is Language.EN else "en-GB"
    tab = open_tab(java_script_enabled=javascript, locale=other)
    tab.goto(f"{put(site, buy_order(site.now))}?lang={language.value}")
    texts = SHARED[language].upload
    field = tab.get_by_label(texts.file)
    expect(field).to_have_css("opacity", "0")
    expect(field).to_have_accessible_name(f"{texts.file} {texts.choose}")
    with tab.expect_file_chooser():
        field.click()
    field.set_input_files(file("receipt.png", "image/png", samples.png()))
    expect(field).to_have_accessible_name(f"{texts.file} {texts.choose_other}")
    expect(tab.get_by_text(texts.choose_other)).to_be_visible()


def test_the_keyboard_reaches_the_button_for_a_file(site: Site, open_tab: OpenTab) -> None:
    tab = open_tab()
    tab.goto(put(site, buy_order(site.now)))
    tab.get_by_role("button", name="I have paid").focus()
    tab.keyboard.press("Tab")
    field = tab.get_by_label("Receipt file")
    expect(field).to_be_focused()
    expect(tab.locator(".picked")).to_have_css("outline-style", "solid")
    # The browser's own field has the focus: that a key opens its dialog is the browser's part.
    expect(field).to_have_attribute("type", "file")
    expect(field).to_be_enabled()


BOX = (
    "(part) => { const { width, height } = part.getBoundingClientRect(); return [width, height]; }"
)


def test_a_picture_is_seen_before_it_is_sent(site: Site, open_tab: OpenTab) -> None:
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


def test_without_javascript_the_bucket_refuses_it(
    site: Site, open_tab: OpenTab, tmp_path: Path
) -> None:
    tab = open_tab(complaints=REFUSED, java_script_enabled=False)
    tab.goto(put(site, buy_order(site.now)))
    tab.get_by_label("Receipt file").set_input_files(eleven_megabytes(tmp_path))
    with (
        tab.expect_event("load"),
        tab.expect_response(lambda answer: answer.request.method == "POST") as posted,
    ):
        tab.get_by_role("button", name="Send receipt").click()
    assert posted.value.status == 400
    assert site.bucket.files == {}
    tab.go_back()
    heading(tab, "Waiting for your transfer")


def test_after_five_receipts_there_is_no_form(site: Site, open_tab: OpenTab) -> None:
    tab = open_tab(DESKTOP)
    now = site.now
    kept = tuple(Receipt(f"receipts/{n}", "image/png", 1, now) for n in range(MAX_RECEIPTS))
    tab.goto(put(site, buy_order(now, OrderStatus.PAID, receipts=kept)))
    expect(tab.locator(".proof")).to_contain_text("5 of 5 received")
    expect(tab.locator("form#upload")).to_have_count(0)


def test_a_double_click_sends_once(site: Site, open_tab: OpenTab) -> None:
    tab = open_tab()
    sent: list[str] = []
    tab.on("request", lambda asked: sent.append(asked.url) if asked.method == "POST" else None)
    tab.goto(put(site, buy_order(site.now)))
    tab.get_by_role("button", name="I have paid").dblclick()
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
    expect(tab.get_by_role("button", name="I have paid")).to_have_count(0)
