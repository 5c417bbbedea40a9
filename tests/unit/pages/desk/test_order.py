"""The desk's page of an order in every state and language, for harmless and hostile values."""

import re
from dataclasses import replace

import pytest

from orderdesk.domain.ids import payment_reference
from orderdesk.domain.orders.order import DISPUTE_AFTER_SECONDS, OrderStatus, TimelineEntry
from orderdesk.domain.orders.transitions import Actor
from orderdesk.domain.pricing import Mode, OrderType
from orderdesk.services.traders.desk import TOP, OpenPage
from orderdesk.web.pages.desk.desk_texts import DeskTexts
from orderdesk.web.pages.desk.open_orders import orders_page
from orderdesk.web.pages.desk.order import order_page, question_page
from orderdesk.web.pages.desk.summary import todo_of
from orderdesk.web.pages.order_routes import Attachments
from orderdesk.web.pages.texts import Language
from orderdesk.web.pages.values import code_address
from tests.support.orders import (
    ANSWER_SECONDS,
    CUSTOMERS_CARD,
    CUSTOMERS_WALLET,
    NAMED,
    SELL_NUMBER,
    STATES,
    TRADER,
    WINDOW_SECONDS,
    desk_order,
    proofs,
)
from tests.support.seed import WECHAT_METHOD
from tests.support.seen_page import Seen
from tests.unit.pages.desk.seen_desk import ORDER, ROUTES, UPLOAD, see, see_order

NOW = 1_763_700_000
BUY, SELL = OrderType.BUY, OrderType.SELL
MAX_BYTES = 60_000
HOSTILE = """</dd><script>alert(1)</script>" onclick='x' {{ 7*7 }} & 张三"""
ASSIGNED = desk_order(SELL, OrderStatus.ASSIGNED, NOW)
OPEN = [status for status in OrderStatus if status.is_open]
PENDING, ENDED = OrderStatus.PENDING, OrderStatus.COMPLETED
OTHER_NAMED = replace(NAMED, masked_name="李*", open_name="李四光")
PROVED = replace(ASSIGNED, receipts=proofs(ASSIGNED, "image/png"))
OFFERED = {
    (BUY, OrderStatus.PENDING): {"confirm"},
    (BUY, OrderStatus.PAID): {"confirm", "report"},
    (BUY, OrderStatus.DISPUTED): {"confirm"},
    (SELL, OrderStatus.ASSIGNED): {"decline"},
}


def offered(page: Seen, order_no: str) -> set[str]:
    parts = ("confirm", "report", "decline")
    here = f"../orders/{order_no}"
    linked = {part for part in parts if f'href="{here}/{part}?lang=en"' in page.html}
    posted = {part for part in parts if f'action="{here}/{part}?lang=en"' in page.html}
    assert linked - {"report"} == posted, "a report is written on a page of its own"
    return linked


@pytest.mark.parametrize("language", Language)
@pytest.mark.parametrize(("side", "status"), STATES)
def test_every_state_says_what_to_do_and_for_how_much_on_a_small_page(
    side: OrderType, status: OrderStatus, language: Language
) -> None:
    order = desk_order(side, status, NOW)
    order = replace(order, receipts=proofs(order, *["image/png"] * 5))
    page = see_order(order, NOW, language, UPLOAD)
    texts = DeskTexts(language)
    notice = todo_of(order, status, texts)
    assert f"<h1>{notice.headline}</h1>" in page.html
    assert notice.advice in page.text
    assert "¥1,000.37" in page.text
    assert page.copied[0] == "1000.37"
    assert ("138.249032 USDT" if side is BUY else "139.638471 USDT") in page.text
    assert order.order_no in page.text
    assert texts.sides[side] in page.text
    assert texts.statuses[status] in page.text
    assert f'<html lang="{language.tag}">' in page.html
    assert texts.login.safety in page.text
    assert texts.shared.safety not in page.text
    assert len(page.html.encode()) < MAX_BYTES
    assert not {"link", "iframe", "object", "embed"} & set(page.tags)
    assert not {name for name in page.attributes if name.startswith("on") or name == "style"}


@pytest.mark.parametrize(
    ("side", "status", "said"),
    [
        (BUY, OrderStatus.COMPLETED, "客服已判定款项到账"),
        (BUY, OrderStatus.CANCELLED, "客服已判定取消此订单，您的 USDT 已退回"),
        (SELL, OrderStatus.COMPLETED, "客服已判定您已付款"),
        (SELL, OrderStatus.CANCELLED, "客服已判定取消此订单"),
    ],
)
def test_a_decision_of_support_is_not_shown_as_the_traders(
    side: OrderType, status: OrderStatus, said: str
) -> None:
    order = desk_order(side, status, NOW)
    last = replace(order.timeline[-1], by=Actor.OPERATOR.value)
    order = replace(order, timeline=(*order.timeline[:-1], last))
    shown = see_order(order, NOW, Language.ZH).text
    assert said in shown
    assert "您已确认" not in shown


