"""The pay page in every status and language, and what a payer can do there."""

import base64
import io
import re
from dataclasses import replace
from typing import Any

import pytest
import segno
from PIL import Image

from orderdesk.domain.ids import payment_reference
from orderdesk.domain.orders.order import (
    DISPUTE_AFTER_SECONDS,
    MAX_RECEIPTS,
    Order,
    OrderStatus,
    Receipt,
    TimelineEntry,
)
from orderdesk.domain.orders.transitions import Actor
from orderdesk.domain.payment_methods import MethodType, PaymentMethod
from orderdesk.domain.pricing import Mode
from orderdesk.services.orders.receipts import UploadForm
from orderdesk.web.pages.pay.page import pay_status
from orderdesk.web.pages.pay.pay_texts import PayTexts
from orderdesk.web.pages.texts import Language, Notice
from orderdesk.web.pages.values import ContactPart, MerchantView, clock, code_address
from tests.support.orders import BUY_STATUSES, NAMED, ORDER_NO, WINDOW_SECONDS, buy_order
from tests.support.seed import ALIPAY_METHOD, ALL_METHODS, BANK_METHOD, WECHAT_METHOD
from tests.support.seen_page import UPLOAD, Seen, preview_of, show_at

NOW = 1_763_700_000
DONE = [s for s in BUY_STATUSES if s is not OrderStatus.PENDING]
REFERENCE = payment_reference(ORDER_NO)
MAX_BYTES = 60_000
BACK = 'rel="noopener" href="https://shop.example/back?a=1&amp;b=2"'
HOSTILE = """</dd><script>alert(1)</script>" onclick='x' {{ 7*7 }} & 张三"""


def show(
    order: Order,
    now: int = NOW,
    language: Language = Language.EN,
    upload: UploadForm | None = UPLOAD,
    alert: Notice | None = None,
) -> Seen:
    return show_at(now, order, language, upload, alert)


@pytest.mark.parametrize("language", Language)
@pytest.mark.parametrize("status", BUY_STATUSES)
def test_every_status_has_its_headline_amount_and_number_and_loads_nothing(
    status: OrderStatus, language: Language
) -> None:
    page = show(buy_order(NOW, status), language=language)
    texts = PayTexts(language)
    notice = texts.statuses[status]
    if status is OrderStatus.EXPIRED:
        notice = Notice(texts.late.headline, texts.late.advice.partition("{")[0])
    assert notice is not None
    assert f"<h1>{notice.headline}</h1>" in page.html
    assert notice.advice in page.text
    assert "¥1,000.37" in page.text
    assert ORDER_NO in page.text
    assert page.html.index("Shop &amp; Sons") < page.html.index("<main"), "the merchant comes first"
    assert '<a href="mailto:help@shop.example">help@shop.example</a>' in page.html
    assert page.html.count(BACK) == page.html.count(f">{texts.shared.back_to_merchant}</a>") == 1
    is_over = status in {OrderStatus.CANCELLED, OrderStatus.EXPIRED, OrderStatus.COMPLETED}
    assert (f'class="button wide" {BACK}' in page.html) is is_over
    assert f'<html lang="{language.tag}">' in page.html
    assert f"<title>{notice.headline} · orderdesk</title>" in page.html
    assert not {"link", "iframe", "object", "embed"} & set(page.tags)
    assert not {name for name in page.attributes if name.startswith("on") or name == "style"}


@pytest.mark.parametrize(
    ("status", "by", "said"),
    [
        (OrderStatus.COMPLETED, Actor.TRADER, "收款人已确认到账"),
        (OrderStatus.COMPLETED, Actor.OPERATOR, "争议已结束：客服判定款项已到账"),
        (OrderStatus.CANCELLED, Actor.PAYER, "您已取消此订单"),
        (OrderStatus.CANCELLED, Actor.MERCHANT, "商户已取消此订单"),
        (OrderStatus.CANCELLED, Actor.OPERATOR, "客服已取消此订单"),
    ],
)
def test_an_end_names_who_decided_it(status: OrderStatus, by: Actor, said: str) -> None:
    order = buy_order(NOW, status)
    timeline = (order.timeline[0], replace(order.timeline[1], by=by.value))
    shown = show(replace(order, timeline=timeline), language=Language.ZH).text
    assert said in shown
    assert ("收款人已确认" in shown) == (by is Actor.TRADER)


