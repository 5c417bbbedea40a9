"""The pay page: what it shows of an order at a time, in a language (contract section 8)."""

from collections.abc import Mapping
from typing import NamedTuple

from orderdesk.domain.ids import payment_reference
from orderdesk.domain.orders.order import (
    ANSWER_SECONDS,
    DISPUTE_AFTER_SECONDS,
    LATE_SECONDS,
    MAX_RECEIPTS,
    Order,
    OrderStatus,
)
from orderdesk.domain.orders.transitions import Actor, Move
from orderdesk.web.pages.frame import Page
from orderdesk.web.pages.order_routes import Attachments, Question
from orderdesk.web.pages.pay.pay_texts import PayTexts
from orderdesk.web.pages.scene import Scene
from orderdesk.web.pages.texts import Notice
from orderdesk.web.pages.values import (
    DRAWN_ORIGIN,
    MerchantView,
    PictureTexts,
    app_link,
    code_address,
    code_path,
    details_of,
    moment_of,
    receiver_of,
)


class Pace(NamedTuple):
    """The seconds between two polls, while the status is younger than `until` seconds."""

    until: int | None
    wait: int


type Paces = tuple[Pace, ...]
"""Paces by rising age; the last one has no end."""

# Until the payment little changes without the payer; polls every 9 s would cost more than all other
# polls. The page also asks when the payer returns to it or copies a detail of the transfer.
_PENDING = (Pace(60, 60), Pace(None, 120))
_PAID = (Pace(18, 18), Pace(None, 9))
_DISPUTED = (Pace(None, 9),)

PACES: Mapping[OrderStatus, Paces] = {
    OrderStatus.PENDING: _PENDING,
    OrderStatus.PAID: _PAID,
    OrderStatus.DISPUTED: _DISPUTED,
}
"""The paces of the statuses of a buy that can change while its page is open."""


def wait_seconds(paces: Paces, age: int) -> int:
    """Return the seconds until the next poll at an age of the status in seconds."""
    return next(pace.wait for pace in paces if pace.until is None or age < pace.until)


type PayScene = Scene[PayTexts]

# The page of a completed order leads back to the merchant, but not if it is opened again later.
_RETURN_SECONDS = 10
_RETURN_WITHIN_SECONDS = 120


def pay_page(
    order: Order,
    scene: PayScene,
    attachments: Attachments,
    *,
    merchant: MerchantView,
    address: str = "",
    alert: Notice | None = None,
) -> Page:
    """Return the page; `address` is its own absolute address.

    A payer can cancel a pending order, and dispute one that is paid for half an hour.
    """
    texts, now, status = scene.texts, scene.now, order.status_at(scene.now)
    asked = {each.move: each for each in attachments.questions}
    question = asked.get(Move.CANCEL) or asked.get(Move.DISPUTE)
    since, is_stopped = _since(order, status), _is_stopped(order, status)
    is_due = status is OrderStatus.PENDING and not is_stopped
    due = _due(order, scene, attachments.code) if is_due else None
    is_new = status is OrderStatus.COMPLETED and now - since < _RETURN_WITHIN_SECONDS
    leads_back = is_new and not order.was_disputed and merchant.return_url
    view = {  # what a payer may see of an order, which has more, such as names and tokens
        "order_no": order.order_no,
        "reference": payment_reference(order.order_no),  # for the transfer's remark
        "is_test": bool(order.mode.is_test),
        "status": status.value,
        "notice": _notice(order, status, scene, attachments, is_late=question is not None),
        "cny_fen": order.quote.cny_fen,
        "updated_label": texts.since[status],
        "since": since,  # the time of the status
        "now": now,
        "paces": PACES.get(status, ()),  # when the page asks for the next status
        "is_open": status.is_open,
        "receiver": receiver_of(order.payment_method, texts.shared)
        if _may_be_paid(status)
        else None,
        "due": due,
        "is_stopped": is_stopped,  # it must not be paid: the payee's account was stopped
        # For half an hour after the payment: from when on the page offers a dispute.
        "disputable_at": order.since + DISPUTE_AFTER_SECONDS
        if status is OrderStatus.PAID and not question
        else None,
        "question": question,
        "report": asked.get(Move.PAY),
        # The code of the page's own address: the side of its square, and its lines as an SVG path.
        "handoff": code_path(address) if due and address else None,
        # After how many seconds the page leads back to the merchant.
        "returning": _RETURN_SECONDS if leads_back else None,
        "proof": _proof(order, status, scene, attachments),
        "story": attachments.story,
        "asked": _asked(order, texts),
        "alert": alert,
        "merchant": merchant,
    }
    code = (DRAWN_ORIGIN,) if due and due["code"] else ()
    return Page(
        "pay/page.html",
        view,
        image_origins=(*code, *merchant.image_origins, *attachments.image_origins),
        upload_origin=attachments.upload_origin,
    )