@pytest.mark.parametrize(("side", "status"), STATES)
def test_what_a_trader_may_do_depends_on_the_state(side: OrderType, status: OrderStatus) -> None:
    order = desk_order(side, status, NOW)
    page = see_order(order, NOW)
    expected = OFFERED.get((side, status), set())
    assert offered(page, order.order_no) == expected
    asked_here = expected - {"report"}
    assert page.tags.count("dialog") == len(asked_here)
    assert page.tags.count("form") == 1 + len(asked_here), "the log-out's, and one a question"


def test_a_payment_is_confirmed_only_with_a_proof() -> None:
    without = see_order(ASSIGNED, NOW, upload=UPLOAD)
    assert "Send proof of payment first" in without.text
    assert 'id="upload"' in without.html
    assert "form-action 'self' https://receipts.example.com;" in without.policy
    with_one = see_order(PROVED, NOW, upload=UPLOAD)
    assert offered(with_one, PROVED.order_no) == {"confirm"}
    assert "Send proof of payment first" not in with_one.text
    assert "img-src https://bucket.example.com blob:;" in with_one.policy


@pytest.mark.parametrize(
    ("side", "status", "until", "after"),
    [
        (BUY, OrderStatus.PENDING, NOW + WINDOW_SECONDS, "12:55 订单超时"),
        (BUY, OrderStatus.PAID, NOW + DISPUTE_AFTER_SECONDS, "13:10 后客户可发起争议"),
        (SELL, OrderStatus.ASSIGNED, NOW + ANSWER_SECONDS, "13:10 后订单可能被收回"),
    ],
)
def test_the_time_left_is_a_duration_and_says_what_follows(
    side: OrderType, status: OrderStatus, until: int, after: str
) -> None:
    order = desk_order(side, status, NOW)
    clock = f'data-until="{until}" data-over="Overdue since {after[:5]}">'
    assert f"{clock}1 min 05 s left<" in see_order(order, until - 65).html
    assert f"剩 1 分 05 秒 {after}" in see_order(order, until - 65, Language.ZH).text
    assert f"{clock}1 h 1 min left<" in see_order(order, until - 3661).html
    late = see_order(order, until)
    assert "data-until=" not in late.html
    assert ("Overdue" in late.text) == (status is not OrderStatus.PENDING)


def test_a_late_sell_warns_but_can_still_be_answered() -> None:
    page = see_order(PROVED, NOW + ANSWER_SECONDS)
    assert "Your time has run out" in page.text
    assert offered(page, PROVED.order_no) == {"confirm"}


@pytest.mark.parametrize("language", Language)
def test_a_test_order_says_so(language: Language) -> None:
    warning = DeskTexts(language).shared.test_order
    order = desk_order(BUY, OrderStatus.PAID, NOW)
    assert warning in see_order(replace(order, mode=Mode.TEST), NOW, language).text
    assert warning not in see_order(order, NOW, language).text


def test_a_buy_names_the_own_account_masked_and_the_payer_as_verified() -> None:
    page = see_order(desk_order(BUY, OrderStatus.PAID, NOW), NOW)
    assert "测试银行 ****1234" in page.text
    assert "6200" not in page.html
    assert "Payer张三" in page.text.replace(" ", "")
    unverified = see_order(desk_order(BUY, OrderStatus.PAID, NOW, identity=None), NOW)
    assert "Name not verified" in unverified.text
    wallet = see_order(desk_order(BUY, OrderStatus.PAID, NOW, payment_method=WECHAT_METHOD), NOW)
    assert "WeChat Pay · 交易员甲" in wallet.text
    assert "trader-one" in wallet.text
    assert wallet.images == []


@pytest.mark.parametrize("status", [s for side, s in STATES if side is BUY])
def test_the_payers_whole_name_is_shown_while_the_order_is_open(status: OrderStatus) -> None:
    order = desk_order(BUY, status, NOW, identity=NAMED)
    page = see_order(order, NOW)
    assert ("张三" in page.html) is status.is_open
    assert ("张*" in page.html) is not status.is_open
    over = replace(order, expire_time=NOW)
    assert ("张三" in see_order(over, NOW).html) is (status in OPEN and status is not PENDING)


