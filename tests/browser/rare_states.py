"""The pages of the moves beside the usual ones (contract section 6), each with its decisive words.

Each state is the tab's page, and one text for each language that the page must show.
"""

from collections.abc import Iterator
from dataclasses import replace
from typing import Any

from playwright.sync_api import Page, expect

from orderdesk.adapters.dynamodb.orders.items import order_item
from orderdesk.adapters.dynamodb.orders.moves import OrderMoveStore
from orderdesk.adapters.system import SystemChance
from orderdesk.domain.merchants.team import MemberRole
from orderdesk.domain.orders.moves import By
from orderdesk.domain.orders.order import (
    DecidedClaim,
    LateProof,
    Order,
    OrderStatus,
    Receipt,
    Refund,
    Reversal,
)
from orderdesk.domain.orders.transitions import Actor, Move
from orderdesk.domain.pricing import OrderType
from orderdesk.domain.receipts.places import preview_key
from orderdesk.services.orders.move import MovePorts, move_order
from tests.browser.desk_visit import DeskVisit
from tests.browser.portal_states import join
from tests.browser.site import Site, payment_code_png
from tests.support.orders import SELL_NUMBER, buy_order, desk_order, numbered
from tests.support.portal import invite
from tests.support.seed import WORKED_FEES, with_changes

BUY, SELL = OrderType.BUY, OrderType.SELL
type States = Iterator[tuple[str, dict[str, str]]]


def other_sum(tab: Page, site: Site, language: str) -> States:
    """The trader reports another sum, and the payer agrees or objects."""
    merchant, _ = site.world.add_merchant(other_sums="agreed:10")
    visit = DeskVisit.of_new_trader(site, tab, language)
    whose = {"merchant_id": merchant.merchant_id, "fees": WORKED_FEES}
    order = visit.put(BUY, OrderStatus.PAID, **whose)
    visit.open(order, language)
    yield "desk-sum", {"en": "Report this amount", "zh": "上报此金额"}
    tab.locator("#amount").fill("950")
    tab.locator("form:has(#amount) [type=submit]").click()
    visit.open(order, language)
    yield "desk-reported", {"en": "You reported that ¥950.00", "zh": "您上报实际到账 ¥950.00"}
    link = site.put(buy_order(site.now, OrderStatus.DISPUTED, reported_fen=950_00))
    tab.goto(f"{link}?lang={language}")
    yield "pay-reported", {"en": "No, I object", "zh": "不是"}
    no = {"en": "No, I object", "zh": "不是，我不同意"}[language]
    tab.get_by_role("button", name=no).click()
    expect(tab.get_by_role("button", name=no)).to_have_count(0)
    yield "pay-objected", {"en": "You objected", "zh": "您已表示不同意"}
    tab.get_by_role("button", name={"en": "Yes, I", "zh": "是，我"}[language]).click()
    yield "pay-agreed", {"en": "You agreed", "zh": "您已同意"}


def stopped_account(tab: Page, site: Site, language: str) -> States:
    """The account of a pending and of an expired buy is stopped."""
    link = site.put(buy_order(site.now - 28, payee_stopped_at=site.now - 10))
    tab.goto(f"{link}?lang={language}")
    yield "pay-stopped", {"en": "Do not pay", "zh": "请勿付款"}
    tab.goto(f"{link}/paid?lang={language}")
    yield "pay-stopped-asked", {"en": "already paid", "zh": "已付款"}
    visit = DeskVisit.of_new_trader(site, tab, language)
    order = visit.put(BUY, OrderStatus.PAID, payee_stopped_at=site.now)
    visit.open(order, language)
    yield "desk-stopped", {"en": "The account of this order is stopped", "zh": "收款账户已停用"}