def test_a_pending_bank_order_shows_the_whole_card_in_fours() -> None:
    page = show(buy_order(NOW))
    assert "6200 0000 0000 0001 234" in page.text
    for shown in ("交易员甲", "测试银行", "测试支行", "Bank card"):
        assert shown in page.text
    card = BANK_METHOD.card_number
    copied = ["1000.37", card, "交易员甲", "测试银行", "测试支行", REFERENCE, ORDER_NO]
    assert page.copied == copied
    assert page.images == []
    assert "img-src blob:;" in page.policy


@pytest.mark.parametrize("method", [WECHAT_METHOD, ALIPAY_METHOD])
def test_a_pending_wallet_order_shows_its_drawn_code_only(method: PaymentMethod) -> None:
    page = show(buy_order(NOW, payment_method=method))
    assert page.images == [code_address(method.qr_code)]
    assert "img-src data: blob:;" in page.policy
    assert page.copied == ["1000.37", "trader-one", "交易员甲", REFERENCE, ORDER_NO]


def test_the_fen_stand_apart() -> None:
    page = show(buy_order(NOW, fen=1234567_05))
    assert '1,234,567<span class="fen">.05</span>' in page.html
    assert page.copied[0] == "1234567.05"


def test_a_pending_order_says_until_when_and_how_long() -> None:
    page = show(buy_order(NOW), now=NOW + 28)
    # 1 763 700 900 is 2025-11-21 04:55 UTC
    assert 'datetime="2025-11-21T04:55:00Z"' in page.html
    assert "Pay by 21 Nov 2025, 12:55 (Beijing time)" in page.text
    assert "Time left 14:32" in page.text
    chinese = show(buy_order(NOW), language=Language.ZH)
    assert "付款截止：2025年11月21日 12:55（北京时间）" in chinese.text


def test_a_container_whose_clock_is_behind_shows_a_fresh_order() -> None:
    """The clocks of two containers differ a little; the one that created the order may be ahead."""
    page = show(buy_order(NOW), NOW - 2)
    assert "Waiting for your transfer" in page.text
    assert 'href="token/cancel?lang=en"' in page.html


def test_a_pending_order_past_its_window_shows_as_expired_at_once() -> None:
    order = buy_order(NOW)
    last, over = NOW + WINDOW_SECONDS - 1, NOW + WINDOW_SECONDS
    assert "Waiting for your transfer" in show(order, last).text
    assert "Time has run out" in show(order, over).text
    assert pay_status(order, last) == {"status": "pending", "expire_time": over}
    assert pay_status(order, over) == {"status": "expired", "expire_time": None}
    for status in DONE:
        assert buy_order(NOW, status).status_at(over) is status


@pytest.mark.parametrize("method", ALL_METHODS)
@pytest.mark.parametrize("status", DONE)
def test_nobody_is_shown_where_to_pay_an_order_that_is_not_pending(
    status: OrderStatus, method: PaymentMethod
) -> None:
    page = show(buy_order(NOW, status, payment_method=method))
    assert BANK_METHOD.card_number[:4] not in page.text
    assert "trader-one" not in page.html
    assert page.images == []
    assert page.copied == [ORDER_NO]


def test_a_paid_order_names_the_receiver_with_the_card_masked() -> None:
    assert "测试银行 ****1234" in show(buy_order(NOW, OrderStatus.PAID)).text
    paid = buy_order(NOW, OrderStatus.PAID, payment_method=WECHAT_METHOD)
    assert "WeChat Pay · 交易员甲" in show(paid).text
    assert "****" not in show(buy_order(NOW, OrderStatus.CANCELLED)).text


@pytest.mark.parametrize("status", BUY_STATUSES)
def test_the_script_watches_only_what_may_still_change(status: OrderStatus) -> None:
    page = show(buy_order(NOW, status))
    watched = status in {OrderStatus.PENDING, OrderStatus.PAID, OrderStatus.DISPUTED}
    assert f'data-open="{int(watched)}"' in page.html
    assert ("noscript" in page.tags) == watched


@pytest.mark.parametrize("language", Language)
def test_a_test_order_says_so(language: Language) -> None:
    warning = PayTexts(language).shared.test_order
    assert warning in show(buy_order(NOW, mode=Mode.TEST), language=language).text
    assert warning not in show(buy_order(NOW), language=language).text


