"""The pay page: what it shows of an order, at a time, in a language (contract section 8)."""

from collections.abc import Sequence
from dataclasses import dataclass, field

from orderdesk.domain.ids import payment_reference
from orderdesk.domain.orders.order import Order, OrderStatus
from orderdesk.domain.payment_methods import PaymentMethod
from orderdesk.services.orders.receipts import UploadForm
from orderdesk.web.pages.dispute.story import Story
from orderdesk.web.pages.headers import image_origin
from orderdesk.web.pages.merchants import MerchantView
from orderdesk.web.pages.methods import Detail, details_of, receiver_of
from orderdesk.web.pages.page import Page
from orderdesk.web.pages.pay import TEXTS
from orderdesk.web.pages.pay.codes import PaymentCode, payment_code
from orderdesk.web.pages.pay.links import Links
from orderdesk.web.pages.pay.questions import Question, disputable_from, question_of
from orderdesk.web.pages.pay.receipts import Proof, proof_of, sent_receipts
from orderdesk.web.pages.pay.texts import PayTexts
from orderdesk.web.pages.texts import Language, Notice
from orderdesk.web.pages.values import Amount, Moment, amount_of, clock, moment_of, time_of_day


@dataclass(frozen=True, slots=True)
class Due:
    """What a pending order asks for: until when, to whom, and how to pay.

    If it `needs_receipt`, the payer can report the payment by a receipt only.
    """

    pay_by: Moment
    expire_time: int
    seconds_left: int
    clock: str
    window_seconds: int
    method: str
    details: tuple[Detail, ...]
    code: PaymentCode | None = field(repr=False)
    steps: tuple[str, ...]
    needs_receipt: bool


@dataclass(frozen=True, slots=True)
class Waiting:
    """The time from which the page of a paid order offers a dispute (Unix seconds)."""

    until: int
    text: str


@dataclass(frozen=True, slots=True)
class PayView:
    """The whole page; `due` is set while the order must be paid.

    `waiting` is set for the half hour after that, until a dispute is offered. `reference` goes into
    the transfer's remark.
    """

    order_no: str
    reference: str
    is_test: bool
    status: str
    notice: Notice
    amount: Amount
    updated: Moment
    now: int
    is_open: bool
    receiver: str | None = field(repr=False)
    due: Due | None
    waiting: Waiting | None
    question: Question | None
    links: Links
    proof: Proof | None
    story: Story | None
    alert: Notice | None
    merchant: MerchantView


def pay_page(
    order: Order,
    now: int,
    language: Language,
    links: Links,
    *,
    merchant: MerchantView,
    previews: Sequence[str] = (),
    upload: UploadForm | None = None,
    story: Story | None = None,
    alert: Notice | None = None,
) -> Page:
    """Make the page at a time (Unix seconds).

    `previews` shows the order's receipts, `story` its dispute.
    """
    method = order.payment_method
    assert method is not None, "a buy has its trader's method"
    texts, status = TEXTS[language], order.status_at(now)
    due = _due(order, method, now, texts) if status is OrderStatus.PENDING else None
    question = question_of(order, now, language, links)
    is_unconfirmed = status is OrderStatus.PAID and question is not None
    view = PayView(
        order_no=order.order_no,
        reference=payment_reference(order.order_no),
        is_test=bool(order.mode.is_test),
        status=status.value,
        notice=texts.unconfirmed if is_unconfirmed else _notice(status, texts),
        amount=amount_of(order.quote.cny_fen),
        updated=moment_of(_since(order, status), texts.shared),
        now=now,
        is_open=status.is_open,
        receiver=receiver_of(method, texts.shared) if _may_be_paid(status) else None,
        due=due,
        waiting=_waiting(order, texts) if status is OrderStatus.PAID and not question else None,
        question=question,
        links=links,
        proof=proof_of(order, status, sent_receipts(order, previews, texts, links), upload, texts),
        story=story,
        alert=alert,
        merchant=merchant,
    )
    form = upload or (story.upload if story else None)
    return Page(
        "pay/page.html",
        {"view": view},
        texts=TEXTS,
        image_origins=_image_origins(due, previews, story),
        upload_origin=image_origin(form.url) if form else None,
    )


def pay_status(order: Order, now: int) -> dict[str, object]:
    """Give the order's status for the page's script (contract section 8)."""
    return {"status": order.status_at(now).value, "expire_time": order.expire_time}


def _notice(status: OrderStatus, texts: PayTexts) -> Notice:
    notice = texts.statuses[status]
    assert notice is not None, "a buy has no such status"
    return notice


def _may_be_paid(status: OrderStatus) -> bool:
    """Tell whether the payer may have paid: then the page shows the receiver, card masked."""
    match status:
        case OrderStatus.PAID | OrderStatus.COMPLETED | OrderStatus.DISPUTED:
            return True
        case (
            OrderStatus.PENDING
            | OrderStatus.MATCHING
            | OrderStatus.ASSIGNED
            | OrderStatus.CANCELLED
            | OrderStatus.EXPIRED
        ):
            return False


def _due(order: Order, method: PaymentMethod, now: int, texts: PayTexts) -> Due:
    assert order.expire_time is not None, "a pending order runs out"
    left = order.expire_time - now
    return Due(
        pay_by=moment_of(order.expire_time, texts.shared),
        expire_time=order.expire_time,
        seconds_left=left,
        clock=clock(left),
        window_seconds=max(order.expire_time - order.createtime, left),
        method=texts.shared.methods[method.method_type],
        details=details_of(method, texts.shared),
        code=payment_code(method.qr_code) if method.qr_code else None,
        steps=(*texts.shared.how_to_pay[method.method_type], texts.report_step),
        needs_receipt=order.receipt_required and not order.receipts,
    )


def _image_origins(
    due: Due | None, previews: Sequence[str], story: Story | None
) -> tuple[str, ...]:
    code = (due.code.origin,) if due is not None and due.code else ()
    sent = (story.image_origin,) if story else ()
    return (*code, *filter(None, (*map(image_origin, previews), *sent)))


def _waiting(order: Order, texts: PayTexts) -> Waiting:
    until = disputable_from(order)
    return Waiting(until, texts.disputable_from.format(time=time_of_day(until)))


def _since(order: Order, status: OrderStatus) -> int:
    if status is OrderStatus.EXPIRED and order.expire_time is not None:
        return order.expire_time
    return order.since
