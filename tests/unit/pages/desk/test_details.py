"""An order's page at the desk: accounts, payment codes, receipts, and the actor of each step."""

import re
from dataclasses import replace

import pytest

from orderdesk.domain.orders.order import OrderStatus, TimelineEntry
from orderdesk.domain.pricing import OrderType
from orderdesk.web.pages.desk.texts import DeskTexts
from orderdesk.web.pages.texts import Language
from tests.support.orders import (
    CUSTOMERS_CARD,
    CUSTOMERS_WALLET,
    STATES,
    desk_order,
    proofs,
)
from tests.support.seed import WECHAT_METHOD
from tests.support.seen_desk import see_order

NOW = 1_763_700_000
BUY, SELL = OrderType.BUY, OrderType.SELL
ASSIGNED = desk_order(SELL, OrderStatus.ASSIGNED, NOW)
HOSTILE = """</dd><script>alert(1)</script>" onclick='x' {{ 7*7 }} & 张三"""


def test_a_buy_names_the_own_account_masked_and_the_payer_as_verified() -> None:
    page = see_order(desk_order(BUY, OrderStatus.PAID, NOW), NOW)
    assert "测试银行 •••• 1234" in page.text
    assert "6200" not in page.html
    assert "Payer张*" in page.text.replace(" ", "")
    unverified = see_order(desk_order(BUY, OrderStatus.PAID, NOW, identity=None), NOW)
    assert "Not verified" in unverified.text
    wallet = see_order(desk_order(BUY, OrderStatus.PAID, NOW, payment_method=WECHAT_METHOD), NOW)
    assert "WeChat Pay · 交易员甲" in wallet.text
    assert "trader-one" in wallet.text
    assert wallet.images == []


def test_a_sell_gives_the_whole_card_grouped_and_copies_it_ungrouped() -> None:
    page = see_order(ASSIGNED, NOW)
    assert "6222 0212 3456 7890 123" in page.text
    card = CUSTOMERS_CARD
    assert page.copied == [
        "1000.37",
        ASSIGNED.order_no,
        card.card_number,
        card.real_name,
        card.bank,
        card.sub_bank,
    ]


def test_a_customers_code_is_opened_by_a_link_never_loaded() -> None:
    page = see_order(replace(ASSIGNED, payment_method=CUSTOMERS_WALLET), NOW)
    assert page.images == []
    link = f'href="{CUSTOMERS_WALLET.qr_code}" target="_blank" rel="noopener noreferrer external"'
    assert link in page.html
    assert page.copied[-3:] == ["13800000000", "李四", CUSTOMERS_WALLET.qr_code]


@pytest.mark.parametrize("language", Language)
@pytest.mark.parametrize(
    ("address", "site"),
    [
        ("https://qr.alipay.com/fkx123", "https://qr.alipay.com"),
        ("https://desk.example.com.evil.example:8443/trader", "evil.example:8443"),
        ("http://аlipay.com/fkx", "http://xn--lipay-3ve.com"),  # the first letter is Cyrillic
    ],
)
def test_a_customers_code_names_the_site_that_it_leads_to(
    address: str, site: str, language: Language
) -> None:
    method = replace(CUSTOMERS_WALLET, qr_code=address)
    page = see_order(replace(ASSIGNED, payment_method=method), NOW, language)
    texts = DeskTexts(language).order
    (warning,) = re.findall(r'<span id="code-site"[^>]*>([^<]*)</span>', page.html)
    assert site in warning
    assert warning.startswith(texts.code_site.partition("{site}")[0])
    assert "/fkx" not in warning, "the path may hold anything"


@pytest.mark.parametrize("text", ["wxp://f2f0abc", "javascript:alert(1)", "//evil.example/a"])
def test_what_is_no_web_address_is_text(text: str) -> None:
    method = replace(CUSTOMERS_WALLET, qr_code=text)
    page = see_order(replace(ASSIGNED, payment_method=method), NOW)
    assert f'href="{text}"' not in page.html
    assert text in page.text
    assert text in page.copied


@pytest.mark.parametrize("status", [s for side, s in STATES if side is SELL])
def test_a_customers_details_are_shown_only_while_they_are_needed(status: OrderStatus) -> None:
    for method in (CUSTOMERS_CARD, CUSTOMERS_WALLET):
        page = see_order(desk_order(SELL, status, NOW, payment_method=method), NOW)
        needed = status is OrderStatus.ASSIGNED
        secret = "6222 0212" if method is CUSTOMERS_CARD else "13800000000"
        assert (secret in page.text) == needed
        assert ("qr.alipay.com" in page.html) == (needed and method is CUSTOMERS_WALLET)


def test_receipts_are_pictures_and_documents() -> None:
    order = desk_order(BUY, OrderStatus.PAID, NOW)
    order = replace(order, receipts=proofs(order, "image/png", "application/pdf"))
    page = see_order(order, NOW)
    signed = "https://bucket.example.com/{}?X-Amz-Signature=s"
    assert page.images == [signed.format(1), signed.format(2)]
    assert 'alt="Receipt 1, picture"' in page.html
    assert 'alt="Receipt 2, PDF"' in page.html
    for number in (1, 2):
        assert f'href="../orders/{order.order_no}/receipts/{number}"' in page.html
    none = see_order(desk_order(BUY, OrderStatus.PAID, NOW), NOW)
    assert "The customer has not sent one." in none.text
    assert "img-src 'none'" in none.policy


def test_a_sells_way_leaves_out_the_traders_before() -> None:
    way = (
        TimelineEntry(OrderStatus.MATCHING, NOW - 900),
        TimelineEntry(OrderStatus.ASSIGNED, NOW - 800, "clock"),
        TimelineEntry(OrderStatus.MATCHING, NOW - 700, "trader"),
        TimelineEntry(OrderStatus.ASSIGNED, NOW, "operator"),
    )
    page = see_order(replace(ASSIGNED, timeline=way), NOW)
    assert page.text.count("Assigned to you") == 1
    assert "by staff" in page.text
    assert "by you" not in page.text
    assert page.text.count("Beijing time") == 2


@pytest.mark.parametrize(("side", "status"), STATES)
@pytest.mark.parametrize("method", [CUSTOMERS_CARD, CUSTOMERS_WALLET])
def test_hostile_names_stay_text(side: OrderType, status: OrderStatus, method: object) -> None:
    calm = desk_order(side, status, NOW, payment_method=method)
    assert calm.payment_method is not None
    hostile = replace(
        calm.payment_method, real_name=HOSTILE, bank=HOSTILE, sub_bank=HOSTILE, account=HOSTILE
    )
    masked = None if calm.identity is None else replace(calm.identity, masked_name=HOSTILE)
    expected = see_order(calm, NOW)
    page = see_order(replace(calm, payment_method=hostile, identity=masked), NOW)
    assert page.attributes == expected.attributes
    assert set(page.tags) == set(expected.tags)
    if status is OrderStatus.ASSIGNED:
        assert HOSTILE in page.copied