@pytest.mark.parametrize(
    ("seconds", "text"), [(1, "00:01"), (59, "00:59"), (900, "15:00"), (3600, "1:00:00")]
)
def test_a_clock(seconds: int, text: str) -> None:
    assert clock(seconds) == text


@pytest.mark.parametrize(
    ("support", "parts"),
    [
        ("", []),
        ("WeChat shop1 / QQ 12345678", [("WeChat shop1 / QQ 12345678", "")]),
        (
            "客服 400-800-1234，help@shop.example 9:00-18:00",
            [
                ("客服 ", ""),
                ("400-800-1234", "tel:4008001234"),
                ("，", ""),
                ("help@shop.example", "mailto:help@shop.example"),
                (" 9:00-18:00", ""),
            ],
        ),
        ("138 0013 8000", [("138 0013 8000", "tel:13800138000")]),
        ("+44 20 7946 0000", [("+44 20 7946 0000", "tel:+442079460000")]),
        ("0755-12345678", [("0755-12345678", "tel:075512345678")]),
        ("6222021380013800012", [("6222021380013800012", "")]),
        ("javascript:alert(1)", [("javascript:alert(1)", "")]),
    ],
)
def test_a_support_contact_has_links(support: str, parts: list[tuple[str, str]]) -> None:
    assert list(MerchantView(support=support).contact) == [ContactPart(*each) for each in parts]


@pytest.mark.parametrize("method_type", MethodType)
@pytest.mark.parametrize("status", BUY_STATUSES)
def test_hostile_names_stay_text(status: OrderStatus, method_type: MethodType) -> None:
    code = "https://img.example.com/a.png"
    calm = replace(BANK_METHOD, method_type=method_type, account="a", qr_code=code)
    names: Any = dict.fromkeys(("real_name", "bank", "sub_bank", "account"), HOSTILE)
    hostile = replace(calm, **names, qr_code=f'{code}?"><script>alert(1)</script>')
    expected, page = (
        show(buy_order(NOW, status, payment_method=method)) for method in (calm, hostile)
    )
    assert page.tags == expected.tags
    assert page.attributes == expected.attributes
    images, expected_images = (
        [part for part in shown.policy.split("; ") if part.startswith("img-src")]
        for shown in (page, expected)
    )
    assert images == expected_images != []
    if status is OrderStatus.PENDING:
        assert HOSTILE in page.copied
        assert HOSTILE in page.text


# As large as with the credentials of a role.
SIGNED = UploadForm(
    "https://receipts.example.com/",
    {"policy": "p" * 3000, "x-amz-security-token": "t" * 1500, "key": "receipts/uploads/B1/a"},
)


def receipts(count: int) -> tuple[Receipt, ...]:
    return tuple(Receipt(f"receipts/B1/{n}", "image/png", 1, NOW) for n in range(count))


@pytest.mark.parametrize("status", BUY_STATUSES)
def test_what_a_payer_may_do_depends_on_the_status(status: OrderStatus) -> None:
    page = show(buy_order(NOW, status))
    pending, proving = status is OrderStatus.PENDING, status in {"pending", "paid", "expired"}
    assert ('action="token/paid?lang=en"' in page.html) == pending
    assert ('action="token/cancel?lang=en"' in page.html) == pending
    assert ("dialog" in page.tags) == pending
    assert ('id="upload"' in page.html) == proving
    # Report, its dialog, the upload, the dialog of cancelling.
    assert page.tags.count("form") == 4 * pending + (proving and not pending)


@pytest.mark.parametrize(
    ("method", "language", "question"),
    [
        (BANK_METHOD, Language.ZH, "已转账 ¥1,000.37 至 交易员甲（尾号 1234）？"),
        (ALIPAY_METHOD, Language.ZH, "已转账 ¥1,000.37 至 交易员甲（支付宝）？"),
        (BANK_METHOD, Language.EN, "transferred ¥1,000.37 to 交易员甲 (card ending in 1234)?"),
    ],
)
def test_reporting_asks_once_with_amount_and_payee(
    method: PaymentMethod, language: Language, question: str
) -> None:
    page = show(buy_order(NOW, payment_method=method), language=language)
    dialog = page.html.partition('<dialog id="reported"')[2].partition("</dialog>")[0]
    assert question in dialog
    assert f'<form action="token/paid?lang={language.value}" method="post">' in dialog
    # Without a script the button opens the page that asks.
    assert f'<form action="token/paid"><input type="hidden" name="lang" value="{language}">' in (
        page.html
    )
    needed = show(buy_order(NOW, payment_method=method, receipt_required=True), language=language)
    assert "token/paid" not in needed.html


