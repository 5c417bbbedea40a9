"""The desk's page of one order: what to check or to pay, and the trader's moves."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from functools import partial

from orderdesk.domain.money import format_rate
from orderdesk.domain.orders.order import Order, OrderStatus, TimelineEntry
from orderdesk.domain.orders.transitions import Actor
from orderdesk.domain.payment_methods import PaymentMethod
from orderdesk.domain.pricing import OrderType
from orderdesk.domain.receipts.files import MAX_BYTES, ReceiptType
from orderdesk.services.orders.receipts import UploadForm
from orderdesk.web.pages.desk import TEXTS
from orderdesk.web.pages.desk.alerts import Alert
from orderdesk.web.pages.desk.frame import DeskLinks, desk_page
from orderdesk.web.pages.desk.questions import Question, questions_of
from orderdesk.web.pages.desk.summary import (
    Summary,
    is_lapsed,
    key_of,
    summary_of,
    todo_of,
    version_of,
)
from orderdesk.web.pages.desk.texts import DeskTexts, OrderTexts
from orderdesk.web.pages.dispute.story import Story
from orderdesk.web.pages.headers import image_origin
from orderdesk.web.pages.methods import Detail, details_of, receiver_of
from orderdesk.web.pages.page import Page
from orderdesk.web.pages.pictures import Picture, picture_of
from orderdesk.web.pages.texts import Language, Notice
from orderdesk.web.pages.values import Moment, moment_of


@dataclass(frozen=True, slots=True)
class Code:
    """A customer's payment code; `link` is set if it is an address that a browser may open.

    Whoever created the order chose the address. `warning` names the site that it leads to.
    """

    text: str = field(repr=False)
    link: str | None = field(repr=False)
    warning: str = field(repr=False)


@dataclass(frozen=True, slots=True)
class Step:
    """One step of the order's timeline: what, when and by whom ("" for the creation)."""

    text: str
    at: Moment
    by: str


@dataclass(frozen=True, slots=True)
class OrderView:
    """The whole page; `upload` is set only if the order takes a proof from its trader.

    `key` stands for the order and whom it waits for: its trader need not be called to it.
    `own` is an open order's version, which the page's script compares.
    """

    order: Summary
    key: str
    own: str | None
    notice: Notice
    is_open: bool
    is_lapsed: bool
    rate: str
    method: str
    details: tuple[Detail, ...] = field(repr=False)
    code: Code | None = field(repr=False)
    receipts_title: str
    receipts: tuple[Picture, ...]
    upload: UploadForm | None = field(repr=False)
    max_bytes: int
    questions: tuple[Question, ...]
    steps: tuple[Step, ...]
    story: Story | None
    now: int
    alert: Notice | None


def order_page(
    order: Order,
    previews: Sequence[str],
    now: int,
    language: Language,
    links: DeskLinks,
    *,
    upload: UploadForm | None = None,
    story: Story | None = None,
    alert: Alert | None = None,
    is_suspended: bool = False,
) -> Page:
    """Make an order's page at a time (Unix seconds).

    `previews` shows its receipts, `story` its dispute.
    A suspended trader (`is_suspended`) can only read it, without the account to pay.
    """
    is_suspended = is_suspended and order.status.is_open
    method = order.payment_method
    assert method is not None, "what a trader has is paid by a method"
    texts = TEXTS[language]
    questions = () if is_suspended else questions_of(order, now, language, links)
    is_paid_now = order.status is OrderStatus.ASSIGNED and not is_suspended
    view = OrderView(
        order=summary_of(order, now, texts, links),
        key=key_of(order),
        own=version_of(order) if order.status_at(now).is_open else None,
        notice=texts.order.suspended if is_suspended else _notice(order, now, texts),
        is_open=bool(questions),
        is_lapsed=is_suspended or is_lapsed(order, now),
        rate=format_rate(order.quote.rate_e4),
        method=texts.shared.methods[method.method_type],
        details=_details(order, method, texts, is_paid_now=is_paid_now),
        code=_code(method, texts.order) if is_paid_now else None,
        receipts_title=texts.order.proofs[order.order_type],
        receipts=tuple(_receipts(order, previews, texts, links)),
        upload=upload,
        max_bytes=MAX_BYTES,
        questions=questions,
        steps=tuple(_steps(order, texts)),
        story=story,
        now=now,
        alert=alert.notice if alert else None,
    )
    form = upload or (story.upload if story else None)
    pictures = (*map(image_origin, previews), story.image_origin if story else None)
    return desk_page(
        "desk/order.html",
        view,
        links,
        links.here(f"orders/{order.order_no}"),
        section="orders",
        image_origin=next(filter(None, pictures), None),
        upload_origin=image_origin(form.url) if form else None,
        status=alert.status if alert else 200,
    )


def _notice(order: Order, now: int, texts: DeskTexts) -> Notice:
    if is_lapsed(order, now):
        return texts.order.lapsed
    return todo_of(order, order.status_at(now), texts)


def _details(
    order: Order, method: PaymentMethod, texts: DeskTexts, *, is_paid_now: bool
) -> tuple[Detail, ...]:
    """Give the account to pay while the order must be paid, else only enough to recognise it."""
    if is_paid_now:
        return details_of(method, texts.shared)
    shown = receiver_of(method, texts.shared)
    if order.order_type is OrderType.SELL:
        return (Detail("receiver", texts.shared.receiver, shown, ""),)
    arrives = Detail("arrives", texts.order.arrives_at, shown, "")
    if not method.account:
        return (arrives,)
    return (arrives, Detail("account", texts.shared.account, method.account, ""))


def _code(method: PaymentMethod, texts: OrderTexts) -> Code | None:
    text = method.qr_code
    if not text:
        return None
    site = image_origin(text)
    return Code(text, text if site else None, texts.code_site.format(site=site) if site else "")


def _receipts(
    order: Order, previews: Sequence[str], texts: DeskTexts, links: DeskLinks
) -> Iterator[Picture]:
    kept = zip(order.receipts, previews, strict=True)
    for number, (receipt, preview) in enumerate(kept, start=1):
        is_document = receipt.content_type == ReceiptType.PDF
        label = texts.order.document if is_document else texts.order.picture
        yield picture_of(
            receipt,
            label.format(number=number),
            preview,
            texts.order.page,
            partial(links.receipt, order.order_no, number),
        )


def _steps(order: Order, texts: DeskTexts) -> Iterator[Step]:
    """Give the order's timeline without the assignments of earlier traders."""
    taken = [i for i, e in enumerate(order.timeline) if e.status is OrderStatus.ASSIGNED]
    own = order.timeline[taken[-1] if taken else 1 :]
    for entry in (order.timeline[0], *own):
        yield _step(entry, texts)


def _by(actor: Actor, texts: OrderTexts) -> str:
    match actor:
        case Actor.PAYER:
            return texts.by_payer
        case Actor.MERCHANT:
            return texts.by_merchant
        case Actor.TRADER:
            return texts.by_trader
        case Actor.OPERATOR:
            return texts.by_operator
        case Actor.CLOCK:
            return texts.by_clock


def _step(entry: TimelineEntry, texts: DeskTexts) -> Step:
    by = _by(Actor(entry.by), texts.order) if entry.by else ""
    return Step(texts.order.steps[entry.status], moment_of(entry.time, texts.shared), by)