def test_a_suspended_trader_and_the_list_see_the_masked_name() -> None:
    order = desk_order(BUY, OrderStatus.PAID, NOW)
    suspended = replace(TRADER, suspended=True)
    seen = see(
        ORDER,
        lambda scene: order_page(order, scene, Attachments()),
        trader=suspended,
        order_no=order.order_no,
    )
    page = OpenPage([order], TOP, None, 1)
    listed = see("/trader/orders", lambda scene: orders_page(scene, page))
    for html in (seen.html, listed.html):
        assert "张*" in html
        assert "张三" not in html


def test_twins_and_the_question_name_whole_payers() -> None:
    order = desk_order(BUY, OrderStatus.PAID, NOW)
    twin = replace(order, order_no=SELL_NUMBER.replace("S", "B"), identity=OTHER_NAMED)
    confirm = see(
        f"{ORDER}/confirm",
        lambda scene: question_page(
            order, ROUTES.questions(order, scene)[0], scene, [twin, replace(twin, status=ENDED)]
        ),
        order_no=order.order_no,
    )
    assert confirm.text.count("张三") == 2, "in the question, and in its row beside the others"
    assert confirm.text.count("李四光") == 1
    assert confirm.text.count("李*") == 1


def test_this_orders_remark_stands_above_those_of_equal_orders() -> None:
    """A trader compares the bank's line with what it reads first."""
    order = desk_order(BUY, OrderStatus.PAID, NOW)
    twin = replace(order, order_no=f"{order.order_no[:-3]}999", identity=OTHER_NAMED)
    page = see(
        ORDER,
        lambda scene: order_page(order, scene, Attachments(), [twin]),
        order_no=order.order_no,
    )
    [table] = re.findall('<table class="same">.*?</table>', page.html, re.DOTALL)[:1]
    rows = re.findall(r"<tr>.*?</tr>", table, re.DOTALL)
    own, other = (re.sub("<[^>]*>", "", row.replace("</t", " </t")) for row in rows[1:3])
    assert own.split()[-2:] == [payment_reference(order.order_no), "张三"]
    assert other.split()[-2:] == [payment_reference(twin.order_no), "李四光"]
    assert "<mark>999</mark>" in rows[2]
    assert "<mark>" not in rows[1]
    assert page.html.index(table) < page.html.index('class="terms"')


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


def test_a_customers_code_is_drawn() -> None:
    page = see_order(replace(ASSIGNED, payment_method=CUSTOMERS_WALLET), NOW)
    assert page.images == [code_address(CUSTOMERS_WALLET.qr_code)]
    assert "img-src data:" in page.policy
    assert CUSTOMERS_WALLET.qr_code not in page.html
    assert page.copied[-2:] == ["13800000000", "李四"]


@pytest.mark.parametrize("language", Language)
@pytest.mark.parametrize("text", ["https://img.example.com/code.png", "javascript:alert(1)"])
def test_a_code_that_cannot_be_drawn_is_neither_linked_nor_loaded(
    text: str, language: Language
) -> None:
    method = replace(CUSTOMERS_WALLET, qr_code=text)
    page = see_order(replace(ASSIGNED, payment_method=method), NOW, language)
    assert page.images == []
    assert text not in page.html
    assert "img.example.com" not in page.policy
    assert DeskTexts(language).order.code_unread in page.text
    assert page.copied[-2:] == ["13800000000", "李四"]


@pytest.mark.parametrize("status", [s for side, s in STATES if side is SELL])
def test_a_customers_details_are_shown_only_while_they_are_needed(status: OrderStatus) -> None:
    for method in (CUSTOMERS_CARD, CUSTOMERS_WALLET):
        page = see_order(desk_order(SELL, status, NOW, payment_method=method), NOW)
        needed = status is OrderStatus.ASSIGNED
        secret = "6222 0212" if method is CUSTOMERS_CARD else "13800000000"
        assert (secret in page.text) == needed
        drawn = [code_address(CUSTOMERS_WALLET.qr_code)]
        assert (page.images == drawn) == (needed and method is CUSTOMERS_WALLET)


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
    assert "by support" in page.text
    assert "by you" not in page.text
    assert page.text.count("Beijing time") == 2


@pytest.mark.parametrize(("side", "status"), STATES)
@pytest.mark.parametrize("method", [CUSTOMERS_CARD, CUSTOMERS_WALLET])
def test_hostile_names_stay_text(side: OrderType, status: OrderStatus, method: object) -> None:
    calm = desk_order(side, status, NOW, payment_method=method)
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
