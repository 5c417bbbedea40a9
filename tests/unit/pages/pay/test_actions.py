"""What a payer can do on the pay page, by status; payment codes."""

import base64
import io
import re
from dataclasses import replace

import pytest
import segno
from PIL import Image

from orderdesk.domain.orders.order import DISPUTE_AFTER_SECONDS, MAX_RECEIPTS, OrderStatus, Receipt
from orderdesk.services.orders.receipts import UploadForm
from orderdesk.web.pages.pay.page import payment_code
from orderdesk.web.pages.pay.texts import PayTexts
from orderdesk.web.pages.texts import Language, SharedTexts
from tests.support.orders import BUY_STATUSES, buy_order
from tests.support.seed import WECHAT_METHOD
from tests.support.seen_page import preview_of, show_at

NOW = 1_763_700_000
MAX_BYTES = 60_000
# As large as with the credentials of a role.
SIGNED = UploadForm(
    "https://receipts.example.com/",
    {"policy": "p" * 3000, "x-amz-security-token": "t" * 1500, "key": "receipts/uploads/B1/a"},
)


def receipts(count: int) -> tuple[Receipt, ...]:
    return tuple(Receipt(f"receipts/B1/{n}", "image/png", 1, NOW) for n in range(count))


@pytest.mark.parametrize("status", BUY_STATUSES)
def test_what_a_payer_may_do_depends_on_the_status(status: OrderStatus) -> None:
    page = show_at(NOW, buy_order(NOW, status))
    pending, proving = status is OrderStatus.PENDING, status in {"pending", "paid"}
    assert ('action="token/paid?lang=en"' in page.html) == pending
    assert ('action="token/cancel?lang=en"' in page.html) == pending
    assert ("dialog" in page.tags) == pending
    assert ('id="upload"' in page.html) == proving
    assert page.tags.count("form") == 3 * pending + (proving and not pending)


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
    alert = SharedTexts(language).overtaken
    order = buy_order(NOW, payment_method=drawn)
    page = show_at(NOW, order, language, SIGNED, alert)
    assert len(page.html.encode()) < MAX_BYTES
    assert alert.advice in page.text


def test_receipts_are_counted_up_to_the_most() -> None:
    some = show_at(NOW, buy_order(NOW, OrderStatus.PAID, receipts=receipts(2)))
    assert "2 of 5 received" in some.text
    full = buy_order(NOW, OrderStatus.PAID, receipts=receipts(MAX_RECEIPTS))
    page = show_at(NOW, full, upload=None)
    assert "5 of 5 received" in page.text
    assert "form" not in page.tags


@pytest.mark.parametrize("status", [s for s in BUY_STATUSES if s is not OrderStatus.PENDING])
def test_sent_receipts_are_seen_again_in_every_status(status: OrderStatus) -> None:
    sent = (
        Receipt("rendered/B1/payer/1/a", "image/png", 1, NOW),
        Receipt("rendered/B1/payer/2/b", "application/pdf", 1, NOW, pages=3),
    )
    page = show_at(NOW, buy_order(NOW, status, receipts=sent), upload=None)
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
def test_a_code_that_is_no_picture_is_drawn(text: str) -> None:
    code = payment_code(text)
    assert code is not None
    assert (code.origin, code.site) == ("data:", "")
    page = show_at(NOW, buy_order(NOW, payment_method=replace(WECHAT_METHOD, qr_code=text)))
    assert page.images == [code.url]
    assert f'<a class="save" href="{code.url}" download=' in page.html
    assert "img-src data: blob:;" in page.policy


def test_a_drawn_code_is_a_png_with_the_codes_modules() -> None:
    text = "wxp://f2f0abc"
    code = payment_code(text)
    assert code is not None
    kind, _, content = code.url.partition(",")
    assert kind == "data:image/png;base64"
    picture = Image.open(io.BytesIO(base64.b64decode(content)), formats=["PNG"]).convert("1")
    modules = segno.make(text, error="m", micro=False, boost_error=False).matrix
    quiet, pixels = 4, 10
    assert picture.size == ((len(modules) + 2 * quiet) * pixels,) * 2
    for y, row in enumerate(modules, start=quiet):
        middles = [(x * pixels + 5, y * pixels + 5) for x in range(len(row) + 2 * quiet)]
        seen = [picture.getpixel(middle) == 0 for middle in middles]
        assert seen == [False] * quiet + [bool(module) for module in row] + [False] * quiet


def test_a_picture_is_shown_from_its_address() -> None:
    code = payment_code("https://img.example.com/code?id=1")
    assert code is not None
    assert (code.origin, code.site) == ("https://img.example.com", "img.example.com")
    page = show_at(NOW, buy_order(NOW, payment_method=replace(WECHAT_METHOD, qr_code=code.url)))
    assert "Opens the picture at img.example.com." in page.text
    assert 'target="_blank" rel="noopener noreferrer external"' in page.html
    assert payment_code("javascript:alert(1)") is None
    assert payment_code("https://[oops") is None
    assert payment_code("") is None