def question_page(order: Order, question: Question, merchant: MerchantView) -> Page:
    """Return the separate page of a question, for browsers without a script."""
    view = {
        "order_no": order.order_no,
        "cny_fen": order.quote.cny_fen,
        "question": question,
        "merchant": merchant,
    }
    return Page("pay/question.html", view, image_origins=merchant.image_origins)


def pay_status(order: Order, now: int) -> dict[str, object]:
    """Return the order's status for the page's script (contract section 8)."""
    status = order.status_at(now)
    found: dict[str, object] = {"status": status.value, "expire_time": order.deadline(status)}
    return found | {"stopped": True} if _is_stopped(order, status) else found


def _is_stopped(order: Order, status: OrderStatus) -> bool:
    """Return whether a pending order must not be paid, because its account was stopped."""
    return status is OrderStatus.PENDING and order.pay_page.payee_stopped_at is not None


def _notice(
    order: Order, status: OrderStatus, scene: PayScene, attachments: Attachments, *, is_late: bool
) -> Notice:
    """Return the notice of a status; an end names who decided it.

    `is_late`: the payer can dispute a payment that nobody has confirmed.
    """
    texts = scene.texts
    if status is OrderStatus.PAID and is_late:
        return texts.unconfirmed
    if _is_stopped(order, status):
        return texts.stopped
    late = _late_notice(_since(order, status), attachments, texts)
    if status is OrderStatus.EXPIRED and late is not None:
        return late
    return _usual_notice(order, status, texts)


def _usual_notice(order: Order, status: OrderStatus, texts: PayTexts) -> Notice:
    usual, by = texts.statuses[status], order.timeline[-1].by
    assert usual is not None, "a buy has no such status"
    if status is OrderStatus.COMPLETED and by == Actor.OPERATOR:
        return texts.completed_by_staff
    if status is not OrderStatus.CANCELLED or not by:
        return usual
    match Actor(by):
        case Actor.OPERATOR:
            return texts.rejected_by_staff if order.was_disputed else texts.cancelled_by_staff
        case Actor.MERCHANT:
            return texts.cancelled_by_merchant
        case Actor.PAYER:
            return texts.cancelled_by_payer
        case Actor.TRADER | Actor.CLOCK:
            return usual


def _late_notice(since: int, attachments: Attachments, texts: PayTexts) -> Notice | None:
    """Return the notice of an expired order that has or takes a late receipt, else None."""
    if attachments.story is not None:
        return texts.late_kept
    if attachments.upload is None:
        return None
    until = moment_of(since + LATE_SECONDS, texts.shared)
    return texts.late.filled(time=until.text)


def _may_be_paid(status: OrderStatus) -> bool:
    """Return whether the payer may have paid: then the page shows the receiver, card masked."""
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


def _due(order: Order, scene: PayScene, code: str | None) -> dict[str, object]:
    """Return the payment of a pending order: until when, to whom, and how."""
    assert order.expire_time is not None, "a pending order expires"
    texts, method, left = scene.texts, order.payment_method, order.expire_time - scene.now
    name = "" if order.identity is None else order.identity.open_name
    return {
        "expire_time": order.expire_time,
        "seconds_left": left,
        "window_seconds": max(order.expire_time - order.createtime, left),
        "method": texts.shared.methods[method.method_type],
        "details": details_of(method, texts.shared),
        # The address of the payment code's picture, and the link that opens it in its wallet's app.
        "code": None if code is None else code_address(code),
        "app": None if code is None else app_link(method, code),
        "steps": (*texts.shared.how_to_pay[method.method_type], texts.report_step),
        # The payer can report the payment by a receipt only.
        "needs_receipt": order.pay_page.receipt_required and not order.receipts,
        # Asks a verified payer, by name, to use an own account.
        "own_account": texts.own_account.format(name=name) if name else None,
    }


def _proof(
    order: Order, status: OrderStatus, scene: PayScene, attachments: Attachments
) -> dict[str, object] | None:
    """Return the order's receipts, and the form for one more if it takes one."""
    texts, count = scene.texts, len(order.receipts)
    is_late = status is OrderStatus.EXPIRED and attachments.upload is not None
    is_open = status.takes_receipts or is_late
    if not (is_open or count):
        return None
    labels = PictureTexts(texts.sent_picture, texts.sent_document, texts.sent_page)
    return {
        "sent": attachments.pictures(order, labels, scene.links, "receipts"),
        "received": texts.received.format(count=count, most=MAX_RECEIPTS) if count else "",
        "is_open": is_open,
        "is_late": is_late,  # they are of a late payment
        "upload": attachments.upload,
    }


def _asked(order: Order, texts: PayTexts) -> Notice | None:
    """Return the notice of an operator's question that waits for the payer's answer."""
    if order.status is not OrderStatus.DISPUTED or order.dispute.payer_asked_at is None:
        return None
    until = moment_of(order.dispute.payer_asked_at + ANSWER_SECONDS, texts.shared)
    return texts.asked.filled(time=until.text)


def _since(order: Order, status: OrderStatus) -> int:
    if status is OrderStatus.EXPIRED and order.expire_time is not None:
        return order.expire_time
    return order.since