def test_an_expired_order_says_until_when_it_takes_a_receipt_and_that_it_has_one() -> None:
    order = buy_order(NOW, OrderStatus.EXPIRED)
    page = show(order, language=Language.ZH)
    # One day after 1 763 700 900, which is 2025-11-21 12:55 in China.
    assert "请在 2025年11月22日 12:55（北京时间）前在下方提交凭证" in page.text
    assert '<button class="button wide soft" type="submit">我已付款，提交凭证</button>' in page.html
    closed = show(order, language=Language.ZH, upload=None)
    assert "提交凭证" not in closed.text
    assert "请联系商户并提供订单号" in closed.text


def test_the_page_of_a_wallet_that_has_an_app_links_to_it() -> None:
    code = "https://qr.alipay.com/fkx1?a=1&b=2"
    alipay = replace(ALIPAY_METHOD, qr_code=code)
    link = "alipays://platformapi/startapp?saId=10000007&amp;qrcode=https%3A%2F%2Fqr.alipay.com"
    assert (
        f'href="{link}%2Ffkx1%3Fa%3D1%26b%3D2"' in show(buy_order(NOW, payment_method=alipay)).html
    )
    others = (
        replace(alipay, method_type=MethodType.WECHAT),
        replace(alipay, qr_code="https://qr.alipay.com.example.com/fkx1"),
        replace(alipay, qr_code="https://example.com/qr.alipay.com"),
        BANK_METHOD,
    )
    for method in others:
        assert "alipays:" not in show(buy_order(NOW, payment_method=method)).html


def test_a_completed_order_returns_to_the_merchant_soon_after_its_end_only() -> None:
    order = buy_order(NOW, OrderStatus.COMPLETED)
    assert 'id="returning"' in show(order, NOW + 119).html
    assert 'id="returning"' not in show(order, NOW + 120).html
    plain = show_at(NOW, order, merchant=MerchantView("Shop"))
    shared = PayTexts(Language.EN).shared
    for text in ('id="returning"', shared.back_to_merchant, shared.support):
        assert text not in plain.html
    entry = TimelineEntry(OrderStatus.DISPUTED, NOW - 60, "payer")
    timeline = (*order.timeline[:-1], entry, order.timeline[-1])
    resolved = replace(order, timeline=timeline)
    assert 'id="returning"' not in show(resolved, NOW + 1).html, "the decision stays to be read"
    for status in BUY_STATUSES:
        shown = 'id="returning"' in show(buy_order(NOW, status)).html
        assert shown == (status is OrderStatus.COMPLETED)


@pytest.mark.parametrize("language", Language)
def test_a_paid_order_says_from_when_on_it_can_be_disputed(language: Language) -> None:
    order, offered = buy_order(NOW, OrderStatus.PAID), NOW + DISPUTE_AFTER_SECONDS
    texts = PayTexts(language)
    before = show_at(offered - 1, order, language)
    # 1 763 701 800 is 2025-11-21 13:10 in China
    assert texts.disputable_from.format(time="13:10") in before.text
    assert f'data-until="{offered}"' in before.html
    reported = texts.statuses[OrderStatus.PAID]
    assert reported is not None
    assert reported.advice in before.text
    assert "token/dispute" not in before.html
    after = show_at(offered, order, language)
    assert f"<h1>{texts.unconfirmed.headline}</h1>" in after.html
    assert texts.unconfirmed.advice in after.text
    assert f'href="token/dispute?lang={language.value}"' in after.html
    assert "dialog" not in after.tags, "a reason is written on a page of its own"
    assert "data-until" not in after.html
    assert "13:10" not in after.text
    assert ('id="upload"' in before.html, 'id="upload"' in after.html) == (True, True)


@pytest.mark.parametrize("status", [s for s in BUY_STATUSES if s is not OrderStatus.PAID])
def test_only_a_paid_order_offers_a_dispute(status: OrderStatus) -> None:
    page = show_at(NOW + 2 * DISPUTE_AFTER_SECONDS, buy_order(NOW, status))
    assert "token/dispute" not in page.html
    assert "data-until" not in page.html