def late_proof(tab: Page, site: Site, language: str) -> States:
    """A sell is taken back; its trader proves it late, and the claim is decided."""
    visit = DeskVisit.of_new_trader(site, tab, language)
    mine = visit.trader.trader_id
    order = visit.put(SELL, OrderStatus.ASSIGNED, receipts=(), expire_time=site.now)
    store = OrderMoveStore(site.world.client, site.world.tables)
    moves = MovePorts(store, SystemChance(), lambda _: None)
    move_order(order.order_no, Move.LAPSE, By(Actor.CLOCK), moves, site.now)
    tab.goto(f"{site.desk_url}/history?lang={language}")
    yield "desk-returned-list", {"en": "no proof yet", "zh": "未提交凭证"}
    visit.open(order, language)
    yield "desk-returned", {"en": "I have paid: hand in the proof", "zh": "我已付款：提交凭证"}
    late = LateProof(mine, Receipt("drawn/late", "image/png", 1, site.now))
    visit.change(order, status=OrderStatus.ASSIGNED, trader_id="another", late_proofs=(late,))
    visit.open(order, language)
    yield "desk-proof-kept", {"en": "Your proof was received", "zh": "凭证已收到"}
    paid = DecidedClaim("P1", site.now, mine, is_paid=True)
    visit.change(order, status=OrderStatus.COMPLETED, claims=(paid,))
    visit.open(order, language)
    yield "desk-claim-paid", {"en": "Your claim was paid", "zh": "申诉成立，已入账"}
    theirs = LateProof("another", late.receipt)
    visit.change(order, trader_id=mine, returns=(), late_proofs=(theirs,), claims=())
    visit.change(order, claims=(replace(paid, trader_id="another"),))
    visit.open(order, language)
    yield "desk-claim-taken", {"en": "were taken back", "zh": "此订单的 USDT 已收回"}
    visit.change(order, status=OrderStatus.ASSIGNED, claims=(), receipts=())
    visit.open(order, language)
    yield "desk-maybe-paid", {"en": "Do not pay before support answers", "zh": "请先不要付款"}


def refund(tab: Page, site: Site, language: str) -> States:
    """A buy is refunded by a sell, and a part of it is reversed; the merchant sees both."""
    merchant, _ = site.world.add_merchant()
    join(tab, site, merchant, invite(site.world, merchant, MemberRole.ADMIN))
    own: dict[str, Any] = {"merchant_id": merchant.merchant_id}
    back = Refund(SELL_NUMBER, 400_00)
    part = Reversal("P1", site.now, 10_000_000)
    bought = desk_order(BUY, OrderStatus.COMPLETED, site.now - 600, **own)
    bought = with_changes(bought, refunds=(back,), reversals=(part,))
    sold = desk_order(SELL, OrderStatus.COMPLETED, site.now - 60, fen=400_00, **own)
    sold = with_changes(sold, order_no=SELL_NUMBER, refund_of=bought.order_no)
    gone = numbered(desk_order(SELL, OrderStatus.CANCELLED, site.now - 300, **own), 7)
    gone = with_changes(gone, claims=(DecidedClaim("P2", site.now, "t1", is_paid=True),))
    for each in (bought, sold, gone):
        store(site, each)
    for name, path, words in (
        ("portal-list", "orders", {"en": "Has refunds", "zh": "有退款"}),
        ("portal-bought", bought.order_no, {"en": "Refunded by", "zh": "退款卖单"}),
        ("portal-sold", sold.order_no, {"en": "Refunds", "zh": "退款对应的买单"}),
        ("portal-claimed", gone.order_no, {"en": "Paid after", "zh": "订单取消后已付款"}),
    ):
        place = path if path == "orders" else f"orders/{path}"
        tab.goto(f"{site.portal_url}/{place}?lang={language}")
        yield name, words


def store(site: Site, order: Order) -> None:
    """Store an order with the pictures of its proofs."""
    site.world.put("Orders", order_item(order))
    for receipt in order.receipts:
        site.bucket.files[preview_key(receipt.key)] = payment_code_png()
