"""The desk's page of an order in every state and language, for harmless and hostile values."""

from dataclasses import replace
from functools import partial
from typing import Any

import pytest

from orderdesk.domain.modes import Mode
from orderdesk.domain.orders.errors import ProofMissing, StateConflict, TooManyReceipts
from orderdesk.domain.orders.order import DISPUTE_AFTER_SECONDS, Order, OrderStatus
from orderdesk.domain.pricing import OrderType
from orderdesk.domain.receipts.files import ReceiptProblem, UnfitReceipt
from orderdesk.domain.traders.errors import TraderSuspended
from orderdesk.services.orders.receipts import UploadForm
from orderdesk.web.pages.desk.routes import ORDER, DeskOrderRoutes
from orderdesk.web.pages.desk.summary import todo_of
from orderdesk.web.pages.desk.texts import DeskTexts
from orderdesk.web.pages.order_routes import OrderPorts, Refused
from orderdesk.web.pages.texts import Language, Notice, SharedTexts
from tests.support.orders import (
    ANSWER_SECONDS,
    STATES,
    WINDOW_SECONDS,
    desk_order,
    proofs,
)
from tests.support.seen_desk import UPLOAD, logger, see, see_order
from tests.support.seen_page import Seen

NOW = 1_763_700_000
BUY, SELL = OrderType.BUY, OrderType.SELL
MAX_BYTES = 60_000
ASSIGNED = desk_order(SELL, OrderStatus.ASSIGNED, NOW)
PROVED = replace(ASSIGNED, receipts=proofs(ASSIGNED, "image/png"))
OFFERED = {
    (BUY, OrderStatus.PENDING): {"confirm"},
    (BUY, OrderStatus.PAID): {"confirm", "report"},
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
    assert offered(with_one, PROVED.order_no) == {"confirm", "decline"}
    assert "Send proof of payment first" not in with_one.text
    assert "img-src https://bucket.example.com blob:;" in with_one.policy


@pytest.mark.parametrize(
    ("side", "status", "until"),
    [
        (BUY, OrderStatus.PENDING, NOW + WINDOW_SECONDS),
        (BUY, OrderStatus.PAID, NOW + DISPUTE_AFTER_SECONDS),
        (SELL, OrderStatus.ASSIGNED, NOW + ANSWER_SECONDS),
    ],
)
def test_how_much_time_is_left(side: OrderType, status: OrderStatus, until: int) -> None:
    order = desk_order(side, status, NOW)
    assert f'data-until="{until}" data-over="Overdue">01:05' in see_order(order, until - 65).html
    late = see_order(order, until)
    assert "data-until=" not in late.html
    assert ("Overdue" in late.text) == (status is not OrderStatus.PENDING)


def test_a_pending_buy_past_its_window_counts_as_expired_at_once() -> None:
    page = see_order(desk_order(BUY, OrderStatus.PENDING, NOW), NOW + WINDOW_SECONDS)
    assert "<h1>Time has run out</h1>" in page.html
    assert "dialog" not in page.tags


def test_a_late_sell_warns_but_can_still_be_answered() -> None:
    page = see_order(PROVED, NOW + ANSWER_SECONDS)
    assert "Your time has run out" in page.text
    assert offered(page, PROVED.order_no) == {"confirm", "decline"}


@pytest.mark.parametrize("language", Language)
def test_a_test_order_says_so(language: Language) -> None:
    warning = SharedTexts(language).test_order
    order = desk_order(BUY, OrderStatus.PAID, NOW)
    assert warning in see_order(replace(order, mode=Mode.TEST), NOW, language).text
    assert warning not in see_order(order, NOW, language).text


class Kept:
    """A store of one order, and the signer of forms and pictures."""

    def __init__(self, order: Order) -> None:
        self._order = order

    def order(self, order_no: str) -> Order | None:
        return self._order if order_no == self._order.order_no else None

    def upload_form(self, *_: object) -> UploadForm:
        return UPLOAD

    def url(self, key: str) -> str:
        return f"https://bucket.example.com/{key}"


def ports_of(order: Order) -> OrderPorts:
    kept: Any = Kept(order)
    return OrderPorts(kept, kept, kept, kept, kept, "", logger)


@pytest.mark.parametrize("language", Language)
@pytest.mark.parametrize(
    ("refusal", "status", "headline"),
    [
        (StateConflict("completed"), 409, "overtaken"),
        (ProofMissing(), 422, "proof_missing"),
        (TooManyReceipts(), 422, "unfit"),
        (TraderSuspended(), 403, "suspended"),
        *((UnfitReceipt(problem), 422, "unfit") for problem in ReceiptProblem),
    ],
)
def test_a_refusal_is_an_alert_above_the_order(
    refusal: Refused, status: int, headline: str, language: Language
) -> None:
    texts = DeskTexts(language)
    refuse = partial(DeskOrderRoutes(ports_of(ASSIGNED)).refuse, refusal)
    page = see(ORDER, refuse, language, status, order_no=ASSIGNED.order_no)
    upload = texts.shared.upload
    expected = {
        "overtaken": texts.shared.overtaken,
        "proof_missing": texts.order.proof_missing,
        "suspended": texts.order.suspended_move,
    }.get(headline)
    problem = refusal.problem if isinstance(refusal, UnfitReceipt) else ReceiptProblem.TOO_MANY
    notice = expected or Notice(upload.unfit_title, upload.unfit[problem])
    assert f'<div class="alert" role="alert"><p><strong>{notice.headline}</strong>' in page.html
    assert notice.advice in page.text
    assert ("/decline?" in page.html) == (headline != "suspended")