@pytest.mark.parametrize("language", Language)
def test_the_fullest_page_stays_small(language: Language) -> None:
    drawn = replace(WECHAT_METHOD, qr_code="wxp://" + "f" * 200)
    alert = PayTexts(language).shared.overtaken
    order = buy_order(NOW, payment_method=drawn)
    page = show(order, NOW, language, SIGNED, alert)
    assert len(page.html.encode()) < MAX_BYTES
    assert alert.advice in page.text


def test_receipts_are_counted_up_to_the_most() -> None:
    some = show(buy_order(NOW, OrderStatus.PAID, receipts=receipts(2)))
    assert "2 of 5 received" in some.text
    full = buy_order(NOW, OrderStatus.PAID, receipts=receipts(MAX_RECEIPTS))
    page = show(full, upload=None)
    assert "5 of 5 received" in page.text
    assert "form" not in page.tags


@pytest.mark.parametrize("status", [s for s in BUY_STATUSES if s is not OrderStatus.PENDING])
def test_sent_receipts_are_seen_again_in_every_status(status: OrderStatus) -> None:
    sent = (
        Receipt("rendered/B1/payer/1/a", "image/png", 1, NOW),
        Receipt("rendered/B1/payer/2/b", "application/pdf", 1, NOW, pages=3),
    )
    page = show(buy_order(NOW, status, receipts=sent), upload=None)
    assert page.images == [preview_of(receipt) for receipt in sent]
    assert "img-src https://pictures.example.com;" in page.policy
    for label in ("Receipt 1", "Receipt 2 (PDF)"):
        assert f'alt="{label}"' in page.html
    found = re.findall(r'href="(token/receipts/[^"]+)"', page.html)
    pages = ["1", "2", "2?page=2", "2?page=3"]
    assert found == [f"token/receipts/{page}" for page in pages]


@pytest.mark.parametrize(
    "text",
    ["wxp://f2f0abc", "https://qr.alipay.com/fkx123", "HTTPS://QR.ALIPAY.COM/FKX", "weixin://a"],
)
def test_a_payment_code_is_drawn(text: str) -> None:
    page = show(buy_order(NOW, payment_method=replace(WECHAT_METHOD, qr_code=text)))
    assert page.images == [code_address(text)]
    assert f'<a class="save" href="{code_address(text)}" download=' in page.html
    assert "img-src data: blob:;" in page.policy


def test_a_drawn_code_is_a_png_with_the_codes_modules() -> None:
    text = "wxp://f2f0abc"
    kind, _, content = code_address(text).partition(",")
    assert kind == "data:image/png;base64"
    picture = Image.open(io.BytesIO(base64.b64decode(content)), formats=["PNG"]).convert("1")
    modules = segno.make(text, error="m", micro=False, boost_error=False).matrix
    quiet, pixels = 4, 10
    assert picture.size == ((len(modules) + 2 * quiet) * pixels,) * 2
    for y, row in enumerate(modules, start=quiet):
        middles = [(x * pixels + 5, y * pixels + 5) for x in range(len(row) + 2 * quiet)]
        seen = [picture.getpixel(middle) == 0 for middle in middles]
        assert seen == [False] * quiet + [bool(module) for module in row] + [False] * quiet


@pytest.mark.parametrize("address", ["https://img.example.com/code?id=1", "javascript:alert(1)"])
def test_what_is_no_codes_text_is_neither_linked_nor_loaded(address: str) -> None:
    page = show(buy_order(NOW, payment_method=replace(WECHAT_METHOD, qr_code=address)))
    assert page.images == []
    assert address not in page.html
    assert "img.example.com" not in page.policy
    assert WECHAT_METHOD.account in page.text


@pytest.mark.parametrize("status", BUY_STATUSES)
def test_a_verified_payer_is_asked_by_name_to_use_an_own_account(status: OrderStatus) -> None:
    page = show(buy_order(NOW, status, identity=NAMED), language=Language.ZH)
    assert ("请使用本人（张三）账户付款" in page.text) is (status is OrderStatus.PENDING)
    english = show(buy_order(NOW, status, identity=NAMED))
    assert ("in the name of 张三" in english.text) is (status is OrderStatus.PENDING)
    assert "own account" not in show(buy_order(NOW, status)).text
